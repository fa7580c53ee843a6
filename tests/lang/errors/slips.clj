;; What is often written by habit from other languages, and what it comes to here.

;; A name without its exclamation mark.
(def a (atom 1))
(swap a inc)
;!> undefined_symbol 2:2 undefined symbol 'swap'. Did you mean 'swap!'?

;; A name with one too many.
(return! 1)
;!> undefined_symbol 1:2 undefined symbol 'return!'. Did you mean 'return'?

;; `data` as a function.
;- data {:rows []}
(data :rows)
;!> undefined_symbol 1:2 undefined symbol 'data'. Hint: write data/ and a key, for example data/items

;; `data` as an object with index.
;- data {:rows []}
data[0]
;!> undefined_symbol 1:1 undefined symbol 'data'. Hint: write data/ and a key, for example data/items

;; A tool by a blank instead of a slash.
(tool search "x")
;!> undefined_symbol 1:2 undefined symbol 'tool'. Hint: write tool/ and a name, for example (tool/search {})
;!> undefined_symbol 1:7 undefined symbol 'search'

;; The wrong prefix for tools.
(tools/search "x")
;!> invalid_form 1:2 unknown namespace tools/; tools live in tool/, input in data/. Did you mean 'tool/search'?

;; An equals sign in `let`.
(let [x = 5] x)
;!> invalid_form 1:6 let: the bindings need an even number of forms, got 3

;; `let` without brackets.
(let x 5 x)
;!> invalid_form 1:6 let: expected (let [name value ...] body...)

;; Parentheses around parameters.
(defn f (x) x)
;!> invalid_form 1:9 defn: expected (defn name [params] body...)

;; `in` inside of `for`.
(for [x in [1 2]] x)
;!> invalid_form 1:12 for: the last name in the brackets has no collection

;; A number alone for `dotimes`.
(dotimes 3 (println "go"))
;!> invalid_form 1:10 dotimes: expected (dotimes [name count] body...)

;; `catch` without class.
(try (/ 1 0) (catch [e] "failed"))
;!> invalid_form 1:14 catch: expected (catch Exception e body...)

;; A list written as a call.
(let [[a b] (1 2)] (+ a b))
;!> not_callable 1:13 cannot call 1 (number): the function comes first, as in (+ 1 2)

;; The operator between its numbers.
(let [x 5] (if (x > 3) :big :small))
;!> not_callable 1:16 cannot call 5 (number)…

;; `max` of nothing.
(reduce max [])
;!> arity_error 1:1 max: expected 1 or more arguments, got 0; apply and reduce over an empty collection call it so: check (seq coll) first

;; `apply` spreads the same nothing.
(apply max (map :n []))
;!> arity_error 1:1 max: expected 1 or more arguments, got 0; apply and reduce over an empty collection call it so: check (seq coll) first

;; The number comes first in `take`.
(take [1 2 3] 2)
;!> type_error 1:1 take: expected a number of elements, got vector; write (take n coll)

;; So does it in `repeat`.
(repeat "x" 3)
;!> type_error 1:1 repeat: expected a number of elements, got string; write (repeat n x)

;; The function comes first in `reduce`.
(reduce [1 2] +)
;!> type_error 1:1 reduce: expected a collection, got function; write (reduce f coll)

;; `merge` of something that is no map.
(merge {:a 1} 5)
;!> type_error 1:1 merge: 5 is not a [key value] pair

;; Adding texts.
(+ "total: " 5)
;!> type_error 1:1 +: expected numbers, got string and number; (parse-long s) and (parse-double s) read numbers, (str ...) joins texts

;; A text where a number was meant.
(inc "5")
;!> type_error 1:1 inc: expected a number, got string

;; nil where a text was meant.
(trim (:name {}))
;!> type_error 1:1 trim: expected a string, got nil

