;; Text that grows by one piece after the other.
(count (reduce str "" (map (fn [i] (str "<" (mod i 10) ">")) (range data/n))))
