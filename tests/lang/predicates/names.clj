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

;; A keyword looks itself up in a map, a symbol does so too; a string does not.
[(:a {:a 1}) ('x {'x 2}) (map #(% {:a 1 :b 2}) [:a :b :c])]
;=> [1 2 [1 2 nil]]

;; Both kinds are functions in this sense, and not in that.
[(ifn? :a) (fn? :a) (ifn? 'x) (fn? 'x) (ifn? "a")]
;=> [true false true false false]

;; Settings by namespace: those of one part, without it.
(defn settings [m part]
  (into {} (for [[k v] m :when (and (qualified-keyword? k) (= part (namespace k)))] [(keyword (name k)) v])))
(settings {:db/host "h" :db/port 5 :web/port 80 :mode :test} "db")
;=> {:host "h" :port 5}

;; A small language: symbols are operators, the rest is data.
(defn evaluate [form]
  (if (sequential? form)
    (let [[op & args] (map evaluate form)]
      (apply ({'+ + '* * 'max max} op) args))
    form))
[(evaluate '(+ 1 (* 2 3))) (evaluate '(max 1 (+ 2 2) 3)) (evaluate 5)]
;=> [7 4 5]

;; All names that occur in a form, each once.
(distinct (filter symbol? (flatten '(let [x 1 y (+ x 2)] (* x y)))))
;=> [let x y + *]

;; Valid keys of a record, the others are told.
(defn check [row] (remove simple-keyword? (keys row)))
[(check {:a 1 "b" 2 :c/d 3}) (check {:a 1})]
;=> [["b" :c/d] []]
