;; A vector of which every version is kept alive.
(let [versions (reduce (fn [versions i] (conj versions (conj (peek versions) i))) [[]] (range data/n))]
  [(count versions) (reduce + (peek versions))])
