;; A keyword is a function of a map; the map is a function of its keys; `get` is the plain way.
(let [order {:id 7 :state "open"}]
  [(:id order) (order :state) (get order :id)])
;=> [7 "open" 7]

;; What is missing is nil, or the default.
(let [order {:id 7}]
  [(:state order) (:state order "new") (order :state "new") (get order :state) (get order :state "new")])
;=> [nil "new" "new" nil "new"]

;; The default is only for missing keys: a present nil stays.
(let [m {:note nil}]
  [(get m :note "none") (:note m "none") (contains? m :note) (contains? m :other)])
;=> [nil nil true false]

;; nil is an empty map: asking it is no error.
[(:name nil) (get nil :name) (get nil :name "x") (get-in nil [:a :b]) (contains? nil :a)]
;=> [nil nil "x" nil false]

;; Any value may be a key: numbers, strings, vectors, nil.
(let [m {1 :one "two" 2 [0 1] :pair nil :nothing}]
  [(m 1) (get m "two") (m [0 1]) (m nil)])
;=> [:one 2 :pair :nothing]

;; Numbers are keys by kind: 1 and 1.0 are two keys.
(let [m {1 :int 1.0 :float}]
  [(count m) (m 1) (m 1.0)])
;=> [2 :int :float]

;; Data from outside may have strings as keys: the keyword finds them, and the other way round.
[(:name {"name" "Ann"}) ({"name" "Ann"} :name) (get {:name "Ann"} "name") (get-in {"rows" [{"n" 1}]} [:rows 0 :n])]
;=> ["Ann" "Ann" "Ann" 1]

;; When both spellings are there, the exact one wins.
(let [m {"id" 1 :id 2}]
  [(:id m) (get m "id")])
;=> [2 1]

;; The dash and the underscore are different letters.
(:user-id {"user_id" 5})
;=> nil

;; `get` reads vectors by position, strings by letter, sets by member.
[(get [5 6] 1) (get [5 6] 9) (get [5 6] 9 :none) (get "abc" 1) (get #{:a} :a) (get #{:a} :b)]
;=> [6 nil :none "b" :a nil]

;; `get` of something without parts is nil.
[(get 5 0) (get :a :b) (get 5 0 :none)]
;=> [nil nil :none]

;; `get-in` follows a path through maps and vectors.
(let [response {:user {:emails [{:addr "a@x"} {:addr "b@x"}]}}]
  [(get-in response [:user :emails 1 :addr])
   (get-in response [:user :phone])
   (get-in response [:user :phone :country] "unknown")
   (get-in response [:user :emails 5 :addr])])
;=> ["b@x" nil "unknown" nil]

;; The default of `get-in` is only for missing steps.
[(get-in {:a {:b nil}} [:a :b] 7) (get-in {:a nil} [:a :b] 7) (get-in {:a 1} [])]
;=> [nil 7 {:a 1}]

;; The path is a collection of keys.
(get-in {:a 1} :a)
;!> type_error 1:1 get-in: expected a path such as [:a], got the keyword :a

;; `contains?` asks a map for a key, a set for a member, a string for a text.
[(contains? {:a 1} :a) (contains? {:a 1} 1) (contains? #{:x} :x) (contains? "banana" "nan")]
;=> [true false true true]

;; Of a vector it asks for an element, not for a position as Clojure does; a warning says so.
[(contains? [10 20] 20) (contains? [10 20] 0)]
;=> [true false]
;warn> contains-on-vector 1:2 contains? looks for an element of a vector, not for an index; compare with (count v) for an index
;warn> contains-on-vector 1:25 contains? looks for an element of a vector, not for an index; compare with (count v) for an index

;; A keyword key is found under its string spelling as well.
(contains? {"id" 1} :id)
;=> true

;; A number contains nothing.
(contains? 5 1)
;!> type_error 1:1 contains?: expected a map, set, vector or string, got number

;; `find` answers the whole entry, so nil as value can be told from nothing.
[(find {:a nil} :a) (find {:a nil} :b) (find nil :a) (find [7 8] 1)]
;=> [[:a nil] nil nil [1 8]]

;; With a predicate `find` searches a collection for the first element.
[(find odd? [2 3 5]) (find :urgent [{:id 1} {:id 2 :urgent true}]) (find neg? [1 2])]
;=> [3 {:id 2 :urgent true} nil]

;; A lookup table with `get` and a default translates codes.
(let [names {200 "ok" 404 "not found"}]
  (map #(get names % "other") [200 500 404]))
;=> ["ok" "other" "not found"]

;; A keyword called on something that is no map gives nil, and a warning: the data have another shape.
(:name [{:name "Ann"}])
;=> nil
;warn> keyword-on-non-map 1:1 (:name x) on a vector gives nil; use (map :name xs) for many rows or (nth xs i) for one

;; A keyword takes a map and at most a default.
(:name {:name 1} 2 3)
;!> invalid_keyword_call 1:1 (:name ...) expects a map and an optional default, got 3 arguments

;; A map takes one key and at most a default.
({:a 1})
;!> arity_error 1:1 map: a value is written without parentheses; called like a function it takes 1 argument, got 0

;; Field of a field of a field, with nil anywhere on the way.
(map (comp :city :address) [{:address {:city "Rome"}} {:address nil} {} nil])
;=> ["Rome" nil nil nil]

;; A map literal with a key twice keeps the last value.
{:a 1 :b 2 :a 3}
;=> {:a 3 :b 2}
