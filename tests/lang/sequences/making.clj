;; `range` counts from 0 up to the end, which is left out.
[(range 4) (range 2 5) (range 0 10 3)]
;=> [[0 1 2 3] [2 3 4] [0 3 6 9]]

;; A negative step counts down; floats are steps too.
[(range 3 0 -1) (range 1 2 0.25)]
;=> [[3 2 1] [1 1.25 1.5 1.75]]

;; An end that is reached already gives nothing.
[(range 0) (range -3) (range 5 2) (range 2 5 -1)]
;=> [[] [] [] []]

;; `range` without arguments is endless; `take` ends it.
(take 3 (drop 10 (range)))
;=> [10 11 12]

;; The bounds are numbers.
(range "5")
;!> type_error 1:1 range: expected numbers, got string

;; `repeat` gives the same value n times, and endlessly without n.
[(repeat 3 :x) (repeat 0 :x) (take 2 (repeat "ab"))]
;=> [[:x :x :x] [] ["ab" "ab"]]

;; A line of dashes below a title.
(let [title "Report"]
  (str title "\n" (apply str (repeat (count title) "-"))))
;=> "Report\n------"

;; `replicate` is the old name of `repeat` with a count.
(replicate 2 [0 0])
;=> [[0 0] [0 0]]

;; An empty board, written with the old name.
(mapv vec (replicate 2 (repeat 3 ".")))
;=> [["." "." "."] ["." "." "."]]

;; The count comes first.
(repeat "ab" 2)
;!> type_error 1:1 repeat: expected a number of elements, got string; write (repeat n x)

;; `vector` and `list` make the same kind of sequence of their arguments.
[(vector 1 nil "a") (list 1 nil "a") (vector) (list) (= (list 1 2) [1 2])]
;=> [[1 nil "a"] [1 nil "a"] [] [] true]

;; `vector` pairs things up as a function.
(map vector [:a :b] [1 2])
;=> [[:a 1] [:b 2]]

;; A list grows at its end here, as a vector does; in Clojure the front would grow, so a warning says it.
(conj (list 1 2) 3)
;=> [1 2 3]
;warn> list-order 1:2 lists are vectors here: conj works at the end; use cons, first and rest for the front

;; `list` as function over several collections.
(map list ["x" "y"] (range))
;=> [["x" 0] ["y" 1]]

;; `list*` puts its arguments before the elements of the last one.
[(list* 1 2 [3 4]) (list* [1 2]) (list* 1 nil)]
;=> [[1 2 3 4] [1 2] [1]]

;; Arguments for `apply` are put together with it.
(apply max (list* 3 9 [4 12 5]))
;=> 12

;; The last argument of `list*` is a collection.
(list* 1 2)
;!> type_error 1:1 list*: expected a collection, got number

;; `vec` makes a vector of any collection.
[(vec #{5}) (vec {:a 1 :b 2}) (vec "ab") (vec nil) (vec (range 3))]
;=> [[5] [[:a 1] [:b 2]] ["a" "b"] [] [0 1 2]]

;; `vec` gives positions to what had none.
(get (vec (take 3 (iterate #(* 2 %) 1))) 2)
;=> 4

;; A number is not made a vector by `vec`.
(vec 3)
;!> type_error 1:1 vec: expected a collection, got number

;; `cons` puts one element in front of any collection.
[(cons 0 [1 2]) (cons :a nil) (cons "x" "yz") (cons [:k 0] {:a 1})]
;=> [[0 1 2] [:a] ["x" "y" "z"] [[:k 0] [:a 1]]]

;; A header row before the data rows.
(cons ["name" "qty"] (map (juxt :name :qty) [{:name "bolt" :qty 4}]))
;=> [["name" "qty"] ["bolt" 4]]

;; The element comes first in `cons`, the collection first in `conj`.
(cons [1 2] 3)
;!> type_error 1:1 cons: expected a collection, got number; write (cons x coll)

;; `concat` joins collections of any kind; nil counts as empty.
[(concat [1] nil #{2} "ab" {:k 3}) (concat) (concat nil nil)]
;=> [[1 2 "a" "b" [:k 3]] [] []]

;; New rows behind the old ones.
(let [old [{:id 1}] new [{:id 2} {:id 3}]]
  (map :id (concat old new)))
;=> [1 2 3]

;; `concat` joins collections, not single values.
(concat [1 2] 3)
;!> type_error 1:1 concat: expected a collection, got number

;; `into` adds every element with `conj`, so the target says what comes out.
[(into [1] #{2}) (into #{} [1 1 2]) (into {} [[:a 1] [:b 2]]) (into [] {:a 1})]
;=> [[1 2] #{1 2} {:a 1 :b 2} [[:a 1]]]

;; Maps of rows by their id.
(into {} (map (juxt :id :name) [{:id 7 :name "Ann"} {:id 9 :name "Bob"}]))
;=> {7 "Ann" 9 "Bob"}

;; Two maps: the entries of the second are added to the first, later ones win.
(into {:a 1 :b 1} {:b 2 :c 3})
;=> {:a 1 :b 2 :c 3}

;; Without a source `into` is its target; without anything it is empty.
[(into {:a 1} nil) (into #{}) (into) (into nil [1 2])]
;=> [{:a 1} #{} [] [1 2]]
;warn> list-order 1:44 lists and nil become vectors here: into adds at the end; write (reverse coll) for the other order

;; A map only takes pairs and maps.
(into {} [1 2])
;!> type_error 1:1 into: 1 is not a [key value] pair

;; `conj` adds where it is cheap: at the end of a vector, into a set or map.
[(conj [1 2] 3 4) (conj #{1} 1 2) (conj {:a 1} [:b 2]) (conj {:a 1} {:a 5 :c 3})]
;=> [[1 2 3 4] #{1 2} {:a 1 :b 2} {:a 5 :c 3}]

;; `conj` on nil starts a sequence; a collection as element is added whole.
[(conj nil 1) (conj [1] [2 3]) (conj [1] nil) (conj)]
;=> [[1] [1 [2 3]] [1 nil] []]

;; A string cannot be added to; `str` joins text.
(conj "ab" "c")
;!> type_error 1:1 conj: expected a collection, got string; (str a b) joins texts

;; `empty` keeps the kind and drops the elements.
[(empty [1 2]) (empty {:a 1}) (empty #{1}) (empty "text") (empty nil) (empty 5)]
;=> [[] {} #{} nil nil nil]

;; A function that keeps the kind of collection that it was given.
(let [double-all (fn [xs] (into (empty xs) (map #(* 2 %) xs)))]
  [(double-all [1 2]) (double-all #{3})])
;=> [[2 4] #{6}]
