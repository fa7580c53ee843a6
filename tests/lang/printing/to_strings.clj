;; The text that printing would print: `pr-str`, `prn-str`, `print-str`, `println-str`, `with-out-str`.

;; `pr-str` writes a value as a program would; `str` does so only inside collections.
[(pr-str "a") (str "a") (pr-str [1 "a" nil :k]) (pr-str 1 "b") (pr-str)]
;=> ["\"a\"" "a" "[1 \"a\" nil :k]" "1 \"b\"" ""]

;; nil and strings can be told apart in its text.
(map pr-str [nil "nil" "" :nil])
;=> ["nil" "\"nil\"" "\"\"" ":nil"]

;; A key for a cache, from any arguments.
(def seen (atom {}))
(defn remember [& args] (swap! seen update (pr-str args) (fnil inc 0)))
(remember 1 "a")
(remember 1 "a")
(remember "1 a")
(vals @seen)
;=> [2 1]

;; `prn-str` ends with the line end.
[(prn-str :a "b") (prn-str)]
;=> [":a \"b\"\n" "\n"]

;; So it differs from `pr-str` by one character.
(- (count (prn-str [1 2])) (count (pr-str [1 2])))
;=> 1

;; `print-str` and `println-str` leave strings as they are.
[(print-str "a" :b nil) (println-str "a" 1) (print-str) (println-str)]
;=> ["a :b nil" "a 1\n" "" "\n"]

;; Lines collected instead of printed.
(apply str (map println-str ["one" "two"]))
;=> "one\ntwo\n"

;; `print-str` puts blanks between, `str` does not.
[(print-str 1 2) (str 1 2) (count (print-str "a" "b"))]
;=> ["1 2" "12" 3]

;; `with-out-str` answers what its body prints; nothing of it is printed.
(with-out-str (println "a") (print "b" 1))
;=> "a\nb 1"

;; The value of the body is lost, its other effects are not.
(def n (atom 0))
[(with-out-str (swap! n inc)) @n (with-out-str)]
;=> ["" 1 ""]

;; A report is written once and used as a value.
(defn report [rows] (doseq [{:keys [name qty]} rows] (println (str "- " name ": " qty))))
(let [text (with-out-str (report [{:name "bolt" :qty 4} {:name "nut" :qty 9}]))]
  (println "before")
  [(str/split-lines text) (count text)])
;out> before
;=> [["- bolt: 4" "- nut: 9"] 19]

;; It can be nested, and sees prints of functions called inside.
(with-out-str
  (print "outer[")
  (print (str/upper-case (with-out-str (print "inner"))))
  (print "]"))
;=> "outer[INNER]"

;; An error inside passes through; what was printed inside is gone, what was before stays.
(println "kept")
(with-out-str (println "lost") (/ 1 0))
;out> kept
;!> arithmetic_error 2:32 Divide by zero

;; After a caught error printing goes to the outside again.
(def text (try (with-out-str (print "inside") (throw (ex-info "stop" {}))) (catch Exception e (ex-message e))))
(println text)
;out> stop

;; Escapes are those of a program.
[(pr-str "tab\t quote\" back\\") (pr-str \newline) (pr-str "é")]
;=> ["\"tab\\t quote\\\" back\\\\\"" "\"\\n\"" "\"é\""]

;; `print` and `print-str` round floats to ten places, `pr-str` and `str` keep the rest.
(let [x (+ 0.1 0.2)] [(pr-str x) (print-str x) (with-out-str (print x)) (str x)])
;=> ["0.30000000000000004" "0.3" "0.3" "0.30000000000000004"]

;; Dates and UUIDs are quoted by `pr-str`.
[(pr-str (LocalDate/parse "2024-02-29")) (pr-str (parse-uuid "550e8400-e29b-41d4-a716-446655440000"))]
;=> ["#date \"2024-02-29\"" "\"550e8400-e29b-41d4-a716-446655440000\""]

;; A function that prints is turned into one that answers text.
(defn show [f] (fn [& args] (with-out-str (apply f args))))
[((show println) 1 "a") ((show prn) "a") (map (show print) [1 2])]
;=> ["1 a\n" "\"a\"\n" ["1" "2"]]

;; A tree drawn line by line.
(defn draw [depth [label & children]]
  (println (str (str/join (repeat depth "  ")) label))
  (run! #(draw (inc depth) %) children))
(str/split-lines (with-out-str (draw 0 ["root" ["left" ["leaf"]] ["right"]])))
;=> ["root" "  left" "    leaf" "  right"]

;; `return` inside leaves the program, and the text with it.
(with-out-str (print "lost") (return :early))
;return> :early

;; What a tool call prints nothing about is still recorded.
;- tool ping (n :int) -> :int = (inc data/n)
(with-out-str (print (tool/ping {:n 1})))
;=> "2"
;call> ping {:n 1}

;; What can be read back keeps every digit of a float (L-65); `println` rounds for people.
(let [x (+ 0.1 0.2)]
  (prn x [1.23456789012345e-7])
  (println x [x] {:k 1.23456789012345e-7})
  [(= x (parse-double (pr-str x))) (str [x]) (pr-str {x 1}) (print-str [x]) (str x) (frequencies [0.1 (- 0.3 0.2)]) ##Inf])
;=> [true "[0.30000000000000004]" "{0.30000000000000004 1}" "[0.3]" "0.30000000000000004" {0.1 1 0.09999999999999998 1} ##Inf]
;out> 0.30000000000000004 [1.23456789012345e-7]
;out> 0.3 [0.3] {:k 1.23456789e-7}
