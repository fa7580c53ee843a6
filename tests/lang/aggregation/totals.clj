;; `sum` adds a collection; nil is skipped, and nothing sums to 0.
[(sum [1 nil 2]) (sum [1 0.5]) (sum []) (sum nil) (sum #{4 5})]
;=> [3 1.5 0 0 9]

;; A text among the numbers is told.
(sum [1 "2"])
;!> type_error 1:1 sum: expected numbers, got string

;; `avg` is the mean as a float; nil does not count, and nothing has no mean.
[(avg [4 nil 5]) (avg [2 2]) (avg []) (avg [nil])]
;=> [4.5 2.0 nil nil]

;; `avg` needs numbers.
(avg [1 :a])
;!> type_error 1:1 avg: expected numbers, got keyword

;; `sum-by` adds a field of many rows.
(sum-by :amount [{:amount 10} {} {:amount nil} {:amount 5}])
;=> 15

;; The key may be a function or a path.
[(sum-by count ["ab" "c"]) (sum-by #(* (:n %) (:price %)) [{:n 2 :price 3} {:n 1 :price 4}]) (sum-by [:stats :hits] [{:stats {:hits 2}} {:stats {:hits 3}}])]
;=> [3 10 5]

;; Rows from outside with string keys work as well.
(sum-by :n [{"n" 1} {:n 2}])
;=> 3

;; Texts in the field cannot be added; they are parsed first.
(sum-by :amount [{:amount "10"}])
;!> type_error 1:1 sum-by: expected numbers, got string

;; One map is not many rows.
(sum-by :amount {:amount 10})
;!> type_error 1:1 sum-by: field access over a collection expects many maps, got one map; use (:amount m)

;; `avg-by` is the mean of a field, of the rows that have it.
[(avg-by :score [{:score 4} {:score nil} {:score 5} {}]) (avg-by :score [])]
;=> [4.5 nil]

;; Mean length of words.
(avg-by count ["to" "be" "or" "notbe"])
;=> 2.75

;; `avg-by` with a field of texts.
(avg-by :age [{:age "forty"}])
;!> type_error 1:1 avg-by: expected numbers, got string

;; `min-by` and `max-by` answer the row, not the value; the first of equals; rows without a value are passed over.
(let [rows [{:n "a" :p 3} {:n "b"} {:n "c" :p 1} {:n "d" :p 3} {:n "e" :p 1}]]
  [(:n (min-by :p rows)) (:n (max-by :p rows))])
;=> ["c" "a"]

;; Nothing to choose from is nil.
[(min-by :p []) (max-by :p nil) (min-by :p [{} {:p nil}])]
;=> [nil nil nil]

;; Longest word, latest date, entry with the largest value.
[(max-by count ["a" "ccc" "bb"]) (max-by :day [{:day "2024-02-01"} {:day "2024-11-30"}]) (max-by val {:x 1 :y 3})]
;=> ["ccc" {:day "2024-11-30"} [:y 3]]

;; The items may be given one by one.
[(min-by abs -5 2 -3) (max-by count "a" "bbb")]
;=> [2 "bbb"]

;; Values of different kinds have no greatest.
(max-by :v [{:v 1} {:v "2"}])
;!> type_error 1:1 cannot compare string with number; the keys must be of the same kind: (max-by #(parse-double (str (f %))) coll) compares as numbers

;; `pluck` takes a field of every row; missing is nil.
[(pluck :id [{:id 4} {"id" 5} {}]) (pluck [:geo :lat] [{:geo {:lat 59}} {}]) (pluck :id nil)]
;=> [[4 5 nil] [59 nil] []]

;; `pluck` with a string as field.
(pluck "name" [{"name" "x"} {:name "y"}])
;=> ["x" "y"]

;; The field comes first, and the rows are many.
(pluck :id {:id 4})
;!> type_error 1:1 pluck: field access over a collection expects many maps, got one map; use (:id m)

;; `distinct-by` keeps the first row for each value.
(distinct-by :email [{:id 1 :email "a"} {:id 2 :email "b"} {:id 3 :email "a"}])
;=> [{:id 1 :email "a"} {:id 2 :email "b"}]

;; Names that differ only in their case are one.
(distinct-by clojure.string/lower-case ["Ann" "ANN" "Bob"])
;=> ["Ann" "Bob"]

;; `distinct-by` needs a collection.
(distinct-by :id 5)
;!> type_error 1:1 distinct-by: expected a collection, got number

;; A report by group: number, total, mean and best of each.
(->> [{:region "north" :rep "a" :sales 10} {:region "south" :rep "b" :sales 40}
      {:region "north" :rep "c" :sales 30} {:region "south" :rep "d" :sales 20}]
     (group-by :region)
     (map (fn [[region rows]]
            {:region region
             :n (count rows)
             :total (sum-by :sales rows)
             :mean (avg-by :sales rows)
             :best (:rep (max-by :sales rows))})))
;=> [{:region "north" :n 2 :total 40 :mean 20.0 :best "c"} {:region "south" :n 2 :total 60 :mean 30.0 :best "b"}]

;; Shares of a total, in percent.
(let [votes {:yes 12 :no 3 :none 5}
      total (sum (vals votes))]
  (update-vals votes #(* 100.0 (/ % total))))
;=> {:yes 60.0 :no 15.0 :none 25.0}

;; Weighted mean.
(let [rows [{:grade 1 :weight 3} {:grade 4 :weight 1}]]
  (/ (sum-by #(* (:grade %) (:weight %)) rows)
     (sum-by :weight rows)))
;=> 1.75

;; The median needs sorting.
(let [median (fn [xs]
               (let [v (sort xs) n (count v) half (quot n 2)]
                 (if (odd? n) (nth v half) (avg [(nth v (dec half)) (nth v half)]))))]
  [(median [9 1 5]) (median [4 1 3 2])])
;=> [5 2.5]
