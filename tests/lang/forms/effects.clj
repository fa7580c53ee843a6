;; `comment` is not looked at: nothing in it runs, nothing in it must make sense.
(comment
  (println "never")
  (no-such-function 1))
;=> nil

;; `comment` has a value, nil, so it can stand anywhere a form can.
[1 (comment "two") 3]
;=> [1 nil 3]

;; `time` gives the value of its form, and prints how long it took; the clock of these cases stands still.
(time (+ 1 2))
;=> 3
;out> "Elapsed time: 0.0 msecs"

;; `do` groups effects and a value.
(if true (do (println "yes") 1) 2)
;=> 1
;out> yes

;; `with-out-str` gives what its body printed, and prints nothing.
(with-out-str (println "total" 3) (print "end"))
;=> "total 3\nend"

;; It nests; each level gets its own text.
(let [outer (with-out-str
              (print "a")
              (let [inner (with-out-str (print "b"))]
                (print (upper-case inner))))]
  outer)
;=> "aB"

;; Prints of called functions count, in order.
(defn line [x] (println "-" x) x)
[(count (with-out-str (run! line [1 2 3]))) (line 4)]
;=> [12 4]
;out> - 4

;; An error inside ends the collecting; what was printed inside is gone with it.
(try (with-out-str (println "lost") (/ 1 0)) (catch Exception e (println "after")))
;=> nil
;out> after

;; Without prints the text is empty.
[(with-out-str) (with-out-str (+ 1 2))]
;=> ["" ""]

;; An open line inside is dropped with an error, the one outside goes on (L-49).
(print "kept ")
(try (with-out-str (print "lost") (throw (ex-info "x" {}))) (catch Exception e (print "too")))
;=> nil
;out> kept too

;; `def` inside `let` and `if` defines for the whole turn.
(let [x 5] (def doubled (* 2 x)))
(if true (def flag :yes) (def flag :no))
[doubled flag]
;=> [10 :yes]

;; A `def` that was not reached defines nothing.
(when false (def never 1))
never
;!> undefined_symbol 2:1 undefined symbol 'never': its def has not run yet

;; A function may define another one.
(defn outer [] (defn inner [] :inner) (inner))
[(outer) (inner)]
;=> [:inner :inner]

;; A closure sees locals as they were, definitions as they are.
(def n 1)
(let [m 1]
  (def both (fn [] [n m]))
  (let [m 2]
    (def n 5)
    (both)))
;=> [5 1]

;; `map` over a vector runs at once, over an endless sequence only when asked (L-28).
(def eager (map (fn [x] (println "eager" x) x) [1 2]))
(def lazy (map (fn [x] (println "lazy" x) x) (iterate inc 1)))
(println "asking")
(first lazy)
;=> 1
;out> eager 1
;out> eager 2
;out> asking
;out> lazy 1

;; The argument order of effects: head, then arguments, then the call.
((do (println "head") +) (do (println "one") 1) (do (println "two") 2))
;=> 3
;out> head
;out> one
;out> two

;; Map literals compute key and value, pair by pair.
(defn say [x] (println x) x)
{(say :a) (say 1) (say :b) (say 2)}
;=> {:a 1 :b 2}
;out> :a
;out> 1
;out> :b
;out> 2

;; `time` yields to a definition of one's own (L-45).
(defn time [x] [:time x])
(time 4)
;=> [:time 4]
