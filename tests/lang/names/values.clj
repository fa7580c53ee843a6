;; A quoted name is a symbol: a value that stands for itself.
['x 'my-name (quote y) (symbol? 'x) (symbol? "x")]
;=> [x my-name y true false]

;; A quoted form is data: lists become vectors, nothing in it runs.
['(+ 1 (* 2 3)) '[a b] '{:op plus} '#{a} '()]
;=> [[+ 1 [* 2 3]] [a b] {:op plus} #{a} []]

;; Numbers, strings and keywords need no quote but do not mind one.
['5 '"text" ':key 'nil 'true]
;=> [5 "text" :key nil true]

;; Symbols are equal by name.
[(= 'a 'a) (= 'a (symbol "a")) (= 'a :a) (= 'a "a")]
;=> [true true false false]

;; Symbols make good tags in a little language of one's own.
(defn evaluate [form]
  (if (number? form)
    form
    (let [[op & args] form
          numbers (map evaluate args)]
      (case op
        add (apply + numbers)
        mul (apply * numbers)))))
(evaluate '(add 1 (mul 2 3 4)))
;=> 25

;; Symbols may be keys, and can be called like keywords.
(let [env {'x 1 'y 2}] [(get env 'x) ('y env) ('z env 0)])
;=> [1 2 0]

;; `name` and `namespace` take a symbol apart.
[(name 'user/id) (namespace 'user/id) (namespace 'id) (str 'user/id)]
;=> ["id" "user" nil "user/id"]

;; `symbol` makes one from text, with a namespace if wanted, or from a keyword.
[(symbol "total") (symbol "user" "id") (symbol :status)]
;=> [total user/id status]

;; The kinds of names.
(map (juxt symbol? keyword? ident? simple-symbol? qualified-symbol?) ['a 'n/a :a "a"])
;=> [[true false true true false] [true false true false true] [false true true false false] [false false false false false]]

;; The same for keywords.
(map (juxt simple-keyword? qualified-keyword? simple-ident? qualified-ident?) [:a :n/a 'n/a nil])
;=> [[true false true false] [false true false true] [false false false true] [false false false false]]

;; Sort mixed names by what they are.
(group-by #(cond (qualified-ident? %) :qualified (simple-ident? %) :simple :else :none) [:a 'x :n/a "s" 'n/x])
;=> {:simple [:a x] :qualified [:n/a n/x] :none ["s"]}

;; `keyword` and `find-keyword` make keywords from text.
[(keyword "a") (keyword "n" "a") (keyword nil) (find-keyword "b") (find-keyword "n" "b") (keyword 'c)]
;=> [:a :n/a nil :b :n/b :c]

;; Turn columns of a file into keywords, and back.
(let [header ["id" "first name"] ks (map #(keyword (str/replace % " " "-")) header)]
  [ks (map name ks) (map find-keyword ["x" "y"])])
;=> [[:id :first-name] ["id" "first-name"] [:x :y]]

;; `type` knows symbols (L-37).
(map type ['a :a "a"])
;=> [:symbol :keyword :string]

;; A quote inside a quote is data, too.
''a
;=> [quote a]

;; An unquoted name is looked up, even in a vector.
[total 5]
;!> undefined_symbol 1:2 undefined symbol 'total'

;; `quote` takes one form.
(quote a b)
;!> invalid_arity 1:1 quote: expected (quote form), got 2

;; Syntax quote and unquote belong to macros, which do not exist here.
`(a ~b)
;!> parse_error 1:1 syntax quote ` is not supported (there are no macros; write '(...) or (list ...))

;; Only names without a namespace make column titles.
[(filter simple-symbol? ['a 'n/b :c "d"]) (filter qualified-symbol? ['a 'n/b :n/c])
 (filter simple-keyword? [:a :n/b 'c]) (filter qualified-keyword? [:a :n/b 'n/c])
 (filter ident? [:a 'b "c" 4])]
;=> [[a] [n/b] [:a] [:n/b] [:a b]]

;; Names may hold `$`, `|`, `'` and `#`, as in Clojure (L-42).
(let [x$ 1 a|b 2 c# 3 d' 4] [x$ a|b c# d' :a$ :b|c :d# :e'])
;=> [1 2 3 4 :a$ :b|c :d# :e']

;; A symbol called with something that is no map gives nil, with a warning.
('a 5)
;=> nil
;warn> keyword-on-non-map 1:1 (a x) on a number gives nil: it is not a map

;; A definition answers its var, which prints like this.
(def total 3)
;=> #'total

;; `#'name` and `(var name)` are the var itself.
(def x 1)
[#'x (var x) (= #'x (var x)) (var? #'x) (var? x)]
;=> [#'x #'x true true false]

;; Calling a var calls its present value.
(defn greet [n] (str "Hi " n))
(def f #'greet)
(defn greet [n] (str "Hello " n))
(f "Ada")
;=> "Hello Ada"

;; A var can be passed where a function is wanted.
(defn twice [n] (* 2 n))
(map #'twice [1 2 3])
;=> [2 4 6]

;; The kind of a var.
(def x 1)
(type #'x)
;=> :var

;; Metadata is read and ignored; the value is what counts (L-1).
(def ^{:doc "how many"} limit 3)
(def ^:private rows ^{:source "file"} [1 2])
[limit rows]
;=> [3 [1 2]]

;; `^:key` and type hints may stand before any form.
(defn ^long add [^long a ^:maybe b] ^Number (+ a b))
(add 1 2)
;=> 3

;; `meta` gives nil.
[(meta [1 2]) (meta ^{:a 1} {}) (meta inc) (meta nil)]
;=> [nil nil nil nil]

;; Code that asks `meta` for a default still works.
(or (:doc (meta #'count)) "no documentation")
;=> "no documentation"

;; `with-meta` gives its value.
[(with-meta [1] {:line 3}) (meta (with-meta {} {:a 1}))]
;=> [[1] nil]

;; Equality never looked at metadata.
(= (with-meta {:a 1} {:source :cache}) {:a 1})
;=> true

;; `vary-meta` gives its value as well.
(vary-meta {:id 1} assoc :checked true)
;=> {:id 1}

;; `vary-meta` does not call its function for a change that nobody could see.
(count (vary-meta [1 2 3] merge {:x 1}))
;=> 3

;; `^` at the end of a program misses its form.
^:private
;!> parse_error 1:1 Unexpected end of input: expected a form after the metadata that '^' begins
