;; Putting strings together: `join`, `reverse`, `escape`.

;; `join` puts a separator between the texts of the elements.
[(str/join ", " ["a" "b" "c"]) (str/join "-" [1 2 3]) (str/join ["a" "b"]) (str/join " " [])]
;=> ["a, b, c" "1-2-3" "ab" ""]

;; Elements are written as by `str`: nil is empty, a keyword keeps its colon.
(str/join "|" [1 nil :k "x" [2]])
;=> "1||:k|x|[2]"

;; Any collection will do: a map gives its entries.
[(str/join "," #{7}) (str/join "; " {:a 1 :b 2}) (str/join "." "abc") (str/join "," nil) (str/join " " (map inc [1 2]))]
;=> ["7" "[:a 1]; [:b 2]" "a.b.c" "" "2 3"]

;; Bare `join` and the full name are the same function.
[(join "-" [1 2]) (clojure.string/join "-" [1 2])]
;=> ["1-2" "1-2"]

;; A row of a table as text.
(defn csv [rows] (str/join "\n" (map #(str/join "," [(:id %) (:n %)]) rows)))
(csv [{:id 1 :n "bolt"} {:id 2 :n "nut"}])
;=> "1,bolt\n2,nut"

;; `split` with a literal separator and `join` undo each other.
(every? #(= % (str/join "," (str/split % ","))) ["a,b" "a,,b," "," "x"])
;=> true

;; A list in prose: commas, and an "and" before the last.
(defn prose [words]
  (if (< (count words) 2)
    (str/join words)
    (str (str/join ", " (butlast words)) " and " (last words))))
(map prose [["tea"] ["tea" "milk"] ["tea" "milk" "sugar"]])
;=> ["tea" "tea and milk" "tea, milk and sugar"]

;; `str/reverse` turns a string round; bare `reverse` gives a sequence.
[(str/reverse "abc") (str/reverse "") (str/reverse "né🚀") (reverse "abc")]
;=> ["cba" "" "🚀én" ["c" "b" "a"]]

;; Words that read the same from both ends.
(filter #(= % (str/reverse %)) ["level" "kayak" "river"])
;=> ["level" "kayak"]

;; `str/escape` replaces characters by a map.
[(str/escape "a<b & c" {\< "&lt;" \& "&amp;"}) (str/escape "plain" {\< "&lt;"})]
;=> ["a&lt;b &amp; c" "plain"]

;; A cell of a table that may contain quotes.
(defn quoted [text] (str "\"" (str/escape text {\" "\"\""}) "\""))
(println (quoted "say \"hi\""))
;out> "say ""hi"""
;=> nil

;; A number is no collection.
(join "," 5)
;!> type_error 1:1 join: expected a collection, got number

;; `str/reverse` is for strings.
(str/reverse [1 2])
;!> type_error 1:1 str/reverse: expected a string, got vector

;; `str/escape` is for strings, too.
(str/escape 5 {})
;!> type_error 1:1 str/escape: expected a string, got number

;; A path, a query, a sentence: the pieces differ, the way is the same.
[(str/join "/" ["usr" "local" "bin"])
 (str/join "&" (map (fn [[k v]] (str (name k) "=" v)) {:page 2 :sort "name"}))
 (str (str/capitalize (str/join " " ["to" "be"])) ".")]
;=> ["usr/local/bin" "page=2&sort=name" "To be."]

;; Only what is there: `remove` before `join`.
(str/join ", " (remove str/blank? ["Main St 1" "" nil "Oslo"]))
;=> "Main St 1, Oslo"

;; Numbered lines.
(map-indexed (fn [i line] (str (inc i) ". " line)) ["buy milk" "call Ada"])
;=> ["1. buy milk" "2. call Ada"]

;; A separator may be a character or nil.
[(str/join \, ["a" "b"]) (str/join nil ["a" "b"])]
;=> ["a,b" "ab"]

;; A square of stars.
(str/join "\n" (repeat 2 (str/join (repeat 3 "*"))))
;=> "***\n***"

;; Digits turned round as a number.
(parse-long (str/reverse (str 1230)))
;=> 321

;; Escaping for a shell: quotes of one kind inside the other.
(defn shell [word] (str "'" (str/escape word {\' "'\\''"}) "'"))
(map shell ["plain" "it's"])
;=> ["'plain'" "'it'\\''s'"]
