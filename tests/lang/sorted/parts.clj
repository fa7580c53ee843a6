;; Parts of sorted collections: `subseq`, `rsubseq`, and `rseq`.

;; From a key on, or up to one.
(let [s (sorted-set 1 2 3 4 5)] [(subseq s > 2) (subseq s >= 2) (subseq s < 2) (subseq s <= 2)])
;=> [[3 4 5] [2 3 4 5] [1] [1 2]]

;; Between two keys; of a map come entries.
(subseq (sorted-map :a 1 :b 2 :c 3 :d 4) > :a <= :c)
;=> [[:b 2] [:c 3]]

;; `rsubseq` begins at the end.
[(rsubseq (sorted-set 1 2 3 4) < 3) (rsubseq (sorted-map 1 :a 2 :b 3 :c) >= 1 <= 2)]
;=> [[2 1] [[2 :b] [1 :a]]]

;; Where nothing is found the sequence is nil or empty, as in Clojure.
(let [s (sorted-set 1 2)] [(subseq s > 5) (subseq s < 0) (rsubseq s < 0) (rsubseq s > 5)])
;=> [nil [] nil []]

;; The tests mean the place in the order: behind 2 comes 1 here.
[(subseq (sorted-set-by > 1 2 3) > 2) (rsubseq (sorted-set-by > 1 2 3) <= 2)]
;=> [[1] [2 3]]

;; The last reading at or before a time.
(let [readings (sorted-map 900 20.5 1000 21.0 1100 19.8)] (val (first (rsubseq readings <= 1050))))
;=> 21.0

;; `rseq` gives everything in reverse order, nil for nothing.
[(rseq (sorted-map 1 :a 2 :b)) (rseq (sorted-set 1 2 3)) (rseq [1 2]) (rseq (sorted-set))]
;=> [[[2 :b] [1 :a]] [3 2 1] [2 1] nil]

;; A plain set has no such parts.
(subseq #{1 2 3} > 1)
;!> type_error 1:1 subseq: expected a sorted map or set, got set

;; The three best scores.
(take 3 (rseq (into (sorted-map) {71 "Cid" 95 "Ada" 64 "Dan" 88 "Bea"})))
;=> [[95 "Ada"] [88 "Bea"] [71 "Cid"]]
