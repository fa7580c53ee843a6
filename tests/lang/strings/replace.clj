;; Replacing in strings: `replace`, `replace-first`, and `replace` in collections.

;; A string is matched literally, everywhere.
[(str/replace "a.b.c" "." "-") (str/replace "aaa" "aa" "b") (str/replace "abc" "x" "y")]
;=> ["a-b-c" "ba" "abc"]

;; A regular expression is matched as one; `$1` is its first group, `$0` the whole match.
[(str/replace "a1b22" #"\d+" "#") (str/replace "John Smith" #"(\w+) (\w+)" "$2, $1") (str/replace "a1" #"\d" "<$0>")]
;=> ["a#b#" "Smith, John" "a<1>"]

;; In a literal replacement `$` means nothing.
(str/replace "price" "price" "$1")
;=> "$1"

;; A function gets the match and answers its replacement.
[(str/replace "a1b22" #"\d+" #(str (* 2 (parse-long %))))
 (str/replace "hello world" #"\b\w" str/upper-case)]
;=> ["a2b44" "Hello World"]

;; With groups it gets a vector of the whole and the groups.
(str/replace "x=1, y=2" #"(\w)=(\d)" (fn [[_ k v]] (str v "->" k)))
;=> "1->x, 2->y"

;; A template filled from a map; unknown names stay.
(defn fill [template values]
  (str/replace template #"\{(\w+)\}" (fn [[whole k]] (str (get values (keyword k) whole)))))
(fill "Dear {name}, {x}" {:name "Ada"})
;=> "Dear Ada, {x}"

;; Several replacements one after another.
(reduce (fn [text [from to]] (str/replace text from to)) "a & b < c" {"&" "and" "<" "below"})
;=> "a and b below c"

;; `replace-first` replaces once.
[(str/replace-first "a1b2" #"\d" "#") (str/replace-first "a.b.c" "." "-") (str/replace-first "abc" "x" "-")]
;=> ["a#b2" "a-b.c" "abc"]

;; The first number only, by a function.
(str/replace-first "v1.9" #"\d+" #(str (inc (parse-long %))))
;=> "v2.9"

;; `str/re-quote-replacement` takes `$` and `\` as they are.
[(str/replace "cost: X" #"X" (str/re-quote-replacement "$100")) (str/re-quote-replacement "a$b")]
;=> ["cost: $100" "a\\$b"]

;; A text from outside as replacement of a pattern.
(defn redact [text secret] (str/replace text #"token=\w+" (str/re-quote-replacement secret)))
(redact "id=1 token=abc" "token=$0")
;=> "id=1 token=$0"

;; Bare `replace` works on strings with three arguments …
(replace "a-b" "-" "+")
;=> "a+b"

;; … and with two replaces the elements of a collection by a map.
[(replace {1 :one 2 :two} [1 2 3]) (replace {:a 1} [:a :b nil]) (clojure.core/replace [:zero :one] [1 0 5])]
;=> [[:one :two 3] [1 :b nil] [:one :zero 5]]

;; Codes spelled out, unknown ones kept.
(map :state (map #(update % :state (fn [s] (first (replace {"NO" "Norway" "IT" "Italy"} [s])))) [{:state "NO"} {:state "XX"}]))
;=> ["Norway" "XX"]

;; With one argument it is a transducer.
(into [] (replace {1 :one}) [1 2 1])
;=> [:one 2 :one]

;; Only the first of several blanks, and the first that fits a pattern.
[(replace-first "a b c" " " "_") (replace-first "x=1;y=2" #"\w=(\d)" "<$1>")]
;=> ["a_b c" "<1>;y=2"]

;; The text comes first, then what to look for.
(replace "a1" 1 "x")
;!> type_error 1:1 replace: expected a string or regex to replace, got number

;; The replacement is text, too.
(replace "a1" "1" 2)
;!> type_error 1:1 replace: expected a string or function as replacement, got number

;; `replace-first` of nil.
(replace-first nil "a" "b")
;!> type_error 1:1 replace-first: expected a string, got nil

;; A keyword needs no quoting: it is no text.
(str/re-quote-replacement :a)
;!> type_error 1:1 str/re-quote-replacement: expected a string, got keyword

;; A group that the pattern does not have.
(replace "a1" #"\d" "$2")
;!> argument_error 1:1 replace: the pattern has no group 2; it has 0

;; Blanks made single, ends cut.
(-> "  a   b \n c " (str/replace #"\s+" " ") str/trim)
;=> "a b c"

;; Everything but digits taken away.
[(str/replace "+47 22-33-44" #"\D" "") (parse-long (str/replace "$1,200" #"[$,]" ""))]
;=> ["47223344" 1200]

;; Case ignored by a flag of the pattern.
(str/replace "Cat cat CAT" #"(?i)cat" "dog")
;=> "dog dog dog"

;; Dates turned round by groups.
(str/replace "from 2024-03-09 to 2024-03-10" #"(\d+)-(\d+)-(\d+)" "$3.$2.$1")
;=> "from 09.03.2024 to 10.03.2024"

;; A map is a function, too: of each match.
(str/replace "1+2" #"[12]" {"1" "one" "2" "two"})
;=> "one+two"

;; The empty text is found between all characters.
(str/replace "abc" "" "-")
;=> "-a-b-c-"

;; Replacing the last occurrence: by position.
(defn replace-last [text part new]
  (if-let [at (str/last-index-of text part)]
    (str (subs text 0 at) new (subs text (+ at (count part))))
    text))
[(replace-last "a.b.c" "." "!") (replace-last "abc" "." "!")]
;=> ["a.b!c" "abc"]

;; Numbers in a text counted up.
(str/replace "v1 and v9" #"\d+" #(str (inc (parse-long %))))
;=> "v2 and v10"
