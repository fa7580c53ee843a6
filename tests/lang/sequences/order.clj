;; `sort` answers the elements in natural order; the collection itself stays as it was.
(let [xs [3 1 2]]
  [(sort xs) xs])
;=> [[1 2 3] [3 1 2]]

;; Strings sort by their letters, capitals first; vectors first by length, then element by element.
[(sort ["pear" "Apple" "fig"]) (sort [[2 1] [1 9] [5]]) (sort [:b :a])]
;=> [["Apple" "fig" "pear"] [[5] [1 9] [2 1]] [:a :b]]

;; nil sorts before everything.
(sort [2 nil 1])
;=> [nil 1 2]

;; Integers and floats sort together, by value.
(sort [1.5 1 -2 0.5])
;=> [-2 0.5 1 1.5]

;; A comparator comes first: `>` is descending, also for strings.
[(sort > [1 3 2]) (sort > ["a" "c" "b"]) (sort :desc [1 3 2])]
;=> [[3 2 1] ["c" "b" "a"] [3 2 1]]

;; A comparator answers a number, or whether the first goes before the second.
[(sort (fn [a b] (compare (count a) (count b))) ["ccc" "a" "bb"])
 (sort (fn [a b] (> (count a) (count b))) ["a" "ccc" "bb"])]
;=> [["a" "bb" "ccc"] ["ccc" "bb" "a"]]

;; Sets and maps become sorted sequences.
[(sort #{3 1 2}) (sort {:b 1 :a 2}) (sort nil)]
;=> [[1 2 3] [[:a 2] [:b 1]] []]

;; Different kinds have no order between them.
(sort [1 "a"])
;!> type_error 1:1 cannot compare string with number; (sort-by str coll) sorts as texts

;; Maps have no order; `sort-by` says what to look at.
(sort [{:n 2} {:n 1}])
;!> type_error 1:1 cannot compare map with map; use (sort-by key coll)

;; The comparator stands before the collection.
(sort [3 1 2] >)
;!> type_error 1:1 sort: the comparator must be a function, :asc or :desc, got vector

;; `sort-by` sorts by what the function gives, and keeps equals in their order.
(sort-by count ["bb" "a" "cc" ""])
;=> ["" "a" "bb" "cc"]

;; Rows by a field; missing values come first.
(sort-by :due [{:id 1 :due "2024-02"} {:id 2} {:id 3 :due "2023-11"}])
;=> [{:id 2} {:id 3 :due "2023-11"} {:id 1 :due "2024-02"}]

;; Descending: the comparator is the middle argument.
(sort-by :score > [{:n "a" :score 3} {:n "b" :score 8}])
;=> [{:n "b" :score 8} {:n "a" :score 3}]

;; A map sorted by its values is a sequence of entries.
(sort-by val > {:x 1 :y 3 :w 2})
;=> [[:y 3] [:w 2] [:x 1]]

;; Two criteria with `juxt`: team ascending, points descending.
(map :name
     (sort-by (juxt :team (comp - :points))
              [{:name "Al" :team 2 :points 1} {:name "Bo" :team 1 :points 2} {:name "Cy" :team 1 :points 7}]))
;=> ["Cy" "Bo" "Al"]

;; A path as key.
(map :id (sort-by [:address :city] [{:id 1 :address {:city "Rome"}} {:id 2 :address {:city "Bonn"}}]))
;=> [2 1]

;; The comparator of `sort-by` comes second.
(sort-by :n [{:n 1}] >)
;!> type_error 1:1 sort-by: the comparator comes second: (sort-by key comparator coll)

;; Values of different kinds under the key cannot be sorted.
(sort-by :n [{:n 1} {:n "2"}])
;!> type_error 1:1 cannot compare string with number under :n; (sort-by #(parse-double (str (:n %))) coll) compares as numbers

;; `compare` answers -1, 0 or 1.
[(compare 1 2) (compare "b" "a") (compare :a :a) (compare nil 1) (compare [1 2] [1 3]) (compare false true)]
;=> [-1 1 0 -1 -1 -1]

;; Turned around, `compare` sorts descending.
(sort #(compare %2 %1) ["a" "c" "b"])
;=> ["c" "b" "a"]

;; A string and a number cannot be compared.
(compare "1" 1)
;!> type_error 1:1 cannot compare string with number

;; `comparator` makes a comparator of a predicate that says what goes first.
[((comparator <) 1 2) ((comparator <) 2 1) ((comparator <) 1 1)]
;=> [-1 1 0]

;; Open tickets before closed ones.
(let [open-first (comparator (fn [a b] (and (:open a) (not (:open b)))))]
  (map :id (sort open-first [{:id 1} {:id 2 :open true} {:id 3} {:id 4 :open true}])))
;=> [2 4 1 3]

;; `reverse` turns a sequence around; strings become letters.
[(reverse [1 2 3]) (reverse "abc") (reverse nil) (reverse {:a 1 :b 2})]
;=> [[3 2 1] ["c" "b" "a"] [] [[:b 2] [:a 1]]]

;; Newest first.
(->> [{:at 2} {:at 9} {:at 5}] (sort-by :at) reverse (map :at))
;=> [9 5 2]

;; A number cannot be reversed; text goes through `str`.
(reverse 123)
;!> type_error 1:1 reverse: expected a collection, got number

;; `rseq` reverses a vector and is nil for an empty one.
[(rseq [1 2 3]) (rseq [])]
;=> [[3 2 1] nil]

;; The last error in a log, searched from the end.
(first (filter :error (rseq [{:n 1 :error "a"} {:n 2 :error "b"} {:n 3}])))
;=> {:n 2 :error "b"}

;; `rseq` is for things with a known end.
(rseq {:a 1})
;!> type_error 1:1 rseq: expected a vector…

;; `min-key` and `max-key` choose among their arguments; the last of equals wins.
[(max-key count "a" "ccc" "bb") (min-key abs -3 2 -5) (max-key count "ab" "cd")]
;=> ["ccc" 2 "cd"]

;; `apply` spreads a collection over them: the entry with the largest value.
[(apply max-key val {:m 4 :n 6 :o 1}) (apply min-key val {:m 4 :n 6 :o 1})]
;=> [[:n 6] [:o 1]]

;; The closest to a target.
(let [target 20]
  (apply min-key #(abs (- target %)) [3 18 25 40]))
;=> 18

;; A collection in place of the arguments is a single argument, and one argument is its own best.
(max-key count ["a" "ccc"])
;=> ["a" "ccc"]

;; `shuffle` keeps the elements and changes only their order.
(let [xs (range 10)]
  [(count (shuffle xs)) (= (sort (shuffle xs)) xs)])
;=> [10 true]

;; Nothing to shuffle.
[(shuffle []) (shuffle [:one])]
;=> [[] [:one]]
