;; `pmap` gives the results in the order of the elements, like `map`.
[(pmap inc [1 2 3]) (pmap + [1 2] [10 20]) (pmap inc nil)]
;=> [[2 3 4] [11 22] []]

;; All calls that wait at the same time are handed over together; answers find their own branch (L-19).
;- tool fetch (id :int) -> :string = (str "doc " id)
(pmap #(tool/fetch {:id %}) [3 1 2])
;=> ["doc 3" "doc 1" "doc 2"]
;call> fetch {:id 3}
;call> fetch {:id 1}
;call> fetch {:id 2}

;; A tool may be the function itself.
;- tool fetch (id :int) -> :string = (str "doc " id)
(pmap tool/fetch [1 2])
;=> ["doc 1" "doc 2"]

;; Branches with several calls: the second call of a branch may use the answer of the first.
;- tool user (id :int) -> :map = {:name (str "user" id) :team (* 10 id)}
;- tool team (id :int) -> :string = (str "team" id)
(pmap (fn [id] (let [{:keys [name team]} (tool/user id)] [name (tool/team team)])) [1 2])
;=> [["user1" "team10"] ["user2" "team20"]]

;; Prints of all branches come in the order of the branches, not as they happened (L-33).
;- tool ask (n :int) -> :int = n
(pmap (fn [n]
        (println "start" n)
        (let [answer (if (= n 1) (tool/ask (tool/ask n)) (tool/ask n))]
          (println "end" n)
          answer))
      [1 2])
;=> [1 2]
;out> start 1
;out> end 1
;out> start 2
;out> end 2
;call> ask {:n 1}
;call> ask {:n 1}
;call> ask {:n 2}

;; Definitions made in a branch are gone behind it; atoms are shared and kept (L-33).
(def kept (atom 0))
(def x 1)
(pmap (fn [n] (def x n) (swap! kept + n)) [10 20])
[x @kept]
;=> [1 30]

;; `pcalls` runs functions without arguments, side by side.
;- tool rate (code :string) -> :int = (get {"EUR" 1 "NOK" 11} code)
(pcalls #(tool/rate "EUR") (fn [] (+ 1 2)) #(tool/rate "NOK"))
;=> [1 3 11]
;call> rate {:code "EUR"}
;call> rate {:code "NOK"}

;; `pcalls` without functions has no results.
[(pcalls) (apply pcalls [#(+ 1 1) (constantly :b)])]
;=> [[] [2 :b]]

;; An error in a branch says which branch it was; the first of several counts.
(pmap #(/ 12 %) [3 0 2 0])
;!> pmap_error 1:7 branch 2 of 4 (argument 0): Divide by zero (1 branch finished, 2 were not started)

;; The same for `pcalls`.
(pcalls (fn [] 1) (fn [] (throw (ex-info "no" {}))))
;!> pcalls_error 1:26 branch 2 of 2: no (1 branch finished)

;; Errors can be caught inside of a branch.
;- tool fetch (id :int) -> :int = (if (= id 2) (fail "gone") id)
(pmap (fn [id] (try (tool/fetch id) (catch Exception e :missing))) [1 2 3])
;=> [1 :missing 3]

;; Or outside, for all branches.
;- tool fetch (id :int) -> :int = (if (= id 2) (fail "gone") id)
(try (pmap tool/fetch [1 2 3]) (catch Exception e [(ex-message e) (ex-data e)]))
;=> ["branch 2 of 3 (argument 2): tool 'fetch' failed: gone (1 branch finished, 1 was stopped; their calls that worked: fetch × 2)" {:reason :pmap_error :tool "fetch" :branch 2 :argument 2}]

;; A branch cannot end the mission.
(pmap (fn [x] (if (odd? x) (return x) x)) [2 3])
;!> pmap_error 1:1 branch 2 of 2 (argument 3): return is not allowed inside pmap; end the branch with the value and return outside (1 branch finished)

;; `fail` in a branch is not possible either.
(pcalls (fn [] (fail "no")))
;!> pcalls_error 1:1 branch 1 of 1: fail is not allowed inside pcalls; end the branch with the value and fail outside

;; Branches inside branches.
;- tool cell (row :int, col :int) -> :string = (str row "-" col)
(pmap (fn [row] (pmap (fn [col] (tool/cell row col)) [1 2])) [1 2])
;=> [["1-1" "1-2"] ["2-1" "2-2"]]

;; The limits count for all branches together.
;- limits {:fuel 1000}
(pmap (fn [n] (reduce + (range n))) [300 300 300 300])
;!> fuel_exceeded 1:15 stopped after 1000 steps: the program loops too long; work on less data or end the loop

;; A number is no function.
(pmap 5 [1 2])
;!> pmap_error 1:1 branch 1 of 2 (argument 1): cannot call 5 (number): a function was expected here (1 branch was not started)

;; `pcalls` needs functions without parameters.
(pcalls (fn [x] x))
;!> pcalls_error 1:1 pcalls: expected functions without arguments, got #fn[x] (function); write #(f x)

;; A keyword over one map, the usual slip.
(pmap :name {:name "Ada"})
;!> type_error 1:1 pmap: field access over a collection expects many maps, got one map; use (:name m)

;; Many branches at once.
;- tool square (n :int) -> :int = (* n n)
(reduce + (pmap tool/square (range 500)))
;=> 41541750

;; When an atom changed while a tool was asked, the update runs again on the new content (L-32).
;- tool add (n :int) -> :int = n
(let [sum (atom 0)]
  (pmap (fn [n] (swap! sum (fn [x] (+ x (tool/add n))))) [1 2 3])
  @sum)
;=> 6

;; A delay that several branches ask is computed once.
;- tool rate () -> :int = 7
(let [rate (delay (tool/rate))]
  (pmap (fn [n] (* n @rate)) [1 2 3]))
;=> [7 14 21]
;call> rate {}

;; A lazy sequence is shared as well.
;- tool square (n :int) -> :int = (* n n)
(let [squares (map tool/square (iterate inc 1))]
  (pmap #(nth squares %) [0 1 2]))
;=> [1 4 9]

;; Text collected in a branch stays there; around `pmap` it comes from all branches in order.
[(pmap (fn [n] (with-out-str (println n))) [1 2])
 (with-out-str (pmap println [3 4]))]
;=> [["1\n" "2\n"] "3\n4\n"]

;; The depth of calls counts for each branch by itself (L-34).
;- limits {:depth 50}
(defn down [n] (if (zero? n) 0 (inc (down (dec n)))))
(pmap down [30 30 30])
;=> [30 30 30]

;; Branches stop at the end of the shortest collection; an endless one alone is too long.
;- limits {:fuel 10000}
(println (pmap vector [1 2 3] (range 2)))
(first (pmap inc (range)))
;out> [[1 0] [2 1]]
;!> fuel_exceeded 2:8 stopped after 10000 steps: all of a lazy sequence was asked for; if it has no end, write (take n coll)

;; The data of an exception in a branch is kept; its message says where it was.
(try (pmap (fn [n] (throw (ex-info "bad" {:n n}))) [1 2])
  (catch Exception e [(ex-message e) (ex-data e)]))
;=> ["branch 1 of 2 (argument 1): bad (1 branch was not started)" {:n 1}]

;; `finally` runs in branches that end by themselves, not in those that are dropped (L-35).
;- tool check (n :int) -> :int = (if (= n 2) (fail "no") n)
(try
  (pmap (fn [n] (try (tool/check n) (finally (println "done" n)))) [1 2 3])
  (catch Exception e :failed))
;=> :failed
;out> done 1
;out> done 2

;; The error says for what the branch failed, and what became of the others and of their calls.
;- tool pay (to :string, cents :int) -> :string = (if (= to "dan") (fail "503 busy") "paid")
(pmap (fn [to cents] (tool/pay {:to to :cents cents})) ["ann" "bob" "cy" "dan" "eve"] [100 200 300 400 500])
;!> pmap_error 1:22 branch 4 of 5 (arguments "dan", 400): tool 'pay' failed: 503 busy (3 branches finished, 1 was stopped; their calls that worked: pay × 4)

;; Long arguments are shortened; `ex-data` has them whole.
(try (pmap (fn [m] (/ (:n m) 0)) [{:n 1 :text (str/join (repeat 100 "ab"))}])
  (catch Exception e (println (ex-message e)) (-> (ex-data e) (update-in [:argument :text] count))))
;=> {:reason :pmap_error :branch 1 :argument {:n 1 :text 200}}
;out> branch 1 of 1 (argument {:n 1 :text "abababababababababababababababababababababababababababababababababababababababababababababababababababababa...): Divide by zero

;; With more than are under way at once, some were not started.
(pmap (fn [n] (if (= n 300) (/ n 0) n)) (range 1000))
;!> pmap_error 1:29 branch 301 of 1000 (argument 300): Divide by zero (300 branches finished, 699 were not started)
