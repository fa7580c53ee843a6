;; Search, filter, and ask for details only of what is left.
;- tool search (query :string) -> [{id :int, stars :int}] = [{:id 1 :stars 3} {:id 2 :stars 5} {:id 3 :stars 4}]
;- tool details (id :int) -> {name :string} = {:name (str "Hotel " id)}
(let [good (filter #(>= (:stars %) 4) (tool/search "Oslo"))]
  (return (mapv #(:name (tool/details {:id (:id %)})) good)))
;return> ["Hotel 2" "Hotel 3"]
;call> search {:query "Oslo"}
;call> details {:id 2}
;call> details {:id 3}

;; A tool that fails for some is wrapped once; the report says which.
;- tool price (code :string) -> :int = (or (get {"A" 10 "C" 30} code) (fail "unknown code"))
(defn price-or-nil [code]
  (try (tool/price code) (catch Exception e (println code (ex-message e)))))
(let [prices (keep price-or-nil ["A" "B" "C"])]
  {:sum (reduce + prices) :n (count prices)})
;=> {:sum 40 :n 2}
;out> B tool 'price' failed: unknown code

;; Pages are fetched until the last one says so.
;- tool page (n :int) -> {items [:int], last :bool} = {:items (map #(+ % (* 10 n)) [1 2]) :last (= n 3)}
(defn all-items []
  (loop [n 1 items []]
    (let [{found :items last? :last} (tool/page n)
          items (into items found)]
      (if last? items (recur (inc n) items)))))
(all-items)
;=> [11 12 21 22 31 32]
;call> page {:n 1}
;call> page {:n 2}
;call> page {:n 3}

;; Ask twice, pay once: an atom remembers answers.
;- tool rate (currency :string) -> :float = (get {"EUR" 1.0 "NOK" 0.09} currency)
(def known (atom {}))
(defn rate [currency]
  (or (@known currency)
      (get (swap! known assoc currency (tool/rate currency)) currency)))
(map (fn [{:keys [amount currency]}] (* amount (rate currency)))
     [{:amount 100 :currency "NOK"} {:amount 5 :currency "EUR"} {:amount 200 :currency "NOK"}])
;=> [9.0 5.0 18.0]
;call> rate {:currency "NOK"}
;call> rate {:currency "EUR"}

;; Two turns: the first collects, the second looks at what was collected.
;- tool orders (day :int) -> [{item :string, qty :int}] = (if (= day 1) [{:item "tea" :qty 2} {:item "cake" :qty 1}] [{:item "tea" :qty 5}])
(def orders (mapcat tool/orders [1 2]))
(count orders)
;=> 3
(->> orders
     (group-by :item)
     (map (fn [[item rows]] [item (reduce + (map :qty rows))]))
     (into {})
     return)
;return> {"tea" 7 "cake" 1}

;; A check before something that cannot be undone.
;- data {:limit 100}
;- tool pay (amount :int) -> :string = (str "paid " amount)
(defn pay-safely [amount]
  (cond
    (not (pos? amount)) (fail {:reason :bad-amount :amount amount})
    (> amount data/limit) (fail {:reason :over-limit :amount amount :limit data/limit})
    :else (tool/pay amount)))
(println (pay-safely 60))
(pay-safely 160)
;fail> {:reason :over-limit :amount 160 :limit 100}
;out> paid 60

;; Errors of one call do not stop the others: collect both kinds.
;- tool check (id :int) -> :map = (if (even? id) {:id id :ok true} (fail (str "id " id " is odd")))
(defn attempt [id]
  (try {:value (tool/check id)} (catch Exception e {:error (ex-message e)})))
(let [results (map attempt [1 2 3 4])]
  {:good (count (filter :value results))
   :errors (keep :error results)})
;=> {:good 2 :errors ["tool 'check' failed: id 1 is odd" "tool 'check' failed: id 3 is odd"]}
