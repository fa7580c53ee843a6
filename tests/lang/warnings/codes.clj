;; A keyword called with a vector gives nil, and a hint at the slip (L-9).
(def rows [{:name "Ada"}])
(:name rows)
;=> nil
;warn> keyword-on-non-map 2:1 (:name x) on a vector gives nil; use (map :name xs) for many rows or (nth xs i) for one

;; The same through a number or a text.
[(:a 5) (:b "text")]
;=> [nil nil]
;warn> keyword-on-non-map 1:2 (:a x) on a number gives nil: it is not a map
;warn> keyword-on-non-map 1:9 (:b x) on a string gives nil: it is not a map

;; Inside a test the place is that of the lookup, not of the test around it.
(count (filter (fn [row] (= (:status row) "open")) [{:status "open"} [1] 5]))
;=> 1
;warn> keyword-on-non-map 1:29 (:status x) on a vector gives nil; use (map :status xs) for many rows or (nth xs i) for one

;; Through `map`, too; each place warns once.
(map :name [{:name "Ada"} [1] 5])
;=> ["Ada" nil nil]
;warn> keyword-on-non-map 1:1 (:name x) on a vector gives nil; use (map :name xs) for many rows or (nth xs i) for one

;; `contains?` on a vector looks for an element here (L-14).
(contains? [10 20] 20)
;=> true
;warn> contains-on-vector 1:1 contains? looks for an element of a vector, not for an index; compare with (count v) for an index

