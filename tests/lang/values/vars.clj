;; A definition answers its var, which prints like this.
(def total 3)
;=> #'total

;; `#'name` and `(var name)` are the var itself.
(def x 1)
[#'x (var x) (= #'x (var x)) (var? #'x) (var? x)]
;=> [#'x #'x true true false]

;; Calling a var calls its present value.
(defn greet [n] (str "Hi " n))
(def f #'greet)
(defn greet [n] (str "Hello " n))
(f "Ada")
;=> "Hello Ada"

;; A var can be passed where a function is wanted.
(defn twice [n] (* 2 n))
(map #'twice [1 2 3])
;=> [2 4 6]

;; The kind of a var.
(def x 1)
(type #'x)
;=> :var
