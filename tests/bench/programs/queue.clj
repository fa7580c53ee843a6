;; A map as a queue: take the oldest entry until none is left.
(loop [queue (into {} (map (fn [i] [i (* 2 i)])) (range data/n))
       sum 0]
  (if-let [[key value] (first queue)]
    (recur (dissoc queue key) (+ sum value))
    sum))
