;; A comment runs to the end of the line, also right behind a token.
[1 ; the first
 2;the second
 ]
;=> [1 2]

;; `#_` hides the form behind it, whatever it is.
[1 #_(no-such-function 2) #_:x 3]
;=> [1 3]

;; `#_` nests: two of them hide two forms.
[#_ #_ 1 2 3]
;=> [3]

;; `#_` in a map hides what is in the way, key and value each.
{:a 1 #_:b #_2 :c 3}
;=> {:a 1 :c 3}

;; A hidden form must still be a form.
[1 #_(+ 1 2]
;!> parse_error 1:12 expected ')' to close '(' opened at line 1, column 6, found ']' at line 1, column 12

;; Commas are blanks.
[1,2,,3 {:a 1, :b 2}]
;=> [1 2 3 {:a 1 :b 2}]

;; Blank lines inside a program change nothing.
(def a 1)

(def b 2)

(+ a b)
;=> 3

;; Surplus closing brackets between the forms at the top are skipped (D-52).
(def total (+ 1 2)))
(* total 2)
;=> 6
;warn> surplus-delimiter 1:20 1 closing delimiter too many: nothing is open here

;; A script's first line is no comment here.
#!/usr/bin/env clojure
;!> parse_error 1:1 '#!' starts no comment here (write ;)

;; Keywords hold letters, digits and many signs.
[:a :a1 :is-ok? :go! :*star* :a.b :x->y :a+b :_hidden :1st]
;=> [:a :a1 :is-ok? :go! :*star* :a.b :x->y :a+b :_hidden :1st]

;; A keyword with a namespace is one keyword.
[(:order/id {:order/id 7}) (name :order/id) (namespace :order/id)]
;=> [7 "id" "order"]

;; `::name` belongs to the program's own namespace, `user`.
[::total (= ::total :user/total) (namespace ::total)]
;=> [:user/total true "user"]

;; A foreign alias cannot be known.
::s/total
;!> parse_error 1:1 invalid keyword '::s/total' (write :s/total)

;; A colon alone is nothing.
{: 1}
;!> parse_error 1:2 ':' without a name (a keyword is written :name, a map {:key value})

;; A keyword cannot end in a slash.
(:order/ {})
;!> parse_error 1:2 invalid keyword ':order/' (it may not end with ':', hold '::', or start or end with '/')

;; Keywords work right next to brackets and strings.
[{:a[1]:b{:c"d"}}]
;=> [{:a [1] :b {:c "d"}}]

;; nil, true and false as a whole word only.
(let [nilly 1 true-story 2 falsey 3] [nil true false nilly true-story falsey])
;=> [nil true false 1 2 3]

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
;!> not_callable 1:8 cannot call -5 (number): the function comes first, as in (+ 1 2)

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

;; What is no number says how it is written.
[0.5 50%]
;!> parse_error 1:6 invalid number '50%' (write a percentage as a fraction: 0.05 for 5%)

;; An exponent without digits.
(* 2 1.5e)
;!> parse_error 1:6 invalid number '1.5e' (a blank or a bracket must follow a number, and names do not start with a digit)

;; A radix goes from 2 to 36.
37r1
;!> parse_error 1:1 invalid number '37r1' (the radix is 2 to 36)

;; A special float in other letters.
(min ##inf 1)
;!> parse_error 1:6 unknown number '##inf' (write ##Inf, ##-Inf or ##NaN)

;; A minus sign from a text processor.
(- 5 −2)
;!> parse_error 1:6 unexpected character '−' (write the ASCII minus -)

;; An ellipsis in place of code.
(defn f [x] …)
;!> parse_error 1:13 unexpected character '…' (write the whole program, nothing may be left out)

;; Names and keywords may hold any sign that has no meaning of its own, as in Clojure.
(let [a→b 1 λ 2 Δx 3 🍎 4] [a→b λ Δx 🍎 :🍎 :a→b])
;=> [1 2 3 4 :🍎 :a→b]

;; Very small and very large floats.
[-0.0 1e-400 1e400 1e20 1e21 1.5e-7]
;=> [-0.0 0.0 ##Inf 100000000000000000000.0 1.0e21 1.5e-7]

;; Discarded forms in maps and sets leave the rest whole.
[#{1 2 #_3} {#_:a :b 1} (+ 1 #_2 3)]
;=> [#{1 2} {:b 1} 4]

;; Two signs make a name, not a number.
(+ 1 --5)
;!> undefined_symbol 1:6 undefined symbol '--5'
