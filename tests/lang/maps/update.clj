;; `assoc` puts values under keys and answers a new map; the old one stays.
(let [before {:a 1}
      after (assoc before :a 5 :b 2)]
  [before after])
;=> [{:a 1} {:a 5 :b 2}]

;; A replaced key keeps its place, a new one goes to the end.
(-> {:z 1 :m 2} (assoc :a 3) (assoc :z 9))
;=> {:z 9 :m 2 :a 3}

;; nil counts as an empty map.
[(assoc nil :a 1) (assoc-in nil [:a :b] 1) (update nil :n (fnil inc 0)) (merge nil {:a 1})]
;=> [{:a 1} {:a {:b 1}} {:n 1} {:a 1}]

;; When the key is there in its string spelling, that entry is changed.
[(assoc {"n" 1} :n 2) (update {"n" 1} :n inc) (dissoc {"n" 1} :n)]
;=> [{"n" 2} {"n" 2} {}]

;; Keys and values come in pairs.
(assoc {} :a 1 :b)
;!> arity_error 1:1 assoc: expected key value pairs, the last key has no value

;; A set has no keys to put something under.
(assoc #{1} :a 2)
;!> type_error 1:1 assoc: expected a map or vector, got set

;; `assoc-in` goes down a path and makes the maps on the way.
[(assoc-in {} [:a :b :c] 1) (assoc-in {:rows [{:n 1} {:n 2}]} [:rows 1 :n] 5)]
;=> [{:a {:b {:c 1}}} {:rows [{:n 1} {:n 5}]}]

;; A table of tables, filled cell by cell.
(reduce (fn [table [row column n]] (assoc-in table [row column] n))
        {}
        [["mon" :in 4] ["mon" :out 1] ["tue" :in 2]])
;=> {"mon" {:in 4 :out 1} "tue" {:in 2}}

;; A number in the way cannot take keys.
(assoc-in {:a 1} [:a :b] 2)
;!> type_error 1:1 assoc-in: expected a map or vector on the way, got number

;; `update` applies a function to the value, with more arguments behind it.
[(update {:hits 2} :hits inc) (update {:hits 2} :hits + 10 100) (update {} :tags conj "new")]
;=> [{:hits 3} {:hits 112} {:tags ["new"]}]

;; A missing value is nil for the function; `fnil` gives it a start.
(reduce (fn [m {:keys [who n]}] (update m who (fnil + 0) n))
        {}
        [{:who "ann" :n 2} {:who "bob" :n 5} {:who "ann" :n 4}])
;=> {"ann" 6 "bob" 5}

;; Without the start, nil meets `inc`.
(update {} :n inc)
;!> type_error 1:1 inc: expected a number, got nil; for a missing value use (fnil inc 0)

;; `update-in` does it at the end of a path.
[(update-in {:a {:n 1}} [:a :n] * 5) (update-in {} [:a :n] (fnil inc 0)) (update-in {:xs [1 2]} [:xs 0] dec)]
;=> [{:a {:n 5}} {:a {:n 1}} {:xs [0 2]}]

;; Visits per page and day.
(reduce (fn [acc [page day]] (update-in acc [page day] (fnil inc 0)))
        {}
        [["home" 1] ["home" 1] ["faq" 2]])
;=> {"home" {1 2} "faq" {2 1}}

;; `dissoc` leaves keys out; what is not there needs no leaving.
[(dissoc {:a 1 :b 2 :c 3} :a :c) (dissoc {:a 1} :x) (dissoc nil :a) (dissoc {:a 1})]
;=> [{:b 2} {:a 1} nil {:a 1}]

;; A secret is removed before a row is shown.
(map #(dissoc % :password) [{:name "ann" :password "x"} {:name "bob"}])
;=> [{:name "ann"} {:name "bob"}]

;; `dissoc` is for maps; vectors are cut with `subvec`.
(dissoc [1 2] 0)
;!> type_error 1:1 dissoc: expected a map, got vector

;; `merge` joins maps; later values win; nil is skipped.
[(merge {:a 1 :b 1} {:b 2} nil {:c 3}) (merge) (merge nil nil) (merge {:a 1})]
;=> [{:a 1 :b 2 :c 3} nil nil {:a 1}]

;; Options over defaults.
(let [defaults {:limit 10 :order :asc}]
  (merge defaults {:limit 50}))
;=> {:limit 50 :order :asc}

;; `merge` does not look inside of the values; `merge-with` can.
(let [a {:db {:host "x" :port 1}} b {:db {:port 2}}]
  [(merge a b) (merge-with merge a b)])
;=> [{:db {:port 2}} {:db {:host "x" :port 2}}]

;; A number is not merged into a map.
(merge {:a 1} 5)
;!> type_error 1:1 merge: 5 is not a [key value] pair

;; `merge-with` joins values under the same key by a function of old and new.
[(merge-with + {:a 1 :b 2} {:a 10} {:c 5 :a 100}) (merge-with into {:x [1]} {:x [2] :y [3]})]
;=> [{:a 111 :b 2 :c 5} {:x [1 2] :y [3]}]

;; Totals of several days.
(apply merge-with + [{"apples" 2} {"pears" 1 "apples" 5} nil])
;=> {"apples" 7 "pears" 1}

;; A key that occurs once is taken without calling the function.
(merge-with (fn [a b] (println "joining" a b) (max a b)) {:a 1 :b 7} {:b 3})
;=> {:a 1 :b 7}
;out> joining 7 3

;; `select-keys` keeps the named entries, in the order of the names.
[(select-keys {:a 1 :b 2 :c 3} [:c :a :z]) (select-keys {:a nil} [:a]) (select-keys nil [:a])]
;=> [{:c 3 :a 1} {:a nil} {}]

;; String keys are found by keyword and come out as they were asked for.
(select-keys {"id" 1 "name" "x"} [:id])
;=> {:id 1}

;; The list of keys stands in a collection.
(select-keys {:a 1} :a)
;!> type_error 1:1 select-keys: expected a collection, got keyword

;; `update-vals` applies a function to every value, `update-keys` to every key.
[(update-vals {:a 1 :b 2} inc) (update-keys {"a" 1 "b" 2} keyword) (update-vals nil inc)]
;=> [{:a 2 :b 3} {:a 1 :b 2} {}]

;; Counting groups.
(-> (group-by :state [{:state :new} {:state :old} {:state :new}])
    (update-vals count))
;=> {:new 2 :old 1}

;; Keys that become equal: the last entry wins.
(update-keys {"A" 1 "a" 2} clojure.string/lower-case)
;=> {"a" 2}

;; The map comes first, as in `assoc`; so they fit into `->`.
(-> {"a" 1} (update-keys keyword) (update-vals -))
;=> {:a -1}

;; Of nil they make an empty map (L-68).
[(update-vals nil inc) (update-keys nil name)]
;=> [{} {}]
