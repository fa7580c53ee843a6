;; A quoted list is data: its parts are not called. It is a vector here.
['(1 2 3) '(+ 1 2) (vector? '(1 2)) (= '(1 2) [1 2])]
;=> [[1 2 3] [+ 1 2] true true]

;; `list` evaluates its parts, a quoted list does not.
(let [x 5]
  [(list x (inc x)) '(x (inc x))])
;=> [[5 6] [x [inc x]]]

;; `()` is the empty list, equal to an empty vector, different from nil.
[() (= () []) (= () nil) (empty? ()) (seq ()) (first ()) (rest ())]
;=> [[] true false true nil nil []]

;; `cons`, `first` and `rest` are the front of a list, as in any Lisp.
(let [xs (cons 1 (cons 2 ()))]
  [xs (first xs) (rest xs) (rest (rest xs))])
;=> [[1 2] 1 [2] []]

;; A function over a list, by its front.
(defn total [[x & more]] (if x (+ x (total more)) 0))
(total '(3 4 5))
;=> 12

;; A list is turned around by pushing its parts to the front.
(reduce (fn [done x] (cons x done)) () [1 2 3])
;=> [3 2 1]

;; `conj` on a quoted list works at the end, unlike in Clojure; a warning says so.
(conj '(1 2) 0)
;=> [1 2 0]
;warn> list-order 1:2 lists are vectors here: conj works at the end; use cons, first and rest for the front

;; `peek` and `pop` of a quoted list are at the end too.
(let [xs '(1 2 3)]
  [(peek '(1 2 3)) (pop '(1 2 3)) (first xs)])
;=> [3 [1 2] 1]
;warn> list-order 2:5 lists are vectors here: peek works at the end; use cons, first and rest for the front
;warn> list-order 2:21 lists are vectors here: pop works at the end; use cons, first and rest for the front

;; A queue: in at the end, out at the front.
(loop [queue [[:root 0]] seen []]
  (if-let [[node depth] (first queue)]
    (recur (into (subvec queue 1)
                 (map (fn [child] [child (inc depth)]))
                 ({:root [:a :b] :a [:c]} node))
           (conj seen [depth node]))
    seen))
;=> [[0 :root] [1 :a] [1 :b] [2 :c]]

;; `list*` makes a list with a given rest.
(list* :a :b [:c :d])
;=> [:a :b :c :d]

;; Symbols in a quoted list are values with names.
(map (fn [part] (if (symbol? part) (name part) part)) '(rate * 100))
;=> ["rate" "*" 100]

;; A small calculator for nested lists.
(defn calc [form]
  (if (sequential? form)
    (let [[op & args] form]
      (apply ({'+ + '- - '* *} op) (map calc args)))
    form))
(calc '(+ 1 (* 2 3) (- 10 4)))
;=> 13

;; A number at the head of a list that is not quoted is called: the quote was forgotten.
(count (1 2 3))
;!> not_callable 1:8 cannot call 1 (number): the function comes first, as in (+ 1 2)

;; The same with a text.
(map count ("a" "bb"))
;!> not_callable 1:12 cannot call "a" (string): the function comes first, as in (+ 1 2)

;; Quoting keeps everything inside as it is written, also in vectors and maps.
['[a (b c)] '{:k (f x)} (map symbol? '[a :b "c"])]
;=> [[a [b c]] {:k [f x]} [true false false]]

;; A list of pairs is searched from its front.
(defn lookup [k [[key value] & more :as pairs]]
  (cond
    (empty? pairs) nil
    (= k key) value
    :else (recur k more)))
[(lookup :b '((:a 1) (:b 2) (:b 3))) (lookup :z '((:a 1)))]
;=> [2 nil]

;; A table of forms is turned into a map of their names.
(into {} (map (fn [[op name & args]] [(keyword name) {:op (keyword op) :args args}])
              '((move up 3) (turn left) (move down))))
;=> {:up {:op :move :args [3]} :left {:op :turn :args nil} :down {:op :move :args nil}}

;; A list may be spread over a call.
(let [args (list 3 9 4)]
  [(apply max args) (apply list 0 args)])
;=> [9 [0 3 9 4]]