;; On a map or a set it asks for a key, without warning.
[(contains? {:a 1} :a) (contains? #{1} 1)]
;=> [true true]

;; A keyword never equals a text.
(filter #(= (:status %) :open) [{:status :open} {:status :done}])
;=> [{:status :open}]

;; Comparing a keyword with a text is never true; as a function `=` says so.
(map (partial = :open) ["open" :open])
;=> [false true]
;warn> keyword-vs-string 1:1 the keyword :open never equals the string "open": compare keyword with keyword or use (name k)

;; Through `apply`, too; the place is the call.
(apply = [:a "a"])
;=> false
;warn> keyword-vs-string 1:1 the keyword :a never equals the string "a": compare keyword with keyword or use (name k)

;; The result of a pure function is dropped: values never change in place.
(def rows [1 2])
(conj rows 3)
rows
;=> [1 2]
;warn> dropped-result 2:1 the result of (conj ...) is dropped here: values never change in place; bind it with let or def, or make it the last form

;; The same inside a function body.
(defn add-total [m]
  (assoc m :total 3)
  m)
(add-total {:a 1})
;=> {:a 1}
;warn> dropped-result 2:3 the result of (assoc ...) is dropped here: values never change in place; bind it with let or def, or make it the last form

;; And for `assoc!`, which does not change its argument here (L-53).
(let [t (transient {})]
  (assoc! t :a 1)
  (persistent! t))
;=> {}
;warn> dropped-result 2:3 the result of (assoc! ...) is dropped here: values never change in place; bind it with let or def, or make it the last form

;; A mapped pure function as a statement does nothing, either.
(map inc [1 2])
:done
;=> :done
;warn> dropped-result 1:1 the result of (map ...) is dropped here: values never change in place; bind it with let or def, or make it the last form

;; Effects in statement position are what statements are for.
(run! println [1])
(doseq [x [2]] (println x))
:done
;=> :done
;out> 1
;out> 2

;; `conj`, `peek` and `pop` on a list work at the end here.
[(conj '(1 2) 3) (peek '(1 2)) (pop (list 1 2))]
;=> [[1 2 3] 2 [1]]
;warn> list-order 1:3 lists are vectors here: conj works at the end; use cons, first and rest for the front
;warn> list-order 1:19 lists are vectors here: peek works at the end; use cons, first and rest for the front
;warn> list-order 1:33 lists are vectors here: pop works at the end; use cons, first and rest for the front

;; An empty list that something is collected in: Clojure collects at its front.
(loop [n 13 bits ()] (if (zero? n) bits (recur (quot n 2) (conj bits (mod n 2)))))
;=> [1 0 1 1]
;warn> list-order 1:18 lists and nil become vectors here: conj, peek and pop work at the end; use cons, first and rest for the front

[(reduce conj '() [1 2]) (swap! (atom (list)) conj 1)]
;=> [[1 2] [1]]
;warn> list-order 1:15 lists and nil become vectors here: conj, peek and pop work at the end; use cons, first and rest for the front

(let [stack ()] (peek (conj stack 1 2)))
;=> 2
;warn> list-order 1:13 lists and nil become vectors here: conj, peek and pop work at the end; use cons, first and rest for the front

(into () [1 2 3])
;=> [1 2 3]
;warn> list-order 1:7 lists and nil become vectors here: into adds at the end; write (reverse coll) for the other order

;; With `cons` the front grows here, too.
(reduce (fn [done x] (cons x done)) () [1 2])
;=> [2 1]

(let [none ()] (cons 1 none))
;=> [1]

;; Only the binding that is worked on counts, not another one, even of the same name.
(defn g [s] (conj s 1))
(loop [t 3 path ()] (if (pos? t) (recur (dec t) (cons t path)) path))
;=> [1 2 3]

(defn h [path] (peek path))
(let [path ()] (cons (h [1 2]) path))
;=> [2]

;; Also in an atom, in a thread and in a function literal.
(do (def todo (atom ())) (swap! todo conj 1) (peek @todo))
;=> 1
;warn> list-order 1:21 lists and nil become vectors here: conj, peek and pop work at the end; use cons, first and rest for the front

(let [done ()] (-> done (conj 1)))
;=> [1]
;warn> list-order 1:12 lists and nil become vectors here: conj, peek and pop work at the end; use cons, first and rest for the front

(reduce (fn [done x] (if (odd? x) (conj done x) done)) () [1 2 3])
;=> [1 3]
;warn> list-order 1:56 lists and nil become vectors here: conj, peek and pop work at the end; use cons, first and rest for the front

(let [done ()] (map (fn [x] (into done [x 2])) [1]))
;=> [[1 2]]
;warn> list-order 1:12 lists and nil become vectors here: into adds at the end; write (reverse coll) for the other order

;; `conj` onto the result of `cons` is a list in Clojure, too.
(conj (cons 0 [1]) 2)
;=> [0 1 2]
;warn> list-order 1:2 lists are vectors here: conj works at the end; use cons, first and rest for the front

;; An unknown class in `catch` catches everything (L-12).
(try (/ 1 0) (catch SQLException e :caught))
;=> :caught
;warn> unknown-catch-class 1:21 catch does not know the class SQLException: it catches every error here; write Exception

;; A decimal is read as a float (L-58).
(* 2 0.5M)
;=> 1.0
;warn> decimal-as-float 1:6 a decimal literal such as 1.5M is a float here; write it without M

;; A namespace that does not exist is passed over (L-58).
(require '[clojure.data.json :as data-json])
:ready
;=> :ready
;warn> ignored-namespace 1:11 the namespace clojure.data.json does not exist here and is ignored; use (json/parse-string s) or (json/generate-string x)

;; `import` has nothing to import.
(import 'java.util.UUID)
:ready
;=> :ready
;warn> ignored-namespace 1:1 import is ignored: there are no Java classes to import

;; A builtin is meant although the input has a key of that name (L-44).
;- data {:name "Ada"}
(name :x)
;=> "x"
;warn> builtin-over-data 1:2 name is the builtin function here; write data/name for the input

;; A tool argument that had to be converted.
;- tool book (room :int) -> :string = "booked"
(tool/book {:room "7"})
;=> "booked"
;warn> coerced-argument 1:1 tool/book: [room]: coerced string "7" to integer

;; The place is that of the call which passes the tool on.
;- tool book (room :int) -> :string = "booked"
(println "booking")
(map tool/book ["1" 2])
;=> ["booked" "booked"]
;out> booking
;warn> coerced-argument 2:1 tool/book: [room]: coerced string "1" to integer

;; Two warnings of one kind in different places are both shown.
[(contains? [1] 1) (contains? [2] 3)]
;=> [true false]
;warn> contains-on-vector 1:2 contains? looks for an element of a vector, not for an index; compare with (count v) for an index
;warn> contains-on-vector 1:20 contains? looks for an element of a vector, not for an index; compare with (count v) for an index

;; The same place in a loop warns once.
(for [v [[1] [2]]] (contains? v 1))
;=> [true false]
;warn> contains-on-vector 1:20 contains? looks for an element of a vector, not for an index; compare with (count v) for an index

;; At most five warnings are kept (L-10).
[(:a 1) (:b 1) (:c 1) (:d 1) (:e 1) (:f 1) (:g 1)]
;=> [nil nil nil nil nil nil nil]
;warn> keyword-on-non-map 1:2 (:a x) on a number gives nil: it is not a map
;warn> keyword-on-non-map 1:9 (:b x) on a number gives nil: it is not a map
;warn> keyword-on-non-map 1:16 (:c x) on a number gives nil: it is not a map
;warn> keyword-on-non-map 1:23 (:d x) on a number gives nil: it is not a map
;warn> keyword-on-non-map 1:30 (:e x) on a number gives nil: it is not a map

;; Warnings never make a program fail: its error is another thing.
(:a [1])
(/ 1 0)
;!> arithmetic_error 2:1 Divide by zero
;warn> keyword-on-non-map 1:1 (:a x) on a vector gives nil; use (map :a xs) for many rows or (nth xs i) for one

;; A field of something that is no map, in any function that takes fields (L-46).
[(sort-by :a [2 1]) (keep :a ["x"])]
;=> [[2 1] []]
;warn> keyword-on-non-map 1:2 (:a x) on a number gives nil: it is not a map
;warn> keyword-on-non-map 1:21 (:a x) on a string gives nil: it is not a map

;; Tests and keys by field, too.
[(filter :ok [[1]]) (group-by :kind [5])]
;=> [[] {nil [5]}]
;warn> keyword-on-non-map 1:2 (:ok x) on a vector gives nil; use (map :ok xs) for many rows or (nth xs i) for one
;warn> keyword-on-non-map 1:21 (:kind x) on a number gives nil: it is not a map

;; nil, maps and sets are what a keyword may be asked of.
[(:a nil) (:a {}) (:a #{:a}) (:a {} 1)]
;=> [nil nil :a 1]

;; The last form of a loop body is dropped as well.
(doseq [x [1 2]] (conj [] x))
;=> nil
;warn> dropped-result 1:18 the result of (conj ...) is dropped here: values never change in place; bind it with let or def, or make it the last form

;; In `dotimes`, the same.
(dotimes [i 2] (inc i))
;=> nil
;warn> dropped-result 1:16 the result of (inc ...) is dropped here: values never change in place; bind it with let or def, or make it the last form

;; In a `loop`, a form that stands before the last.
(loop [i 0]
  (inc i)
  (if (< i 3) (recur (inc i)) i))
;=> 3
;warn> dropped-result 2:3 the result of (inc ...) is dropped here: values never change in place; bind it with let or def, or make it the last form

;; A body of `try` and of `when` is made of statements, too.
(when true (str "lost") (try (first [1]) :kept))
;=> :kept
;warn> dropped-result 1:12 the result of (str ...) is dropped here: values never change in place; bind it with let or def, or make it the last form
;warn> dropped-result 1:30 the result of (first ...) is dropped here: values never change in place; bind it with let or def, or make it the last form

;; A function of one's own may have effects, whatever its name.
(defn inc [x] (println "counted" x))
(inc 1)
:done
;=> :done
;out> counted 1

;; So may a local.
(let [conj println] (conj "said") :done)
;=> :done
;out> said

;; `map` with a function that prints is not pure.
(map println ["a"])
:done
;=> :done
;out> a

;; `some` with a set is the way to ask without a warning.
(some #{20} [10 20])
;=> 20

;; Comparing keyword with keyword, text with text, or across by `name`.
(map #(= "open" (name (:state %))) [{:state :open} {:state "open"} {:state :done}])
;=> [true true false]

;; A known class in `catch`, also with its package, gives no warning.
[(try (/ 1 0) (catch java.lang.ArithmeticException e 1))
 (try (/ 1 0) (catch clojure.lang.ExceptionInfo e 2) (catch Throwable e 3))]
;=> [1 3]

;; A tool argument that fits gives none.
;- tool book (room :int) -> :string = "booked"
(tool/book {:room 7})
;=> "booked"

;; A definition that only repeats input data (L-10).
;- data {:rows [1 2]}
(def copy data/rows)
(count data/rows)
;=> 2
;warn> duplicate-data-def 1:1 copy repeats data/rows and is not used: data/rows can be written everywhere, also in later turns

;; One that is used is fine.
;- data {:rows [1 2]}
(def rows data/rows)
(count rows)
;=> 2

;; A dropped result through a thread.
(def m {:a 1})
(-> m (assoc :b 2))
m
;=> {:a 1}
;warn> dropped-result 2:1 the result of (assoc ...) is dropped here: values never change in place; bind it with let or def, or make it the last form

;; And in `finally`.
(try 1 (finally (conj [1] 2)))
;=> 1
;warn> dropped-result 1:17 the result of (conj ...) is dropped here: values never change in place; bind it with let or def, or make it the last form

;; `where` over what has no fields (L-46).
(filter (where :a) [5])
;=> []
;warn> keyword-on-non-map 1:1 a field of a number is always nil; fields belong to maps

;; A keyword and a symbol become text for a tool without warning.
;- tool find (query :string) -> :string = "found"
[(tool/find {:query :open}) (tool/find {:query 'open})]
;=> ["found" "found"]

;; A regular expression written as a text is taken literally.
[(str/split "a1 b" "\\s+") (str/replace "a1" "\\d" "")]
;=> [["a1 b"] "a1"]
;warn> pattern-as-text 1:20 split takes a text as it is; write the pattern #"\s+"
;warn> pattern-as-text 1:46 replace takes a text as it is; write the pattern #"\d"

;; Behind an arrow, too.
(-> "a \"b\"" (str/replace-first "\"\\w\"" "c"))
;=> "a \"b\""
;warn> pattern-as-text 1:34 replace-first takes a text as it is; write the pattern #"\"\w\""

;; Texts that only look a bit like patterns are texts.
[(str/split "a.b|c" ".") (str/split "a\\b" "\\") (str/replace "C:\\data\\x" "C:\\data\\" "") (str/split "a*" "*")]
;=> [["a" "b|c"] ["a" "b"] "x" ["a" ""]]

;; A closing delimiter too many at the end: the program runs, with a warning.
(+ 1 2))
;=> 3
;warn> surplus-delimiter 1:8 1 closing delimiter too many: the program ends before it

;; Several of them are one warning at the first.
[(inc 1)])
 ]}
;=> [2]
;warn> surplus-delimiter 1:10 3 closing delimiters too many: the program ends before them

;; One before another form closes nothing either (D-52).
(+ 1 2)) 7
;=> 7
;warn> dropped-result 1:1 the result of (+ ...) is dropped here: values never change in place; bind it with let or def, or make it the last form
;warn> surplus-delimiter 1:8 1 closing delimiter too many: nothing is open here

;; Delimiters in strings, comments and characters close nothing.
[")" \) #"\)"] ; )
;=> [")" ")" #"\)"]

;; `where` compares a number with a text: it never holds, which is easily overlooked.
;- data {:rows [{:code "007" :price 7.25} {:code "100" :price 12.5}]}
(def wrong (count (filter (where :code > 5) data/rows)))
[wrong (count (filter (where :price = "12.5") data/rows)) (count (filter (where "code" not= 7) data/rows))]
;=> [0 0 2]
;warn> number-vs-text 1:19 where compares the text "007" under :code with the number 5: they are never equal and have no order; to compare numbers write (filter #(some-> (:code %) parse-double (> 5)) rows)
;warn> number-vs-text 2:15 where compares the number 7.25 under :price with the text "12.5": they are never equal and have no order; write (where :price = 12.5)
;warn> number-vs-text 2:66 where compares the text "007" under "code" with the number 7: they are never equal and have no order; to compare numbers write (filter #(some-> (get % "code") parse-double (not= 7)) rows)

;; What is advised gives the rows.
;- data {:rows [{:code "007" :price 7.25} {:code "100" :price 12.5}]}
[(count (filter #(some-> (:code %) parse-double (> 5)) data/rows)) (count (filter (where :price = 12.5) data/rows))]
;=> [2 1]

;; A text that is no number has no order with one; of nil, or of equal kinds, nothing is said.
(filter (where [:a :n] < 5) [{:a {:n "n/a"}} {:a {:n 3}} {:a nil}])
;=> [{:a {:n 3}}]
;warn> number-vs-text 1:1 where compares the text "n/a" under [:a :n] with the number 5: they are never equal and have no order

;; Texts that all are numbers sort as texts.
[(sort ["10" "9" nil]) (sort-by :n > [{:n "10"} {:n "9.5"}]) (max-by :n [{:n "10"} {:n "9"}]) (min-by count ["10" "9"])]
;=> [[nil "10" "9"] [{:n "9.5"} {:n "10"}] {:n "9"} "9"]
;warn> numbers-as-texts 1:2 sort compares texts here, all of them numbers, such as "10" and "9": as texts "10" comes before "9"; for numeric order write (sort-by parse-double coll)
;warn> numbers-as-texts 1:24 sort-by compares texts here, all of them numbers, such as "10" and "9.5": as texts "10" comes before "9"; for numeric order write (sort-by (comp parse-double :n) > coll)
;warn> numbers-as-texts 1:62 max-by compares texts here, all of them numbers, such as "10" and "9": as texts "10" comes before "9"; for numeric order write (max-by (comp parse-double f) coll)

;; One text that is none, or a single one, and nothing is said.
[(sort ["10" "9" "x"]) (sort ["10"]) (sort []) (sort-by identity #(compare %1 %2) ["10" "9"])]
;=> [["10" "9" "x"] ["10"] [] ["10" "9"]]

;; What is advised sorts as numbers.
[(sort-by parse-double ["10" "9"]) (sort-by (comp parse-double :n) > [{:n "10"} {:n "9.5"}]) (max-by (comp parse-double :n) [{:n "10"} {:n "9"}])]
;=> [["9" "10"] [{:n "10"} {:n "9.5"}] {:n "10"}]

;; A text of several lines has letters where its lines are meant.
(def names "- ada\n- bob")
[(count (map identity names)) (count (for [n names] n)) (doseq [n names] n) (count (mapv int names)) (run! identity names)]
;=> [11 11 nil 11 nil]
;warn> letter-by-letter 2:9 map goes over each letter of the text "- ada\n- bob"; its lines are (str/split-lines text)
;warn> letter-by-letter 2:38 for goes over each letter of the text "- ada\n- bob"; its lines are (str/split-lines text)
;warn> letter-by-letter 2:57 doseq goes over each letter of the text "- ada\n- bob"; its lines are (str/split-lines text)
;warn> letter-by-letter 2:84 mapv goes over each letter of the text "- ada\n- bob"; its lines are (str/split-lines text)
;warn> letter-by-letter 2:102 run! goes over each letter of the text "- ada\n- bob"; its lines are (str/split-lines text)

;; Also where one loop does the work of two calls.
(def names "- ada\n- bob")
[(count (map (fn [n] n) names)) (first (map (fn [n] n) names))]
;=> [11 "-"]
;warn> letter-by-letter 2:9 map goes over each letter of the text "- ada\n- bob"; its lines are (str/split-lines text)
;warn> letter-by-letter 2:40 map goes over each letter of the text "- ada\n- bob"; its lines are (str/split-lines text)

;; A word has letters; lines are told apart by what reads all of a text.
[(map str/upper-case "ab") (for [c "ab" :when (= c "a")] c) (frequencies "a\nb") (filter #{"a"} "a\nb") (reduce str "" "a\nb")]
;=> [["A" "B"] ["a"] {"a" 1 "\n" 1 "b" 1} ["a"] "a\nb"]

;; Where the lookup is a test, nil is an answer.
(let [r (try [1 2] (catch Exception e {:error "x"}))]
  (if (:error r) 1 2))
;=> 2

;; Also in `when`, `cond`, `and`, `or` and `not`.
(let [r [1]]
  [(when (:error r) 1) (cond (:error r) 1 :else 2) (and (:error r) 1) (if (not (:error r)) 3 4)])
;=> [nil 2 nil 3]

;; `conj` on nil or a sequence adds at the end here, and at the front in Clojure.
(reduce conj nil [1 2 3])
;=> [1 2 3]
;warn> list-order 1:14 lists and nil become vectors here: conj, peek and pop work at the end; use cons, first and rest for the front

;; After `map`, `filter`, `rest`, `seq`, `concat` and the like.
(conj (filter odd? [1 2 3]) 0)
;=> [1 3 0]
;warn> list-order 1:2 lists are vectors here: conj works at the end; use cons, first and rest for the front

;; The same in a thread, in a binding, and for `into`.
(let [xs (map inc [1 2])] (conj xs 9))
;=> [2 3 9]
;warn> list-order 1:10 lists and nil become vectors here: conj, peek and pop work at the end; use cons, first and rest for the front

(-> [1 2] rest (conj 9))
;=> [2 9]
;warn> list-order 1:17 lists are vectors here: conj works at the end; use cons, first and rest for the front

(into (rest [1 2]) [7 8])
;=> [2 7 8]
;warn> list-order 1:7 lists and nil become vectors here: into adds at the end; write (reverse coll) for the other order
