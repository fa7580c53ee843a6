;; Dates and times

;; 5.15
#inst "2024-03-09"
;=> #inst "2024-03-09T00:00:00Z"
;clojure> #inst "2024-03-09T00:00:00.000-00:00"

;; 5.15
(str #inst "2024-03-09")
;=> "2024-03-09T00:00:00Z"
;clojure> "Sat Mar 09 00:00:00 UTC 2024"

;; 5.15
(java.util.Date. 86400)
;=> #inst "1970-01-02T00:00:00Z"
;clojure> #inst "1970-01-01T00:01:26.400-00:00"

;; 5.15
(java.util.Date. "2024-03-09")
;=> #inst "2024-03-09T00:00:00Z"
;clojure> throws

;; 5.15
(< #inst "2024-03-09" #inst "2024-03-10")
;=> true
;clojure> throws

;; language.md
(.plusDays #inst "2024-03-09" 1)
;=> #inst "2024-03-10T00:00:00Z"
;clojure> throws

;; language.md
(pr-str (java.time.LocalDate/parse "2024-03-09"))
;=> "#date \"2024-03-09\""
;clojure> "#object[java.time.LocalDate…

;; 5.15
(< (java.time.LocalDate/parse "2024-03-09") (java.time.LocalDate/parse "2024-03-10"))
;=> true
;clojure> throws

;; language.md
(str (java.time.Duration/between (java.time.LocalDate/parse "2024-03-09") (java.time.LocalDate/parse "2024-03-10")))
;=> "PT24H"
;clojure> throws

;; language.md
(str java.time.ZoneOffset/UTC)
;=> "UTC"
;clojure> "Z"
