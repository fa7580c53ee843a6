;; Calls of what is no function, and arguments in the wrong order or number.
;; The operator between its numbers.
(1 + 2)
;!> not_callable 1:1 cannot call 1 (number): the function comes first: (+ 1 2)

;; The same by way of a name.
(let [x 5] (if (x > 3) :big :small))
;!> not_callable 1:16 cannot call 5 (number): the function comes first: (> 5 3)

;; Input data in parentheses.
;- data {:rows [1 2]}
(data/rows)
;!> not_callable 1:1 data/rows is a value: write it without parentheses, or (nth data/rows 0) for an element

;; A number in parentheses.
(let [total 5] (total))
;!> not_callable 1:16 cannot call 5 (number): a value is written without parentheses

;; nil in front of an argument.
(let [m {}] ((:b m) 1))
;!> not_callable 1:13 cannot call nil: the first form of a call must be a function, and here it is nil

;; An entry of a map is one argument.
(map (fn [k v] [v k]) {:a 1})
;!> arity_error 1:1 fn: expected 2 arguments, got 1; a pair is one argument: (fn [[k v]] ...)

;; For a predicate, too.
(filter (fn [k v] (> v 1)) {:a 1})
;!> arity_error 1:1 fn: expected 2 arguments, got 1; a pair is one argument: (fn [[k v]] ...)

;; A short function without its argument.
(map #(:name) [{:name "Ada"}])
;!> arity_error 1:1 fn: expected 0 arguments, got 1; write % where the argument of #(...) goes, or (fn [x] ...)

;; Counting up what is not there yet.
(update {} :n inc)
;!> type_error 1:1 inc: expected a number, got nil; for a missing value use (fnil inc 0)
(defn deposit [account {:keys [amount]}]
  (update account :balance + amount))
(deposit {} {:amount 50})
;!> type_error 2:3 +: expected numbers, got nil and number; for a missing value use (fnil + 0)

;; What the hint says works.
(update {} :n (fnil inc 0))
;=> {:n 1}

;; A path for `update`.
(update {:a {:n 1}} [:a :n] inc)
;!> type_error 1:1 inc: expected a number, got nil; a path of keys is for update-in

;; Maps have no order of their own.
(sort [{:n 2} {:n 1}])
;!> type_error 1:1 cannot compare map with map; use (sort-by key coll)

;; Nor a greatest.
(apply max [{:n 2} {:n 1}])
;!> type_error 1:1 max: expected numbers, got map; of maps, (max-by :key coll) picks one

;; The number comes first in `take` and `drop`.
(take [1 2] 2)
;!> type_error 1:1 take: expected a number of elements, got vector; write (take n coll)

;; The collection in `nth`.
(nth 1 [1 2])
;!> type_error 1:1 nth: expected an integer index, got vector; write (nth coll index)

;; The function comes first.
(map [1 2] inc)
;!> type_error 1:1 map: expected a collection, got function; write (map f coll)

;; In `filter`.
(filter {:a 1} odd?)
;!> type_error 1:1 filter: expected a collection, got function; write (filter pred coll)

;; In `reduce` with a start.
(reduce [1 2] + 0)
;!> type_error 1:1 reduce: expected a collection, got number; write (reduce f init coll)

;; In what works lazily as well.
(take-while [1 2] odd?)
;!> type_error 1:1 take-while: expected a collection, got function; write (take-while pred coll)

;; Maps come first in `update-vals` and `update-keys`.
(update-vals inc {:a 1})
;!> type_error 1:1 update-vals: expected (update-vals map f); use -> instead of ->>

;; The same for the keys.
(update-keys name {:a 1})
;!> type_error 1:1 update-keys: expected (update-keys map f); use -> instead of ->>

;; A transducer comes first in `transduce`.
(transduce [1 2] + (map inc))
;!> type_error 1:1 transduce: expected a transducer such as (map inc) first, got vector

;; A path is a vector.
(get-in {:a 1} :a)
;!> type_error 1:1 get-in: expected a path such as [:a], got the keyword :a

;; The predicate comes first in `find`.
(find [1 2 3] odd?)
;!> type_error 1:1 find: expected a collection, got function; write (find pred coll)

;; Texts are no collections to add to.
(conj "ab" "c")
;!> type_error 1:1 conj: expected a collection, got string; (str a b) joins texts

;; An index is no key for many rows.
(pluck 0 [[1 2]])
;!> type_error 1:1 pluck: expected a key such as :name, got number

;; The text comes first in `split`.
(split #"," "a,b")
;!> type_error 1:1 split: expected a string, got regex; write (split s separator)

;; The pattern comes first in `re-find`.
(re-find "abc" #"b")
;!> type_error 1:1 re-find: expected a string, got regex; write (re-find #"..." s)

;; A map, a key and a value, in this order.
(assoc :a 1 {})
;!> type_error 1:1 assoc: expected a map or vector, got keyword; write (assoc m k v)

;; The count of `dotimes` is a number.
(dotimes [i "3"] (println i))
;!> type_error 1:1 dotimes: expected numbers, got string

;; A missing name is reported once.
(defn [x] x)
;!> invalid_form 1:7 defn: expected (defn name [params] body...)

;; One part is no parts.
(try 1 (catch Exception))
;!> invalid_arity 1:8 catch: expected (catch Exception e body...), got 1 part

;; The message of an exception by its method.
(try (throw (ex-info "no rows" {})) (catch Exception e [(.getMessage e) (.toString e)]))
;=> ["no rows" "no rows"]

;; A required argument of a tool.
;- tool search (query :string) -> [:any] = []
(tool/search {})
;!> invalid_tool_args 1:1 tool/search missing required field "query"; it takes (query :string), e.g. (tool/search {:query ...})

;; A name that is nearly that of an argument.
;- tool book (nights :int) -> :any = nil
(tool/book {:night 5})
;!> invalid_tool_args 1:1 tool/book missing required field "nights"; it takes (nights :int), e.g. (tool/book {:nights ...})
;!> invalid_tool_args 1:20 tool/book has no argument "night" (did you mean "nights"?); it takes (nights :int), e.g. (tool/book {:nights ...})

;; Escapes work in mended quotes.
(count “a\"b”)
;=> 3

;; `when-first` speaks for itself.
(when-first [x 5] x)
;!> type_error 1:1 when-first: expected a collection, got number

;; So does `lazy-cat`.
(first (lazy-cat 5))
;!> type_error 1:8 lazy-cat: expected a collection, got number

;; `any?` has one argument.
(any? odd? [1 2])
;!> arity_error 1:1 any?: expected 1 argument, got 2; write (some pred coll)

;; A field comes before its collection.
(sum-by [{:n 1}] :n)
;!> type_error 1:1 sum-by: expected a collection, got keyword; write (sum-by key coll)

;; A start in the place of the function.
(reduce 0 + [1 2])
;!> not_callable 1:1 cannot call 0 (number): a function was expected here
