;; Division: `/`, `quot`, `rem`, `mod`, and their relatives of clojure.math.

;; `/` gives an integer when the division is exact, otherwise a float: there are no ratios.
[(/ 10 2) (/ 7 2) (/ -9 3) (/ 1 8)]
;=> [5 3.5 -3 0.125]

;; With one argument `/` is the reciprocal.
[(/ 4) (/ 0.5) (/ 1)]
;=> [0.25 2.0 1]

;; Several arguments divide from the left.
[(/ 100 5 2) (/ 100 5 3) (/ 60 4 3 5)]
;=> [10 6.666666666666667 1]

;; An average of integers is an integer or a float, whichever it is.
(defn mean [xs] (/ (reduce + xs) (count xs)))
[(mean [1 2 3]) (mean [1 2])]
;=> [2 1.5]

;; Integers have no result for division by zero.
(/ 1 0)
;!> arithmetic_error 1:1 Divide by zero

;; The mean of nothing is such a division.
(let [xs []]
  (/ (reduce + xs) (count xs)))
;!> arithmetic_error 2:3 Divide by zero

;; With a float in it, division by zero follows IEEE.
[(/ 1.0 0) (/ -1 0.0) (/ 0.0 0)]
;=> [##Inf ##-Inf ##NaN]

;; A program that expects a zero can catch it by the class that Clojure uses.
(defn ratio [a b]
  (try (/ a b)
    (catch ArithmeticException e (str "no ratio: " (ex-message e)))))
[(ratio 1 4) (ratio 1 0)]
;=> [0.25 "no ratio: Divide by zero"]

;; `quot` cuts toward zero, and gives an integer for floats too.
[(quot 7 2) (quot -7 2) (quot 7 -2) (quot 7.5 2)]
;=> [3 -3 -3 3]

;; `rem` has the sign of the dividend.
[(rem 7 3) (rem -7 3) (rem 7 -3) (rem 5.5 2)]
;=> [1 -1 1 1.5]

;; `mod` has the sign of the divisor: what clocks and calendars want.
[(mod 7 3) (mod -7 3) (mod 7 -3) (mod 7.5 2)]
;=> [1 2 -2 1.5]

;; Quotient and remainder give the number back.
(every? (fn [[a b]] (= a (+ (* b (quot a b)) (rem a b))))
        [[7 3] [-7 3] [7 -3] [-7 -3] [0 5]])
;=> true

;; Seconds as hours, minutes and seconds.
(defn clock [seconds]
  [(quot seconds 3600) (quot (rem seconds 3600) 60) (rem seconds 60)])
(clock 3725)
;=> [1 2 5]

;; Going back two hours from one o'clock.
(mod (- 1 2) 12)
;=> 11

;; Every third element, by `mod` and by `rem`.
[(filter #(zero? (mod % 3)) (range 10)) (remove #(pos? (rem % 3)) (range 10))]
;=> [[0 3 6 9] [0 3 6 9]]

;; `quot` by zero.
(quot 1 0)
;!> arithmetic_error 1:1 Divide by zero

;; `rem` by zero.
(rem 5 0)
;!> arithmetic_error 1:1 Divide by zero

;; `mod` by zero, deep in a callback: the place is that of the call.
(map #(mod 10 %) [1 0])
;!> arithmetic_error 1:6 Divide by zero

;; Text is not divided.
(quot "7" 2)
;!> type_error 1:1 quot: expected numbers, got string and number; (parse-long s) and (parse-double s) read numbers, (str ...) joins texts

;; A missing value is not divided either.
(/ nil 2)
;!> type_error 1:1 /: expected numbers, got nil and number

;; `mod` takes exactly two numbers.
(mod 7)
;!> arity_error 1:1 mod: expected 2 arguments, got 1

;; `math/floor-div` rounds down, where `quot` cuts toward zero.
[(math/floor-div 7 2) (math/floor-div -7 2) (quot -7 2)]
;=> [3 -4 -3]

;; `math/floor-mod` is the remainder that goes with it.
(for [a [7 -7] b [3 -3]]
  [(math/floor-div a b) (math/floor-mod a b) (= a (+ (* b (math/floor-div a b)) (math/floor-mod a b)))])
;=> [[2 1 true] [-3 -2 true] [-3 2 true] [2 -1 true]]

;; The weekday of a day number, also before day 0.
(def weekdays ["Thu" "Fri" "Sat" "Sun" "Mon" "Tue" "Wed"])
(map #(nth weekdays (math/floor-mod % 7)) [0 1 -1])
;=> ["Thu" "Fri" "Wed"]

;; Division by zero is an error for them, too.
(math/floor-div 1 0)
;!> arithmetic_error 1:1 Divide by zero

;; They take integers.
(math/floor-mod 7.5 2)
;!> type_error 1:1 math/floor-mod: expected an integer, got the float 7.5; (int x), (round x) or quot gives an integer

;; `math/IEEE-remainder` measures from the nearest multiple, not from the one below.
[(math/IEEE-remainder 5.0 3.0) (math/IEEE-remainder 10.0 4.0) (math/IEEE-remainder 4.0 3.0)]
;=> [-1.0 2.0 1.0]

;; An angle brought to the range from -180 to 180.
(map #(math/IEEE-remainder % 360.0) [10 190 -200 720])
;=> [10.0 -170.0 160.0 0.0]

;; `math/IEEE-remainder` and `math/floor-div` take numbers.
(defn message [f] (try (f) (catch Exception e (println (ex-message e)))))
(run! message [#(math/IEEE-remainder 5 "3") #(math/floor-div nil 2) #(rem "7" 2)])
;out> math/IEEE-remainder: expected a number, got string
;out> math/floor-div: expected an integer, got nil
;out> rem: expected numbers, got string and number; (parse-long s) and (parse-double s) read numbers, (str ...) joins texts
