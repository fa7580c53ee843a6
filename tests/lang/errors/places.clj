;; What goes wrong while the answer is made is told where the program ended.
(do 1
 (let [room "42"]
  (iterate 5 1)))
;!> not_callable 3:3 cannot call 5 (number)…

;; A warning from inside a library function stands at its call.
(do
  (pluck :a [1]))
;=> [nil]
;warn> keyword-on-non-map 2:3 …

;; The same for a function that the library made.
(do
  ((juxt :a) 5))
;=> [nil]
;warn> keyword-on-non-map 2:3 …

;; The same for an item that has no fields.
(max-by :a 5 {:a 1})
;=> {:a 1}
;warn> keyword-on-non-map 1:1 …

;; Each call whose argument was coerced is one site.
;- tool book (room :int) -> :int = room
(let [room "42"]
  [(tool/book {:room room})
   (tool/book {:room room})])
;=> [42 42]
;warn> coerced-argument 2:4 …
;warn> coerced-argument 3:4 …

;; Inside a function of the program the place is there.
(do 1
  (return (map #(/ 1 %) (iterate dec 2))))
;!> arithmetic_error 2:16 Divide by zero

;; Elsewhere it is where the program returned.
(do 1
  (return (iterate 5 1)))
;!> not_callable 2:3 cannot call…

;; A warning in a branch stands at the call that made the branches.
(do 1
 (pmap :a [1 2]))
;=> [nil nil]
;warn> keyword-on-non-map 2:2 …

;; The same for keys.
(do 1
 (sort-by "a" [1 2]))
;=> [1 2]
;warn> keyword-on-non-map 2:2 …

;; The name in a message is the one that was written.
(str/split nil ",")
;!> type_error 1:1 str/split: expected a string, got nil

;; Also in `ex-message`, and behind the full name of the namespace.
(try (clojure.set/union #{1} 2) (catch Exception e (ex-message e)))
;=> "clojure.set/union: expected a set, got number"

;; The name is that of the function, not of one that it is made of.
(into [] (map inc) 5)
;!> type_error 1:1 into: expected a collection, got number

;; The same for `random-sample`.
(random-sample 0.5 7)
;!> type_error 1:1 random-sample: expected a collection, got number
