;; `take` and `drop` cut at a position; together they are the whole.
[(take 2 [7 8 9]) (drop 2 [7 8 9])]
;=> [[7 8] [9]]

;; More than there is takes all; zero and less takes nothing.
[(take 5 [1 2]) (take 0 [1 2]) (take -1 [1 2]) (drop 5 [1 2]) (drop -1 [1 2])]
;=> [[1 2] [] [] [] [1 2]]

;; Page three of a listing, two rows per page.
(let [page (fn [n rows] (take 2 (drop (* 2 (dec n)) rows)))]
  (page 3 ["a" "b" "c" "d" "e"]))
;=> ["e"]

;; `take` of a map gives its first entries.
(take 2 {:b 1 :a 2 :c 3})
;=> [[:b 1] [:a 2]]

;; `take` of a string gives letters; `apply str` makes text of them.
[(take 3 "cipher") (apply str (drop 3 "cipher")) (take 2 nil)]
;=> [["c" "i" "p"] "her" []]

;; The number comes first.
(take [1 2 3] 2)
;!> type_error 1:1 take: expected a number of elements, got vector; write (take n coll)

;; `drop` reads its arguments in the same order.
(drop "abc" 1)
;!> type_error 1:1 drop: expected a number of elements, got string; write (drop n coll)

;; `take-last` cuts from the end.
[(take-last 2 [7 8 9]) (take-last 5 [7 8 9]) (take-last 0 [7 8 9]) (take-last 2 nil)]
;=> [[8 9] [7 8 9] nil nil]

;; The last three measurements.
(let [log (mapv (fn [n] {:hour n :temp (+ 20 n)}) (range 6))]
  (map :temp (take-last 3 log)))
;=> [23 24 25]

;; `drop-last` leaves out the end, one element unless told.
[(drop-last [7 8 9]) (drop-last 2 [7 8 9]) (drop-last 5 [7 8 9]) (drop-last 0 [7])]
;=> [[7 8] [7] [] [7]]

;; All but the summary line.
(let [lines ["a 1" "b 2" "total 3"]]
  (count (drop-last lines)))
;=> 2

;; `take-while` ends at the first failure, whatever follows; `filter` would go on.
[(take-while pos? [1 2 -3 4]) (filter pos? [1 2 -3 4])]
;=> [[1 2] [1 2 4]]

;; `drop-while` starts at the first failure, and keeps all from there.
[(drop-while neg? [-2 -1 3 -4]) (drop-while neg? [-1 -2]) (drop-while neg? nil)]
;=> [[3 -4] [] []]

;; The body of a message follows its header lines.
(let [message ["From: a" "To: b" "" "Hello" "" "Bye"]]
  [(take-while seq message) (rest (drop-while seq message))])
;=> [["From: a" "To: b"] ["Hello" "" "Bye"]]

;; `take-while` over a map sees entries.
(take-while (fn [[_ n]] (< n 3)) {:a 1 :b 2 :c 3 :d 0})
;=> [[:a 1] [:b 2]]

;; The function comes first in `take-while` and `drop-while`.
(take-while [1 2] pos?)
;!> type_error 1:1 take-while: expected a collection, got function; write (take-while pred coll)

;; A number instead of a collection.
(drop-while pos? 3)
;!> type_error 1:1 drop-while: expected a collection, got number

;; `split-at` is `take` and `drop` in one pair.
(let [[head tail] (split-at 2 ["a" "b" "c"])]
  {:head head :tail tail})
;=> {:head ["a" "b"] :tail ["c"]}

;; `split-at` beyond the end leaves nothing for the second part.
[(split-at 5 [1 2]) (split-at 0 [1 2]) (split-at 1 nil)]
;=> [[[1 2] []] [[] [1 2]] [[] []]]

;; `split-with` is `take-while` and `drop-while` in one pair.
(split-with #(< % 10) [3 9 12 4])
;=> [[3 9] [12 4]]

;; Options before the first file name.
(let [[options files] (split-with #(clojure.string/starts-with? % "-") ["-v" "-x" "a.txt" "-b"])]
  [options files])
;=> [["-v" "-x"] ["a.txt" "-b"]]

;; `take-nth` takes every n-th element, beginning with the first.
[(take-nth 2 [:a :b :c :d :e]) (take-nth 3 (range 10)) (take-nth 1 [4 5])]
;=> [[:a :c :e] [0 3 6 9] [4 5]]

;; A long series is thinned out before it is shown.
(let [series (map (fn [t] [t (* t t)]) (range 100))]
  (take-nth 25 series))
;=> [[0 0] [25 625] [50 2500] [75 5625]]

;; The step of `take-nth` is positive.
(take-nth 0 [1 2 3])
;!> argument_error 1:1 take-nth: expected a positive integer, got 0

;; `nthrest` is `drop` with the collection first, `nthnext` the same with nil for nothing.
[(nthrest [1 2 3] 2) (nthnext [1 2 3] 2) (nthrest [1 2] 2) (nthnext [1 2] 2)]
;=> [[3] [3] [] nil]

;; With the collection first they fit into `->`.
(-> "name,age,city" (clojure.string/split #",") (nthrest 1) vec)
;=> ["age" "city"]

;; `nthnext` ends a loop that goes on by three.
(loop [xs (range 7) firsts []]
  (if xs
    (recur (nthnext xs 3) (conj firsts (first xs)))
    firsts))
;=> [0 3 6]

;; `nthrest` of nil is empty, or nil itself; both have no elements.
[(empty? (nthrest nil 2)) (nthnext nil 2)]
;=> [true nil]

;; `subvec` cuts a vector by positions; without an end it goes to the end.
[(subvec [:a :b :c :d] 1 3) (subvec [:a :b :c :d] 2) (subvec [1 2] 2)]
;=> [[:b :c] [:c :d] []]

;; One element is taken out of the middle of a vector.
(let [without (fn [v i] (into (subvec v 0 i) (subvec v (inc i))))]
  (without [:a :b :c :d] 1))
;=> [:a :c :d]

;; Unlike `take`, `subvec` insists on its bounds.
(subvec [1 2 3] 1 9)
;!> argument_error 1:1 subvec: 1 to 9 is outside a vector of length 3

;; A start behind the end is an error too.
(subvec [1 2 3] 2 1)
;!> argument_error 1:1 subvec: 2 to 1 is outside a vector of length 3

;; `subvec` cuts vectors, `subs` cuts strings.
(subvec "hello" 1 2)
;!> type_error 1:1 subvec: expected a vector, got string
