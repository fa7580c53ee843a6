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

;; Keys that start with `_` are hidden from texts, but are there.
(let [user {:id 1 :_token "s3cret"}]
  [(str user) (pr-str [user]) (:_token user) (count user)])
;=> ["{:id 1}" "[{:id 1}]" "s3cret" 2]

;; Atoms, delays and errors are written as what they are.
[(str (atom {:n 1})) (str (volatile! 2)) (str (ex-info "no" {})) (str #'str)]
;=> ["#<atom {:n 1}>" "#<volatile 2>" "#<error \"no\">" "#'str"]

;; UUIDs and points in time as their plain text, inside collections in quotes.
(let [id (parse-uuid "550e8400-e29b-41d4-a716-446655440000")]
  [(count (str id)) (count (str [id])) (str (java.util.Date. 0)) (str [(java.util.Date. 0)])])
;=> [36 40 "1970-01-01T00:00:00Z" "[#inst \"1970-01-01T00:00:00Z\"]"]

;; `str` of a list of values, `join` with something between.
[(apply str [1 2 3]) (str/join "-" [1 2 3]) (apply str (interpose "-" [1 2 3]))]
;=> ["123" "1-2-3" "1-2-3"]

;; A text of one kind of value sorts by characters: numbers with zeros in front keep their order.
[(sort (map str [9 10 100])) (sort (map #(format "%03d" %) [9 10 100]))]
;=> [["10" "100" "9"] ["009" "010" "100"]]
;warn> numbers-as-texts 1:2 sort compares texts here, all of them numbers, such as "9" and "10": as texts "10" comes before "9"; for numeric order write (sort-by parse-double coll)

;; A number as text, to count its digits or turn it round.
[(count (str 1000000)) (parse-long (str/reverse (str 123))) (= (str 121) (str/reverse (str 121)))]
;=> [7 321 true]

;; nil in a sentence is a hole: give it a text.
(defn line [{:keys [name city]}] (str name " from " (or city "nowhere")))
(map line [{:name "Ada" :city "London"} {:name "Bob"}])
;=> ["Ada from London" "Bob from nowhere"]

;; Long texts grow by `str` in `reduce`, or at once by `apply`.
[(reduce str ["a" "b" "c"]) (reduce (fn [out n] (str out n ";")) "" [1 2]) (apply str (map #(str % ";") [1 2]))]
;=> ["abc" "1;2;" "1;2;"]

;; Maps become text entry by entry.
(str/join ", " (map (fn [[k v]] (str (name k) "=" v)) {:a 1 :b "x"}))
;=> "a=1, b=x"

;; A vector is not its text.
[(= (str [1 2]) "[1 2]") (= (str [1 2]) [1 2]) (string? (str nil))]
;=> [true false true]
