;; Stock of the products that an order needs, asked of a tool one by one.
;- data {:orders [{:id 1 :lines [{:sku "A" :qty 3} {:sku "B" :qty 1}]} {:id 2 :lines [{:sku "A" :qty 4}]}]}
;- tool stock (sku :string) -> {on_hand :int, reserved :int} = (get {"A" {:on_hand 6 :reserved 0} "B" {:on_hand 2 :reserved 1}} sku {:on_hand 0 :reserved 0})
(defn needed [orders]
  (reduce (fn [acc {:keys [sku qty]}]
            (update acc sku (fnil + 0) qty))
          {}
          (mapcat :lines orders)))

(defn available [sku]
  (let [{:keys [on_hand reserved]} (tool/stock {:sku sku})]
    (- on_hand reserved)))

(let [short (for [[sku qty] (needed data/orders)
                  :let [free (available sku)]
                  :when (< free qty)]
              {:sku sku :missing (- qty free)})]
  (return {:short (vec short)}))
;return> {:short [{:sku "A" :missing 1}]}

;; Customers by search, then the total of each from a second tool.
;- tool search-customers (query :string, limit :int?) -> [{id :int, name :string}] = (take (or data/limit 10) (filter #(str/includes? (:name %) query) [{:id 1 :name "Ada Berg"} {:id 2 :name "Ben Holm"} {:id 3 :name "Cleo Berg"}]))
;- tool list-orders (customer_id :int) -> [{id :int, total :float}] = (get {1 [{:id 10 :total 20.5} {:id 11 :total 9.5}] 3 [{:id 12 :total 100.0}]} customer_id [])
(def found (tool/search-customers {:query "Berg" :limit 5}))
(println "found" (count found) "customers")

(def totals
  (map (fn [customer]
         (let [orders (tool/list-orders {:customer_id (:id customer)})
               sum (reduce + 0.0 (map :total orders))]
           (assoc customer :total sum)))
       found))

(return (sort-by :total > totals))
;return> [{:id 3 :name "Cleo Berg" :total 100.0} {:id 1 :name "Ada Berg" :total 30.0}]
;out> found 2 customers

;; A discount table with cond, prices rounded to cents.
;- data {:basket [{:sku "pen" :price 1.25 :qty 40} {:sku "desk" :price 199.0 :qty 1} {:sku "lamp" :price 35.5 :qty 4}]}
(defn discount [amount]
  (cond
    (>= amount 150) 0.1
    (>= amount 100) 0.05
    :else 0.0))

(defn line-total [{:keys [price qty]}]
  (let [gross (* price qty)
        rate (discount gross)]
    (/ (round (* 100 gross (- 1 rate))) 100.0)))

(->> data/basket
     (map (juxt :sku line-total))
     (into {}))
;=> {"pen" 50.0 "desk" 179.1 "lamp" 134.9}

;; A refund only when the order is known and not refunded yet.
;- data {:requests [{:order 7 :reason "late"} {:order 8 :reason "broken"} {:order 9 :reason "late"}]}
;- tool get-order (id :int) -> {id :int, total :float, refunded :bool} = (if (= id 9) (fail "no such order") {:id id :total (* 10.0 id) :refunded (= id 8)})
;- tool refund (id :int, amount :float) -> {ok :bool} = {:ok (< amount 100)}
(defn try-refund [{:keys [order reason]}]
  (try
    (let [{:keys [id total refunded]} (tool/get-order {:id order})]
      (if refunded
        {:order id :status "already refunded"}
        (let [answer (tool/refund {:id id :amount total})]
          {:order id :status (if (:ok answer) "refunded" "refused") :reason reason})))
    (catch Exception e
      {:order order :status (ex-message e)})))

(def results (mapv try-refund data/requests))
(doseq [{:keys [order status]} results]
  (println order status))
(return {:refunded (count (filter #(= "refunded" (:status %)) results))
         :results results})
;return> {:refunded 1 :results [{:order 7 :status "refunded" :reason "late"} {:order 8 :status "already refunded"} {:order 9 :status "tool 'get-order' failed: no such order"}]}
;out> 7 refunded
;out> 8 already refunded
;out> 9 tool 'get-order' failed: no such order

;; Pages of a listing until one comes back short.
;- tool list-products (page :int, per_page :int) -> [{sku :string, price :int}] = (map (fn [n] {:sku (str "P" n) :price (* 3 n)}) (range (* page per_page) (min 7 (* (inc page) per_page))))
(defn fetch-all [per-page]
  (loop [page 0
         found []]
    (let [batch (tool/list-products {:page page :per_page per-page})
          found (into found batch)]
      (if (< (count batch) per-page)
        found
        (recur (inc page) found)))))

(let [products (fetch-all 3)]
  {:count (count products)
   :dearest (:sku (apply max-key :price products))
   :total (reduce + (map :price products))})
;=> {:count 7 :dearest "P6" :total 63}

;; Order status by keyword, with a default for what is unknown.
;- data {:statuses ["paid" "open" "paid" "lost" "refunded"]}
(def labels {:paid "Paid" :open "Waiting" :refunded "Money back"})

(defn label [status]
  (get labels (keyword status) "Unknown"))

(let [counts (frequencies (map label data/statuses))]
  (doseq [[name n] (sort counts)]
    (println (str name ": " n)))
  (return (get counts "Paid")))
;return> 2
;out> Money back: 1
;out> Paid: 2
;out> Unknown: 1
;out> Waiting: 1

;; Currency conversion with a tool that is asked once for each currency.
;- data {:invoices [{:id "i1" :amount 100 :currency "USD"} {:id "i2" :amount 50 :currency "EUR"} {:id "i3" :amount 30 :currency "USD"}]}
;- tool exchange-rate (from :string, to :string) -> :float = (if (= from to) 1.0 0.5)
(def rate-of
  (into {}
        (for [currency (distinct (map :currency data/invoices))]
          [currency (tool/exchange-rate {:from currency :to "EUR"})])))

(defn in-euro [{:keys [amount currency]}]
  (* amount (get rate-of currency)))

(return {:total (reduce + (map in-euro data/invoices))
         :rates rate-of})
;return> {:total 115.0 :rates {"USD" 0.5 "EUR" 1.0}}
;call> exchange-rate {:from "USD" :to "EUR"}
;call> exchange-rate {:from "EUR" :to "EUR"}

;; The first supplier that can deliver everything in time.
;- data {:suppliers [{:name "North" :days 9 :items ["bolt" "nut"]} {:name "East" :days 3 :items ["bolt"]} {:name "South" :days 4 :items ["bolt" "nut" "gear"]}]}
(def wanted #{"bolt" "nut"})

(defn fits? [{:keys [days items]}]
  (and (<= days 7)
       (every? (set items) wanted)))

(if-let [supplier (first (filter fits? data/suppliers))]
  (return (:name supplier))
  (fail "nobody delivers in time"))
;return> "South"
