;; Code that makes code, and names at run time

;; L-1
(defmacro unless [test body] (list 'if test nil body)) (unless false 1)
;!> undefined_symbol 1:2 undefined symbol 'defmacro'. Not available: no macros; write a function with defn
;!> undefined_symbol 1:57 undefined symbol 'unless'. Hint: write (when-not test ...)
;clojure> 1
(defn unless [test body] (if test nil (body))) (unless false (fn [] 1))
;=> 1

;; L-1
(let [x 2] `(+ ~x 1))
;!> parse_error 1:12 syntax quote ` is not supported (there are no macros; write '(...) or (list ...))
;clojure> (clojure.core/+ 2 1)
(let [x 2] (list '+ x 1))
;=> [+ 2 1]

;; L-1
(eval '(+ 1 2))
;!> undefined_symbol 1:2 undefined symbol 'eval'. Not available: programs cannot run other programs; write a function with defn
;clojure> 3
(apply + [1 2])
;=> 3

;; L-1
((resolve 'inc) 1)
;!> undefined_symbol 1:3 undefined symbol 'resolve'. Not available: names cannot be looked up at run time; use a map of functions
;clojure> 2
(({"inc" inc "dec" dec} "inc") 1)
;=> 2

;; L-1
(def ^:dynamic *unit* "kg") (binding [*unit* "g"] (str 5 *unit*))
;!> undefined_symbol 1:30 undefined symbol 'binding'. Not available: no dynamic variables; pass the value as an argument or use let
;clojure> "5g"
(defn with-unit [unit] (str 5 unit)) (with-unit "g")
;=> "5g"

;; L-1
(defn rate [] 2) (defn cost [] (* 3 (rate))) (with-redefs [rate (fn [] 5)] (cost))
;!> undefined_symbol 1:47 undefined symbol 'with-redefs'. Not available: no dynamic variables; pass the function as an argument
;clojure> 15
(defn cost [rate] (* 3 (rate))) (cost (fn [] 5))
;=> 15

;; L-1
(def x 1) (alter-var-root #'x inc)
;!> undefined_symbol 1:12 undefined symbol 'alter-var-root'. Not available: use def to redefine a name
;clojure> 2
(def x 1) (def x (inc x)) x
;=> 2

;; 4.1
(def x)
;!> invalid_arity 1:1 def: expected (def name value) or (def name "doc" value), got 1
;clojure> #'user/x
(def x nil)
;=> #'x

;; L-45
(defn if [a] a)
;!> invalid_form 1:7 cannot redefine special form 'if'
;clojure> #'user/if
(defn choose [a] a)
;=> #'choose

;; D-37
(when false (def never 1)) never
;!> undefined_symbol 1:28 undefined symbol 'never': its def has not run yet
;clojure> #object[clojure.lang.Var$…
(def never (when false 1)) never
;=> nil

;; L-1
(in-ns 'other)
;!> undefined_symbol 1:2 undefined symbol 'in-ns'. Not available: no namespaces; definitions are simply there
;clojure> #object[clojure.lang.Namespace…
(ns other)
;=> nil
