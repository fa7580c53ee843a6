;; Sorted maps and sets: `sorted-map`, `sorted-set`, `sorted?`, and what keeps the order.

;; Keys come in natural order, whatever the order of the arguments.
[(sorted-map :b 2 :a 1 :c 3) (sorted-set 3 1 2 1)]
;=> [{:a 1 :b 2 :c 3} #{1 2 3}]

;; Nil comes first; shorter vectors come before longer ones.
[(keys (sorted-map 2 :b nil :none 1 :a)) (seq (sorted-set [2 1] [3] [1 2]))]
;=> [[nil 1 2] [[3] [1 2] [2 1]]]

;; What is added finds its place.
[(assoc (sorted-map 3 :c) 1 :a) (conj (sorted-set 5 1) 3) (into (sorted-map) {:z 26 :a 1}) (merge (sorted-map :b 1) {:a 5})]
;=> [{1 :a 3 :c} #{1 3 5} {:a 1 :z 26} {:a 5 :b 1}]

;; So is what an update makes.
(-> (sorted-map) (update "late" (fnil conj (sorted-set)) 3) (update-in ["early" :n] (fnil inc 0)) (assoc-in ["mid"] 5))
;=> {"early" {:n 1} "late" #{3} "mid" 5}

;; `sorted?` asks whether a collection keeps its order.
(map sorted? [(sorted-map) (sorted-set) (empty (sorted-map 1 2)) (dissoc (sorted-map 1 2) 1) (disj (sorted-set 1) 1) {} #{} [1 2]])
;=> [true true true true true false false false]

;; Results of `select-keys`, `update-vals` and sequence functions are plain again.
[(sorted? (select-keys (sorted-map :b 1 :a 2) [:b])) (sorted? (update-vals (sorted-map :a 1) inc)) (map key (sorted-map 2 :b 1 :a))]
;=> [false false [1 2]]

;; A sorted collection equals a plain one with the same content.
[(= (sorted-map :b 1 :a 2) {:b 1 :a 2}) (= #{1 2} (sorted-set 2 1)) (get {(sorted-set 1) :found} #{1})]
;=> [true true :found]

;; Numbers that compare equal are one key; the first spelling stays.
[(sorted-map 1 :a 1.0 :b) (sorted-set 2.0 2)]
;=> [{1 :b} #{2.0}]

;; Lookup takes keywords and strings for each other, as in other maps.
(let [m (sorted-map "a" 1 "b" 2)] [(:a m) (m "b") (get m :c 0) (contains? m :a)])
;=> [1 2 0 true]

;; Keys that have no order together are an error.
(sorted-map 1 :one "two" 2)
;!> type_error 1:1 cannot compare string with number: the keys of a sorted collection must be comparable with each other

;; `first` and `last` are the least and the greatest.
(let [times (into (sorted-set) [930 815 1210])] [(first times) (last times)])
;=> [815 1210]

;; A queue by priority: the least key first, values in order of arrival.
(loop [queue (reduce (fn [q [p job]] (update q p (fnil conj []) job)) (sorted-map) [[2 "mail"] [1 "lock"] [2 "log"] [1 "page"]])
       done []]
  (if-let [[p [job & more]] (first queue)]
    (recur (if more (assoc queue p (vec more)) (dissoc queue p)) (conj done job))
    done))
;=> ["lock" "page" "mail" "log"]
