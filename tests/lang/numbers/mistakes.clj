;; Slips that programs with numbers make again and again: what the error says, and the mended program below it.

;; A price that came as text.
;- data {:orders [{:price 10} {:price "12"}]}
(reduce + (map :price data/orders))
;!> type_error 1:1 +: expected numbers, got number and string; (parse-long s) and (parse-double s) read numbers, (str ...) joins texts

;; Mended: read the text, keep the numbers.
;- data {:orders [{:price 10} {:price "12"}]}
(defn amount [x] (if (string? x) (parse-long x) x))
(reduce + (map (comp amount :price) data/orders))
;=> 22

;; A field that is not there.
;- data {:orders [{:price 10} {:total 12}]}
(reduce + (map :price data/orders))
;!> type_error 1:1 +: expected numbers, got number and nil; (remove nil? coll) leaves nil out

;; Mended: leave out what is missing, or count it as 0.
;- data {:orders [{:price 10} {:total 12}]}
[(reduce + (keep :price data/orders)) (reduce + (map #(get % :price 0) data/orders))]
;=> [10 10]

;; The function `count` instead of a count.
(let [xs [1 2 3]] (/ (reduce + xs) count))
;!> type_error 1:19 /: expected numbers, got number and function

;; Mended.
(let [xs [1 2 3]] (/ (reduce + xs) (count xs)))
;=> 2

;; A whole collection given to an operator.
(let [sizes [3 1 2]] (+ sizes))
;!> type_error 1:22 +: expected numbers, got vector

;; Mended.
(let [sizes [3 1 2]] [(apply + sizes) (reduce + sizes)])
;=> [6 6]

;; A text that could not be read is nil; the error comes one step later.
(inc (parse-long "12 pieces"))
;!> type_error 1:1 inc: expected a number, got nil

;; Mended: take the digits out first.
(inc (parse-long (re-find #"\d+" "12 pieces")))
;=> 13

;; Comparing with a value that is missing.
(filter #(> (:age %) 17) [{:age 20} {:name "Bob"}])
;!> type_error 1:9 >: expected numbers, got nil

;; Mended: let `some->` or a default answer.
[(filter #(> (:age % 0) 17) [{:age 20} {:name "Bob"}]) (filter #(some-> (:age %) (> 17)) [{:age 20} {:name "Bob"}])]
;=> [[{:age 20}] [{:age 20}]]

;; An entry of a map where its value was meant.
(reduce + (map identity {:a 1 :b 2}))
;!> type_error 1:1 +: expected numbers, got vector and vector; (reduce f coll) or (apply f coll) takes a collection

;; Mended.
[(reduce + (vals {:a 1 :b 2})) (reduce (fn [sum [_ n]] (+ sum n)) 0 {:a 1 :b 2})]
;=> [3 3]

;; The initial value of `reduce` in the wrong place.
(reduce + [1 2 3] 10)
;!> type_error 1:1 reduce: expected a collection, got number; write (reduce f init coll)

;; Mended.
(reduce + 10 [1 2 3])
;=> 16

;; The mean of nothing.
(let [ages (map :age [])] (/ (apply + ages) (count ages)))
;!> arithmetic_error 1:27 Divide by zero

;; Mended: no mean without values.
(let [ages (map :age [])] (when (seq ages) (/ (apply + ages) (count ages))))
;=> nil

;; An operator between its operands, as in other languages.
(println 1 + 2)
(1 + 2)
;!> not_callable 2:1 cannot call 1 (number): the function comes first: (+ 1 2)
;out> 1 #<builtin> 2

;; Mended.
(println (+ 1 2))
;out> 3

;; A float as an index.
(nth [:a :b :c] (/ 3 2))
;!> type_error 1:1 nth: expected an integer index, got the float 1.5; (int x), (round x) or quot gives an integer

;; Mended.
(nth [:a :b :c] (quot 3 2))
;=> :b

;; `mod` with its arguments swapped is no error, but another question.
[(mod 10 3) (mod 3 10)]
;=> [1 3]

;; A misspelt function of mathematics: the error lists what there is.
(math/squareroot 9)
;!> invalid_form 1:2 no math function named squareroot; available: …

;; Mended.
(math/sqrt 9)
;=> 3.0
