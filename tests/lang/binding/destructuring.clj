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
;!> unsupported_pattern 1:10 & in a pattern needs exactly one name or pattern behind it

;; A call in pattern position is no pattern.
(let [(first x) [1]] x)
;!> unsupported_pattern 1:7 cannot destructure with (first x)

;; `:keys` wants a vector of names.
(let [{:keys "a"} {:a 1}] 1)
;!> unsupported_pattern 1:14 cannot destructure with "a"
