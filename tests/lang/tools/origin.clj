;; An error about a value that a tool returned names the tool, and the kinds of its other results.
;- tool messages (channel :string) -> :any = (if (= channel "c") [] (str "- body: " channel))
(map #(re-seq #"body: (.+)" (tool/messages %)) ["a" "b" "c"])
;!> type_error 1:6 re-seq: expected a string, got vector; tool/messages returned [], and a string in 2 other calls

;; A part of a result is in it.
;- tool rows () -> [:map] = [{:price 3} {:price "n/a"}]
(reduce + (map :price (tool/rows)))
;!> type_error 1:1 +: expected numbers, got number and string; (parse-long s) and (parse-double s) read numbers, (str ...) joins texts; "n/a" is in what tool/rows returned

;; So do errors that are caught, and those of branches.
;- tool rows (n :int) -> :any = (if (= n 1) {:n 1} "none")
[(try (re-find #"a" (tool/rows 1)) (catch Exception e (ex-message e)))
 (pmap #(keys (tool/rows %)) [1 2])]
;!> pmap_error …

;; A number or nil can come from anywhere, and so can what the program made.
;- tool rows () -> :any = [1 nil]
(re-find #"a" (first (tool/rows)))
;!> type_error 1:1 re-find: expected a string, got number

;- tool rows () -> :any = [1 nil]
(re-find #"a" (conj (tool/rows) 2))
;!> type_error 1:1 re-find: expected a string, got vector
