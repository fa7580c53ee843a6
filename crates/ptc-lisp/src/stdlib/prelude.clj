;; Builtins that call functions, in the language itself. Their frames stay out of traces. Names that begin with % are
;; hidden from programs. An eager sequence gives a vector, an unrealised one a generator.
;;
;; A definition is also the row of its builtin: docstring, :examples [program value ...], parameter lists (:arglists where
;; they differ from the arities), :within [namespace ...] that have the name too, :carries n when calls are pure whose
;; argument n is a pure function, :pure true when they are in any case, :demand how much is read of the collections (:each,
;; :prefix, :stops; with the collection first :for and, without a function, :all), and the columns of stdlib/facts.rs
;; (:callback, :size, :returns, :owns, :stage, :alike, :computes).

(family "Mapping and filtering")

;; A call over a vector is a loop in place here as in every program: the loop of the function is the one in its own body.

(defn map "`f` of each element; several collections stop at the shortest."
  {:returns :sequence :callback :rows :size [:shortest 1] :stage true :demand :each :carries 0 :arglists ([f] [f & colls])
   :examples [(map inc [1 2]) [2 3] (map + [1 2 3] [10 20]) [11 22]]}
  ([f] (%map-xf f))
  ([f coll] (if (%generator? coll) (%lazy-map f coll) (map f (%elements "map" f coll))))
  ([f a b]
   (let [rows (%rows "map" a b)]
     (if rows (map (fn [[x y]] (f x y)) rows) (%lazy-map f a b))))
  ([f a b & more]
   (let [rows (apply %rows "map" a b more)]
     (if rows (map (fn [row] (apply f row)) rows) (apply %lazy-map f a b more)))))

(defn mapv "Like `map`, always a vector."
  {:callback :rows :size [:shortest 1] :carries 0 :arglists ([f coll & colls]) :examples [(mapv str [1 2]) ["1" "2"]]}
  ([f coll] (map f (%elements "mapv" f coll)))
  ([f a & more] (into [] (apply map f a more))))

(defn filter "The elements for which `pred` is truthy."
  {:returns :sequence :callback [:each 0 1] :size [:same 1] :stage true :demand :each :carries 0 :examples [(filter odd? [1 2 3]) [1 3]]}
  ([pred] (%filter-xf pred))
  ([pred coll] (if (%generator? coll) (%lazy-filter pred coll) (filter pred (%elements "filter" pred coll)))))

(defn filterv "Like `filter`, always a vector."
  {:callback [:each 0 1] :size [:same 1] :carries 0 :examples [(filterv even? [1 2 3]) [2]]}
  [pred coll] (filter pred (%elements "filterv" pred coll)))

(defn remove "The elements for which `pred` is falsy."
  {:returns :sequence :callback [:each 0 1] :size [:same 1] :stage true :demand :each :carries 0 :examples [(remove odd? [1 2 3]) [2]]}
  ([pred] (%remove-xf pred))
  ([pred coll] (if (%generator? coll) (%lazy-remove pred coll) (remove pred (%elements "remove" pred coll)))))

(defn keep "The results of `f` that are not nil."
  {:returns :sequence :callback [:each 0 1] :size [:same 1] :stage true :demand :each :carries 0
   :examples [(keep :a [{:a 1} {} {:a false}]) [1 false]]}
  ([f] (%keep-xf f))
  ([f coll] (if (%generator? coll) (%lazy-keep f coll) (keep f (%elements "keep" f coll)))))

(defn mapcat "The collections that `f` gives, joined."
  {:returns :sequence :callback :rows :size :results :stage true :alike true :carries 0 :demand :each :arglists ([f] [f & colls])
   :examples [(mapcat :t [{:t [1 2]} {} {:t [3]}]) [1 2 3]]}
  ([f] (%mapcat-xf f))
  ([f coll] (if (%generator? coll) (%lazy-mapcat f coll) (mapcat f (%elements "mapcat" f coll))))
  ([f a & more]
   (let [rows (apply %rows "mapcat" a more)]
     (if rows (mapcat (fn [row] (apply f row)) rows) (apply %lazy-mapcat f a more)))))

(defn map-indexed "`(f index element)` of each element."
  {:returns :sequence :callback [:each 0 1] :size [:same 1] :stage true :carries 0 :demand :each
   :examples [(map-indexed vector "hi") [[0 "h"] [1 "i"]]]}
  ([f] (%map-indexed-xf f))
  ([f coll]
   (if (%generator? coll) (%lazy-map-indexed f coll) (map-indexed f (%elements "map-indexed" f coll)))))

