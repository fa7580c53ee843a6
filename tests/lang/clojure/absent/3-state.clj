;; State and threads

;; L-1
(deref (future (+ 1 2)))
;!> undefined_symbol 1:9 undefined symbol 'future'. Not available: use pmap or pcalls
;clojure> 3
(first (pcalls (fn [] (+ 1 2))))
;=> 3

;; L-1
(pvalues 1 2)
;!> undefined_symbol 1:2 undefined symbol 'pvalues'. Not available: use pmap or pcalls
;clojure> (1 2)
(pcalls (fn [] 1) (fn [] 2))
;=> [1 2]

;; L-1
(let [a (agent 0)] (send a inc) (await a) @a)
;!> undefined_symbol 1:10 undefined symbol 'agent'. Not available: use an atom, or pmap and pcalls
;!> undefined_symbol 1:21 undefined symbol 'send'. Not available: use an atom with swap!
;!> undefined_symbol 1:34 undefined symbol 'await'. Not available: calls of tools simply wait; for several at once use pmap or pcalls
;clojure> 1
(let [a (atom 0)] (swap! a inc) @a)
;=> 1

;; L-1
(let [r (ref 0)] (dosync (alter r inc)) @r)
;!> undefined_symbol 1:10 undefined symbol 'ref'. Not available: use an atom
;!> undefined_symbol 1:19 undefined symbol 'dosync'. Not available: use an atom with swap!
;clojure> 1
(let [r (atom 0)] (swap! r inc) @r)
;=> 1

;; L-1
(let [p (promise)] (deliver p 3) @p)
;!> undefined_symbol 1:10 undefined symbol 'promise'. Not available: use pmap or pcalls
;!> undefined_symbol 1:21 undefined symbol 'deliver'. Not available: use pmap or pcalls
;clojure> 3
(let [p (atom nil)] (reset! p 3) @p)
;=> 3

;; L-1
(swap! (atom 1 :validator pos?) inc)
;!> argument_error 1:8 atom: :validator is not available here; test the new value in the function of swap!
;clojure> 2
(swap! (atom 1) (fn [n] {:post [(pos? %)]} (inc n)))
;=> 2

;; L-1
(let [a (atom 1)] (set-validator! a pos?) (swap! a inc))
;!> undefined_symbol 1:20 undefined symbol 'set-validator!'. Not available: atoms have no validators; test the new value in the function of swap!
;clojure> 2
(let [a (atom 1)] (swap! a (fn [n] {:post [(pos? %)]} (inc n))))
;=> 2

;; L-1
(let [a (atom 1)] (add-watch a :log (fn [_ _ _ new] (println new))) (swap! a inc))
;!> undefined_symbol 1:20 undefined symbol 'add-watch'. Not available: atoms have no watches; call the function after swap!
;clojure> prints 2
(let [a (atom 1)] (println (swap! a inc)))
;out> 2
;=> nil

;; L-1
(do (Thread/sleep 1) :rested)
;!> invalid_form 1:6 unknown namespace Thread/; programs cannot wait; leave it out
;clojure> :rested
:rested
;=> :rested
