;; `fn` makes a function; called at once it needs a second pair of parentheses.
((fn [a b] (* a b)) 6 7)
;=> 42

;; A function remembers what was around it when it was made.
(defn adder [n] (fn [x] (+ n x)))
(let [add-ten (adder 10) n 99] [(add-ten 1) n])
;=> [11 99]

;; A body may have several forms; the last one is the answer.
((fn [x] (println "got" x) (inc x)) 1)
;=> 2
;out> got 1

;; An empty body gives nil (L-21).
[((fn [])) ((fn [x]) 1) (do (defn nothing []) (nothing))]
;=> [nil nil nil]

;; `fn` with a name can call itself.
((fn fact [n] (if (< n 2) 1 (* n (fact (dec n))))) 20)
;=> 2432902008176640000

;; The name of a named `fn` is known only inside it.
((fn helper [x] x) 1)
(helper 2)
;!> undefined_symbol 2:2 undefined symbol 'helper'

;; One function with several parameter lists chooses by their number.
(defn area
  ([side] (area side side))
  ([width height] (* width height)))
[(area 3) (area 3 4)]
;=> [9 12]

;; The list with a rest parameter takes every larger count.
(defn describe
  ([] "nothing")
  ([x] (str "one: " x))
  ([x & more] (str x " and " (count more) " more")))
[(describe) (describe :a) (describe :a :b :c)]
;=> ["nothing" "one: :a" ":a and 2 more"]

;; `fn` can have several parameter lists as well.
(map (fn ([x] [x]) ([x y] [x y])) [1 2] [3 4])
;=> [[1 3] [2 4]]

;; Without further arguments the rest parameter is nil (L-8).
((fn [a & more] [a more]) 1)
;=> [1 nil]

;; That makes the usual test work.
(defn total [& xs] (if xs (apply + xs) :none))
[(total) (total 1 2)]
;=> [:none 3]

;; Named arguments at the end: `& {:keys …}` takes pairs or one map.
(defn search [term & {:keys [limit offset] :or {limit 10 offset 0}}]
  [term limit offset])
[(search "tin") (search "tin" :limit 5) (search "tin" {:offset 20})]
;=> [["tin" 10 0] ["tin" 5 0] ["tin" 10 20]]

;; Parameters may be patterns.
(defn distance [[x1 y1] {:keys [x y]}]
  (+ (abs (- x x1)) (abs (- y y1))))
(distance [1 2] {:x 4 :y 6})
;=> 7

;; A docstring stands between name and parameters and is not the body.
(defn rate "Price with tax." [price] (* price 1.19))
(rate 100)
;=> 119.0

;; An attribute map and a type hint are read and skipped.
(defn ^String shout
  "Louder."
  {:added "1.0"}
  [^String text]
  (str (upper-case text) "!"))
(shout "hey")
;=> "HEY!"

;; `defn-` is `defn` under another name: everything is in one namespace.
(defn- secret [x] (* x 2))
(defn open [x] (secret (inc x)))
[(open 3) (secret 5)]
;=> [8 10]

;; `defn-` takes a docstring and gives the var.
(defn- hidden "Not for others." [] :found)
(hidden)
;=> :found
(defn- hidden [] :replaced)
;=> #'hidden

;; A function sees later redefinitions of what it calls.
(defn tax [x] (* x 0.1))
(defn gross [x] (+ x (tax x)))
(def before (gross 100))
(defn tax [x] (* x 0.2))
[before (gross 100)]
;=> [110.0 120.0]

;; Definitions may be used above the place where they stand (D-37).
(defn even-steps? [n] (if (zero? n) true (odd-steps? (dec n))))
(defn odd-steps? [n] (if (zero? n) false (even-steps? (dec n))))
(even-steps? 10)
;=> true

;; `declare` says that a name will come; it gives nil.
(declare later)
;=> nil

;; A name that was only declared fails when it is reached.
(declare not-yet)
(defn use-it [] (not-yet 1))
(println "so far")
(use-it)
;out> so far
;!> undefined_symbol 2:17 undefined symbol 'not-yet': its def has not run yet

;; `declare` is there for functions that need each other.
(declare pong)
(defn ping [n] (if (zero? n) :ping (pong (dec n))))
(defn pong [n] (if (zero? n) :pong (ping (dec n))))
[(ping 2) (ping 3)]
;=> [:ping :pong]

;; `letfn` makes local functions that know each other.
(letfn [(up [n] (if (> n 3) [:top n] (down (+ n 2))))
        (down [n] (up (dec n)))]
  (up 0))
;=> [:top 4]

;; `letfn` with several parameter lists, and a body of several forms.
(letfn [(pad ([s] (pad s 5)) ([s n] (if (< (count s) n) (recur (str s ".") n) s)))]
  (println (pad "ab"))
  (pad "abc" 4))
;=> "abc."
;out> ab...

;; The functions of `letfn` are gone behind it.
(letfn [(twice [x] (* 2 x))] (twice 4))
(twice 1)
;!> undefined_symbol 2:2 undefined symbol 'twice'

