;; An error in a function points at the form that failed, not at the call.
(defn ratio [a b]
  (/ a b))
(ratio 1 0)
;!> arithmetic_error 2:3 Divide by zero

;; The place is that of the failing call inside a longer form.
(def rows [{:n 1} {:n "2"}])
(reduce (fn [sum row]
          (+ sum (:n row)))
        0 rows)
;!> type_error 3:11 +: expected numbers, got number and string; (parse-long s) and (parse-double s) read numbers, (str ...) joins texts

;; The first error wins; what ran before stays visible in the prints.
(println "one")
(println (+ 1 nil))
(println "never")
;out> one
;!> type_error 2:10 +: expected numbers, got number and nil

;; A missing field meets arithmetic: the usual slip.
(map #(* (:price %) 2) [{:price 1} {:cost 2}])
;!> type_error 1:6 *: expected numbers, got nil and number

;; Comparing what cannot be compared.
(< 1 "2")
;!> type_error 1:1 <: expected numbers, got string

;; Sorting mixed kinds.
(sort [1 "a" :b])
;!> type_error 1:1 cannot compare string with number; (sort-by str coll) sorts as texts

;; `count` of a number.
(count 5)
;!> type_error 1:1 count: expected a collection, got number

;; A number as a collection.
(map inc 5)
;!> type_error 1:1 map: expected a collection, got number

;; `first` of a number.
(first 7)
;!> type_error 1:1 first: expected a collection, got number

;; `conj` onto a text.
(conj "ab" "c")
;!> type_error 1:1 conj: expected a collection, got string; (str a b) joins texts

;; `assoc` behind the end of a vector.
(assoc [1 2] 5 :x)
;!> argument_error 1:1 assoc: index 5 is outside a vector of length 2

;; `assoc` into a text.
(assoc "abc" 0 "x")
;!> type_error 1:1 assoc: expected a map or vector, got string

;; `get-in` along a path that is no path.
(get-in {:a 1} :a)
;!> type_error 1:1 get-in: expected a path such as [:a], got the keyword :a

;; `upper-case` of a number.
(upper-case 5)
;!> type_error 1:1 upper-case: expected a string, got number

;; `keys` of a vector.
(keys [1 2])
;!> type_error 1:1 keys: expected a map, got vector

;; `max` of a collection: `apply` is meant.
(max [1 5 3])
;!> type_error 1:1 max: expected numbers, got vector; use (apply max coll)

;; `into` a map wants pairs.
(into {} [1 2])
;!> type_error 1:1 into: 1 is not a [key value] pair

;; `subvec` outside of the vector.
(subvec [1 2 3] 2 9)
;!> argument_error 1:1 subvec: 2 to 9 is outside a vector of length 3

;; `even?` of a text.
(filter even? ["1" 2])
;!> type_error 1:1 even?: expected an integer, got string

;; `reduce` with a function of one argument.
(reduce inc [1 2])
;!> arity_error 1:1 inc: expected 1 argument, got 2

;; `update` with something that is no function.
(update {:n 1} :n 5)
;!> not_callable 1:1 cannot call 5 (number): a function was expected here

;; `parse-long` is forgiving, `Integer/parseInt` is not.
[(parse-long "x") (Integer/parseInt "x")]
;!> argument_error 1:19 Integer/parseInt: not an integer: "x"

;; `nth` is forgiving as well (L-14), a vector as a function is not.
[(nth [1 2] 9) ([1 2] 9)]
;!> argument_error 1:16 index 9 is outside a vector of length 2

;; `filter` with arguments the wrong way round.
(filter [1 2 3] odd?)
;!> type_error 1:1 filter: expected a collection, got function; write (filter pred coll)

;; `map` over one map with a keyword.
(map :name {:name "Ada"})
;!> type_error 1:1 map: field access over a collection expects many maps, got one map; use (:name m)

;; A date that is none.
(LocalDate/parse "2024-02-30")
;!> argument_error 1:1 LocalDate/parse: not a YYYY-MM-DD date: '2024-02-30'

;; `apply` wants a collection at the end.
(apply + 1 2)
;!> type_error 1:1 apply: expected a collection, got number

;; `sort-by` with the comparator at the end.
(sort-by :n [{:n 1}] >)
;!> type_error 1:1 sort-by: the comparator comes second: (sort-by key comparator coll)

;; `includes?` on a collection: `contains?` is meant.
(includes? ["a" "b"] "a")
;!> type_error 1:1 includes?: expected a string, got vector; use contains? for collections

;; An error inside a lazy sequence shows where the element is made.
(def ratios (map #(/ 12 %) (iterate dec 2)))
(take 4 ratios)
;!> arithmetic_error 1:18 Divide by zero

;; A value nested too deep to compare (L-22).
(defn nest [n] (loop [i 0 v []] (if (< i n) (recur (inc i) [v]) v)))
(= (nest 1000) (nest 1000))
;!> nesting_too_deep 2:1 cannot compare a value nested more than 512 deep
