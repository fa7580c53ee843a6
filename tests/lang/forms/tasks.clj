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
