;; A keyword called with a map looks itself up, with a default for what is missing.
[(:a {:a 1}) (:b {:a 1}) (:b {:a 1} :none) (:a nil)]
;=> [1 nil :none nil]

;; A keyword called with a set gives the member.
[(:a #{:a :b}) (:c #{:a :b}) (:c #{} :none)]
;=> [:a nil :none]

;; A map called with a key looks it up, with a default as well.
[({:a 1} :a) ({:a 1} :b) ({:a 1} :b 0)]
;=> [1 nil 0]

;; Keyword and string find each other in a map (flexible lookup).
[(:a {"a" 1}) ({"a" 1} :a) (get {:a 1} "a")]
;=> [1 1 1]

;; A set called with a value gives the member or nil.
(filter #{"tea" "milk"} ["milk" "oil" "tea"])
;=> ["milk" "tea"]

;; A set of nil or false cannot tell its member from nothing.
[(#{nil} nil) (#{false} false) (contains? #{nil} nil)]
;=> [nil false true]

;; A vector called with an index is `nth`, but outside it is an error (L-46).
(map ["zero" "one" "two"] [2 0])
;=> ["two" "zero"]

;; An index outside of the called vector.
([1 2] 5)
;!> argument_error 1:1 index 5 is outside a vector of length 2

;; A symbol is callable like a keyword (L-37).
[('a {'a 1}) ('b {'a 1} :none)]
;=> [1 :none]

;; A var calls what it holds now.
(defn double-it [x] (* 2 x))
(let [f #'double-it]
  (def double-it (fn [x] (* 20 x)))
  (f 1))
;=> 20

;; Functions are values: put them into maps and look them up.
(def handlers {:add + :join str})
(defn handle [op & args] (apply (get handlers op vector) args))
[(handle :add 1 2) (handle :join "a" "b") (handle :other 1)]
;=> [3 "ab" [1]]

;; The head may be any expression.
[((if true + -) 5 3) ((comp inc :n) {:n 1}) ((:f {:f dec}) 10)]
;=> [8 2 9]

;; A number is not callable.
(let [total 42] (total 1))
;!> not_callable 1:17 cannot call 42 (number): the function comes first, as in (+ 1 2)

;; A string is not callable.
("name" {"name" 1})
;!> not_callable 1:1 cannot call "name" (string): the function comes first, as in (+ 1 2)

;; Parentheses around a value call it: the classic slip.
(let [x 5] (if (> x 3) (x) 0))
;!> not_callable 1:24 cannot call 5 (number): a value is written without parentheses

;; nil is not callable; the place is the call.
(let [handlers {:a inc}]
  ((:b handlers) 1))
;!> not_callable 2:3 cannot call nil: the first form of a call must be a function, and here it is nil

;; All arguments are evaluated before the call turns out to be wrong.
(let [f 5] (f (println "first") (println "second")))
;out> first
;out> second
;!> not_callable 1:12 cannot call 5 (number): the function comes first, as in (+ 1 2)

;; A keyword takes a map and at most one default.
(:a {:a 1} 2 3)
;!> invalid_keyword_call 1:1 (:a ...) expects a map and an optional default, got 3 arguments

;; Arguments are evaluated from left to right.
(defn show [x] (println x) x)
(+ (show 1) (show 2) (show 3))
;=> 6
;out> 1
;out> 2
;out> 3

;; Depth is not the native stack: 9,000 nested calls are fine (L-7).
(defn down [n] (if (zero? n) 0 (inc (down (dec n)))))
(down 9000)
;=> 9000

;; The result of `println` is nil: calling it is an error after the print.
((println "x"))
;out> x
;!> not_callable 1:1 cannot call nil: the first form of a call must be a function, and here it is nil

;; Maps and sets check their number of arguments as well.
({:a 1})
;!> arity_error 1:1 map: a value is written without parentheses; called like a function it takes 1 argument, got 0

;; A set takes one.
(#{1} 1 2)
;!> arity_error 1:1 set: expected 1 argument, got 2

;; An index outside of the vector in `map` is an error of that call.
(map [10 20] [0 5])
;!> argument_error 1:1 index 5 is outside a vector of length 2

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

;; A single form in `#()` is called, as everywhere in a list (L-66).
(let [start (atom (fn [] 3)) fs [(fn [] 4)]]
  [(map #(%) [(fn [] 1) (constantly 2)])
   (some #(%) [(constantly nil) (constantly 5)])
   (#(@start))
   (#((first fs)))
   (#((:f %)) {:f (fn [] 6)})
   (-> (constantly 7) (#(%)))])
;=> [[1 2] 5 3 4 6 7]

;; What is not a function is named, with what to write instead.
(map #(%) [1])
;!> not_callable 1:6 cannot call 1 (number): a value is written without parentheses; #(x) calls x: write identity for #(%), (fn [] x) for a value
