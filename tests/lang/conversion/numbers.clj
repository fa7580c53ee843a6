;; From number to number and from character to number: `int`, `long`, `double`, `float`, `char`.

;; `int` and `long` cut toward zero.
[(int 3.9) (int -3.9) (int 5) (long 2.5) (long -2.5)]
;=> [3 -3 5 2 -2]

;; The result is an integer, good as an index.
(let [xs [:a :b :c :d :e]] (nth xs (int (/ (count xs) 2))))
;=> :c

;; Percentages without a fraction.
(map #(long (* 100 (/ % 8))) [1 3 8])
;=> [12 37 100]

;; `int` of a character is its code point; `char` goes back.
[(int \a) (int "é") (int \newline) (char 97) (char 233) (char (int \z))]
;=> [97 233 10 "a" "é" "z"]

;; A letter moved along the alphabet.
(defn rotate [n c]
  (if (<= 97 (int c) 122) (char (+ 97 (mod (+ n (- (int c) 97)) 26))) c))
[(apply str (map (partial rotate 13) (seq "hello, zoo"))) (apply str (map (partial rotate 13) (seq "uryyb, mbb")))]
;=> ["uryyb, mbb" "hello, zoo"]

;; The letters from a to e.
(map char (range 97 102))
;=> ["a" "b" "c" "d" "e"]

;; `double` and `float` make a float; both are of 64 bits.
[(double 3) (float 3) (double 2.5) (float 0.1) (= (float 0.1) 0.1)]
;=> [3.0 3.0 2.5 0.1 true]

;; With one float in it a quotient of integers prints as a float.
[(/ (double 6) 3) (map float [1 2]) (map double [0])]
;=> [2.0 [1.0 2.0] [0.0]]

;; There and back: `long` of a `double` is the number again.
(= (range -3 4) (map (comp long double) (range -3 4)))
;=> true

;; Text is not converted by them: parse it.
(int "42")
;!> type_error 1:1 int: expected a number or one character (parse-long reads text), got string

;; `long` of text.
(long "42")
;!> type_error 1:1 long: expected a number (parse-long reads text), got string

;; `double` of nil.
(double nil)
;!> type_error 1:1 double: expected a number, got nil

;; `float` of text.
(float "1.5")
;!> type_error 1:1 float: expected a number, got string

;; Infinity and NaN have no integer.
(int ##NaN)
;!> arithmetic_error 1:1 int: no integer value for ##NaN

;; `char` takes a code point; what is a character already stays one.
[(char "a") (map char [65 \b])]
;=> ["a" ["A" "b"]]

;; A longer text is no character.
(char "ab")
;!> type_error 1:1 char: expected an integer, got string

;; Not every number is one.
(char -1)
;!> argument_error 1:1 char: -1 is not the code point of a character

;; `bigint` and `num` belong here, too: an integer of any size, and the number itself.
[(bigint 3.7) (bigint 1e25) (num 5) (+ (bigint 2) (num 0.5))]
;=> [3 10000000000000000000000000 5 2.5]

;; `boolean` of a number is always true; compare with 0 instead.
[(boolean 0) (not (zero? 0)) (pos? 3)]
;=> [true false true]

;; Hexadecimal text of a number by `format`, and back digit by digit.
(defn hex->long [text] (reduce (fn [n c] (+ (* 16 n) (str/index-of "0123456789abcdef" c))) 0 (str/lower-case text)))
[(format "%x" 3054) (hex->long "BEE")]
;=> ["bee" 3054]

;; The code points of a text, and the text again.
(let [codes (map int "héy")] [codes (apply str (map char codes))])
;=> [[104 233 121] "héy"]

;; A letter as a number from 1, a column of a sheet as its name.
(defn letter-number [c] (- (int c) 64))
(defn column [n]
  (loop [n n out ""] (if (zero? n) out (recur (quot (dec n) 26) (str (char (+ 65 (mod (dec n) 26))) out)))))
[(map letter-number ["A" "Z"]) (map column [1 26 27 52 703])]
;=> [[1 26] ["A" "Z" "AA" "AZ" "AAA"]]

;; Seconds as a float in, whole milliseconds out.
(map #(long (* 1000 %)) [0.25 1.5 2])
;=> [250 1500 2000]

;; A float that is whole compares equal to the integer, but is another key.
[(= (double 2) 2) (get {2 :two} (double 2)) (get {2 :two} (long 2.0))]
;=> [true nil :two]

;; One value each.
[(int) (long 1 2) (double) (float 1 2) (char)]
;!> arity_error 1:2 int: expected 1 argument, got 0
;!> arity_error 1:8 long: expected 1 argument, got 2
;!> arity_error 1:19 double: expected 1 argument, got 0
;!> arity_error 1:28 float: expected 1 argument, got 2
;!> arity_error 1:40 char: expected 1 argument, got 0
