;; Questions about numbers.

;; `number?` holds for integers and floats, the special ones included.
(map number? [1 1.5 ##Inf ##NaN "1" nil :one])
;=> [true true true true false false false]

;; Adding up only what can be added.
(reduce + (filter number? [1 "2" 3.5 nil :x]))
;=> 4.5

;; `int?` and `integer?` hold for integers, not for whole floats.
[(map int? [1 1.0 -3 "1"]) (map integer? [1 1.0 -3 nil])]
;=> [[true false true false] [true false true false]]

;; Beyond 64 bits only `integer?` holds.
(let [big (* 9223372036854775807 2)]
  [(int? big) (integer? big) (int? 9223372036854775807) (rational? big)])
;=> [false true true true]

;; `float?` and `double?` hold for floats.
[(map float? [1.0 1 ##NaN "1.0"]) (map double? [2.5 2 nil])]
;=> [[true false true false] [true false false]]

;; A column is shown by its kind.
(defn show [x]
  (cond (int? x) (str x) (float? x) (format "%.1f" x) :else "-"))
(map show [3 2.25 nil])
;=> ["3" "2.3" "-"]

;; The other way: integers with `double?` false.
(map (fn [x] (if (double? x) (int x) x)) [1.9 2 -1.9])
;=> [1 2 -1]

;; `rational?` holds for integers, `ratio?` and `decimal?` for nothing: the kinds do not exist.
[(map rational? [1 0 1.5 nil]) (ratio? (/ 1 3)) (decimal? 1.5)]
;=> [[true true false false] false false]

;; So the kinds of numbers are two, whatever the division.
(let [results [(/ 1 3) (/ 4 2) 1.5M]]
  [(filter ratio? results) (filter decimal? results) (filter integer? results) (count (filter float? results))])
;=> [[] [] [2] 2]
;warn> decimal-as-float 1:32 a decimal literal such as 1.5M is a float here; write it without M

;; An exact result is an integer, `rational?` tells.
(map #(rational? (/ 12 %)) [1 2 3 4 5])
;=> [true true true true false]

;; `zero?`, `pos?` and `neg?` look at the value.
[(map zero? [0 0.0 -0.0 1]) (map pos? [1 0.1 0 -1]) (map neg? [-1 -0.1 0 1])]
;=> [[true true true false] [true true false false] [true true false false]]

;; For what is no number they answer false, so that filters need no guard.
[(map zero? ["0" nil :a]) (filter pos? [3 nil "x" -1 2]) (filter neg? [nil -2]) (pos? ##NaN)]
;=> [[false false false] [3 2] [-2] false]

;; Gains and losses of a list of changes.
(let [changes [5 -3 0 2.5 -1]]
  {:gains (count (filter pos? changes)) :losses (count (filter neg? changes)) :still (count (filter zero? changes))})
;=> {:gains 2 :losses 2 :still 1}

;; `even?` and `odd?` of integers, negative ones too.
[(map even? [0 1 2 -2]) (map odd? [0 1 2 -3])]
;=> [[true false true true] [false true false true]]

;; A whole float counts as an integer.
[(even? 4.0) (odd? 3.0) (odd? (/ 9 3))]
;=> [true true true]

;; The sums of the odd and the even numbers.
((juxt #(reduce + (filter odd? %)) #(reduce + (filter even? %))) (range 10))
;=> [25 20]

;; A float with a fraction is neither.
(even? 2.5)
;!> type_error 1:1 even?: expected an integer, got the float 2.5; (int x), (round x) or quot gives an integer

;; `odd?` of nil is an error, unlike `zero?`.
(filter odd? [1 nil])
;!> type_error 1:1 odd?: expected an integer, got nil

;; `even?` of text.
(even? "2")
;!> type_error 1:1 even?: expected an integer, got string

;; `pos-int?`, `neg-int?` and `nat-int?` ask for an integer and its sign in one; anything else is false.
[(map pos-int? [1 0 -1 1.0 nil]) (map neg-int? [-1 0 1 -1.0]) (map nat-int? [0 1 -1 "0"])]
;=> [[true false false false false] [true false false false] [true true false false]]

;; Checking the arguments of a function.
(defn page [{:keys [number size]}]
  (if (and (nat-int? number) (pos-int? size)) [(* number size) size] :invalid))
[(page {:number 2 :size 10}) (page {:number -1 :size 10}) (page {:number 1 :size 0}) (page {:number "1" :size 5})]
;=> [[20 10] :invalid :invalid :invalid]

;; Debts only: entries with a negative whole amount.
(filter (comp neg-int? :amount) [{:amount -5} {:amount 5} {:amount -0.5} {}])
;=> [{:amount -5}]

;; `NaN?` and `infinite?` take numbers.
[(NaN? ##NaN) (NaN? 1) (infinite? ##Inf) (infinite? 5)]
;=> [true false true false]

;; `num` answers its number.
[(num 1) (num 2.5) (map num [1 2])]
;=> [1 2.5 [1 2]]

;; It is a check that stops at what is no number.
(num "5")
;!> type_error 1:1 num: expected a number, got string

;; One number at a time: what holds for several is asked with `every?`.
[(number? 1 2) (int? 1 2) (integer? 1 2) (float? 1 2) (double? 1 2)]
;!> arity_error 1:2 number?: expected 1 argument, got 2
;!> arity_error 1:16 int?: expected 1 argument, got 2
;!> arity_error 1:27 integer?: expected 1 argument, got 2
;!> arity_error 1:42 float?: expected 1 argument, got 2
;!> arity_error 1:55 double?: expected 1 argument, got 2

;; The signs, too.
[(zero? 1 2) (pos? 1 2) (neg? 1 2) (even? 1 2) (odd? 1 2)]
;!> arity_error 1:2 zero?: expected 1 argument, got 2
;!> arity_error 1:14 pos?: expected 1 argument, got 2
;!> arity_error 1:25 neg?: expected 1 argument, got 2
;!> arity_error 1:36 even?: expected 1 argument, got 2
;!> arity_error 1:48 odd?: expected 1 argument, got 2

;; And the questions for kind and sign in one.
[(pos-int? 1 2) (neg-int? 1 2) (nat-int? 1 2) (rational? 1 2) (NaN? 1 2)]
;!> arity_error 1:2 pos-int?: expected 1 argument, got 2
;!> arity_error 1:17 neg-int?: expected 1 argument, got 2
;!> arity_error 1:32 nat-int?: expected 1 argument, got 2
;!> arity_error 1:47 rational?: expected 1 argument, got 2
;!> arity_error 1:63 NaN?: expected 1 argument, got 2

;; With `every?` and `some`.
[(every? pos? [1 2]) (some zero? [1 0]) (every? even? [2 3])]
;=> [true true false]
