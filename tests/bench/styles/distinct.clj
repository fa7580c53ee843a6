;; How many words there are.

;; distinct
(count (distinct data/words))

;; set
(count (set data/words))

;; pair
(count (second (reduce (fn [[seen out] word] (if (contains? seen word) [seen out] [(conj seen word) (conj out word)])) [#{} []] data/words)))

;; map
(count (:out (reduce (fn [{:keys [seen] :as state} word]
                       (if (seen word) state (-> state (update :seen conj word) (update :out conj word))))
                     {:seen #{} :out []}
                     data/words)))

;; loop
(loop [words data/words seen #{} out []]
  (if (empty? words)
    (count out)
    (let [word (first words)]
      (if (seen word) (recur (rest words) seen out) (recur (rest words) (conj seen word) (conj out word))))))

;; union
(count (reduce (fn [seen word] (set/union seen #{word})) #{} data/words))
