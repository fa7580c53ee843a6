;; Reader conditionals are for code that runs in several languages.
#?(:clj 1 :cljs 2)
;!> parse_error 1:1 reader conditionals #?(...) are not supported (write the form for this language only)

;; Tagged literals: dates are made by a function.
#inst "2024-05-01"
;!> parse_error 1:1 tagged literal #inst is not supported (write (java.util.Date. "2024-05-01T12:00:00Z"))

;; A UUID is made by a function as well.
#uuid "a1b2c3d4-0000-0000-0000-000000000000"
;!> parse_error 1:1 tagged literal #uuid is not supported (write (parse-uuid "..."))

;; A tag that nobody knows.
#my/tag {:a 1}
;!> parse_error 1:1 tagged literal #my/tag is not supported (write the value itself)

;; Printed functions and atoms cannot be read back.
(#<fn> 1)
;!> parse_error 1:2 '#<...>' is printed output and cannot be read (compute the value again)

;; Unquote belongs to macros.
(list ~x)
;!> parse_error 1:7 unquote ~ is not supported (there are no macros; write the name itself)

;; Unquote-splicing, too.
(list ~@xs)
;!> parse_error 1:7 unquote ~ is not supported (there are no macros; write the name itself)

;; `#=` would run code while reading.
#=(+ 1 2)
;!> parse_error 1:1 reader evaluation #=(...) is not supported (write the form itself)

;; Keys with a namespace are written in full.
#:order{:id 7 :total 30}
;!> parse_error 1:1 '#:ns{...}' is not supported (write the keys in full: {:ns/key value})

;; A var of another namespace is simply the function there.
(map #'str/upper-case ["a"])
;!> parse_error 1:6 a var has no namespace (write #'upper-case, or str/upper-case for its value)

;; A hash that begins nothing.
(+ 1 #)
;!> parse_error 1:6 unexpected '#)' (a set is #{...}, a short function #(...))
