;; Without a collection, `map` and its relatives answer a transducer: the step alone, to be used by `into`.
(into [] (map inc) [1 2 3])
;=> [2 3 4]

;; `comp` of transducers works from left to right, as the data flows.
(into [] (comp (filter odd?) (map #(* % %)) (take 2)) (range 100))
;=> [1 9]

;; The target decides what comes out: a set, a map, more behind a vector.
[(into #{} (map #(mod % 3)) (range 10))
 (into {} (map (juxt :id :name)) [{:id 1 :name "a"} {:id 2 :name "b"}])
 (into [:head] (remove nil?) [1 nil 2])]
;=> [#{0 1 2} {1 "a" 2 "b"} [:head 1 2]]

;; `transduce` folds what comes through; the initial value is that of the function, or given.
[(transduce (map inc) + [1 2 3]) (transduce (map inc) + 100 [1 2 3]) (transduce (filter even?) conj [1 2 3 4])]
;=> [9 109 [2 4]]

;; Total of the paid orders, in one pass without lists in between.
(transduce (comp (filter :paid) (map :amount)) + 0
           [{:paid true :amount 30} {:amount 99} {:paid true :amount 12}])
;=> 42

;; Nothing comes through: only the initial value is left.
[(transduce (filter neg?) + [1 2]) (transduce (map inc) conj nil) (transduce (map str) str "" [])]
;=> [0 [] ""]

;; `transduce` calls the function once more with the result alone; `completing` supplies that step.
(transduce (map inc) (completing (fn [acc x] (conj acc x)) count) [] [10 20 30])
;=> 3

;; Without a second argument `completing` leaves the result as it is; `-` alone would negate it.
[(transduce (map identity) - 0 [1 2]) (transduce (map identity) (completing -) 0 [1 2])]
;=> [3 -3]

;; The average in one pass: sum and count together, divided at the end.
(let [average (completing (fn [[sum n] x] [(+ sum x) (inc n)])
                          (fn [[sum n]] (/ sum n)))]
  (transduce (map :score) average [0 0] [{:score 4} {:score 5} {:score 9}]))
;=> 6

;; `sequence` makes a sequence of what comes through.
[(sequence (map inc) [1 2]) (sequence [1 2]) (sequence nil) (sequence (map vector) [1 2] [:a :b])]
;=> [[2 3] [1 2] [] [[1 :a] [2 :b]]]

;; `sequence` over something endless stays lazy.
(take 3 (sequence (comp (filter even?) (map -)) (iterate inc 1)))
;=> [-2 -4 -6]

;; `eduction` keeps collection and steps together, to be folded later.
(let [prices (eduction (filter :on-sale) (map :price) [{:on-sale true :price 5} {:price 7} {:on-sale true :price 6}])]
  [(reduce + prices) (into [] prices)])
;=> [11 [5 6]]

;; An `eduction` with several steps is a sequence like others.
(clojure.string/join "-" (eduction (map inc) (take 3) (range)))
;=> "1-2-3"

;; `cat` splices what comes through: collections of collections become one.
[(into [] cat [[1 2] [3] nil [4]]) (into [] (comp (map :tags) cat) [{:tags ["a"]} {} {:tags ["b" "c"]}])]
;=> [[1 2 3 4] ["a" "b" "c"]]

;; `mapcat` is `map` followed by `cat`.
(= (into [] (mapcat #(repeat % %)) [1 2 3])
   (into [] (comp (map #(repeat % %)) cat) [1 2 3]))
;=> true

;; `cat` in a pipeline that goes on.
(transduce (comp cat (map count)) + [["a" "bb"] ["ccc"]])
;=> 6

;; Every step that has a state starts anew with each use.
(let [first-two (comp (distinct) (take 2))]
  [(into [] first-two [1 1 2 3]) (into [] first-two [7 8 9])])
;=> [[1 2] [7 8]]

;; The steps with positions: `map-indexed` and `keep-indexed`.
[(into [] (map-indexed vector) "ab")
 (into [] (keep-indexed #(when (even? %1) %2)) [:a :b :c])]
;=> [[[0 "a"] [1 "b"]] [:a :c]]

;; Cutting steps: `take`, `drop`, `take-while`, `drop-while`, `take-nth`.
(map #(into [] % (range 10))
     [(take 2) (drop 8) (take-while #(< % 3)) (drop-while #(< % 7)) (take-nth 4)])
;=> [[0 1] [8 9] [0 1 2] [7 8 9] [0 4 8]]

;; Steps that compare with what came before: `dedupe` and `distinct`.
[(into [] (dedupe) [1 1 2 1]) (into [] (distinct) [1 1 2 1])]
;=> [[1 2 1] [1 2]]

;; Grouping steps hand on their last, short group at the end.
[(into [] (partition-all 2) (range 5)) (into [] (partition-by odd?) [1 3 2 5])]
;=> [[[0 1] [2 3] [4]] [[1 3] [2] [5]]]

;; Grouping after a cut: the group in the making is not lost.
(into [] (comp (take 3) (partition-all 2) (map #(apply + %))) (range 1 100))
;=> [3 3]

;; `interpose` and `keep` as steps.
[(into [] (interpose :and) [1 2 3]) (into [] (keep :n) [{:n 1} {} {:n false}])]
;=> [[1 :and 2 :and 3] [1 false]]

;; `random-sample` keeps each element with a probability: all of them, or none.
[(into [] (random-sample 1.0) [1 2 3]) (into [] (random-sample 0) [1 2 3])]
;=> [[1 2 3] []]

;; About half of many elements come through.
(let [n (count (random-sample 0.5 (range 1000)))]
  (< 400 n 600))
;=> true

;; `into` with a transducer still checks what the target can take.
(into {} (map inc) [1 2])
;!> type_error 1:1 into: 2 is not a [key value] pair
