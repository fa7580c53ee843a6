;; A set has every value once, in the order in which they first came.
[#{3 1 2} (set [3 1 3 2 1]) (set "noon") (set nil)]
;=> [#{3 1 2} #{3 1 2} #{"n" "o"} #{}]

;; `hash-set` makes a set of its arguments.
[(hash-set 1 2 1) (hash-set) (apply hash-set [:a :b :a])]
;=> [#{1 2} #{} #{:a :b}]

;; `hash-set` counts different letters.
(count (apply hash-set "banana"))
;=> 3

;; A set of a map is the set of its entries.
(set {:a 1 :b 2})
;=> #{[:a 1] [:b 2]}

;; A number is no collection of members.
(set 5)
;!> type_error 1:1 set: expected a collection, got number

;; A set is a function: the member, or nil; `contains?` answers true or false.
(let [colours #{:red :green}]
  [(colours :red) (colours :blue) (contains? colours :blue) (get colours :blue :none)])
;=> [:red nil false :none]

;; A set that holds nil or false: only `contains?` tells whether they are in it.
(let [odd-set #{nil false}]
  [(odd-set nil) (contains? odd-set nil) (contains? odd-set false)])
;=> [nil true true]

;; Members are compared as keys: 1 and 1.0 are two of them, vectors go by their elements.
[(count #{1 1.0}) (contains? #{[1 2]} [1 2]) (contains? #{{:a 1}} {:a 1})]
;=> [2 true true]

;; `conj` adds members, `disj` takes them out; what is not there needs no taking.
[(conj #{1} 2 1) (disj #{1 2 3} 2 9) (disj #{1}) (disj nil 1)]
;=> [#{1 2} #{1 3} #{1} nil]

;; Tasks are ticked off.
(reduce disj #{:wash :cook :clean} [:cook :wash])
;=> #{:clean}

;; `disj` is for sets, `dissoc` for maps.
(disj [1 2] 1)
;!> type_error 1:1 disj: expected a set, got vector

;; `union` has the members of all sets.
[(union #{1 2} #{2 3} #{4}) (union) (union #{1}) (union nil #{1})]
;=> [#{1 2 3 4} #{} #{1} #{1}]

;; `intersection` has the members that all sets share.
[(intersection #{1 2 3} #{2 3 4} #{3 2}) (intersection #{1} #{2}) (intersection #{1})]
;=> [#{2 3} #{} #{1}]

;; `difference` has the members of the first set that are in none of the others.
[(difference #{1 2 3} #{2} #{3 9}) (difference #{1}) (difference #{1} nil)]
;=> [#{1} #{1} #{1}]

;; The set functions are reachable under `set/` and `clojure.set/` too.
[(set/union #{1} #{2}) (clojure.set/intersection #{1 2} #{2}) (set/difference #{1 2} #{2})]
;=> [#{1 2} #{2} #{1}]

;; Who is new, who is gone, who stayed?
(let [yesterday #{"ann" "bob" "cat"}
      today #{"bob" "cat" "dan"}]
  {:new (set/difference today yesterday)
   :gone (set/difference yesterday today)
   :stayed (set/intersection yesterday today)})
;=> {:new #{"dan"} :gone #{"ann"} :stayed #{"bob" "cat"}}

;; All tags of all posts.
(apply set/union (map :tags [{:tags #{:a :b}} {:tags #{:b :c}} {}]))
;=> #{:a :b :c}

;; `intersection` needs at least one set.
(intersection)
;!> arity_error 1:1 intersection: expected 1 or more arguments, got 0

;; A number is no set.
(union #{1} 2)
;!> type_error 1:1 union: expected a set, got number

;; `subset?` and `superset?` ask whether one set lies in another; equal sets lie in each other.
[(subset? #{1} #{1 2}) (subset? #{1 3} #{1 2}) (superset? #{1 2} #{1}) (superset? #{1} #{1}) (subset? #{} #{})]
;=> [true false true true true]

;; Does everyone have the rights that are required?
(let [required #{:read :write}]
  (map (fn [user] (set/subset? required (:rights user)))
       [{:rights #{:read :write :admin}} {:rights #{:read}}]))
;=> [true false]

;; The same question the other way round.
(set/superset? #{:read :write :admin} #{:read :write})
;=> true

;; Sets are equal by their members, in whatever order they print.
[(= #{1 2} #{2 1}) (= #{1} [1]) (= #{1} #{1.0})]
;=> [true false false]

;; A set may be sorted into a sequence, mapped, counted and asked for emptiness.
[(sort #{3 1 2}) (map inc #{1 2}) (count #{}) (empty? #{}) (first #{9 8})]
;=> [[1 2 3] [2 3] 0 true 9]

;; Mapping can make members equal: into a set they are one again.
[(map abs #{-1 1}) (into #{} (map abs) #{-1 1})]
;=> [[1 1] #{1}]

;; Have I seen it? A loop that stops at the first repetition.
(loop [[x & more] [4 1 7 1 4] seen #{}]
  (cond
    (nil? x) :none
    (seen x) x
    :else (recur more (conj seen x))))
;=> 1

;; A duplicate in a set literal is written once.
#{1 2 1}
;=> #{1 2}
