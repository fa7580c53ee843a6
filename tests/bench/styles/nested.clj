;; The regions, each with the number of orders of each customer.

;; update-in
(count (reduce (fn [counts {:keys [region customer]}] (update-in counts [region customer] (fnil inc 0))) {} data/orders))

;; assoc-in
(count (reduce (fn [counts {:keys [region customer]}]
                 (assoc-in counts [region customer] (inc (get-in counts [region customer] 0))))
               {}
               data/orders))

;; update
(count (reduce (fn [counts order] (update counts (:region order) update (:customer order) (fnil inc 0))) {} data/orders))

;; frequencies
(count (group-by ffirst (frequencies (map (juxt :region :customer) data/orders))))

;; group
(count (update-vals (group-by :region data/orders) (fn [orders] (frequencies (map :customer orders)))))
