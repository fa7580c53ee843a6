;; W5: running totals per customer by immutable update; answers how many there are, and one of them.
(let [totals (reduce (fn [totals order]
                       (update totals (:customer order) (fn [total] (+ (or total 0) (:amount order)))))
                     {}
                     data/orders)]
  [(count totals) (get totals "c42")])
