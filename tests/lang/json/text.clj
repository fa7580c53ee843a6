;; JSON text: `json/parse-string`, `json/parse-lines`, `json/generate-string`.

;; Objects become maps, arrays vectors; keys that can be keywords become keywords.
(json/parse-string "{\"name\": \"Laptop\", \"price\": 1200, \"tags\": [\"new\", null, true]}")
;=> {:name "Laptop" :price 1200 :tags ["new" nil true]}

;; Other keys stay strings; `get` finds both.
(let [m (json/parse-string "{\"first name\": \"Ada\", \"2024\": 1, \"id\": 7}")]
  [m (get m "id") (m "first name")])
;=> [{"first name" "Ada" "2024" 1 :id 7} 7 "Ada"]

;; Numbers without fraction and exponent are integers.
(json/parse-string "[1, -2, 1.0, 2.5, 1e3, 9223372036854775807]")
;=> [1 -2 1.0 2.5 1000.0 9223372036854775807]

;; Scalars stand alone, too.
(map json/parse-string ["5" "\"a\"" "true" "null" " [] "])
;=> [5 "a" true nil []]

;; Escapes are resolved.
(json/parse-string "\"a\\n\\u00e9\\\"\"")
;=> "a\né\""

;; What is not JSON is nil.
(map json/parse-string ["{" "{'a': 1}" "[1,]" "" "abc" "1 2"])
;=> [nil nil nil nil nil nil]

;; A second argument, as other libraries want it, changes nothing.
[(json/parse-string "{\"a\": 1}" true) (json/parse-string "{\"a\": 1}" keyword)]
;=> [{:a 1} {:a 1}]

;; `json/parse-lines` reads a value per line, nil for a line that is none.
(json/parse-lines "{\"id\": 1}\n\n{\"id\": 2}\nbroken\n")
;=> [{:id 1} {:id 2} nil]

;; Errors of a log, line by line.
;- data {:log "{\"level\":\"info\",\"ms\":5}\n{\"level\":\"error\",\"ms\":900}\n"}
(->> (json/parse-lines data/log) (filter #(= "error" (:level %))) (map :ms))
;=> [900]

;; `json/generate-string` writes a value without blanks, maps in their order.
(json/generate-string {:b [1 2.5 nil] "a" {:x true}})
;=> "{\"b\":[1,2.5,null],\"a\":{\"x\":true}}"

;; Keywords lose their colon, sets and sequences become arrays, special floats null.
(json/generate-string [:open :a/b #{1} (range 3) ##NaN 'x 2.0])
;=> "[\"open\",\"a/b\",[1],[0,1,2],null,\"x\",2.0]"

;; Keys that are no text are written as they print.
(json/generate-string {1 "one" [2 3] "pair"})
;=> "{\"1\":\"one\",\"[2 3]\":\"pair\"}"

;; Text is escaped.
(json/generate-string "say \"hi\"\n")
;=> "\"say \\\"hi\\\"\\n\""

;; What was generated can be read back.
(let [value {:id 7 :tags ["a" nil] :nested {:ok true :n 1.5}}]
  (= value (json/parse-string (json/generate-string value))))
;=> true

;; A function has no JSON.
(json/generate-string {:f inc})
;!> type_error 1:1 json/generate-string: expected data, got a function

;; Text that is no string is nil as well, so that a missing field needs no guard.
[(json/parse-string nil) (json/parse-string 5) (json/parse-lines nil)]
;=> [nil nil nil]

;; nil is also what `null` gives: a default covers both.
(or (json/parse-string "oops") {:items []})
;=> {:items []}

;; An answer that wraps its JSON in prose: cut it out first.
(defn embedded [text] (some-> (re-find #"(?s)\{.*\}" text) json/parse-string))
[(embedded "Sure! {\"a\": {\"b\": 1}} Done.") (embedded "no")]
;=> [{:a {:b 1}} nil]

;; Totals per customer, from lines to a JSON object.
(->> (json/parse-lines "{\"who\":\"ada\",\"n\":2}\n{\"who\":\"bob\",\"n\":3}\n{\"who\":\"ada\",\"n\":5}")
     (reduce (fn [totals {:keys [who n]}] (update totals who (fnil + 0) n)) {})
     json/generate-string)
;=> "{\"ada\":7,\"bob\":3}"

;; Keys may be looked up by either spelling, and updated in the spelling that is there.
(let [m (json/parse-string "{\"unit price\": 2, \"qty\": 3}")]
  [(get m "qty") (:qty m) (update m "qty" inc) (* (get m "unit price") (m :qty))])
;=> [3 3 {"unit price" 2 :qty 4} 6]

;; A tool that answers JSON text.
;- tool lookup (id :int) -> :string = (json/generate-string {:id data/id :ok true})
(map #(:id (json/parse-string (tool/lookup {:id %}))) [7 8])
;=> [7 8]
;call> lookup {:id 7}
;call> lookup {:id 8}

;; `json/generate-string` takes one value, the others one text.
[(json/generate-string) (json/parse-string) (json/parse-lines "1" "2")]
;!> arity_error 1:2 json/generate-string: expected 1 argument, got 0
;!> arity_error 1:25 json/parse-string: expected 1 or 2 arguments, got 0
;!> arity_error 1:45 json/parse-lines: expected 1 argument, got 2
