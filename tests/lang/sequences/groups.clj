;; `group-by` collects the elements under the value that the function gives, in order of first appearance.
(group-by odd? [1 2 3 4 5])
;=> {true [1 3 5] false [2 4]}

;; A field as function: orders by their state.
(group-by :state [{:id 1 :state "open"} {:id 2 :state "paid"} {:id 3 :state "open"}])
;=> {"open" [{:id 1 :state "open"} {:id 3 :state "open"}] "paid" [{:id 2 :state "paid"}]}

;; Rows without the field share the group nil.
(keys (group-by :team [{:team :red} {} {:team nil} {:team :blue}]))
;=> [:red nil :blue]

;; A group is a vector: it has positions and an end.
(let [by-size (group-by count ["to" "a" "of" "the"])]
  [(peek (by-size 2)) (get (by-size 2) 0)])
;=> ["of" "to"]

;; Groups by two fields at once, with `juxt`.
(->> [{:y 2024 :m 1 :n 5} {:y 2024 :m 2 :n 7} {:y 2024 :m 1 :n 1}]
     (group-by (juxt :y :m))
     (map (fn [[k rows]] [k (count rows)])))
;=> [[[2024 1] 2] [[2024 2] 1]]

;; The usual report: total per group, largest first.
(->> [{:dept "it" :cost 10} {:dept "hr" :cost 25} {:dept "it" :cost 30}]
     (group-by :dept)
     (map (fn [[dept rows]] {:dept dept :total (reduce + (map :cost rows))}))
     (sort-by :total >))
;=> [{:dept "it" :total 40} {:dept "hr" :total 25}]

;; Nothing grouped is an empty map.
[(group-by :a nil) (group-by identity "abca")]
;=> [{} {"a" ["a" "a"] "b" ["b"] "c" ["c"]}]

;; One map is not a list of rows.
(group-by :dept {:dept "it"})
;!> type_error 1:1 group-by: field access over a collection expects many maps, got one map; use (:dept m)

;; `frequencies` counts how often each element occurs.
[(frequencies "banana") (frequencies [1 1.0 1]) (frequencies nil)]
;=> [{"b" 1 "a" 3 "n" 2} {1 2 1.0 1} {}]

;; How many orders are in which state?
(->> [{:state :open} {:state :paid} {:state :open}]
     (map :state)
     frequencies)
;=> {:open 2 :paid 1}

;; `frequencies` of a number.
(frequencies 3)
;!> type_error 1:1 frequencies: expected a collection, got number

;; `partition` makes groups of n and drops a short rest.
[(partition 2 [1 2 3 4 5]) (partition 3 [1 2])]
;=> [[[1 2] [3 4]] []]

;; A step smaller than n makes windows: the change from day to day.
(map (fn [[before after]] (- after before)) (partition 2 1 [10 12 9 15]))
;=> [2 -3 6]

;; A step larger than n leaves elements out.
(partition 1 3 (range 8))
;=> [[0] [3] [6]]

;; With a padding the short rest is kept, filled up as far as the padding reaches.
[(partition 3 3 [:x :y] [1 2 3 4]) (partition 3 3 [] [1 2 3 4])]
;=> [[[1 2 3] [4 :x :y]] [[1 2 3] [4]]]

;; A flat list of keys and values becomes a map.
(into {} (map vec (partition 2 ["a" 1 "b" 2])))
;=> {"a" 1 "b" 2}

;; The size of a group is positive.
(partition 0 [1 2 3])
;!> argument_error 1:1 partition: expected a positive integer, got 0

;; Size first, collection last.
(partition [1 2 3] 2)
;!> type_error 1:1 partition: expected a positive integer, got vector; write (partition n coll)

;; `partition-all` keeps the short rest.
[(partition-all 2 [1 2 3 4 5]) (partition-all 3 []) (partition-all 3 nil)]
;=> [[[1 2] [3 4] [5]] [] []]

;; With a step every start gets its window, short ones at the end included.
(partition-all 3 1 [1 2 3 4])
;=> [[1 2 3] [2 3 4] [3 4] [4]]

;; Work in batches of at most two.
(map (fn [batch] {:size (count batch) :ids (map :id batch)})
     (partition-all 2 [{:id 1} {:id 2} {:id 3}]))
;=> [{:size 2 :ids [1 2]} {:size 1 :ids [3]}]

;; A negative size.
(partition-all -1 [1 2])
;!> argument_error 1:1 partition-all: expected a positive integer, got -1

;; `partition-by` begins a new group whenever the function's answer changes.
(partition-by odd? [1 3 2 4 5])
;=> [[1 3] [2 4] [5]]

;; Unlike `group-by` it only looks at neighbours: runs of equal letters.
(map (fn [run] [(first run) (count run)]) (partition-by identity "aabccca"))
;=> [["a" 2] ["b" 1] ["c" 3] ["a" 1]]

;; Entries of a log, day by day.
(->> [{:day 1 :e "a"} {:day 1 :e "b"} {:day 2 :e "c"}]
     (partition-by :day)
     (map (fn [entries] [(:day (first entries)) (map :e entries)])))
;=> [[1 ["a" "b"]] [2 ["c"]]]

;; `partition-by` over nothing.
(partition-by odd? nil)
;=> []

;; `combinations` lists every selection of n elements, in input order.
[(combinations [:a :b :c] 2) (combinations [1 2] 0) (combinations [1 2] 3)]
;=> [[[:a :b] [:a :c] [:b :c]] [[]] []]

;; Pairs that add up to a sum.
(filter (fn [[a b]] (= 10 (+ a b))) (combinations [1 4 6 9 5] 2))
;=> [[1 9] [4 6]]

;; `zip` makes rows of columns, until the shortest ends.
[(zip [:a :b] [1 2]) (zip [1 2 3] "ab" [true false]) (zip [1] nil)]
;=> [[[:a 1] [:b 2]] [[1 "a" true] [2 "b" false]] []]

;; `zip` turns rows into columns with `apply`.
(apply zip [[1 2 3] [4 5 6]])
;=> [[1 4] [2 5] [3 6]]
