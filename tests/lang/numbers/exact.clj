;; The `-exact` functions of clojure.math: arithmetic that stops at 64 bits instead of growing.

;; Within 64 bits they are sum, difference and product.
[(math/add-exact 1 2) (math/subtract-exact 5 7) (math/multiply-exact -3 4)]
;=> [3 -2 -12]

;; `math/increment-exact`, `math/decrement-exact` and `math/negate-exact` take one integer.
[(math/increment-exact 41) (math/decrement-exact 0) (math/negate-exact 5) (math/negate-exact -5)]
;=> [42 -1 -5 5]

;; They are functions like others.
[(reduce math/add-exact 0 [1 2 3]) (reduce math/multiply-exact [2 3 7]) (map math/negate-exact [1 -1 0])
 (map math/increment-exact [0 9]) (map math/decrement-exact [0 9]) (reduce math/subtract-exact [10 3 2])]
;=> [6 42 [-1 1 0] [1 10] [-1 8] 5]

;; Beyond 64 bits is an error where `+` would grow.
(math/add-exact 9223372036854775807 1)
;!> arithmetic_error 1:1 math/add-exact: the result does not fit 64 bits

;; The same at the lower end.
(math/subtract-exact -9223372036854775808 1)
;!> arithmetic_error 1:1 math/subtract-exact: the result does not fit 64 bits

;; Two halves of the range multiplied.
(math/multiply-exact 4294967296 4294967296)
;!> arithmetic_error 1:1 math/multiply-exact: the result does not fit 64 bits

;; One above the largest.
(math/increment-exact 9223372036854775807)
;!> arithmetic_error 1:1 math/increment-exact: the result does not fit 64 bits

;; One below the smallest.
(math/decrement-exact -9223372036854775808)
;!> arithmetic_error 1:1 math/decrement-exact: the result does not fit 64 bits

;; The smallest integer has no negative within 64 bits.
(math/negate-exact -9223372036854775808)
;!> arithmetic_error 1:1 math/negate-exact: the result does not fit 64 bits

;; A program can go on with a bound of its own.
(defn add-capped [a b]
  (try (math/add-exact a b)
    (catch ArithmeticException _ 9223372036854775807)))
[(add-capped 1 2) (add-capped 9223372036854775807 5)]
;=> [3 9223372036854775807]

;; They take integers only.
(math/add-exact 1.5 2)
;!> type_error 1:1 math/add-exact: expected an integer, got number
