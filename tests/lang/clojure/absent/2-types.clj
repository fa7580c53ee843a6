;; Types and dispatch

;; L-1
(defrecord Point [x y]) (:x (->Point 1 2))
;!> undefined_symbol 1:2 undefined symbol 'defrecord'. Not available: use maps
;!> undefined_symbol 1:30 undefined symbol '->Point'
;clojure> 1
(defn point [x y] {:x x :y y}) (:x (point 1 2))
;=> 1

;; L-1
(defprotocol Shape (area [this])) (defrecord Square [w] Shape (area [_] (* w w))) (area (->Square 3))
;!> undefined_symbol 1:2 undefined symbol 'defprotocol'. Not available: use maps and functions
;!> undefined_symbol 1:36 undefined symbol 'defrecord'. Not available: use maps
;!> undefined_symbol 1:84 undefined symbol 'area'
;!> undefined_symbol 1:90 undefined symbol '->Square'
;clojure> 9
(defn square [w] {:area (fn [] (* w w))}) ((:area (square 3)))
;=> 9

;; L-1
(defmulti area :kind) (defmethod area :square [{:keys [w]}] (* w w)) (area {:kind :square :w 3})
;!> undefined_symbol 1:2 undefined symbol 'defmulti'. Not available: use case, cond or a map of functions
;!> undefined_symbol 1:24 undefined symbol 'defmethod'. Not available: use case, cond or a map of functions
;!> undefined_symbol 1:71 undefined symbol 'area'
;clojure> 9
(defn area [{:keys [kind w]}] (case kind :square (* w w))) (area {:kind :square :w 3})
;=> 9

;; L-1
(sort (reify java.util.Comparator (compare [_ a b] (- b a))) [1 3 2])
;!> undefined_symbol 1:8 undefined symbol 'reify'. Not available: use maps of functions
;clojure> (3 2 1)
(sort (fn [a b] (- b a)) [1 3 2])
;=> [3 2 1]

;; L-1
(derive ::cat ::animal) (isa? ::cat ::animal)
;!> undefined_symbol 1:2 undefined symbol 'derive'. Not available: no hierarchies; use a map from each kind to the one above it
;!> undefined_symbol 1:26 undefined symbol 'isa?'. Not available: no hierarchies; use a map from each kind to the one above it
;clojure> true
(let [parent {:cat :animal}] (= :animal (parent :cat)))
;=> true
