;; `let` binds names for its body, each visible to the next.
(let [price 20
      tax (* price 0.5)
      total (+ price tax)]
  total)
;=> 30.0

;; A name may be bound again; the inner one counts.
(let [x 1
      x (+ x 10)
      y (let [x 100] (inc x))]
  [x y])
;=> [11 101]

;; Without bindings or body `let` still has a value.
[(let [] 7) (let []) (let [x 1])]
;=> [7 nil nil]

;; The values run in order, once each.
(let [a (do (println "a") 1)
      b (do (println "b") 2)]
  (+ a b a b))
;=> 6
;out> a
;out> b

;; Bindings are gone behind the `let`.
(let [secret 1] secret)
secret
;!> undefined_symbol 2:1 undefined symbol 'secret'

;; A local hides a definition, a builtin and a macro name (L-45).
(def rate 3)
(let [rate 5 count "many" when (fn [x] [:when x])]
  [rate count (when 1)])
;=> [5 "many" [:when 1]]

;; A few names cannot be hidden in head position: `if` stays `if` (L-45).
(let [if 5] (if false 1 2))
;=> 2

;; Bindings come in pairs.
(let [a 1 b] a)
;!> invalid_form 1:6 let: the bindings need an even number of forms, got 3

;; The bindings stand in brackets.
(let (a 1) a)
;!> invalid_form 1:6 let: expected (let [name value ...] body...)

;; A number cannot be bound.
(let [5 :x] 1)
;!> unsupported_pattern 1:7 cannot destructure with 5

;; `do` runs forms in order and gives the last; empty it is nil.
[(do (println "one") (println "two") 3) (do)]
;=> [3 nil]
;out> one
;out> two

;; Shadowing a data name: the local counts, `data/` still reaches the input.
;- data {:rate 3}
(let [rate 5] [rate data/rate])
;=> [5 3]

