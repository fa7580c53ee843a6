;; Words of other languages, and what is written here instead.
(tail [1 2])
;!> undefined_symbol 1:2 undefined symbol 'tail'. Hint: write (rest coll)

;; Several at once.
[(mean [1 2]) (length "abc") (foreach [x [1]] x) (fold + 0 [1])]
;!> undefined_symbol 1:3 undefined symbol 'mean'. Hint: write (avg coll)
;!> undefined_symbol 1:16 undefined symbol 'length'. Hint: write (count coll)
;!> undefined_symbol 1:31 undefined symbol 'foreach'. Hint: write (doseq [x coll] ...)
;!> undefined_symbol 1:51 undefined symbol 'fold'. Hint: write (reduce f init coll)

;; From Scheme and Common Lisp.
[(car [1]) (progn 1) (defun f (x) x) (mapcar inc [1]) (null? nil)]
;!> undefined_symbol 1:3 undefined symbol 'car'. Hint: write (first coll)
;!> undefined_symbol 1:13 undefined symbol 'progn'. Hint: write (do ...)
;!> undefined_symbol 1:23 undefined symbol 'defun'. Hint: write (defn name [params] ...)
;!> undefined_symbol 1:39 undefined symbol 'mapcar'. Hint: write (map f coll)
;!> undefined_symbol 1:56 undefined symbol 'null?'. Hint: write (nil? x)

;; From Python and JavaScript.
[(append [1] 2) (enumerate [1]) (parseInt "5") (map-values {:a 1} inc) None]
;!> undefined_symbol 1:3 undefined symbol 'append'. Hint: write (conj coll x) or (concat a b)
;!> undefined_symbol 1:18 undefined symbol 'enumerate'. Hint: write (map-indexed (fn [i x] ...) coll)
;!> undefined_symbol 1:34 undefined symbol 'parseInt'. Hint: write (parse-long s)
;!> undefined_symbol 1:49 undefined symbol 'map-values'. Hint: write (update-vals m f)
;!> undefined_symbol 1:72 undefined symbol 'None'. Hint: write nil

;; A tool is called by its name.
;- tool search (query :string) -> [:any] = []
(call-tool "search" {:query "x"})
;!> undefined_symbol 1:2 undefined symbol 'call-tool'. Hint: write (tool/name {:key value})

;; Infinity is a literal.
[Infinity -Infinity]
;!> undefined_symbol 1:2 undefined symbol 'Infinity'. Hint: write ##Inf
;!> undefined_symbol 1:11 undefined symbol '-Infinity'. Hint: write ##-Inf

;; Functions of libraries that are not here.
[(json/parse "1") (json/write-str {}) (String/valueOf 1) (java.util.UUID/randomUUID) (str/length "a")]
;!> invalid_form 1:3 no json function named parse; write (json/parse-string s)
;!> invalid_form 1:20 no json function named write-str; write (json/generate-string x)
;!> invalid_form 1:40 no String function named valueOf; write (str x)
;!> invalid_form 1:59 no UUID function named randomUUID; write (random-uuid)
;!> invalid_form 1:87 no string function named length; write (count coll)

;; Nothing waits.
(Thread/sleep 1000)
;!> invalid_form 1:2 unknown namespace Thread/; programs cannot wait; leave it out

;; A dot where a slash belongs, and fields by a dot.
;- data {:rows [] :user {:age 1}}
[(str.join ", " ["a"]) (count data.rows) user.age rows.length]
;!> undefined_symbol 1:3 undefined symbol 'str.join'. Did you mean 'str/join'?
;!> undefined_symbol 1:31 undefined symbol 'data.rows'. Did you mean 'data/rows'?
;!> undefined_symbol 1:42 undefined symbol 'user.age'. Hint: a field is written (:age user)
;!> undefined_symbol 1:51 undefined symbol 'rows.length'. Hint: write (count coll), the object goes inside

;; A function that goes by its namespace only.
(+ (log10 100) 1)
;!> undefined_symbol 1:5 undefined symbol 'log10'. Did you mean 'math/log10'?

;; Files are not there, the input is.
(slurp "rows.json")
;!> undefined_symbol 1:2 undefined symbol 'slurp'. Not available: no file I/O; the input is in data/

