;; Integers may have a sign and leading zeros.
[42 -5 +5 007 -0]
;=> [42 -5 5 7 0]

;; Hexadecimal and other radixes, as in Clojure.
[0xFF 0x1f -0x10 2r1010 36rZ 16rff]
;=> [255 31 -16 10 35 255]

;; Integers beyond 64 bits are read whole (L-3).
[9223372036854775807 9223372036854775808 -9223372036854775809]
;=> [9223372036854775807 9223372036854775808 -9223372036854775809]

;; `N` marks a big integer in Clojure; here all integers grow (L-58).
(+ 1N 9223372036854775807N)
;=> 9223372036854775808

;; Floats have a point, an exponent or both.
[1.5 -0.25 1e3 2.5E-4 1.0e+2]
;=> [1.5 -0.25 1000.0 0.00025 100.0]

;; `M` marks a decimal in Clojure; here it is read as a float, with a warning (L-58).
(+ 1.5M 1)
;=> 2.5
;warn> decimal-as-float 1:4 a decimal literal such as 1.5M is a float here; write it without M

;; The special floats.
[##Inf ##-Inf (NaN? ##NaN)]
;=> [##Inf ##-Inf true]

;; `-` directly before a digit belongs to the number, alone it is a function.
[(- 5) (-5 {-5 :found} :none)]
;!> not_callable 1:8 cannot call -5 (number)

;; A minus sign between numbers without blank is not a subtraction.
[3 -2 (+ 3 -2)]
;=> [3 -2 1]

;; There are no ratios.
(+ 1/3 1)
;!> parse_error 1:4 invalid number '1/3' (ratios are not supported; write (/ 1 3))

;; A point needs digits on both sides.
5.
;!> parse_error 1:1 invalid number '5.' (write 5.0)

;; A name cannot start with a digit.
(def 2nd [1])
;!> parse_error 1:6 invalid number '2nd' (a blank or a bracket must follow a number, and names do not start with a digit)

;; No underscores in numbers.
1_000_000
;!> parse_error 1:1 invalid number '1_000_000' (write 1000000, without underscores)

;; A date without quotes is no number.
[2024-01-15]
;!> parse_error 1:2 invalid number '2024-01-15' (write dates, times and versions as strings: "2024-05-01")

;; A digit that the radix does not have.
0xFG
;!> parse_error 1:1 invalid number '0xFG' (a blank or a bracket must follow a number, and names do not start with a digit)

;; Units stick to nothing.
{:width 10px}
;!> parse_error 1:9 invalid number '10px' (a blank or a bracket must follow a number, and names do not start with a digit)
