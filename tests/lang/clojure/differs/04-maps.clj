;; Maps and sets: entries and elements keep the order in which they came, a keyword finds the text of its name as a key, and the text finds the keyword.

;; D-08
{:a 1 :a 2}
;=> {:a 2}
;clojure> throws

;; D-08
#{1 1}
;=> #{1}
;clojure> throws

;; 9.2
(keys (zipmap (range 9 0 -1) "abcdefghi"))
;=> [9 8 7 6 5 4 3 2 1]
;clojure> (7 1 4 6 3 2 9 5 8)

;; 9.2
(take 3 (set (range 20 0 -1)))
;=> [20 19 18]
;clojure> (7 20 1)

;; 3.8
(:a {"a" 1})
;=> 1
;clojure> nil

;; 3.8
(get {:a 1} "a")
;=> 1
;clojure> nil

;; 3.8
(contains? {"id" 1} :id)
;=> true
;clojure> false

;; D-21
(assoc {"n" 1} :n 2)
;=> {"n" 2}
;clojure> {"n" 1, :n 2}

;; D-21
(dissoc {"n" 1} :n)
;=> {}
;clojure> {"n" 1}

;; 5.5
(select-keys {"id" 1} [:id])
;=> {:id 1}
;clojure> {}

;; 3.8
(let [{:keys [a]} {"a" 1}] a)
;=> 1
;clojure> nil

;; 4.2
(let [n (atom 0) {:keys [a] :or {a (swap! n inc)}} {:a 1}] @n)
;=> 0
;clojure> 1

;; D-23
(into {} ['(1 2)])
;=> {1 2}
;clojure> throws

;; 5.0
(clojure.set/union [1] [2])
;=> #{1 2}
;clojure> [1 2]

;; L-2
(drop-while odd? #{3 1 4})
;=> [4]
;clojure> (4 3)

;; language.md
(get (sorted-map :a 1) "a")
;=> 1
;clojure> throws

;; language.md
(sorted-map-by <= 1 :a 1 :b)
;=> {1 :b}
;clojure> {1 :b, 1 :a}
