;; The words from the last to the first.

;; reverse
(first (reverse data/words))

;; cons
(first (reduce (fn [done word] (cons word done)) nil data/words))

;; list-star
(first (reduce (fn [done word] (list* word done)) nil data/words))

;; concat
(first (reduce (fn [done word] (concat [word] done)) [] data/words))

;; into-front
(first (reduce (fn [done word] (into [word] done)) [] data/words))

;; loop
(loop [left data/words done ()]
  (if (seq left) (recur (rest left) (cons (first left) done)) (first done)))
