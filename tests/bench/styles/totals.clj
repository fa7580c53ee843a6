;; The sum of the amounts for each customer, in cents.

;; fn
(count (reduce (fn [totals order] (update totals (:customer order) (fn [total] (+ (or total 0) (:id order))))) {} data/orders))

;; fnil
(count (reduce (fn [totals order] (update totals (:customer order) (fnil + 0) (:id order))) {} data/orders))

;; assoc-get
(count (reduce (fn [totals {:keys [customer id]}] (assoc totals customer (+ id (get totals customer 0)))) {} data/orders))

;; update-in
(count (:by (reduce (fn [state order] (update-in state [:by (:customer order)] (fnil + 0) (:id order))) {} data/orders)))

;; merge-with
(count (apply merge-with + (map (fn [order] {(:customer order) (:id order)}) data/orders)))

;; merge-step
(count (reduce (fn [totals order] (merge-with + totals {(:customer order) (:id order)})) {} data/orders))

;; group-by
(count (into {} (for [[customer orders] (group-by :customer data/orders)] [customer (reduce + (map :id orders))])))

;; atom
(let [totals (atom {})]
  (doseq [order data/orders] (swap! totals update (:customer order) (fnil + 0) (:id order)))
  (count @totals))

;; loop
(loop [orders (seq data/orders) totals {}]
  (if orders
    (let [order (first orders)]
      (recur (next orders) (assoc totals (:customer order) (+ (get totals (:customer order) 0) (:id order)))))
    (count totals)))
