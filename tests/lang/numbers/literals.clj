;; How numbers are written in a program.

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
