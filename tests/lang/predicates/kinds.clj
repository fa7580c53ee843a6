;; What kind of value it is: `nil?` to `fn?`, and `type`.

;; `nil?` and `some?` are opposites; false is something.
[(map nil? [nil false 0 ""]) (map some? [nil false 0 ""])]
;=> [[true false false false] [false true true true]]

;; Dropping what is missing, keeping false.
[(remove nil? [1 nil false]) (filter some? [1 nil false])]
;=> [[1 false] [1 false]]

;; `any?` holds for everything.
[(map any? [nil false 1]) (filter any? [nil 1])]
;=> [[true true true] [nil 1]]

;; It is the predicate that lets all pass.
(defn search ([rows] (search any? rows)) ([pred rows] (count (filter pred rows))))
[(search [1 nil 3]) (search some? [1 nil 3])]
;=> [3 2]

;; `boolean?` asks for true and false.
(map boolean? [true false nil "true" 1])
;=> [true true false false false]

;; `string?` and `char?`: a character is a string of length one.
[(map string? ["a" "" \a :a nil]) (map char? [\a "a" "ab" "" 97])]
;=> [[true true true false false] [true true false false false]]

;; A cleaning step for mixed cells of a table.
(defn clean [cell]
  (cond (string? cell) (str/trim cell) (boolean? cell) (if cell 1 0) :else cell))
(map clean [" a " true false 7 nil])
;=> ["a" 1 0 7 nil]

;; `char?` after taking a string apart.
[(every? char? (seq "owl")) (char? (first "owl")) (char? "owl")]
;=> [true true false]

