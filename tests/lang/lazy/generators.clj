;; `iterate` is endless: the value, the function of it, the function of that, and so on.
(take 5 (iterate #(* 2 %) 1))
;=> [1 2 4 8 16]

;; The first power of two above a thousand.
(first (drop-while #(<= % 1000) (iterate #(* 2 %) 1)))
;=> 1024

;; `nth` reads one place of an endless sequence: the tenth Fibonacci number.
(let [fibs (map first (iterate (fn [[a b]] [b (+ a b)]) [0 1]))]
  [(nth fibs 10) (take 8 fibs)])
;=> [55 [0 1 1 2 3 5 8 13]]

;; `cycle` repeats a collection without end: colours for rows.
(map (fn [row colour] (assoc row :colour colour))
     [{:id 1} {:id 2} {:id 3}]
     (cycle [:white :grey]))
;=> [{:id 1 :colour :white} {:id 2 :colour :grey} {:id 3 :colour :white}]

;; `cycle` of nothing is empty.
[(take 3 (cycle [])) (take 3 (cycle nil)) (take 4 (cycle "ab"))]
;=> [[] [] ["a" "b" "a" "b"]]

;; `cycle` needs a collection.
(cycle 3)
;!> type_error 1:1 cycle: expected a collection, got number

;; `repeatedly` calls a function again and again, n times or without end.
(let [counter (atom 0)
      tick (fn [] (swap! counter inc))]
  [(repeatedly 3 tick) (take 2 (repeatedly tick))])
;=> [[1 2 3] [4 5]]

;; The function of `repeatedly` takes no arguments; with a count of zero it is never called.
[(repeatedly 0 (fn [] (/ 1 0))) (repeatedly 2 (constantly :x))]
;=> [[] [:x :x]]

;; `repeat` without a count is endless too; with `map` it supplies a fixed argument.
(map + [1 2 3] (repeat 10))
;=> [11 12 13]

;; `range` without an end numbers things.
(zipmap [:a :b :c] (range))
;=> {:a 0 :b 1 :c 2}

;; `lazy-seq` delays its body: a sequence may refer to itself as long as it is not asked for too much.
(defn countdown [n]
  (lazy-seq (when (pos? n) (cons n (countdown (dec n))))))
(countdown 4)
;=> [4 3 2 1]

;; Without an end condition it is endless, and `take` cuts it.
(defn squares-from [n] (lazy-seq (cons (* n n) (squares-from (inc n)))))
(take 4 (squares-from 3))
;=> [9 16 25 36]

;; The sieve of a textbook.
(defn sieve [[p & candidates]]
  (lazy-seq (cons p (sieve (remove #(zero? (mod % p)) candidates)))))
(take 6 (sieve (iterate inc 2)))
;=> [2 3 5 7 11 13]

;; The body of a `lazy-seq` runs when it is asked for, and once only.
(let [xs (lazy-seq (println "made") [1 2])]
  (println "defined")
  [(first xs) (count xs)])
;=> [1 2]
;out> defined
;out> made

;; A `lazy-seq` of nil is empty.
[(lazy-seq nil) (seq (lazy-seq [])) (count (lazy-seq nil))]
;=> [[] nil 0]

;; `lazy-cat` joins sequences whose expressions run only when their turn comes.
(let [xs (lazy-cat [1 2] (do (println "second part") [3]))]
  (println (first xs))
  xs)
;=> [1 2 3]
;out> 1
;out> second part

;; `lazy-cat` may end in itself: a traffic light.
(defn lights [] (lazy-cat [:green :yellow :red] (lights)))
(take 5 (lights))
;=> [:green :yellow :red :green :yellow]

;; `tree-seq` walks a tree, parents before their children.
(map :name (tree-seq :children :children
                     {:name "root" :children [{:name "src" :children [{:name "main"}]} {:name "docs"}]}))
;=> ["root" "src" "main" "docs"]

;; All leaves of nested vectors.
(remove vector? (tree-seq vector? identity [1 [2 [3]] 4]))
;=> [1 2 3 4]

;; A node that is no branch has no children; a branch may give nil.
[(tree-seq vector? identity 5) (count (tree-seq map? (constantly nil) {:a 1}))]
;=> [[5] 1]

;; `iteration` asks for page after page, with the key that the page before gave, until there is none.
(let [pages {nil {:rows [1 2] :more "b"} "b" {:rows [3] :more "c"} "c" {:rows [4]}}]
  (into [] cat (iteration (fn [token] (pages token)) :vf :rows :kf :more)))
;=> [1 2 3 4]

;; `:somef` says whether a page counts, `:initk` is the first key.
(vec (iteration (fn [n] {:value (* n n) :next (inc n)})
                :somef #(< (:value %) 30)
                :vf :value
                :kf :next
                :initk 3))
;=> [9 16 25]

;; Without options the answers are the values and the next keys at once, until nil comes.
(vec (iteration (fn [n] (let [n (or n 0)] (when (< n 3) (inc n))))))
;=> [1 2 3]

;; A `for` with a test and two collections, in a function that an endless sequence calls.
(take 2 (map (fn [n] (for [x [1 2 3] :when (odd? x) y [10 20]] (+ x y n))) (iterate inc 0)))
;=> [[11 21 13 23] [12 22 14 24]]

;; The same with a `:while`.
(first (map #(for [x [1 3 4 5] :while (odd? x) y [10 20]] (+ x y %)) (range)))
;=> [11 21 13 23]
