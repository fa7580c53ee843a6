;; Keywords, symbols and their texts: `name`, `namespace`, `keyword`, `symbol`, `find-keyword`.

;; `name` is the text of a keyword, symbol or string.
[(name :status) (name 'x) (name "text")]
;=> ["status" "x" "text"]

;; Without its namespace; `namespace` answers that, or nil.
[(name :order/id) (namespace :order/id) (namespace :id) (name 'math/sin) (namespace 'math/sin)]
;=> ["id" "order" nil "sin" "math"]

;; `str` keeps the colon and the namespace.
[(str :order/id) (str 'math/sin) (str :id)]
;=> [":order/id" "math/sin" ":id"]

;; `keyword` makes a keyword of a text.
[(keyword "status") (keyword "order" "id") (keyword "order/id") (keyword :already) (keyword 'x)]
;=> [:status :order/id :order/id :already :x]

;; There and back.
(let [names ["a" "first-name" "ready?"]]
  (= names (map (comp name keyword) names)))
;=> true

;; What is no name gives nil.
[(keyword nil) (some-> nil keyword)]
;=> [nil nil]

;; Column heads become keys; in the next turn the rows of a table stand under them.
(defn head->key [head] (-> head str/trim str/lower-case (str/replace #"\s+" "-") keyword))
(map head->key ["Name" " Unit Price" "In  Stock"])
;=> [:name :unit-price :in-stock]
(let [[head & rows] [["Name" "Qty"] ["bolt" 4] ["nut" 9]]]
  (map #(zipmap (map head->key head) %) rows))
;=> [{:name "bolt" :qty 4} {:name "nut" :qty 9}]

;; Keys of one system moved under a namespace.
(update-keys {:id 7 :city "Oslo"} #(keyword "shop" (name %)))
;=> {:shop/id 7 :shop/city "Oslo"}

;; Two keywords with the same parts are one.
[(= (keyword "a" "b") :a/b) (= (keyword "a") :a) (get {:a/b 1} (keyword "a" "b"))]
;=> [true true 1]

;; Grouping by namespace; keys without one are under nil.
(group-by namespace [:shop/id :user/id :id :shop/name])
;=> {"shop" [:shop/id :shop/name] "user" [:user/id] nil [:id]}

;; `symbol` makes a symbol; printed it is bare.
[(symbol "x") (symbol "math" "sin") (symbol :a) (= (symbol "x") 'x)]
;=> [x math/sin a true]

;; A symbol is a value like others: the steps of a plan by name.
(def plan '[fetch clean report])
[(map name plan) (= (last plan) (symbol "report")) (map symbol ["a" "b"])]
;=> [["fetch" "clean" "report"] true [a b]]

;; `find-keyword` is `keyword`: every name has one here.
[(find-keyword "a") (find-keyword "a" "b") (= (find-keyword "status") :status)]
;=> [:a :a/b true]

;; So it never misses.
(map find-keyword ["known" "unknown"])
;=> [:known :unknown]

;; Names sort as texts.
[(sort (map name [:pear :apple])) (sort [:pear :apple])]
;=> [["apple" "pear"] [:apple :pear]]

;; `name` of a number is an error: use `str`.
(name 5)
;!> type_error 1:1 name: expected a keyword, symbol or string, got number

;; nil has no name.
(name nil)
;!> type_error 1:1 name: expected a keyword, symbol or string, got nil

;; A string has no namespace, also when it contains a slash.
(namespace "a/b")
;!> type_error 1:1 namespace: expected a keyword or symbol, got string

;; A keyword is not made of a number.
(keyword 5)
;!> type_error 1:1 keyword: expected a string, keyword or symbol, got number

;; A symbol is not made of nil.
(symbol nil)
;!> type_error 1:1 symbol: expected a string, keyword or symbol, got nil
