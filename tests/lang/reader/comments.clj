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

;; A script's first line is no comment here.
#!/usr/bin/env clojure
;!> parse_error 1:1 '#!' starts no comment here (write ;)
