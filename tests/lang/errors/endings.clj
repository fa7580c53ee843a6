;; The message of an `assert` stands before the test.
(assert (= 1 2) "no")
;!> assertion_error 1:1 Assert failed: no: (= 1 2)

;; It may be computed.
(assert (= 1 2) (str "got " 5))
;!> assertion_error 1:1 Assert failed: got 5: (= 1 2)

;; A test that holds answers nil.
(assert (= 1 1) "no")
;=> nil

;; An error in `finally` does not stop a `return`.
(try (return 1) (finally (throw (ex-info "x" {}))))
;return> 1

;; Nor a `fail`, and it is not caught outside.
(try (try (fail 1) (finally (/ 1 0))) (catch Exception e 5))
;fail> 1
;warn> dropped-result 1:29 the result of (/ ...) is dropped here: values never change in place; bind it with let or def, or make it the last form

;; It replaces an error that is under way.
(try (/ 1 0) (finally (throw (ex-info "x" {}))))
;!> exception 1:23 x

;; Inside of `finally` a `try` works as everywhere.
(try (try (return 1) (finally (try (/ 1 0) (catch Exception e (println "in"))))) (finally (println "out")))
;return> 1
;out> in
;out> out

;; A var stands for its definition, else for the builtin of that name.
(def x 1)
[@#'x (#'inc 1) (map (var count) [[1] []]) (apply #'+ [1 2])]
;=> [1 2 [1 0] 3]

;; A thrown exception remembers its class.
[(try (throw (ArithmeticException. "x")) (catch IllegalArgumentException e :arg) (catch ArithmeticException e :arith))
 (try (throw (IllegalStateException. "x")) (catch ArithmeticException e 1) (catch IllegalStateException e (ex-message e)))
 (try (throw (UnsupportedOperationException. "x")) (catch RuntimeException e :any))
 (try (throw (IllegalArgumentException. "x")) (catch IllegalStateException e 1) (catch Exception e 2))
 (try (throw (ex-info "x" {})) (catch IllegalStateException e 1) (catch Exception e 2))
 (try (/ 1 0) (catch IllegalStateException e 1) (catch ArithmeticException e 2))]
;=> [:arith "x" :any 2 2 2]

;; What a turn itself made has nothing to restore, so old contents are not kept.
;- limits {:memory 2000000}
(dotimes [_ 20000] (swap! (atom (vec (range 100))) conj 1))
;=> nil

;; A failed assertion is caught by its class.
(try (assert (= 1 2)) (catch AssertionError e (ex-message e)))
;=> "Assert failed: (= 1 2)"

;; A var that stands for itself ends in an error, however long the circle.
(def v #'v)
(try (v 1) (catch Exception e (ex-message e)))
;=> "#'v stands for itself: define it as a function or a value"

(def a #'a)
(def b #'a)
(def a #'b)
(map a [1 2])
;!> type_error 4:1 …

;; A var of a var of a function calls the function.
(def f inc)
(def g #'f)
(def h #'g)
[(h 1) (map h [1 2]) (sort-by #'h [2 1])]
;=> [2 [2 3] [1 2]]
