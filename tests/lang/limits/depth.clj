;; Deep things are ordinary as long as they stay within the depth of calls.

;; An error passes through thousands of handlers that do not want it.
(defn f [n]
  (if (zero? n)
    (throw (ex-info "deep" {}))
    (try (f (dec n)) (catch ArithmeticException e :no))))
(try (f 3000) (catch Exception e (ex-message e)))
;=> "deep"

;; Every `finally` on the way runs.
(def count-of-finally (atom 0))
(defn f [n]
  (if (zero? n)
    (throw (ex-info "deep" {}))
    (try (f (dec n)) (finally (swap! count-of-finally inc)))))
[(try (f 3000) (catch Exception e (ex-message e))) @count-of-finally]
;=> ["deep" 3000]

;; A long chain of causes can be walked.
(def e (reduce (fn [e i] (ex-info (str i) {} e)) (ex-info "root" {}) (range 5000)))
[(ex-message e)
 (loop [e e n 0] (if-let [cause (ex-cause e)] (recur cause (inc n)) [n (ex-message e)]))]
;=> ["4999" [5000 "root"]]

;; Functions made of functions made of functions.
[((reduce (fn [f _] (fn [x] (inc (f x)))) identity (range 5000)) 0)
 ((apply comp (repeat 5000 inc)) 0)]
;=> [5000 5000]

;; Delays that need each other, within the limit and beyond.
@(reduce (fn [d _] (delay (inc @d))) (delay 0) (range 3000))
;=> 3000
@(reduce (fn [d _] (delay (inc @d))) (delay 0) (range 30000))
;!> recursion_limit_exceeded 1:32 call depth exceeded 10000: end the recursion or use loop/recur

;; A delay that needs itself cannot have a value (L-29).
(def d (delay @d))
@d
;!> argument_error 1:15 a delay that depends on itself: its body needs its value

;; A long walk along a lazy sequence is not deep.
(loop [s (iterate inc 0) i 0]
  (if (< i 20000) (recur (rest s) (inc i)) (first s)))
;=> 20000

;; Recursion over a nested value goes as deep as the value.
(def nested (reduce (fn [inner _] [inner]) [] (range 400)))
(defn depth [v] (if (empty? v) 0 (inc (depth (first v)))))
(depth nested)
;=> 400

;; Printing ends where a value is nested too deep (L-22).
(def nested (reduce (fn [inner _] [inner]) [] (range 600)))
(count (str nested))
;=> 1027

;; Sequences that nobody holds any more cost nothing.
;- limits {:memory 2000000}
(loop [i 0 sum 0]
  (if (< i 20000) (recur (inc i) (+ sum (second (iterate inc i)))) sum))
;=> 200010000

;; Delays neither.
;- limits {:memory 2000000}
(loop [i 0 sum 0]
  (if (< i 5000) (recur (inc i) (+ sum @(delay (count (range 100))))) sum))
;=> 500000

;; A long name is only a text.
(count (name (symbol (str/join (repeat 10000 "x")))))
;=> 10000