;; `update` with a path: the key is the whole vector.
(update {:a {:b 1}} [:a :b] inc)
;!> type_error 1:1 inc: expected a number, got nil; a path of keys is for update-in

;; An atom instead of its content.
(def n (atom 1))
(+ n 1)
;!> type_error 2:1 +: expected numbers, got atom and number

;; Two parameters for the entries of a map: an entry is one argument.
(map (fn [k v] [v k]) {:a 1})
;!> arity_error 1:1 fn: expected 2 arguments, got 1…

;; As a pattern it works.
(map (fn [[k v]] [v k]) {:a 1})
;=> [[1 :a]]

;; `:desc` and `str/format` are understood.
[(map :n (sort-by :n :desc [{:n 1} {:n 3} {:n 2}])) (str/format "%03d" 7)]
;=> [[3 2 1] "007"]

;; An operator is a value in `println`.
(println "a" + 1)
;=> nil
;out> a #<builtin> 1

;; `else` in parentheses.
(cond (= 1 2) :a (else :b))
;!> invalid_cond_form 1:1 cond needs an even number of forms, got 3

;; Dates are subtracted by their days, points in time by their milliseconds.
(- (LocalDate/parse "2024-03-09") (LocalDate/parse "2024-03-01"))
;!> type_error 1:1 -: expected numbers, got date and date; (- (.toEpochDay b) (.toEpochDay a)) counts the days from a to b
(+ (LocalDate/parse "2024-03-09") 7)
;!> type_error 1:1 +: expected numbers, got date and number; (.plusDays d n) and (.minusDays d n) move a date
(- (java.util.Date. 5) (java.util.Date. 2))
;!> type_error 1:1 -: expected numbers, got datetime and datetime; (- (.getTime b) (.getTime a)) counts the milliseconds from a to b
(max (LocalDate/parse "2024-03-09") (LocalDate/parse "2024-03-01"))
;!> type_error 1:1 max: expected numbers, got date; write (last (sort coll))

;; The function of `reduce-kv` takes key and value apart, that of `map-indexed` index and element.
(reduce-kv (fn [acc [k v]] (assoc acc v k)) {} {:a 1})
;!> arity_error 1:1 fn: expected 2 arguments, got 3; it is called with three arguments: (fn [acc k v] ...)
(defn label [[i x]] (str i x))
(map-indexed label ["a" "b"])
;!> arity_error 2:1 label: expected 1 argument, got 2; it is called with index and element: (fn [i x] ...)

;; Missing numbers in a column.
(reduce + (map :n [{:n 1} {}]))
;!> type_error 1:1 +: expected numbers, got number and nil; (remove nil? coll) leaves nil out
(apply min (map :n [{:n 1} {}]))
;!> type_error 1:1 min: expected numbers, got nil; (remove nil? coll) leaves nil out
(transduce (map :n) + 0 [{:n 1} {}])
;!> type_error 1:1 +: expected numbers, got number and nil; (remove nil? coll) leaves nil out
(let [amounts (map :n)]
  (transduce amounts + 0 [{:n 1} {}]))
;!> type_error 2:3 +: expected numbers, got number and nil; (remove nil? coll) leaves nil out

;; The greatest of nothing by a key.
(apply max-key :n [])
;!> arity_error 1:1 max-key: expected 2 or more arguments, got 1; apply and reduce over an empty collection call it so: check (seq coll) first

;; A column with numbers and texts has no order; nor have maps.
(sort-by first [[2] ["b"]])
;!> type_error 1:1 cannot compare string with number; the keys must be of the same kind: (sort-by #(str (f %)) coll) compares as texts
(sort-by "n" [{:n 2} {:n "b"}])
;!> type_error 1:1 cannot compare string with number; (sort-by #(str (get % "n")) coll) compares as texts
(sort-by :at [{:at {:x 2}} {:at {:x 1}}])
;!> type_error 1:1 cannot compare map with map; sort-by needs keys with an order: numbers, texts or keywords
