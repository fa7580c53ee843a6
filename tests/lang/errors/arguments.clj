;; The functions of this part of the language with the wrong count or kind of arguments.

;; `atom` needs a first content.
(atom)
;!> arity_error 1:1 atom: expected 1 or more arguments, got 0

;; `swap!` needs a function.
(swap! (atom 1))
;!> arity_error 1:1 swap!: expected 2 or more arguments, got 1

;; `swap!` with a number in place of the function.
(swap! (atom 1) 5)
;!> not_callable 1:1 cannot call 5 (number): a function was expected here

;; `reset!` needs a value.
(reset! (atom 1))
;!> arity_error 1:1 reset!: expected 2 arguments, got 1

;; `compare-and-set!` takes an atom, the old and the new value.
(compare-and-set! (atom 1) 2)
;!> arity_error 1:1 compare-and-set!: expected 3 arguments, got 2

;; `compare-and-set!` on something else.
(compare-and-set! [1] 1 2)
;!> type_error 1:1 compare-and-set!: expected an atom, got vector

;; `swap-vals!` on a map.
(swap-vals! {:a 1} assoc :a 2)
;!> type_error 1:1 swap-vals!: expected an atom, got map

;; `reset-vals!` on nil.
(reset-vals! nil 1)
;!> type_error 1:1 reset-vals!: expected an atom, got nil

;; `volatile!` takes one value.
(volatile! 1 2)
;!> arity_error 1:1 volatile!: expected 1 argument, got 2

;; `vreset!` on an atom.
(vreset! (atom 1) 2)
;!> type_error 1:1 vreset!: expected a volatile, got atom

;; `force` takes one value.
(force)
;!> arity_error 1:1 force: expected 1 argument, got 0

;; `deref` of a text.
(deref "x")
;!> type_error 1:1 deref: expected an atom, volatile, delay or var, got string

;; `realized?` of a number.
(realized? 5)
;!> type_error 1:1 realized?: expected a lazy sequence or a delay, got number

;; `ex-info` with a map first.
(ex-info {:a 1} "message")
;!> type_error 1:1 ex-info: expected a string, got map

;; `ex-info` with a message alone.
(throw (ex-info "message"))
;!> arity_error 1:8 ex-info: expected 2 or 3 arguments, got 1

;; `ex-data` takes one value.
(ex-data)
;!> arity_error 1:1 ex-data: expected 1 argument, got 0

;; `with-meta` takes a value and a map.
(with-meta [1])
;!> arity_error 1:1 with-meta: expected 2 arguments, got 1

;; `vary-meta` needs a function.
(vary-meta [1])
;!> arity_error 1:1 vary-meta: expected 2 or more arguments, got 1

;; `name` of a number.
(name 5)
;!> type_error 1:1 name: expected a keyword, symbol or string, got number

;; `name` of nil.
(map name [:a nil])
;!> type_error 1:1 name: expected a keyword, symbol or string, got nil

;; `namespace` of a text.
(namespace "a/b")
;!> type_error 1:1 namespace: expected a keyword or symbol, got string

;; `symbol` of a number.
(symbol 5)
;!> type_error 1:1 symbol: expected a string, keyword or symbol, got number

;; `step-done` without a summary.
(step-done "1")
;!> arity_error 1:1 step-done: expected 2 arguments, got 1

;; `step-done` of nothing.
(step-done nil "done")
;!> type_error 1:1 step-done: expected a string, got nil

;; `task-reset` without an id.
(task-reset)
;!> arity_error 1:1 task-reset: expected 1 argument, got 0

;; `all-of` with something that is no test: found when it is asked.
((all-of :a 5) {:a 1})
;!> not_callable 1:1 cannot call 5 (number): the function comes first, as in (+ 1 2)

;; `Exception.` with a number.
(Exception. 5)
;!> type_error 1:1 Exception.: expected a string, got number

;; `throw` of nil.
(throw nil)
;!> type_error 1:1 throw: expected an exception such as (ex-info "message" {}), got nil
