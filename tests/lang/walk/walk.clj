;; `walk` applies the first function to each element, rebuilds the collection, and applies the second to it.
[(walk/walk inc #(apply + %) [1 2 3]) (walk/walk #(* 10 %) identity #{1 2}) (walk/walk inc str 5)]
;=> [9 #{10 20} "5"]

;; The elements of a map are its entries.
(walk/walk (fn [[k v]] [k (inc v)]) identity {:a 1 :b 2})
;=> {:a 2 :b 3}

;; `walk` goes one level deep only.
(clojure.walk/walk type vec [1 [2] "x"])
;=> [:number :vector :string]

;; `postwalk` changes the innermost parts first, then what they are in.
(walk/postwalk #(if (number? %) (inc %) %) {:a 1 :b [2 {:c 3}]})
;=> {:a 2 :b [3 {:c 4}]}

;; Since the parts are done first, a node sees its children's results: a tree is summed up.
(walk/postwalk #(if (vector? %) (reduce + %) %) [1 [2 3] [4 [5]]])
;=> 15

;; `prewalk` changes a node first and walks what came out of it.
(walk/prewalk #(if (map? %) (:items % []) %) {:items [{:items ["a"]} {} "b"]})
;=> [["a"] [] "b"]

;; The order of the visits: parents first, or children first.
(let [visits (fn [walk-it]
               (let [seen (atom [])]
                 (walk-it (fn [x] (swap! seen conj x) x) [1 [2]])
                 @seen))]
  [(visits walk/prewalk) (visits walk/postwalk)])
;=> [[[1 [2]] 1 [2] 2] [1 2 [2] [1 [2]]]]

;; A secret is masked wherever it stands.
(walk/prewalk #(if (and (map? %) (:password %)) (assoc % :password "***") %)
              {:users [{:name "a" :password "x"} {:name "b"}] :password "y"})
;=> {:users [{:name "a" :password "***"} {:name "b"}] :password "***"}

;; Empty entries are removed at every depth.
(walk/postwalk #(if (map? %) (into {} (remove (comp nil? val) %)) %)
               {:a nil :b {:c nil :d 1}})
;=> {:b {:d 1}}

;; Sets are walked as well, and stay sets.
(walk/postwalk #(if (string? %) (keyword %) %) #{"a" ["b"]})
;=> #{:a [:b]}

;; `postwalk` and `prewalk` are bare names too.
[(postwalk #(if (= % :x) 1 %) [:x [:x]]) (prewalk #(if (= % :x) 1 %) [:x [:x]])]
;=> [[1 [1]] [1 [1]]]

;; `keywordize-keys` makes keywords of string keys at every depth; values stay.
(walk/keywordize-keys {"id" 1 "tags" ["x"] "by" {"name" "Ann"} 5 "five"})
;=> {:id 1 :tags ["x"] :by {:name "Ann"} 5 "five"}

;; In a list of rows every row is changed.
(map :id (walk/keywordize-keys [{"id" 1} {"id" 2}]))
;=> [1 2]

;; `stringify-keys` is the way back.
(walk/stringify-keys {:id 1 :by {:name :ann} "x" [{:y 2}]})
;=> {"id" 1 "by" {"name" :ann} "x" [{"y" 2}]}

;; There and back again.
(let [m {:a {:b [{:c 1}]}}]
  (= m (walk/keywordize-keys (walk/stringify-keys m))))
;=> true

;; `postwalk-replace` replaces parts that are keys of a map, innermost first.
[(walk/postwalk-replace {1 :one 2 :two} [1 [2 1] {:n 2}]) (walk/postwalk-replace {:x 5} '(+ :x :y))]
;=> [[:one [:two :one] {:n :two}] [+ 5 :y]]

;; What came out of a replacement can be part of the next, larger one.
(walk/postwalk-replace {:a 1, [1] :found} [:a [:a]])
;=> [1 :found]

;; `prewalk-replace` begins outside: what it puts in is looked at again.
[(walk/prewalk-replace {:a [:b] :b :c} [:a :b]) (walk/prewalk-replace {[1] :whole 1 :part} [[1] 1])]
;=> [[[:c] :c] [:whole :part]]

;; A template is filled in.
(walk/prewalk-replace {:$name "Ann" :$city "Rome"} {:greet ["Hello" :$name] :from :$city})
;=> {:greet ["Hello" "Ann"] :from "Rome"}

;; Of a map, keys, values and whole entries are visited.
(let [seen (atom [])]
  (walk/postwalk (fn [x] (swap! seen conj x) x) {:a [1]})
  @seen)
;=> [:a 1 [1] [:a [1]] {:a [1]}]

;; Keys can be changed by their entry.
(walk/prewalk (fn [x] (if (map-entry? x) [(str (key x)) (val x)] x)) {:a {:b 1}})
;=> {":a" {":b" 1}}

;; The function comes first.
(walk/postwalk [1 2] inc)
;!> type_error 1:1 a vector called as a function takes an index, got function

;; The inner function of `walk` over a map gives pairs.
(walk/walk first identity {:a 1})
;!> type_error 1:1 walk/walk: an entry of a map must stay a [key value] pair, got keyword

;; A replacement of the whole thing that never ends: a node that contains itself grows until a limit stops it.
;- limits {:fuel 5000}
(walk/prewalk-replace {:a [:a]} [:a])
;!> fuel_exceeded 1:1 stopped after 5000 steps: the program loops too long; work on less data or end the loop
