;; `def` binds a name for this and later turns, and answers the var.
(def total 3)
;=> #'total
(+ total 1)
;=> 4

;; A docstring may stand between name and value.
(def limit "upper bound" 40)
limit
;=> 40

;; `defn` makes a function that can call itself.
(defn fact [n] (if (< n 2) 1 (* n (fact (dec n)))))
(fact 5)
;=> 120

;; A wrong number of arguments is found before anything runs.
(println "never")
(defn area [w h] (* w h))
(area 2)
;!> arity_error 3:1 area: expected 2 arguments, got 1…
