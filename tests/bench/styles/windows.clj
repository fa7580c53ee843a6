;; The sum of the differences between neighbours.

;; partition
(reduce + (map (fn [[a b]] (- b a)) (partition 2 1 data/nums)))

;; rest
(reduce + (map - (rest data/nums) data/nums))

;; nth
(reduce + (map (fn [at] (- (nth data/nums (inc at)) (nth data/nums at))) (range (dec (count data/nums)))))

;; loop
(loop [[a b & more] data/nums total 0]
  (if b (recur (cons b more) (+ total (- b a))) total))
