;; A bank: transfers are checked, errors are data, the books stay balanced.
(def accounts (atom {:ada 100 :bob 20}))
(defn transfer! [from to amount]
  (let [balance (get @accounts from)]
    (cond
      (nil? balance) (throw (ex-info "no such account" {:account from}))
      (< balance amount) (throw (ex-info "not enough" {:account from :short (- amount balance)}))
      :else (swap! accounts #(-> % (update from - amount) (update to + amount))))))
(defn try-transfer [& args]
  (try (do (apply transfer! args) :ok)
    (catch Exception e [(ex-message e) (ex-data e)])))
[(try-transfer :ada :bob 70)
 (try-transfer :ada :bob 70)
 (try-transfer :eve :bob 1)
 @accounts
 (reduce + (vals @accounts))]
;=> [:ok ["not enough" {:account :ada :short 40}] ["no such account" {:account :eve}] {:ada 30 :bob 90} 120]

;; A state machine as a map of maps, driven by `reduce`.
(def machine
  {:locked   {:coin :open}
   :open     {:push :locked :coin :open}})
(defn step [state event] (get-in machine [state event] state))
[(reduce step :locked [:push :coin :coin :push])
 (reductions step :locked [:coin :push])]
;=> [:locked [:locked :open :locked]]

;; Undo and redo with two stacks in one atom.
(def history (atom {:past [] :now "" :future []}))
(defn edit! [text]
  (swap! history (fn [{:keys [past now]}] {:past (conj past now) :now text :future []})))
(defn undo! []
  (swap! history
         (fn [{:keys [past now future] :as h}]
           (if-let [text (peek past)]
             {:past (pop past) :now text :future (conj future now)}
             h))))
(edit! "a")
(edit! "ab")
(undo!)
(undo!)
(undo!)
@history
;=> {:past [] :now "" :future ["ab" "a"]}

;; A queue of jobs with retries: each job may fail twice before it is given up.
(def log (atom []))
(defn work [{:keys [id fails]} attempt]
  (if (<= attempt fails)
    (throw (ex-info "busy" {:id id}))
    (str id " done")))
(defn run-job [job]
  (loop [attempt 1]
    (let [result (try (work job attempt)
                      (catch Exception e
                        (swap! log conj [(:id (ex-data e)) attempt])
                        ::failed))]
      (cond
        (not= result ::failed) result
        (< attempt 3) (recur (inc attempt))
        :else (str (:id job) " given up")))))
[(map run-job [{:id "a" :fails 0} {:id "b" :fails 2} {:id "c" :fails 9}]) (count @log)]
;=> [["a done" "b done" "c given up"] 5]

;; A counter made of closures over one atom: several doors to the same state.
(defn counter [start]
  (let [state (atom start)]
    {:up   (fn [] (swap! state inc))
     :down (fn [] (swap! state dec))
     :now  (fn [] @state)}))
(let [{:keys [up down now]} (counter 10) other (counter 0)]
  (dotimes [_ 3] (up))
  (down)
  [(now) ((:now other))])
;=> [12 0]

;; An event log is the truth; the state is what folding it gives, at any time.
(def events
  [{:type :opened :owner "Ada"}
   {:type :deposited :amount 50}
   {:type :withdrawn :amount 20}
   {:type :closed}])
(defn apply-event [account {:keys [type amount owner]}]
  (case type
    :opened {:owner owner :balance 0 :open? true}
    :deposited (update account :balance + amount)
    :withdrawn (update account :balance - amount)
    :closed (assoc account :open? false)))
[(reduce apply-event nil events)
 (map :balance (rest (reductions apply-event nil (take 3 events))))]
;=> [{:owner "Ada" :balance 30 :open? false} [0 50 30]]

;; A memo table over turns: the second turn finds what the first one computed.
(def table (atom {}))
(defn fib [n]
  (or (@table n)
      (let [answer (if (< n 2) n (+ (fib (- n 1)) (fib (- n 2))))]
        (swap! table assoc n answer)
        answer)))
(fib 60)
;=> 1548008755920
[(count @table) (fib 61)]
;=> [61 2504730781961]

;; A cache for the last three answers: the oldest entry leaves first.
(defn cache-put [cache k v]
  (let [cache (assoc (dissoc cache k) k v)]
    (if (> (count cache) 3) (dissoc cache (first (keys cache))) cache)))
(reduce (fn [c [k v]] (cache-put c k v)) {} [[:a 1] [:b 2] [:c 3] [:a 4] [:d 5]])
;=> {:c 3 :a 4 :d 5}

;; A stack calculator: numbers go up, operators take two down.
(defn calculate [text]
  (reduce
    (fn [stack token]
      (if-let [n (parse-long token)]
        (conj stack n)
        (let [[a b] (take-last 2 stack)
              op (get {"+" + "-" - "*" * "/" /} token)]
          (when (or (nil? op) (nil? b))
            (throw (ex-info "cannot read" {:token token :stack stack})))
          (conj (pop (pop stack)) (op a b)))))
    []
    (str/split text #" +")))
[(calculate "2 3 4 * +")
 (try (calculate "1 +") (catch Exception e (ex-data e)))]
;=> [[14] {:token "+" :stack [1]}]

;; A little clock of volatiles inside one function: running totals without an accumulator argument.
(defn running-totals [xs]
  (let [total (volatile! 0)]
    (mapv #(vswap! total + %) xs)))
(running-totals [1 2 3 4])
;=> [1 3 6 10]
