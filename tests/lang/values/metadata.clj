;; Metadata is read and ignored; the value is what counts (L-1).
(def ^{:doc "how many"} limit 3)
(def ^:private rows ^{:source "file"} [1 2])
[limit rows]
;=> [3 [1 2]]

;; `^:key` and type hints may stand before any form.
(defn ^long add [^long a ^:maybe b] ^Number (+ a b))
(add 1 2)
;=> 3

;; `meta` gives nil.
[(meta [1 2]) (meta ^{:a 1} {}) (meta inc) (meta nil)]
;=> [nil nil nil nil]

;; Code that asks `meta` for a default still works.
(or (:doc (meta #'count)) "no documentation")
;=> "no documentation"

;; `with-meta` gives its value.
[(with-meta [1] {:line 3}) (meta (with-meta {} {:a 1}))]
;=> [[1] nil]

;; Equality never looked at metadata.
(= (with-meta {:a 1} {:source :cache}) {:a 1})
;=> true

;; `vary-meta` gives its value as well.
(vary-meta {:id 1} assoc :checked true)
;=> {:id 1}

;; `vary-meta` does not call its function for a change that nobody could see.
(count (vary-meta [1 2 3] merge {:x 1}))
;=> 3

;; `^` at the end of a program misses its form.
^:private
;!> parse_error 1:1 Unexpected end of input: expected a form after the metadata that '^' begins
