;; The largest and the smallest of numbers: `max`, `min`.

;; `max` and `min` answer one of their arguments as it is, with its kind.
[(max 3 9 5) (min 3 9 5) (max 1 2.5) (min 1 2.5) (max -1 -2)]
;=> [9 3 2.5 1 -1]

;; One number is the largest and the smallest of itself.
[(max 4) (min 4)]
;=> [4 4]

;; Between equal numbers of different kind the last one wins.
[(max 3 3.0) (max 3.0 3) (min 3 3.0) (min 3.0 3)]
;=> [3.0 3 3.0 3]

;; For a collection: `apply`, or `reduce` with a start for the empty one.
[(apply max [3 1 2]) (apply min #{3 1 2}) (reduce max 0 []) (reduce min [4 2 8])]
;=> [3 1 0 2]

;; A number kept within bounds.
(defn clamp [low high x] (-> x (max low) (min high)))
(map (partial clamp 0 100) [-5 50 150])
;=> [0 50 100]

;; The range of temperatures of a week.
(let [readings [18.5 21.0 16.25 19.0]]
  {:low (apply min readings) :high (apply max readings)})
;=> {:low 16.25 :high 21.0}

;; NaN wins in both: a broken value is not hidden.
[(max 1 ##NaN 3) (min 1 ##NaN 3)]
;=> [##NaN ##NaN]

;; Infinities are ordinary bounds to start from.
[(reduce min ##Inf [3 1 2]) (reduce max ##-Inf [3 1 2])]
;=> [1 3]

;; A collection as the only argument is the usual slip; the error shows the call that was meant.
(max [3 1 2])
;!> type_error 1:1 max: expected numbers, got vector; use (apply max coll)

;; The same for `min`.
(min [3 1 2])
;!> type_error 1:1 min: expected numbers, got vector; use (apply min coll)

;; There is no largest of no numbers.
(apply max [])
;!> arity_error 1:1 max: expected 1 or more arguments, got 0; apply and reduce over an empty collection call it so: check (seq coll) first

;; nil is no number: filter first.
(apply max [3 nil 2])
;!> type_error 1:1 max: expected numbers, got nil; (remove nil? coll) leaves nil out

;; With `keep` the gaps are gone.
(apply max (keep :score [{:score 3} {} {:score 7}]))
;=> 7

;; Text has an order, but no maximum by `max`.
(max "a" "b")
;!> type_error 1:1 max: expected numbers, got string

;; The record with the largest value: `max-key`, with `max` only the value.
(let [cities [{:n "Oslo" :p 700} {:n "Rome" :p 2800} {:n "Bern" :p 130}]]
  [(apply max (map :p cities)) (:n (apply max-key :p cities)) (apply min (map :p cities))])
;=> [2800 "Rome" 130]

;; Values scaled to the range from 0 to 1.
(defn scale [xs]
  (let [low (apply min xs) span (- (apply max xs) low)]
    (map #(/ (- % low) span) xs)))
(scale [10 15 20])
;=> [0 0.5 1]

;; The largest drop of a course: each value against the highest before it.
(defn drop-of [xs]
  (apply max (map - (reductions max xs) xs)))
[(drop-of [10 12 7 9 15 11]) (drop-of [1 2 3])]
;=> [5 0]

;; The best sum of neighbours, by a running maximum.
(defn best-run [xs]
  (second (reduce (fn [[here best] x] (let [here (max x (+ here x))] [here (max best here)]))
                  [0 ##-Inf] xs)))
[(best-run [-2 1 -3 4 -1 2 1 -5 4]) (best-run [-3 -1 -2])]
;=> [6 -1]

;; Elements side by side: the larger of each pair.
[(map max [1 5 3] [4 2 9]) (map min [1 5 3] [4 2 9])]
;=> [[4 5 9] [1 2 3]]

;; As a merging function: the highest bid for every lot.
(merge-with max {:a 10 :b 5} {:a 8 :b 7} {:c 1})
;=> {:a 10 :b 7 :c 1}

;; Whether two intervals overlap, and where.
(defn overlap [[a b] [c d]]
  (let [from (max a c) to (min b d)] (when (< from to) [from to])))
[(overlap [1 5] [3 8]) (overlap [1 2] [3 4])]
;=> [[3 5] nil]

;; Both need at least one number.
[(max) (min)]
;!> arity_error 1:2 max: expected 1 or more arguments, got 0
;!> arity_error 1:8 min: expected 1 or more arguments, got 0
