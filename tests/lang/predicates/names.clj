;; Keywords and symbols: which of the two, and with or without a namespace.

;; `keyword?` and `symbol?`.
[(map keyword? [:a :a/b 'a "a" nil]) (map symbol? ['a 'a/b :a "a"])]
;=> [[true true false false false] [true true false false]]

;; `ident?` holds for both.
(map ident? [:a 'a :a/b "a" 1])
;=> [true true true false false]

;; `simple-…` means without, `qualified-…` with a namespace.
(let [names [:a :a/b 'a 'a/b "a"]]
  [(map simple-ident? names) (map qualified-ident? names)])
;=> [[true false true false false] [false true false true false]]

;; The same for keywords only.
(let [names [:a :a/b 'a 'a/b "a"]]
  [(map simple-keyword? names) (map qualified-keyword? names)])
;=> [[true false false false false] [false true false false false]]

;; The same for symbols only.
(let [names [:a :a/b 'a 'a/b "a"]]
  [(map simple-symbol? names) (map qualified-symbol? names)])
;=> [[false false true false false] [false false false true false]]

;; Keys of another system are recognised by their namespace.
(let [row {:id 1 :shop/id 77 :shop/name "east"}]
  {:own (filter simple-keyword? (keys row))
   :foreign (map name (filter qualified-keyword? (keys row)))})
;=> {:own [:id] :foreign ["id" "name"]}

;; Words of a small formula: symbols are looked up, everything else is itself.
(def values {'x 3 'y 4})
(defn value [term] (if (symbol? term) (values term) term))
(map value '[x 10 y :unit])
;=> [3 10 4 :unit]

;; Sorting identifiers from data.
(let [tokens '[+ x "text" :flag 7 math/sin]]
  {:identifiers (filter ident? tokens)
   :operators (filter simple-symbol? tokens)
   :library (filter qualified-symbol? tokens)})
;=> {:identifiers [+ x :flag math/sin] :operators [+ x] :library [math/sin]}

;; Plain names may be printed without their namespace, the others not.
(map #(if (simple-ident? %) (name %) (str %)) [:a 'b :c/d])
;=> ["a" "b" ":c/d"]

;; `qualified-ident?` before taking the namespace.
(group-by namespace (filter qualified-ident? [:a/x :b/y 'a/z :w]))
;=> {"a" [:a/x a/z] "b" [:b/y]}

;; A string is never an identifier, also when it could be read as one.
(map (juxt keyword? symbol? ident?) ["a" ":a" ""])
;=> [[false false false] [false false false] [false false false]]

;; Each question takes one value.
[(keyword? 1 2) (symbol? 1 2) (ident? 1 2) (simple-ident? 1 2) (qualified-ident? 1 2)]
;!> arity_error 1:2 keyword?: expected 1 argument, got 2
;!> arity_error 1:17 symbol?: expected 1 argument, got 2
;!> arity_error 1:31 ident?: expected 1 argument, got 2
;!> arity_error 1:44 simple-ident?: expected 1 argument, got 2
;!> arity_error 1:64 qualified-ident?: expected 1 argument, got 2

;; The narrower ones, too.
[(simple-keyword? 1 2) (simple-symbol? 1 2) (qualified-keyword? 1 2) (qualified-symbol? 1 2)]
;!> arity_error 1:2 simple-keyword?: expected 1 argument, got 2
;!> arity_error 1:24 simple-symbol?: expected 1 argument, got 2
;!> arity_error 1:45 qualified-keyword?: expected 1 argument, got 2
;!> arity_error 1:70 qualified-symbol?: expected 1 argument, got 2
