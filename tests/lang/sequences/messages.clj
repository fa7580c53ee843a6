;; The name in the message is that of the function that was written.
(transduce (map inc) + 5)
;!> type_error 1:1 transduce: expected a collection, got number

;; `mapv` has no form without a collection.
(mapv inc)
;!> arity_error 1:1 mapv: expected 2 or more arguments, got 1

;; The map comes first, as in `assoc`; so `->` fits, `->>` does not.
(update-vals inc {:a 1})
;!> type_error 1:1 update-vals: expected (update-vals map f); use -> instead of ->>

;; `update-keys` likewise.
(update-keys name {:a 1})
;!> type_error 1:1 update-keys: expected (update-keys map f); use -> instead of ->>

;; The warning stands at the call.
(max-by :a 5 {:a 1})
;=> {:a 1}
;warn> keyword-on-non-map 1:1 (:a x) on a number gives nil: it is not a map

;; An error in a generator that is the answer is told where the generator was made.
(iterate 5 1)
;!> not_callable 1:1 cannot call 5 (number): the function comes first, as in (+ 1 2)

;; A keyword never equals the string of its name; a warning tells it, also where `=` is called directly.
(filter #(= (:status %) "open") [{:status :open}])
;=> []
;warn> keyword-vs-string 1:9 the keyword :open never equals the string "open": compare keyword with keyword or use (name k)
