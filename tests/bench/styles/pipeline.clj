;; The sum of the doubled ids of paid orders.

;; threaded
(->> data/orders (filter (fn [order] (= "paid" (:status order)))) (map :id) (map (fn [id] (* 2 id))) (reduce +))

;; transduce
(transduce (comp (filter (fn [order] (= "paid" (:status order)))) (map :id) (map (fn [id] (* 2 id)))) + 0 data/orders)

;; into-xf
(reduce + (into [] (comp (filter (fn [order] (= "paid" (:status order)))) (map (fn [order] (* 2 (:id order))))) data/orders))

;; eduction
(reduce + (eduction (filter (fn [order] (= "paid" (:status order)))) (map (fn [order] (* 2 (:id order)))) data/orders))

;; for
(reduce + (for [order data/orders :when (= "paid" (:status order))] (* 2 (:id order))))

;; loop
(loop [orders data/orders total 0]
  (if (empty? orders)
    total
    (let [{:keys [status id]} (first orders)]
      (recur (rest orders) (if (= "paid" status) (+ total (* 2 id)) total)))))
