;; How often a letter beyond ASCII stands in a text.

;; filter
(count (filter (fn [c] (= c \é)) data/unicode))

;; subs
(loop [at 0 found 0]
  (if (< at (count data/unicode)) (recur (inc at) (if (= "é" (subs data/unicode at (inc at))) (inc found) found)) found))

;; nth
(reduce (fn [found at] (if (= \é (nth data/unicode at)) (inc found) found)) 0 (range (count data/unicode)))
