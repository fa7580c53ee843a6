;; The first order above an amount that the second one in ten has; the rest need not be looked at, but may.

;; first-filter
(:id (first (filter (fn [order] (> (:id order) 20)) data/orders)))

;; filter-first-threaded
(->> data/orders (map :id) (filter (fn [id] (> id 20))) first)

;; some
(some (fn [order] (when (> (:id order) 20) (:id order))) data/orders)

;; reduced
(reduce (fn [_ order] (if (> (:id order) 20) (reduced (:id order)) nil)) nil data/orders)

;; loop
(loop [orders data/orders]
  (when-let [[order & more] (seq orders)]
    (if (> (:id order) 20) (:id order) (recur more))))
