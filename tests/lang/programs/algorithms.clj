;; Quicksort, as everybody writes it.
(defn quicksort [[pivot & more]]
  (when pivot
    (let [smaller (filter #(< % pivot) more)
          larger (remove #(< % pivot) more)]
      (concat (quicksort smaller) [pivot] (quicksort larger)))))
(quicksort [3 1 4 1 5 9 2 6])
;=> [1 1 2 3 4 5 6 9]

;; Breadth-first search over a graph in a map.
(defn shortest-path [graph from to]
  (loop [paths [[from]] seen #{from}]
    (when-let [[path & others] (seq paths)]
      (if (= to (last path))
        path
        (let [next-nodes (remove seen (get graph (last path)))]
          (recur (into (vec others) (map #(conj path %) next-nodes))
                 (into seen next-nodes)))))))
(let [graph {:a [:b :c] :b [:d] :c [:d :e] :d [:f] :e [:f]}]
  [(shortest-path graph :a :f) (shortest-path graph :f :a)])
;=> [[:a :b :d :f] nil]

;; Roman numerals by a table and a loop.
(def numerals [[1000 "M"] [900 "CM"] [500 "D"] [400 "CD"] [100 "C"] [90 "XC"]
               [50 "L"] [40 "XL"] [10 "X"] [9 "IX"] [5 "V"] [4 "IV"] [1 "I"]])
(defn roman [n]
  (loop [n n out "" [[value sign] & others :as table] numerals]
    (cond
      (zero? n) out
      (>= n value) (recur (- n value) (str out sign) table)
      :else (recur n out others))))
(map roman [4 9 14 1994 2026])
;=> ["IV" "IX" "XIV" "MCMXCIV" "MMXXVI"]

;; The game of life on a set of living cells.
(defn neighbours [[x y]]
  (for [dx [-1 0 1] dy [-1 0 1] :when (not= [0 0] [dx dy])]
    [(+ x dx) (+ y dy)]))
(defn tick [living]
  (set (for [[cell n] (frequencies (mapcat neighbours living))
             :when (or (= n 3) (and (= n 2) (living cell)))]
         cell)))
(let [blinker #{[1 0] [1 1] [1 2]}]
  [(= (tick blinker) #{[0 1] [1 1] [2 1]}) (= (tick (tick blinker)) blinker)])
;=> [true true]

;; Permutations by recursion.
(defn permutations [xs]
  (if (empty? xs)
    [[]]
    (for [x xs
          more (permutations (remove #{x} xs))]
      (vec (cons x more)))))
(permutations [1 2 3])
;=> [[1 2 3] [1 3 2] [2 1 3] [2 3 1] [3 1 2] [3 2 1]]

;; Towers of Hanoi: the moves, and how many there are.
(defn hanoi [n from to via]
  (if (zero? n)
    []
    (concat (hanoi (dec n) from via to) [[from to]] (hanoi (dec n) via to from))))
[(hanoi 2 :a :c :b) (count (hanoi 10 :a :c :b))]
;=> [[[:a :b] [:a :c] [:b :c]] 1023]

;; Dijkstra's shortest ways with a plain map as queue.
(defn distances [graph start]
  (loop [queue {start 0} done {}]
    (if (empty? queue)
      done
      (let [[node d] (apply min-key val queue)
            queue (dissoc queue node)
            done (assoc done node d)
            better (for [[neighbour w] (graph node)
                         :when (not (contains? done neighbour))
                         :let [total (+ d w)]
                         :when (< total (get queue neighbour ##Inf))]
                     [neighbour total])]
        (recur (into queue better) done)))))
(distances {:a {:b 7 :c 3} :b {:d 1} :c {:b 2 :d 8}} :a)
;=> {:a 0 :c 3 :b 5 :d 6}

;; Primes up to a limit: cross out the multiples.
(defn primes [limit]
  (loop [candidates (range 2 (inc limit)) found []]
    (if-let [[p & more] (seq candidates)]
      (recur (remove #(zero? (mod % p)) more) (conj found p))
      found)))
(primes 30)
;=> [2 3 5 7 11 13 17 19 23 29]

;; A tokenizer and a parser for sums: recursion between functions by `letfn`.
(defn parse [text]
  (letfn [(expression [tokens]
            (loop [[left tokens] (term tokens)]
              (if (#{"+" "-"} (first tokens))
                (let [[right others] (term (rest tokens))]
                  (recur [[(keyword (first tokens)) left right] others]))
                [left tokens])))
          (term [tokens]
            (if (= "(" (first tokens))
              (let [[inside others] (expression (rest tokens))]
                [inside (rest others)])
              [(parse-long (first tokens)) (rest tokens)]))]
    (first (expression (re-seq #"\d+|[-+()]" text)))))
[(parse "1+2-3") (parse "1-(2+3)")]
;=> [[:- [:+ 1 2] 3] [:- 1 [:+ 2 3]]]

;; What was parsed can be computed by one walk.
(defn compute [form]
  (if (vector? form)
    (let [[op a b] form]
      (({:+ + :- -} op) (compute a) (compute b)))
    form))
(compute [:- 10 [:+ 2 3]])
;=> 5

;; Counting change: the number of ways, with memory in a local atom.
(defn ways [amount coins]
  (let [known (atom {})]
    (letfn [(count-ways [amount coins]
              (cond
                (zero? amount) 1
                (or (neg? amount) (empty? coins)) 0
                :else (or (@known [amount (count coins)])
                          (let [n (+ (count-ways (- amount (first coins)) coins)
                                     (count-ways amount (rest coins)))]
                            (swap! known assoc [amount (count coins)] n)
                            n))))]
      (count-ways amount coins))))
[(ways 10 [5 2 1]) (ways 100 [50 25 10 5 1])]
;=> [10 292]

;; The Collatz chain as a lazy sequence.
(defn collatz [n]
  (lazy-seq
    (cons n (when (not= n 1)
              (collatz (if (even? n) (quot n 2) (inc (* 3 n))))))))
[(collatz 6) (count (collatz 27))]
;=> [[6 3 10 5 16 8 4 2 1] 112]

;; Binary search over a vector, by index.
(defn find-index [v x]
  (loop [low 0 high (dec (count v))]
    (when (<= low high)
      (let [mid (quot (+ low high) 2)
            found (v mid)]
        (cond
          (= found x) mid
          (< found x) (recur (inc mid) high)
          :else (recur low (dec mid)))))))
[(find-index [1 3 5 7 9 11] 7) (find-index [1 3 5] 4)]
;=> [3 nil]
