;; Dates without a time of day: `LocalDate`.

;; A date is read from `YYYY-MM-DD` or made of year, month and day; it prints as it is read.
[(LocalDate/parse "2024-02-29") (LocalDate/of 2024 3 9) (java.time.LocalDate/parse "2024-01-01")]
;=> [#date "2024-02-29" #date "2024-03-09" #date "2024-01-01"]

;; It is a value of its own kind, equal by day.
(let [d (LocalDate/parse "2024-02-29")]
  [(type d) (str d) (= d (LocalDate/of 2024 2 29)) (= d "2024-02-29") (inst? d)])
;=> [:date "2024-02-29" true false false]

;; Year, month and day.
(let [d (LocalDate/parse "2024-02-29")]
  [(.getYear d) (.getMonthValue d) (.getDayOfMonth d)])
;=> [2024 2 29]

;; Days later and earlier, across months and leap years.
(let [d (LocalDate/parse "2024-02-28")]
  [(.plusDays d 1) (.plusDays d 2) (.minusDays d 28) (.plusDays d 366) (.plusDays d -1)])
;=> [#date "2024-02-29" #date "2024-03-01" #date "2024-01-31" #date "2025-02-28" #date "2024-02-27"]

;; Before, after, and in order.
(let [a (LocalDate/parse "2024-01-31") b (LocalDate/parse "2024-02-01")]
  [(.isBefore a b) (.isAfter a b) (< a b) (compare b a) (sort [b a])])
;=> [true false true 1 [#date "2024-01-31" #date "2024-02-01"]]

;; Days since 1970 give the distance between two dates.
(defn days-between [a b] (- (.toEpochDay b) (.toEpochDay a)))
[(days-between (LocalDate/parse "2024-01-01") (LocalDate/parse "2025-01-01")) (.toEpochDay (LocalDate/parse "1970-01-11"))]
;=> [366 10]

;; The same by a duration.
(.toDays (Duration/between (LocalDate/parse "2024-01-01") (LocalDate/parse "2024-03-01")))
;=> 60

;; Bills that are due, by the clock of the host.
;- data {:bills [{:id 1 :due "2026-01-10"} {:id 2 :due "2026-01-20"}]}
(let [today (LocalDate/now)]
  [(str today)
   (map :id (filter #(.isBefore (LocalDate/parse (:due %)) today) data/bills))])
;=> ["2026-01-15" [1]]

;; Sales by month.
(->> [{:day "2024-01-05" :n 2} {:day "2024-02-01" :n 3} {:day "2024-01-30" :n 5}]
     (group-by #(.getMonthValue (LocalDate/parse (:day %))))
     (map (fn [[month rows]] [month (reduce + (map :n rows))]))
     (into {}))
;=> {1 7 2 3}

;; The weekday of a date: 1970-01-01 was a Thursday.
(defn weekday [text] (nth ["Thu" "Fri" "Sat" "Sun" "Mon" "Tue" "Wed"] (mod (.toEpochDay (LocalDate/parse text)) 7)))
(map weekday ["1970-01-01" "2024-02-29" "1969-12-31"])
;=> ["Thu" "Thu" "Wed"]

;; The last day of a month is the day before the first of the next.
(defn last-day [year month]
  (.getDayOfMonth (.minusDays (if (= month 12) (LocalDate/of (inc year) 1 1) (LocalDate/of year (inc month) 1)) 1)))
(map #(last-day 2024 %) [1 2 4 12])
;=> [31 29 30 31]

;; A day that does not exist.
(LocalDate/parse "2024-02-30")
;!> argument_error 1:1 LocalDate/parse: not a YYYY-MM-DD date: '2024-02-30'

;; Another way of writing it.
(LocalDate/parse "29.02.2024")
;!> argument_error 1:1 LocalDate/parse: not a YYYY-MM-DD date: '29.02.2024'; read another form with (LocalDate/parse s (DateTimeFormatter/ofPattern "d/M/yyyy"))

;; nil is no date.
(LocalDate/parse nil)
;!> type_error 1:1 LocalDate/parse: expected a string, got nil

;; Neither is a text: it has to be parsed before it is asked for its year.
(.getYear "2024-02-29")
;!> type_error 1:1 .getYear: expected a date, got string

;; Days are counted in integers.
(.plusDays (LocalDate/parse "2024-02-29") 1.5)
;!> type_error 1:1 .plusDays: expected an integer, got the float 1.5; (int x), (round x) or quot gives an integer

;; Each method names itself and what it found.
(defn message [f] (try (f) (catch Exception e (println (ex-message e)))))
(run! message [#(.getMonthValue "2024-01-01") #(.getDayOfMonth nil) #(.toEpochDay (java.util.Date. 0))
               #(.minusDays "2024-01-01" 1) #(.isAfter nil (LocalDate/now))])
;out> .getMonthValue: expected a date, got string
;out> .getDayOfMonth: expected a date, got nil
;out> .toEpochDay: expected a date, got datetime
;out> .minusDays: expected a date or instant, got string
;out> .isAfter: expected a date or instant, got nil

;; There is no thirteenth month.
(LocalDate/of 2024 13 1)
;!> argument_error 1:1 LocalDate/of: there is no date 2024-13-1

;; All days of a range, and the Sundays among them.
(let [day (LocalDate/parse "2024-02-25")
      days (map #(.plusDays day %) (range 8))]
  [(first days) (last days) (filter #(= 3 (mod (.toEpochDay %) 7)) days)])
;=> [#date "2024-02-25" #date "2024-03-03" [#date "2024-02-25" #date "2024-03-03"]]

;; A leap year has a day more.
(defn leap? [year] (= 29 (.getDayOfMonth (.minusDays (LocalDate/of year 3 1) 1))))
(map leap? [1900 2000 2023 2024])
;=> [false true false true]

;; The age on a day.
(defn age [born today]
  (let [[b t] (map #(LocalDate/parse %) [born today])
        years (- (.getYear t) (.getYear b))
        had-birthday? (>= (+ (* 100 (.getMonthValue t)) (.getDayOfMonth t)) (+ (* 100 (.getMonthValue b)) (.getDayOfMonth b)))]
    (if had-birthday? years (dec years))))
[(age "1990-06-15" "2024-06-14") (age "1990-06-15" "2024-06-15")]
;=> [33 34]

;; Dates in order, the ones without a date first.
(map :id (sort-by :due [{:id 1 :due (LocalDate/of 2024 3 1)} {:id 2} {:id 3 :due (LocalDate/of 2024 2 1)}]))
;=> [2 3 1]

;; Written for people.
(defn written [d] (format "%d %s %d" (.getDayOfMonth d) (nth ["Jan" "Feb" "Mar"] (dec (.getMonthValue d))) (.getYear d)))
(written (LocalDate/parse "2024-02-09"))
;=> "9 Feb 2024"

;; A text that is no date is caught, and told.
(defn read-date [text] (try (LocalDate/parse text) (catch Exception e (ex-message e))))
(map read-date ["2024-02-29" "soon"])
;=> [#date "2024-02-29" "LocalDate/parse: not a YYYY-MM-DD date: 'soon'"]

;; Months and years: the day stays, or is the last of a shorter month.
(let [d (LocalDate/parse "2024-01-31")]
  (map str [(.plusMonths d 1) (.plusMonths d 13) (.minusMonths d 2) (.plusYears (LocalDate/parse "2024-02-29") 1) (.minusYears d 24)]))
;=> ["2024-02-29" "2025-02-28" "2023-11-30" "2025-02-28" "2000-01-31"]
(take 3 (map #(subs (str (.plusMonths (LocalDate/of 2024 11 1) %)) 0 7) (range)))
;=> ["2024-11" "2024-12" "2025-01"]
(.plusMonths (java.util.Date. 0) 1)
;!> type_error 1:1 .plusMonths: expected a date, got datetime
(.plusYears (LocalDate/parse "2024-01-31") 9000000000000000000)
;!> argument_error 1:1 .plusYears: the result is outside the years -9999 to 9999
