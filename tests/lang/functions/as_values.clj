;; `apply` calls a function with the elements of its last argument.
[(apply + [1 2 3]) (apply max #{4 9 2}) (apply str "abc") (apply + nil)]
;=> [6 9 "abc" 0]

;; Arguments before the collection come first.
[(apply + 10 [1 2]) (apply str "<" "b" [">" "x"]) (apply conj [1] 2 [3 4])]
;=> [13 "<b>x" [1 2 3 4]]

;; A map is spread as its entries.
(apply concat {:a 1 :b 2})
;=> [:a 1 :b 2]

;; The largest of an empty list: `apply` leaves `max` without arguments.
(apply max [])
;!> arity_error 1:1 max: expected 1 or more arguments, got 0; apply and reduce over an empty collection call it so: check (seq coll) first

;; The last argument is a collection.
(apply + 1 2)
;!> type_error 1:1 apply: expected a collection, got number

;; `max` of a vector is the typical case for `apply`; the message says so.
(max [3 9])
;!> type_error 1:1 max: expected numbers, got vector; use (apply max coll)

;; Keywords, maps, sets and vectors are called like functions, also through `apply`.
[(apply :a [{:a 1}]) (apply {:a 1} [:b 0]) (apply #{1 2} [2]) (apply [5 6] [1])]
;=> [1 0 2 6]

;; Functions are values: a table of operations.
(let [operations {"+" + "-" - "*" *}]
  (map (fn [[op a b]] ((operations op) a b)) [["+" 1 2] ["*" 3 4] ["-" 9 5]]))
;=> [3 12 4]

;; A function that answers a function remembers what it was made with.
(defn multiplier [n] (fn [x] (* n x)))
(let [triple (multiplier 3)]
  (map triple [1 2 3]))
;=> [3 6 9]

;; A function of a function: apply it n times.
(defn times [n f] (fn [x] (nth (iterate f x) n)))
[((times 3 inc) 10) ((times 0 inc) 10) ((times 2 #(str % "!")) "a")]
;=> [13 10 "a!!"]

;; Rest arguments collect what is left; without any they are nil.
(defn describe [kind & details] [kind (count details) details])
[(describe :a 1 2) (describe :b)]
;=> [[:a 2 [1 2]] [:b 0 nil]]

;; Each arity has its own body.
(defn greet
  ([] (greet "you"))
  ([name] (greet "Hello" name))
  ([greeting name] (str greeting ", " name)))
[(greet) (greet "Ann") (greet "Bye" "Bob")]
;=> ["Hello, you" "Hello, Ann" "Bye, Bob"]

;; Keyword arguments: `& {:keys …}` takes pairs, or one map at the end.
(defn search [text & {:keys [limit order] :or {limit 10 order :asc}}] [text limit order])
[(search "x" :limit 3) (search "x") (search "x" {:order :desc})]
;=> [["x" 3 :asc] ["x" 10 :asc] ["x" 10 :desc]]

;; `#()` is a short function; `%` is its argument, `%&` the rest.
[(map #(* % %) [1 2 3]) (#(+ %1 (* 10 %2)) 1 2) (#(vector %1 %&) 1 2 3)]
;=> [[1 4 9] 21 [1 [2 3]]]

;; Short functions do not nest; the inner one is written with `fn`.
(map #(map (fn [x] (* x %)) [1 2]) [3 4])
;=> [[3 6] [4 8]]

;; `letfn` defines functions that know each other.
(letfn [(up? [n] (if (zero? n) true (down? (dec n))))
        (down? [n] (if (zero? n) false (up? (dec n))))]
  [(up? 4) (up? 5)])
;=> [true false]

;; A wrong number of arguments for an own function is found before anything runs.
(defn area [w h] (* w h))
(area 1 2 3)
;!> arity_error 2:1 area: expected 2 arguments, got 3

;; A function that comes out of data is checked when it is called.
(let [f (first [(fn [a b] a)])]
  (f 1))
;!> arity_error 2:3 fn: expected 2 arguments, got 1

;; A number in the place of the function.
(let [total 42]
  (total 1))
;!> not_callable 2:3 cannot call 42 (number): the function comes first, as in (+ 1 2)

;; The answer of a call is called by mistake: one pair of brackets too many.
((inc 1))
;!> not_callable 1:1 cannot call 2 (number): a value is written without parentheses

;; A string is no function of maps; a keyword is.
("name" {"name" 1})
;!> not_callable 1:1 cannot call "name" (string): the function comes first, as in (+ 1 2)

;; A function can be kept in a map next to data, and called from there.
(let [shapes [{:kind :square :side 3 :area (fn [s] (* (:side s) (:side s)))}
              {:kind :strip :w 2 :h 5 :area (fn [s] (* (:w s) (:h s)))}]]
  (map (fn [shape] ((:area shape) shape)) shapes))
;=> [9 10]

;; Handlers by kind, with a default.
(let [handlers {:add (fn [total n] (+ total n)) :reset (fn [_ n] n)}
      handle (fn [total [kind n]] ((get handlers kind (fn [total _] total)) total n))]
  (reduce handle 0 [[:add 5] [:add 2] [:noop 9] [:reset 1] [:add 1]]))
;=> 2
