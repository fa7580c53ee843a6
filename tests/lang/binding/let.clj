;; `let` binds names for its body, each visible to the next.
(let [price 20
      tax (* price 0.5)
      total (+ price tax)]
  total)
;=> 30.0

;; A name may be bound again; the inner one counts.
(let [x 1
      x (+ x 10)
      y (let [x 100] (inc x))]
  [x y])
;=> [11 101]

;; Without bindings or body `let` still has a value.
[(let [] 7) (let []) (let [x 1])]
;=> [7 nil nil]

;; The values run in order, once each.
(let [a (do (println "a") 1)
      b (do (println "b") 2)]
  (+ a b a b))
;=> 6
;out> a
;out> b

;; Bindings are gone behind the `let`.
(let [secret 1] secret)
secret
;!> undefined_symbol 2:1 undefined symbol 'secret'

;; A local hides a definition, a builtin and a macro name (L-45).
(def rate 3)
(let [rate 5 count "many" when (fn [x] [:when x])]
  [rate count (when 1)])
;=> [5 "many" [:when 1]]

;; A few names cannot be hidden in head position: `if` stays `if` (L-45).
(let [if 5] (if false 1 2))
;=> 2

;; Bindings come in pairs.
(let [a 1 b] a)
;!> invalid_form 1:6 let: the bindings need an even number of forms, got 3

;; The bindings stand in brackets.
(let (a 1) a)
;!> invalid_form 1:6 let: expected (let [name value ...] body...)

;; A number cannot be bound.
(let [5 :x] 1)
;!> unsupported_pattern 1:7 cannot destructure with 5

;; `do` runs forms in order and gives the last; empty it is nil.
[(do (println "one") (println "two") 3) (do)]
;=> [3 nil]
;out> one
;out> two

;; Shadowing a data name: the local counts, `data/` still reaches the input.
;- data {:rate 3}
(let [rate 5] [rate data/rate])
;=> [5 3]

;; Long chains of `let` are ordinary code.
(let [rows [{:id 1 :qty 2 :price 5} {:id 2 :qty 1 :price 7}]
      with-total (map #(assoc % :total (* (:qty %) (:price %))) rows)
      best (apply max-key :total with-total)
      {:keys [id total]} best]
  (str "row " id ": " total))
;=> "row 1: 10"
