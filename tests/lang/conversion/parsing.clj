;; From text to value: the `parse-…` functions answer nil for what they cannot read.

;; `parse-long` reads a whole text as an integer.
(map parse-long ["42" "-7" "+5" "007" "0"])
;=> [42 -7 5 7 0]

;; Anything else is nil, never an error: fractions, blanks, words, nothing at all.
(map parse-long ["1.5" " 1" "1 " "" "12x" "1e3" "--1" nil 5 :a])
;=> [nil nil nil nil nil nil nil nil nil nil]

;; Beyond 64 bits is nil as well.
[(parse-long "9223372036854775807") (parse-long "9223372036854775808")]
;=> [9223372036854775807 nil]

;; `parse-int` is the same function.
[(parse-int "42") (parse-int "x")]
;=> [42 nil]

;; Scores out of lines, by its short name.
(keep #(parse-int (last (str/split % " "))) ["ada 7" "bob -" "cy 12"])
;=> [7 12]

;; So a default is one `or` away.
(defn port [text] (or (parse-long text) 8080))
[(port "3000") (port "") (port nil)]
;=> [3000 8080 8080]

;; The numbers of a line, and what is not a number dropped.
(keep parse-long (str/split "7 apples, 12 pears" #"[ ,]+"))
;=> [7 12]

;; `parse-double` reads decimal and exponent, and always answers a float.
(map parse-double ["42" "1.5" "-0.25" "+2.0" "1e3" "2.5E-1"])
;=> [42.0 1.5 -0.25 2.0 1000.0 0.25]

;; It reads the names of the special floats.
(map parse-double ["Infinity" "-Infinity" "NaN"])
;=> [##Inf ##-Inf ##NaN]

;; Digits are needed on both sides of the point; other text is nil.
(map parse-double ["1." ".5" "1,5" "abc" "" " 1.0" "0x10" nil 2.5])
;=> [nil nil nil nil nil nil nil nil nil]

;; The sum of a column of prices, cleaned of currency.
(->> ["$1,200.50" "$99.5" "n/a"]
     (map #(str/replace % #"[$,]" ""))
     (keep parse-double)
     (reduce +))
;=> 1300.0

;; `parse-boolean` reads exactly "true" and "false".
(map parse-boolean ["true" "false" "True" "yes" "1" "" nil])
;=> [true false nil nil nil nil nil]

;; So a missing setting differs from one that is off.
(defn enabled? [text] (let [v (parse-boolean text)] (if (nil? v) :default v)))
(map enabled? ["true" "false" "maybe"])
;=> [true false :default]

;; `parse-uuid` reads the usual form, in either case.
[(parse-uuid "550e8400-e29b-41d4-a716-446655440000") (parse-uuid "550E8400-E29B-41D4-A716-446655440000")]
;=> ["550e8400-e29b-41d4-a716-446655440000" "550e8400-e29b-41d4-a716-446655440000"]

;; Everything else is nil.
(map parse-uuid ["550e8400" "" "550e8400-e29b-41d4-a716-44665544000g" nil])
;=> [nil nil nil nil]

;; The parsed value is not the text.
(let [id (parse-uuid "550e8400-e29b-41d4-a716-446655440000")]
  [(uuid? id) (= id "550e8400-e29b-41d4-a716-446655440000") (= (str id) "550e8400-e29b-41d4-a716-446655440000")])
;=> [true false true]

;; Cells of a table: integer, float, boolean or text, whichever fits first.
(defn cell [text]
  (let [readings (map #(% text) [parse-long parse-double parse-boolean identity])]
    (first (filter some? readings))))
(map cell ["7" "7.5" "true" "false" "seven"])
;=> [7 7.5 true false "seven"]

;; Rows of text become records.
(defn row [line]
  (let [[name age] (str/split line ",")]
    {:name name :age (parse-long age)}))
(map row ["Ada,36" "Bob,"])
;=> [{:name "Ada" :age 36} {:name "Bob" :age nil}]

;; The functions of Java raise an error instead of answering nil.
[(Integer/parseInt "12") (Long/parseLong "-9") (Double/parseDouble "2.5") (Boolean/parseBoolean "true")]
;=> [12 -9 2.5 true]

;; `Boolean/parseBoolean` reads the same two words as `parse-boolean`, which answers nil to others.
[(map #(Boolean/parseBoolean %) ["true" "false"]) (map parse-boolean ["true" "no"])]
;=> [[true false] [true nil]]

;; The error says which text it was.
(Integer/parseInt "12a")
;!> argument_error 1:1 Integer/parseInt: not an integer: "12a"

;; The same for floats.
(Double/parseDouble "")
;!> argument_error 1:1 Double/parseDouble: not a number: ""

;; They can be caught by the class that Java throws.
(defn number-or [fallback text]
  (try (Long/parseLong text)
    (catch NumberFormatException _ fallback)))
[(number-or 0 "5") (number-or 0 "five")]
;=> [5 0]

;; `parse-long` takes one text; a base is not among its arguments.
(parse-long "ff" 16)
;!> arity_error 1:1 parse-long: expected 1 argument, got 2

;; The other functions of Java say what they could not read.
(defn message [f] (try (f) (catch Exception e (println (ex-message e)))))
(run! message [#(Long/parseLong "1e3") #(Boolean/parseBoolean "yes") #(Double/parseDouble nil)])
;out> Long/parseLong: not an integer: "1e3"
;out> Boolean/parseBoolean: not true or false: "yes"
;out> Double/parseDouble: expected a string, got nil

;; The `parse-…` functions take one text each.
[(parse-int) (parse-double "1" 2) (parse-boolean) (parse-uuid)]
;!> arity_error 1:2 parse-int: expected 1 argument, got 0
;!> arity_error 1:14 parse-double: expected 1 argument, got 2
;!> arity_error 1:35 parse-boolean: expected 1 argument, got 0
;!> arity_error 1:51 parse-uuid: expected 1 argument, got 0

;; Other bases, by the names of Java.
[(Integer/parseInt "101" 2) (Long/parseLong "-ff" 16) (Integer/toString 255 16) (Long/toString -5 2) (Integer/toBinaryString 5) (Long/toHexString 255) (Integer/toOctalString 8)]
;=> [5 -255 "ff" "-101" "101" "ff" "10"]

;; A negative integer has the bits of its two's complement.
[(Integer/toHexString -1) (count (Long/toBinaryString -1))]
;=> ["ffffffff" 64]
(Long/parseLong "19" 8)
;!> argument_error 1:1 Long/parseLong: not an integer in base 8: "19"
