;; Order: `<`, `>`, `<=`, `>=`, `compare`, `comparator`.

;; `<` and `>` hold when the numbers rise or fall strictly, all along.
[(< 1 2) (< 1 2 3) (< 1 3 2) (< 1 1) (> 3 2 1) (> 3 3) (> 1 2)]
;=> [true true false false true false false]

;; `<=` and `>=` let neighbours be equal.
[(<= 1 1 2) (<= 2 1) (>= 3 3 1) (>= 1 2)]
;=> [true false true false]

;; One number is in order.
[(< 1) (> 1) (<= 1) (>= 1)]
;=> [true true true true]

;; Integers and floats compare by value.
[(< 1 1.5 2) (<= 1 1.0) (> 0.1 0) (>= 2 2.0) (< 9007199254740993 9007199254740992.0)]
;=> [true true true true false]

;; A value within bounds needs one call.
(defn teenager? [{:keys [age]}] (<= 13 age 19))
(map teenager? [{:age 12} {:age 13} {:age 19} {:age 20}])
;=> [false true true false]

;; Whether a vector is sorted.
[(apply < [1 2 5]) (apply <= [1 2 2]) (apply >= [5 5 1]) (apply > [5 5 1])]
;=> [true true true false]

;; Items above a limit, dearest first.
(->> [{:n "tea" :p 3} {:n "rum" :p 20} {:n "gin" :p 15}]
     (filter #(> (:p %) 5))
     (sort-by :p >)
     (map :n))
;=> ["rum" "gin"]

;; With NaN nothing is in order.
[(< 1 ##NaN) (> 1 ##NaN) (<= ##NaN ##NaN) (>= ##NaN 1)]
;=> [false false false false]

;; Infinities are above and below everything.
[(< ##-Inf -1e308 1e308 ##Inf) (>= ##Inf ##Inf)]
;=> [true true]

;; A missing value is an error that names the comparison.
(filter #(> (:p %) 5) [{:p 10} {:n "free"}])
;!> type_error 1:9 >: expected numbers, got nil

;; Text is compared by `compare`, not by `<`.
(< "a" "b")
;!> type_error 1:1 <: expected numbers, got string

;; Also in longer chains.
(<= 1 nil 3)
;!> type_error 1:1 <=: expected numbers, got nil

;; `>=` of keywords.
(>= :b :a)
;!> type_error 1:1 >=: expected numbers, got keyword

;; Dates are in order of time.
(let [d #(LocalDate/parse %)]
  [(< (d "2024-01-31") (d "2024-02-01")) (>= (d "2024-01-31") (d "2024-02-01"))])
;=> [true false]

;; `compare` answers -1, 0 or 1.
[(compare 1 2) (compare 2 2.0) (compare 3 2) (compare "a" "b") (compare :b :a) (compare false true)]
;=> [-1 0 1 -1 1 -1]

;; nil comes before everything.
[(compare nil 1) (compare "" nil) (compare nil nil)]
;=> [-1 1 0]

;; Of two vectors the shorter comes first; equally long ones go element by element.
[(compare [9] [1 2]) (compare [1 2] [1 3]) (compare [] [])]
;=> [-1 -1 0]

;; Strings go by character, capital letters first.
[(compare "Zoe" "adam") (compare "ab" "abc") (sort ["b" "B" "a" "ab"])]
;=> [-1 -1 ["B" "a" "ab" "b"]]

;; Unlike kinds have no order.
(compare 1 "1")
;!> type_error 1:1 cannot compare number with string

;; Maps have none either.
(compare {:a 1} {:a 2})
;!> type_error 1:1 cannot compare map with map

;; `compare` as a building block: by length, then by alphabet.
(sort (fn [a b]
        (let [c (compare (count a) (count b))]
          (if (zero? c) (compare a b) c)))
      ["pear" "fig" "apple" "date" "kiwi"])
;=> ["fig" "date" "kiwi" "pear" "apple"]

;; The other way round: swap the arguments.
(sort #(compare %2 %1) ["b" "c" "a"])
;=> ["c" "b" "a"]

;; `comparator` turns "comes before" into a comparison.
(let [by-length (comparator #(< (count %1) (count %2)))]
  [(by-length "a" "bb") (by-length "bb" "a") (by-length "a" "b") (sort by-length ["ccc" "a" "bb"])])
;=> [-1 1 0 ["a" "bb" "ccc"]]

;; Its comparison fits wherever one is asked for.
(sort-by :age (comparator >) [{:age 3} {:age 9} {:age 5}])
;=> [{:age 9} {:age 5} {:age 3}]

;; `compare` takes two values, `comparator` a function.
[(compare 1) (comparator)]
;!> arity_error 1:2 compare: expected 2 arguments, got 1
;!> arity_error 1:14 comparator: expected 1 argument, got 0

;; Names are in the order of their namespaces, those without one first (L-68).
[(sort [:b :a/z :a :Z/a :a/b]) (sort '[b a/z a]) (compare :z :a/a) (keys (sorted-map :a/a 1 :b 2 :a 3)) (sort-by :k [{:k :x/a} {:k :y}])]
;=> [[:a :b :Z/a :a/b :a/z] [a b a/z] -1 [:a :b :a/a] [{:k :y} {:k :x/a}]]
