;; W6: join orders with customers, make a record of each, and take the ten largest.
(let [customers (into {} (map (juxt :id identity)) data/customers)]
  (->> data/orders
       (map (fn [order]
              {:id (:id order)
               :tier (:tier (get customers (:customer order)))
               :total (reduce + (map (fn [item] (* (:qty item) (:price item))) (:items order)))}))
       (sort-by :total >)
       (take 10)))
