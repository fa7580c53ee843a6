;; Integers of any size: what does not fit into 64 bits grows instead of wrapping round.

;; The largest 64-bit integer plus one is exact.
(+ 9223372036854775807 1)
;=> 9223372036854775808

;; So are differences and products.
[(- -9223372036854775808 1) (* 9223372036854775807 9223372036854775807)]
;=> [-9223372036854775809 85070591730234615847396907784232501249]

;; A factorial needs no special functions.
(defn factorial [n] (reduce * (range 1 (inc n))))
(factorial 25)
;=> 15511210043330985984000000

;; `inc` and `dec` cross the border in both directions.
[(inc 9223372036854775807) (dec -9223372036854775808)
 (dec (inc 9223372036854775807))]
;=> [9223372036854775808 -9223372036854775809 9223372036854775807]

;; `abs` of the smallest 64-bit integer is exact as well.
(abs -9223372036854775808)
;=> 9223372036854775808

;; `-` alone, too.
(- -9223372036854775808)
;=> 9223372036854775808

;; The primed functions of Clojure are the same functions here.
[(+' 9223372036854775807 1) (-' -9223372036854775808 1) (*' 4611686018427387904 2)]
;=> [9223372036854775808 -9223372036854775809 9223372036854775808]

;; They take any number of arguments.
[(+') (*') (-' 5) (+' 1 2 3) (-' 10 1 2) (*' 2 3 4)]
;=> [0 1 -5 6 7 24]

;; `inc'` and `dec'` are `inc` and `dec`.
[(inc' 9223372036854775807) (dec' -9223372036854775808)]
;=> [9223372036854775808 -9223372036854775809]

;; Programs written for the primed functions run unchanged.
(defn power [base exponent] (reduce *' (repeat exponent base)))
(defn countdown [n] (loop [n n out []] (if (pos? n) (recur (dec' n) (conj out n)) out)))
[(power 10 20) (countdown 3) (map inc' [1 2])]
;=> [100000000000000000000 [3 2 1] [2 3]]

;; A literal beyond 64 bits is read exactly; a trailing `N` is accepted.
[123456789012345678901234567890 42N]
;=> [123456789012345678901234567890 42]

;; Dividing a large integer by a factor gives an ordinary integer again.
(let [big (* 1000000000000 1000000000000)]
  [(quot big 1000000000000) (rem big 7) (/ big 1000000000000)])
;=> [1000000000000 1 1000000000000]

;; The digits of a large number add up: 2 to the power 100.
(let [big (reduce * (repeat 100 2))]
  (reduce + (map parse-long (map str (str big)))))
;=> 115

;; Large integers compare and sort with small ones and with floats.
(let [big (+ 9223372036854775807 1)]
  [(< 1 big) (= big (+ 9223372036854775807 1)) (max big 1.5) (sort [big 3 -1])])
;=> [true true 9223372036854775808 [-1 3 9223372036854775808]]

;; `integer?` holds for any size, `int?` only for 64 bits.
(let [big (+ 9223372036854775807 1)]
  [(integer? big) (int? big) (number? big) (pos? big) (even? big)])
;=> [true false true true true]

;; `bigint` makes an integer from a float, cutting toward zero, or from decimal text.
[(bigint 2.9) (bigint -2.9) (bigint 1e20) (bigint "123456789012345678901234567890")]
;=> [2 -2 100000000000000000000 123456789012345678901234567890]

;; The result of `bigint` is an ordinary integer.
(let [n (bigint 7)]
  [(= n 7) (+ n 1) (get {7 :seven} n)])
;=> [true 8 :seven]

;; What is no decimal text is no integer.
(bigint "12x")
;!> argument_error 1:1 bigint: not an integer: "12x"

;; Infinity has no integer value.
(bigint ##Inf)
;!> arithmetic_error 1:1 bigint: no integer value for ##Inf

;; `long` and `int` are 64 bits wide and do not grow.
(long 1e20)
;!> arithmetic_error 1:1 long: no integer value for 100000000000000000000.0

;; An integer beyond 64 bits does not fit either.
(int (* 4 9223372036854775807))
;!> arithmetic_error 1:1 int: the integer does not fit 64 bits

;; With a float in it the product is a float, which has no room for all digits.
(let [product (* 9223372036854775807 10.0)]
  [(float? product) (integer? product) (> product 9223372036854775807)])
;=> [true false true]

;; Size is charged: a number of a million digits is not free.
;- limits {:fuel 1000000}
(loop [n 2] (recur (* n n)))
;!> fuel_exceeded 1:20 stopped after 1000000 steps: …

;; The `-exact` functions of clojure.math stop at 64 bits instead of growing; below that they are sum, difference and product.
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
;!> type_error 1:1 math/add-exact: expected an integer, got the float 1.5; (int x), (round x) or quot gives an integer

;; The ends of the 64-bit range have their names of Java.
[Long/MAX_VALUE Long/MIN_VALUE Integer/MAX_VALUE (inc Long/MAX_VALUE)]
;=> [9223372036854775807 -9223372036854775808 2147483647 9223372036854775808]

;; A smallest value is sought from the largest number down.
(reduce min Long/MAX_VALUE [7 3 9])
;=> 3
