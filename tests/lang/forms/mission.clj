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

;; `assert` passes silently when its test holds.
(defn withdraw [balance amount]
  (assert (pos? amount))
  (- balance amount))
[(withdraw 10 3) (assert true)]
;=> [7 nil]

;; A test that fails is an `assertion_error` with the text of the test.
(assert (= 3 (+ 1 1)))
;!> assertion_error 1:9 Assert failed: (= 3 (+ 1 1))

;; A failed `assert` can be caught; its reason is `:assertion_error`.
(try (assert false) (catch Throwable e (ex-data e)))
;=> {:reason :assertion_error}

;; The test of `assert` is any truthy value.
[(assert 0) (assert "") (try (assert nil) (catch Throwable e (ex-message e)))]
;=> [nil nil "Assert failed: nil"]

;; `assert` at the top of a program checks the input before any work.
;- data {:rows []}
(assert (seq data/rows))
(println "never")
;!> assertion_error 1:9 Assert failed: (seq data/rows)

;; `task` runs its body and gives its value, so that a plan can name its steps.
(defn fetch [] (println "fetching") [1 2 3])
(def rows (task "load rows" (fetch)))
(task "count them" (count rows))
;=> 3
;out> fetching

;; A body of several forms gives the last.
(task "two steps" (println "one") :two)
;=> :two
;out> one

;; The id may be any expression with a short value.
[(task :keyword-id 1) (task (str "row-" 7) 2) (task 3 4)]
;=> [1 2 4]

;; A collection is no id.
(task ["load" 1] 2)
;!> type_error 1:1 task: expected a string, got vector

;; `task` needs an id and a body.
(task "load")
;!> invalid_arity 1:1 task: expected (task id body...), got 1

;; An error in the body goes on as usual.
(try (task "divide" (/ 1 0)) (catch Exception e (ex-message e)))
;=> "Divide by zero"

;; `step-done` reports a step and gives its summary.
(str "report: " (step-done "1" "read 3 rows"))
;=> "report: read 3 rows"

;; Its two arguments become texts.
[(step-done 2 :counted) (step-done :third 42)]
;=> [":counted" "42"]

;; `task-reset` forgets a task and gives nil.
(task-reset "load rows")
;=> nil

;; `step-done` and `task-reset` are functions (L-45).
[(map task-reset ["a" "b"]) (map #(step-done % "ok") [1 2])]
;=> [[nil nil] ["ok" "ok"]]

;; `task` yields to a local of that name (L-45).
(let [task (fn [x] (* 10 x))] (task 4))
;=> 40

;; Without a budget from the host there is nothing left to say.
[(budget/remaining) budget/remaining]
;=> [{} {}]

;; The budget has one function only.
(budget/turns)
;!> invalid_form 1:2 no budget function named turns; write (budget/remaining)

;; `budget/remaining` takes no arguments.
(budget/remaining :turns)
;!> invalid_arity 1:1 budget/remaining: expected (budget/remaining), got 1 arguments
