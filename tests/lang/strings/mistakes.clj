;; Slips that programs with texts make again and again: what the error says, and the mended program below it.

;; `->>` puts the text last, where the separator belongs.
(->> "a,b" (split #","))
;!> type_error 1:12 split: expected a string, got regex; write (split s separator)

;; Mended: `->` puts it first.
(-> "a,b" (split #","))
;=> ["a" "b"]

;; A position that was not found is nil.
(let [line "no colon"] (subs line 0 (index-of line ":")))
;!> type_error 1:24 subs: expected an integer, got nil

;; Mended.
(let [line "no colon"] (if-let [at (index-of line ":")] (subs line 0 at) line))
;=> "no colon"

;; A number where a text is expected.
(map upper-case ["a" 5])
;!> type_error 1:1 upper-case: expected a string, got number

;; Mended: everything has a text.
(map (comp upper-case str) ["a" 5])
;=> ["A" "5"]

;; A keyword where a text is expected.
(capitalize :status)
;!> type_error 1:1 capitalize: expected a string, got keyword

;; Mended.
(capitalize (name :status))
;=> "Status"

;; A match that was not found is nil; taken apart it gives nil.
(let [[_ year] (re-matches #"(\d{4})-\d\d" "2024/05")] (count year))
;=> 0

;; Read as a number it stays nil, until it is used.
(let [[_ year] (re-matches #"(\d{4})-\d\d" "2024/05")] (inc (parse-long year)))
;!> type_error 1:56 inc: expected a number, got nil

;; Mended: say what happens without a match.
(if-let [[_ year] (re-matches #"(\d{4})-\d\d" "2024/05")] (inc (parse-long year)) :no-date)
;=> :no-date

;; Strings are not added.
(+ "total: " 5)
;!> type_error 1:1 +: expected numbers, got string and number; (parse-long s) and (parse-double s) read numbers, (str ...) joins texts

;; Mended.
(str "total: " 5)
;=> "total: 5"

;; `%d` and a quotient.
(format "%d of %d" (/ 7 2) 4)
;!> type_error 1:1 format: %d expects an integer, got 3.5; write %.1f, or (round x)

;; Mended: a float has its own directive.
(format "%.1f of %d" (/ 7 2) 4)
;=> "3.5 of 4"

;; A separator without a collection.
(join ", " "a" "b")
;!> arity_error 1:1 join: expected 1 or 2 arguments, got 3

;; Mended.
(join ", " ["a" "b"])
;=> "a, b"

;; Searching a vector of texts with the function for texts.
(let [tags ["new" "sale"]] (includes? tags "sale"))
;!> type_error 1:28 includes?: expected a string, got vector; use contains? for collections

;; Mended: an element, or a part of an element.
(let [tags ["new" "sale"]] [(contains? tags "sale") (some #(includes? % "al") tags)])
;=> [true true]

;; The text of a keyword is compared with the keyword itself.
(let [row {:status :open}] (filter #(apply = [(:status %) "open"]) [row]))
;=> []
;warn> keyword-vs-string 1:36 the keyword :open never equals the string "open": compare keyword with keyword or use (name k)

;; Mended.
(let [row {:status :open}] (filter #(= :open (:status %)) [row]))
;=> [{:status :open}]

;; Strings do not change: the result is a new one.
(let [text " a "] (trim text) text)
;=> " a "
;warn> dropped-result 1:19 the result of (trim ...) is dropped here: values never change in place; bind it with let or def, or make it the last form

;; Mended.
(let [text (trim " a ")] text)
;=> "a"

;; A function of another library: the error lists what there is.
(str/strip " a ")
;!> invalid_form 1:2 no string function named strip; write (trim s)

;; Mended.
(str/trim " a ")
;=> "a"

;; A method without its dot.
(toUpperCase "a")
;!> undefined_symbol 1:2 undefined symbol 'toUpperCase'. Hint: write (upper-case s)

;; Mended.
[(.toUpperCase "a") (str/upper-case "a")]
;=> ["A" "A"]

;; A literal text as a pattern: the dot stands for any character there.
[(split "1.2" #".") (split "1.2" #"\.") (split "1.2" ".")]
;=> [[] ["1" "2"] ["1" "2"]]

;; A quote inside a text has to be escaped: the string ended early.
(println "say "hi"")
;!> undefined_symbol 1:16 undefined symbol 'hi'

;; Mended.
(println "say \"hi\"")
;out> say "hi"
