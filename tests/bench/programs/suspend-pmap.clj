;; W8: every element waits for the host, all of them together.
(reduce + (pmap (fn [i] (tool/echo {:value i})) (range 1000)))
