;; `map` answers what the function gives for each element, in order.
(map inc [1 2 3])
;=> [2 3 4]

;; A keyword is a function: `map` takes one field of every row.
(map :name [{:name "bolt" :qty 4} {:name "nut" :qty 9}])
;=> ["bolt" "nut"]

;; A row without the field gives nil in its place, so positions stay aligned.
(map :qty [{:qty 4} {} {:qty nil} nil])
;=> [4 nil nil nil]

;; Several collections are walked together and stop at the shortest.
(map + [1 2 3] [10 20 30] [100 200])
;=> [111 222]

;; A price list and a list of quantities become invoice lines.
(let [prices [2.5 10 4]
      quantities [4 1 2]]
  (map (fn [price quantity] (* price quantity)) prices quantities))
;=> [10.0 10 8]

;; A map as collection is a sequence of `[key value]` pairs, in the order of its entries.
(map (fn [[city people]] (str city ":" people)) {"Oslo" 709 "Bergen" 291})
;=> ["Oslo:709" "Bergen:291"]

;; A string is a sequence of one-letter strings.
(map clojure.string/upper-case "abc")
;=> ["A" "B" "C"]

;; A map may be the function: each element is looked up in it.
(map {"n" :north "s" :south} ["s" "n" "x"])
;=> [:south :north nil]

;; A set as function answers the member or nil.
(map #{:a :b} [:a :z :b])
;=> [:a nil :b]

;; nil is an empty collection.
[(map inc nil) (map inc []) (map + [1 2] nil)]
;=> [[] [] []]

;; A sequence is needed; the message names the function and the kind it got.
(map inc 5)
;!> type_error 1:1 map: expected a collection, got number

;; Function and collection in the wrong order.
(map [1 2 3] inc)
;!> type_error 1:1 map: expected a collection, got function; write (map f coll)

;; A keyword over one map instead of many is a slip: take the field directly.
(map :name {:name "bolt" :qty 4})
;!> type_error 1:1 map: field access over a collection expects many maps, got one map; use (:name m)

;; An error inside of the function keeps its own place and text.
(map (fn [x] (/ 10 x)) [5 0])
;!> arithmetic_error 1:14 Divide by zero

;; `mapv` is `map` that is always a finished vector, so positions can be looked up.
(let [squares (mapv #(* % %) (range 5))]
  [(squares 3) (peek squares) (vector? squares)])
;=> [9 16 true]

;; `mapv` walks several collections too.
(mapv vector [:a :b] ["x" "y"])
;=> [[:a "x"] [:b "y"]]

;; `mapv` needs a collection.
(mapv inc :a)
;!> type_error 1:1 mapv: expected a collection, got keyword

;; `map-indexed` hands the position, counted from 0, before the element.
(map-indexed (fn [i line] (str (inc i) ". " line)) ["read" "write"])
;=> ["1. read" "2. write"]

;; The rank of each runner is her position plus one.
(->> [{:name "Ida" :time 61} {:name "Una" :time 58}]
     (sort-by :time)
     (map-indexed (fn [i runner] (assoc runner :rank (inc i)))))
;=> [{:name "Una" :time 58 :rank 1} {:name "Ida" :time 61 :rank 2}]

;; `map-indexed` over a string numbers its letters.
(map-indexed vector "hi")
;=> [[0 "h"] [1 "i"]]

;; The function of `map-indexed` takes two arguments.
(map-indexed (fn [x] x) [1])
;!> arity_error 1:1 fn: expected 1 argument, got 2; it is called with index and element: (fn [i x] ...)

;; `mapcat` joins the collections that the function gives.
(mapcat :tags [{:tags ["red" "sale"]} {} {:tags ["new"]}])
;=> ["red" "sale" "new"]

;; One element may become none or several.
(mapcat (fn [n] (repeat n n)) [0 1 2 3])
;=> [1 2 2 3 3 3]

;; `mapcat` over several collections.
(mapcat (fn [k v] [k v]) [:a :b] [1 2])
;=> [:a 1 :b 2]

;; A map given back is spliced as its entries.
(mapcat identity [{:a 1} {:b 2 :c 3}])
;=> [[:a 1] [:b 2] [:c 3]]

;; What the function of `mapcat` gives must be a collection.
(mapcat inc [1 2])
;!> type_error 1:1 mapcat: the function must give collections, got number

;; Printing inside of `map` happens once per element, in order, because a vector is mapped at once.
(map (fn [x] (println "seen" x) (* 10 x)) [1 2])
;=> [10 20]
;out> seen 1
;out> seen 2