(defn keep-indexed "The results of `(f index element)` that are not nil."
  {:returns :sequence :callback [:each 0 1] :size [:same 1] :stage true :carries 0 :demand :each
   :examples [(keep-indexed #(if (odd? %1) %2) [:a :b :c :d]) [:b :d]]}
  ([f] (%keep-indexed-xf f))
  ([f coll]
   (if (%generator? coll) (%lazy-keep-indexed f coll) (keep-indexed f (%elements "keep-indexed" f coll)))))

;; `for` with a collection or a body that is no loop in place: the body may give a mark.
(defn %for {:callback [:each 1 0] :size [:same 0] :demand :for :carries 1} [coll f]
  (if (%generator? coll)
    (%lazy-for coll f)
    (reduce (fn [made x]
              (let [value (f x)]
                (cond
                  (= value %skip) made
                  (= value %stop) (reduced made)
                  :else (conj made value))))
            []
            (%items "for" coll))))

(defn %for-cat {:callback [:each 1 0] :size :results :demand :for :carries 1} [coll f]
  (if (%generator? coll)
    (%lazy-for-cat coll f)
    (into [] cat (%for coll f))))

(defn %doseq {:callback [:each 1 0] :size :scalar} [coll f]
  (let [items (%source "doseq" coll)]
    (loop [i 0]
      (if (and (%at? items i) (not (= (f (nth items i)) %stop))) (recur (inc i)) nil))))

(family "Folding and grouping")

(defn reduce "`f` of accumulator and element, from left to right; `(reduced x)` stops."
  {:callback :fold :carries 0 :examples [(reduce + [1 2 3]) 6 (reduce conj #{} [1 1]) #{1}]}
  ([f coll]
   (if (%generator? coll)
     (if (%at? coll 0) (%reduce-from f (nth coll 0) coll 1) (f))
     (let [items (%items "reduce" f coll)]
       (if (%at? items 0)
         (let [sum (%sum-of-numbers f items)]
           (if (nil? sum) (reduce f items) sum))
         (f)))))
  ([f init coll]
   (if (%generator? coll)
     (%reduce-from f init coll 0)
     (let [items (%items "reduce" f init coll) sum (%sum-of-numbers f init items)]
       (if (nil? sum) (reduce f init items) sum)))))

(defn %reduce-from [f init coll start]
  (loop [i start acc init]
    (let [ready (%ready coll i f)]
      (if ready
        (let [acc (reduce (fn [acc x] (let [acc (f acc x)] (if (reduced? acc) (reduced acc) acc))) acc ready)]
          (if (reduced? acc) (unreduced acc) (recur (+ i (count ready)) acc)))
        acc))))

(defn reduce-kv "`(f acc key value)` over the entries of a map, or index and element of a vector."
  {:callback [:each 0 2] :carries 0 :examples [(reduce-kv (fn [a k v] (+ a v)) 0 {:x 1 :y 2}) 3]}
  [f init m]
  (cond
    (vector? m) (reduce (fn [acc [i x]] (f acc i x)) init (map-indexed vector m))
    (or (nil? m) (map? m)) (reduce-kv f init m)
    :else (%wrong-map "reduce-kv" m)))

;; The first truthy result of pred for an element of an unrealised sequence, read by what is ready of it.
(defn %some-ready [pred coll]
  (loop [i 0]
    (let [ready (%ready coll i)]
      (if ready (or (some pred ready) (recur (+ i (count ready)))) nil))))

(defn %every-ready? [pred coll]
  (loop [i 0]
    (let [ready (%ready coll i)]
      (if ready (and (every? pred ready) (recur (+ i (count ready)))) true))))

(defn some "The first truthy result of `pred`, else nil."
  {:callback [:each 0 1] :demand :prefix :carries 0 :examples [(some #{3 4} [1 3]) 3]}
  [pred coll]
  (if (%generator? coll) (%some-ready pred coll) (some pred (%elements "some" pred coll))))

(defn every? "Whether `pred` is truthy for every element."
  {:callback [:each 0 1] :size :scalar :demand :prefix :carries 0 :examples [(every? odd? [1 3]) true]}
  [pred coll]
  (if (%generator? coll) (%every-ready? pred coll) (every? pred (%elements "every?" pred coll))))

(defn not-any? "Whether `pred` is truthy for no element."
  {:callback [:each 0 1] :size :scalar :demand :prefix :carries 0 :examples [(not-any? odd? [2 4]) true]}
  [pred coll]
  (not (if (%generator? coll) (%some-ready pred coll) (some pred (%elements "not-any?" pred coll)))))

(defn not-every? "Whether `pred` is falsy for some element."
  {:callback [:each 0 1] :size :scalar :demand :prefix :carries 0 :examples [(not-every? odd? [1 2]) true]}
  [pred coll]
  (not (if (%generator? coll) (%every-ready? pred coll) (every? pred (%elements "not-every?" pred coll)))))

(defn group-by "Map of key value to the elements that have it, in order of first appearance."
  {:callback [:each 0 1] :size [:same 1] :returns :table :carries 0
   :examples [(group-by odd? [1 2 3]) {true [1 3] false [2]} (group-by :k [{:k 1}]) {1 [{:k 1}]}]}
  [key coll]
  (%check-many "group-by" key coll)
  (let [items (%elements "group-by" key coll)]
    (cond
      (string? key) (group-by (fn [item] (%field item key)) items)
      (vector? key) (group-by (fn [item] (%path item key)) items)
      :else (group-by key items))))

(defn run! "Call `f` with each element for its effects; nil."
  {:callback [:each 0 1] :size :scalar :examples [(run! println []) nil]}
  [f coll]
  (let [items (%source "run!" coll)]
    (loop [i 0]
      (if (and (%at? items i) (not (reduced? (f (nth items i))))) (recur (inc i)) nil))))

(family "Updating")

(defn update "`m` with `(f old & args)` under `key`; old is nil when absent."
  {:callback [:once 2] :returns :table-of-first :owns :first :carries 2 :arglists ([m key f & args])
   :examples [(update {:n 1} :n + 10) {:n 11}]}
  ([m k f] (%update-at m k f "update"))
  ([m k f a] (%update-at m k (fn [old] (f old a)) "update"))
  ([m k f a & more] (%update-at m k (fn [old] (apply f old a more)) "update")))

;; An update in place, as any program has them; what cannot be made so gets here.
(defn %update-at [m k f name]
  (let [old (%to-update m k name)] (assoc m k (f old))))

(defn update-in "Like `update` along a path, making maps on the way."
  {:callback [:once 2] :returns :table-of-first :owns :first :carries 2 :arglists ([m path f & args])
   :examples [(update-in {:a {:n 1}} [:a :n] inc) {:a {:n 2}}]}
  ([m path f] (%update-along m (%path-to-update m path) 0 f))
  ([m path f & more] (%update-along m (%path-to-update m path) 0 (fn [old] (apply f old more)))))

;; As update-in, on the way of one.
(defn %update-in
  ([m path f] (%update-along m path 0 f))
  ([m path f & more] (%update-along m path 0 (fn [old] (apply f old more)))))

(defn %update-along [m path i f]
  (if (%at? path i)
    (%update-at m (nth path i) (fn [inner] (%update-along inner path (inc i) f)) "update-in")
    (f m)))

(family "Endless sequences")

;; (%unfold step state) is the sequence of items that step makes from state: it answers nil at the end, else [item next-state];
;; for %unfold-all [items next-state].
(defn iterate "An endless sequence: x, (f x), (f (f x)) and so on."
  {:returns :sequence :callback :any :examples [(take 3 (iterate inc 1)) [1 2 3]]}
  [f x] (%iterate f x))

(defn cycle "The elements of coll over and over again."
  {:returns :sequence :examples [(take 4 (cycle [1 2])) [1 2 1 2]]}
  [coll]
  (let [items (%source "cycle" coll)]
    (cond
      (not (%at? items 0)) []
      (%generator? items) (%unfold (fn [i] (if (%at? items i) [(nth items i) (inc i)] [(nth items 0) 1])) 0)
      :else (%cycle items))))

(defn repeatedly "Results of calling f without arguments, n times; without n an endless sequence."
  {:returns :sequence :callback :times :size :number :examples [(repeatedly 2 (fn [] 7)) [7 7]]}
  ([f] (%unfold (fn [_] [(f) nil]) nil))
  ([n f]
   (%number "repeatedly" n)
   (loop [i 0 results []]
     (if (< i n) (recur (inc i) (conj results (f))) results))))

(defn iteration
  "The values of calls of step with the key of the call before (:kf, :initk), until :somef says no; :vf picks the value."
  {:arglists ([step & options])
   :examples [(into [] (iteration (fn [k] (when (< k 3) {:v k :next (inc k)})) :vf :v :kf :next :initk 0)) [0 1 2]]}
  [step & {:keys [somef vf kf initk] :or {somef some? vf identity kf identity initk nil}}]
  (%unfold (fn [state]
             (if state
               (let [page (step (nth state 0))]
                 (if (somef page)
                   (let [following (kf page)]
                     [(vf page) (if (some? following) [following] nil)])
                   nil))
               nil))
           [initk]))

(defn tree-seq "All nodes of a tree, parents first, as a sequence."
  {:examples [(tree-seq vector? identity [1 [2]]) [[1 [2]] 1 [2] 2]]}
  [branch? children root]
  ;; The state is a chain of [siblings index parent-state].
  (%unfold (fn [state]
             (loop [state state]
               (if (nil? state)
                 nil
                 (let [siblings (nth state 0) i (nth state 1) up (nth state 2)]
                   (if (%at? siblings i)
                     (let [node (nth siblings i) here [siblings (inc i) up]]
                       [node (if (branch? node) [(children node) 0 here] here)])
                     (recur up))))))
           [[root] 0 nil]))

;; The elements of coll as a vector, an unrealised sequence as it is; errors name the function that was called.
(defn %source {:size [:same 1]} [name coll] (if (%generator? coll) coll (%items name coll)))

;; --- The unrealised case of sequence functions ---

;; The elements of the sequences that are the elements of colls.
(defn %joined {:demand :all} [colls]
  (%unfold (fn [[i j]]
             (loop [i i j j]
               (if (%at? colls i)
                 (let [inner (nth colls i)]
                   (if (%at? inner j) [(nth inner j) [i (inc j)]] (recur (inc i) 0)))
                 nil)))
           [0 0]))

(defn %lazy-concat [& colls] (%joined colls))

(defn %lazy-mapcat [f & colls] (%joined (apply %lazy-map f colls)))

;; Steps and sizes must be positive integers.
(defn %positive [name n]
  (if (and (int? n) (pos? n)) n (%argument-error name "expected a positive integer")))

;; Up to n elements of coll from index start on.
(defn %slice [coll start n]
  (loop [i 0 taken []]
    (if (and (< i n) (%at? coll (+ start i))) (recur (inc i) (conj taken (nth coll (+ start i)))) taken)))

(defn %lazy-take-nth [n coll] (%lazy-sequence (%take-nth-xf n) coll false))
(defn %lazy-drop-last
  ([coll] (%lazy-drop-last 1 coll))
  ([n coll] (%lazy-map (fn [x _] x) coll (drop n coll))))

(defn %lazy-flatten [coll] (%lazy-remove sequential? (tree-seq sequential? identity coll)))

(defn %lazy-replace [smap coll] (%lazy-map (%replacer smap) coll))

(defn %lazy-interleave [& colls]
  (let [n (count colls)]
    (%unfold (fn [k]
               (let [i (quot k n) row (rem k n)]
                 (if (or (pos? row) (every? (fn [c] (%at? c i)) colls))
                   [(nth (nth colls row) i) (inc k)]
                   nil)))
             0)))

(defn %lazy-interpose [sep coll] (%lazy-sequence (%interpose-xf sep) coll false))
(defn %lazy-for-cat [coll f] (%joined (%lazy-for coll f)))

(defn %lazy-zip [& colls] (apply %lazy-map vector colls))

(defn %lazy-zipmap [ks vs] (into {} (%lazy-map vector ks vs)))

(defn %lazy-distinct [coll] (%lazy-sequence (%distinct-xf) coll false))
(defn %lazy-dedupe [coll] (%lazy-sequence (%dedupe-xf) coll false))
;; Groups of n elements, starting every step; a group that is short gives what (short group next) says.
(defn %lazy-groups [name n step coll short]
  (%positive name n)
  (%positive name step)
  (%unfold (fn [i]
             (let [group (if (nil? i) [] (%slice coll i n))]
               (cond
                 (= (count group) n) [group (+ i step)]
                 (seq group) (short group (+ i step))
                 :else nil)))
           0))

(defn %lazy-partition
  ([n coll] (%lazy-partition n n coll))
  ([n step coll] (%lazy-groups "partition" n step coll (fn [_ _] nil)))
  ([n step pad coll]
   (%lazy-groups "partition" n step coll (fn [group _] [(into group (take (- n (count group)) pad)) nil]))))

(defn %lazy-partition-all
  ([n coll] (%lazy-partition-all n n coll))
  ([n step coll] (%lazy-groups "partition-all" n step coll vector)))

;; What xform makes of the elements of coll, one input element at a time; of rows, each of them is several arguments. What
;; the transducer answers at the end does not count: only what it passes on.
(defn %lazy-sequence [xform coll rows]
  (let [out (volatile! []) step (xform (fn ([] nil) ([acc] acc) ([acc x] (vswap! out conj x) acc)))]
    ;; The state is the index of the next element, nil behind the last.
    (%unfold-all
      (fn [i]
        (vreset! out [])
        (loop [i i]
          (cond
            (nil? i) nil
            (and (%at? coll i) (not (reduced? (if rows (apply step nil (nth coll i)) (step nil (nth coll i))))))
            (let [made @out]
              (if (%at? made 0)
                (do (vreset! out []) [made (inc i)])
                (recur (inc i))))
            :else (do (step nil) [@out nil]))))
      0)))

;; The same, of a vector at once.
(defn %sequence [xform coll rows]
  (if (%generator? coll)
    (%lazy-sequence xform coll rows)
    (let [out (volatile! []) step (xform (fn ([] nil) ([acc] acc) ([acc x] (vswap! out conj x) acc)))]
      (step (reduce (if rows (fn [acc row] (apply step acc row)) step) nil coll))
      @out)))

(family "Sequences by a function")

;; Index of the first element that fails pred; the size when all pass.
(defn %prefix [pred items]
  (let [n (count items)]
    (loop [i 0]
      (if (and (< i n) (pred (nth items i))) (recur (inc i)) i))))

(defn take-while "The elements before the first that fails pred; without coll a transducer."
  {:returns :sequence :callback [:each 0 1] :size [:same 1] :stage true :carries 0 :demand :stops
   :examples [(take-while pos? [1 2 -3 4]) [1 2]]}
  ([pred]
   (fn [rf]
     (fn ([] (rf)) ([acc] (rf acc)) ([acc x] (if (pred x) (rf acc x) (reduced acc))))))
  ([pred coll]
   (if (%generator? coll)
     (%lazy-take-while pred coll)
     (let [items (%items "take-while" coll)]
       (take (%prefix pred items) items)))))

(defn drop-while "The elements from the first that fails pred on; without coll a transducer."
  {:returns :sequence :callback [:each 0 1] :size [:same 1] :stage true :carries 0 :demand :each
   :examples [(drop-while neg? [-2 -1 3 -4]) [3 -4]]}
  ([pred]
   (fn [rf]
     (let [dropping (volatile! true)]
       (fn ([] (rf)) ([acc] (rf acc))
         ([acc x]
          (if (and @dropping (pred x))
            acc
            (do (vreset! dropping false) (rf acc x))))))))
  ([pred coll]
   (if (%generator? coll)
     (%lazy-drop-while pred coll)
     (let [items (%items "drop-while" coll)]
       (drop (%prefix pred items) items)))))

(defn split-with "The elements before the first that fails pred, and the others, as two sequences."
  {:callback [:each 0 1] :size :two :examples [(split-with pos? [5 8 -1 9]) [[5 8] [-1 9]]]}
  [pred coll]
  (if (%generator? coll)
    [(take-while pred coll) (drop-while pred coll)]
    (let [items (%items "split-with" coll)]
      (split-at (%prefix pred items) items))))

(defn partition-by "Groups of neighbours for which f gives the same; without coll a transducer."
  {:returns :sequence :callback [:each 0 1] :size [:same 1] :stage true :carries 0 :demand :each
   :examples [(partition-by odd? [1 3 2 4 5]) [[1 3] [2 4] [5]]]}
  ([f]
   (fn [rf]
     (let [group (volatile! []) before (volatile! nil)]
       (fn ([] (rf))
         ([acc]
          (let [full @group]
            (vreset! group [])
            (rf (if (empty? full) acc (unreduced (rf acc full))))))
         ([acc x]
          (let [key (f x) full @group]
            (if (or (empty? full) (%same? key @before))
              (do (vreset! before key) (vswap! group conj x) acc)
              (let [acc (rf acc full)]
                (vreset! before key)
                (vreset! group (if (reduced? acc) [] [x]))
                acc))))))))
  ([f coll]
   (if (%generator? coll)
     (%lazy-sequence (partition-by f) coll false)
     (let [items (%items "partition-by" coll)]
       (%partition-by items (mapv f items))))))

(defn reductions "The results of each step of reduce."
  {:callback :fold :carries 0 :demand :each :examples [(reductions + [1 2 3]) [1 3 6]]}
  ([f coll]
   (let [items (%source "reductions" coll)]
     (if (%at? items 0) (%reductions f (nth items 0) (drop 1 items)) [(f)])))
  ([f init coll] (%reductions f init (%source "reductions" coll))))

(defn %reductions [f init items]
  (if (%generator? items)
    (%lazy-reductions f init items)
    (let [n (count items)]
      (loop [i 0 acc init results [init]]
        (if (< i n)
          (let [acc (f acc (nth items i))]
            (if (reduced? acc)
              (conj results (unreduced acc))
              (recur (inc i) acc (conj results acc))))
          results)))))

(defn find "The entry of a map under k, or the first element that satisfies pred."
  {:callback :any :arglists ([m k] [pred coll]) :examples [(find {:a nil} :a) [:a nil] (find odd? [2 3]) 3]}
  [f coll]
  (if (or (nil? f) (map? f) (and (vector? f) (not (coll? coll))))
    (%entry f coll)
    (reduce (fn [_ x] (if (f x) (reduced x) nil)) nil (%source "find" coll))))

(defn random-sample "The elements, each one kept with the probability prob; without coll a transducer."
  {:examples [(random-sample 1.0 [1 2 3]) [1 2 3]]}
  ([prob] (%number "random-sample" prob) (filter (fn [_] (< (rand) prob))))
  ([prob coll] (%number "random-sample" prob) (filter (fn [_] (< (rand) prob)) (%source "random-sample" coll))))

(family "Fields of many items")

;; A key as a function: keyword, string and path read fields, everything else is called.
(defn %key-fn [name key coll]
  (%check-many name key coll)
  (cond
    (string? key) (fn [item] (%field item key))
    (vector? key) (fn [item] (%path item key))
    (number? key) (%type-error name "a key such as :name" key)
    :else key))

(defn pluck "The field key of every item, nil where it is missing; key may be a path."
  {:callback [:each 0 1] :size [:same 1] :examples [(pluck :id [{:id 4} {}]) [4 nil]]}
  [key coll]
  (mapv (%key-fn "pluck" key coll) (%items "pluck" coll)))

(defn distinct-by "The first item for each value of key."
  {:callback [:each 0 1] :size [:same 1] :examples [(distinct-by :k [{:k 1 :n "a"} {:k 1 :n "b"}]) [{:k 1 :n "a"}]]}
  [key coll]
  (let [items (%items "distinct-by" coll)]
    (%distinct-by items (mapv (%key-fn "distinct-by" key coll) items))))

(defn sum-by "The sum of key over the items; nil is skipped."
  {:callback [:each 0 1] :examples [(sum-by :a [{:a 1} {} {:a 2}]) 3]}
  [key coll]
  (%sum "sum-by" (mapv (%key-fn "sum-by" key coll) (%items "sum-by" coll))))

(defn avg-by "The mean of key over the items as a float; nil is not counted."
  {:callback [:each 0 1] :examples [(avg-by :score [{:score 4} {:score nil} {:score 5}]) 4.5]}
  [key coll]
  (%avg "avg-by" (mapv (%key-fn "avg-by" key coll) (%items "avg-by" coll))))

(defn min-by "The item with the least key, the first of equals; items whose key is nil are ignored."
  {:callback [:each 0 1] :alike true :arglists ([key coll] [key & items]) :examples [(min-by :p [{:p nil} {:p 3} {:p 2}]) {:p 2}]}
  [key coll & more]
  (%pick-by "min-by" false key coll more))

(defn max-by "The item with the greatest key, the first of equals; items whose key is nil are ignored."
  {:callback [:each 0 1] :alike true :arglists ([key coll] [key & items]) :examples [(max-by :pts [{:pts 3} {:pts 8}]) {:pts 8}]}
  [key coll & more]
  (%pick-by "max-by" true key coll more))

(defn %pick-by [name greatest key coll more]
  (let [given (if (and (nil? more) (seqable? coll)) coll (into [coll] more)) items (%items name given)]
    (%pick name greatest items (mapv (%key-fn name key given) items))))

(defn min-key "The argument for which f gives the least number, the last of equals."
  {:callback :per-argument :alike true :arglists ([f x & more]) :examples [(min-key abs -3 2 -5) 2]}
  ([f x] x)
  ([f x y] (let [known (%number "min-key" (f x))] (if (<= (%number "min-key" (f y)) known) y x)))
  ([f x y & more] (%pick-key "min-key" <= f x (list* y more))))

(defn max-key "The argument for which f gives the greatest number, the last of equals."
  {:callback :per-argument :alike true :arglists ([f x & more]) :examples [(apply max-key val {:m 4 :n 6}) [:n 6]]}
  ([f x] x)
  ([f x y] (let [known (%number "max-key" (f x))] (if (>= (%number "max-key" (f y)) known) y x)))
  ([f x y & more] (%pick-key "max-key" >= f x (list* y more))))

(defn %pick-key [name wins f x more]
  (if (nil? more)
    x
    (let [n (count more)]
      (loop [i 0 best x known (%number name (f x))]
        (if (< i n)
          (let [y (nth more i) key (%number name (f y))]
            (if (wins key known) (recur (inc i) y key) (recur (inc i) best known)))
          best)))))

(defn %where {:callback [:makes :often]}
  ([field] (fn [item] (if (%where-field item field) true false)))
  ([field op value] (fn [item] (%where-test item field op value))))

(defn all-of "The predicate that is true when all preds are."
  {:callback [:makes :often] :arglists ([& preds]) :examples [(filter (all-of pos? even?) [1 2 -4]) [2]]}
  [& ps]
  (fn [x] (every? (fn [p] (p x)) ps)))

(defn any-of "The predicate that is true when one of preds is."
  {:callback [:makes :often] :arglists ([& preds]) :examples [(filter (any-of neg? even?) [1 2 -3]) [2 -3]]}
  [& ps]
  (fn [x] (if (some (fn [p] (p x)) ps) true false)))

(defn none-of "The predicate that is true when none of preds is."
  {:callback [:makes :often] :arglists ([& preds]) :examples [(filter (none-of neg? even?) [1 2 -3]) [1]]}
  [& ps]
  (fn [x] (not-any? (fn [p] (p x)) ps)))

(family "Maps by a function")

(defn update-vals "The map with f applied to each value."
  {:callback [:each 1 0] :size [:same 0] :returns :table-of-first :carries 1 :examples [(update-vals {:a 1} inc) {:a 2}]}
  [m f]
  (cond
    (nil? m) {}
    (map? m) (reduce-kv (fn [acc k v] (%put acc k (f v))) {} m)
    :else (%wrong-map "update-vals" m)))

(defn update-keys "The map with f applied to each key."
  {:callback [:each 1 0] :size [:same 0] :returns :table-of-first :examples [(update-keys {:a 1} name) {"a" 1}]}
  [m f]
  (cond
    (nil? m) {}
    (map? m) (reduce-kv (fn [acc k v] (%put acc (f k) v)) {} m)
    :else (%wrong-map "update-keys" m)))

(defn %merge-with
  ([f] nil)
  ([f a] (%merge-into f nil a))
  ([f a b] (%merge-into f (%merge-into f nil a) b))
  ([f a b & maps]
   (reduce (fn [acc m] (%merge-into f acc m)) (%merge-into f (%merge-into f nil a) b) maps)))
(defn %merge-into [f acc m]
  (cond
    (nil? m) acc
    (nil? acc) (if (map? m) m (%type-error "merge-with" "a map" m))
    (map? m) (reduce-kv (fn [acc k v] (if (%has? acc k) (update acc k f v) (%put acc k v))) acc m)
    :else (%type-error "merge-with" "a map" m)))

(defn %set-select [pred xset]
  (cond
    (nil? xset) nil
    (sorted? xset) (into (empty xset) (filter pred xset))
    :else (set (filter pred xset))))

(family "Trees")

(defn walk "Applies inner to each element of form, rebuilds it, applies outer."
  {:within [walk] :examples [(walk inc (fn [xs] (apply + xs)) [1 2 3]) 9]}
  [inner outer form]
  (outer (if (%branch? form) (%rebuild "walk" form (mapv inner (%items "walk" form))) form)))

(defn prewalk "Applies f to form, then to the parts of what it gives, and so on down."
  {:callback :any :within [walk] :examples [(prewalk (fn [x] (if (number? x) (* 2 x) x)) {:a 1 :b [2]}) {:a 2 :b [4]}]}
  [f form]
  (let [node (f form)]
    (if (%branch? node)
      (%rebuild "prewalk" node (mapv (fn [part] (prewalk f part)) (%items "prewalk" node)))
      node)))

(defn postwalk "Applies f to all parts of form, innermost first, then to form."
  {:callback :any :within [walk] :examples [(postwalk (fn [x] (if (map? x) (:v x) x)) {:v [{:v 1}]}) [1]]}
  [f form]
  (f (if (%branch? form)
       (%rebuild "postwalk" form (mapv (fn [part] (postwalk f part)) (%items "postwalk" form)))
       form)))

(defn %replacer [smap] (fn [x] (if (%has? smap x) (get smap x) x)))

(defn %prewalk-replace [smap form] (prewalk (%replacer smap) form))

(defn %postwalk-replace [smap form] (postwalk (%replacer smap) form))

(defn %walk-keys [f form]
  (postwalk (fn [node]
              (if (map? node) (reduce-kv (fn [acc k v] (%put acc (f k) v)) {} node) node))
            form))

(defn keywordize-keys "The form with string keys of maps made keywords, at every depth."
  {:within [walk] :examples [(keywordize-keys [{"a" {"b" 1}}]) [{:a {:b 1}}]]}
  [m]
  (%walk-keys (fn [k] (if (string? k) (keyword k) k)) m))

(defn stringify-keys "The form with keyword keys of maps made strings, at every depth."
  {:within [walk] :examples [(stringify-keys {:a {:b 1}}) {"a" {"b" 1}}]}
  [m]
  (%walk-keys (fn [k] (if (keyword? k) (name k) k)) m))

(family "Higher-order functions")

(defn comp "The function that calls the last f first and each other one on the result."
  {:pure true :callback [:makes :chain] :arglists ([& fs]) :examples [((comp inc (fn [x] (* 2 x))) 5) 11]}
  ([] identity)
  ([f] f)
  ([f g]
   (fn
     ([] (f (g)))
     ([x] (f (g x)))
     ([x y] (f (g x y)))
     ([x y & more] (f (apply g x y more)))))
  ([f g h]
   (fn
     ([] (f (g (h))))
     ([x] (f (g (h x))))
     ([x y] (f (g (h x y))))
     ([x y & more] (f (g (apply h x y more))))))
  ([f g h & fs]
   (let [chain (vec (reverse (list* f g h fs))) n (count chain)]
     (fn [& args]
       (loop [i 1 result (apply (nth chain 0) args)]
         (if (< i n) (recur (inc i) ((nth chain i) result)) result))))))

(defn partial "The function that calls f with args first."
  {:pure true :callback [:makes :first] :arglists ([f & args]) :examples [((partial + 10) 5) 15]}
  ([f] f)
  ([f a]
   (fn
     ([] (f a))
     ([x] (f a x))
     ([x y] (f a x y))
     ([x y & more] (apply f a x y more))))
  ([f a b]
   (fn
     ([] (f a b))
     ([x] (f a b x))
     ([x y] (f a b x y))
     ([x y & more] (apply f a b x y more))))
  ([f a b & fixed]
   (let [fixed (list* a b fixed)]
     (fn [& args] (apply f (concat fixed args))))))

(defn juxt "The function that gives the results of all fs as a vector."
  {:pure true :callback [:makes :all] :arglists ([& fs]) :examples [((juxt first count) [3 4]) [3 2]]}
  ([a b]
   (fn
     ([] [(a) (b)])
     ([x] [(a x) (b x)])
     ([x y] [(a x y) (b x y)])
     ([x y & more] [(apply a x y more) (apply b x y more)])))
  ([a b c]
   (fn
     ([] [(a) (b) (c)])
     ([x] [(a x) (b x) (c x)])
     ([x y] [(a x y) (b x y) (c x y)])
     ([x y & more] [(apply a x y more) (apply b x y more) (apply c x y more)])))
  ([& fs]
   (fn
     ([] (mapv (fn [f] (f)) fs))
     ([x] (mapv (fn [f] (f x)) fs))
     ([x y] (mapv (fn [f] (f x y)) fs))
     ([x y & more] (mapv (fn [f] (apply f x y more)) fs)))))

(defn complement "The function that is true where f is false."
  {:pure true :callback [:makes :first] :examples [((complement even?) 9) true]}
  [f]
  (fn
    ([] (not (f)))
    ([x] (not (f x)))
    ([x y] (not (f x y)))
    ([x y & more] (not (apply f x y more)))))

(defn constantly "The function that gives x for any arguments."
  {:pure true :callback [:makes :none] :examples [((constantly 5) 1 2) 5]}
  [x] (fn [& _] x))

(defn comparator "The comparator of a predicate that says whether a goes before b."
  {:callback [:makes :often] :examples [((comparator <) 2 1) 1]}
  [pred]
  (fn [a b] (cond (pred a b) -1 (pred b a) 1 :else 0)))

(defn fnil "The function f with defaults in place of nil for its first arguments."
  {:pure true :callback [:makes :first] :arglists ([f d & more]) :examples [((fnil inc 0) nil) 1]}
  ([f d]
   (fn
     ([a] (f (if (nil? a) d a)))
     ([a b] (f (if (nil? a) d a) b))
     ([a b & more] (apply f (if (nil? a) d a) b more))))
  ([f d e]
   (fn
     ([] (f))
     ([a] (f (if (nil? a) d a)))
     ([a b] (f (if (nil? a) d a) (if (nil? b) e b)))
     ([a b & more] (apply f (if (nil? a) d a) (if (nil? b) e b) more))))
  ([f d e & ds]
   (let [defaults (list* d e ds) n (count defaults)]
     (fn [& args]
       (apply f (map-indexed (fn [i a] (if (and (nil? a) (< i n)) (nth defaults i) a)) args))))))

(defn every-pred "The predicate that is true when all ps are true of all its arguments."
  {:callback [:makes :often] :arglists ([p & ps]) :examples [((every-pred pos? even?) 4) true]}
  ([p q]
   (fn
     ([] true)
     ([x] (if (and (p x) (q x)) true false))
     ([x & more] (every? (fn [x] (and (p x) (q x))) (into [x] more)))))
  ([p & ps]
   (let [ps (list* p ps)]
     (fn
       ([] true)
       ([x] (every? (fn [p] (p x)) ps))
       ([x & more] (every? (fn [x] (every? (fn [p] (p x)) ps)) (into [x] more)))))))

(defn some-fn "The function that gives the first truthy result of fs for its arguments."
  {:callback [:makes :often] :arglists ([f & fs]) :examples [((some-fn :a :b) {:b 2}) 2]}
  ([f g]
   (fn
     ([] nil)
     ([x] (or (f x) (g x)))
     ([x & more] (%some-of [f g] (into [x] more)))))
  ([f & fs]
   (let [fs (list* f fs)]
     (fn [& args] (%some-of fs args)))))

(defn %some-of [fs args]
  (let [n (count fs) size (count args)]
    (loop [i 0 j 0 result nil]
      (cond
        (or result (= i size)) result
        (= j n) (recur (inc i) 0 result)
        :else (recur i (inc j) ((nth fs j) (nth args i)))))))

(defn memoize "The function f with its results remembered."
  {:callback [:makes :first] :examples [((memoize inc) 1) 2]}
  [f]
  (let [ones (atom {}) known (atom {})]
    (fn
      ([] (%memo known nil f))
      ([a]
       (let [found (%recalled ones a)]
         (cond
           (some? found) found
           (%has? @ones a) nil
           :else (let [result (f a)] (swap! ones %put a result) result))))
      ([a b]
       (let [args [a b] found (%recalled known args)]
         (cond
           (some? found) found
           (%has? @known args) nil
           :else (let [result (f a b)] (swap! known %put args result) result))))
      ([a b & more] (%memo known (list* a b more) f)))))

(defn %memo [known args f]
  (let [entry (%entry @known args)]
    (if entry (nth entry 1) (let [result (apply f args)] (swap! known %put args result) result))))

(defn trampoline "Calls f, then each function that comes back, until something else does."
  {:callback :any :examples [(trampoline (fn [n] (fn [] (* 2 n))) 4) 8]}
  [f & args]
  (loop [result (apply f args)]
    (if (fn? result) (recur (result)) result)))

(family "Transducers")

(defn transduce "Reduces coll by f through the transducer xform."
  {:callback [:through 0 4] :examples [(transduce (map inc) + [1 2 3]) 9]}
  ([xform f coll] (transduce xform f (f) coll))
  ([xform f init coll]
   (if (vector? xform) (%type-error "transduce" "a transducer such as (map inc) first" xform) nil)
   (%transduce "transduce" xform f init coll)))

(defn %transduce [name xform f init coll]
  (let [step (xform f)]
    (step (reduce step init (%source name coll)))))

(defn %into-xf [to xform from]
  (%transduce "into" xform %add (if (nil? to) [] to) from))

(defn sequence "The elements of coll, through the transducer xform if given."
  {:returns :sequence :callback [:through 0 2] :examples [(sequence (map inc) [1 2]) [2 3]]}
  ([coll] (%source "sequence" coll))
  ([xform coll] (%sequence xform (%source "sequence" coll) false))
  ([xform coll & colls] (%sequence xform (apply map vector coll colls) true)))

(defn eduction "What the transducers make of the collection that comes last, as a sequence."
  {:callback :any :examples [(reduce + (eduction (map inc) [1 2 3])) 9]}
  [xform & more]
  (let [coll (last more)]
    (%lazy-sequence (apply comp xform (butlast more)) (%source "eduction" coll) false)))

(defn completing "The reducing function f with the completing step cf (identity)."
  {:callback [:makes :often] :examples [(transduce (map inc) (completing + str) 0 [1 2]) "5"]}
  ([f] (completing f identity))
  ([f cf] (fn ([] (f)) ([acc] (cf acc)) ([acc x] (f acc x)))))

(defn cat "The transducer that splices sequences in."
  {:examples [(into [] cat [[1 2] [3]]) [1 2 3]]}
  [rf]
  (fn ([] (rf)) ([acc] (rf acc))
    ([acc coll]
     (reduce (fn [acc x] (let [acc (rf acc x)] (if (reduced? acc) (reduced acc) acc))) acc (%source "cat" coll)))))

(defn halt-when "The transducer that ends everything when pred is true of an element: with it, or with what retf makes."
  {:callback :any :examples [(transduce (halt-when neg?) conj [] [1 -2 3]) -2]}
  ([pred] (halt-when pred nil))
  ([pred retf]
   (fn [rf]
     (let [halted (volatile! nil)]
       (fn ([] (rf))
         ([acc] (if @halted (nth @halted 0) (rf acc)))
         ([acc x]
          (if (pred x)
            (do (vreset! halted [(if retf (retf (rf acc) x) x)])
                (reduced acc))
            (rf acc x))))))))

(defn %map-xf [f]
  (fn [rf]
    (fn ([] (rf)) ([acc] (rf acc)) ([acc x] (rf acc (f x))) ([acc x & more] (rf acc (apply f x more))))))

(defn %filter-xf [pred]
  (fn [rf] (fn ([] (rf)) ([acc] (rf acc)) ([acc x] (if (pred x) (rf acc x) acc)))))

(defn %remove-xf [pred]
  (fn [rf] (fn ([] (rf)) ([acc] (rf acc)) ([acc x] (if (pred x) acc (rf acc x))))))

(defn %keep-xf [f]
  (fn [rf]
    (fn ([] (rf)) ([acc] (rf acc)) ([acc x] (let [y (f x)] (if (nil? y) acc (rf acc y)))))))

;; A transducer with a count of the elements so far: step gets reducing function, result, index and element.
(defn %counting-xf [step]
  (fn [rf]
    (let [index (volatile! -1)]
      (fn ([] (rf)) ([acc] (rf acc)) ([acc x] (step rf acc (vswap! index inc) x))))))

(defn %map-indexed-xf [f] (%counting-xf (fn [rf acc i x] (rf acc (f i x)))))

(defn %keep-indexed-xf [f]
  (%counting-xf (fn [rf acc i x] (let [y (f i x)] (if (nil? y) acc (rf acc y))))))

(defn %mapcat-xf [f] (comp (%map-xf f) cat))

(defn %take-xf [n]
  (%counting-xf (fn [rf acc i x]
                  (let [acc (if (< i n) (rf acc x) acc)]
                    (if (< (inc i) n) acc (ensure-reduced acc))))))

(defn %drop-xf [n] (%counting-xf (fn [rf acc i x] (if (< i n) acc (rf acc x)))))

(defn %take-nth-xf [n]
  (%positive "take-nth" n)
  (%counting-xf (fn [rf acc i x] (if (zero? (rem i n)) (rf acc x) acc))))

(defn %interpose-xf [sep]
  (%counting-xf (fn [rf acc i x]
                  (if (zero? i)
                    (rf acc x)
                    (let [acc (rf acc sep)]
                      (if (reduced? acc) acc (rf acc x)))))))

(defn %replace-xf [smap] (%map-xf (%replacer smap)))

(defn %distinct-xf []
  (fn [rf]
    (let [seen (volatile! #{})]
      (fn ([] (rf)) ([acc] (rf acc))
        ([acc x]
         (if (contains? @seen x)
           acc
           (do (vswap! seen conj x) (rf acc x))))))))

(defn %dedupe-xf []
  (fn [rf]
    (let [before (volatile! [])]
      (fn ([] (rf)) ([acc] (rf acc))
        ([acc x]
         (let [known @before]
           (vreset! before [x])
           (if (and (seq known) (%same? x (nth known 0))) acc (rf acc x))))))))

(defn %partition-all-xf [n]
  (%positive "partition-all" n)
  (fn [rf]
    (let [group (volatile! [])]
      (fn ([] (rf))
        ([acc]
         (let [left @group]
           (vreset! group [])
           (rf (if (empty? left) acc (unreduced (rf acc left))))))
        ([acc x]
         (let [filled (vswap! group conj x)]
           (if (= (count filled) n)
             (do (vreset! group []) (rf acc filled))
             acc)))))))

;; --- Replacing ---

;; The text with the parts that spans names ([start end match], in order) replaced by what f makes of each match.
(defn %replace-spans [s spans f]
  (let [n (count spans)]
    (loop [i 0 from 0 parts []]
      (if (< i n)
        (let [[start end match] (nth spans i)]
          (recur (inc i) end (conj parts (subs s from start) (str (f match)))))
        (apply str (conj parts (subs s from)))))))

(defn %replace-with [s pattern f] (%replace-spans s (%re-matches-with-spans s pattern) f))

(defn %replace-first-with [s pattern f] (%replace-spans s (%re-matches-with-spans s pattern 1) f))
