;; How numbers are written in a program, and how they are printed.

;; Integers: a sign is part of the number, leading zeros mean nothing.
[42 -7 +5 007 0]
;=> [42 -7 5 7 0]

;; Hexadecimal digits after `0x`.
[0xFF 0x1f -0x10]
;=> [255 31 -16]

;; Floats have digits on both sides of the point, or an exponent.
[1.5 -0.25 1e3 2.5E-4 1.0]
;=> [1.5 -0.25 1000.0 0.00025 1.0]

;; A comma is a blank: it does not group digits.
[1,200 3,4]
;=> [1 200 3 4]

;; `N` after an integer is accepted and means nothing.
[(+ 1N 2) (= 5N 5)]
;=> [3 true]

;; `M` after a decimal is accepted; the number is a float, and a note says so.
(* 2 1.5M)
;=> 3.0
;warn> decimal-as-float 1:6 a decimal literal such as 1.5M is a float here; write it without M

;; A minus before a name is a symbol or a call, not a number.
(let [x 5] [(- x) -5 (- 5)])
;=> [-5 -5 -5]

;; A ratio is not a number here; the error shows the division.
(+ 1/3 1)
;!> parse_error 1:4 invalid number '1/3' (ratios are not supported; write (/ 1 3))

;; A point needs digits after it.
[5.]
;!> parse_error 1:2 invalid number '5.' (write 5.0)

;; Digits are not grouped by `_`.
1_000
;!> parse_error 1:1 invalid number '1_000' (write 1000, without underscores)

;; A unit does not belong to a number.
(* 2 10km)
;!> parse_error 1:6 invalid number '10km' (a blank or a bracket must follow a number, and names do not start with a digit)

;; A whole float prints its point, an integer none.
[4 4.0 (/ 8 2) (/ 8.0 2) 1e3]
;=> [4 4.0 4 4.0 1000.0]

;; `println` rounds to ten places and drops zeros at the end; what can be read back is whole.
(println (/ 2 3.0) (+ 0.1 0.2) 1.50 (/ 1 7))
[(/ 2 3.0) (+ 0.1 0.2) 1.50 (/ 1 7)]
;=> [0.6666666666666666 0.30000000000000004 1.5 0.14285714285714285]
;out> 0.6666666667 0.3 1.5 0.1428571429

;; From 10^21 on and below 10^-5 an exponent is printed.
[1e20 1e21 12e22 0.00001 0.000009 1e-12]
;=> [100000000000000000000.0 1.0e21 1.2e23 0.00001 9.0e-6 1.0e-12]

;; `str` keeps all digits that tell one float from another; it uses exponents from 10^21 on and below 10^-7.
(map str [(/ 2 3.0) (+ 0.1 0.2) 0.0000001 0.00000009 1e21])
;=> ["0.6666666666666666" "0.30000000000000004" "0.0000001" "9.0e-8" "1.0e21"]

;; What `str` writes reads back as the same number.
(every? #(= % (parse-double (str %))) [0.1 (/ 1 3) 1e-10 12345678.9 1e300 (+ 0.1 0.2)])
;=> true

;; Negative numbers print their sign, a negative zero as well.
[-5 -0.5 -0.0 (- 0) (- 0.0)]
;=> [-5 -0.5 -0.0 0 -0.0]

;; For people: `format` groups and rounds.
[(format "%,d" 1234567) (format "%.1f" 2.25) (format "%e" 1234.5)]
;=> ["1,234,567" "2.3" "1.234500e+03"]

;; Large integers print all their digits.
(* 1000000007 1000000009 1000000021)
;=> 1000000037000000399000001323

;; A leading zero makes an integer octal (L-68); floats stay decimal.
[017 -017 +010N 00 0 (+ 010 1) 08.5 0x1F]
;=> [15 -15 8 0 0 9 8.5 31]

;; A decimal digit in it is a mistake.
(+ 1 09)
;!> parse_error 1:6 invalid number '09' (a leading 0 makes it octal: write 9)
