;; State: values never change in place.

;; L-1
(let [t (transient [])] (conj! t 1) (persistent! t))
;warn> dropped-result 1:25 the result of (conj! ...) is dropped here: values never change in place; bind it with let or def, or make it the last form
;=> []
;clojure> [1]

;; L-33
(def x 1) (dorun (pmap (fn [n] (def x n)) [10])) x
;=> 1
;clojure> 10

;; L-37
(str (atom 1))
;=> "#<atom 1>"
;clojure> "clojure.lang.Atom@…

;; L-37
(pr-str (atom [1]))
;=> "#<atom [1]>"
;clojure> "#object[clojure.lang.Atom…

;; language.md
(tap> 1)
;out> 1
;=> true
;clojure> true
