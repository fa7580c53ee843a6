;; Small programs with numbers.

;; The greatest common divisor and the least common multiple.
(defn gcd [a b] (if (zero? b) (abs a) (recur b (rem a b))))
(defn lcm [a b] (if (zero? (* a b)) 0 (quot (abs (* a b)) (gcd a b))))
[(gcd 12 18) (gcd 17 5) (gcd -4 6) (lcm 4 6) (reduce lcm (range 1 11))]
;=> [6 1 2 12 2520]

;; Prime numbers by trial division.
(defn prime? [n]
  (and (> n 1)
       (not-any? #(zero? (rem n %)) (take-while #(<= (* % %) n) (iterate inc 2)))))
(filter prime? (range 30))
;=> [2 3 5 7 11 13 17 19 23 29]

;; The prime factors of a number.
(defn factors [n]
  (loop [n n d 2 found []]
    (cond (= n 1) found
          (zero? (mod n d)) (recur (quot n d) d (conj found d))
          :else (recur n (inc d) found))))
[(factors 360) (factors 97) (reduce * (factors 9699690))]
;=> [[2 2 2 3 3 5] [97] 9699690]

;; Fibonacci numbers grow beyond 64 bits without further ado.
(defn fib [n] (first (nth (iterate (fn [[a b]] [b (+ a b)]) [0 1]) n)))
[(map fib (range 10)) (fib 100)]
;=> [[0 1 1 2 3 5 8 13 21 34] 354224848179261915075]

;; A number in another base, and back.
(defn digits [n base]
  (if (< n base) [n] (conj (digits (quot n base) base) (rem n base))))
(defn value [ds base] (reduce #(+ (* base %1) %2) 0 ds))
[(digits 255 2) (digits 255 16) (value [1 0 1] 2) (value (digits 987654321 7) 7)]
;=> [[1 1 1 1 1 1 1 1] [15 15] 5 987654321]

;; Roman numerals.
(def numerals [[1000 "M"] [900 "CM"] [500 "D"] [400 "CD"] [100 "C"] [90 "XC"] [50 "L"] [40 "XL"] [10 "X"] [9 "IX"] [5 "V"] [4 "IV"] [1 "I"]])
(defn roman [n]
  (loop [n n [[size text] & more :as left] numerals out ""]
    (cond (zero? n) out
          (>= n size) (recur (- n size) left (str out text))
          :else (recur n more out))))
(map roman [4 9 14 1994 2024])
;=> ["IV" "IX" "XIV" "MCMXCIV" "MMXXIV"]

;; Mean, median and standard deviation of readings.
(defn mean [xs] (/ (reduce + xs) (count xs)))
(defn median [xs]
  (let [sorted (vec (sort xs)) n (count sorted) half (quot n 2)]
    (if (odd? n) (sorted half) (mean [(sorted (dec half)) (sorted half)]))))
(defn deviation [xs]
  (let [m (mean xs)] (math/sqrt (mean (map #(math/pow (- % m) 2) xs)))))
(let [xs [2 4 4 4 5 5 7 9]]
  [(mean xs) (median xs) (median [3 1 2]) (deviation xs)])
;=> [5 4.5 2 2.0]

;; The steps of a number to 1: half of the even, three times the odd plus one.
(defn steps [n] (count (take-while #(not= 1 %) (iterate #(if (even? %) (/ % 2) (inc (* 3 %))) n))))
(map steps [1 2 6 27])
;=> [0 1 8 111]

;; The check digit of a card number.
(defn valid? [text]
  (let [ds (map parse-long (re-seq #"\d" text))
        doubled (map-indexed (fn [i d] (if (odd? i) (let [x (* 2 d)] (if (> x 9) (- x 9) x)) d)) (reverse ds))]
    (zero? (mod (reduce + doubled) 10))))
(map valid? ["4539 1488 0343 6467" "4539 1488 0343 6468"])
;=> [true false]

;; Counting with words in between.
(map #(cond (zero? (mod % 15)) "FizzBuzz" (zero? (mod % 3)) "Fizz" (zero? (mod % 5)) "Buzz" :else %) (range 1 16))
;=> [1 2 "Fizz" 4 "Buzz" "Fizz" 7 8 "Fizz" "Buzz" 11 "Fizz" 13 14 "FizzBuzz"]

;; Change for an amount, with the largest coins first.
(defn change [amount coins]
  (second (reduce (fn [[left out] coin] [(rem left coin) (assoc out coin (quot left coin))]) [amount {}] coins)))
(change 87 [50 20 10 5 2 1])
;=> {50 1 20 1 10 1 5 1 2 1 1 0}

;; A loan paid off month by month.
(defn months [debt rate payment]
  (loop [debt debt n 0]
    (if (pos? debt) (recur (- (* debt (+ 1 rate)) payment) (inc n)) n)))
[(months 1000 0.01 100) (months 1000 0 100)]
;=> [11 10]

;; The square root by Newton's method.
(defn newton [n] (reduce (fn [guess _] (/ (+ guess (/ n guess)) 2)) 1.0 (range 20)))
[(newton 2) (= (newton 9) 3)]
;=> [1.414213562373095 true]

;; Shares in per cent that add up to 100: the rest goes to the largest remainders.
(defn shares [counts]
  (let [total (reduce + counts)
        exact (map #(/ (* 100 %) total) counts)
        rest-points (- 100 (reduce + (map floor exact)))
        winners (set (take rest-points (map first (sort-by second > (map-indexed (fn [i x] [i (- x (floor x))]) exact)))))]
    (map-indexed (fn [i x] (if (winners i) (inc (floor x)) (floor x))) exact)))
[(shares [1 1 1]) (shares [1 2 4]) (shares [50 50])]
;=> [[34 33 33] [14 29 57] [50 50]]

;; Several wrong counts are found together, before anything runs.
(println "never")
(def a (mod 5))
(def b (bit-and 1))
(def c (math/hypot 3))
;!> arity_error 2:8 mod: expected 2 arguments, got 1
;!> arity_error 3:8 bit-and: expected 2 or more arguments, got 1
;!> arity_error 4:8 math/hypot: expected 2 arguments, got 1
