;; A vector is written in brackets; its elements are evaluated.
(let [x 2]
  [x (* x x) "text" [nil]])
;=> [2 4 "text" [nil]]

;; Three ways to an element: `get` and `nth` give nil outside, calling the vector does not.
(let [v [:a :b :c]]
  [(get v 1) (nth v 2) (v 0) (get v 7) (nth v 7 :none)])
;=> [:b :c :a nil :none]

;; Calling a vector with a position that it does not have.
(let [v [:a :b]]
  (v 2))
;!> argument_error 2:3 index 2 is outside a vector of length 2

;; `conj` adds at the end, `into` a whole collection.
[(conj [1 2] 3) (into [1] [2 3]) (conj [] [])]
;=> [[1 2 3] [1 2 3] [[]]]

;; `assoc` replaces an element; the position behind the last one appends.
[(assoc [1 2 3] 0 :x) (assoc [1 2] 2 3) (assoc [1 2 3] 0 :a 2 :c)]
;=> [[:x 2 3] [1 2 3] [:a 2 :c]]

;; Further out there is a gap, and that is an error.
(assoc [1 2] 5 :x)
;!> argument_error 1:1 assoc: index 5 is outside a vector of length 2

;; `update` changes an element in place; nested ones by a path.
[(update [1 2 3] 1 * 10) (update-in [[1 2] [3 4]] [1 0] inc) (assoc-in [[0 0] [0 0]] [0 1] :x)]
;=> [[1 20 3] [[1 2] [4 4]] [[0 :x] [0 0]]]

;; The element to be changed must be there.
(update [1 2] 7 inc)
;!> argument_error 1:1 update: index 7 is outside a vector of length 2

;; A vector never changes: every change is a new one.
(let [a [1 2 3]
      b (assoc a 0 9)
      c (pop b)]
  [a b c])
;=> [[1 2 3] [9 2 3] [9 2]]

;; `subvec`, `peek` and `pop` work at the end and in the middle.
(let [v [1 2 3 4 5]]
  [(subvec v 1 3) (peek v) (pop v)])
;=> [[2 3] 5 [1 2 3 4]]

;; Where is an element? `.indexOf` answers the position or -1.
[(.indexOf ["a" "b" "c"] "c") (.indexOf ["a"] "z")]
;=> [2 -1]

;; Positions of all matches.
(keep-indexed (fn [i x] (when (= x :hit) i)) [:hit :miss :hit])
;=> [0 2]

;; Vectors are compared by their elements; kinds of sequences do not matter, numbers by value.
[(= [1 2] (list 1 2)) (= [1 2] [1.0 2]) (= [1 2] [2 1]) (= [] nil)]
;=> [true true false false]

;; Two elements change places.
(let [swap (fn [v i j] (assoc v i (v j) j (v i)))]
  (swap [:a :b :c] 0 2))
;=> [:c :b :a]

;; A grid is a vector of vectors: `get-in` reads a cell, nil outside.
(let [grid [[1 2 3]
            [4 5 6]]
      neighbours (fn [r c] (keep #(get-in grid %) [[(dec r) c] [(inc r) c] [r (dec c)] [r (inc c)]]))]
  [(neighbours 0 0) (neighbours 1 1)])
;=> [[4 2] [2 4 6]]

;; Rows become columns.
(apply mapv vector [[1 2 3] [4 5 6]])
;=> [[1 4] [2 5] [3 6]]

;; A vector can be the key of a map, and of positions at that.
(let [board {[0 0] :x [1 1] :o}]
  (for [r (range 2)] (mapv (fn [c] (get board [r c] :_)) (range 2))))
;=> [[:x :_] [:_ :o]]

;; Destructuring takes elements by position, the rest and the whole.
(let [[a b & more :as all] [1 2 3 4]]
  [a b more (count all)])
;=> [1 2 [3 4] 4]

;; Binary search in a sorted vector, by positions.
(defn position-of [v x]
  (loop [low 0 high (dec (count v))]
    (when (<= low high)
      (let [mid (quot (+ low high) 2)
            found (nth v mid)]
        (cond
          (= found x) mid
          (< found x) (recur (inc mid) high)
          :else (recur low (dec mid)))))))
(map #(position-of [2 3 5 7 11 13] %) [7 2 13 4])
;=> [3 0 5 nil]

;; A long vector grows one by one without being copied each time.
(count (reduce conj [] (range 50000)))
;=> 50000
