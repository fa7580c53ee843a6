;; `str`: the text of any value.

;; Strings as they are, nothing for nil, everything else as it is written.
[(str) (str nil) (str "a") (str 1 :b "c" nil true) (str 'x)]
;=> ["" "" "a" "1:bctrue" "x"]

;; Collections are written as in a program, with quotes inside.
[(str [1 "a" nil]) (str {:a "b"}) (str #{1}) (str (list 1 2))]
;=> ["[1 \"a\" nil]" "{:a \"b\"}" "#{1}" "[1 2]"]

;; Floats keep their point, and all their digits.
[(str 1.0) (str 0.1) (str (/ 1 3)) (str 1e21) (str -0.0)]
;=> ["1.0" "0.1" "0.3333333333333333" "1.0e21" "-0.0"]

;; Special floats by name.
(map str [##Inf ##-Inf ##NaN])
;=> ["Infinity" "-Infinity" "NaN"]

;; A sentence of parts.
(defn greeting [{:keys [name age]}] (str "Hello " name ", you are " (or age "?") "."))
[(greeting {:name "Ada" :age 36}) (greeting {:name "Bob"})]
;=> ["Hello Ada, you are 36." "Hello Bob, you are ?."]

;; `apply str` joins characters.
[(apply str (reverse "abc")) (apply str (repeat 3 "ab")) (apply str [])]
;=> ["cba" "ababab" ""]

;; A lazy sequence is written with its elements.
(str (take 3 (iterate inc 1)))
;=> "[1 2 3]"

;; The digits of a number.
(map parse-long (map str (str 2024)))
;=> [2 0 2 4]

;; Dates are written without quotes, functions as what they are.
[(str (LocalDate/parse "2024-02-29")) (str inc) (str (fn [x y] x)) (str #"a+")]
;=> ["2024-02-29" "#<builtin>" "#fn[x y]" "#\"a+\""]

;; A key of several fields.
(frequencies (map #(str (:city %) "/" (:year %)) [{:city "Oslo" :year 1} {:city "Oslo" :year 1} {:city "Rome" :year 1}]))
;=> {"Oslo/1" 2 "Rome/1" 1}
