;; `where` makes a predicate of a field, an operator and a value.
(filter (where :status = "open") [{:id 1 :status "open"} {:id 2 :status "paid"}])
;=> [{:id 1 :status "open"}]

;; With the field alone it asks whether the field is truthy.
(map (where :active) [{:active true} {:active false} {:active nil} {} {:active 0}])
;=> [true false false false true]

;; Keyword and string are taken as the same word.
(map :id (filter (where :s = :open) [{:id 1 :s "open"} {:id 2 :s :open} {:id 3 :s true}]))
;=> [1 2]

;; Comparisons are false for missing values and for other kinds, never an error.
(map (where :n > 1) [{:n 2} {:n 1} {:n "2"} {:n nil} {}])
;=> [true false false false false]
;warn> number-vs-text 1:1 where compares the text "2" under :n with the number 1: they are never equal and have no order; to compare numbers write (filter #(some-> (:n %) parse-double (> 1)) rows)

;; Texts compare by their letters, so dates in the ISO form do too.
(map :d (filter (where :d >= "2024-02-01") [{:d "2024-01-31"} {:d "2024-02-01"} {:d "2024-03-05"}]))
;=> ["2024-02-01" "2024-03-05"]

;; `not=` is true of missing values.
(map (where :s not= "x") [{:s "x"} {:s "y"} {}])
;=> [false true true]

;; `in` looks the value up in a collection.
(map :id (filter (where :tier in [:gold :silver]) [{:id 1 :tier "gold"} {:id 2 :tier "iron"} {:id 3}]))
;=> [1]

;; `includes` looks into the field: an element of a list, a part of a text.
(map (where :tags includes :hot) [{:tags ["hot" "new"]} {:tags "too hot"} {:tags []} {}])
;=> [true true false false]

;; A path leads to a nested field.
(filter (where [:owner :age] < 18) [{:owner {:age 12}} {:owner {:age 40}} {}])
;=> [{:owner {:age 12}}]

;; The value may be computed; it is so once, when the predicate is made.
(let [limit 10]
  (count (filter (where :price <= (* 2 limit)) [{:price 20} {:price 21}])))
;=> 1

;; `all-of`, `any-of` and `none-of` join predicates of any kind.
(let [rows [{:id 1 :n 5 :open true} {:id 2 :n 9} {:id 3 :n 1 :open true}]
      large (where :n > 3)
      open (where :open)]
  [(map :id (filter (all-of large open) rows))
   (map :id (filter (any-of large open) rows))
   (map :id (filter (none-of large open) rows))])
;=> [[1] [1 2 3] []]

;; Without predicates `all-of` and `none-of` hold, `any-of` does not.
[((all-of) 5) ((any-of) 5) ((none-of) 5)]
;=> [true false true]

;; They answer booleans and mix with ordinary functions.
[((all-of pos? even?) 4) ((any-of neg? zero?) 3) ((none-of neg? zero?) 3) ((all-of :a :b) {:a 1 :b 2})]
;=> [true false true true]

;; Nested: open and urgent, or overdue and not waiting.
(let [matters? (any-of (all-of (where :state = "open") (where :urgent))
                       (all-of (where :days > 30) (none-of (where :waiting))))]
  (map :id (filter matters? [{:id 1 :state "open" :urgent true}
                             {:id 2 :state "open"}
                             {:id 3 :days 40}
                             {:id 4 :days 40 :waiting true}])))
;=> [1 3]

;; The quantifiers take the predicates too.
(let [rows [{:ok true} {:ok false}]]
  [(some (where :ok) rows) (every? (where :ok) rows) (count (remove (where :ok) rows))])
;=> [true false 1]

;; Two parts only: the operator was forgotten.
(filter (where :s "open") [])
;!> invalid_where_form 1:9 where takes a field, or a field, an operator and a value; did you mean (where :s = "open")?

;; An operator that does not exist.
(filter (where :s like "open") [])
;!> invalid_where_operator 1:19 unknown where operator 'like'; use = not= > < >= <= in includes

;; The field is a keyword, a string or a path of them.
(where 5 = 5)
;!> invalid_where_form 1:8 where takes a field, or a field, an operator and a value; the field is a keyword or a literal path such as [:owner :tier], got 5

;; A predicate of `where` is a function like others: it is named, passed on and negated.
(let [cheap? (where :price < 10)]
  [(cheap? {:price 5}) (map :id (remove cheap? [{:id 1 :price 5} {:id 2 :price 50}])) ((complement cheap?) {:price 5})])
;=> [true [2] false]

;; It splits a list in two.
((juxt filter remove) (where :done) [{:id 1 :done true} {:id 2}])
;=> [[{:id 1 :done true}] [{:id 2}]]

;; Rows with string keys are found by keyword fields, as everywhere.
(count (filter (where :state = "open") [{"state" "open"} {:state "open"} {"state" "shut"}]))
;=> 2

;; A row that is no map has no fields.
(map (where :a = 1) [{:a 1} 5 nil])
;=> [true false false]
;warn> keyword-on-non-map 1:1 a field of a number is always nil; fields belong to maps

;; Predicates are counted with `count` and `filter`, and found first with `find`.
(let [rows [{:id 1 :n 3} {:id 2 :n 8} {:id 3 :n 9}]]
  [(count (filter (where :n > 5) rows)) (:id (find (where :n > 5) rows))])
;=> [2 2]
