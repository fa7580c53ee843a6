;; Kinds, equality and order: `type` gives a keyword, not a class.

;; D-72
(type 1)
;=> :number
;clojure> java.lang.Long

;; D-72
(= (type 1) (type 1.0))
;=> true
;clojure> false

;; D-72
(type "a")
;=> :string
;clojure> java.lang.String

;; 3.6
(= #"a" #"a")
;=> true
;clojure> false

;; 3.6
(identical? 1000 1000)
;=> true
;clojure> false

;; 3.6
(identical? "ab" (str "a" "b"))
;=> true
;clojure> false

;; 5.3
(compare '(1) '(2))
;=> -1
;clojure> throws

;; L-1
(meta (with-meta [1] {:a 1}))
;=> nil
;clojure> {:a 1}

;; L-1
(some? (meta #'map))
;=> false
;clojure> true
