;; `#(…)` is a function of `%`.
(map #(* % %) [1 2 3])
;=> [1 4 9]

;; `%1` and `%2` are the first and second argument.
(reduce #(+ (* 10 %1) %2) [1 2 3])
;=> 123

;; `%` and `%1` are the same.
(#(vector % %1) 5)
;=> [5 5]

;; `%&` collects the rest, nil where there is none (L-8).
[(#(vector %1 %&) 1 2 3) (#(vector %1 %&) 1)]
;=> [[1 [2 3]] [1 nil]]

;; The highest number counts the arguments, even if others are not used.
(#(str %3) :a :b :c)
;=> ":c"

;; A single form that is no call is the answer itself (D-54).
[(#(42)) (#([% 1]) :x) (#({:id %}) 7) (#(:done))]
;=> [42 [:x 1] {:id 7} :done]

;; A single name is called.
(defn now [] "noon")
(#(now))
;=> "noon"

;; An empty one gives nil.
(#())
;=> nil

;; It closes over what is around it.
(let [rate 3] (map #(* rate %) [1 2]))
;=> [3 6]

;; Its hidden parameters never catch a name of the program.
(let [p1 10] (#(+ p1 %) 1))
;=> 11

;; It prints with parameters p1, p2.
[#(+ %1 %2) #(inc %) #(rand)]
;=> [#fn[p1 p2] #fn[p1] #fn[]]

;; It works where any function does: as key, predicate, comparator.
(sort-by #(- (:n %)) [{:n 1} {:n 3} {:n 2}])
;=> [{:n 3} {:n 2} {:n 1}]

;; `#(do …)` is the way to several forms.
(run! #(do (print %) (println "!")) ["a" "b"])
;=> nil
;out> a!
;out> b!

;; Short functions cannot be nested.
#(map #(inc %) %)
;!> invalid_form 1:7 #() inside #() is not possible; write the inner one as (fn [x] ...)

;; `%` means nothing outside of `#(…)`.
(map (+ % 1) [1 2])
;!> invalid_placeholder 1:9 % has no meaning outside #()

;; There is no `%0`.
(#(+ %0 1) 1)
;!> invalid_placeholder 1:6 %0 is not a parameter of #(); use % or %1 to %20

;; A wrong number of arguments, found when it is called.
(reduce #(inc %) [1 2 3])
;!> arity_error 1:1 fn: expected 1 argument, got 2

;; An `fn` inside of `#(…)` may use `%`.
(#(map (fn [x] (* x %)) [1 2 3]) 10)
;=> [10 20 30]

;; Regular expressions and sets inside are no short functions.
(filter #(re-find #"an" %) ["banana" "cherry"])
;=> ["banana"]
