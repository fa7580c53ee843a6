;; Every sequence function takes every collection. A string is a sequence of its letters.
[(partition 2 "abcd") (sort "banana") (take-last 2 "abc") (zipmap "ab" [1 2]) (last "xyz")]
;=> [[["a" "b"] ["c" "d"]] ["a" "a" "a" "b" "n" "n"] ["b" "c"] {"a" 1 "b" 2} "z"]

;; A map is a sequence of its entries.
[(partition-all 2 {:a 1 :b 2 :c 3}) (map-indexed vector {:a 1}) (frequencies {:a 1}) (distinct {:a 1})]
;=> [[[[:a 1] [:b 2]] [[:c 3]]] [[0 [:a 1]]] {[:a 1] 1} [[:a 1]]]

;; A set is a sequence of its members, in the order in which they came.
[(drop-while odd? #{1 3 4}) (cons 1 #{2}) (map str #{:b :a}) (reduce + #{1 2})]
;=> [[4] [1 2] [":b" ":a"] 3]

;; Collections of several kinds are walked together.
(map vector [1 2] "ab" {:k 1 :l 2} #{9 8})
;=> [[1 "a" [:k 1] 9] [2 "b" [:l 2] 8]]

;; Joining them makes one sequence.
(concat "ab" {:x 1} nil #{3})
;=> ["a" "b" [:x 1] 3]

;; Groups of entries are taken apart again by patterns.
(mapcat (fn [[k vs]] (map #(vector k %) vs)) {:a [1 2] :b [3]})
;=> [[:a 1] [:a 2] [:b 3]]

;; Every sequence function takes nil for an empty collection.
[(map inc nil) (filter odd? nil) (reverse nil) (sort nil) (distinct nil) (flatten nil) (interpose 1 nil) (partition 2 nil) (take 2 nil) (drop 2 nil)]
;=> [[] [] [] [] [] [] [] [] [] []]

;; What looks for one thing in nil finds nil.
[(first nil) (last nil) (some odd? nil) (get nil :a) (nth nil 0) (peek nil) (max-by :a nil) (seq nil)]
;=> [nil nil nil nil nil nil nil nil]

;; What makes a collection of nil makes an empty one of its own kind.
[(vec nil) (set nil) (into {} nil) (group-by :a nil) (frequencies nil) (zipmap nil [1]) (apply hash-map nil)]
;=> [[] #{} {} {} {} {} {}]

;; A number, a keyword or a boolean is no collection, wherever it stands.
(interleave [1 2] 5)
;!> type_error 1:1 interleave: expected a collection, got number

;; The second collection of `map` is checked as the first.
(map + [1 2] :a)
;!> type_error 1:1 map: expected a collection, got keyword

;; A loop over something that is no collection.
(for [x 5] x)
;!> type_error 1:1 for: expected a collection, got number

;; An element that is no pair where pairs are needed.
(into {} [[:a 1 2]])
;!> type_error 1:1 into: a vector of 3 elements is not a [key value] pair

;; A missing argument is found before anything runs.
(println "never")
(group-by [{:a 1}])
;!> arity_error 2:1 group-by: expected 2 arguments, got 1

;; Several mistakes of that kind are told at once, in the order of the text.
(count)
(first [1] [2])
(assoc {} :a)
;!> arity_error 1:1 count: expected 1 argument, got 0
;!> arity_error 2:1 first: expected 1 argument, got 2
;!> arity_error 3:1 assoc: expected 3 or more arguments, got 2

;; A function that takes no argument where one is handed to it: `#(:name)` forgot its `%`.
(map #(:name) [{:name 1}])
;!> arity_error 1:1 fn: expected 0 arguments, got 1; write % where the argument of #(...) goes, or (fn [x] ...)

;; A step function of `reduce` takes two arguments.
(reduce (fn [total] total) [1 2])
;!> arity_error 1:1 fn: expected 1 argument, got 2

;; A predicate in the place of the collection.
(every? [1 2] odd?)
;!> type_error 1:1 every?: expected a collection, got function; write (every? pred coll)

;; Letters have no fields: nil for each of them, and one warning.
(map :name "ab")
;=> [nil nil]
;warn> keyword-on-non-map 1:1 (:name x) on a string gives nil: it is not a map

;; The result of a sequence function in the middle of a body is lost: values never change in place.
(defn add-all [xs]
  (map inc xs)
  xs)
(add-all [1 2])
;=> [1 2]
;warn> dropped-result 2:3 the result of (map ...) is dropped here: values never change in place; bind it with let or def, or make it the last form

;; Sequences are equal to vectors with equal elements, whatever made them.
[(= [1 2] (map inc [0 1]) (list 1 2) (take 2 (iterate inc 1))) (= [1 2] #{1 2}) (= "ab" ["a" "b"])]
;=> [true false false]

;; A sequence as key and as member is found by an equal vector.
[(get {[0 1] :hit} (range 2)) (contains? #{[1 2]} (map inc [0 1]))]
;=> [:hit true]

;; A sequence in text is written like a vector.
(str "got " (map inc [1 2]) " of " (filter odd? [1 2]))
;=> "got [2 3] of [1]"

;; Results can be indexed like vectors, since they are vectors.
(let [names (map :name [{:name "a"} {:name "b"}])]
  [(get names 1) (names 0) (assoc names 0 "z") (peek names) (subvec names 1)])
;=> ["b" "a" ["z" "b"] "b" ["b"]]
;warn> list-order 1:13 lists and nil become vectors here: conj, peek and pop work at the end; use cons, first and rest for the front

;; `conj` on a result adds at its end.
(conj (map inc [1 2]) :last)
;=> [2 3 :last]
;warn> list-order 1:2 lists are vectors here: conj works at the end; use cons, first and rest for the front
