;; Chance: the numbers come from a seed that the host gives, so that a run can be repeated.

;; `rand` answers a float from 0 up to 1, or up to its argument.
(let [xs (repeatedly 100 rand) ys (repeatedly 100 #(rand 10))]
  [(every? #(and (float? %) (<= 0 %) (< % 1)) xs)
   (every? #(< -1 % 10) ys)
   (some #(> % 1) ys)
   (count (distinct xs))])
;=> [true true true 100]

;; Nothing is below 0.
(rand 0)
;=> 0.0

;; `math/random` is `rand` without an argument.
(let [xs (repeatedly 50 math/random)]
  [(every? #(<= 0 % 1) xs) (every? double? xs) (> (count (distinct xs)) 40)])
;=> [true true true]

;; A coin that falls unevenly.
(let [throws (repeatedly 1000 #(if (< (math/random) 0.8) :heads :tails)) counts (frequencies throws)]
  [(> (:heads counts) (:tails counts)) (reduce + (vals counts))])
;=> [true 1000]

;; `rand-int` answers an integer from 0 up to, not including, its argument.
(let [throws (repeatedly 200 #(inc (rand-int 6)))]
  [(every? int? throws) (sort (distinct throws)) (rand-int 1)])
;=> [true [1 2 3 4 5 6] 0]

;; Two dice: every sum occurs.
(defn throw-two [] (+ 2 (rand-int 6) (rand-int 6)))
(sort (distinct (repeatedly 500 throw-two)))
;=> [2 3 4 5 6 7 8 9 10 11 12]

;; `rand-nth` picks one element.
(let [colours [:red :green :blue]]
  [(every? (set colours) (repeatedly 30 #(rand-nth colours)))
   (count (distinct (repeatedly 60 #(rand-nth colours))))
   (rand-nth [7])])
;=> [true 3 7]

;; Of nothing it picks nil.
[(rand-nth []) (rand-nth nil)]
;=> [nil nil]

;; `shuffle` keeps the elements and answers a vector.
(let [cards (range 20) mixed (shuffle cards)]
  [(vector? mixed) (= (sort mixed) cards) (= mixed cards)])
;=> [true true false]

;; Teams drawn by lot.
(let [[a b] (partition 2 (shuffle ["Ada" "Bob" "Cy" "Di"]))]
  [(count a) (count b) (empty? (filter (set a) b))])
;=> [2 2 true]

;; Nothing to mix.
[(shuffle []) (shuffle #{1})]
;=> [[] [1]]

;; `random-sample` keeps each element with a probability: 0 none, 1 all.
[(random-sample 0 (range 5)) (random-sample 1 (range 5)) (random-sample 0.5 [])]
;=> [[] [0 1 2 3 4] []]

;; In between about that share, in order.
(let [kept (random-sample 0.3 (range 1000))]
  [(< 200 (count kept) 400) (= kept (sort kept)) (count (into [] (random-sample 1) [1 2]))])
;=> [true true 2]

;; `random-uuid` answers a new UUID every time.
(let [ids (repeatedly 20 random-uuid)]
  [(every? uuid? ids) (count (distinct ids)) (count (str (first ids)))])
;=> [true 20 36]

;; It is of version 4, and can be read back.
(let [id (random-uuid)]
  [(subs (str id) 14 15) (= id (parse-uuid (str id)))])
;=> ["4" true]

;; A bound is a number.
(rand-int "6")
;!> type_error 1:1 rand-int: expected a number, got string

;; `rand-nth` needs a collection.
(rand-nth 5)
;!> type_error 1:1 rand-nth: expected a collection, got number

;; `shuffle` as well.
(shuffle 5)
;!> type_error 1:1 shuffle: expected a collection, got number

;; `rand` takes at most one bound.
(rand 1 6)
;!> arity_error 1:1 rand: expected 0 or 1 arguments, got 2

;; A walk of a hundred steps to the left or right ends within a hundred, at an even place.
(let [end (reduce + (repeatedly 100 #(rand-nth [-1 1])))]
  [(<= -100 end 100) (even? end)])
;=> [true true]

;; The area of a circle, by points thrown at the square around it.
(let [inside (count (filter (fn [[x y]] (< (+ (* x x) (* y y)) 1)) (repeatedly 2000 (fn [] [(rand) (rand)]))))]
  (< 2.9 (/ (* 4 inside) 2000) 3.4))
;=> true

;; A name for a test that is not taken yet.
(defn fresh [taken] (first (remove taken (repeatedly #(str "item-" (rand-int 10))))))
(contains? #{"item-3" "item-7"} (fresh (set (remove #{"item-3" "item-7"} (map #(str "item-" %) (range 10))))))
;=> true

;; A choice by weight.
(defn pick [weights]
  (loop [left (rand (reduce + (vals weights))) [[item w] & more] (seq weights)]
    (if (or (empty? more) (< left w)) item (recur (- left w) more))))
(let [picks (frequencies (repeatedly 400 #(pick {:rare 1 :common 9})))]
  (> (:common picks) (:rare picks 0)))
;=> true
