;; A generator that becomes a key or a member is made first, so it is found by an equal vector.
(let [pair (take-while #(< % 2) (range))]
  [(contains? (set [pair]) [0 1])
   (contains? (conj #{} pair) [0 1])
   (get (zipmap [pair] [:hit]) [0 1])
   (get (into {} [[pair :hit]]) [0 1])
   (get (assoc {} pair :hit) [0 1])])
;=> [true true :hit :hit :hit]

;; Equal elements are one, whether they are made yet or not.
(let [pair (take-while #(< % 2) (range))]
  [(count (set [pair [0 1]])) (distinct [pair [0 1]]) (dedupe [pair [0 1]]) (frequencies [pair [0 1]])])
;=> [1 [[0 1]] [[0 1]] {[0 1] 2}]

;; Groups whose criterion is a generator.
(let [digits-below (fn [n] (take-while #(< % n) (iterate inc 0)))]
  (get (group-by digits-below [2 1 2]) [0 1]))
;=> [2 2]

;; A generator asks a set or map for itself: as function, by path, by `replace` and by `select-keys`.
(let [pair (take-while #(< % 2) (range))]
  [(#{[0 1]} pair)
   ({[0 1] :hit} pair)
   (some #{[0 1]} [pair])
   (get {[[0 1]] :hit} [pair])
   (get-in {[0 1] {:a 5}} [pair :a])
   (replace {[0 1] :x} [pair])
   (select-keys {[0 1] 1} [pair])])
;=> [[0 1] :hit [0 1] :hit 5 [:x] {[0 1] 1}]

;; A vector contains it, too.
(contains? [(take-while #(< % 2) (range))] [0 1])
;=> true

;; Counting in a map whose keys are generators.
(reduce (fn [counts k] (update counts k (fnil inc 0)))
        {}
        [(take-while #(< % 2) (range)) [0 1] (take-while #(< % 2) (range))])
;=> {[0 1] 3}

;; Generators inside of rows are sorted like vectors.
(let [pair (take-while #(< % 2) (range))]
  [(sort [[0 2] pair])
   (map :id (sort-by :k [{:id 1 :k [0 2]} {:id 2 :k pair}]))
   (max-by identity [[0 0] pair])])
;=> [[[0 1] [0 2]] [2 1] [0 1]]

;; A remembered function knows an argument again that is an equal sequence.
(let [size (memoize (fn [xs] (println "counting") (count xs)))]
  [(size (take-while #(< % 2) (range))) (size [0 1])])
;=> [2 2]
;out> counting

;; Tables joined by a key that is a generator.
(set/join #{{:k [0 1] :a 1}} [{:k (take-while #(< % 2) (range)) :b 2}])
;=> #{{:k [0 1] :a 1 :b 2}}
