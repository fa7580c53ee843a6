;; `assert` passes silently when its test holds.
(defn withdraw [balance amount]
  (assert (pos? amount))
  (- balance amount))
[(withdraw 10 3) (assert true)]
;=> [7 nil]

;; A test that fails is an `assertion_error` with the text of the test.
(assert (= 3 (+ 1 1)))
;!> assertion_error 1:9 assert failed: (= 3 (+ 1 1))

;; A failed `assert` can be caught; its reason is `:assertion_error`.
(try (assert false) (catch Throwable e (ex-data e)))
;=> {:reason :assertion_error}

;; The test of `assert` is any truthy value.
[(assert 0) (assert "") (try (assert nil) (catch Throwable e (ex-message e)))]
;=> [nil nil "assert failed: nil"]

;; `assert` at the top of a program checks the input before any work.
;- data {:rows []}
(assert (seq data/rows))
(println "never")
;!> assertion_error 1:9 assert failed: (seq data/rows)
