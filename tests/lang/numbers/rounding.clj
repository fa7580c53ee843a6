;; Rounding: `floor`, `ceil`, `round`, `trunc` give integers; those of clojure.math mostly give floats.

;; The bare functions answer integers, ready to be an index or a count.
[(floor 2.7) (ceil 2.1) (round 2.5) (trunc 2.9)]
;=> [2 3 3 2]

;; They differ below zero: down, up, away from zero, toward zero.
[(floor -2.5) (ceil -2.5) (round -2.5) (trunc -2.5)]
;=> [-3 -2 -3 -2]

;; Integers stay as they are.
[(floor 5) (ceil 5) (round 5) (trunc 5)]
;=> [5 5 5 5]

;; Infinities and NaN have no integer, and stay too.
[(floor ##Inf) (round ##NaN) (ceil ##-Inf)]
;=> [##Inf ##NaN ##-Inf]

;; `Math/floor` and `Math/ceil` are the bare functions; `Math/round` rounds halves up.
[(Math/floor 2.7) (Math/ceil 2.1) (Math/round -2.5)]
;=> [2 3 -2]

;; Pages that hold ten items each.
(defn pages [n] (ceil (/ n 10)))
(map pages [0 1 10 11])
;=> [0 1 1 2]

;; Rounding to cents: scale, round, scale back.
(defn cents [x] (/ (round (* x 100)) 100))
(map cents [1.005 2.675 3.14159 10])
;=> [1 2.68 3.14 10]

;; A float beyond 64 bits has no integer to round to.
(round 1e30)
;!> arithmetic_error 1:1 round: no integer value for 1.0e30

;; Text is not rounded.
(round "2.5")
;!> type_error 1:1 round: expected a number, got string

;; `math/floor` and `math/ceil` are those of Clojure: whole floats.
[(math/floor 2.7) (math/floor -2.5) (math/ceil 2.1) (math/ceil -2.5) (math/floor 3)]
;=> [2.0 -3.0 3.0 -2.0 3.0]

;; A whole float is equal to its integer, so that both kinds compare.
[(= (math/floor 2.7) (floor 2.7)) (= (math/ceil 2.1) 3)]
;=> [true true]

;; The full name of the namespace reaches them, too.
[(clojure.math/floor 2.7) (clojure.math/ceil 2.1) (clojure.math/round 2.5) (clojure.math/rint 2.5)]
;=> [2.0 3.0 3 2.0]

;; `math/round` gives an integer and rounds halves up, where `round` goes away from zero.
[(math/round 2.5) (math/round -2.5) (round -2.5) (math/round 2.4)]
;=> [3 -2 -3 2]

;; `math/round` never fails: NaN is 0, and what is too large stops at the end of 64 bits.
[(math/round ##NaN) (math/round 1e30) (math/round ##-Inf)]
;=> [0 9223372036854775807 -9223372036854775808]

;; `math/rint` rounds halves to the even neighbour.
(map math/rint [0.5 1.5 2.5 -1.5 2.4])
;=> [0.0 2.0 2.0 -2.0 2.0]

;; So the sum of many rounded halves does not drift upward.
[(reduce + (map math/rint [0.5 1.5 2.5 3.5])) (reduce + (map round [0.5 1.5 2.5 3.5]))]
;=> [8.0 10]

;; nil is not rounded.
(math/rint nil)
;!> type_error 1:1 math/rint: expected a number, got nil

;; Every rounding function names itself and what it found.
(defn message [f] (try (f) (catch Exception e (println (ex-message e)))))
(run! message [#(floor "2.5") #(ceil nil) #(trunc :a) #(math/floor [1.5]) #(math/ceil "x") #(math/round nil)])
;out> floor: expected a number, got string
;out> ceil: expected a number, got nil
;out> trunc: expected a number, got keyword
;out> math/floor: expected a number, got vector
;out> math/ceil: expected a number, got string
;out> math/round: expected a number, got nil

;; A number of places is not among their arguments: scale, or use `format`.
[(round 2.345 2) (floor 2.5 0) (Math/round 2.345 2)]
;!> arity_error 1:2 round: expected 1 argument, got 2; for two decimals write (/ (round (* x 100)) 100.0), or (format "%.2f" x) as text
;!> arity_error 1:18 floor: expected 1 argument, got 2
;!> arity_error 1:32 Math/round: expected 1 argument, got 2; for two decimals write (/ (round (* x 100)) 100.0), or (format "%.2f" x) as text

;; Rounding to places by `format` gives text, by scaling a number.
[(format "%.2f" 2.345) (/ (round (* 2.345 100)) 100) (parse-double (format "%.1f" 0.25))]
;=> ["2.35" 2.35 0.3]

;; `Math/round` rounds halves up, as Java does; `round` rounds them away from zero (L-68).
[(map #(Math/round %) [-2.5 -0.5 0.5 2.5 2.4 7]) (map round [-2.5 -0.5 0.5 2.5])]
;=> [[-2 0 1 3 2 7] [-3 -1 1 3]]
