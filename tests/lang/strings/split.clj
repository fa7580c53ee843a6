;; Taking strings apart: `split`, `split-lines`, `seq`.

;; A separator that is a string is taken literally.
[(str/split "a,b,c" ",") (str/split "1.2.3" ".") (str/split "k: v" ": ")]
;=> [["a" "b" "c"] ["1" "2" "3"] ["k" "v"]]

;; It keeps empty pieces, the last ones too: no column is lost.
(str/split "ada,,36," ",")
;=> ["ada" "" "36" ""]

;; A separator that is a regular expression drops empty pieces at the end, as in Clojure.
[(str/split "a1b22c" #"\d+") (str/split "a,b,," #",") (str/split ",a" #",")]
;=> [["a" "b" "c"] ["a" "b"] ["" "a"]]

;; Words, with any number of blanks between.
(str/split "the  quick   fox" #"\s+")
;=> ["the" "quick" "fox"]

;; A limit is the largest number of pieces; the last one keeps the rest.
[(str/split "a=b=c" "=" 2) (str/split "k: v: w" #": " 2)]
;=> [["a" "b=c"] ["k" "v: w"]]

;; Without the separator the whole is one piece.
[(str/split "abc" ",") (str/split "" ",")]
;=> [["abc"] [""]]

;; An empty separator takes all characters apart.
[(str/split "owl" "") (str/split "owl" #"")]
;=> [["o" "w" "l"] ["o" "w" "l"]]

;; Bare `split` and the full name are the same function.
[(split "a b" " ") (clojure.string/split "a b" #" ")]
;=> [["a" "b"] ["a" "b"]]

;; Pairs of a query become a map.
(defn params [query]
  (into {} (map #(let [[k v] (str/split % "=" 2)] [(keyword k) v])) (str/split query "&")))
(params "page=2&sort=name&q=a=b")
;=> {:page "2" :sort "name" :q "a=b"}

;; Word counts, first come first.
(frequencies (str/split (str/lower-case "The cat and the dog and the bird") #" "))
;=> {"the" 3 "cat" 1 "and" 2 "dog" 1 "bird" 1}

;; `split-lines` takes all kinds of line ends and drops empty lines at the end.
[(str/split-lines "p\nq\r\nr") (str/split-lines "p\n\nq\n\n") (str/split-lines "")]
;=> [["p" "q" "r"] ["p" "" "q"] [""]]

;; Lines that say something, cleaned.
(->> (split-lines "# title\n\n  body \n")
     (map str/trim)
     (remove str/blank?))
;=> ["# title" "body"]

;; The characters of a string as a sequence.
[(seq "owl") (vec "né🚀") (map str/upper-case "abc")]
;=> [["o" "w" "l"] ["n" "é" "🚀"] ["A" "B" "C"]]

;; nil has no pieces: the message names the function.
(split nil ",")
;!> type_error 1:1 split: expected a string, got nil

;; The separator comes second.
(split ["a b"] " ")
;!> type_error 1:1 split: expected a string, got vector

;; A separator is needed.
(str/split "a b")
;!> arity_error 1:1 str/split: expected 2 or 3 arguments, got 1

;; A number has no lines.
(split-lines 5)
;!> type_error 1:1 split-lines: expected a string, got number

;; Bits of a path, without the empty one in front.
(remove str/blank? (str/split "/usr/local/bin" "/"))
;=> ["usr" "local" "bin"]

;; A negative limit keeps the empty pieces of a pattern, too.
[(str/split "a,b,," #"," -1) (str/split "a,b,," #",")]
;=> [["a" "b" "" ""] ["a" "b"]]

;; Several separators in one pattern.
(str/split "a, b; c and d" #"\s*[,;]\s*|\s+and\s+")
;=> ["a" "b" "c" "d"]

;; Columns divided by bars, with blanks around.
(map str/trim (str/split "| ada | 36 |" "|"))
;=> ["" "ada" "36" ""]

;; Sentences and their words.
(->> (str/split "One two. Three! Four five six." #"[.!]\s*")
     (map #(count (str/split % #" "))))
;=> [2 1 3]

;; Nested: a matrix in text.
(mapv (fn [line] (mapv parse-long (str/split line " "))) (str/split-lines "1 2\n3 4"))
;=> [[1 2] [3 4]]

;; Paragraphs are divided by empty lines.
(map #(str/split-lines %) (str/split "a\nb\n\nc" #"\n\n+"))
;=> [["a" "b"] ["c"]]

;; `partition` takes a text apart in pieces of equal length.
[(map str/join (partition 2 "abcdef")) (map str/join (partition-all 4 "abcdef"))]
;=> [["ab" "cd" "ef"] ["abcd" "ef"]]