;; `:pre` and `:post` are checked (L-21); `%` is the result.
(defn root [x]
  {:pre [(number? x) (>= x 0)]
   :post [(>= % 0)]}
  (sqrt x))
[(root 9) (try (root -1) (catch Throwable e (:reason (ex-data e))))]
;=> [3.0 :assertion_error]

;; A failed condition says which one it was.
(defn half [n] {:pre [(even? n)]} (quot n 2))
(half 3)
;!> assertion_error 1:23 Assert failed: (even? n)

;; A map as the only body is just a map.
(defn config [] {:pre [1] :post 2})
(config)
;=> {:pre [1] :post 2}

;; `def` gives the var and may be used anywhere, inside functions too.
(defn remember [x] (def kept x) (inc kept))
[(remember 4) kept]
;=> [5 4]

;; `def` of a built-in name wins from then on; `core/name` still reaches the old one (L-15).
(defn inc [x] (* x 100))
[(inc 2) (core/inc 2) (clojure.core/inc 2)]
;=> [200 3 3]

;; `defonce` keeps the first value and does not compute a second one.
(defonce started (do (println "starting") 1))
(defonce started (do (println "again") 2))
started
;=> 1
;out> starting

;; `defonce` keeps what an earlier turn defined.
(def cache {:a 1})
;=> #'cache
(defonce cache {})
(defonce fresh "first value" 7)
[cache fresh]
;=> [{:a 1} 7]

;; `def` needs a value; `(def x)` is no definition here.
(def x)
;!> invalid_arity 1:1 def: expected (def name value) or (def name "doc" value), got 1

;; A namespaced name cannot be defined.
(def data/total 3)
;!> invalid_form 1:6 def: data/total is a qualified name; write total

;; The form names that may not be redefined are few.
(defn if [a] a)
;!> invalid_form 1:7 cannot redefine special form 'if'

;; `defn` needs parameters in brackets.
(defn greet (str "hi"))
;!> invalid_form 1:13 defn: expected (defn name [params] body...)

;; A wrong number of arguments of an own function is found before anything runs.
(println "never")
(defn between [low x high] (<= low x high))
(between 1 2)
;!> arity_error 3:1 between: expected 3 arguments, got 2

;; With several parameter lists all counts are named.
(defn span ([a] a) ([a b] (- b a)))
(span 1 2 3)
;!> arity_error 2:1 span: expected 1 or 2 arguments, got 3

;; A function in a variable is counted when it is called.
(let [f (fn [x] x)] (f 1 2))
;!> arity_error 1:21 fn: expected 1 argument, got 2

;; A function with rest parameter says how many it needs at least.
(defn send [to subject & lines] [to subject lines])
(apply send ["ada"])
;!> arity_error 2:1 send: expected 2 or more arguments, got 1

;; `declare` takes several names at once.
(declare a b)
(defn both [] [(a) (b)])
(defn a [] :a)
(defn b [] :b)
[(both) (nil? (declare c))]
;=> [[:a :b] true]

;; A local function that calls itself needs its own name: `let` alone does not know it yet.
(let [fact (fn [n] (if (< n 2) 1 (* n (fact (dec n)))))] (fact 5))
;!> undefined_symbol 1:40 undefined symbol 'fact'…

;; With a name behind `fn` it works.
(let [fact (fn fact [n] (if (< n 2) 1 (* n (fact (dec n)))))] (fact 5))
;=> 120

;; A function used above its definition must have run before it is called.
(defn f [] (g))
(f)
(defn g [] 1)
;!> undefined_symbol 1:12 undefined symbol 'g': its def has not run yet

;; An error in a called function points into that function.
(defn price [row] (* 2 (:price row)))
(map price [{:price 1} {}])
;!> type_error 1:19 *: expected numbers, got number and nil

;; So does a parameter pattern that does not fit.
(defn area [{:keys [w h]}] (* w h))
(area [3 4])
;!> destructure_error 1:13 map pattern cannot match [3 4]

;; Functions print with their parameters; patterns as they are written.
[(fn [a b] a) (fn []) (fn [a & more] a) (fn [{:keys [x]} [y]] x)]
;=> [#fn[a b] #fn[] #fn[a & more] #fn[{:keys [x]} [y]]]

;; Builtins print without a name.
[inc (str map)]
;=> [#<builtin> "#<builtin>"]

;; Several conditions: all of them are checked, before and after.
(defn ten-times [x]
  {:pre [(int? x) (pos? x)]
   :post [(> % 10)]}
  (* x 10))
[(ten-times 2) (try (ten-times 1) (catch Throwable e (ex-message e)))]
;=> [20 "Assert failed: (> % 10)"]

;; Recursion without a name of its own, by way of an atom.
(let [f (atom nil)]
  (reset! f (fn [n] (if (zero? n) :done (@f (dec n)))))
  (@f 10))
;=> :done
