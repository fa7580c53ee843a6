;; How often the letter e stands in a text.

;; frequencies
(get (frequencies data/text) \e 0)

;; filter
(count (filter (fn [c] (= c \e)) data/text))

;; first-rest
(loop [left (seq data/text) found 0]
  (if (seq left) (recur (rest left) (if (= \e (first left)) (inc found) found)) found))

;; text-rest
(loop [left data/text found 0]
  (if (empty? left) found (recur (rest left) (if (= \e (first left)) (inc found) found))))

;; subs
(loop [at 0 found 0]
  (if (< at (count data/text)) (recur (inc at) (if (= "e" (subs data/text at (inc at))) (inc found) found)) found))

;; nth
(reduce (fn [found at] (if (= \e (nth data/text at)) (inc found) found)) 0 (range (count data/text)))
