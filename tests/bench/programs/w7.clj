;; W7: text: write a line, split it again, and search the pieces.
(let [line (str/join "," (map (fn [order] (str (:id order) ":" (:customer order) ":" (:amount order))) data/orders))]
  (count (filter (fn [piece] (str/includes? piece "c42")) (str/split line #","))))
