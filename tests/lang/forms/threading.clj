;; `->` puts the value first in each step.
(-> {:name "Ada" :age 36}
    (assoc :role :admin)
    (dissoc :age))
;=> {:name "Ada" :role :admin}

;; `->` without steps is the value; a bare function or keyword is a call.
[(-> 5) (-> 5 inc) (-> {:a {:b 1}} :a :b)]
;=> [5 6 1]

;; `->>` puts the value last, where collections go.
(->> (range 10)
     (filter odd?)
     (map #(* % %))
     (reduce +))
;=> 165

;; The two differ where the order of arguments matters.
[(-> 10 (- 3)) (->> 10 (- 3))]
;=> [7 -7]

;; A literal function as a step is called with the value.
(-> 5 #(* % 2) (- 1))
;=> 9

;; `(fn …)` as a step is called too.
(->> [1 2 3] (fn [xs] (count xs)))
;=> 3

;; Special forms can be steps: the value becomes their first part.
(-> (count [1 2]) (if :some :none))
;=> :some

;; `->>` ends well in `return`.
(->> [3 1 2] sort (map inc) (return))
;return> [2 3 4]

;; Steps may be method calls.
(-> "  Total " .trim .toUpperCase (.replace "TOTAL" "sum"))
;=> "sum"

;; A threading macro without a value has nothing to thread.
(->)
;!> invalid_thread_form 1:1 -> needs at least one expression

;; `->>` wants a value as well.
(str (->>))
;!> invalid_thread_form 1:6 ->> needs at least one expression

;; `as->` names the running value, for steps that take it in different places.
(as-> [1 2 3 4] x
  (filter even? x)
  (reduce + x)
  (str "sum " x))
;=> "sum 6"

;; `as->` steps need not use the value at all.
(as-> {:items [5 6]} $
  (:items $)
  (conj $ 7)
  (do (println (count $)) $)
  (nth $ 2))
;=> 7
;out> 3

;; `as->` takes a pattern, as `let` does.
(as-> [1 2] [a b] [(+ a b) (* a b)] (+ a b))
;=> 5

;; `cond->` applies a step only where its test holds; the tests do not see the value.
(defn order [{:keys [gift? express?]}]
  (cond-> {:total 20}
    gift? (assoc :wrap true)
    express? (update :total + 5)))
(map order [{} {:gift? true} {:gift? true :express? true}])
;=> [{:total 20} {:total 20 :wrap true} {:total 25 :wrap true}]

;; All steps of `cond->` whose tests hold are applied, not only the first.
(cond-> 1 true inc false (* 42) (= 2 2) (* 3))
;=> 6

;; `cond->>` threads in last place.
(defn search [rows {:keys [status limit]}]
  (cond->> rows
    status (filter #(= status (:status %)))
    limit (take limit)
    true (map :id)))
(let [rows [{:id 1 :status :open} {:id 2 :status :done} {:id 3 :status :open}]]
  [(search rows {}) (search rows {:status :open}) (search rows {:status :open :limit 1})])
;=> [[1 2 3] [1 3] [1]]

;; `cond->>` without any test that holds gives the value.
(cond->> [1 2] false (map inc) nil (map dec))
;=> [1 2]

;; Tests and steps come in pairs.
(cond-> 1 true)
;!> invalid_form 1:1 cond->: expected (cond-> value test step ...)…

;; `some->` stops with nil as soon as the value is nil.
(defn city [user] (some-> user :address :city (str/upper-case)))
[(city {:address {:city "Oslo"}}) (city {:address {}}) (city nil)]
;=> ["OSLO" nil nil]

;; `some->` goes on with false: only nil stops it.
(some-> {:done false} :done not)
;=> true

;; `some->` protects a function that fails on nil.
(map #(some-> % parse-long inc) ["41" "x"])
;=> [42 nil]

;; `some->>` does the same in last place.
(defn total [order] (some->> order :lines (map :price) (reduce +)))
[(total {:lines [{:price 2} {:price 3}]}) (total {})]
;=> [5 nil]

;; Nothing behind the nil of `some->>` runs.
(some->> nil (map println) (run! println))
;=> nil

;; `doto` does things to a value and gives the value itself.
(deref (doto (atom []) (swap! conj 1) (swap! conj 2)))
;=> [1 2]

;; `doto` is handy for a look at a value in passing.
(-> [3 1 2] (doto println) sort (doto println) first)
;=> 1
;out> [3 1 2]
;out> [1 2 3]

;; `..` chains method calls.
(.. "a-b-c" (replace "-" "+") toUpperCase (substring 2))
;=> "B+C"

;; Steps run once each, from left to right.
(defn noted [x label] (println label x) (inc x))
(-> 1 (noted "first") (noted "second"))
;=> 3
;out> first 1
;out> second 2

;; A number is no step.
(-> {:a 1} 5)
;!> not_callable 1:12 cannot call 5 (number): the function comes first, as in (+ 1 2)
