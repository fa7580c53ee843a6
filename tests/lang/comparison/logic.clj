;; Truth: `not`, `boolean`, `true?`, `false?`, and what counts as true.

;; Only nil and false are false.
(map boolean [nil false 0 0.0 "" [] {} :no ##NaN])
;=> [false false true true true true true true true]

;; `not` turns truth over and answers a boolean.
(map not [nil false true 0 "" []])
;=> [true true false false false false]

;; Twice `not` is `boolean`.
(let [values [nil false true 0 "x" []]]
  (= (map boolean values) (map (comp not not) values)))
;=> true

;; `boolean` makes a flag of a value that may be missing.
(map (fn [user] {:name (:name user) :admin (boolean (:admin user))})
     [{:name "Ada" :admin {:since 1843}} {:name "Bob"}])
;=> [{:name "Ada" :admin true} {:name "Bob" :admin false}]

;; `true?` and `false?` ask for the booleans themselves.
[(map true? [true 1 "true" nil false]) (map false? [false nil 0 true])]
;=> [[true false false false false] [true false false false]]

;; A setting that is off differs from one that is not there.
(defn setting [m k] (cond (true? (get m k)) :on (false? (get m k)) :off :else :default))
(map #(setting {:a true :b false} %) [:a :b :c])
;=> [:on :off :default]

;; Votes: who said yes, who said no.
(let [votes [true false nil true]]
  {:yes (count (filter true? votes)) :no (count (filter false? votes)) :absent (count (filter nil? votes))})
;=> {:yes 2 :no 1 :absent 1}

;; `not` takes one value.
(not true false)
;!> arity_error 1:1 not: expected 1 argument, got 2

;; Conditions taken apart: what holds for all, for some, for none.
(defn verdict [answers]
  (cond (every? true? answers) :all
        (every? false? answers) :none
        (some nil? answers) :incomplete
        :else :some))
(map verdict [[true true] [false false] [true nil] [true false]])
;=> [:all :none :incomplete :some]

;; `not` negates a predicate by composition; `complement` says the same.
[(filter (comp not :done) [{:id 1 :done true} {:id 2}]) (remove :done [{:id 3}]) (filter (complement :done) [{:id 4 :done false}])]
;=> [[{:id 2}] [{:id 3}] [{:id 4 :done false}]]

;; A string is true, also one that says "false": parse it.
[(boolean "false") (parse-boolean "false") (if "false" :yes :no)]
;=> [true false :yes]

;; 0 and the empty collection are true: ask for what is meant.
(map (fn [x] [(boolean x) (if (coll? x) (not (empty? x)) (not (zero? x)))]) [0 1 [] [1]])
;=> [[true false] [true true] [true false] [true true]]

;; Each of them takes exactly one value.
[(boolean) (true? 1 2) (false?)]
;!> arity_error 1:2 boolean: expected 1 argument, got 0
;!> arity_error 1:12 true?: expected 1 argument, got 2
;!> arity_error 1:24 false?: expected 1 argument, got 0

;; The result of a pure question that nobody uses is nearly always a slip, and noted.
(not true)
(boolean 1)
;=> true
;warn> dropped-result 1:1 the result of (not ...) is dropped here: values never change in place; bind it with let or def, or make it the last form

;; Exactly one of two: compare their truths.
(defn one-of? [a b] (not= (boolean a) (boolean b)))
[(one-of? nil 1) (one-of? 1 2) (one-of? false nil) (one-of? :a false)]
;=> [true false false true]

;; Flags of a record that are really on.
(keys (filter (comp true? val) {:a true :b 1 :c false :d "yes"}))
;=> [:a]

;; What a flag says, in words.
(map {true "on" false "off" nil "unset"} [true false nil])
;=> ["on" "off" "unset"]
