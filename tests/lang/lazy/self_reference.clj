;; A sequence may be defined by itself, as long as each element only needs earlier ones.
(def fibs (lazy-cat [0 1] (map + fibs (rest fibs))))
[(take 10 fibs) (nth fibs 90)]
;=> [[0 1 1 2 3 5 8 13 21 34] 2880067194370816120]

;; The same with `cons` and `lazy-seq`; numbers grow beyond 64 bits as needed.
(def fibs (cons 0 (cons 1 (lazy-seq (map + fibs (rest fibs))))))
(nth fibs 100)
;=> 354224848179261915075

;; Powers, each from the one before.
(def powers (lazy-seq (cons 1 (map #(* 2 %) powers))))
(take 6 powers)
;=> [1 2 4 8 16 32]

;; Numbers without other factors than 2, 3 and 5: three copies of itself, merged.
(defn merged [a b]
  (lazy-seq
    (let [x (first a) y (first b)]
      (cond
        (< x y) (cons x (merged (rest a) b))
        (> x y) (cons y (merged a (rest b)))
        :else (cons x (merged (rest a) (rest b)))))))
(def hamming
  (lazy-seq (cons 1 (merged (map #(* 2 %) hamming)
                            (merged (map #(* 3 %) hamming) (map #(* 5 %) hamming))))))
(take 12 hamming)
;=> [1 2 3 4 5 6 8 9 10 12 15 16]

;; Primes that are tested with the primes before them.
(def primes
  (lazy-seq (cons 2 (filter (fn [n] (not-any? #(zero? (rem n %)) (take-while #(<= (* % %) n) primes)))
                            (iterate inc 3)))))
(take 10 primes)
;=> [2 3 5 7 11 13 17 19 23 29]

;; Each prime adds a filter to the rest: many generators deep.
(defn sieve [xs]
  (lazy-seq (cons (first xs) (sieve (filter #(pos? (mod % (first xs))) (rest xs))))))
(nth (sieve (iterate inc 2)) 200)
;=> 1229

;; Two thousand layers of `map` over one generator.
(first (reduce (fn [xs _] (map inc xs)) (range) (range 2000)))
;=> 2000

;; Three thousand layers of `concat`.
(first (reduce (fn [xs x] (concat xs [x])) (lazy-seq [:start]) (range 3000)))
;=> :start

;; A long generator is walked without growing: fifty thousand elements.
(defn down [n] (lazy-seq (when (pos? n) (cons n (down (dec n))))))
(count (down 50000))
;=> 50000

;; Search in an endless world: the first right-angled triangle.
(first (for [c (iterate inc 1)
             b (range 1 c)
             a (range 1 b)
             :when (= (* c c) (+ (* a a) (* b b)))]
         [a b c]))
;=> [3 4 5]

;; An endless tree, from which only the beginning is taken.
(take 4 (tree-seq (constantly true) (fn [n] [(* 2 n) (inc (* 2 n))]) 1))
;=> [1 2 4 8]

;; Effects in a generator happen when its element is first asked for, and once.
(def counter (atom 0))
(def ticks (repeatedly #(swap! counter inc)))
[(take 3 ticks) (take 4 ticks) @counter]
;=> [[1 2 3] [1 2 3 4] 4]

;; An error leaves the element unmade: asking again tries again.
(let [tries (atom 0)
      xs (map (fn [x] (if (= 1 (swap! tries inc)) (throw (ex-info "busy" {})) x)) (iterate inc 1))]
  [(try (first xs) (catch Exception e (ex-message e)))
   (first xs)
   @tries])
;=> ["busy" 1 2]

;; `try` around a generator catches nothing: its elements are made later.
(let [xs (try (map #(/ 10 %) (iterate dec 1)) (catch Exception e :caught))]
  [(first xs) (try (second xs) (catch Exception e :later))])
;=> [10 :later]

;; `doall` makes the elements inside of the `try`.
(try
  (doall (map #(/ 10 %) (take-while (complement neg?) (iterate dec 1))))
  (catch ArithmeticException e (ex-message e)))
;=> "Divide by zero"

;; `dorun` does too, and forgets the elements.
(try
  (dorun (map #(println (/ 10 %)) (take-while (complement neg?) (iterate dec 2))))
  (catch ArithmeticException e :stopped))
;=> :stopped
;out> 5
;out> 10

;; A generator that ends is a sequence like any other: sorted, counted, printed, used as a key.
(let [xs (take-while #(< % 3) (range))]
  [(sort > xs) (count xs) (str xs) (get {[0 1 2] :hit} xs) (reverse xs)])
;=> [[2 1 0] 3 "[0 1 2]" :hit [2 1 0]]

;; `empty?` and `seq` of an endless sequence look at one element.
[(empty? (range)) (some? (seq (cycle [1]))) (boolean (not-empty (iterate inc 0)))]
;=> [false true true]

;; An `eduction` is a generator as well: its steps run once for each element, however often it is folded.
(let [runs (atom 0)
      xs (eduction (map (fn [x] (swap! runs inc) (* x x))) [1 2 3])]
  [(reduce + xs) (reduce max xs) @runs])
;=> [14 9 3]

;; A body of `lazy-seq` that is no sequence.
(first (lazy-seq 5))
;!> type_error 1:1 lazy-seq: the body must give a sequence, got number
