;; W2: what was paid above 100, per region.
(->> data/orders
     (filter (fn [order] (and (> (:amount order) 100) (= (:status order) "paid"))))
     (group-by :region)
     (map (fn [[region orders]]
            {:region region
             :count (count orders)
             :sum (reduce + (map :amount orders))}))
     (sort-by :region))
