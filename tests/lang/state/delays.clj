;; A delay runs its body at most once, when it is asked.
(def report (delay (println "working") 42))
(println "defined")
[@report (force report) (deref report)]
;=> [42 42 42]
;out> defined
;out> working

;; A delay nobody asks never runs.
(let [d (delay (println "never"))] (delay? d))
;=> true

;; `force` gives anything that is no delay as it is.
[(force 5) (force nil) (force (delay :late))]
;=> [5 nil :late]

;; Choose between computing and not computing with `force`.
(defn pick [flag a b] (if flag (force a) (force b)))
(pick true (delay (do (println "a") 1)) (delay (do (println "b") 2)))
;=> 1
;out> a

;; `delay?` tells delays from values.
(map delay? [(delay 1) 1 nil (atom 1)])
;=> [true false false false]

;; `realized?` says whether a delay has run.
(let [d (delay (+ 1 2))]
  [(realized? d) @d (realized? d)])
;=> [false 3 true]

;; A delay that fails fails every time it is asked.
(def broken (delay (throw (ex-info "no data" {}))))
(defn ask [] (try @broken (catch Exception e (ex-message e))))
[(ask) (ask)]
;=> ["no data" "no data"]

;; A delay prints what is known of it.
(let [d (delay 1)] [(str d) (do @d (str d))])
;=> ["#<delay>" "#<delay 1>"]

;; A body of several forms, and an empty one.
[@(delay (println "x") 1) @(delay)]
;=> [1 nil]
;out> x

;; A delay in a definition keeps its value for the next turn.
(def expensive (delay (println "once") 7))
(+ @expensive 1)
;=> 8
;out> once
(+ @expensive 2)
;=> 9
