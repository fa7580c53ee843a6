;; A stuck loop stops at the fuel limit; what it printed is kept.
;- limits {:fuel 1000}
(println "go")
(loop [] (recur))
;out> go
;!> fuel_exceeded 2:10 stopped after 1000 steps: the program loops too long; work on less data or end the loop

;; Work inside builtins counts, element by element.
;- limits {:fuel 1000}
(reduce + (range 100000))
;!> fuel_exceeded 1:11 stopped after 1000 steps: a range with an end makes all its numbers at once, here 100000; use loop with a counter, or (iterate inc 0), which makes only those that are taken

;; Enough fuel is not felt.
;- limits {:fuel 1000}
(reduce + (range 100))
;=> 4950

;; Endless recursion ends at the depth limit, by an error (L-7).
;- limits {:depth 100}
(defn down [n] (+ 1 (down (inc n))))
(down 0)
;!> recursion_limit_exceeded 1:21 call depth exceeded 100: end the recursion or use loop/recur

;; Recursion within the limit is fine.
;- limits {:depth 100}
(defn sum-to [n] (if (zero? n) 0 (+ n (sum-to (dec n)))))
(sum-to 90)
;=> 4095

;; `recur` does not nest.
;- limits {:depth 10}
(loop [n 0] (if (< n 5000) (recur (inc n)) n))
;=> 5000

;; The default depth is 10,000 calls.
(defn forever [n] (inc (forever n)))
(forever 0)
;!> recursion_limit_exceeded 1:24 call depth exceeded 10000: end the recursion or use loop/recur

;; Callbacks nest as well.
;- limits {:depth 50}
(defn walk-down [x] (map walk-down [x]))
(walk-down 1)
;!> recursion_limit_exceeded 1:21 call depth exceeded 50: end the recursion or use loop/recur

;; Large values end at the memory limit before they are made.
;- limits {:memory 100000}
(count (vec (range 100000)))
;!> memory_exceeded 1:13 memory limit of 100000 bytes exceeded: a range with an end makes all its numbers at once, here 100000; use loop with a counter, or (iterate inc 0), which makes only those that are taken

;; Text counts, too.
;- limits {:memory 100000}
(loop [s "x"] (recur (str s s)))
;!> memory_exceeded 1:22 memory limit of 100000 bytes exceeded: keep counts and samples instead of whole collections

;; What is no longer used does not count.
;- limits {:memory 100000}
(loop [i 0] (let [v (vec (range 100))] (if (< i 1000) (recur (inc i)) (count v))))
;=> 100

;; A growing definition counts over turns.
;- limits {:memory 150000}
(def a (vec (range 4000)))
;=> #'a
(def b (vec (range 4000)))
(def c (vec (range 4000)))
(count (concat a b c))
;!> memory_exceeded …
(count a)
;=> 4000

;; The time limit ends what fuel would let run.
;- limits {:time-ms 30 :fuel 1000000000}
(loop [i 0] (recur (inc i)))
;!> timeout …

;; A sequence without end cannot be counted.
;- limits {:fuel 5000}
(count (iterate inc 1))
;!> fuel_exceeded 1:1 stopped after 5000 steps: all of a lazy sequence was asked for; if it has no end, write (take n coll)

;; A big number is charged by its size.
;- limits {:fuel 100000}
(loop [n 2] (recur (* n n)))
;!> fuel_exceeded 1:20 stopped after 100000 steps: the program loops too long; work on less data or end the loop

;; Limits pass through every `catch`.
;- limits {:depth 100}
(defn down [n] (inc (down n)))
(try (down 0) (catch Throwable e :caught))
;!> recursion_limit_exceeded 1:21 call depth exceeded 100: end the recursion or use loop/recur

;; The text of a program has a limit.
;- limits {:source-bytes 20}
(println "a rather long program")
;!> parse_error 1:1 the program is 34 bytes long, the limit is 20 bytes

;; The number of distinct names has one, too.
;- limits {:symbols 3}
(let [a 1 b 2 c 3 d 4] (+ a b c d))
;!> symbol_limit_exceeded 5 distinct names used, the limit is 3

;; Names at the limit are fine; literals and builtin forms do not count.
;- limits {:symbols 3}
(let [a 1 b 2] (if a b "text"))
;=> 2

;; After a limit the session goes on with what was there before.
;- limits {:fuel 500}
(def kept 1)
;=> #'kept
(def kept 2)
(loop [] (recur))
;!> fuel_exceeded 2:10 stopped after 500 steps: the program loops too long; work on less data or end the loop
kept
;=> 1

;; Forms may be nested 200 deep.
[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]
;!> parse_error 1:201 forms nested deeper than 200

;; A long chain of steps is no deep nesting.
(-> 0 inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc inc )
;=> 260

;; `recur` in a function is bounded by fuel alone.
;- limits {:fuel 500}
(defn spin [n] (recur (inc n)))
(spin 0)
;!> fuel_exceeded 1:16 stopped after 500 steps: the program loops too long; work on less data or end the loop

;; One large text is refused before it is made.
;- limits {:memory 10000}
(def s (str/join (repeat 20000 "x")))
;!> memory_exceeded 1:18 memory limit of 10000 bytes exceeded: keep counts and samples instead of whole collections

;; `finally` does not run for limits (L-35).
;- limits {:depth 20}
(defn f [n] (try (f (inc n)) (finally (println "never"))))
(f 0)
;!> recursion_limit_exceeded 1:18 call depth exceeded 20: end the recursion or use loop/recur

;; A printed line is cut where it gets too long.
(println (str/join (repeat 3000 "x")))
;=> nil
;out> xxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…

;; A value that shares its parts keeps sharing them when the sequences inside are realised.
;- limits {:memory 2000000}
(let [g (take-while #(< % 3) (iterate inc 1))
      shared (loop [v [g] i 0] (if (< i 40) (recur {:a v :b v} (inc i)) v))]
  [(contains? #{1} shared) (get-in shared (repeat 40 :a))])
;=> [false [[1 2]]]
