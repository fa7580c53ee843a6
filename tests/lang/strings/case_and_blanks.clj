;; Upper and lower case, blanks at the ends.

;; `upper-case` and `lower-case`; `upcase` and `downcase` are the same.
[(str/upper-case "Ada") (str/lower-case "Ada") (upcase "ada") (downcase "ADA") (upper-case "x") (lower-case "X")]
;=> ["ADA" "ada" "ADA" "ada" "X" "x"]

;; Letters of other alphabets, too; a capital may be longer.
[(str/upper-case "éß") (str/lower-case "ÅÉ")]
;=> ["ÉSS" "åé"]

;; Comparing without regard to case.
(defn same-word? [a b] (= (str/lower-case a) (str/lower-case b)))
[(same-word? "Oslo" "OSLO") (same-word? "Oslo" "Rome")]
;=> [true false]

;; `capitalize`: the first character up, the rest down.
[(str/capitalize "hELLO wORLD") (str/capitalize "") (str/capitalize "é") (capitalize "ada")]
;=> ["Hello world" "" "É" "Ada"]

;; Every word of a title.
(str/join " " (map str/capitalize (str/split "the LORD of the rings" #" ")))
;=> "The Lord Of The Rings"

;; A name for a program from words: the first one small.
(defn camel [text]
  (let [[head & more] (str/split text #"-")]
    (str/join (cons head (map str/capitalize more)))))
[(camel "first-name") (camel "id")]
;=> ["firstName" "id"]

;; `trim` takes blanks and line ends from both ends, `triml` from the start, `trimr` from the end.
[(str/trim "  a b \n") (str/triml "  a ") (str/trimr " a  ") (str/trim "") (trim "\t\tx") (triml " y") (trimr "z ")]
;=> ["a b" "a " " a" "" "x" "y" "z"]

;; Blanks of Unicode count as blanks.
(map count [(str/trim "\u2003a\u2003") (str/trim "a b")])
;=> [1 3]

;; Columns of fixed width.
(map (fn [[from to]] (str/trim (subs "Ada     36  London" from to))) [[0 8] [8 12] [12 18]])
;=> ["Ada" "36" "London"]

;; Indented text moved to the margin; what stands at the end is kept by `triml`.
(str/join "\n" (map str/triml (str/split-lines "  a \n    b")))
;=> "a \nb"

;; `trimr` keeps an indentation that means something.
(map str/trimr ["- a  " "  - b "])
;=> ["- a" "  - b"]

;; `trim-newline` takes line ends only.
[(str/trim-newline "a\n") (str/trim-newline "a\r\n\n") (str/trim-newline "a ") (str/trim-newline "\na")]
;=> ["a" "a" "a " "\na"]

;; The answer of a tool without its last line end.
(str "[" (str/trim-newline "ok\r\n") "]")
;=> "[ok]"

;; `blank?` holds for nil, nothing and nothing but blanks.
(map str/blank? [nil "" "  \t\n" " a "])
;=> [true true true false]

;; Entries that were left empty.
(remove (comp blank? :name) [{:name "Ada"} {:name " "} {}])
;=> [{:name "Ada"}]

;; The short names: a list in capitals, and back.
[(map upcase ["a" "b"]) (map downcase ["A" "B"]) (= (upcase "straße") (str/upper-case "straße"))]
;=> [["A" "B"] ["a" "b"] true]

;; One end only: a margin is kept, a line end is not.
[(map triml ["  a" " b "]) (map trimr ["a  " " b "]) (map trim-newline ["a\n" "b"])]
;=> [["a" "b "] ["a" " b"] ["a" "b"]]

;; nil has no case: guard with `some->`.
(upper-case nil)
;!> type_error 1:1 upper-case: expected a string, got nil

;; With the guard nil stays nil.
(some-> {:name nil} :name str/upper-case)
;=> nil

;; A keyword is not a string: take its name.
(lower-case :Open)
;!> type_error 1:1 lower-case: expected a string, got keyword

;; A number has no blanks to take away.
(trim 5)
;!> type_error 1:1 trim: expected a string, got number

;; `capitalize` of nil.
(capitalize nil)
;!> type_error 1:1 capitalize: expected a string, got nil

;; `blank?` asks about text.
(blank? 0)
;!> type_error 1:1 blank?: expected a string, got number

;; The others name themselves and what they found.
(defn message [f] (try (f) (catch Exception e (println (ex-message e)))))
(run! message [#(triml nil) #(trimr 5) #(trim-newline :a) #(upcase nil) #(downcase 5)])
;out> triml: expected a string, got nil
;out> trimr: expected a string, got number
;out> trim-newline: expected a string, got keyword
;out> upcase: expected a string, got nil
;out> downcase: expected a string, got number
