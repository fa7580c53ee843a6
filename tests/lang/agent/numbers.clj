;; Readings with gaps: the mean of what is there, and where the gaps are.
;- data {:readings [3.5 nil 4.0 4.5 nil nil 6.0]}
(def known (remove nil? data/readings))
(def gaps (keep-indexed (fn [i x] (when (nil? x) i)) data/readings))

(defn mean [xs]
  (when (seq xs)
    (/ (reduce + xs) (count xs))))

(println "gaps at" (str/join " " gaps))
{:mean (mean known)
 :gaps (vec gaps)
 :range [(apply min known) (apply max known)]}
;=> {:mean 4.5 :gaps [1 4 5] :range [3.5 6.0]}
;out> gaps at 1 4 5

;; A loan paid back month by month.
(defn payments [debt rate payment]
  (loop [month 1
         debt debt
         paid 0]
    (let [due (+ debt (* debt rate))]
      (if (<= due payment)
        {:months month :paid (round (+ paid due))}
        (recur (inc month) (- due payment) (+ paid payment))))))

(payments 1000.0 0.01 200.0)
;=> {:months 6 :paid 1031}

;; Primes by a sieve, and the pairs that are two apart.
(defn sieve [limit]
  (loop [candidates (range 2 limit)
         primes []]
    (if-let [prime (first candidates)]
      (recur (remove #(zero? (rem % prime)) candidates)
             (conj primes prime))
      primes)))

(let [primes (sieve 40)
      twins (filter (fn [[a b]] (= 2 (- b a))) (partition 2 1 primes))]
  {:primes (count primes) :twins (vec twins)})
;=> {:primes 12 :twins [[3 5] [5 7] [11 13] [17 19] [29 31]]}

;; A series asked of a tool year by year; growth in per cent.
;- data {:years [2023 2024 2025]}
;- tool revenue (year :int, region :string) -> {amount :float} = {:amount (* 100.0 (- year 2021))}
(def amounts
  (map (fn [year]
         (:amount (tool/revenue {:year year :region "north"})))
       data/years))

(defn growth [before after]
  (* 100 (/ (- after before) before)))

(let [rates (map growth amounts (rest amounts))]
  (return {:amounts (vec amounts)
           :growth (mapv #(format "%.1f%%" %) rates)}))
;return> {:amounts [200.0 300.0 400.0] :growth ["50.0%" "33.3%"]}

;; A matrix turned around and multiplied.
(defn transpose [matrix] (apply mapv vector matrix))

(defn product [a b]
  (let [columns (transpose b)]
    (mapv (fn [row]
            (mapv (fn [column] (reduce + (map * row column))) columns))
          a)))

(let [m [[1 2] [3 4]]]
  {:square (product m m) :turned (transpose m)})
;=> {:square [[7 10] [15 22]] :turned [[1 3] [2 4]]}

;; Outliers by distance from the median.
;- data {:samples [10 12 11 95 9 10 13]}
(defn middle [xs]
  (nth (sort xs) (quot (count xs) 2)))

(let [center (middle data/samples)
      distances (map #(abs (- % center)) data/samples)
      limit (* 3 (middle distances))
      outlier? (fn [x] (> (abs (- x center)) limit))]
  {:center center
   :outliers (filterv outlier? data/samples)
   :kept (count (remove outlier? data/samples))})
;=> {:center 11 :outliers [95] :kept 6}

;; Bins of a histogram, drawn with stars.
;- data {:ages [3 17 25 29 31 44 8 21]}
(defn bin [age] (* 10 (quot age 10)))

(def histogram (sort (frequencies (map bin data/ages))))

(doseq [[start n] histogram]
  (println (format "%2d %s" start (str/join (repeat n "*")))))
(return (into {} histogram))
;return> {0 2 10 1 20 3 30 1 40 1}
;out>  0 **
;out> 10 *
;out> 20 ***
;out> 30 *
;out> 40 *

;; Prices compared over two turns: the second uses what the first has defined.
;- data {:prices [{:sku "A" :price 10.0} {:sku "B" :price 8.0}]}
;- tool old-price (sku :string) -> :float = (get {"A" 9.0 "B" 8.0} sku)
(def old-prices
  (into {} (map (fn [{:keys [sku]}] [sku (tool/old-price {:sku sku})]) data/prices)))
;=> #'old-prices
(defn change [{:keys [sku price]}]
  (let [before (get old-prices sku)]
    {:sku sku :change (- price before)}))

(return (filterv #(not (zero? (:change %)))
                 (map change data/prices)))
;return> [{:sku "A" :change 1.0}]

;; Sampling every other value, with a check that must hold.
;- data {:values [5 1 4 1 3 9 2 6]}
(defn every-other [xs]
  {:pre [(seq xs)]}
  (map first (partition-all 2 xs)))

(let [[a b & others] (every-other data/values)
      {low true high false} (group-by #(< % 4) others)]
  (assert (= 5 a))
  {:first-two [a b] :low low :high high})
;=> {:first-two [5 4] :low [3 2] :high nil}
