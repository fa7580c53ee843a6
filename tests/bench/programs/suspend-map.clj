;; W8: every element waits for the host, one after the other.
(reduce + (map (fn [i] (tool/echo {:value i})) (range 1000)))
