;; A vector built one by one.

;; reduce
(count (reduce (fn [out n] (conj out (inc n))) [] data/nums))

;; loop
(loop [left data/nums out []]
  (if (seq left) (recur (rest left) (conj out (inc (first left)))) (count out)))

;; atom
(let [out (atom [])]
  (doseq [n data/nums] (swap! out conj (inc n)))
  (count @out))

;; volatile
(let [out (volatile! [])]
  (doseq [n data/nums] (vreset! out (conj @out (inc n))))
  (count @out))

;; state
(count (:out (reduce (fn [state n] (update state :out conj (inc n))) {:out []} data/nums)))

;; state-as
(count (:out (reduce (fn [{:keys [out] :as state} n] (assoc state :out (conj out (inc n)))) {:out []} data/nums)))

;; into-one
(count (reduce (fn [out n] (into out [(inc n)])) [] data/nums))

;; concat
(count (reduce (fn [out n] (concat out [(inc n)])) [] data/nums))
