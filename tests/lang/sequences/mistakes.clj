;; In a pipeline the place is that of the step that failed.
(->> [1 2 "x"]
     (map inc)
     (filter odd?))
;!> type_error 2:6 inc: expected a number, got string

;; A step without brackets has a place as well.
(->> [{:a 1}]
     (sort-by :a >)
     first
     :b
     inc)
;!> type_error 5:6 inc: expected a number, got nil

;; The error inside of a function stands at its own form, not at the `map` that called it.
(defn doubled [x]
  (* x 2))
(map doubled [1 nil])
;!> type_error 2:3 *: expected numbers, got nil and number

;; A missing field meets arithmetic: the place leads to the sum.
(sort-by :age
         (map (fn [person] (assoc person :age (- 2024 (:born person))))
              [{:born 1990} {}]))
;!> type_error 2:47 -: expected numbers, got number and nil

;; A function that was given as it is has the place of the call that got it.
(let [rows [{:n 1} {:n nil}]]
  (reduce + (map :n rows)))
;!> type_error 2:3 +: expected numbers, got number and nil; (remove nil? coll) leaves nil out

;; The first step of a fold without a start value.
(reduce (fn [totals {:keys [k v]}]
          (assoc totals k (+ v (get totals k))))
        {}
        [{:k :a :v 1}])
;!> type_error 2:27 +: expected numbers, got number and nil

;; An entry of a map is one argument, a pair: `(fn [[k v]] …)`.
(filter (fn [k v] (> v 1)) {:a 1})
;!> arity_error 1:1 fn: expected 2 arguments, got 1; a pair is one argument: (fn [[k v]] ...)

;; So it is for `reduce`; key and value as two are given by `reduce-kv`.
(reduce (fn [acc k v] (assoc acc v k)) {} {:a 1})
;!> arity_error 1:1 fn: expected 3 arguments, got 2; an entry is one argument: (fn [acc [k v]] ...), or use reduce-kv

;; A path is a vector, also of one key.
(assoc-in {} :a 1)
;!> type_error 1:1 assoc-in: expected a path such as [:a], got the keyword :a

(update-in {:a 1} :a inc)
;!> type_error 1:1 update-in: expected a path such as [:a], got the keyword :a

;; Names stand in a vector behind `:keys`.
(let [{:keys name} {:name 1}] name)
;!> unsupported_pattern 1:14 cannot destructure with name: :keys takes a vector of names, {:keys [name]}

;; A quotient is a float; `%d` is for integers.
(format "%d" (/ 7 2))
;!> type_error 1:1 format: %d expects an integer, got 3.5; write %.1f, or (round x)

;; An option that would be promised and not kept.
(atom 0 :validator nat-int?)
;!> argument_error 1:1 atom: :validator is not available here; test the new value in the function of swap!

;; A pattern that does not fit an element.
(map (fn [[a b]] (+ a b)) [[1 2] 3])
;!> destructure_error 1:11 vector pattern cannot match 3

;; A map pattern for a number.
(let [{:keys [name]} 5] name)
;!> destructure_error 1:7 map pattern cannot match 5

;; Adding up entries instead of values.
(sum {:a 1})
;!> type_error 1:1 sum: expected numbers, got vector

;; With `vals` it is right.
(sum (vals {:a 1 :b 2}))
;=> 3

;; Collection and function exchanged, for functions that take the function first.
(group-by [{:a 1}] :a)
;!> type_error 1:1 group-by: expected a collection, got keyword; write (group-by key coll)

;; For `sort-by` too.
(sort-by [{:a 1}] :a)
;!> type_error 1:1 sort-by: expected a collection, got keyword; write (sort-by key coll)

;; And for `partition-by`.
(partition-by [1 2] odd?)
;!> type_error 1:1 partition-by: expected a collection, got function; write (partition-by f coll)

;; A single value in place of a list of them.
(concat [1 2] 3)
;!> type_error 1:1 concat: expected a collection, got number

;; The comparator of `sort-by` is no second key; two keys are put together with `juxt`.
(sort-by :a :b [{:a 1 :b 2}])
;!> type_error 1:1 sort-by: the comparator must be a function, :asc or :desc, got keyword

;; An initial value behind the collection.
(reduce + [1 2] 0)
;!> type_error 1:1 reduce: expected a collection, got number; write (reduce f init coll)

;; A macro is no function: it cannot be handed on.
(map and [true] [false])
;!> undefined_symbol 1:6 undefined symbol 'and'. Hint: 'and' is a special form; as a function write #(and %1 %2), or use (every? pred coll)

;; A function of the host's other language.
(map (fn [x] (.toUpperCase x)) [1])
;!> type_error 1:14 .toUpperCase: expected a string, got number

;; A misspelt name is found before anything runs, with what was probably meant.
(println "never")
(fliter odd? [1 2])
;!> undefined_symbol 2:2 undefined symbol 'fliter'. Did you mean 'filter'?

;; An index that is no integer.
(nth [1 2] "0")
;!> type_error 1:1 nth: expected an integer index, got string

;; `nil` as a number of elements.
(take nil [1 2])
;!> type_error 1:1 take: expected a number of elements, got nil

;; `update` needs a function.
(update {:n 1} :n)
;!> arity_error 1:1 update: expected 3 or more arguments, got 2

;; What `update` is given must be a function, not its result.
(update {:n 1} :n (inc 1))
;!> not_callable 1:1 cannot call 2 (number): a function was expected here

;; `map` over one field name and one row.
(map :name {:name "Ann"})
;!> type_error 1:1 map: field access over a collection expects many maps, got one map; use (:name m)

;; Three mistakes in one program are told together.
(map inc)
(redcue + [1])
(get {:a 1})
(partial)
;!> undefined_symbol 2:2 undefined symbol 'redcue'. Did you mean 'reduce'?
;!> arity_error 3:1 get: expected 2 or 3 arguments, got 1
;!> arity_error 4:1 partial: expected 1 or more arguments, got 0
