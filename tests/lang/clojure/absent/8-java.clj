;; Java: methods of texts, `java.time`, `Math`, and what reads and writes numbers are there.

;; L-1
(doto (java.util.HashMap.) (.put :a 1))
;!> undefined_symbol 1:8 undefined symbol 'java.util.HashMap.'. Not available: use a map: (assoc m key value)
;!> undefined_symbol 1:29 undefined symbol '.put'. Hint: write (assoc m key value)
;clojure> {:a 1}
(assoc {} :a 1)
;=> {:a 1}

;; L-1
(doto (java.util.ArrayList. [1]) (.add 2))
;!> undefined_symbol 1:8 undefined symbol 'java.util.ArrayList.'. Not available: use a vector: (conj v x)
;!> undefined_symbol 1:35 undefined symbol '.add'. Hint: write (+ a b) or (conj coll x)
;clojure> [1 2]
(conj [1] 2)
;=> [1 2]

;; L-1
(str (doto (StringBuilder.) (.append "a") (.append 1)))
;!> undefined_symbol 1:13 undefined symbol 'StringBuilder.'. Not available: use str and str/join
;!> undefined_symbol 1:30 undefined symbol '.append'. Hint: write (conj coll x) or (concat a b)
;clojure> "a1"
(str "a" 1)
;=> "a1"

;; L-1
(String. "a")
;!> undefined_symbol 1:2 undefined symbol 'String.'. Hint: write (str x)
;clojure> "a"
(str "a")
;=> "a"

;; L-1
(.concat "a" "b")
;!> undefined_symbol 1:2 undefined symbol '.concat'. Hint: write (str a b)
;clojure> "ab"
(str "a" "b")
;=> "ab"

;; L-1
(String/join "," ["a" "b"])
;!> invalid_form 1:2 no String function named join. Did you mean 'join'?
;clojure> "a,b"
(str/join "," ["a" "b"])
;=> "a,b"

;; language.md
(str (java.time.LocalDate/parse "31.02.2024" (java.time.format.DateTimeFormatter/ofPattern "dd.MM.yyyy")))
;!> argument_error 1:6 java.time.LocalDate/parse: there is no such date: '31.02.2024'
;clojure> "2024-02-29"
(str (.atEndOfMonth (YearMonth/of 2024 2)))
;=> "2024-02-29"

;; language.md
(.format (java.time.LocalDate/parse "2024-12-30") (java.time.format.DateTimeFormatter/ofPattern "YYYY"))
;!> argument_error 1:51 java.time.format.DateTimeFormatter/ofPattern: Y is the week-based year; write yyyy in the pattern "YYYY"
;clojure> "2025"
(.format (LocalDate/parse "2024-12-30") (DateTimeFormatter/ofPattern "yyyy"))
;=> "2024"
