;; Powers, roots and logarithms.

;; `pow` and `sqrt` always answer a float.
[(pow 2 10) (pow 2 -1) (sqrt 16) (sqrt 2)]
;=> [1024.0 0.5 4.0 1.4142135623730951]

;; `Math/pow`, `Math/sqrt` and the functions of clojure.math are the same.
[(Math/pow 2 3) (math/pow 2 3) (clojure.math/pow 9 0.5) (Math/sqrt 9) (math/sqrt 9) (clojure.math/sqrt 0.25)]
;=> [8.0 8.0 3.0 3.0 3.0 0.5]

;; What has no real value is NaN, not an error.
[(math/sqrt -1) (pow -8 0.5) (sqrt -4)]
;=> [##NaN ##NaN ##NaN]

;; Anything to the power 0 is 1.
(map #(math/pow % 0) [0 5 -3 ##NaN])
;=> [1.0 1.0 1.0 1.0]

;; Savings with interest, year by year.
(defn savings [start rate years] (* start (math/pow (+ 1 rate) years)))
(map #(round (savings 1000 0.05 %)) [0 1 10])
;=> [1000 1050 1629]

;; For exact integer powers, multiply.
(defn power [base n] (reduce * (repeat n base)))
[(power 3 40) (integer? (power 3 40)) (integer? (pow 3 4)) (== (power 3 4) (pow 3 4))]
;=> [12157665459056928801 true false true]

;; Whether a number is a square.
(defn square? [n] (let [root (round (sqrt n))] (= n (* root root))))
(filter square? (range 30))
;=> [0 1 4 9 16 25]

;; The distance of two points.
(defn distance [[x1 y1] [x2 y2]] (math/hypot (- x2 x1) (- y2 y1)))
[(distance [0 0] [3 4]) (distance [1 1] [1 1]) (math/hypot 5 12)]
;=> [5.0 0.0 13.0]

;; `math/hypot` does not overflow on the way, where squaring would.
[(math/hypot 3e200 4e200) (math/sqrt (+ (* 3e200 3e200) (* 4e200 4e200)))]
;=> [4.9999999999999995e200 ##Inf]

;; `math/cbrt` has a value for negative numbers.
[(math/cbrt 27) (math/cbrt -8) (math/cbrt 0.001)]
;=> [3.0 -2.0 0.1]

;; The edge of a cube of a given volume.
(let [edge (math/cbrt 64)] (* edge edge edge))
;=> 64.0

;; `math/exp` and `math/log` undo each other.
[(math/exp 0) (math/log 1) (math/exp 1) (math/log math/E)]
;=> [1.0 0.0 2.718281828459045 1.0]

;; How long money doubles at three per cent.
(ceil (/ (math/log 2) (math/log 1.03)))
;=> 24

;; Growth at a continuous rate.
(round (* 100 (math/exp 0.5)))
;=> 165

;; The logarithm of 0 is negative infinity, and of what is below NaN.
[(math/log 0) (math/log -1) (math/log10 0)]
;=> [##-Inf ##NaN ##-Inf]

;; `math/log10` counts digits.
[(math/log10 1000) (math/log10 0.01)]
;=> [3.0 -2.0]

;; So many digits has a number before the point.
(defn digits [n] (inc (floor (math/log10 n))))
(map digits [1 9 10 999 1000])
;=> [1 1 2 3 4]

;; `math/log1p` and `math/expm1` are exact near 0, where the simple formulas lose everything.
[(math/log1p 1e-20) (math/log (+ 1 1e-20)) (math/expm1 1e-20) (- (math/exp 1e-20) 1)]
;=> [1.0e-20 0.0 1.0e-20 0.0]

;; Away from 0 they agree with them.
[(math/log1p 1) (math/log 2) (math/expm1 1) (- (math/exp 1) 1)]
;=> [0.6931471805599453 0.6931471805599453 1.718281828459045 1.718281828459045]

;; `math/PI` and `math/E` are numbers, not functions; `Math/PI` and `Math/E` are the same.
[math/PI math/E (= math/PI Math/PI clojure.math/PI) (= math/E Math/E)]
;=> [3.141592653589793 2.718281828459045 true true]

;; The area of a circle, to two places.
(defn area [r] (* math/PI r r))
(format "%.2f" (area 2))
;=> "12.57"

;; Compound interest tends to e.
(< (abs (- math/E (math/pow (+ 1 1e-7) 1e7))) 1e-5)
;=> true

;; A value that is missing is an error that names the function.
(sqrt nil)
;!> type_error 1:1 sqrt: expected a number, got nil

;; Two numbers for `pow`.
(math/pow 2)
;!> arity_error 1:1 math/pow: expected 2 arguments, got 1

;; Text is no number for a logarithm.
(math/log "10")
;!> type_error 1:1 math/log: expected a number, got string

;; Each function names itself and what it found.
(defn message [f] (try (f) (catch Exception e (println (ex-message e)))))
(run! message [#(pow 2 "3") #(math/cbrt nil) #(math/exp "1") #(math/expm1 :x) #(math/log10 nil) #(math/log1p [1])
               #(math/hypot 3 nil)])
;out> pow: expected a number, got string
;out> math/cbrt: expected a number, got nil
;out> math/exp: expected a number, got string
;out> math/expm1: expected a number, got keyword
;out> math/log10: expected a number, got nil
;out> math/log1p: expected a number, got vector
;out> math/hypot: expected a number, got nil
