;; `map` and its relatives stay lazy over an endless sequence.
(->> (range)
     (filter odd?)
     (map #(* % %))
     (remove #(zero? (mod % 3)))
     (take 4))
;=> [1 25 49 121]

;; Over a finished vector they run at once: the line is printed although the result is not used.
(let [unused (map println [1 2])]
  :done)
;=> :done
;out> 1
;out> 2

;; Over a generator nothing runs until an element is asked for.
(let [xs (map (fn [n] (println "making" n) n) (iterate inc 1))]
  (println "nothing made yet")
  (first xs))
;=> 1
;out> nothing made yet
;out> making 1

;; What was made is remembered, so effects happen once.
(let [xs (map (fn [n] (println "making" n) n) (iterate inc 1))]
  [(first xs) (first xs)])
;=> [1 1]
;out> making 1

;; `take` is eager: it makes what it takes.
(let [two (take 2 (map (fn [n] (println "making" n) n) (range)))]
  (println "taken")
  two)
;=> [0 1]
;out> making 0
;out> making 1
;out> taken

;; `rest`, `next` and `drop` of an endless sequence are endless.
[(first (rest (range))) (first (next (cycle [1 2]))) (first (drop 1000 (range)))]
;=> [1 2 1000]

;; `cons` and `concat` keep the endless part lazy.
[(take 3 (cons :zero (iterate inc 1))) (take 4 (concat [:a :b] (range)))]
;=> [[:zero 1 2] [:a :b 0 1]]

;; Groups, pairs and steps of endless sequences.
[(take 2 (partition 3 (range)))
 (take 2 (partition-all 2 1 (range)))
 (take 2 (partition-by #(quot % 3) (range)))
 (take 3 (take-nth 10 (range)))]
;=> [[[0 1 2] [3 4 5]] [[0 1] [1 2]] [[0 1 2] [3 4 5]] [0 10 20]]

;; Padding takes from an endless sequence what the last group lacks.
[(partition 3 3 (repeat nil) [1 2 3 4]) (partition 2 2 (range) [:a]) (take 2 (partition 2 2 (repeat 0) (range)))]
;=> [[[1 2 3] [4 nil nil]] [[:a 0]] [[0 1] [2 3]]]

;; `drop-last`, `replace` and `flatten` of an endless sequence are endless.
[(take 2 (drop-last 3 (range))) (take 3 (replace {1 :one} (range))) (take 5 (flatten (repeat [1 [2 3]])))]
;=> [[0 1] [0 :one 2] [1 2 3 1 2]]
(let [few (take-while #(< % 4) (range))]
  [(drop-last few) (drop-last 9 few) (replace {0 nil} few) (flatten (map #(vector % [%]) few))])
;=> [[0 1 2] [] [nil 1 2 3] [0 0 1 1 2 2 3 3]]

;; `sequence` takes several endless sequences.
(take 3 (sequence (map +) (range) (range 10 100) (repeat 100)))
;=> [110 112 114]
(sequence (comp (map vector) (take 2)) (range) "ab" (cycle [:x :y]))
;=> [[0 "a" :x] [1 "b" :y]]

;; Weaving endless sequences.
[(take 4 (interleave (range) (cycle [:a :b])))
 (take 5 (interpose :and (range)))
 (take 4 (mapcat #(repeat % %) (range)))
 (take 3 (map-indexed vector (cycle ["x" "y"])))]
;=> [[0 :a 1 :b] [0 :and 1 :and 2] [1 2 2 3] [[0 "x"] [1 "y"] [2 "x"]]]

;; `keep`, `keep-indexed`, `distinct` and `dedupe` are lazy as well.
[(take 2 (keep #(when (> % 5) (* 10 %)) (range)))
 (take 2 (keep-indexed #(when (even? %1) %2) (iterate dec 0)))
 (take 3 (distinct (map #(mod % 3) (range))))
 (take 3 (dedupe (map #(quot % 4) (range))))]
;=> [[60 70] [0 -2] [0 1 2] [0 1 2]]

;; Running totals of an endless sequence.
(take-while #(< % 20) (reductions + (iterate inc 1)))
;=> [1 3 6 10 15]

;; `for` over an endless sequence is ended by `:while` or by `take`.
[(for [n (range) :while (< (* n n) 20)] (* n n))
 (take 3 (for [n (range) :when (odd? n)] n))]
;=> [[0 1 4 9 16] [1 3 5]]

;; `some` and `every?` stop at the first answer.
[(some #(when (> (* % %) 200) %) (range)) (every? #(< % 50) (range))]
;=> [15 false]

;; `split-with` cuts an endless sequence.
(let [[small large] (split-with #(< % 3) (range))]
  [small (take 2 large)])
;=> [[0 1 2] [3 4]]

;; `realized?` tells whether a generator has begun; asking does not begin it.
(let [xs (map inc (range))
      before (realized? xs)]
  [before (first xs) (realized? xs)])
;=> [false 1 true]

;; `realized?` of a `lazy-seq`.
(let [xs (lazy-seq [1 2])]
  [(realized? xs) (count xs) (realized? xs)])
;=> [false 2 true]

;; `doall` makes everything at once and answers the sequence.
(let [xs (doall (map (fn [n] (println "made" n) n) (take 2 (range))))]
  (println "then")
  xs)
;=> [0 1]
;out> made 0
;out> made 1
;out> then

;; `dorun` is for the effects only: it answers nil.
[(dorun (map println ["a" "b"])) (dorun nil)]
;=> [nil nil]
;out> a
;out> b

;; A generator can be destructured: only what is named is made.
(let [[a b & more] (range)]
  [a b (first more)])
;=> [0 1 2]

;; Two generators or a generator and a vector are equal by their elements.
(= (take 3 (range)) [0 1 2] (lazy-seq [0 1 2]))
;=> true

;; A generator is a sequence, but no vector: nobody knows its size.
(let [xs (map inc (range))]
  [(seq? xs) (sequential? xs) (coll? xs) (vector? xs) (counted? xs) (indexed? xs)])
;=> [true true true false false false]

;; A definition may keep an endless sequence for later turns.
(def odds (filter odd? (range)))
(take 3 odds)
;=> [1 3 5]
(nth odds 100)
;=> 201

;; An endless sequence as the answer of a program has no end: the limit on fuel stops it.
;- limits {:fuel 10000}
(map inc (range))
;!> fuel_exceeded 1:1 stopped after 10000 steps…

;; Counting an endless sequence stops there too.
;- limits {:fuel 10000}
(count (range))
;!> fuel_exceeded 1:1 stopped after 10000 steps: all of a lazy sequence was asked for; if it has no end, write (take n coll)

;; So does adding up all of it.
;- limits {:fuel 10000}
(reduce + (range))
;!> fuel_exceeded 1:1 stopped after 10000 steps: all of a lazy sequence was asked for; if it has no end, write (take n coll)

;; A range with an end is made at once; one that is too long says what is made step by step.
;- limits {:memory 100000}
(first (filter odd? (range 1 1000000 3)))
;!> memory_exceeded 1:21 memory limit of 100000 bytes exceeded: a range with an end makes all its numbers at once, here 333333; use loop with a counter, or (iterate #(+ % 3) 1), which makes only those that are taken

;; A sequence that needs itself for its first element cannot be made.
(def xs (lazy-seq (cons (first xs) [1])))
(first xs)
;!> argument_error 1:25 a sequence that depends on itself: its next element needs that element

;; An error while making an element is told where it happens, and only when the element is asked for.
(let [xs (map #(/ 12 %) (iterate dec 2))]
  (println (take 2 xs))
  (take 3 xs))
;out> [6 12]
;!> arithmetic_error 1:15 Divide by zero

;; Nothing is made that is not needed: of an endless sequence, exactly the elements up to the answer.
(let [made (atom 0)
      numbers (fn [] (reset! made 0) (map (fn [n] (swap! made inc) n) (iterate inc 1)))
      needs (fn [f] (f (numbers)) @made)]
  (map needs [#(first (filter even? %)) #(nth % 5) #(into [] (take 4) %) #(some #{7} %) empty? #(first (rest (rest %)))]))
;=> [2 6 4 7 1 3]
