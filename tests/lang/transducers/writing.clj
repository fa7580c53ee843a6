;; A transducer takes a reducing function and answers another; this one doubles every element.
(defn doubling [step]
  (fn
    ([] (step))
    ([result] (step result))
    ([result x] (step (step result x) x))))
[(into [] doubling [1 2]) (transduce doubling + [1 2])]
;=> [[1 1 2 2] 6]

;; State lives in a volatile: the running maximum.
(defn running-max [step]
  (let [best (volatile! nil)]
    (fn
      ([] (step))
      ([result] (step result))
      ([result x]
       (vswap! best #(if (or (nil? %) (> x %)) x %))
       (step result @best)))))
(into [] running-max [3 1 4 1 5])
;=> [3 3 4 4 5]

;; The step of one argument runs at the end: something can be added there.
(defn with-total [step]
  (let [total (volatile! 0)]
    (fn
      ([] (step))
      ([result] (step (step result [:total @total])))
      ([result x] (vswap! total + x) (step result x)))))
(into [] with-total [5 6 7])
;=> [5 6 7 [:total 18]]

;; A step ends everything early by answering `reduced`.
(defn until [pred]
  (fn [step]
    (fn
      ([] (step))
      ([result] (step result))
      ([result x] (if (pred x) (reduced result) (step result x))))))
[(into [] (until neg?) [1 2 -3 4]) (transduce (until #(> % 3)) + (range))]
;=> [[1 2] 6]

;; `halt-when` ends everything with the element that was found.
[(transduce (halt-when neg?) conj [] [1 -2 3]) (transduce (halt-when neg?) conj [] [1 2])]
;=> [-2 [1 2]]

;; Its second function makes the answer of the result so far and the element.
(transduce (halt-when #(not (number? %)) (fn [result bad] {:sum result :bad bad}))
           + 0 [1 2 "x" 4])
;=> {:sum 3 :bad "x"}

;; `take` ends an endless source: what lies behind it is never made.
(let [made (atom 0)]
  [(into [] (comp (map (fn [n] (swap! made inc) n)) (take 3)) (range)) @made])
;=> [[0 1 2] 3]

;; Early ends reach through `cat`.
[(into [] (comp cat (take 3)) [[1 2] [3 4] [5]]) (transduce (comp (mapcat range) (take 4)) + [3 3 3])]
;=> [[1 2 3] 3]

;; Composition order: filtering first means the counter sees fewer elements.
(let [number (map-indexed (fn [i x] [i x]))]
  [(into [] (comp (filter odd?) number) [4 5 7]) (into [] (comp number (filter (fn [[_ x]] (odd? x)))) [4 5 7])])
;=> [[[0 5] [1 7]] [[1 5] [2 7]]]

;; One pipeline, many uses: a list, a sum, a text, a lookup table.
(let [clean (comp (map clojure.string/trim) (remove clojure.string/blank?) (keep parse-long))
      input [" 4" "x" "" "38 "]]
  [(into [] clean input)
   (transduce clean + input)
   (transduce (comp clean (interpose "+")) str input)
   (into {} (comp clean (map (juxt identity even?))) input)])
;=> [[4 38] 42 "4+38" {4 true 38 true}]

;; A reducing function by hand: the longest word through any pipeline.
(defn longest
  ([] "")
  ([best] best)
  ([best word] (if (> (count word) (count best)) word best)))
(transduce (filter #(clojure.string/starts-with? % "s")) longest ["sun" "strawberry" "star" "watermelons"])
;=> "strawberry"

;; An empty collection: `transduce` takes the function's own initial value and its end.
(transduce (map inc) (fn ([] :start) ([r] [r :end]) ([r x] x)) [])
;=> [:start :end]

;; A transducer is a function: it can be chosen by a condition; `identity` is the step that changes nothing.
(defn pick [only-open?] (into [] (comp (if only-open? (filter :open) identity) (map :id)) [{:id 1 :open true} {:id 2}]))
[(pick true) (pick false)]
;=> [[1] [1 2]]

;; An error inside of a step stops the whole, with the place of the step.
(into [] (map (fn [x] (/ 10 x)))
      [5 0 2])
;!> arithmetic_error 1:23 Divide by zero

;; A missing function for the end: the arity is told.
(transduce (map inc) (fn [acc x] (+ acc x)) 0 [1 2])
;!> arity_error 1:1 fn: expected 2 arguments, got 1

;; A window over the last elements, kept in a volatile.
(defn window [n]
  (fn [step]
    (let [last-ones (volatile! [])]
      (fn
        ([] (step))
        ([result] (step result))
        ([result x]
         (vswap! last-ones #(vec (take-last n (conj % x))))
         (if (= n (count @last-ones)) (step result @last-ones) result))))))
(into [] (comp (window 3) (map avg)) [3 6 9 12])
;=> [6.0 9.0]

;; `sequence` gives what was passed on before `halt-when` ended it; `into` gives what ended it.
[(sequence (halt-when odd?) [2 4 5 6]) (into [] (halt-when odd?) [2 4 5 6]) (sequence (comp (map inc) (halt-when #(> % 3))) (range))]
;=> [[2 4] 5 [1 2 3]]
(sequence (comp (partition-all 2) (take 2)) (range 7))
;=> [[0 1] [2 3]]
(sequence (comp (take 3) (partition-all 2)) (iterate inc 0))
;=> [[0 1] [2]]
