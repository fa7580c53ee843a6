;; W4: a loop, and nothing else.
(loop [i 1
       sum 0]
  (if (<= i 1000000)
    (recur (inc i) (+ sum i))
    sum))
