;; A name that is one slip away is suggested, the program's own before the language's.
(let [nxt 1]
  (mapp inc [nt]))
;!> undefined_symbol 2:4 undefined symbol 'mapp'. Did you mean 'map'?
;!> undefined_symbol 2:14 undefined symbol 'nt'. Did you mean 'nxt'?

;; Of two namespaces as near, the one that has the name.
(st/lower-case "A")
;!> invalid_form 1:2 unknown namespace st/; tools live in tool/, input in data/. Did you mean 'str/lower-case'?

;; Tools and data are listed, with the nearest.
;- data {:orders [] :total 3}
;- tool list-orders () -> :any = 1
[(tool/list-order {}) data/ordres]
;!> tool_not_found 1:3 tool 'list-order' not found; available tools: list-orders. Did you mean 'tool/list-orders'?
;!> data_not_found 1:23 data 'ordres' not found; available data: orders, total. Did you mean 'data/orders'?

;; A keyword never equals the string of its name; the comparison says so.
(filter (fn [order] (= "paid" (:status order)))
        [{:status :paid}])
;=> []
;warn> keyword-vs-string 1:21 the keyword :paid never equals the string "paid": compare keyword with keyword or use (name k)

;; A class of Java has its own names only.
(Integer/count [1 2])
;!> invalid_form 1:2 no Integer function named count. Did you mean 'count'?
