;; Angles and the functions of the circle and the hyperbola: clojure.math.

;; Degrees and radians.
[(math/to-radians 180) (math/to-degrees math/PI) (math/to-radians 0)]
;=> [3.141592653589793 180.0 0.0]

;; One undoes the other.
(map #(round (math/to-degrees (math/to-radians %))) [0 45 90 -30 360])
;=> [0 45 90 -30 360]

;; Sine and cosine of angles in degrees, rounded.
(defn places [x] (/ (round (* x 1000)) 1000))
(for [degrees [0 30 90 180]]
  [degrees (places (math/sin (math/to-radians degrees))) (places (math/cos (math/to-radians degrees)))])
;=> [[0 0 1] [30 0.5 0.866] [90 1 0] [180 0 -1]]

;; They answer floats.
[(math/sin 0) (math/cos 0) (math/tan 0) (math/sin 1) (math/cos 1)]
;=> [0.0 1.0 0.0 0.8414709848078965 0.5403023058681398]

;; The square of the sine and that of the cosine add up to one.
(every? #(< (abs (- 1 (+ (math/pow (math/sin %) 2) (math/pow (math/cos %) 2)))) 1e-12) (range -3 3 0.25))
;=> true

;; The tangent is their quotient.
[(math/tan 1) (/ (math/sin 1) (math/cos 1))]
;=> [1.5574077246549023 1.557407724654902]

;; The height of a tree from its shadow and the angle of the sun.
(round (* 20 (math/tan (math/to-radians 45))))
;=> 20

;; `math/asin`, `math/acos` and `math/atan` find the angle.
(map #(round (math/to-degrees %)) [(math/asin 1) (math/acos 0) (math/atan 1) (math/asin -0.5) (math/acos -1)])
;=> [90 90 45 -30 180]

;; They undo the others.
[(math/asin (math/sin 0.5)) (math/acos (math/cos 0.5)) (math/atan (math/tan 0.5))]
;=> [0.5 0.4999999999999999 0.5]

;; Outside -1 to 1 there is no such angle.
[(math/asin 2) (math/acos -1.5) (math/atan ##Inf)]
;=> [##NaN ##NaN 1.5707963267948966]

;; `math/atan2` takes y before x, and knows all four quarters.
(map (fn [[x y]] (round (math/to-degrees (math/atan2 y x)))) [[1 0] [0 1] [-1 0] [-1 -1] [1 -1]])
;=> [0 90 180 -135 -45]

;; The bearing from one point to another.
(defn bearing [[x1 y1] [x2 y2]] (mod (math/to-degrees (math/atan2 (- x2 x1) (- y2 y1))) 360))
[(bearing [0 0] [0 5]) (bearing [0 0] [5 0]) (bearing [0 0] [-5 0])]
;=> [0.0 90.0 270.0]

;; The distance between two places on earth, in kilometres.
(defn haversine [[lat1 lon1] [lat2 lon2]]
  (let [[a1 a2 dlat dlon] (map math/to-radians [lat1 lat2 (- lat2 lat1) (- lon2 lon1)])
        h (+ (math/pow (math/sin (/ dlat 2)) 2)
             (* (math/cos a1) (math/cos a2) (math/pow (math/sin (/ dlon 2)) 2)))]
    (* 2 6371 (math/asin (math/sqrt h)))))
(round (haversine [52.52 13.405] [48.8566 2.3522]))
;=> 877

;; The hyperbolic functions.
[(math/sinh 0) (math/cosh 0) (math/tanh 0) (math/sinh 1) (math/cosh 1) (math/tanh 1)]
;=> [0.0 1.0 0.0 1.1752011936438014 1.5430806348152437 0.7615941559557649]

;; `math/tanh` is the quotient of the other two, and never leaves -1 to 1.
[(= (math/tanh 50) 1.0) (math/tanh -1) (/ (math/sinh -1) (math/cosh -1))]
;=> [true -0.7615941559557649 -0.7615941559557649]

;; A degree sign in the text does not make a number.
(math/to-radians "90°")
;!> type_error 1:1 math/to-radians: expected a number, got string

;; nil has no sine.
(math/sin nil)
;!> type_error 1:1 math/sin: expected a number, got nil

;; `math/atan2` needs both coordinates.
(math/atan2 1)
;!> arity_error 1:1 math/atan2: expected 2 arguments, got 1

;; Each function names itself and what it found.
(defn message [f] (try (f) (catch Exception e (println (ex-message e)))))
(run! message [#(math/cos "0") #(math/tan nil) #(math/asin :a) #(math/acos [1]) #(math/atan "x") #(math/sinh nil)
               #(math/cosh "1") #(math/tanh {}) #(math/to-degrees nil)])
;out> math/cos: expected a number, got string
;out> math/tan: expected a number, got nil
;out> math/asin: expected a number, got keyword
;out> math/acos: expected a number, got vector
;out> math/atan: expected a number, got string
;out> math/sinh: expected a number, got nil
;out> math/cosh: expected a number, got string
;out> math/tanh: expected a number, got map
;out> math/to-degrees: expected a number, got nil
