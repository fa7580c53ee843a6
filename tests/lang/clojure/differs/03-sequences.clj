;; Sequences: what gives a list or a lazy sequence in Clojure gives a vector; a sequence is lazy where it is unbounded, or where only its beginning is read.

;; D-23
(vector? '(1 2))
;=> true
;clojure> false

;; D-23
(vector? (map inc [1]))
;=> true
;clojure> false

;; D-23
(seq? [1])
;=> true
;clojure> false

;; D-23
(conj '(1 2) 3)
;warn> list-order 1:2 lists are vectors here: conj works at the end; use cons, first and rest for the front
;=> [1 2 3]
;clojure> (3 1 2)

;; D-23
(conj nil 1 2)
;=> [1 2]
;clojure> (2 1)

;; 5.2
(into nil [1 2])
;warn> list-order 1:7 lists and nil become vectors here: into adds at the end; write (reverse coll) for the other order
;=> [1 2]
;clojure> (2 1)

;; D-23
(into '(1) [2])
;=> [1 2]
;clojure> (2 1)

;; D-23
(peek '(1 2 3))
;warn> list-order 1:2 lists are vectors here: peek works at the end; use cons, first and rest for the front
;=> 3
;clojure> 1

;; D-23
(get '(1 2) 0)
;=> 1
;clojure> nil

;; D-23
('(1 2) 0)
;=> 1
;clojure> throws

;; D-23
(assoc (map inc [1 2]) 0 :x)
;=> [:x 3]
;clojure> throws

;; L-30
(str (map inc [1 2]))
;=> "[2 3]"
;clojure> "clojure.lang.LazySeq@402"

;; D-14
(nth [1 2] 5)
;=> nil
;clojure> throws

;; D-15
(contains? [:a] :a)
;=> true
;clojure> false

;; D-15
(contains? [10 20] 1)
;warn> contains-on-vector 1:1 contains? looks for an element of a vector, not for an index; compare with (count v) for an index
;=> false
;clojure> true

;; L-28
(let [n (atom 0) xs (map #(swap! n + %) [1 2 3])] @n)
;=> 6
;clojure> 0

;; L-28
(try (map #(/ 10 %) [1 0]) (catch Exception e :caught))
;=> :caught
;clojure> throws

;; L-28
(first (map #(/ 10 %) [1 0]))
;=> 10
;clojure> throws

;; L-29
(let [n (atom -1) xs (map #(/ % (swap! n inc)) (iterate inc 5))] (try (first xs) (catch Exception e nil)) (first xs))
;=> 5
;clojure> nil

;; 5.3
(sort :desc [1 3 2])
;=> [3 2 1]
;clojure> throws

;; D-29
(find odd? [2 3])
;=> 3
;clojure> throws

;; L-46
(bounded-count 3 [1 2 3 4 5])
;=> 3
;clojure> 5

;; language.md
(rand-nth [])
;=> nil
;clojure> throws

;; 4.2
(let [[[k v]] {:x 1}] [k v])
;=> [:x 1]
;clojure> throws

;; language.md
(let [{:keys [a]} [:a 1]] a)
;=> 1
;clojure> nil

;; 5.0
(clojure.set/difference [1 2] #{1})
;=> #{2}
;clojure> throws

;; 5.11
(map-entry? [1 2])
;=> true
;clojure> false

;; 5.11
(key [1 2])
;=> 1
;clojure> throws
