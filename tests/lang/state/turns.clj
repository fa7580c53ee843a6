;; `*1` is the answer of the turn before, `*2` and `*3` those before that.
(+ 1 1)
;=> 2
(* *1 10)
;=> 20
[*1 *2]
;=> [20 2]
[*1 *2 *3]
;=> [[20 2] 20 2]

;; On the first turn all three are nil.
[*1 *2 *3]
;=> [nil nil nil]

;; A definition answers its var, so that is what `*1` is.
(def rows [3 1 2])
;=> #'rows
*1
;=> #'rows
(sort rows)
;=> [1 2 3]
{:best (last *1) :var *3}
;=> {:best 3 :var #'rows}

;; A turn that fails does not count.
:good
;=> :good
(/ 1 0)
;!> arithmetic_error 1:1 Divide by zero
*1
;=> :good

;; A function made in one turn keeps the `*1` of its own turn.
:first
;=> :first
(def remembered (fn [] *1))
;=> #'remembered
[(remembered) *1]
;=> [:first #'remembered]

;; `*4` is an ordinary name.
*4
;!> undefined_symbol 1:1 undefined symbol '*4'

;; Everything a successful turn defined is there in the next.
(def limit 3)
(defn small? [n] (< n limit))
;=> #'small?
(filter small? [1 2 3 4])
;=> [1 2]
(def limit 2)
(filter small? [1 2 3 4])
;=> [1]

;; Nothing that a failed turn defined is kept.
(def total 1)
;=> #'total
(def total 2)
(def other 3)
(throw (ex-info "stop" {}))
;!> exception 3:1 stop
total
;=> 1
other
;!> undefined_symbol 1:1 undefined symbol 'other'

;; A program without any form is nil.
;; Only this comment.
nil
;=> nil

;; Several forms are one program; the last is its answer.
1 "two" :three
;=> :three

;; *2 and *3 reach back for a comparison over turns.
{:a 1}
;=> {:a 1}
{:a 2}
;=> {:a 2}
{:a 4}
;=> {:a 4}
(map :a [*3 *2 *1])
;=> [1 2 4]

;; Long answers are kept in part: enough to go on with the beginning.
(range 2000)
;=> [0 1 2 3 4…
[(vector? *1) (< (count *1) 2000) (take 3 *1)]
;=> [true true [0 1 2]]

;; `fail` ends the mission, but what was done before stays: only errors undo.
(def a (atom 0))
;=> #'a
(reset! a 5)
(fail "no more")
;fail> "no more"
@a
;=> 5

;; A closure keeps its own atom over turns; a failed turn takes its change back.
(def next-id (let [n (atom 0)] (fn [] (swap! n inc))))
(next-id)
;=> 1
(next-id)
;=> 2
(next-id)
(throw (ex-info "stop" {}))
;!> exception 2:1 stop
(next-id)
;=> 3

;; A lazy sequence goes on in the next turn where it stopped.
(def numbers (map #(do (println "making" %) %) (iterate inc 1)))
(first numbers)
;=> 1
;out> making 1
(take 2 numbers)
;=> [1 2]
;out> making 2

;; A change inside an error that was caught is no failed turn: it stays.
(def a (atom 0))
(try (def x 1) (swap! a inc) (/ 1 0) (catch Exception e nil))
[@a x]
;=> [1 1]

;; A redefinition with other parameters counts from then on.
(defn f [a] a)
;=> #'f
(f 1 2)
;!> arity_error 1:1 f: expected 1 argument, got 2
(def f (fn [a b] [a b]))
(f 1 2)
;=> [1 2]

;; Warnings belong to their turn.
(:a [1])
;=> nil
;warn> keyword-on-non-map 1:1 (:a x) on a vector gives nil; use (map :a xs) for many rows or (nth xs i) for one
(:a {:a 1})
;=> 1
