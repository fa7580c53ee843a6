;; Texts and patterns

;; 5.14
(re-find #"\d+(?= kg)" "12 kg")
;!> argument_error 1:10 invalid regex: look-ahead (?=...) is not supported; match what follows too and take a group: (second (re-find #"(\d+) kg" s))
;clojure> "12"
(second (re-find #"(\d+) kg" "12 kg"))
;=> "12"

;; 5.14
(re-find #"(.)\1" "hello")
;!> argument_error 1:10 invalid regex: the back-reference \1 is not supported; for a doubled character write (some (fn [[a b]] (= a b)) (partition 2 1 s))
;clojure> ["ll" "l"]
(some (fn [[a b]] (when (= a b) [(str a b) a])) (partition 2 1 "hello"))
;=> ["ll" "l"]

;; 5.14
(let [m (re-matcher #"(\d)" "a1")] (re-find m) (re-groups m))
;!> undefined_symbol 1:10 undefined symbol 're-matcher'. Hint: write (re-seq #"pattern" s)
;!> arity_error 1:36 re-find: expected 2 arguments, got 1
;!> undefined_symbol 1:49 undefined symbol 're-groups'. Hint: write (re-find #"pattern" s)
;clojure> ["1" "1"]
(re-find #"(\d)" "a1")
;=> ["1" "1"]

;; 5.12
(keyword 5)
;!> type_error 1:1 keyword: expected a string, keyword or symbol, got number
;clojure> nil
(keyword (str 5))
;=> :5

;; 5.12
(str/upper-case :a)
;!> type_error 1:1 str/upper-case: expected a string, got keyword
;clojure> ":A"
(str/upper-case (name :a))
;=> "A"

;; 9.1
(format "%tY" #inst "2024-03-09")
;!> argument_error 1:1 format: unknown directive %tY; use %s %d %f %e %x %X %o %b %c %n %%, and %% for a percent sign
;clojure> "2024"
(.format (LocalDate/parse "2024-03-09") (DateTimeFormatter/ofPattern "yyyy"))
;=> "2024"

;; 2.4
#uuid "550e8400-e29b-41d4-a716-446655440000"
;!> parse_error 1:1 tagged literal #uuid is not supported (write (parse-uuid "..."))
;clojure> #uuid "550e8400-e29b-41d4-a716-446655440000"
(parse-uuid "550e8400-e29b-41d4-a716-446655440000")
;=> "550e8400-e29b-41d4-a716-446655440000"

;; 2.4
#:order{:id 7}
;!> parse_error 1:1 '#:ns{...}' is not supported (write the keys in full: {:ns/key value})
;clojure> #:order{:id 7}
{:order/id 7}
;=> {:order/id 7}
