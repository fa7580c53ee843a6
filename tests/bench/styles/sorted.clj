;; The ids of the orders from the greatest to the least, by different comparators.

;; key
(first (map :id (sort-by (comp - :id) data/orders)))

;; comparator
(first (map :id (sort-by :id > data/orders)))

;; compare
(first (sort (fn [a b] (compare b a)) (map :id data/orders)))

;; literal
(:id (first (sort-by :id #(compare %2 %1) data/orders)))

;; juxt
(:id (last (sort-by (juxt :id :region) data/orders)))

;; reverse
(first (reverse (sort (map :id data/orders))))

;; max-key
(:id (apply max-key :id data/orders))

;; reduce
(reduce (fn [best order] (max best (:id order))) 0 data/orders)
