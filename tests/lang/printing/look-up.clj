;; `doc` prints how a name of the language is used, quoted or not, with or without its namespace.
(str/split-lines (with-out-str (doc join)))
;=> ["(join coll)  (join separator coll)" "The texts of the elements with `separator` between them." "(join \", \" [1 nil \"x\"]) => \"1, , x\""]
(= (with-out-str (doc join)) (with-out-str (doc 'str/join)) (with-out-str (doc clojure.string/join)) (with-out-str (doc "str/join")))
;=> true
[(first (str/split-lines (with-out-str (doc if-let)))) (with-out-str (doc math/PI))]
;=> ["(if-let [name test] then else?)" "math/PI\nThe value `3.1415926536`.\n"]

;; Of definitions it prints parameters and docstring, of this program and of earlier ones.
(defn area "Width times height; in metres." [w h] (* w h))
(defn total ([xs] (total xs 0)) ([xs start] (reduce + start xs)))
(def rate "Per night" 85)
[(with-out-str (doc area)) (with-out-str (doc total)) (with-out-str (doc user/rate))]
;=> ["(area w h)\nWidth times height; in metres.\n" "(total xs)  (total xs start)\n" "rate is a definition of this program\nPer night\n"]
[(with-out-str (doc area)) (with-out-str (doc total)) (with-out-str (doc rate))]
;=> ["(area w h)\nWidth times height in metres.\n" "(total xs)  (total xs start)\n" "rate is a definition: integer\nPer night\n"]

;; Of tools the signature, of data the kind. Data may be called like these functions.
;- tool rooms (beds :int) -> [{no :int, beds :int}] = []
;- data {:guests [{:name "Ida"}] :source "letters"}
(doc tool/rooms)
(doc rooms)
(doc data/guests)
(doc guests)
[source (count source)]
;=> ["letters" 7]
;out> tool/rooms (beds :int) -> [{no :int, beds :int}]
;out> tool/rooms (beds :int) -> [{no :int, beds :int}]
;out> data/guests is input: list[1]
;out> data/guests is input: list[1]

;; An unknown name gets the nearest.
(doc uper-case)
(doc str/jion)
(defn subtotal [xs] xs)
(doc subtotl)
(doc "no-such-name-here")
;out> nothing is called uper-case. Did you mean 'upper-case'?; (apropos "uper-case") looks in names and descriptions
;out> nothing is called str/jion. Did you mean 'str/join'?; (apropos "jion") looks in names and descriptions
;out> nothing is called subtotl. Did you mean 'subtotal'?; (apropos "subtotl") looks in names and descriptions
;out> nothing is called no-such-name-here; (apropos "no-such-name-here") looks in names and descriptions

;; As a function it takes values and names.
(let [f newline]
  (mapv #(first (str/split-lines (with-out-str (doc %)))) [map f "str/blank?" 'dec (fn [a b] a) "nowhere"]))
;=> ["(map f)  (map f & colls)" "(newline)" "(blank? s)" "(dec x)" "(fn a b)" "nothing is called nowhere; did you mean where?; (apropos \"nowhere\") looks in names and descriptions"]
(doc 5)
;!> type_error 1:1 doc: expected a name such as (doc map), got number (5)

;; `source` prints definitions, of this program and of earlier ones.
(defn area "Width times height" [w h] (* w h))
(def double #(* 2 %))
(def size 5)
(source area)
(source double)
;out> (defn area "Width times height" [w h] (* w h))
;out> (def double #(* 2 %))
(source area)
(source double)
(source size)
(source map)
(source nobody)
(run! source [area (partial + 1) inc])
;=> nil
;out> (defn area "Width times height" [w h] (* w h))
;out> (def double #(* 2 %))
;out> the source of size is not kept; its value: integer
;out> map is built in; (doc map) prints how it is used
;out> nothing is called nobody; (apropos "nobody") looks in names and descriptions
;out> (fn [w h] (* w h))
;out> the source of this function is not kept: another function made it
;out> inc is built in; (doc inc) prints how it is used
(source 5)
;!> type_error 1:1 source: expected the name of a definition, got number (5)

;; `dir` prints the names of a namespace.
;- tool rooms () -> :any = 1
;- data {:guests []}
(def mine 1)
(dir clojure.walk)
(dir regex)
(dir core)
(dir 'tool)
(dir data)
(dir user)
(dir nowhere)
(run! dir ["walk" "nothing"])
[(= (with-out-str (dir Math)) (with-out-str (dir math))) (= (with-out-str (dir str)) (with-out-str (dir 'clojure.string)))]
;=> [true true]
;out> walk/: keywordize-keys postwalk postwalk-replace prewalk prewalk-replace stringify-keys walk
;out> regex/: re-find re-matches re-pattern re-seq re-split
;out> clojure.core has the names that are written bare; (apropos "part of a name") looks for some of them
;out> tool/: rooms
;out> data/: guests
;out> user/: mine
;out> there is no namespace nowhere; there are user tool data core str set walk math json regex, and classes such as LocalDate
;out> walk/: keywordize-keys postwalk postwalk-replace prewalk prewalk-replace stringify-keys walk
;out> there is no namespace nothing; there are user tool data core str set walk math json regex, and classes such as LocalDate
(apply dir [5])
;!> type_error 1:1 dir: expected a namespace such as (dir str), got number (5)

;; `apropos` looks in names and descriptions, names first.
(first (str/split-lines (with-out-str (apropos "BLANK"))))
;=> "(blank? s)  Whether `s` is nil, empty or only blanks."
[(mapv #(re-find #"\S+" %) (str/split-lines (with-out-str (apropos #"^re-s")))) (apropos "zzz")]
;=> [["(re-seq" "(re-split"] nil]
;out> no name or description has "zzz"
(apropos 5)
;!> type_error 1:1 apropos: expected a string or a regex, got number

;; It finds tools and data, too, and says what they are. All words of the text must be there.
;- tool list-rooms (beds :int) -> [{no :int, beds :int}] = []
;- data {:room-keys [1 2] :guests []}
(apropos "rooms")
(apropos "room keys")
(apropos #"^data/guest")
(with-out-str (apropos "no such"))
;=> "no name or description has \"no such\"\n"
;out> tool/list-rooms(beds int) -> [{no int, beds int}]  a tool
;out> data/room-keys  input: list[2]
;out> data/guests  input: list[0]
(apropos 5)
;!> type_error 1:1 apropos: expected a string or a regex, got number

;; A long list ends with names only, and one print holds it.
(let [text (with-out-str (apropos "the"))]
  [(< (count text) 2000) (boolean (re-find #"^\d+ more: \S+" (last (str/split-lines text))))])
;=> [true true]

;; Own names may be the same.
(defn doc [x] (str "my " x))
(let [dir "folder"] [(doc dir) dir])
;=> ["my folder" "folder"]

;; `time` prints how long a form took and gives its value.
(let [printed (with-out-str (println (time (+ 1 2))))]
  [(re-find #"^\"Elapsed time: [0-9.]+ msecs\"" printed) (second (str/split-lines printed))])
;=> ["\"Elapsed time: 0.0 msecs\"" "3"]
