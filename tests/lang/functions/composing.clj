;; `comp` calls the last function first, and each other one on the result.
((comp inc #(* 2 %)) 5)
;=> 11

;; A pipeline as a value.
(let [slug (comp (partial clojure.string/join "-") #(clojure.string/split % #" ") clojure.string/lower-case)]
  (map slug ["Hello World" "One two Three"]))
;=> ["hello-world" "one-two-three"]

;; Keywords compose: a field of a field.
(map (comp :city :address) [{:address {:city "Oslo"}} {:address nil}])
;=> ["Oslo" nil]

;; The function that is called first may take several arguments; `(comp)` is `identity`.
[((comp str +) 1 2 3) ((comp) 5) ((comp count) "abc")]
;=> ["6" 5 3]

;; `partial` fixes the first arguments.
[((partial + 10) 5) ((partial str "a" "b") "c" "d") (map (partial * 2) [1 2]) ((partial max) 3 9)]
;=> [15 "abcd" [2 4] 9]

;; With nothing fixed and nothing given it is the call without arguments.
[((partial + 1 2)) ((partial vector))]
;=> [3 []]

;; A message with its level filled in.
(let [log (fn [level & words] (str "[" level "] " (clojure.string/join " " words)))
      warn (partial log "warn")]
  (warn "disk" "full"))
;=> "[warn] disk full"

;; `partial` fills from the left; for the others there is `#()`.
[(map (partial - 10) [1 2]) (map #(- % 10) [1 2])]
;=> [[9 8] [-9 -8]]

;; `juxt` gives the results of several functions in a vector.
[((juxt first last count) [7 8 9]) ((juxt + -) 5 3) ((juxt) 1)]
;=> [[7 9 3] [8 2] []]

;; Rows of a table from maps.
(map (juxt :id (comp count :tags)) [{:id 1 :tags ["a" "b"]} {:id 2}])
;=> [[1 2] [2 0]]

;; Two lists in one pass: `juxt` of `filter` and `remove`.
((juxt filter remove) even? [1 2 3 4])
;=> [[2 4] [1 3]]

;; `complement` turns a predicate around; the answer is a boolean.
[(map (complement even?) [1 2]) ((complement :a) {:a nil}) ((complement <) 1 2)]
;=> [[true false] true false]

;; What is not in a list of names.
(filter (complement #{"admin" "root"}) ["ann" "root" "bob"])
;=> ["ann" "bob"]

;; `constantly` answers the same for any arguments.
[((constantly 5)) ((constantly 5) 1 2 3) (map (constantly :x) [1 2])]
;=> [5 5 [:x :x]]

;; Every value of a map is set anew.
(update-vals {:a 1 :b 2} (constantly 0))
;=> {:a 0 :b 0}

;; `identity` answers its argument: as predicate it keeps what is truthy, as key it is the element itself.
[(filter identity [1 nil false 2]) (group-by identity [:a :b :a]) (some identity [nil 3])]
;=> [[1 2] {:a [:a :a] :b [:b]} 3]

;; Longest run of equal elements, with `identity` as criterion.
(apply max (map count (partition-by identity [1 1 2 2 2 1])))
;=> 3

;; `fnil` puts a default in place of nil for the first arguments.
[((fnil inc 0) nil) ((fnil inc 0) 5) ((fnil + 1 2) nil nil) ((fnil + 1 2) 10 nil 5)]
;=> [1 6 3 17]

;; The usual place: a list that grows under a key.
(reduce (fn [m [k v]] (update m k (fnil conj []) v)) {} [[:a 1] [:b 2] [:a 3]])
;=> {:a [1 3] :b [2]}

;; false is no nil.
((fnil str "none") false)
;=> "false"

;; `every-pred` is true when all predicates hold for all arguments.
[((every-pred pos? even?) 4) ((every-pred pos? even?) 3) ((every-pred pos? even?) 2 4 6) ((every-pred pos? even?) 2 -4)]
;=> [true false true false]

;; Rows that pass several checks.
(map :id (filter (every-pred :active (comp pos? :stock)) [{:id 1 :active true :stock 4} {:id 2 :stock 3} {:id 3 :active true :stock 0}]))
;=> [1]

;; The answer of `every-pred` is a boolean, also when the predicates give values; without arguments it is true.
[((every-pred :a :b) {:a 1 :b 2}) ((every-pred :a :b) {:a 1}) ((every-pred pos?))]
;=> [true false true]

;; `some-fn` answers the first truthy result of its functions.
[((some-fn :nick :name) {:name "Ann"}) ((some-fn :nick :name) {:nick "A" :name "Ann"}) ((some-fn :x) {})]
;=> ["Ann" "A" nil]

;; As a predicate it says "one of these".
(filter (some-fn zero? neg?) [3 0 -1 2])
;=> [0 -1]

;; `trampoline` calls on as long as functions come back: two functions that call each other without growing.
(letfn [(even-steps? [n] (if (zero? n) true #(odd-steps? (dec n))))
        (odd-steps? [n] (if (zero? n) false #(even-steps? (dec n))))]
  [(trampoline even-steps? 30000) (trampoline odd-steps? 30000)])
;=> [true false]

;; `trampoline` hands its arguments to the first function.
(trampoline (fn [a b] (fn [] (+ a b))) 1 2)
;=> 3

;; `memoize` remembers results: the second call with the same arguments does not compute.
(let [square (memoize (fn [n] (println "computing" n) (* n n)))]
  [(square 4) (square 4) (square 5)])
;=> [16 16 25]
;out> computing 4
;out> computing 5

;; A remembered nil is remembered.
(let [find-it (memoize (fn [k] (println "asked for" k) nil))]
  [(find-it :a) (find-it :a)])
;=> [nil nil]
;out> asked for :a

;; Fibonacci with a memory, through a definition.
(def fib (memoize (fn [n] (if (< n 2) n (+ (fib (- n 1)) (fib (- n 2)))))))
(fib 80)
;=> 23416728348467685

;; What is composed must be callable.
((comp inc 5) 1)
;!> not_callable 1:1 cannot call 5 (number): the function comes first, as in (+ 1 2)

;; `partial` of something that is no function.
((partial "text" 1) 2)
;!> not_callable 1:1 cannot call "text" (string): the function comes first, as in (+ 1 2)

;; Too many arguments reach the function as it is written.
(def add (fn [a b] (+ a b)))
((partial add 1 2) 3)
;!> arity_error 2:1 add: expected 2 arguments, got 3
