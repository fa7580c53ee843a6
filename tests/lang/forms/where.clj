;; `where` with a field is a test for a truthy value.
(filter (where :active) [{:id 1 :active true} {:id 2} {:id 3 :active false}])
;=> [{:id 1 :active true}]

;; With an operator and a value it compares.
(def rows [{:id 1 :price 5} {:id 2 :price 12} {:id 3} {:id 4 :price "12"}])
[(map :id (filter (where :price > 5) rows))
 (map :id (filter (where :price <= 5) rows))
 (map :id (filter (where :price = 12) rows))
 (map :id (remove (where :price not= 12) rows))]
;=> [[2] [1] [2] [2]]
;warn> number-vs-text 2:11 where compares the text "12" under :price with the number 5: they are never equal and have no order; to compare numbers write (filter #(some-> (:price %) parse-double (> 5)) rows)
;warn> number-vs-text 3:11 where compares the text "12" under :price with the number 5: they are never equal and have no order; to compare numbers write (filter #(some-> (:price %) parse-double (<= 5)) rows)
;warn> number-vs-text 4:11 where compares the text "12" under :price with the number 12: they are never equal and have no order; to compare numbers write (filter #(some-> (:price %) parse-double (== 12)) rows)
;warn> number-vs-text 5:11 where compares the text "12" under :price with the number 12: they are never equal and have no order; to compare numbers write (filter #(some-> (:price %) parse-double (not= 12)) rows)

;; Missing and mixed values are never greater or smaller, and never an error.
(map (where :n < 3) [{:n 1} {} {:n nil} {:n "1"} {:n 3.5}])
;=> [true false false false false]
;warn> number-vs-text 1:1 where compares the text "1" under :n with the number 3: they are never equal and have no order; to compare numbers write (filter #(some-> (:n %) parse-double (< 3)) rows)

;; `=` takes keyword and text for equal, in either direction.
(filter (where :state = :open) [{:state "open"} {:state :open} {:state "Open"} {:state true}])
;=> [{:state "open"} {:state :open}]

;; nil equals only nil.
(map (where :owner = nil) [{:owner nil} {} {:owner "ada"}])
;=> [true true false]

;; `in` looks for the field among several values.
(map :id (filter (where :city in ["Oslo" "Bergen"]) [{:id 1 :city "Oslo"} {:id 2 :city "Rome"} {:id 3}]))
;=> [1]

;; `includes` looks for a value inside the field: a member, or a part of a text.
(map (where :tags includes :hot) [{:tags ["hot"]} {:tags #{:hot}} {:tags "too hot"} {:tags []} {}])
;=> [true true true false false]

;; A path looks deeper.
(map (where [:owner :tier] = "gold") [{:owner {:tier :gold}} {:owner {}} {}])
;=> [true false false]

;; The value is computed once, when the test is made.
(defn limit [] (println "asked") 2)
(map (where :n >= (limit)) [{:n 1} {:n 2} {:n 3}])
;=> [false true true]
;out> asked

;; Texts compare with texts.
(filter (where :name > "m") [{:name "anna"} {:name "zoe"}])
;=> [{:name "zoe"}]

;; `all-of`, `any-of` and `none-of` combine tests.
(def people [{:n "Ada" :age 36 :admin true} {:n "Bob" :age 17} {:n "Cid" :age 70}])
[(map :n (filter (all-of (where :age >= 18) (where :admin)) people))
 (map :n (filter (any-of (where :age < 18) (where :age > 65)) people))
 (map :n (filter (none-of (where :admin) (where :age < 18)) people))]
;=> [["Ada"] ["Bob" "Cid"] ["Cid"]]

;; They take any function, and stop as soon as the answer is known.
(map (all-of number? pos? even?) ["x" -2 4 5])
;=> [false false true false]

;; They nest, and answer true or false.
[((any-of :a (all-of :b :c)) {:b 1 :c 2}) ((any-of :a) {}) ((none-of :a) {:a 1})]
;=> [true false false]

;; Without tests: all of nothing holds, any of nothing does not.
[((all-of) 1) ((any-of) 1) ((none-of) 1)]
;=> [true false true]

;; They are functions themselves (L-45).
((apply all-of [odd? pos?]) 3)
;=> true

;; `where` needs an operator between field and value.
(filter (where :status "open") [])
;!> invalid_where_form 1:9 where takes a field, or a field, an operator and a value; did you mean (where :status = "open")?

;; An unknown operator is named with those that exist.
(filter (where :name like "A%") [])
;!> invalid_where_operator 1:22 unknown where operator 'like'; use = not= > < >= <= in includes

;; The field is written down, it is not computed.
(let [field :age] (where field > 3))
;!> invalid_where_form 1:26 where takes a field, or a field, an operator and a value; the field is a keyword or a literal path such as [:owner :tier], got field

;; `where` without a field makes no sense.
(where)
;!> invalid_where_form 1:1 where takes a field, or a field, an operator and a value, got 0 parts

;; A definition may take the name `where`.
(defn where [x] [:where x])
(where 5)
;=> [:where 5]