;; Long chains of `let` are ordinary code.
(let [rows [{:id 1 :qty 2 :price 5} {:id 2 :qty 1 :price 7}]
      with-total (map #(assoc % :total (* (:qty %) (:price %))) rows)
      best (apply max-key :total with-total)
      {:keys [id total]} best]
  (str "row " id ": " total))
;=> "row 1: 10"

;; A vector pattern binds by position; what is missing is nil, what is too much is ignored.
[(let [[a b] [1 2 3]] [a b]) (let [[a b] [1]] [a b]) (let [[a] nil] a)]
;=> [[1 2] [1 nil] nil]

;; `&` binds the rest; nothing left is nil (L-8).
(let [[head & tail] [1 2 3]
      [only & none] [1]]
  [head tail only none])
;=> [1 [2 3] 1 nil]

;; `:as` binds the whole as well.
(let [[x y :as point] [3 4]] [(+ x y) point])
;=> [7 [3 4]]

;; Patterns nest; `_` is the usual name for what is not needed.
(let [[_ [x _] & more] [:skip [1 2] 3 4]] [x more])
;=> [1 [3 4]]

;; The rest may be a pattern itself.
(let [[a & [b c]] [1 2 3 4]] [a b c])
;=> [1 2 3]

;; Strings come apart into characters.
(let [[a b & more] "hello"] [a b (str/join more)])
;=> ["h" "e" "llo"]

;; A map entry comes apart into key and value.
(map (fn [[k v]] (str (name k) "=" v)) {:a 1 :b 2})
;=> ["a=1" "b=2"]

;; An endless sequence may be taken apart.
(let [[a b & more] (iterate inc 1)] [a b (first more)])
;=> [1 2 3]

;; `:keys` binds names to the values under the keywords of the same names.
(let [{:keys [name qty]} {:name "bolt" :qty 3}] [name qty])
;=> ["bolt" 3]

;; `:keys` finds string keys too, and may be written with keywords.
(let [{:keys [:name qty]} {"name" "nut" "qty" 1}] [name qty])
;=> ["nut" 1]

;; `:or` gives a default where the key is absent; a nil that is there stays nil.
(map (fn [{:keys [qty] :or {qty 1}}] qty) [{:qty 5} {} {:qty nil}])
;=> [5 1 nil]

;; A default may be any expression and sees the names bound before it.
(let [{:keys [width height] :or {height (* 2 width)}} {:width 3}] [width height])
;=> [3 6]

;; A default that is not needed does not run.
(let [{:keys [a] :or {a (println "never")}} {:a 1}] a)
;=> 1

;; `:as` keeps the whole map, defaults not included.
(let [{:keys [a b] :or {b 2} :as all} {:a 1}] [a b all])
;=> [1 2 {:a 1}]

;; A name and the key it stands for: rename on the way.
(let [{id :order-id total "total"} {:order-id 7 "total" 30}] [id total])
;=> [7 30]

;; Any literal may be the key.
(let [{one 1, two [2]} {1 :a [2] :b}] [one two])
;=> [:a :b]

;; Maps inside maps, vectors inside maps.
(let [{{:keys [city]} :address [first-tag] :tags} {:address {:city "Oslo"} :tags ["new" "big"]}]
  [city first-tag])
;=> ["Oslo" "new"]

;; `:strs` looks up strings, `:syms` symbols.
(let [{:strs [a]} {"a" 1} {:syms [b]} {'b 2}] [a b])
;=> [1 2]

;; Keys with a namespace: `:keys [a/b]`, `:a/keys [b]`.
(let [m {:order/id 7 :order/total 30}
      {:keys [order/id]} m
      {:order/keys [total]} m]
  [id total])
;=> [7 30]

;; Key–value arguments come together as a map.
((fn [& {:keys [x y] :or {y 0}}] [x y]) :x 1)
;=> [1 0]

;; The rest of a vector pattern may be key–value pairs as well.
(let [[title & {:keys [size]}] ["Plan" :size 3]] [title size])
;=> ["Plan" 3]

;; nil in place of a map: everything is nil, defaults apply.
(let [{:keys [a b] :or {b 2}} nil] [a b])
;=> [nil 2]

;; `loop`, `for`, `doseq` and `fn` take the same patterns.
[(loop [[x & more] [1 2 3] n 0] (if x (recur more (+ n x)) n))
 (for [{:keys [a]} [{:a 1} {:a 2}]] a)
 ((fn [{[x] :at}] x) {:at [9]})]
;=> [6 [1 2] 9]

;; A wrong default position: `:or` names the local, not the key.
(let [{id :order-id :or {id 0}} {}] id)
;=> 0

;; A map pattern does not fit a number.
(let [{:keys [a]} 5] a)
;!> destructure_error 1:7 map pattern cannot match 5

;; A vector pattern does not fit a number.
(defn swap [[a b]] [b a])
(swap 12)
;!> destructure_error 1:13 vector pattern cannot match 12

;; A map pattern does not fit a vector.
(let [{:keys [id]} [{:id 1}]] id)
;!> destructure_error 1:7 map pattern cannot match [{:id 1}]

;; A vector pattern does not fit a map entry of the wrong kind: the value is quoted.
(for [[k [a b]] {:point :none}] [k a b])
;!> destructure_error 1:10 vector pattern cannot match :none

;; `&` is followed by one pattern.
(let [[a & b c] [1 2 3]] a)
;!> unsupported_pattern 1:10 & in a pattern needs exactly one name or pattern after it

;; A call in pattern position is no pattern.
(let [(first x) [1]] x)
;!> unsupported_pattern 1:7 cannot destructure with (first x)

;; `:keys` wants a vector of names.
(let [{:keys "a"} {:a 1}] 1)
;!> unsupported_pattern 1:14 cannot destructure with "a"

;; A set and a map can be taken apart by order, as sequences.
[(let [[a b] #{:x :y}] [a b]) (let [[[k v] & more] {:x 1 :y 2}] [k v more])]
;=> [[:x :y] [:x 1 [[:y 2]]]]

;; `:as` inside and outside, with a rest between.
(let [[a [b :as inner] & r :as all] [1 [2 3] 4 5]] [a b inner r all])
;=> [1 2 [2 3] [4 5] [1 [2 3] 4 5]]

;; Renaming, nesting and `:as` in one map pattern.
(let [{a :a {b :c :as m} :b} {:a 1 :b {:c 2}}] [a b m])
;=> [1 2 {:c 2}]

;; `:keys`, `:strs` and `:syms` side by side.
(let [{:keys [a] :strs [b] :syms [c]} {:a 1 "b" 2 'c 3}] [a b c])
;=> [1 2 3]

;; Defaults belong to string keys as well.
(let [{:strs [host port] :or {port 80}} {"host" "x.org"}] [host port])
;=> ["x.org" 80]

;; nil all the way down gives nil everywhere.
(let [{{:keys [x]} :in [y] :list} nil] [x y])
;=> [nil nil]

;; `& {:as all}` is nil without arguments.
(defn options [& {:as all}] all)
[(options :a 1) (options) (options {:b 2})]
;=> [{:a 1} nil {:b 2}]

;; `_` may stand several times; the last one counts.
((fn [_ _ x] x) 1 2 3)
;=> 3

;; Each parameter list of a function has its own patterns.
(map #(apply (fn ([{:keys [a]}] a) ([[x] y] [x y])) %) [[{:a 1}] [[2 3] 4]])
;=> [1 [2 4]]

;; A map pattern takes elements of a vector by index, and names and values from a list of them (L-68).
[(let [{x 0 y 2} [10 20 30]] [x y])
 (let [{x 0 z 9 :or {z :none} :as all} [10 20]] [x z all])
 (let [{:keys [a b]} '(:a 1 :b 2)] [a b])
 (let [{:keys [a] c :c} (list :a 1)] [a c])
 ((fn [{[p] 0}] p) [[7] 8])
 (let [{:keys [a]} []] a)]
;=> [[10 30] [10 :none [10 20]] [1 2] [1 nil] 7 nil]

;; Other vectors match no names: it is nearly always a list of maps.
(let [{:keys [a]} [{:a 1}]] a)
;!> destructure_error 1:7 map pattern cannot match [{:a 1}]
