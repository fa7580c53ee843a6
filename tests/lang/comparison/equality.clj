;; Equality: `=`, `not=`, `==`, `identical?`, and `hash`, the number that equal values share.

;; `=` compares in depth, of any number of values.
[(= 1 1) (= [1 {:a #{2}}] [1 {:a #{2}}]) (= 1 1 1) (= 1 1 2) (= 5)]
;=> [true true true false true]

;; Numbers are equal by value, integer or float, at every depth.
[(= 1 1.0) (= [1 2] [1.0 2]) (= {:a 1} {:a 1.0}) (= 3 (/ 6.0 2))]
;=> [true true true true]

;; As map keys and set members they stay apart.
[(count #{1 1.0}) (get {1 :int} 1.0) (= #{1} #{1.0})]
;=> [2 nil false]

;; Values of different kinds are unequal, never an error.
[(= 1 "1") (= nil false) (= :a 'a) (= nil []) (= {} [])]
;=> [false false false false false]

;; A keyword is not its name as a string.
(map #(= % "open") ["open" "shut"])
;=> [true false]

;; Comparing the two is nearly always a slip, and noted.
(filter #(not= "open" %) [:open])
;=> [:open]
;warn> keyword-vs-string 1:9 the keyword :open never equals the string "open": compare keyword with keyword or use (name k)

;; The order of a map or set does not count, that of a vector does.
[(= {:a 1 :b 2} {:b 2 :a 1}) (= #{1 2} #{2 1}) (= [1 2] [2 1])]
;=> [true true false]

;; All sequences are of one kind: a list equals the vector with its elements.
[(= [1 2] '(1 2)) (= [1 2] (list 1 2)) (= (map inc [0 1]) [1 2]) (= (range 3) [0 1 2])]
;=> [true true true true]

;; A lazy sequence is compared by its elements.
(= (take 3 (iterate inc 1)) [1 2 3])
;=> true

;; `not=` is the opposite of `=` over all arguments.
[(not= 1 2) (not= 1 1.0) (not= 1 1 2) (not= :a :a) (not= nil false)]
;=> [true false true false true]

;; The fields that differ between two versions of a record.
(defn changed [old new] (filter #(not= (get old %) (get new %)) (keys new)))
(changed {:name "Ada" :age 36} {:name "Ada" :age 37 :city "London"})
;=> [:age :city]

;; `==` is for numbers only.
[(== 1 1.0) (== 2 2 2.0) (== 1 2) (== 4)]
;=> [true true false true]

;; Anything else is an error, also when both are the same.
(== "a" "a")
;!> type_error 1:1 ==: expected numbers, got string

;; So `==` finds the missing number that `=` would pass over.
(== 0 nil)
;!> type_error 1:1 ==: expected numbers, got nil

;; `identical?` asks whether both are the very same value.
(let [a [1 2] b a]
  [(identical? a b) (identical? a [1 2]) (= a [1 2])])
;=> [true false true]

;; Keywords, booleans, nil and small numbers are always the same.
[(identical? :a :a) (identical? nil nil) (identical? true true) (identical? :a :b)]
;=> [true true true false]

;; A sentinel that no data can contain.
(def missing (list :missing))
(defn lookup [m k] (let [v (get m k missing)] (if (identical? v missing) :absent v)))
[(lookup {:a nil} :a) (lookup {} :a) (lookup {:a [:missing]} :a)]
;=> [nil :absent [:missing]]

;; NaN is equal to nothing, at no depth.
[(= ##NaN ##NaN) (== ##NaN ##NaN) (= [##NaN] [##NaN]) (not= ##NaN ##NaN)]
;=> [false false false true]

;; Functions are equal only to themselves.
[(= inc inc) (= inc dec) (let [f #(+ % 1)] (= f f)) (= #(+ % 1) #(+ % 1))]
;=> [true false true false]

;; Regular expressions are equal by pattern, dates by day.
[(= #"a+" #"a+") (= (LocalDate/parse "2024-02-29") (LocalDate/of 2024 2 29))]
;=> [true true]

;; `=` as a function: all readings the same, or counting one value.
[(apply = [3 3 3]) (count (filter #(= :red %) [:red :blue :red])) (apply = [])]
;!> arity_error 1:67 =: expected 1 or more arguments, got 0; apply and reduce over an empty collection call it so: check (seq coll) first

;; `identical?` takes two.
(identical? 1)
;!> arity_error 1:1 identical?: expected 2 arguments, got 1

;; `not=` needs at least one value.
(not=)
;!> arity_error 1:1 not=: expected 1 or more arguments, got 0

;; `hash` is the same for equal values, whatever the order of their making.
[(= (hash {:a 1 :b 2}) (hash {:b 2 :a 1})) (= (hash #{1 2 3}) (hash #{3 2 1})) (= (hash "ab") (hash (str "a" "b")))]
;=> [true true true]

;; A sequence hashes like the vector with its elements.
(= (hash [0 1 2]) (hash (range 3)) (hash '(0 1 2)))
;=> true

;; It is an integer.
[(integer? (hash "x")) (integer? (hash nil)) (integer? (hash {:a [1 2]}))]
;=> [true true true]

;; Different values nearly always differ.
[(count (distinct (map hash (range 100)))) (= (hash :a) (hash "a"))]
;=> [100 false]

;; Work shared out among four workers, always the same way.
(defn worker [job] (mod (hash job) 4))
[(= (map worker ["a" "b" "c"]) (map worker ["a" "b" "c"])) (every? #(<= 0 (worker %) 3) (range 50))]
;=> [true true]

;; `hash` takes one value.
(hash 1 2)
;!> arity_error 1:1 hash: expected 1 argument, got 2
