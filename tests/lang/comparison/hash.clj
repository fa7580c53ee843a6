;; `hash`: an integer that equal values share.

;; Equal values have the same hash, whatever the order of their making.
[(= (hash {:a 1 :b 2}) (hash {:b 2 :a 1})) (= (hash #{1 2 3}) (hash #{3 2 1})) (= (hash "ab") (hash (str "a" "b")))]
;=> [true true true]

;; A sequence hashes like the vector with its elements.
(= (hash [0 1 2]) (hash (range 3)) (hash '(0 1 2)))
;=> true

;; It is an integer.
[(integer? (hash "x")) (integer? (hash nil)) (integer? (hash {:a [1 2]}))]
;=> [true true true]

;; Different values nearly always differ.
[(count (distinct (map hash (range 100)))) (= (hash :a) (hash "a"))]
;=> [100 false]

;; Work shared out among four workers, always the same way.
(defn worker [job] (mod (hash job) 4))
[(= (map worker ["a" "b" "c"]) (map worker ["a" "b" "c"])) (every? #(<= 0 (worker %) 3) (range 50))]
;=> [true true]

;; `hash` takes one value.
(hash 1 2)
;!> arity_error 1:1 hash: expected 1 argument, got 2
