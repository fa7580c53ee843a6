;; `filter` keeps the elements for which the predicate is truthy.
(filter even? [1 2 3 4])
;=> [2 4]

;; A keyword as predicate keeps the rows in which the field is neither nil nor false.
(filter :active [{:id 1 :active true} {:id 2 :active false} {:id 3}])
;=> [{:id 1 :active true}]

;; A set as predicate keeps its members.
(filter #{"todo" "doing"} ["done" "todo" "todo" "lost"])
;=> ["todo" "todo"]

;; A set that contains false cannot keep it: the answer for false is false itself.
(filter #{false 1} [1 false 2])
;=> [1]

;; Over a map the predicate sees `[key value]` pairs; `into {}` makes a map of them again.
(into {} (filter (fn [[_ stock]] (pos? stock)) {:bolt 4 :nut 0 :screw 7}))
;=> {:bolt 4 :screw 7}

;; Over a string the elements are one-letter strings.
(apply str (filter (fn [c] (clojure.string/includes? "aeiou" c)) "education"))
;=> "euaio"

;; nil and empty collections give an empty sequence, which is truthy; `seq` or `empty?` asks for emptiness.
(let [none (filter odd? nil)]
  [none (if none :truthy :falsy) (seq none) (empty? none)])
;=> [[] :truthy nil true]

;; Conditions on several fields.
(->> [{:sku "A" :price 5 :qty 0} {:sku "B" :price 12 :qty 3} {:sku "C" :price 8 :qty 1}]
     (filter (fn [{:keys [price qty]}] (and (pos? qty) (< price 10))))
     (map :sku))
;=> ["C"]

;; The predicate comes first.
(filter [1 2 3] even?)
;!> type_error 1:1 filter: expected a collection, got function; write (filter pred coll)

;; A number is no collection.
(filter even? 12)
;!> type_error 1:1 filter: expected a collection, got number

;; A predicate that cannot judge an element stops the program at the predicate's own error.
(filter even? [2 "x"])
;!> type_error 1:1 even?: expected an integer, got string

;; `filterv` answers a finished vector.
(let [open (filterv :open [{:n 1 :open true} {:n 2} {:n 3 :open true}])]
  [(peek open) (count open)])
;=> [{:n 3 :open true} 2]

;; `filterv` over nil is an empty vector.
(conj (filterv some? nil) :end)
;=> [:end]

;; `remove` keeps what `filter` drops.
[(remove neg? [3 -1 0 -7]) (filter neg? [3 -1 0 -7])]
;=> [[3 0] [-1 -7]]

;; Blank lines are removed with the predicate that knows them.
(remove clojure.string/blank? ["a" "" "  " "b" nil])
;=> ["a" "b"]

;; A set removes its members: the words to leave out.
(let [stop-words #{"the" "of" "a"}]
  (remove stop-words ["the" "end" "of" "a" "story"]))
;=> ["end" "story"]

;; `remove nil?` keeps false.
(remove nil? [1 nil false 2])
;=> [1 false 2]

;; `remove` needs a collection.
(remove odd? :none)
;!> type_error 1:1 remove: expected a collection, got keyword

;; `keep` is `map` without the nils; false stays.
(keep :score [{:score 4} {} {:score false} {:score nil}])
;=> [4 false]

;; Parsing and dropping what does not parse in one pass.
(keep parse-long ["12" "x" "" "7"])
;=> [12 7]

;; A map as function keeps the found values.
(keep {:a 1 :b 2} [:b :z :a])
;=> [2 1]

;; `keep` over nil.
(keep identity nil)
;=> []

;; `keep-indexed` gives positions to the function and drops nils: where are the failures?
(keep-indexed (fn [i result] (when (= result :fail) i)) [:ok :fail :ok :fail])
;=> [1 3]

;; Every second element by its position.
(keep-indexed #(when (odd? %1) %2) ["a" "b" "c" "d"])
;=> ["b" "d"]

;; `keep-indexed` needs a collection.
(keep-indexed vector 3)
;!> type_error 1:1 keep-indexed: expected a collection, got number

;; `some` answers the first truthy result of the function, not the element.
[(some even? [1 4 5]) (some #(when (even? %) %) [1 4 5]) (some #{4 5} [1 5 4])]
;=> [true 4 5]

;; `some` with a keyword finds the first error message.
(some :error [{:ok 1} {:error false} {:error "disk full"} {:error "later"}])
;=> "disk full"

;; `some` stops as soon as it has an answer.
(some (fn [n] (println "try" n) (> n 1)) [1 2 3])
;=> true
;out> try 1
;out> try 2

;; Nothing found is nil, also in nil.
[(some even? [1 3]) (some even? []) (some even? nil)]
;=> [nil nil nil]

;; `every?` is true of an empty collection.
[(every? pos? [1 2]) (every? pos? [1 -2]) (every? pos? []) (every? pos? nil)]
;=> [true false true true]

;; All required fields are there.
(let [row {:id 7 :name "Ann" :email nil}]
  [(every? row [:id :name]) (every? row [:id :email])])
;=> [true false]

;; `not-every?` is the opposite of `every?`.
[(not-every? even? [2 4]) (not-every? even? [2 5]) (not-every? even? [])]
;=> [false true false]

;; A list with a gap is found by `not-every?`.
(not-every? some? ["a" nil "c"])
;=> true

;; `not-any?` is the opposite of `some`, as a boolean.
[(not-any? neg? [1 2]) (not-any? neg? [1 -2]) (not-any? neg? nil)]
;=> [true false true]

;; No forbidden word is in the title.
(not-any? #{"secret" "draft"} (clojure.string/split "final report" #" "))
;=> true

;; The quantifiers need a collection too.
(every? pos? 5)
;!> type_error 1:1 every?: expected a collection, got number

;; `some` reads the collection from its second argument.
(some [1 2] even?)
;!> type_error 1:1 some: expected a collection, got function; write (some pred coll)

;; A single map in `not-any?` is a sequence of pairs.
(not-any? (fn [[_ v]] (nil? v)) {:a 1 :b 2})
;=> true
