;; Everything that can be known before the run is reported at once, in the order of the text (L-17, L-59).
(println "never")
(defn area [w h] (* w h))
(area 2)
(fliter odd? [1 2 3])
(inc 1 2)
;!> arity_error 3:1 area: expected 2 arguments, got 1
;!> undefined_symbol 4:2 undefined symbol 'fliter'. Did you mean 'filter'?
;!> arity_error 5:1 inc: expected 1 argument, got 2

;; Unknown data, unknown tools, unknown names: each with its own reason.
;- data {:rows []}
;- tool search (query :string) -> [:any] = []
[data/row (tool/find "x") totl]
;!> data_not_found 1:2 data 'row' not found; available data: rows. Did you mean 'data/rows'?
;!> tool_not_found 1:12 tool 'find' not found; available tools: search
;!> undefined_symbol 1:27 undefined symbol 'totl'

;; A name that is unknown in several places is reported once.
(+ totl (* 2 totl) (- totl))
;!> undefined_symbol 1:4 undefined symbol 'totl'

;; At most five problems are listed.
[aa1 bb2 cc3 dd4 ee5 ff6 gg7]
;!> undefined_symbol 1:2 undefined symbol 'aa1'
;!> undefined_symbol 1:6 undefined symbol 'bb2'
;!> undefined_symbol 1:10 undefined symbol 'cc3'
;!> undefined_symbol 1:14 undefined symbol 'dd4'
;!> undefined_symbol 1:18 undefined symbol 'ee5'

;; A branch that is never reached is checked as well.
(if true 1 (no-such-function 2))
;!> undefined_symbol 1:13 undefined symbol 'no-such-function'

;; The shape of forms inside functions is checked when they are written.
(defn broken [x] (if))
;!> invalid_arity 1:18 if: expected (if test then else?), got 0

;; Two wrong forms in one function.
(defn report [rows]
  (let [n (count)] (str n))
  (when))
;!> arity_error 2:11 count: expected 1 argument, got 0
;!> invalid_arity 3:3 when: expected (when test body...), got 0

;; Arities of builtins are known, with and without rest.
[(assoc {}) (nth [1]) (str) (subs "a") (reduce +)]
;!> arity_error 1:2 assoc: expected 3 or more arguments, got 1
;!> arity_error 1:13 nth: expected 2 or 3 arguments, got 1
;!> arity_error 1:29 subs: expected 2 or 3 arguments, got 1
;!> arity_error 1:40 reduce: expected 2 or 3 arguments, got 1

;; Own functions are counted in threads, too: the threaded value is an argument.
(defn scale [x factor] (* x factor))
(-> 5 (scale 2 3))
;!> arity_error 2:7 scale: expected 2 arguments, got 3

;; A function that is defined later is checked as well.
(greet)
(defn greet [name] (str "Hi " name))
;!> arity_error 1:1 greet: expected 1 argument, got 0

;; A local of the same name is another function.
(defn area [w h] (* w h))
(let [area (fn [side] (* side side))] (area 3))
;=> 9

;; A function that is redefined is not checked by count: either could be meant.
(defn f [x] x)
(defn f [x y] [x y])
(f 1 2)
;=> [1 2]

;; Misplaced `recur` next to an unknown name.
(loop [i 0] (println (recur (inc j))))
;!> invalid_form 1:22 recur is only allowed in tail position
;!> undefined_symbol 1:34 undefined symbol 'j'

;; A bracket that is missing is the only problem: the rest cannot be read.
(defn f [x] (* x unknown-name)
(f 1 2 3)
;!> parse_error 1:1 Unexpected end of input: '(' opened at line 1, column 1 was never closed

;; Problems come in the order of the text, whatever their kind.
[(tool/a 1) (b 2) data/c (if) %]
;!> tool_not_found 1:3 tool 'a' not found; no tools are registered
;!> undefined_symbol 1:14 undefined symbol 'b'
;!> data_not_found 1:19 data 'c' not found; there is no input data
;!> invalid_arity 1:26 if: expected (if test then else?), got 0
;!> invalid_placeholder 1:31 % has no meaning outside #()

;; Local functions of `letfn` and functions called on the spot are counted as they run.
(letfn [(f [a] a)] (f 1 2))
;!> arity_error 1:20 f: expected 1 argument, got 2

;; A function in a callback is counted at the call that uses it.
(map (fn [a b] a) [1 2])
;!> arity_error 1:1 fn: expected 2 arguments, got 1

;; `apply` is counted when it runs.
(defn f [a] a)
(println "runs")
(apply f [1 2])
;out> runs
;!> arity_error 3:1 f: expected 1 argument, got 2
