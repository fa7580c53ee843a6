;; `:asc` and `:desc` are comparators too; nil is least, so it comes last when descending.
[(sort :asc [2 nil 1]) (sort :desc [2 nil 1]) (sort-by :n :desc [{:n 1} {:n 3} {}])]
;=> [[nil 1 2] [2 1 nil] [{:n 3} {:n 1} {}]]

;; `<` and `>` as comparators compare whatever has an order: texts, too.
[(sort-by :name > [{:name "Al"} {:name "Cy"} {:name "Bo"}]) (sort < ["b" "a"]) (sort >= [1 3 2])]
;=> [[{:name "Cy"} {:name "Bo"} {:name "Al"}] ["a" "b"] [3 2 1]]

;; Called as functions, `<` and `>` want numbers.
(< "a" "b")
;!> type_error 1:1 <: expected numbers, got string

;; A comparator may be any function of two elements with a number as answer.
(sort (fn [a b] (- (:rank a) (:rank b))) [{:rank 3} {:rank 1} {:rank 2}])
;=> [{:rank 1} {:rank 2} {:rank 3}]

;; Or with a boolean: does the first go before the second?
(sort (fn [a b] (> (mod a 10) (mod b 10))) [31 12 25 44])
;=> [25 44 12 31]

;; Sorting is stable: equals stay in their order, so sorting twice sorts by two criteria.
(->> [{:n "a" :g 2} {:n "b" :g 1} {:n "c" :g 2} {:n "d" :g 1}]
     (sort-by :n >)
     (sort-by :g)
     (map :n))
;=> ["d" "b" "c" "a"]

;; A comparator that knows its own order of words.
(let [order (zipmap ["low" "normal" "high"] (range))]
  (sort-by order ["high" "low" "normal" "low"]))
;=> ["low" "low" "normal" "high"]

;; Words outside of that order have no rank: nil, and come first.
(sort-by {"low" 0 "high" 1} ["high" "other" "low"])
;=> ["other" "low" "high"]

;; Two criteria in one comparator: `compare` of the first, and only for equals of the second.
(sort (fn [a b]
        (let [by-size (compare (count b) (count a))]
          (if (zero? by-size) (compare a b) by-size)))
      ["pear" "fig" "plum" "apple"])
;=> ["apple" "pear" "plum" "fig"]

;; Two criteria as one vector: vectors of equal length compare element by element.
(sort-by (juxt (comp - count) identity) ["pear" "fig" "plum" "apple"])
;=> ["apple" "pear" "plum" "fig"]

;; Descending by one, ascending by the other, for texts: the comparator compares crosswise.
(map (juxt :a :b)
     (sort (fn [x y] (compare [(:a y) (:b x)] [(:a x) (:b y)]))
           [{:a "p" :b 2} {:a "q" :b 2} {:a "q" :b 1}]))
;=> [["q" 1] ["q" 2] ["p" 2]]

;; Keywords, booleans and vectors have an order; a shorter vector goes first.
[(sort [:b :a]) (sort [true false]) (sort [[2] [1 1] [1]]) (sort [[1 nil] [1 0]])]
;=> [[:a :b] [false true] [[1] [2] [1 1]] [[1 nil] [1 0]]]

;; NaN has no place in any order.
(sort [1.0 ##NaN 2.0])
;!> type_error 1:1 cannot compare ##NaN with a number

;; Sets have no order either; they are sorted by something they have.
(sort-by count [#{1 2} #{3} #{}])
;=> [#{} #{3} #{1 2}]

;; A comparator that answers text is no comparator.
(sort (fn [a b] "first") [2 1])
;!> type_error 1:1 sort: the comparator must give a number or a boolean, got string

;; The place of an error inside of a comparator is that of its own form.
(sort (fn [a b]
        (compare (:n a) (inc (:n b))))
      [{:n nil} {:n nil}])
;!> type_error 2:25 inc: expected a number, got nil

;; Ten thousand elements in a random order, and in order again.
(= (range 10000) (sort (shuffle (range 10000))))
;=> true

;; A comparator that contradicts itself still comes to an end with all elements.
(count (sort (fn [a b] -1) (range 200)))
;=> 200

;; `max-by` and `min-by` choose by the same order as `sort-by`.
(let [rows [{:d "2024-03-01"} {:d "2023-12-31"} {:d nil}]]
  [(min-by :d rows) (max-by :d rows) (first (sort-by :d rows))])
;=> [{:d "2023-12-31"} {:d "2024-03-01"} {:d nil}]

;; The best three: sort descending and take.
(->> [4 9 1 7 8] (sort >) (take 3))
;=> [9 8 7]

;; Ranks with ties: equal points share a place.
(let [points [30 50 30 70]]
  (map (fn [p] (inc (count (filter #(> % p) points)))) points))
;=> [3 2 3 1]

;; `reverse` of an ascending sort is not the same as a descending sort: equals change their order.
(let [rows [{:n 1 :k "a"} {:n 1 :k "b"}]]
  [(map :k (reverse (sort-by :n rows))) (map :k (sort-by :n > rows))])
;=> [["b" "a"] ["a" "b"]]
