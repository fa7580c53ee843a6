;; An accumulator in an atom.
(let [seen (atom [])]
  (doseq [i (range data/n)]
    (swap! seen conj (* i i)))
  [(count @seen) (peek @seen)])
