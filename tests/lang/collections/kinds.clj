;; Every kind of collection is known by its predicate.
(map (juxt vector? map? set? coll?) [[1] {:a 1} #{1} "ab" nil])
;=> [[true false false true] [false true false true] [false false true true] [false false false false] [false false false false]]

;; A function that treats a value by its kind: the size of anything nested.
(defn size [x]
  (cond
    (map? x) (reduce + (map size (vals x)))
    (coll? x) (reduce + (map size x))
    :else 1))
(size {:a [1 2 #{3 4}] :b "text"})
;=> 5

;; There is one kind of sequence: what `map` and `list` answer are vectors as well.
[(vector? (map inc [1])) (seq? (map inc [1])) (list? (list 1)) (sequential? (list 1)) (vector? (list 1))]
;=> [true true true true true]

;; Sets and maps are collections, but not sequential.
(map sequential? [[1] (list 1) #{1} {:a 1} "ab" nil])
;=> [true true false false false false]

;; Nested sequences are told from leaves by `sequential?`.
(defn depth [x] (if (sequential? x) (inc (reduce max 0 (map depth x))) 0))
[(depth 1) (depth []) (depth [1 [2 [3]] 4])]
;=> [0 1 3]

;; `seq?` and `list?` are false of maps, sets and strings.
[(map seq? [{} #{} "a" nil 5]) (map list? [{} #{} "a" nil 5])]
;=> [[false false false false false] [false false false false false]]

;; `map?` decides whether a row has fields.
(map #(if (map? %) (:id %) %) [{:id 1} 2 {:id 3}])
;=> [1 2 3]

;; `set?` keeps membership tests apart from positions.
(let [has? (fn [coll x] (if (set? coll) (contains? coll x) (boolean (some #{x} coll))))]
  [(has? #{1 2} 2) (has? [5 6] 1) (has? [5 6] 6)])
;=> [true false true]

;; `associative?` means: `assoc` works.
(map associative? [{:a 1} [1] #{1} "ab" nil])
;=> [true true false false false]

;; Put a mark where it can be put.
(map #(if (associative? %) (assoc % 0 :mark) %) [[1 2] {} :x])
;=> [[:mark 2] {0 :mark} :x]

;; `counted?` is true of finished collections; a string is none.
(map counted? [[1] {:a 1} #{1} (range 3) nil])
;=> [true true true true false]

;; An endless sequence is not counted.
[(counted? (range)) (counted? (vec (take 3 (range))))]
;=> [false true]

;; `indexed?` and `reversible?` are true of vectors: `nth` and `rseq` are cheap.
[(map indexed? [[1] {:a 1} #{1}]) (map reversible? [[1] #{1} "ab"])]
;=> [[true false false] [true false false]]

;; The last element of what can be read from the end.
(let [last-of (fn [xs] (if (reversible? xs) (first (rseq xs)) (last (seq xs))))]
  (map last-of [[1 2] "xyz" {:a 1}]))
;=> [2 "z" [:a 1]]

;; `indexed?` chooses between position and search.
(let [third (fn [xs] (if (indexed? xs) (nth xs 2) :unordered))]
  (map third [[1 2 3] #{1 2 3}]))
;=> [3 :unordered]

;; `seqable?` is true of everything that has elements, nil and strings included.
(map seqable? [[1] {:a 1} #{1} "ab" nil 5 :k])
;=> [true true true true true false false]

;; Values or lists of values are made lists.
(map #(if (and (seqable? %) (not (string? %))) (vec %) [%]) [[1 2] 3 "ab" nil])
;=> [[1 2] [3] ["ab"] []]

;; `coll?` keeps strings out.
(filter coll? [1 "ab" [2] {:c 3} nil #{4}])
;=> [[2] {:c 3} #{4}]

;; `type` names the kind with a keyword.
(map type [[1] {:a 1} #{1} (map inc [1])])
;=> [:vector :map :set :vector]

;; `ifn?` is true of everything that can be called, `fn?` only of functions.
[(map fn? [inc (fn [x] x) :k {:a 1} #{1} 5]) (map ifn? [inc (fn [x] x) :k {:a 1} #{1} 5 "s" nil])]
;=> [[true true false false false false] [true true true true true false false false]]

;; A default or a function that makes it.
(let [resolve (fn [x] (if (fn? x) (x) x))]
  (map resolve [1 (fn [] 2) :three]))
;=> [1 2 :three]

;; Whatever can be called may be a key for sorting.
(let [order-by (fn [k rows] (if (ifn? k) (sort-by k rows) rows))]
  [(order-by :n [{:n 2} {:n 1}]) (order-by 5 [{:n 2} {:n 1}])])
;=> [[{:n 1} {:n 2}] [{:n 2} {:n 1}]]

;; Metadata are read and ignored: `meta` is nil, and values stay what they are.
[(meta ^{:doc "x"} [1]) (with-meta [1] {:a 1}) (meta (with-meta [1] {:a 1})) (vary-meta {:k 1} assoc :a 1)]
;=> [nil [1] nil {:k 1}]

;; `vary-meta` and `with-meta` in a pipeline change nothing.
(-> {:n 1} (with-meta {:source "db"}) (vary-meta assoc :line 3) (update :n inc))
;=> {:n 2}

;; `meta` of a thing without metadata is nil, as in Clojure.
(nil? (meta {:a 1}))
;=> true
