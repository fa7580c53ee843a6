;; Keywords hold letters, digits and many signs.
[:a :a1 :is-ok? :go! :*star* :a.b :x->y :a+b :_hidden :1st]
;=> [:a :a1 :is-ok? :go! :*star* :a.b :x->y :a+b :_hidden :1st]

;; A keyword with a namespace is one keyword.
[(:order/id {:order/id 7}) (name :order/id) (namespace :order/id)]
;=> [7 "id" "order"]

;; `::name` belongs to the program's own namespace, `user`.
[::total (= ::total :user/total) (namespace ::total)]
;=> [:user/total true "user"]

;; A foreign alias cannot be known.
::s/total
;!> parse_error 1:1 invalid keyword '::s/total' (write :s/total)

;; A colon alone is nothing.
{: 1}
;!> parse_error 1:2 ':' without a name (a keyword is written :name, a map {:key value})

;; A keyword cannot end in a slash.
(:order/ {})
;!> parse_error 1:2 invalid keyword ':order/' (it may not end with ':', hold '::', or start or end with '/')

;; Keywords work right next to brackets and strings.
[{:a[1]:b{:c"d"}}]
;=> [{:a [1] :b {:c "d"}}]

;; nil, true and false as a whole word only.
(let [nilly 1 true-story 2 falsey 3] [nil true false nilly true-story falsey])
;=> [nil true false 1 2 3]
