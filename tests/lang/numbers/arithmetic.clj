;; Sums, products and differences: `+`, `-`, `*`, `inc`, `dec`, `abs`.

;; `+` adds any number of numbers; none at all is 0.
[(+) (+ 7) (+ 1 2 3 4)]
;=> [0 7 10]

;; `*` multiplies any number of numbers; none at all is 1.
[(*) (* 7) (* 2 3 4)]
;=> [1 7 24]

;; One argument of `-` is negated; several are subtracted from the left.
[(- 4) (- -4) (- 9 2 3)]
;=> [-4 4 4]

;; An integer and a float together give a float, also when it is whole.
[(+ 1 2.0) (* 2 0.5) (- 3 1.0)]
;=> [3.0 1.0 2.0]

;; Integers stay integers.
[(+ 1 2) (* -3 4) (- 10 10)]
;=> [3 -12 0]

;; The sum of prices and quantities of an order.
(defn total [lines]
  (reduce + (map (fn [{:keys [price qty]}] (* price qty)) lines)))
[(total [{:price 250 :qty 2} {:price 100 :qty 3}])
 (total [])]
;=> [800 0]

;; `apply` spreads a collection over the arguments.
[(apply + [1 2 3]) (apply * (range 1 6)) (apply + nil)]
;=> [6 120 0]

;; `inc` and `dec` go one up and one down, of floats too.
[(inc 41) (dec 0) (inc 0.5) (dec -1.5)]
;=> [42 -1 1.5 -2.5]

;; They are ordinary functions, at home in `map`, `update` and `swap!`.
(def visits (atom {:home 1}))
(swap! visits update :home inc)
(swap! visits update :shop (fnil dec 0))
[@visits (map inc [1 2 3]) (mapv dec #{5})]
;=> [{:home 2 :shop -1} [2 3 4] [4]]

;; `abs` drops the sign and keeps the kind of number.
[(abs -5) (abs 5) (abs -2.5) (abs 0) (abs ##-Inf)]
;=> [5 5 2.5 0 ##Inf]

;; The distance between two readings does not depend on their order.
(defn distance [a b] (abs (- a b)))
[(distance 3 10) (distance 10 3) (distance -2 2)]
;=> [7 7 4]

;; A running balance: deposits and withdrawals one after another.
(reductions + 100 [50 -30 -120])
;=> [100 150 120 0]

;; Text is not a number, also when it looks like one; nothing is converted.
(+ 1 "2")
;!> type_error 1:1 +: expected numbers, got number and string; (parse-long s) and (parse-double s) read numbers, (str ...) joins texts

;; nil is not 0: a missing field stops the sum and names the function.
(let [order {:price 10}]
  (* (:price order) (:qty order)))
;!> type_error 2:3 *: expected numbers, got number and nil

;; The same with a default for what is missing.
(let [order {:price 10}]
  (* (:price order) (get order :qty 1)))
;=> 10

;; A single argument is checked as well.
(+ "x")
;!> type_error 1:1 +: expected numbers, got string

;; A collection has to be spread.
(+ [1 2 3])
;!> type_error 1:1 +: expected numbers, got vector

;; `-` needs something to subtract.
(-)
;!> arity_error 1:1 -: expected 1 or more arguments, got 0

;; `inc` takes one number.
(inc nil)
;!> type_error 1:1 inc: expected a number, got nil

;; `dec` of text is an error that says what was found.
(dec "3")
;!> type_error 1:1 dec: expected a number, got string

;; So is `abs` of a keyword.
(abs :five)
;!> type_error 1:1 abs: expected a number, got keyword

;; Too many arguments are found before anything runs.
(println "never")
(inc 1 2)
;!> arity_error 2:1 inc: expected 1 argument, got 2

;; A user's own `+` wins; `core/+` reaches the builtin.
(defn + [a b] (str a "+" b))
[(+ 1 2) (core/+ 1 2)]
;=> ["1+2" 3]

;; Three and more numbers go from the left to the right, with constants anywhere among them.
(defn both [a b] [(+ a b 1) (- a b 1) (* a b 2) (+ 1 a b) (- 10 a b) (* 2 a 3 b) (/ 12 a) (/ a 2) (- 1 a)])
[(both 3 4) (both 1.5 2)]
;=> [[8 -2 24 8 3 72 4 1.5 -2] [4.5 -1.5 6.0 4.5 6.5 18.0 8.0 0.75 -0.5]]

;; A loop may read its locals in any place of a sum that becomes one of them.
(loop [a 1 b 2 n 0] (if (= 3 n) [a b] (recur (+ a b a) (- b a 1) (inc n))))
;=> [11 -14]

;; All of them are evaluated before the first two are added.
(let [seen (atom [])
      note (fn [x] (swap! seen conj x) x)]
  [(try (+ (note 1) (note "two") (note 3)) (catch Exception _ :failed)) @seen])
;=> [:failed [1 "two" 3]]

;; Beyond 64 bits a sum grows in the middle, too.
(let [most 9223372036854775807] [(+ most 1 most) (- (* most 2 1) most) (* most 3 1)])
;=> [18446744073709551615 9223372036854775807 27670116110564327421]

;; A constant is equal to what is beside it on both sides.
(let [order {:status "paid" :qty 5}]
  [(= "paid" (:status order)) (= (:status order) "paid") (= 5 (:qty order)) (= nil (:no order))])
;=> [true true true true]

;; An atom holds numbers of all kinds.
(let [total (atom 0)]
  [(swap! total + 5) (swap! total * 1.5) (swap! total - 0.5) (swap! total max 3) (swap! total / 2) @total])
;=> [5 7.5 7.0 7.0 3.5 3.5]
