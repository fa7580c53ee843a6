;; `reduce` folds from the left: the function gets the result so far and the next element.
(reduce - [20 5 1])
;=> 14

;; With an initial value the elements need not be of its kind.
(reduce (fn [total item] (+ total (* (:price item) (:qty item))))
        0
        [{:price 5 :qty 2} {:price 3 :qty 4}])
;=> 22

;; Without elements the initial value is the answer; without either, the function is called with no arguments.
[(reduce + 5 nil) (reduce + []) (reduce conj []) (reduce str nil)]
;=> [5 0 [] ""]

;; One element without initial value is the answer as it is: the function is not called.
(reduce (fn [a b] (println "called") (+ a b)) ["only"])
;=> "only"

;; A map is folded entry by entry.
(reduce (fn [best [name points]] (if (> points (second best)) [name points] best))
        [nil 0]
        {:ann 3 :bob 9 :cat 5})
;=> [:bob 9]

;; Counting words by hand: `update` with `fnil` is what `frequencies` does.
(reduce (fn [counts word] (update counts word (fnil inc 0))) {} ["to" "be" "or" "not" "to" "be"])
;=> {"to" 2 "be" 2 "or" 1 "not" 1}

;; `reduced` ends the fold at once with its value.
(reduce (fn [total n] (if (> (+ total n) 10) (reduced [:over total]) (+ total n)))
        0
        [4 5 6 7])
;=> [:over 9]

;; What comes after `reduced` is never seen.
(reduce (fn [_ n] (println "at" n) (when (= n 2) (reduced :found))) nil [1 2 3])
;=> :found
;out> at 1
;out> at 2

;; An endless sequence can be folded when `reduced` ends it.
(reduce (fn [total n] (if (> n 100) (reduced total) (+ total n))) 0 (range))
;=> 5050

;; `reduced?` recognises the box, `unreduced` opens it; a value outside of a box stays.
[(reduced? (reduced 1)) (reduced? 1) (unreduced (reduced 1)) (unreduced 1)]
;=> [true false 1 1]

;; `unreduced` lets a step function be used outside of a fold.
(let [step (fn [acc x] (if (neg? x) (reduced acc) (+ acc x)))]
  [(unreduced (step 5 -1)) (unreduced (step 5 1))])
;=> [5 6]

;; `ensure-reduced` boxes once, never twice.
[(unreduced (ensure-reduced (reduced 7))) (reduced? (ensure-reduced 7))]
;=> [7 true]

;; A fold that stops after its first step, whatever the step gave.
(reduce (fn [_ x] (ensure-reduced (* 10 x))) nil [1 2 3])
;=> 10

;; A box around nil is a box: `reduced?` tells a found nil from none.
(map reduced? [(reduced nil) nil (ensure-reduced nil)])
;=> [true false true]

;; `reduce-kv` hands key and value apart.
(reduce-kv (fn [m k v] (assoc m (name k) (* 2 v))) {} {:a 1 :b 2})
;=> {"a" 2 "b" 4}

;; Over a vector the keys are the positions.
(reduce-kv (fn [acc i x] (+ acc (* i x))) 0 [10 20 30])
;=> 80

;; `reduce-kv` over nil is the initial value, and `reduced` ends it early.
[(reduce-kv assoc {:k 0} nil)
 (reduce-kv (fn [_ k v] (when (> v 1) (reduced k))) nil {:a 1 :b 2 :c 3})]
;=> [{:k 0} :b]

;; `reduce-kv` needs a map or vector.
(reduce-kv (fn [acc k v] (+ acc v)) 0 7)
;!> type_error 1:1 reduce-kv: expected a map, got number

;; `reductions` shows every step of a fold: a running balance.
(reductions + [100 -30 -20 50])
;=> [100 70 50 100]

;; With an initial value it comes first.
(reductions (fn [stock [kind n]] (if (= kind :in) (+ stock n) (- stock n)))
            10
            [[:in 5] [:out 8]])
;=> [10 15 7]

;; Without elements only the starting value is left.
[(reductions + 0 []) (reductions + []) (reductions conj [] nil)]
;=> [[0] [0] [[]]]

;; `reduced` ends `reductions` too; its value is the last one.
(reductions (fn [a x] (if (neg? x) (reduced :stop) (+ a x))) [1 2 -1 4])
;=> [1 3 :stop]

;; `run!` calls the function for its effects and answers nil.
(run! (fn [line] (println ">" line)) ["one" "two"])
;=> nil
;out> > one
;out> > two

;; Effects on an atom through `run!`.
(let [seen (atom [])]
  (run! #(swap! seen conj (* % %)) [1 2 3])
  @seen)
;=> [1 4 9]

;; `reduce` takes the function first.
(reduce 0 + [1 2])
;!> not_callable 1:1 cannot call 0 (number): a function was expected here

;; A number cannot be folded.
(reduce + 0 10)
;!> type_error 1:1 reduce: expected a collection, got number

;; `reductions` and `run!` need a collection as well.
(reductions + 0 10)
;!> type_error 1:1 reductions: expected a collection, got number

;; The error of a step is told with the step's own names.
(reduce + [1 "2" 3])
;!> type_error 1:1 +: expected numbers, got number and string; (parse-long s) and (parse-double s) read numbers, (str ...) joins texts
