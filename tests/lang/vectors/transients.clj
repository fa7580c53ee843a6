;; `transient`, the functions with `!`, then `persistent!`: the pattern of Clojure for building fast works here as well.
(persistent! (reduce conj! (transient []) (range 5)))
;=> [0 1 2 3 4]

;; Maps: `assoc!` puts, `dissoc!` takes out.
(let [m (-> (transient {:a 1 :b 2})
            (assoc! :c 3)
            (dissoc! :a))]
  (persistent! m))
;=> {:b 2 :c 3}

;; Sets: `conj!` adds, `disj!` takes out.
(-> (transient #{1 2}) (conj! 3) (disj! 1 2) persistent!)
;=> #{3}

;; Vectors: `pop!` takes off the end, `assoc!` replaces by position.
(-> (transient [1 2 3]) pop! (assoc! 0 :x) (conj! :y) persistent!)
;=> [:x 2 :y]

;; The collection at the start is not changed.
(let [start [1 2]
      longer (persistent! (conj! (transient start) 3))]
  [start longer])
;=> [[1 2] [1 2 3]]

;; Counting with a map that is built in place.
(persistent!
  (reduce (fn [counts x] (assoc! counts x (inc (get counts x 0))))
          (transient {})
          ["a" "b" "a"]))
;=> {"a" 2 "b" 1}

;; A set of the letters that occur twice.
(persistent!
  (second
    (reduce (fn [[seen twice] c] (if (seen c) [seen (conj! twice c)] [(conj seen c) twice]))
            [#{} (transient #{})]
            "banana")))
;=> #{"a" "n"}

;; Reading a transient works as reading the collection.
(let [t (conj! (transient [7]) 8)]
  [(count t) (nth t 1) (get t 5)])
;=> [2 8 nil]

;; The value of the call must be used; the name keeps the old one. A warning says so.
(let [t (transient [])]
  (conj! t 1)
  (persistent! t))
;=> []
;warn> dropped-result 2:3 the result of (conj! ...) is dropped here: values never change in place; bind it with let or def, or make it the last form

;; `conj!` adds to a map as `conj` does, and starts a vector from nothing.
[(persistent! (conj! (transient {:a 1}) [:b 2])) (persistent! (conj!))]
;=> [{:a 1 :b 2} []]

;; Several keys at once.
[(persistent! (dissoc! (transient {:a 1 :b 2 :c 3}) :a :c)) (persistent! (assoc! (transient {}) :a 1 :b 2))]
;=> [{:b 2} {:a 1 :b 2}]

;; Removing members that are not there.
(persistent! (disj! (transient #{:a}) :z))
;=> #{:a}

;; An empty vector has nothing to pop.
(pop! (transient []))
;!> argument_error 1:1 pop!: the vector is empty; test it with (seq v) first

;; `dissoc!` needs a map, `disj!` a set.
(dissoc! (transient [1]) 0)
;!> type_error 1:1 dissoc!: expected a map, got vector

;; A transient of something else than a collection.
(transient 5)
;!> type_error 1:1 transient: expected a vector, map or set, got number

;; A loop that fills a transient passes it on with each turn.
(loop [i 0 t (transient [])]
  (if (< i 4)
    (recur (inc i) (conj! t (* i i)))
    (persistent! t)))
;=> [0 1 4 9]

;; Building an index of many rows at once.
(let [rows (map (fn [i] {:id i :v (* 2 i)}) (range 1000))
      index (persistent! (reduce (fn [m row] (assoc! m (:id row) row)) (transient {}) rows))]
  [(count index) (index 999)])
;=> [1000 {:id 999 :v 1998}]

;; `into` does the same in one word.
(= (into {} (map (juxt :id identity)) [{:id 1} {:id 2}])
   (persistent! (reduce #(assoc! %1 (:id %2) %2) (transient {}) [{:id 1} {:id 2}])))
;=> true

;; A transient can be given back from a function, and made persistent by the caller.
(defn fill [t xs] (reduce conj! t xs))
(persistent! (fill (fill (transient #{}) [1 2]) [2 3]))
;=> #{1 2 3}
