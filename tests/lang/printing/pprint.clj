;; `pprint`: a value over several lines.

;; What fits into 80 characters is on one line, as `prn` prints it.
(require '[clojure.pprint :refer [pprint]])
(pprint ["Ada" :clj 1.5 nil])
;out> ["Ada" :clj 1.5 nil]
;=> nil

;; It goes by its namespace and its usual aliases, too.
(require '[clojure.pprint :as pp])
(pp/pprint [1 2])
(clojure.pprint/pprint "a")
;out> [1 2]
;out> "a"
;=> nil

;; A longer value has a line for each of its elements and entries.
(defn lines [x] (str/split-lines (with-out-str (pprint x))))
(lines {:shop "Oslo" :orders (map (fn [n] {:id n :item (str "box number " n) :amount (* n 10.5)}) [1 2 3])})
;=> ["{:shop \"Oslo\"" " :orders [{:id 1 :item \"box number 1\" :amount 10.5}" "          {:id 2 :item \"box number 2\" :amount 21.0}" "          {:id 3 :item \"box number 3\" :amount 31.5}]}"]

;; Numbers and words share lines.
(map count (str/split-lines (with-out-str (pprint (range 100 140)))))
;=> [76 76 9]

;; Entries whose keys begin with `_` are left out.
(pprint {:id 1 :_token "s3cret"})
;out> {:id 1}
;=> nil

;; It takes one value.
(pprint 1 2)
;!> arity_error 1:1 pprint: expected 1 argument, got 2
