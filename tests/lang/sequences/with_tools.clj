;; A tool is a function: `map` calls it for each element, in order.
;- tool fetch (id :int) -> :map = {:id data/id :name (str "item " data/id)}
(map :name (map tool/fetch [{:id 1} {:id 2}]))
;=> ["item 1" "item 2"]
;call> fetch {:id 1}
;call> fetch {:id 2}

;; Behind a generator it is called as often as its answers are needed, no more.
;- tool price (id :int) -> :int = (* 10 data/id)
(first (filter #(> % 25) (map (fn [id] (tool/price {:id id})) (iterate inc 1))))
;=> 30
;call> price {:id 1}
;call> price {:id 2}
;call> price {:id 3}

;; Pages are fetched until one is empty.
;- tool page (n :int) -> [:int] = (if (< data/n 3) [data/n (* 10 data/n)] [])
(->> (iterate inc 0)
     (map (fn [n] (tool/page {:n n})))
     (take-while seq)
     (apply concat)
     vec)
;=> [0 0 1 10 2 20]
;call> page {:n 0}
;call> page {:n 1}
;call> page {:n 2}
;call> page {:n 3}

;; The same with `iteration`, where each page names the next.
;- tool page (token :string?) -> :map = (get {nil {:rows [1 2] :next "b"} "b" {:rows [3]}} data/token)
(into [] cat (iteration (fn [token] (tool/page {:token token})) :vf :rows :kf :next))
;=> [1 2 3]
;call> page {:token nil}
;call> page {:token "b"}

;; A sequence that is handed to a tool is made first.
;- tool total (ids [:int]) -> :int = (reduce + data/ids)
(tool/total {:ids (take-while #(< % 4) (range))})
;=> 6
;call> total {:ids [0 1 2 3]}

;; The answer of a mission is made before it leaves.
(return {:first-ones (take-while #(< % 3) (range))})
;return> {:first-ones [0 1 2]}

;; A key for sorting may be a tool; the comparator may not.
;- tool score (id :int) -> :int = (- 10 data/id)
(sort-by (fn [id] (tool/score {:id id})) [1 2 3])
;=> [3 2 1]
;call> score {:id 1}
;call> score {:id 2}
;call> score {:id 3}

;; A comparator is called an unknown number of times: tools are refused there.
;- tool less (a :int, b :int) -> :bool = (< data/a data/b)
(sort (fn [a b] (tool/less {:a a :b b})) [2 1])
;!> argument_error 1:17 sort: the comparator may not call tools; compute keys with tool/less first, then sort by them

;; A fold through a tool: each call knows the answer of the one before.
;- tool add (a :int, b :int) -> :int = (+ data/a data/b)
(reduce (fn [a b] (tool/add {:a a :b b})) [1 2 3])
;=> 6
;call> add {:a 1 :b 2}
;call> add {:a 3 :b 3}

;; `some` stops calling when it has an answer.
;- tool available (sku :string) -> :bool = (= data/sku "B")
(some (fn [sku] (when (tool/available {:sku sku}) sku)) ["A" "B" "C"])
;=> "B"
;call> available {:sku "A"}
;call> available {:sku "B"}

;; Tools inside of groups, of values and of trees.
;- tool kind (n :int) -> :string = (if (even? data/n) "even" "odd")
(let [kind (fn [n] (tool/kind {:n n}))]
  [(group-by kind [1 2 3])
   (update-vals {:a 1} kind)
   (walk/postwalk #(if (number? %) (kind %) %) [1 [2]])])
;=> [{"odd" [1 3] "even" [2]} {:a "odd"} ["odd" ["even"]]]

;; A transducer may call tools as well.
;- tool kind (n :int) -> :string = (if (even? data/n) "even" "odd")
(into [] (comp (map (fn [n] (tool/kind {:n n}))) (dedupe) (take 2)) [1 3 2 4 5])
;=> ["odd" "even"]
;call> kind {:n 1}
;call> kind {:n 3}
;call> kind {:n 2}

;; `memoize` saves calls.
;- tool kind (n :int) -> :string = (if (even? data/n) "even" "odd")
(let [kind (memoize (fn [n] (tool/kind {:n n})))]
  (map kind [1 2 1]))
;=> ["odd" "even" "odd"]
;call> kind {:n 1}
;call> kind {:n 2}

;; An error of one element stops the whole `map`; with `try` inside, only that element.
;- tool fetch (id :int) -> :string = (if (= data/id 2) (fail "gone") (str "row " data/id))
(map (fn [id] (try (tool/fetch {:id id}) (catch Exception e :missing))) [1 2 3])
;=> ["row 1" :missing "row 3"]

;; Rows from outside: sequence functions find their string keys by keyword.
;- data {"rows" [{"n" 1 "tag" "x"} {"n" 5 "tag" "y"} {"n" 3 "tag" "x"}]}
[(map :n data/rows)
 (sum-by :n data/rows)
 (map :n (sort-by :n > data/rows))
 (update-vals (group-by :tag data/rows) count)
 (:tag (max-by :n data/rows))]
;=> [[1 5 3] 9 [5 3 1] {"x" 2 "y" 1} "y"]
