;; A loop over the rest of a sequence costs the same for each element, however long the sequence is.
;- limits {:fuel 400000}
(loop [xs (range 25000) n 0] (if (seq xs) (recur (rest xs) (inc n)) n))
;=> 25000

;; The same with `next`.
;- limits {:fuel 400000}
(loop [xs (range 25000) n 0] (if xs (recur (next xs) (inc n)) n))
;=> 25000

;; The same with a pattern.
;- limits {:fuel 400000}
(loop [[x & more] (range 25000) n 0] (if x (recur more (inc n)) n))
;=> 25000

;; The same with `if-let`.
;- limits {:fuel 400000}
(loop [xs (range 25000) n 0] (if-let [s (seq xs)] (recur (rest s) (inc n)) n))
;=> 25000

;; The same with the test negated.
;- limits {:fuel 400000}
(loop [xs (range 25000) n 0] (if (not (seq xs)) n (recur (rest xs) (inc n))))
;=> 25000

;; The same with `cond`.
;- limits {:fuel 400000}
(loop [xs (range 25000) n 0] (cond (= nil (seq xs)) n (odd? (first xs)) (recur (rest xs) (inc n)) :else (recur (rest xs) n)))
;=> 12500

;; A function that calls itself with the rest.
;- limits {:fuel 400000}
(do (defn f [xs acc] (if (seq xs) (f (rest xs) (inc acc)) acc)) (f (range 9000) 0))
;=> 9000

;; A function that takes its argument apart.
;- limits {:fuel 400000}
(do (defn f [[x & more]] (if x (inc (f more)) 0)) (f (range 9000)))
;=> 9000

;; Names for the parts.
;- limits {:fuel 400000}
(loop [xs (range 25000) acc 0] (let [x (first xs) r (next xs)] (if r (recur r (+ acc x)) (+ acc x))))
;=> 312487500

;; The same when the whole is still needed.
;- limits {:fuel 120000}
(loop [[x & more :as all] (range 5000) n 0] (if (seq all) (recur more (inc n)) n))
;=> 5000

;; The same when the first element is taken after the rest.
;- limits {:fuel 120000}
(loop [xs (range 5000) acc []] (if (empty? xs) (count acc) (recur (rest xs) (conj acc (first xs)))))
;=> 5000

;; The same from the end.
;- limits {:fuel 120000}
(loop [xs (vec (range 5000)) acc 0] (if (seq xs) (recur (pop xs) (+ acc (peek xs))) acc))
;=> 12497500