;; An alias of a namespace that does not exist names it.
(require '[my.lib :as h])
(h/load 5)
;!> invalid_form 2:2 h/load: the namespace my.lib does not exist here; tools live in tool/, input in data/

;; One of a known library says what to write.
(require '[clojure.data.json :as j])
(j/read-str "[1]")
;!> invalid_form 2:2 j/read-str: the namespace clojure.data.json does not exist here; write (json/parse-string s)

;; `:refer-clojure` is nothing to warn of.
(ns my.program (:refer-clojure :exclude [map]))
:ready
;=> :ready

;; A float begins with a digit.
(+ .5 1)
;!> undefined_symbol 1:4 undefined symbol '.5'. Hint: write 0.5

;; A field is read by its keyword.
(.-name {:name "Ada"})
;!> undefined_symbol 1:2 undefined symbol '.-name'. Hint: write (:name m)

;; Marks around the program do not belong to it.
```clojure
(+ 1 2)
```
;!> parse_error 1:1 leave out the ``` marks: the program is all that is between them

;; The endings are not guessed from likeness.
(fall 1)
;!> undefined_symbol 1:2 undefined symbol 'fall'

;; From their own letters they are.
(retrun 1)
;!> undefined_symbol 1:2 undefined symbol 'retrun'. Did you mean 'return'?

;; `and` is no function.
(reduce and [true false])
;!> undefined_symbol 1:9 undefined symbol 'and'. Hint: 'and' is a special form; as a function write #(and %1 %2), or use (every? pred coll)

;; A `let` binding does not see itself.
(let [fact (fn [n] (if (< n 2) 1 (* n (fact (dec n)))))] (fact 5))
;!> undefined_symbol 1:40 undefined symbol 'fact'. Hint: a let binding cannot see itself; write (fn fact [...] ...) or defn

;; A named function does.
(let [fact (fn fact [n] (if (< n 2) 1 (* n (fact (dec n)))))] (fact 5))
;=> 120

;; Methods that are functions here.
[(.size [1]) (.push [1] 2) (.map [1] inc)]
;!> undefined_symbol 1:3 undefined symbol '.size'. Hint: write (count coll)
;!> undefined_symbol 1:15 undefined symbol '.push'. Hint: write (conj coll x) or (concat a b)
;!> undefined_symbol 1:29 undefined symbol '.map'. Did you mean 'map'?

;; One that works, and one that is nearly written right.
[(.get {:a 1} :a) (.get [1 2] 1)]
;=> [1 2]
(.getDayOfWek (LocalDate/of 2024 3 1))
;!> undefined_symbol 1:2 undefined symbol '.getDayOfWek'. Did you mean '.getDayOfWeek'?

;; A path by dots, and functions of a namespace by a dot.
(let [row {:a {:b 1}}] [row.a.b (str.upper "a")])
;!> undefined_symbol 1:25 undefined symbol 'row.a.b'. Hint: a path is written (get-in row [:a :b])
;!> undefined_symbol 1:34 undefined symbol 'str.upper'. Hint: write (upper-case s)

;; Classes and libraries say what to use, with their package or without it.
[(java.util.Base64/getEncoder) (BigInteger. "12") (java.lang.StringBuilder.) (cheshire.core/parse-string "{}" true)]
;!> invalid_form 1:3 unknown namespace java.util.Base64/; no Base64; a tool must do it
;!> undefined_symbol 1:33 undefined symbol 'BigInteger.'. Not available: integers have no bound: (bigint s)
;!> undefined_symbol 1:52 undefined symbol 'java.lang.StringBuilder.'. Not available: use str and str/join
;!> invalid_form 1:79 unknown namespace cheshire.core/; write (json/parse-string s)

;; So does the alias of a library.
(require '[clj-http.client :as client])
(client/get "https://example.com")
;!> invalid_form 2:2 client/get: the namespace clj-http.client does not exist here; no network; call a tool: (tool/name {:key value})

;; A name of the core needs no namespace.
[(String/format "%d" 1) (Math/sum 1 2) (combo/combinations [1 2] 2)]
;!> invalid_form 1:3 no String function named format. Did you mean 'format'?
;!> invalid_form 1:26 no Math function named sum. Did you mean 'sum'?
;!> invalid_form 1:41 unknown namespace combo/; tools live in tool/, input in data/. Did you mean 'combinations'?
