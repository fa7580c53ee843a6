;; A delay runs its body at most once, when it is asked.
(def report (delay (println "working") 42))
(println "defined")
[@report (force report) (deref report)]
;=> [42 42 42]
;out> defined
;out> working

;; A delay nobody asks never runs.
(let [d (delay (println "never"))] (delay? d))
;=> true

;; `force` gives anything that is no delay as it is.
[(force 5) (force nil) (force (delay :late))]
;=> [5 nil :late]

;; Choose between computing and not computing with `force`.
(defn pick [flag a b] (if flag (force a) (force b)))
(pick true (delay (do (println "a") 1)) (delay (do (println "b") 2)))
;=> 1
;out> a

;; `delay?` tells delays from values.
(map delay? [(delay 1) 1 nil (atom 1)])
;=> [true false false false]

;; `realized?` says whether a delay has run.
(let [d (delay (+ 1 2))]
  [(realized? d) @d (realized? d)])
;=> [false 3 true]

;; A delay that fails fails every time it is asked.
(def broken (delay (throw (ex-info "no data" {}))))
(defn ask [] (try @broken (catch Exception e (ex-message e))))
[(ask) (ask)]
;=> ["no data" "no data"]

;; A delay prints what is known of it.
(let [d (delay 1)] [(str d) (do @d (str d))])
;=> ["#<delay>" "#<delay 1>"]

;; A body of several forms, and an empty one.
[@(delay (println "x") 1) @(delay)]
;=> [1 nil]
;out> x

;; A delay in a definition keeps its value for the next turn.
(def expensive (delay (println "once") 7))
(+ @expensive 1)
;=> 8
;out> once
(+ @expensive 2)
;=> 9

;; `lazy-seq` describes an endless sequence by itself.
(defn countdown-from [n] (lazy-seq (cons n (countdown-from (dec n)))))
(take 4 (countdown-from 2))
;=> [2 1 0 -1]

;; Its body runs only as far as elements are asked for, and only once.
(defn noisy [n] (lazy-seq (println "making" n) (cons n (noisy (inc n)))))
(def numbers (noisy 1))
(println "defined")
[(first numbers) (first numbers) (take 2 numbers)]
;=> [1 1 [1 2]]
;out> defined
;out> making 1
;out> making 2

;; nil ends a lazy sequence.
(defn digits [n] (lazy-seq (when (pos? n) (cons (mod n 10) (digits (quot n 10))))))
[(digits 1203) (digits 0)]
;=> [[3 0 2 1] []]

;; The sieve of Eratosthenes, as in the textbooks.
(defn sieve [[p & more]]
  (lazy-seq (cons p (sieve (remove #(zero? (mod % p)) more)))))
(take 8 (sieve (iterate inc 2)))
;=> [2 3 5 7 11 13 17 19]

;; `lazy-cat` joins without computing the later parts.
(defn rest-of-page [] (println "fetching") [4 5])
(take 2 (lazy-cat [1 2 3] (rest-of-page)))
;=> [1 2]

;; `lazy-cat` may refer to itself: the Fibonacci numbers.
(def fibs (lazy-cat [0 1] (map + fibs (rest fibs))))
(take 10 fibs)
;=> [0 1 1 2 3 5 8 13 21 34]

;; `lazy-cat` of several finished parts is their concatenation.
[(lazy-cat [1] nil [2 3]) (lazy-cat)]
;=> [[1 2 3] []]

;; A lazy sequence is a sequence, but no vector and not counted in advance (L-30).
(let [s (lazy-seq [1 2])]
  [(seq? s) (sequential? s) (coll? s) (vector? s) (counted? s)])
;=> [true true true false false]

;; `realized?` asks without forcing.
(let [s (lazy-seq [1])]
  [(realized? s) (first s) (realized? s)])
;=> [false 1 true]

;; An empty body is an empty sequence.
[(lazy-seq) (seq (lazy-seq nil)) (count (lazy-seq))]
;=> [[] nil 0]

;; Printing an endless sequence ends at a limit, not in a hang.
;- limits {:fuel 100000}
(println (lazy-cat [1] (range)))
;!> fuel_exceeded 1:1 stopped after 100000 steps: all of a lazy sequence was asked for; if it has no end, write (take n coll)

;; A sequence that needs itself to begin is an error (L-29).
(def knot (lazy-seq (rest knot)))
(first knot)
;!> argument_error 1:21 a sequence that depends on itself: its next element needs that element

;; An error leaves the sequence as it was; it can be asked again (L-29).
(def tries (atom 0))
(def shaky (lazy-seq (if (< (swap! tries inc) 2) (throw (ex-info "not yet" {})) [:ok])))
[(try (first shaky) (catch Exception e (ex-message e))) (first shaky)]
;=> ["not yet" :ok]
