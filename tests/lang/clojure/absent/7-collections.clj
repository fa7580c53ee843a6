;; Collections

;; L-1
(aget (int-array [1 2]) 0)
;!> undefined_symbol 1:2 undefined symbol 'aget'. Not available: no arrays; use nth
;clojure> 1
(nth [1 2] 0)
;=> 1

;; L-1
(vec (into-array [1 2]))
;!> undefined_symbol 1:7 undefined symbol 'into-array'. Not available: no arrays; use vec
;clojure> [1 2]
(vec [1 2])
;=> [1 2]

;; 5.0
(map :name {:name "Ada"})
;!> type_error 1:1 map: field access over a collection expects many maps, got one map; use (:name m)
;clojure> (nil)
(:name {:name "Ada"})
;=> "Ada"

;; 4.2
(let [{:keys [a]} [{:a 1}]] a)
;!> destructure_error 1:7 map pattern cannot match [{:a 1}]
;clojure> nil
(let [[{:keys [a]}] [{:a 1}]] a)
;=> 1

;; 5.2
(merge [1] 2)
;!> type_error 1:1 merge: expected a map, got vector
;clojure> [1 2]
(conj [1] 2)
;=> [1 2]

;; language.md
(clojure.set/map-invert [:a :b])
;!> type_error 1:1 clojure.set/map-invert: expected a map, got vector
;clojure> {:a 0, :b 1}
(zipmap [:a :b] (range))
;=> {:a 0 :b 1}
