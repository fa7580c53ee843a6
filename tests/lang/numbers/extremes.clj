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
;!> arity_error 1:1 max: expected 1 or more arguments, got 0

;; nil is no number: filter first.
(apply max [3 nil 2])
;!> type_error 1:1 max: expected numbers, got nil

;; With `keep` the gaps are gone.
(apply max (keep :score [{:score 3} {} {:score 7}]))
;=> 7

;; Text has an order, but no maximum by `max`.
(max "a" "b")
;!> type_error 1:1 max: expected numbers, got string
