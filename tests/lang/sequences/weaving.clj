;; `distinct` keeps the first of equal elements, in their order.
[(distinct [3 1 3 2 1]) (distinct "noon") (distinct nil)]
;=> [[3 1 2] ["n" "o"] []]

;; Equal means the same key: 1 and 1.0 are two elements, although `=` calls them equal.
[(distinct [1 1.0 1]) (= 1 1.0)]
;=> [[1 1.0] true]

;; How many different customers?
(count (distinct (map :customer [{:customer "a"} {:customer "b"} {:customer "a"}])))
;=> 2

;; `distinct` needs a collection.
(distinct 1)
;!> type_error 1:1 distinct: expected a collection, got number

;; `distinct?` asks its arguments whether no two of them are the same.
[(distinct? 1 2 3) (distinct? 1 2 1) (distinct? :only)]
;=> [true false true]

;; With `apply` it checks that ids are unique.
(apply distinct? (map :id [{:id 1} {:id 2} {:id 1}]))
;=> false

;; It has no answer for no arguments.
(apply distinct? [])
;!> arity_error 1:1 distinct?: expected 1 or more arguments, got 0; apply and reduce over an empty collection call it so: check (seq coll) first

;; `dedupe` only drops repetitions next to each other.
[(dedupe [1 1 2 2 1]) (distinct [1 1 2 2 1]) (dedupe [])]
;=> [[1 2 1] [1 2] []]

;; The changes of a status that is reported every minute.
(->> ["up" "up" "down" "down" "down" "up"] dedupe (partition 2 1))
;=> [["up" "down"] ["down" "up"]]

;; `dedupe` of a number.
(dedupe 5)
;!> type_error 1:1 dedupe: expected a collection, got number

;; `interleave` takes one of each in turn, until the shortest ends.
[(interleave [:a :b] [1 2 3]) (interleave [1 2] [3 4] [5 6]) (interleave [1] nil)]
;=> [[:a 1 :b 2] [1 3 5 2 4 6] []]

;; Keys and values interleaved are the arguments of `hash-map`.
(apply hash-map (interleave [:name :age] ["Ann" 41]))
;=> {:name "Ann" :age 41}

;; `interleave` of one or no collection.
[(interleave) (interleave [1 2])]
;=> [[] [1 2]]

;; `interpose` puts a separator between the elements.
[(interpose 0 [7 8 9]) (interpose ", " ["a"]) (interpose :x nil)]
;=> [[7 0 8 0 9] ["a"] []]

;; Text with separators: `join` does the same at once.
(let [words ["red" "green" "blue"]]
  [(apply str (interpose "/" words)) (clojure.string/join "/" words)])
;=> ["red/green/blue" "red/green/blue"]

;; The separator comes first.
(interpose [1 2] 0)
;!> type_error 1:1 interpose: expected a collection, got number

;; `flatten` splices nested sequences at any depth; maps, sets and strings stay whole.
(flatten [1 [2 [3 [4]]] {:a [5]} "xy" #{6}])
;=> [1 2 3 4 {:a [5]} "xy" #{6}]

;; What is no sequence flattens to nothing; nil inside stays.
[(flatten nil) (flatten 5) (flatten "ab") (flatten [nil [nil]])]
;=> [[] [] [] [nil nil]]

;; All leaves of a nested menu.
(flatten ["file" ["open" "save" ["as" "copy"]] "edit"])
;=> ["file" "open" "save" "as" "copy" "edit"]

;; `replace` with a map exchanges the elements that are its keys.
[(replace {1 :one 2 :two} [1 2 3 1]) (replace {:a nil} [:a :b])]
;=> [[:one :two 3 :one] [nil :b]]

;; Abbreviations are written out.
(clojure.string/join " " (replace {"approx" "approximately" "min" "minutes"} ["approx" "5" "min"]))
;=> "approximately 5 minutes"

;; A vector as lookup exchanges positions.
(replace ["zero" "one" "two"] [2 0 7])
;=> ["two" "zero" 7]

;; Without a collection `replace` is a transducer.
(into [] (comp (replace {:x :y}) (map name)) [:x :z])
;=> ["y" "z"]

;; Interleaving and partitioning are opposites.
(let [pairs [[:a 1] [:b 2]]]
  (= pairs (partition 2 (apply interleave (apply map vector pairs)))))
;=> true

;; `for` weaves by nesting: every suit with every rank.
(for [suit ["♠" "♥"] rank [7 8]] (str suit rank))
;=> ["♠7" "♠8" "♥7" "♥8"]

;; Only sequences are flattened (L-68).
[(flatten {:a 1}) (flatten #{[1]}) (flatten nil) (flatten 5) (flatten (map inc [1 2])) (flatten [{:a [1]} #{[2]}])]
;=> [[] [] [] [] [2 3] [{:a [1]} #{[2]}]]
