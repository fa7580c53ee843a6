;; Values never change: every name keeps what it was given.
(let [a [1 2] b a c (conj a 3) d (assoc a 0 :x)] [a b c d])
;=> [[1 2] [1 2] [1 2 3] [:x 2]]

;; Definitions made from each other are values of their own.
(def v [1])
(def w (conj v 2))
(def x (conj w 3))
[v w x]
;=> [[1] [1 2] [1 2 3]]

;; A value that a loop starts from is still there behind it.
(let [v [1]]
  [(loop [i 0 acc v] (if (< i 3) (recur (inc i) (conj acc i)) acc)) v])
;=> [[1 0 1 2] [1]]

;; All versions of an accumulator can be kept.
(loop [i 0 s "" all []]
  (if (< i 3) (recur (inc i) (str s i) (conj all s)) [s all]))
;=> ["012" ["" "0" "01"]]

;; The same without a loop.
(reductions conj [] [1 2 3])
;=> [[] [1] [1 2] [1 2 3]]

;; What a function closed over does not change either.
(let [x [1] f (fn [] x) y (conj x 2)] [(f) y x])
;=> [[1] [1 2] [1]]

;; Closures in an accumulator see the version of their own round.
(def counts (reduce (fn [acc x] (conj acc (fn [] (count acc)))) [] [:a :b :c]))
(map (fn [f] (f)) counts)
;=> [0 1 2]

;; Arguments are values: a function cannot change what it was given.
(def v [1 2])
(defn longer [xs] (conj xs 3))
[(longer v) (longer v) v]
;=> [[1 2 3] [1 2 3] [1 2]]

;; A literal in a function is a fresh value in every call.
(defn start [] [1 2])
[(conj (start) 3) (assoc (start) 0 :x) (start)]
;=> [[1 2 3] [:x 2] [1 2]]

;; Defaults in a function stay defaults.
(defn options [given] (merge {:size 1} given))
[(options {:color :red}) (assoc (options nil) :size 9) (options nil)]
;=> [{:size 1 :color :red} {:size 9} {:size 1}]

;; The input cannot be changed.
;- data {:rows [1 2]}
(let [more (conj data/rows 3)] [more data/rows (assoc rows 0 :x) rows])
;=> [[1 2 3] [1 2] [:x 2] [1 2]]

;; What was taken out of a map is independent of it.
(let [{:keys [xs] :as m} {:xs [1]}
      ys (conj xs 2)
      n (update m :xs conj 3)]
  [m xs ys n])
;=> [{:xs [1]} [1] [1 2] {:xs [1 3]}]

;; Deep changes make a new map; the old one is whole.
(let [m {:a {:b [1]}} inner (get-in m [:a :b]) n (update-in m [:a :b] conj 2)]
  [inner n m])
;=> [[1] {:a {:b [1 2]}} {:a {:b [1]}}]

;; Parts of a vector do not notice what becomes of it.
(let [v [1 2 3] r (rest v) longer (conj v 4) other (conj r 9)]
  [v r longer other])
;=> [[1 2 3] [2 3] [1 2 3 4] [2 3 9]]
;warn> list-order 1:19 lists and nil become vectors here: conj, peek and pop work at the end; use cons, first and rest for the front

;; Sorting and adding give new collections.
(let [v [3 1 2] sorted (sort v) a (into v [4]) b (into v [5])] [v sorted a b])
;=> [[3 1 2] [1 2 3] [3 1 2 4] [3 1 2 5]]

;; Removing as well.
(let [s #{1 2 3} t (disj s 2) m {:a 1 :b 2} n (dissoc m :a)] [s t m n])
;=> [#{1 2 3} #{1 3} {:a 1 :b 2} {:b 2}]

;; A lazy sequence keeps the vector it was made from.
(let [v [1 2 3] s (map inc v) w (assoc v 0 100)] [s w v])
;=> [[2 3 4] [100 2 3] [1 2 3]]

;; A transient made from a vector leaves the vector alone.
(let [v [1 2] t (conj! (transient v) 3)] [v (persistent! t)])
;=> [[1 2] [1 2 3]]

;; What was read out of an atom stays when the atom goes on.
(let [a (atom [1]) before @a] (swap! a conj 2) [before @a])
;=> [[1] [1 2]]

;; Old and new content of `swap-vals!` are two values.
(let [a (atom [1])] [(swap-vals! a conj 2) (swap-vals! a conj 3)])
;=> [[[1] [1 2]] [[1 2] [1 2 3]]]

;; An atom may hold an older version of itself.
(def a (atom {:x [1]}))
(let [before @a]
  (swap! a update :x conj 2)
  (swap! a assoc :before before)
  @a)
;=> {:x [1 2] :before {:x [1]}}

;; An update that fails half-way leaves map and atom whole.
(def a (atom {:n 1 :m {:k [1]}}))
(defn attempt [f] (try (f) (catch Exception e :failed)))
[(attempt #(swap! a update :n + "x"))
 (attempt #(swap! a update :n (fn [n] (throw (ex-info "no" {})))))
 (attempt #(swap! a update-in [:m :k] (fn [k] (/ 1 0))))
 @a]
;=> [:failed :failed :failed {:n 1 :m {:k [1]}}]

;; The function of an update may look at the whole map.
(let [m {:a [1]}] (update m :a (fn [v] (conj v (count (:a m)) m))))
;=> {:a [1 1 {:a [1]}]}

;; It may look at the atom it updates, too: it sees the old content.
(let [a (atom [1 2]) v (volatile! [1 2])]
  [(swap! a (fn [xs] (conj xs (count @a))))
   (vswap! v (fn [xs] (conj xs @v)))])
;=> [[1 2 2] [1 2 [1 2]]]

;; A value that an error interrupts is whole in the handler.
(let [v [1 2 3]]
  (try
    (println (conj v 4))
    (throw (ex-info "stop" {}))
    (catch Exception e v)
    (finally (println v))))
;=> [1 2 3]
;out> [1 2 3 4]
;out> [1 2 3]

;; Earlier answers are values as well.
[1 2]
;=> [1 2]
(conj *1 3)
;=> [1 2 3]
[*1 *2]
;=> [[1 2 3] [1 2]]

;; A turn that fails takes back even what was changed in place.
(def a (atom [1]))
;=> #'a
(swap! a conj 2)
(swap! a conj 3)
(/ 1 0)
;!> arithmetic_error 3:1 Divide by zero
@a
;=> [1]