;; `vector?`, `map?` and `set?` ask for the kind of collection.
(let [values [[1] {:a 1} #{1} "a" nil]]
  [(map vector? values) (map map? values) (map set? values)])
;=> [[true false false false false] [false true false false false] [false false true false false]]

;; Walking a nested value by its kinds.
(defn depth [x]
  (cond (map? x) (inc (reduce max 0 (map depth (vals x))))
        (vector? x) (inc (reduce max 0 (map depth x)))
        (set? x) (inc (reduce max 0 (map depth x)))
        :else 0))
[(depth 5) (depth [1 [2]]) (depth {:a {:b #{1}}})]
;=> [0 2 3]

;; There is one kind of sequence: lists and results of `map` are vectors, and `seq?` and `list?` hold for them.
[(map seq? [[1] '(1) (map inc [1]) nil {:a 1}]) (map list? [[1] '(1) (list) "a"])]
;=> [[true true true false false] [true true true false]]

;; `sequential?` holds for what has an order of its own, `coll?` for all collections; strings are neither.
(let [values [[1] '(1) {:a 1} #{1} "a" nil]]
  [(map sequential? values) (map coll? values)])
;=> [[true true false false false false] [true true true true false false]]

;; `seqable?` holds for everything that can be gone through.
[(map seqable? [[1] {:a 1} #{1} "a" nil]) (map seqable? [1 :a inc])]
;=> [[true true true true true] [false false false]]

;; One value or many: always many.
(defn many [x] (if (sequential? x) x [x]))
[(many 1) (many [1 2]) (many "ab") (map count [(many nil) (many (range 4))])]
;=> [[1] [1 2] ["ab"] [1 4]]

;; `associative?` holds for what `assoc` takes, `counted?` for what knows its size.
(let [values [[1] {:a 1} #{1} "a"]]
  [(map associative? values) (map counted? values)])
;=> [[true true false false] [true true true false]]

;; An endless sequence is `seq?` and `sequential?`, but neither a vector nor counted nor indexed.
(let [endless (iterate inc 0)]
  (map #(% endless) [seq? sequential? coll? vector? counted? indexed?]))
;=> [true true true false false false]

;; `indexed?` and `reversible?` hold for vectors.
[(map indexed? [[1] {:a 1} #{1} "a"]) (map reversible? [[1] {:a 1} #{1}])]
;=> [[true false false false] [true false false]]

;; `map-entry?` holds for the pairs of a map.
[(map-entry? (first {:a 1})) (map-entry? [1 2 3]) (map-entry? {:a 1})]
;=> [true false false]

;; A pair anywhere in a tree, and nothing else.
(filter map-entry? (tree-seq coll? seq {:a [1 2 3]}))
;=> [[:a [1 2 3]]]

;; `fn?` holds for functions, `ifn?` for all that can be called.
(let [values [inc (fn [x] x) #(+ % 1) :a {:a 1} #{1} [1] "a" 5]]
  [(map fn? values) (map ifn? values)])
;=> [[true true true false false false false false false] [true true true true true true true false false]]

;; A value or a way to compute it.
(defn value-of [x] (if (fn? x) (x) x))
[(value-of 5) (value-of (constantly 6)) (value-of :a) (ifn? 'name)]
;=> [5 6 :a true]

;; Delays, volatiles, UUIDs, points in time and regular expressions have their predicates.
[(delay? (delay 1)) (volatile? (volatile! 1)) (uuid? (random-uuid)) (inst? (java.util.Date. 0)) (regex? #"a")]
;=> [true true true true true]

;; They do not take texts or plain values for it.
[(delay? 1) (volatile? (atom 1)) (uuid? "550e8400-e29b-41d4-a716-446655440000") (inst? "2024-03-09") (regex? "a")]
;=> [false false false false false]

;; `type` names the kind; both kinds of number are `:number`.
(map type [1 1.5 "a" \a :a 'a true [1] '(1) {} #{} inc #"a" (atom 1)])
;=> [:number :number :string :string :keyword :symbol :boolean :vector :vector :map :set :function :regex :atom]

;; The type of nil is nil.
(type nil)
;=> nil

;; Compared with a class, `type` and `class` ask for an instance of it, as in Clojure.
(map (fn [x] [(= (type x) String) (= Long (class x)) (not= (class x) Double) (-> x type (= clojure.lang.Keyword))])
     ["a" 1 2.5 :k nil])
;=> [[true false true false] [false true true false] [false false false false] [false false true true] [false false true false]]
(defn show [x] (condp = (type x) String (str "text " x) Long (str "whole " x) "something"))
(map show ["a" 1 nil])
;=> ["text a" "whole 1" "something"]

;; Alone, `class` answers what `type` answers; a name of one's own and a key of the data come first.
[(map class [1 "a" nil]) (let [class 7] (inc class))]
;=> [[:number :string nil] 8]
;- data {:class "5b"}
class
;=> "5b"

;; Counting the kinds in a column.
(frequencies (map type [1 "2" 3.0 nil "x"]))
;=> {:number 2 :string 2 nil 1}

;; Updating only what can be updated: `associative?` before `assoc`.
(map #(if (associative? %) (assoc % 0 :x) %) [[1] {} "a" nil])
;=> [[:x] {0 :x} "a" nil]

;; `reversible?` asks whether `rseq` will do.
(map #(when (reversible? %) (rseq %)) [[1 2] {:a 1} nil])
;=> [[2 1] nil nil]

;; `seqable?` before counting what may be a single value.
(map #(if (seqable? %) (count %) 1) [[1 2 3] {:a 1} "four" nil 5])
;=> [3 1 4 0 1]

;; `list?` tells a call from a name in quoted code.
(map #(if (list? %) (first %) %) '[x (inc x) 5])
;=> [x inc 5]

;; `double?` picks the measured values from the counted ones.
(group-by double? [1 2.5 3 0.1])
;=> {false [1 3] true [2.5 0.1]}

;; `any?` where a predicate is wanted that asks nothing.
(let [checks {:name string? :note any?}]
  (every? (fn [[k valid?]] (valid? (get {:name "Ada" :note nil} k))) checks))
;=> true

;; `realized?` asks whether a delay has run, or the next step of a lazy sequence.
(let [d (delay (+ 1 2)) s (lazy-seq [1])]
  [(realized? d) @d (realized? d) (realized? s) (first s) (realized? s)])
;=> [false 3 true false 1 true]

;; Work that nobody asked for is not done.
(let [reports {:small (delay 1) :large (delay (reduce + (range 1000)))}]
  @(:small reports)
  (update-vals reports realized?))
;=> {:small true :large false}

;; One value at a time.
(nil? 1 2)
;!> arity_error 1:1 nil?: expected 1 argument, got 2

;; A misspelt predicate is found before anything runs.
(filter strng? ["a" 1])
;!> undefined_symbol 1:9 undefined symbol 'strng?'. Did you mean 'string?'?

;; `var?` holds for what `def` answers and `#'` writes.
(def limit 5)
[(var? #'limit) (var? (def other 1)) (var? limit) (var? 'limit)]
;=> [true true false false]

;; A var is called as the function that it names.
(defn double-it [x] (* 2 x))
[(var? #'double-it) (#'double-it 4) (map #'double-it [1 2])]
;=> [true 8 [2 4]]

;; Each question takes one value; several wrong counts are found together.
[(some? 1 2) (any? 1 2) (boolean? 1 2) (string? 1 2) (char? 1 2)]
;!> arity_error 1:2 some?: expected 1 argument, got 2
;!> arity_error 1:14 any?: expected 1 argument, got 2; write (some pred coll)
;!> arity_error 1:25 boolean?: expected 1 argument, got 2
;!> arity_error 1:40 string?: expected 1 argument, got 2
;!> arity_error 1:54 char?: expected 1 argument, got 2

;; The same for kinds of collections …
[(vector? 1 2) (map? 1 2) (set? 1 2) (coll? 1 2) (sequential? 1 2)]
;!> arity_error 1:2 vector?: expected 1 argument, got 2
;!> arity_error 1:16 map?: expected 1 argument, got 2
;!> arity_error 1:27 set?: expected 1 argument, got 2
;!> arity_error 1:38 coll?: expected 1 argument, got 2
;!> arity_error 1:50 sequential?: expected 1 argument, got 2

;; … and for the rest.
[(regex? 1 2) (uuid? 1 2) (inst? 1 2) (delay? 1 2) (volatile? 1 2)]
;!> arity_error 1:2 regex?: expected 1 argument, got 2
;!> arity_error 1:15 uuid?: expected 1 argument, got 2
;!> arity_error 1:27 inst?: expected 1 argument, got 2
;!> arity_error 1:39 delay?: expected 1 argument, got 2
;!> arity_error 1:52 volatile?: expected 1 argument, got 2

;; `type` takes one, too.
[(type 1 2) (fn? 1 2) (ifn? 1 2) (seq? 1 2) (list? 1 2)]
;!> arity_error 1:2 type: expected 1 argument, got 2
;!> arity_error 1:13 fn?: expected 1 argument, got 2
;!> arity_error 1:23 ifn?: expected 1 argument, got 2
;!> arity_error 1:34 seq?: expected 1 argument, got 2
;!> arity_error 1:45 list?: expected 1 argument, got 2
