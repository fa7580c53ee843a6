;; A collection is emptied one by one.

;; keys
(loop [left (zipmap data/ids data/ids) total 0]
  (if (empty? left) total (let [k (first (keys left))] (recur (dissoc left k) (+ total k)))))

;; seq
(loop [left (zipmap data/ids data/ids) total 0]
  (if (seq left) (let [[k] (first left)] (recur (dissoc left k) (+ total k))) total))

;; set
(loop [left (set data/ids) total 0]
  (if (seq left) (let [k (first left)] (recur (disj left k) (+ total k))) total))

;; sorted-set
(loop [left (into (sorted-set) data/ids) total 0]
  (if-let [k (first left)] (recur (disj left k) (+ total k)) total))

;; rest
(loop [left data/ids total 0]
  (if (seq left) (recur (rest left) (+ total (first left))) total))

;; next-destructured
(loop [[k & more] data/ids total 0]
  (if k (recur more (+ total k)) total))

;; pop
(loop [left (vec data/ids) total 0]
  (if (empty? left) total (recur (pop left) (+ total (peek left)))))
