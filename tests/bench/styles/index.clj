;; The orders by their id.

;; into
(count (into {} (map (fn [order] [(:id order) order]) data/orders)))

;; juxt
(count (into {} (map (juxt :id identity)) data/orders))

;; zipmap
(count (zipmap (map :id data/orders) data/orders))

;; assoc
(count (reduce (fn [index order] (assoc index (:id order) order)) {} data/orders))

;; for
(count (into {} (for [{:keys [id] :as order} data/orders] [id order])))
