;; Texts: a character is a text of one letter, and texts are counted in code points.

;; D-38
(= \a "a")
;=> true
;clojure> false

;; D-38
(first "abc")
;=> "a"
;clojure> \a

;; D-38
(char? "a")
;=> true
;clojure> false

;; D-38
(int "5")
;=> 53
;clojure> throws

;; L-5
(count "🚀")
;=> 1
;clojure> 2

;; D-18
(subs "abc" 5)
;=> ""
;clojure> throws

;; D-18
(subs "abc" -1 2)
;=> "ab"
;clojure> throws

;; D-19
(str/split "a.b.c" ".")
;=> ["a" "b" "c"]
;clojure> throws

;; D-19
(str/split "a,b,," ",")
;=> ["a" "b" "" ""]
;clojure> throws

;; D-53
(count "\d+")
;=> 3
;clojure> throws

;; 5.12
(replace "a-b" "-" "+")
;=> "a+b"
;clojure> throws

;; 5.4
(contains? "banana" "nan")
;=> true
;clojure> throws

;; 5.4
(contains? "abc" 1)
;=> false
;clojure> true

;; D-38
(str/includes? "abc" \a)
;=> true
;clojure> throws

;; 5.3
(compare "a" "c")
;=> -1
;clojure> -2

;; 5.3
(sort < ["b" "a"])
;=> ["a" "b"]
;clojure> throws

;; L-21
(format "%d" 4.0)
;=> "4"
;clojure> throws

;; L-21
(format "%.2f" 2)
;=> "2.00"
;clojure> throws

;; language.md
(format "%c" 98)
;=> "b"
;clojure> throws

;; language.md
(format "%.2f" nil)
;=> "null"
;clojure> "nu"

;; 5.12
(str/trim "\u00a0a")
;=> "a"
;clojure> " a"

;; L-20
(parse-uuid nil)
;=> nil
;clojure> throws

;; L-25
(count “ab”)
;=> 2
;clojure> throws
