;; Every number goes through a queue once; those that end with 7 go through it twice.

;; vector
(loop [queue data/nums at 0 total 0]
  (if (< at (count queue))
    (let [n (nth queue at)]
      (recur (if (= 7 (mod n 10)) (conj queue (inc n)) queue) (inc at) (+ total n)))
    total))

;; rest-conj
(loop [queue (vec data/nums) total 0]
  (if-let [n (first queue)]
    (recur (let [left (subvec queue 1)] (if (= 7 (mod n 10)) (conj left (inc n)) left)) (+ total n))
    total))

;; concat
(loop [queue data/nums total 0]
  (if (seq queue)
    (let [n (first queue)]
      (recur (concat (rest queue) (if (= 7 (mod n 10)) [(inc n)] [])) (+ total n)))
    total))
