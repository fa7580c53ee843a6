;; Every form says how it is written when its parts do not fit; the place is the part that is wrong.

;; `let` needs brackets.
(let)
;!> invalid_arity 1:1 let: expected (let [name value ...] body...), got 0

;; A number cannot stand for the bindings of `let`.
(let 5 1)
;!> invalid_form 1:6 let: expected (let [name value ...] body...)

;; `loop` wants pairs.
(loop [i 0 n] i)
;!> invalid_form 1:7 loop: the bindings need an even number of forms, got 3

;; `fn` without parameters.
(fn)
;!> invalid_arity 1:1 fn: expected (fn [params] body...), got 0

;; `fn` with a name but without parameters.
(fn f)
;!> invalid_arity 1:1 fn: expected (fn [params] body...), got 1

;; `defn` with a text for a name.
(defn "area" [x] x)
;!> invalid_form 1:7 defn: expected (defn name [params] body...)

;; Parameters that are no list of patterns.
(defn area {w h} (* w h))
;!> invalid_form 1:18 defn: expected (defn name [params] body...)

;; Two parameter lists of the same length: the second could never be reached.
(fn ([a] 1) ([b] 2))
;!> invalid_form 1:13 fn: two parameter lists of length 1

;; `&` at the end of the parameters.
(fn [a &] a)
;!> unsupported_pattern 1:8 & in a parameter list needs exactly one name or pattern after it

;; `def` of a text.
(def "x" 1)
;!> invalid_form 1:6 def: expected (def name value) or (def name "doc" value)

;; `def` of a keyword.
(def :x 1)
;!> invalid_form 1:6 def: expected (def name value) or (def name "doc" value)

;; `def` with too many parts.
(def x 1 2 3)
;!> invalid_arity 1:1 def: expected (def name value) or (def name "doc" value), got 4

;; `defonce` without a value.
(defonce x)
;!> invalid_arity 1:1 defonce: expected (defonce name value) or (defonce name "doc" value), got 1

;; `declare` of a number.
(declare 5)
;!> invalid_form 1:10 declare: expected (declare name...)

;; `if` with three branches.
(if true 1 2 3)
;!> invalid_arity 1:1 if: expected (if test then else?), got 4

;; `if-not` without a branch.
(if-not true)
;!> invalid_arity 1:1 if-not: expected (if-not test then else?), got 1

;; `when` without a test.
(when)
;!> invalid_arity 1:1 when: expected (when test body...), got 0

;; `when-not` without a test.
(when-not)
;!> invalid_arity 1:1 when-not: expected (when-not test body...), got 0

;; `case` without a value.
(case)
;!> invalid_arity 1:1 case: expected (case value constant result ... default?), got 0

;; `condp` without a value.
(condp =)
;!> invalid_arity 1:1 condp: expected (condp predicate value test result ... default?), got 1

;; `if-let` without brackets.
(if-let x 1 2)
;!> invalid_form 1:9 if-let: expected (if-let [name test] then else?)

;; `when-let` with a name alone.
(when-let [x] x)
;!> invalid_form 1:11 when-let: expected one name and one value in the brackets, got 1

;; `when-some` with two pairs.
(when-some [a 1 b 2] a)
;!> invalid_form 1:12 when-some: expected one name and one value in the brackets, got 4

;; `when-first` with too many parts.
(when-first [x 1 2] x)
;!> invalid_form 1:13 when-first: expected one name and one value in the brackets, got 3

;; `if-some` with too many branches.
(if-some [x 1] 1 2 3)
;!> invalid_arity 1:1 if-some: expected (if-some [name value] then else?), got 4

;; `as->` without a name.
(as-> 1)
;!> invalid_arity 1:1 as->: expected (as-> value name step...), got 1

;; `as->` with a number for a name.
(as-> 1 5 inc)
;!> unsupported_pattern 1:9 cannot destructure with 5

;; `some->` without a value.
(some->)
;!> invalid_arity 1:1 some->: expected (some-> value step...), got 0

;; `cond->>` without a value.
(cond->>)
;!> invalid_arity 1:1 cond->>: expected (cond->> value test step ...), got 0

;; `doto` without a value.
(doto)
;!> invalid_arity 1:1 doto: expected (doto value step...), got 0

;; `doseq` without brackets.
(doseq x [1])
;!> invalid_arity 1:8 doseq: expected (doseq [name coll ...] body...)

;; `dotimes` without a count.
(dotimes [i] i)
;!> invalid_form 1:10 dotimes: expected one name and one value in the brackets, got 1

;; `while` without a test.
(while)
;!> invalid_arity 1:1 while: expected (while test body...), got 0

;; `letfn` with functions that are not in parentheses.
(letfn [f [x] x] (f 1))
;!> invalid_form 1:9 letfn: expected (letfn [(name [params] body...) ...] body...)

;; `try` with a body behind `catch`.
(try (catch Exception e 1) 2)
;!> invalid_form 1:28 try: the body comes first, then catch clauses, then one finally

;; `catch` with a text for a class.
(try 1 (catch "Exception" e 2))
;!> invalid_form 1:8 catch: expected (catch Exception e body...)

;; `finally` outside of `try`.
(finally (println "done"))
;!> undefined_symbol 1:2 undefined symbol 'finally'. Hint: finally goes inside (try ...)

;; `throw` without anything.
(throw)
;!> invalid_arity 1:1 throw: expected (throw exception), got 0

;; `quote` without anything.
(quote)
;!> invalid_arity 1:1 quote: expected (quote form), got 0

;; `var` of a number.
(var 5)
;!> invalid_form 1:6 var: expected (var name)

;; `assert` without a test.
(assert)
;!> invalid_arity 1:1 assert: expected (assert test message?), got 0

;; `time` of two forms.
(time 1 2)
;!> invalid_arity 1:1 time: expected (time form), got 2

;; `.method` of nothing.
(.length)
;!> arity_error 1:1 .length: expected 1 argument, got 0

;; The old dot form.
(. "abc" length)
;!> invalid_form 1:1 (. object method) is not supported; use (.length object)

;; A tool called by its name as text.
(call "search" {:query "x"})
;!> invalid_form 1:1 tools are functions; use (tool/search args...)

;; A class that does not exist.
(new Foo 1)
;!> undefined_symbol 1:6 undefined symbol 'Foo.'

;; A static method of a class that does not exist.
(Foo/bar 1)
;!> invalid_form 1:2 unknown namespace Foo/; tools live in tool/, input in data/
