;; `apply` hands generators to every function as they are.
(let [xs (take-while #(< % 3) (range))]
  [(apply count [xs]) (apply str [xs]) (apply first [xs]) (apply = [xs [0 1 2]]) (apply nth [xs 1]) (apply vec [xs])])
;=> [3 "[0 1 2]" 0 true 1 [0 1 2]]

;; Fixed arguments before a generator.
(let [xs (take-while #(< % 3) (range))]
  [(apply hash-set 1 [xs]) (apply into [[:a] xs]) (apply assoc {} [xs 1])])
;=> [#{1 [0 1 2]} [:a 0 1 2] {[0 1 2] 1}]

;; Columns of lazy rows.
(let [row (fn [n] (take-while #(< % (+ n 3)) (iterate inc n)))]
  [(apply mapv + [(row 0) (row 10)]) (apply map vector [(row 0) (row 10)])])
;=> [[10 12 14] [[0 10] [1 11] [2 12]]]

;; `trampoline` and `memoize` do as well.
(let [xs (take-while #(< % 3) (range))]
  [(trampoline count xs) ((memoize count) xs)])
;=> [3 3]

;; `mapv` with an endless sequence stops at the shortest.
[(mapv vector (range) "ab") (mapv + (iterate inc 1) [10 20])]
;=> [[[0 "a"] [1 "b"]] [11 22]]

;; A generator and a finished sequence are unequal at the first difference, even when one never ends.
[(= (range) [0 1]) (= [1 2] (iterate inc 1)) (= [0 5] (range))]
;=> [false false false]

;; `doall` and `dorun` with a count go on only so far.
(let [made (atom 0)
      xs (map (fn [n] (swap! made inc) n) (iterate inc 1))]
  [(first (doall 3 xs)) (< @made 10) (dorun 3 xs)])
;=> [1 true nil]

;; `concat` joins a sequence of sequences that has no end.
(take 5 (apply concat (repeat [1 2])))
;=> [1 2 1 2 1]
