;; `keys` and `vals` list a map in the order of its entries; without entries they are nil.
[(keys {:b 1 :a 2}) (vals {:b 1 :a 2}) (keys {}) (vals nil)]
;=> [[:b :a] [1 2] nil nil]

;; All values together.
(reduce + (vals {"q1" 10 "q2" 12 "q3" 9}))
;=> 31

;; Column names from the first row.
(clojure.string/join "," (map name (keys (first [{:id 1 :city "Rome"}]))))
;=> "id,city"

;; `keys` and `vals` are for maps.
(keys [1 2])
;!> type_error 1:1 keys: expected a map, got vector

;; `vals` of a string.
(vals "abc")
;!> type_error 1:1 vals: expected a map, got string

;; `key` and `val` take an entry apart.
(let [entry (first {:a 1})]
  [(key entry) (val entry) (vector? entry) (map-entry? entry)])
;=> [:a 1 true true]

;; The names whose value is negative.
(map key (filter (comp neg? val) {:ann 4 :bob -2 :cat -9}))
;=> [:bob :cat]

;; The smallest value in a map.
(apply min (map val {:x 3 :y 1 :z 2}))
;=> 1

;; An entry has two parts.
(key [1 2 3])
;!> type_error 1:1 key: expected a [key value] pair, got a vector of 3 elements

;; A whole map is no entry.
(val {:a 1})
;!> type_error 1:1 val: expected a [key value] pair, got map

;; `map-entry?` is true of vectors with two elements, since entries are such vectors.
(map map-entry? [[:a 1] [1 2 3] (first {:k 0}) {:a 1} nil])
;=> [true false true false false]

;; `entries` lists the pairs; unlike `seq` it is empty, not nil, for an empty map.
[(entries {:q 1 :r 2}) (entries {}) (entries nil)]
;=> [[[:q 1] [:r 2]] [] []]

;; Entries as rows of a table.
(map (fn [[name n]] {:name name :n n}) (entries {"ann" 3 "bob" 1}))
;=> [{:name "ann" :n 3} {:name "bob" :n 1}]

;; `zipmap` makes a map of keys and values, until the shorter ends.
[(zipmap [:a :b] [1 2]) (zipmap [:a :b :c] [1]) (zipmap [] [1]) (zipmap [:a :a] [1 2])]
;=> [{:a 1 :b 2} {:a 1} {} {:a 2}]

;; Lines of CSV as maps: the header names the fields.
(let [[header & rows] (map #(clojure.string/split % #",") ["name,age" "Ann,41" "Bob,7"])]
  (map #(zipmap (map keyword header) %) rows))
;=> [{:name "Ann" :age "41"} {:name "Bob" :age "7"}]

;; `zipmap` takes two collections.
(zipmap :a 1)
;!> type_error 1:1 zipmap: expected a collection, got keyword

;; `hash-map` and `array-map` make maps of their arguments, in the order written.
[(hash-map :b 1 :a 2) (array-map :z 1 :a 2) (hash-map) (array-map)]
;=> [{:b 1 :a 2} {:z 1 :a 2} {} {}]

;; With `apply` a flat list of keys and values becomes a map.
[(apply hash-map ["x" 1 "y" 2]) (apply array-map [:k :v])]
;=> [{"x" 1 "y" 2} {:k :v}]

;; A key without value.
(hash-map :a 1 :b)
;!> arity_error 1:1 hash-map: expected key value pairs, the last key has no value

;; `array-map` checks its pairs too.
(array-map :a)
;!> arity_error 1:1 array-map: expected key value pairs, the last key has no value

;; A map is walked in the order in which its keys came in, by everything that walks it.
(let [m (-> {} (assoc :c 3) (assoc :a 1) (assoc :b 2))]
  [(keys m) (map first m) (for [[k v] m] v) (reduce-kv (fn [acc k _] (conj acc k)) [] m) (str m)])
;=> [[:c :a :b] [:c :a :b] [3 1 2] [:c :a :b] "{:c 3 :a 1 :b 2}"]

;; Two maps with the same entries are equal, whatever their order.
[(= {:a 1 :b 2} {:b 2 :a 1}) (= {:a 1} {:a 1.0}) (= {:a 1} {"a" 1})]
;=> [true true false]

;; Back to a map: `into {}` of pairs, here with keys and values exchanged.
(into {} (map (fn [[k v]] [v k]) {:a 1 :b 2}))
;=> {1 :a 2 :b}

;; `for` with `into {}` builds an index.
(into {} (for [{:keys [id] :as row} [{:id 1 :v "x"} {:id 2 :v "y"}]]
           [id (:v row)]))
;=> {1 "x" 2 "y"}

;; A map sorted by key is a sequence of entries in that order.
(sort {"b" 1 "a" 2})
;=> [["a" 2] ["b" 1]]

;; Destructuring names the entries of a map.
(let [{:keys [name age] :or {age 0} :as person} {:name "Ann"}]
  [name age person])
;=> ["Ann" 0 {:name "Ann"}]

;; `count` counts entries, `empty?` asks whether there are any, `first` is the oldest.
(let [m {:x 1 :y 2}]
  [(count m) (empty? m) (empty? (dissoc m :x :y)) (first m)])
;=> [2 false true [:x 1]]

;; `filter` and `remove` on a map give pairs, and the map is made again with `into`.
(into {} (remove (fn [[_ v]] (nil? v)) {:a 1 :b nil :c false}))
;=> {:a 1 :c false}

;; Nested counting: how often does each value occur?
(frequencies (vals {:ann :red :bob :blue :cat :red}))
;=> {:red 2 :blue 1}
