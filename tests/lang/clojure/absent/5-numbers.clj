;; Kinds of numbers, and arguments that are none

;; L-1
(+ (byte 1) 1)
;!> undefined_symbol 1:5 undefined symbol 'byte'. Hint: write (int x)
;clojure> 2
(+ (int 1) 1)
;=> 2

;; D-41
(+ 1/3 1)
;!> parse_error 1:4 invalid number '1/3' (ratios are not supported; write (/ 1 3))
;clojure> 4/3
(+ (/ 1 3) 1)
;=> 1.3333333333333333

;; L-1
(+ (bigdec "0.10") 0.20M)
;!> undefined_symbol 1:5 undefined symbol 'bigdec'. Not available: no decimals; use floats and format
;clojure> 0.30M
(/ (+ 10 20) 100)
;=> 0.3

;; L-1
(with-precision 3 (/ 1M 3))
;!> undefined_symbol 1:2 undefined symbol 'with-precision'. Not available: no decimals; use floats and format
;clojure> 0.333M
(format "%.3f" (/ 1 3))
;=> "0.333"

;; 5.9
(bit-shift-left 1 64)
;!> argument_error 1:1 bit-shift-left: the bit number must be 0 to 63, got 64
;clojure> 1
(bit-shift-left 1 (mod 64 64))
;=> 1

;; 5.1
(nth [:a :b :c] (/ 3 2))
;!> type_error 1:1 nth: expected an integer index, got the float 1.5; (int x), (round x) or quot gives an integer
;clojure> :b
(nth [:a :b :c] (quot 3 2))
;=> :b

;; language.md
(math/floor-mod 7.5 2)
;!> type_error 1:1 math/floor-mod: expected an integer, got the float 7.5; (int x), (round x) or quot gives an integer
;clojure> 1
(mod 7.5 2)
;=> 1.5

;; D-59
(max [1 3])
;!> type_error 1:1 max: expected numbers, got vector; use (apply max coll)
;clojure> [1 3]
(apply max [1 3])
;=> 3

;; D-75
(sort [2.0 ##NaN 1.0])
;!> type_error 1:1 cannot compare ##NaN with a number
;clojure> (2.0 ##NaN 1.0)
(sort (remove NaN? [2.0 ##NaN 1.0]))
;=> [1.0 2.0]

;; 5.15
(Boolean/parseBoolean "yes")
;!> argument_error 1:1 Boolean/parseBoolean: not true or false: "yes"
;clojure> false
(= "true" "yes")
;=> false
