;; A fold or loop carries several things at once; one of them counts the elements.

;; vector
(let [[out n] (reduce (fn [[out n] id] [(conj out id) (inc n)]) [[] 0] data/ids)] (count out))

;; vector-branches
(count (second (reduce (fn [[seen out] id] (if (seen id) [seen out] [(conj seen id) (conj out id)])) [#{} []] data/ids)))

;; map-destructured
(:n (reduce (fn [{:keys [out n]} id] {:out (conj out id) :n (inc n)}) {:out [] :n 0} data/ids))

;; map-as
(:n (reduce (fn [{:keys [out n] :as state} id] (assoc state :out (conj out id) :n (inc n))) {:out [] :n 0} data/ids))

;; map-threaded
(:n (reduce (fn [state id] (-> state (update :out conj id) (update :sum + id) (update :n inc))) {:out [] :sum 0 :n 0} data/ids))

;; map-conditional
(count (:all (reduce (fn [state id] (cond-> (update state :all conj id) (even? id) (update :even inc))) {:all [] :even 0} data/ids)))

;; map-nested
(:n (reduce (fn [state id] (-> state (update-in [:by (mod id 500)] (fnil conj []) id) (update :n inc))) {:by {} :n 0} data/ids))

;; loop-vector
(loop [[out n] [[] 0] ids data/ids]
  (if (seq ids) (recur [(conj out (first ids)) (+ n (first ids))] (rest ids)) (count out)))

;; loop-map
(loop [state {:queue data/ids :seen #{} :n 0}]
  (if-let [[id & more] (seq (:queue state))]
    (recur (-> state (assoc :queue more) (update :seen conj id) (update :n inc)))
    (count (:seen state))))

;; helper
(defn step [state id] (-> state (update :out conj id) (update :n inc)))
(:n (reduce step {:out [] :n 0} data/ids))

;; helper-pair
(defn step [out id] [(conj out id) (* 2 id)])
(count (loop [ids data/ids out []] (if (empty? ids) out (let [[out _] (step out (first ids))] (recur (rest ids) out)))))
