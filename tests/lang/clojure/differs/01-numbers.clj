;; Numbers: integers have no bound, a quotient that is not whole is a float, and `=` compares integers with floats by value.

;; L-4
(/ 1 3)
;=> 0.3333333333333333
;clojure> 1/3

;; L-3
(+ 9223372036854775807 1)
;=> 9223372036854775808
;clojure> throws

;; L-3
(abs -9223372036854775808)
;=> 9223372036854775808
;clojure> -9223372036854775808

;; 5.9
(int 3000000000)
;=> 3000000000
;clojure> throws

;; D-03
(= 1 1.0)
;=> true
;clojure> false

;; 4.5
(case 1.0 1 :one :other)
;=> :one
;clojure> :other

;; D-03
(+ 1.5M 1)
;warn> decimal-as-float 1:4 a decimal literal such as 1.5M is a float here; write it without M
;=> 2.5
;clojure> 2.5M

;; D-06
(quot 7.5 2)
;=> 3
;clojure> 3.0

;; 5.15
(Math/floor 2.7)
;=> 2
;clojure> 2.0

;; 5.11
(even? 4.0)
;=> true
;clojure> throws

;; 5.9
(= (float 0.1) 0.1)
;=> true
;clojure> false

;; D-16
(zero? nil)
;=> false
;clojure> throws

;; D-50
(parse-long nil)
;=> nil
;clojure> throws

;; 5.13
(parse-double " 1.0")
;=> nil
;clojure> 1.0

;; L-61
(bit-set 0 63)
;=> 9223372036854775808
;clojure> -9223372036854775808

;; L-61
(bit-test 1 64)
;=> false
;clojure> true

;; L-61
(bit-and 0xffffffffffffffff 255)
;=> 255
;clojure> throws

;; 9.3
(str 1e7)
;=> "10000000.0"
;clojure> "1.0E7"

;; 9.3
(str 1e21)
;=> "1.0e21"
;clojure> "1.0E21"
