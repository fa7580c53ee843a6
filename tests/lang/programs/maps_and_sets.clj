;; The shortest way in a graph: breadth first, with a set of what was seen.
(def roads {:a [:b :c] :b [:d] :c [:d :e] :d [:f] :e [:f] :f []})
(defn shortest [from to]
  (loop [paths [[from]] seen #{from}]
    (when-let [path (first paths)]
      (if (= (peek path) to)
        path
        (let [new (remove seen (roads (peek path)))]
          (recur (into (subvec paths 1) (map #(conj path %)) new)
                 (into seen new)))))))
[(shortest :a :f) (shortest :b :e)]
;=> [[:a :b :d :f] nil]

;; Tasks in an order in which each comes after what it needs.
(defn order-of [needs]
  (loop [needs needs done []]
    (if (empty? needs)
      done
      (let [ready (keep (fn [[task before]] (when (empty? before) task)) needs)]
        (if (empty? ready)
          {:stuck (keys needs)}
          (recur (-> (apply dissoc needs ready)
                     (update-vals #(remove (set ready) %)))
                 (into done ready)))))))
[(order-of {:eat [:cook] :cook [:shop :light] :shop [] :light []})
 (order-of {:egg [:hen] :hen [:egg]})]
;=> [[:shop :light :cook :eat] {:stuck [:egg :hen]}]

;; The game of life: cells are a set of places, a step counts neighbours.
(defn step [cells]
  (let [neighbours (fn [[x y]] (for [dx [-1 0 1] dy [-1 0 1] :when (not= 0 dx dy)] [(+ x dx) (+ y dy)]))]
    (set (for [[cell n] (frequencies (mapcat neighbours cells))
               :when (or (= n 3) (and (= n 2) (cells cell)))]
           cell))))
(let [blinker #{[1 0] [1 1] [1 2]}]
  [(sort (step blinker)) (= blinker (step (step blinker)))])
;=> [[[0 1] [1 1] [2 1]] true]

;; Rows joined to an index, with a mark where nothing fits.
(let [products (into {} (map (juxt :sku identity)) [{:sku "A" :price 5} {:sku "B" :price 9}])]
  (map (fn [{:keys [sku qty]}]
         (if-let [{:keys [price]} (products sku)]
           {:sku sku :total (* qty price)}
           {:sku sku :error "unknown"}))
       [{:sku "B" :qty 2} {:sku "X" :qty 1}]))
;=> [{:sku "B" :total 18} {:sku "X" :error "unknown"}]

;; What changed between two versions of a map.
(let [before {:name "Ann" :age 41 :city "Rome"}
      after {:name "Ann" :age 42 :mail "a@x"}]
  {:added (select-keys after (remove #(contains? before %) (keys after)))
   :removed (keys (apply dissoc before (keys after)))
   :changed (into {} (for [[k v] before :when (and (contains? after k) (not= v (after k)))] [k [v (after k)]]))})
;=> {:added {:mail "a@x"} :removed [:city] :changed {:age [41 42]}}

;; A nested map is made flat, with paths as keys, and back.
(defn flat [m]
  (into {} (mapcat (fn [[k v]]
                     (if (map? v)
                       (map (fn [[path x]] [(into [k] path) x]) (flat v))
                       [[[k] v]]))
                   m)))
(let [nested {:a 1 :b {:c 2 :d {:e 3}}}
      paths (flat nested)]
  [paths (= nested (reduce-kv assoc-in {} paths))])
;=> [{[:a] 1 [:b :c] 2 [:b :d :e] 3} true]

;; A tree of a list of parents.
(let [rows [{:id 1} {:id 2 :parent 1} {:id 3 :parent 1} {:id 4 :parent 3}]
      children (group-by :parent rows)
      build (fn build [row] {:id (:id row) :children (mapv build (children (:id row)))})]
  (map build (children nil)))
;=> [{:id 1 :children [{:id 2 :children []} {:id 3 :children [{:id 4 :children []}]}]}]

;; A pivot table: months as rows, kinds as columns.
(->> [{:month "jan" :kind :in :n 10} {:month "jan" :kind :out :n 4} {:month "feb" :kind :in :n 7} {:month "jan" :kind :in :n 1}]
     (reduce (fn [table {:keys [month kind n]}] (update-in table [month kind] (fnil + 0) n)) {}))
;=> {"jan" {:in 11 :out 4} "feb" {:in 7}}

;; The best set of things for a bag: a memory for parts that were solved.
(def best
  (memoize
    (fn [items room]
      (if-let [[{:keys [weight value]} & more] (seq items)]
        (let [without (best more room)]
          (if (> weight room)
            without
            (max without (+ value (best more (- room weight))))))
        0))))
(best [{:weight 3 :value 40} {:weight 4 :value 50} {:weight 5 :value 60} {:weight 2 :value 15}] 8)
;=> 100

;; Groups of friends: sets that touch are joined.
(reduce (fn [groups [a b]]
          (let [touching (filter #(or (% a) (% b)) groups)
                others (remove (set touching) groups)]
            (conj (vec others) (reduce into #{a b} touching))))
        []
        [[1 2] [3 4] [5 6] [4 1]])
;=> [#{5 6} #{4 1 2 3}]

;; Votes are counted, and a tie is told.
(defn winner [votes]
  (let [counts (frequencies votes)
        most (apply max (vals counts))
        first-places (map key (filter #(= most (val %)) counts))]
    (if (next first-places) {:tie (set first-places)} {:winner (first first-places)})))
[(winner [:red :blue :red]) (winner [:red :blue])]
;=> [{:winner :red} {:tie #{:red :blue}}]

;; An inverted index: in which documents does a word occur?
(let [documents {1 "red apple" 2 "green apple" 3 "red car"}
      index (reduce-kv (fn [index id text]
                         (reduce (fn [index word] (update index word (fnil conj #{}) id))
                                 index
                                 (clojure.string/split text #" ")))
                       {}
                       documents)]
  [(index "apple") (clojure.set/intersection (index "red") (index "apple"))])
;=> [#{1 2} #{1}]

;; A ledger that never goes below zero: each booking is taken or refused.
(reduce (fn [{:keys [balance] :as account} amount]
          (if (neg? (+ balance amount))
            (update account :refused conj amount)
            (update account :balance + amount)))
        {:balance 10 :refused []}
        [5 -20 -15 -1 4])
;=> {:balance 4 :refused [-20 -1]}

;; Defaults, file and command line: the later layer wins, nested keys are kept.
(defn merge-deep [a b]
  (if (and (map? a) (map? b)) (merge-with merge-deep a b) b))
(reduce merge-deep [{:db {:host "local" :port 1} :debug false}
                    {:db {:port 2}}
                    {:debug true}])
;=> {:db {:host "local" :port 2} :debug true}
