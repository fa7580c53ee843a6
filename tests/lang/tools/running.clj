;; The answer of a tool is data like any other: keys become keywords (L-11).
;- tool users () -> [{name :string, age :int}] = [{"name" "Ada" "age" 36} {"name" "Bob" "age" 17}]
(->> (tool/users)
     (filter #(>= (:age %) 18))
     (map :name))
;=> ["Ada"]

;; Calls run in the order of the program, arguments from left to right.
;- tool step (n :int) -> :int = n
(+ (tool/step 1) (* (tool/step 2) (tool/step 3)))
;=> 7
;call> step {:n 1}
;call> step {:n 2}
;call> step {:n 3}

;; A tool may be called from anywhere: callbacks, key functions, comprehensions (L-19).
;- tool price (id :int) -> :int = (get [30 10 20] id)
[(sort-by #(tool/price %) [0 1 2])
 (reduce (fn [sum id] (+ sum (tool/price id))) 0 [0 1 2])
 (for [id [1 2]] (price id))]
;=> [[1 2 0] 60 [10 20]]

;; A tool may be called inside `swap!`, `update` and a lazy sequence.
;- tool next-page (page :int) -> :map = {:items [page (* 10 page)] :more (< page 3)}
(let [pages (take-while some? (iterate (fn [p] (when (:more p) (tool/next-page (inc (first (:items p)))))) (tool/next-page 1)))]
  (mapcat :items pages))
;=> [1 10 2 20 3 30]

;; `pmap` calls for all elements; results keep the order of the elements.
;- tool fetch (id :int) -> :string = (str "doc " id)
(pmap #(tool/fetch {:id %}) [3 1 2])
;=> ["doc 3" "doc 1" "doc 2"]
;call> fetch {:id 3}
;call> fetch {:id 1}
;call> fetch {:id 2}

;; A branch that is not taken calls nothing.
;- tool charge (amount :int) -> :int = amount
(let [total 0] (when (pos? total) (tool/charge total)))
;=> nil

;; A tool that fails ends the program with its message.
;- tool fetch (id :int) -> :map = (fail "no such document")
(println "asking")
(tool/fetch 5)
;out> asking
;!> tool_error 2:1 tool 'fetch' failed: no such document

;; A failing tool can be caught; `ex-data` names it (L-36).
;- tool fetch (id :int) -> :map = (if (= id 2) (fail "gone") {:id id})
(map (fn [id] (try (:id (tool/fetch id)) (catch Exception e [(ex-message e) (ex-data e)]))) [1 2 3])
;=> [1 ["tool 'fetch' failed: gone" {:reason :tool_error :tool "fetch"}] 3]

;; What tools raise is an `ExceptionInfo` (L-12).
;- tool fetch () -> :map = (fail "gone")
(try (tool/fetch) (catch clojure.lang.ExceptionInfo e :tool-failed))
;=> :tool-failed

;; The calls before an error are on record.
;- tool save (n :int) -> :int = n
(tool/save 1)
(/ 1 0)
;!> arithmetic_error 2:1 Divide by zero
;call> save {:n 1}

;; Definitions made before a failing tool are undone with the turn.
;- tool fetch () -> :map = (fail "gone")
(def rows 1)
(tool/fetch)
;!> tool_error 2:1 tool 'fetch' failed: gone
(def rows 2)
rows
;=> 2

;; An unknown tool is found before anything runs, wherever it stands.
;- tool save (n :int) -> :int = n
(tool/save 1)
(when false (tool/store 2))
;!> tool_not_found 2:14 tool 'store' not found; available tools: save

;; A comparator of `sort` may not call tools.
;- tool less (a :int, b :int) -> :bool = (< a b)
(sort (fn [a b] (tool/less a b)) [2 1])
;!> argument_error 1:17 sort: the comparator may not call tools; compute keys with tool/less first, then sort by them

;; A tool with the name of a builtin takes the bare name; `core/` is the builtin (L-16).
;- tool count (xs [:any]) -> :string = "tool"
[(tool/count [1 2]) (core/count [1 2])]
;=> ["tool" 2]

;; Whatever a tool gives can be a key, a member, a part of a text.
;- tool today () -> :string = "2026-01-15"
(let [day (tool/today)] [{day 1} #{day} (str "on " day)])
;=> [{"2026-01-15" 1} #{"2026-01-15"} "on 2026-01-15"]

;; A loop over pages until there are no more.
;- tool page (token :string?) -> :map = (get {nil {:items [1 2] :next "b"} "b" {:items [3] :next nil}} data/token)
(loop [token nil items []]
  (let [{found :items next :next} (tool/page {:token token})
        items (into items found)]
    (if next (recur next items) items)))
;=> [1 2 3]

;; A bare call reaches the tool, even where a builtin has the name (L-16).
;- tool count (xs [:any]) -> :string = (str "tool got " (core/count xs))
[(count [1 2]) (core/count [1 2])]
;=> ["tool got 2" 2]

;; A local or a definition of the tool's name comes first; `tool/` still reaches the tool.
;- tool search (q :string) -> :string = (str "tool " q)
(defn search [q] (str "own " (tool/search q)))
[(search "x") (let [search str] (search "y"))]
;=> ["own tool x" "y"]

;; A delay asks a tool once.
;- tool rate () -> :int = 7
(let [rate (delay (tool/rate))] [@rate @rate])
;=> [7 7]
;call> rate {}

;; A lazy sequence asks only as often as elements are wanted.
;- tool square (n :int) -> :int = (* n n)
(take 2 (map #(tool/square %) (iterate inc 3)))
;=> [9 16]
;call> square {:n 3}
;call> square {:n 4}

;; A default in a pattern may be a tool call; it runs only when needed.
;- tool default-limit () -> :int = 7
(map (fn [{:keys [limit] :or {limit (tool/default-limit)}}] limit) [{:limit 1} {}])
;=> [1 7]
;call> default-limit {}

;; Grouping, searching and updating with a tool as the function.
;- tool kind (n :int) -> :string = (if (odd? n) "odd" "even")
[(group-by tool/kind [1 2 3]) (update {:n 1} :n tool/kind) (some #(= "even" (tool/kind %)) [1 2])]
;=> [{"odd" [1 3] "even" [2]} {:n "odd"} true]

;; A tool that fails with a map shows it.
;- tool fetch () -> :int = (fail {:code 7})
(tool/fetch)
;!> tool_error 1:1 tool 'fetch' failed: {:code 7}

;; A misspelled bare name of a tool.
;- tool search-rooms (q :string) -> :string = "tool"
(search_rooms "x")
;!> undefined_symbol 1:2 undefined symbol 'search_rooms'. Did you mean 'search-rooms'?
