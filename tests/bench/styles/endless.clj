;; The sum of the first n whole numbers from an endless sequence.

;; range
(reduce + (take data/n (range)))

;; iterate
(reduce + (take data/n (iterate inc 0)))

;; take-while
(reduce + (take-while (fn [n] (< n data/n)) (iterate inc 0)))

;; map-range
(reduce + (map (fn [n _] n) (range) data/nums))

;; lazy-seq
(let [from (fn from [n] (lazy-seq (cons n (from (inc n)))))] (reduce + (take data/n (from 0))))

;; loop
(loop [n 0 total 0] (if (< n data/n) (recur (inc n) (+ total n)) total))
