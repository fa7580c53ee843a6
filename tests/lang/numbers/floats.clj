;; Floats as they are: special values, sign, neighbours, exponent.

;; Infinities and NaN are written `##Inf`, `##-Inf`, `##NaN`.
[##Inf ##-Inf ##NaN (- ##Inf) (+ ##Inf 1) (- ##Inf ##Inf)]
;=> [##Inf ##-Inf ##NaN ##-Inf ##Inf ##NaN]

;; The names of Java are constants, too.
[Double/POSITIVE_INFINITY Double/NEGATIVE_INFINITY Double/NaN]
;=> [##Inf ##-Inf ##NaN]

;; NaN spreads through arithmetic, and equals nothing, not even itself.
[(+ 1 ##NaN) (* 0 ##Inf) (= ##NaN ##NaN) (< 1 ##NaN) (> 1 ##NaN)]
;=> [##NaN ##NaN false false false]

;; `NaN?` finds it.
[(NaN? ##NaN) (NaN? 1.0) (NaN? (/ 0.0 0.0)) (remove NaN? [1.5 ##NaN 2.5])]
;=> [true false true [1.5 2.5]]

;; `infinite?` holds for both infinities.
[(infinite? ##Inf) (infinite? ##-Inf) (infinite? 1e308) (infinite? (* 1e308 10)) (infinite? ##NaN)]
;=> [true true false true false]

;; A mean that leaves broken readings out.
(defn usable? [x] (not (or (NaN? x) (infinite? x))))
(let [xs (filter usable? [1.0 ##NaN 3.0 ##Inf])]
  (/ (reduce + xs) (count xs)))
;=> 2.0

;; Sums of floats are not exact; `println` rounds to ten places, answers and `str` do not.
(println (+ 0.1 0.2))
[(+ 0.1 0.2) (str (+ 0.1 0.2)) (= 0.3 (+ 0.1 0.2))]
;out> 0.3
;=> [0.30000000000000004 "0.30000000000000004" false]

;; So floats are compared within a distance.
(defn close? [a b] (< (abs (- a b)) 1e-9))
[(close? 0.3 (+ 0.1 0.2)) (close? 0.3 0.31)]
;=> [true false]

;; Small and large floats print with an exponent.
[1e-7 3.2e-12 0.00001 1e21 1.5e300 123456789.125]
;=> [1.0e-7 3.2e-12 0.00001 1.0e21 1.5e300 123456789.125]

;; A negative zero prints its sign and equals zero.
[-0.0 (= 0.0 -0.0) (* -1 0.0)]
;=> [-0.0 true -0.0]

;; `math/signum` gives the sign as a float.
(map math/signum [-5 0 2.5 ##-Inf])
;=> [-1.0 0.0 1.0 -1.0]

;; The direction of a change.
(defn direction [old new] (get {1.0 :up 0.0 :same -1.0 :down} (math/signum (- new old))))
[(direction 1 3) (direction 3 1) (direction 2.0 2.0)]
;=> [:up :down :same]

;; `math/copy-sign` takes the size of one and the sign of the other, that of -0.0 too.
[(math/copy-sign 3 -1) (math/copy-sign -3 2) (math/copy-sign 3 -0.0)]
;=> [-3.0 3.0 -3.0]

;; Rounding away from zero by hand.
(defn away [x] (math/copy-sign (math/ceil (abs x)) x))
(map away [1.2 -1.2])
;=> [2.0 -2.0]

;; `math/ulp` is the distance to the next float: it grows with the number.
[(math/ulp 1e16) (< (math/ulp 1.0) (math/ulp 1000.0)) (math/ulp 4503599627370496)]
;=> [2.0 true 1.0]

;; Beyond 2^53 a float skips integers.
(let [big 9007199254740992.0]
  [(math/ulp big) (= big (+ big 1)) (- (+ big 2) big)])
;=> [2.0 true 2.0]

;; `math/next-up` and `math/next-down` are the neighbours.
[(- (math/next-up 1e16) 1e16) (- 1e16 (math/next-down 1e16)) (= 1.0 (math/next-down (math/next-up 1.0)))]
;=> [2.0 2.0 true]

;; Between a number and its neighbour is nothing.
(let [x 0.1 above (math/next-up x) below (math/next-down x)]
  [(< below x above) (= x (/ (+ x above) 2)) (math/next-up ##Inf) (math/next-down ##-Inf)])
;=> [true true ##Inf ##-Inf]

;; `math/next-after` goes one step toward its second argument.
[(= (math/next-after 1.0 2) (math/next-up 1.0)) (= (math/next-after 1.0 0) (math/next-down 1.0)) (math/next-after 5.0 5.0)]
;=> [true true 5.0]

;; The first float above 0 is very small.
(< 0 (math/next-after 0.0 1.0) 1e-300)
;=> true

;; `math/get-exponent` is the power of two below the number.
(map math/get-exponent [1 2 3 4 0.5 1000])
;=> [0 1 1 2 -1 9]

;; `math/scalb` multiplies by a power of two.
[(math/scalb 1.5 2) (math/scalb 10 -1) (math/scalb 1 10)]
;=> [6.0 5.0 1024.0]

;; Together they take a float apart: a number from 1 to 2 and a power of two.
(defn parts [x] (let [e (math/get-exponent x)] [(math/scalb x (- e)) e]))
[(parts 10) (let [[m e] (parts 10)] (math/scalb m e))]
;=> [[1.25 3] 10.0]

;; A sign of text is no sign.
(math/signum "-5")
;!> type_error 1:1 math/signum: expected a number, got string

;; `NaN?` asks about numbers only.
(NaN? nil)
;!> type_error 1:1 NaN?: expected a number, got nil

;; `infinite?` as well.
(infinite? "Infinity")
;!> type_error 1:1 infinite?: expected a number, got string

;; The functions about the form of floats, too.
(defn message [f] (try (f) (catch Exception e (println (ex-message e)))))
(run! message [#(math/copy-sign 1 nil) #(math/ulp "1") #(math/next-up nil) #(math/next-down :a)
               #(math/next-after 1 "2") #(math/get-exponent nil) #(math/scalb 1 nil)])
;out> math/copy-sign: expected a number, got nil
;out> math/ulp: expected a number, got string
;out> math/next-up: expected a number, got nil
;out> math/next-down: expected a number, got keyword
;out> math/next-after: expected a number, got string
;out> math/get-exponent: expected a number, got nil
;out> math/scalb: expected an integer, got nil
