;; A relation is a set of maps. `set/project` keeps only some keys, and duplicates fall together.
(set/project #{{:id 1 :city "Rome" :n 4} {:id 2 :city "Rome" :n 4} {:id 3 :city "Oslo" :n 1}} [:city :n])
;=> #{{:city "Rome" :n 4} {:city "Oslo" :n 1}}

;; A list of rows is accepted as relation; missing keys stay missing.
(set/project [{:a 1 :b 2} {:b 3}] [:a])
;=> #{{:a 1} {}}

;; `set/rename` gives keys of all maps other names.
(set/rename #{{:x 1 :y 2} {:x 3}} {:x :left :y :right})
;=> #{{:left 1 :right 2} {:left 3}}

;; Names that a table does not have are passed over.
(clojure.set/rename #{{:a 1}} {:z :y})
;=> #{{:a 1}}

;; `set/rename-keys` does it for a single map.
(set/rename-keys {:fname "Ann" :age 41} {:fname :first-name})
;=> {:age 41 :first-name "Ann"}

;; Two names can be exchanged; a renamed key replaces what was there.
[(clojure.set/rename-keys {:a 1 :b 2} {:a :b :b :a}) (set/rename-keys {:a 1 :b 2} {:a :b})]
;=> [{:b 1 :a 2} {:b 1}]

;; `set/rename-keys` needs a map.
(set/rename-keys [1 2] {0 :a})
;!> type_error 1:1 set/rename-keys: expected a map, got vector

;; `set/select` keeps the members that satisfy a predicate, as a set.
[(set/select pos? #{-1 2 0 5}) (set/select :open #{{:id 1 :open true} {:id 2}}) (set/select odd? #{2})]
;=> [#{2 5} #{{:id 1 :open true}} #{}]

;; `filter` on a set would give a sequence.
[(clojure.set/select even? #{1 2}) (filter even? #{1 2})]
;=> [#{2} [2]]

;; `set/map-invert` exchanges keys and values; of equal values the last one wins.
[(set/map-invert {:a 1 :b 2}) (set/map-invert {:a 1 :b 1}) (clojure.set/map-invert {})]
;=> [{1 :a 2 :b} {1 :b} {}]

;; From code to name and back.
(let [codes {"de" "Germany" "it" "Italy"}]
  [(codes "it") ((set/map-invert codes) "Germany")])
;=> ["Italy" "de"]

;; `set/map-invert` is for maps.
(set/map-invert [1 2])
;!> type_error 1:1 set/map-invert: expected a map, got vector

;; `set/index` finds the rows for each combination of values.
(set/index #{{:id 1 :team :red} {:id 2 :team :blue} {:id 3 :team :red}} [:team])
;=> {{:team :red} #{{:id 1 :team :red} {:id 3 :team :red}} {:team :blue} #{{:id 2 :team :blue}}}

;; The index is asked with a map of the key values.
(let [by-place (set/index [{:x 0 :y 0 :v "a"} {:x 0 :y 1 :v "b"}] [:x :y])]
  (by-place {:x 0 :y 1}))
;=> #{{:x 0 :y 1 :v "b"}}

;; `set/join` joins the rows of two tables that agree in the keys both have.
(set/join #{{:id 1 :name "Ann"} {:id 2 :name "Bob"}}
          #{{:id 1 :score 9} {:id 1 :score 4} {:id 3 :score 7}})
;=> #{{:id 1 :name "Ann" :score 9} {:id 1 :name "Ann" :score 4}}

;; A third argument names the keys that belong together when they are called differently.
(set/join #{{:order 7 :customer 2}}
          #{{:id 1 :name "Ann"} {:id 2 :name "Bob"}}
          {:customer :id})
;=> #{{:order 7 :customer 2 :id 2 :name "Bob"}}

;; Without common keys every row meets every row.
(count (set/join #{{:a 1} {:a 2}} #{{:b 1} {:b 2} {:b 3}}))
;=> 6

;; The bare `join` is that of strings.
(join "-" [1 2 3])
;=> "1-2-3"

;; A small report over three relations.
(let [customers #{{:cid 1 :name "Ann"} {:cid 2 :name "Bob"}}
      orders #{{:oid 10 :cid 1 :pid :tea} {:oid 11 :cid 2 :pid :cup} {:oid 12 :cid 1 :pid :cup}}
      products #{{:pid :tea :price 4} {:pid :cup :price 6}}]
  (->> (set/join orders customers)
       (set/join products)
       (group-by :name)
       (map (fn [[name rows]] [name (reduce + (map :price rows))]))
       (into {})))
;=> {"Ann" 10 "Bob" 6}

;; Rows that have no partner fall out of a join; they are found with `difference`.
(let [orders #{{:oid 1 :cid 7} {:oid 2 :cid 8}}
      customers #{{:cid 7 :name "Ann"}}
      joined (set/join orders customers)]
  [(count joined) (set/difference (set/project orders [:oid]) (set/project joined [:oid]))])
;=> [1 #{{:oid 2}}]

;; An empty relation joins to nothing.
[(set/join #{} #{{:a 1}}) (set/project #{} [:a]) (set/index #{} [:a])]
;=> [#{} #{} {}]

;; `set/index` takes a list of keys.
(set/index [{:a 1}] :a)
;!> type_error 1:1 set/index: expected a collection, got keyword
