;; `loop` starts with values, `recur` starts it again with new ones.
(loop [n 5 product 1]
  (if (zero? n)
    product
    (recur (dec n) (* product n))))
;=> 120

;; `recur` needs no stack: long loops are fine.
(loop [i 0] (if (< i 100000) (recur (inc i)) i))
;=> 100000

;; All values of `recur` are computed before any is bound.
(loop [a 1 b 2 n 3]
  (if (pos? n) (recur b a (dec n)) [a b]))
;=> [2 1]

;; `loop` takes patterns.
(loop [[x & more] [3 4 5] total 0]
  (if x (recur more (+ total x)) total))
;=> 12

;; A function is the target of `recur` where no loop is around it.
(defn gcd [a b] (if (zero? b) a (recur b (mod a b))))
(gcd 48 18)
;=> 6

;; The rest parameter counts as one argument of `recur`, and receives a sequence.
(defn total [sum & xs] (if (seq xs) (recur (+ sum (first xs)) (rest xs)) sum))
(total 0 1 2 3)
;=> 6

;; `recur` may stand in tail position of `cond`, `when`, `let`, `do`, `case`, `or`.
(loop [steps [:go :go :stop :go] n 0]
  (let [step (first steps)]
    (case step
      :stop n
      (do (when step (recur (rest steps) (inc n)))))))
;=> 2

;; Closures made in a loop keep the values of their own round.
(map (fn [f] (f)) (loop [i 0 fs []] (if (< i 3) (recur (inc i) (conj fs (fn [] i))) fs)))
;=> [0 1 2]

;; `recur` outside of tail position is found before anything runs.
(println "never")
(loop [i 3] (if (pos? i) (+ 1 (recur (dec i))) 0))
;!> invalid_form 2:31 recur is only allowed in tail position

;; `recur` needs as many values as there are bindings.
(loop [a 1 b 2] (if (< a 5) (recur (inc a)) b))
;!> arity_error 1:29 recur: expected 2 arguments, got 1

;; At top level there is nothing to go back to.
(recur 1)
;!> invalid_form 1:1 recur is only allowed in tail position

;; Binding needs pairs.
(loop [i] i)
;!> invalid_form 1:7 loop: the bindings need an even number of forms, got 1

;; `for` makes a vector of all combinations; the last binding turns fastest.
(for [row [1 2] seat ["a" "b"]] (str row seat))
;=> ["1a" "1b" "2a" "2b"]

;; `:when` skips, `:let` binds, and later bindings see earlier ones.
(for [x (range 1 6)
      :let [square (* x x)]
      :when (odd? square)
      y (range x)
      :when (= y (dec x))]
  [x square y])
;=> [[1 1 0] [3 9 2] [5 25 4]]

;; `:while` ends its own level only.
(for [x [1 2 3] y [1 2 3] :while (< y x)] [x y])
;=> [[2 1] [3 1] [3 2]]

;; `for` goes over maps in insertion order, as pairs (L-2).
(for [[id price] {:tea 3 :cake 5} :when (> price 3)] id)
;=> [:cake]

;; `for` over nil or nothing is empty.
[(for [x nil] x) (for [x [] y [1 2]] [x y])]
;=> [[] []]

;; `for` over a string goes by characters.
(for [c "añb"] (str c c))
;=> ["aa" "ññ" "bb"]

;; `for` over an endless sequence is lazy.
(take 3 (for [n (iterate inc 1) :when (even? n)] (* n 10)))
;=> [20 40 60]

;; `:while` makes an endless `for` finite.
(for [n (range) :while (< n 4)] (* n n))
;=> [0 1 4 9]

;; A number is no collection.
(for [x 5] x)
;!> type_error 1:1 for: expected a collection, got number

;; A modifier that does not exist is named.
(for [x [1 2] :whne (odd? x)] x)
;!> invalid_form 1:15 for: :whne is not a modifier; use :when, :let or :while

;; `for` has exactly one body (L-42).
(for [x [1]])
;!> invalid_arity 1:1 for: expected (for [name coll ...] body), got 1

;; `doseq` goes over the same things for their effect and gives nil.
(doseq [[name score] {"Ada" 3 "Bob" 1} :when (> score 2)]
  (println name "wins"))
;=> nil
;out> Ada wins

;; `doseq` nests like `for`, and may have several body forms.
(def log (atom []))
(doseq [x [1 2] y [:a :b] :while (not= [x y] [2 :b])]
  (swap! log conj x)
  (swap! log conj y))
@log
;=> [1 :a 1 :b 2 :a]

;; Definitions inside `doseq` are definitions of the turn.
(doseq [x [1 2 3]] (def latest x))
latest
;=> 3

;; `dotimes` counts from 0 and gives nil.
(dotimes [i 3] (println "round" i))
;=> nil
;out> round 0
;out> round 1
;out> round 2

;; `dotimes` with zero or fewer rounds does nothing.
(def n (atom 0))
(dotimes [_ 0] (swap! n inc))
(dotimes [_ -2] (swap! n inc))
(dotimes [i 4] (swap! n + i))
@n
;=> 6

;; `while` repeats as long as its test holds, usually over an atom.
(def queue (atom [3 2 1]))
(while (seq @queue)
  (println "left" (count @queue))
  (swap! queue rest))
;=> nil
;out> left 3
;out> left 2
;out> left 1

;; `while` whose test fails at once never runs its body.
(while false (println "never"))
;=> nil

;; Halving until one: how many steps does `while` take?
(let [n (atom 27) steps (atom 0)]
  (while (not= 1 @n)
    (swap! n #(if (even? %) (quot % 2) (inc (* 3 %))))
    (swap! steps inc))
  @steps)
;=> 111

;; `recur` cannot leave `for`, `doseq` or an inner function.
(loop [n 3] (doseq [x [1]] (when (pos? n) (recur (dec n)))))
;!> invalid_form 1:43 recur is only allowed in tail position

;; The count of `dotimes` is computed once.
(dotimes [i (do (println "asked") 2)] (print i))
;=> nil
;out> asked
;out> 01

;; All modifiers of `doseq`, in the order in which they stand.
(doseq [x (range 10) :let [y (* x x)] :while (< y 10) :when (odd? y)]
  (println x y))
;=> nil
;out> 1 1
;out> 3 9

;; `doseq` goes over maps, texts and nil.
(doseq [[k v] {:a 1}] (println k v))
(doseq [c "ab"] (println c))
(doseq [x nil] (println x))
;=> nil
;out> :a 1
;out> a
;out> b

;; A map as the state of a loop.
(loop [{:keys [n found]} {:n 3 :found []}]
  (if (pos? n) (recur {:n (dec n) :found (conj found n)}) found))
;=> [3 2 1]

;; A function with rest parameter goes round with a sequence.
((fn [& xs] (if (next xs) (recur (rest xs)) (first xs))) 1 2 3)
;=> 3

;; `recur` counts the rest parameter as one.
(defn f [a & more] (recur a))
;!> arity_error 1:20 recur: expected 2 arguments, got 1

;; `:when` and `:let` need what they announce.
(for [x [1] :when] x)
;!> invalid_form 1:13 for: :when needs a form after it

;; `:let` wants a vector.
(for [x [1] :let x] x)
;!> invalid_form 1:13 for: :let needs a vector of names and values

;; A modifier cannot come first.
(for [:let [x 1]] x)
;!> invalid_form 1:7 for: the brackets start with a name and a collection, got :let
