;; Maps keep the order in which they were written (L-2); of equal keys the last wins, in the place of the first.
[{:b 1 :a 2} {:a 1 :b 2 :a 3} (keys {:z 1 :y 2 :x 3})]
;=> [{:b 1 :a 2} {:a 3 :b 2} [:z :y :x]]

;; Members of a set that are equal count once.
[#{3 1 3 2} (count #{1 1 1})]
;=> [#{3 1 2} 1]

;; Any value may be a key.
(get {[1 2] :vector {:a 1} :map nil :nothing #{1} :set} {:a 1})
;=> :map

;; Values in collections are computed, in order.
(let [n 2] [n (+ n 1) {:n (* n n)} #{(- n)}])
;=> [2 3 {:n 4} #{-2}]

;; The empty list is the empty sequence (L-42).
[() (count ()) (seq ()) (conj [] ())]
;=> [[] 0 nil [[]]]

;; A map literal needs pairs.
{:a 1 :b}
;!> parse_error 1:1 map literal needs an even number of forms, got 3

;; The bracket that is still open is named, the innermost first.
(defn total [rows]
  (reduce + (map :price rows))
;!> parse_error 1:1 Unexpected end of input: '(' opened at line 1, column 1 was never closed; the lines are indented as if ')' were missing at the end, on line 2

;; A vector that is never closed.
(let [a 1
      b 2
  (+ a b))
;!> parse_error 3:10 expected ']' to close '[' opened at line 1, column 6, found ')' at line 3, column 10; by the indentation, ']' is missing at the end of line 2 (bracket opened at line 1, column 6)

;; A map that is never closed.
(return {:a 1
;!> parse_error 1:9 Unexpected end of input: '{' opened at line 1, column 9 was never closed

;; A short function that is closed too late leaves the call open.
(map #(inc % [1 2])
;!> parse_error 1:1 Unexpected end of input: '(' opened at line 1, column 1 was never closed

;; The wrong bracket: both places are named.
(let [x [1 2)]
  x)
;!> parse_error 1:13 expected ']' to close '[' opened at line 1, column 9, found ')' at line 1, column 13

;; Braces closed by a bracket.
{:a 1]
;!> parse_error 1:6 expected '}' to close '{' opened at line 1, column 1, found ']' at line 1, column 6

;; A set is written without a gap.
# {1 2}
;!> parse_error 1:1 '#' must touch what follows it: #{...}, #(...), #"..."

;; Reader conditionals are for code that runs in several languages.
#?(:clj 1 :cljs 2)
;!> parse_error 1:1 reader conditionals #?(...) are not supported (write the form for this language only)

;; Tagged literals: points in time, dates and what else of the calendar prints so.
[#inst "2024-05-01" #date "2024-05-01" '(#date"2024-05-01")]
;=> [#inst "2024-05-01T00:00:00Z" #date "2024-05-01" [#date "2024-05-01"]]
#inst "soon"
;!> parse_error 1:1 'soon' is not a valid #inst (write #inst "2024-03-09T10:00:00Z")
#date 2024
;!> parse_error 1:1 #date needs a string: #date "2024-03-01"

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

;; Quotes and dereferences need a form behind them.
(list 1 ')
;!> parse_error 1:10 expected a form after ', found ')'

;; The same for `@`.
[@]
;!> parse_error 1:3 expected a form after @, found ']'

;; A var needs a name.
(#'5)
;!> parse_error 1:2 expected a name after #', got '5'

;; A keyword cannot hold blanks.
{:"full name" 1}
;!> parse_error 1:2 ':' without a name (a keyword is written :name, a map {:key value})

;; A quoted form cannot hold a function.
'(map #(inc %) xs)
;!> invalid_form 1:1 a quoted form may hold literals, names and collections only
