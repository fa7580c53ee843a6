;; Comparators of sorted collections: `sorted-map-by`, `sorted-set-by`.

;; `>` turns the order round, also for strings; `compare` is the natural order.
[(sorted-set-by > 1 3 2) (sorted-map-by > "a" 1 "b" 2) (sorted-set-by compare 2 1)]
;=> [#{3 2 1} {"b" 2 "a" 1} #{1 2}]

;; A function gives a number, or says whether the first goes before the second.
[(sorted-set-by (fn [a b] (- b a)) 1 3 2) (sorted-set-by (fn [a b] (> a b)) 1 3 2) (sorted-set-by (comparator <) 2 1)]
;=> [#{3 2 1} #{3 2 1} #{1 2}]

;; Keys for which it gives 0 are one key.
(let [by-size (sorted-map-by #(compare (count %1) (count %2)) "ccc" 3 "a" 1)]
  [by-size (get by-size "zzz") (assoc by-size "b" :one) (contains? by-size "xx")])
;=> [{"a" 1 "ccc" 3} 3 {"a" :one "ccc" 3} false]

;; The comparator stays: through `conj`, `into`, `empty`, and with `sorted?`.
(let [s (sorted-set-by > 1)] [(conj s 5) (into s [3 9]) (into (empty s) [7 8]) (sorted? (disj s 1))])
;=> [#{5 1} #{9 3 1} #{8 7} true]

;; By score, then by name.
;- data {:players [{:name "Cid" :score 7} {:name "Ada" :score 9} {:name "Bea" :score 7}]}
(let [by-rank (fn [a b] (compare [(- (:score a)) (:name a)] [(- (:score b)) (:name b)]))]
  (map :name (into (sorted-set-by by-rank) data/players)))
;=> ["Ada" "Bea" "Cid"]

;; It may read what the program defined, and use atoms.
(def rank {:low 0 :mid 1 :high 2})
(def asked (atom 0))
(let [levels (apply sorted-set-by (fn [a b] (swap! asked inc) (compare (rank a) (rank b))) [:high :low :mid])]
  [levels (pos? @asked)])
;=> [#{:low :mid :high} true]

;; It may not end the program,
(sorted-set-by (fn [a b] (return 5)) 1 2)
;!> argument_error 1:1 the comparator of a sorted collection may not return or fail; let it give a number or a boolean

;; and must give something that can be read as an order.
(sorted-map-by (fn [a b] "before") 1 :a 2 :b)
;!> type_error 1:1 the comparator of a sorted collection must give a number or a boolean, got string
