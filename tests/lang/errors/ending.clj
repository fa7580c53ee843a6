;; `return` ends the mission with a value, from any depth; nothing behind it runs.
(defn check [rows]
  (doseq [{:keys [id ok]} rows]
    (println "row" id)
    (when-not ok (return {:bad id}))))
(check [{:id 1 :ok true} {:id 2} {:id 3 :ok true}])
(println "never")
;return> {:bad 2}
;out> row 1
;out> row 2

;; `fail` ends it as failed, by convention with reason and message.
(when (empty? []) (fail {:reason :no-data :message "nothing to sum up"}))
:never
;fail> {:reason :no-data :message "nothing to sum up"}

;; Definitions made before the end are kept.
(def seen 1)
(return seen)
;return> 1
seen
;=> 1

;; The argument of `return` is computed first.
(return (do (println "working") (* 6 7)))
;return> 42
;out> working

;; `return` and `fail` are functions (L-45): they may be passed around.
(run! #(when (> % 2) (return %)) [1 2 3 4])
;return> 3

;; The first value that `map` hands over ends everything.
(map return [:a :b])
;return> :a

;; `some->` and `return` make a quick exit.
(some-> {:answer 42} :answer return)
;return> 42

;; `fail` at the end of a chain.
(or nil false (fail "nothing found"))
;fail> "nothing found"

;; Both take exactly one value.
(return 1 2)
;!> arity_error 1:1 return: expected 1 argument, got 2

;; `fail` without a reason is a wrong call.
(fail)
;!> arity_error 1:1 fail: expected 1 argument, got 0

;; The value of a program without `return` is its last form.
(def total (+ 1 2))
{:total total}
;=> {:total 3}

;; A lazy value is realised before it leaves (L-30).
(return (take 3 (map inc (range))))
;return> [1 2 3]

;; Atoms, delays and volatiles leave with what is in them (L-31, L-37).
(return {:a (atom 5) :v (volatile! [1])})
;return> {:a 5 :v [1]}

;; `return` inside a `try` inside a loop inside a function still ends everything.
(defn search [rows]
  (doseq [row rows]
    (try (when (= 3 row) (return [:found row])) (catch Exception e :never))))
(search [1 2 3 4])
;return> [:found 3]
