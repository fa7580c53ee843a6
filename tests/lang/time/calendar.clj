;; Weekdays, months, amounts and patterns, as programs for Java's calendar have them.

;; A weekday is a value of its own: compared, sorted from Monday on, a key, a number.
(let [d (LocalDate/parse "2024-02-29")]
  [(.getDayOfWeek d) (.getValue (.getDayOfWeek d)) (= DayOfWeek/THURSDAY (.getDayOfWeek d)) (.name (.getDayOfWeek d)) (str (.getDayOfWeek d))])
;=> [THURSDAY 4 true "THURSDAY" "THURSDAY"]
(sort [DayOfWeek/SUNDAY java.time.DayOfWeek/MONDAY DayOfWeek/FRIDAY])
;=> [MONDAY FRIDAY SUNDAY]
(frequencies (map #(.getDayOfWeek %) (.datesUntil (LocalDate/of 2024 1 1) (LocalDate/of 2024 1 10))))
;=> {MONDAY 2 TUESDAY 2 WEDNESDAY 1 THURSDAY 1 FRIDAY 1 SATURDAY 1 SUNDAY 1}

;; What is printed reads back, also in `case`.
[(= MONDAY DayOfWeek/MONDAY) (case (.getDayOfWeek (LocalDate/of 2024 3 2)) (SATURDAY SUNDAY) :weekend :work)
 (case (.getMonth (LocalDate/of 2024 5 1)) Month/MAY "spring" "other")]
;=> [true :weekend "spring"]

;; Working days: neither weekend nor holiday.
(def weekend #{DayOfWeek/SATURDAY DayOfWeek/SUNDAY})
(def holidays #{(LocalDate/parse "2024-05-01")})
(defn working? [d] (not (or (weekend (.getDayOfWeek d)) (holidays d))))
(map str (take 3 (filter working? (iterate #(.plusDays % 1) (LocalDate/of 2024 4 30)))))
;=> ["2024-04-30" "2024-05-02" "2024-05-03"]

;; Months by name, and turning round.
[(.getMonth (LocalDate/of 2024 5 1)) (.getValue Month/MAY) (.plus Month/NOVEMBER 2) (.minus DayOfWeek/MONDAY 1) (LocalDate/of 2024 Month/MAY 1) (Month/of 12)]
;=> [MAY 5 JANUARY SUNDAY #date "2024-05-01" DECEMBER]

;; Names for people.
[(.getDisplayName DayOfWeek/MONDAY TextStyle/SHORT Locale/ENGLISH) (.getDisplayName Month/MARCH TextStyle/FULL Locale/US)
 (.ordinal DayOfWeek/SUNDAY) (count (DayOfWeek/values)) (Month/valueOf "JUNE") (DayOfWeek/from (LocalDate/of 2024 3 1)) (DayOfWeek/of 7)
 (DayOfWeek/valueOf "FRIDAY") (Month/from (LocalDate/of 2024 3 1)) (.maxLength Month/APRIL) (last (Month/values))]
;=> ["Mon" "March" 6 7 JUNE FRIDAY SUNDAY FRIDAY MARCH 30 DECEMBER]
(DayOfWeek/of 8)
;!> argument_error 1:1 DayOfWeek/of: expected 1 to 7, got 8
DayOfWeek/MONTAG
;!> invalid_form 1:1 no DayOfWeek function named MONTAG; available: FRIDAY, MONDAY, SATURDAY, SUNDAY, THURSDAY, TUESDAY, WEDNESDAY, from, of, valueOf, values

;; Lengths and parts.
(let [d (LocalDate/parse "2024-02-10")]
  [(.lengthOfMonth d) (.lengthOfYear d) (.isLeapYear d) (.getDayOfYear d) (Year/isLeap 1900) (.getMonthValue d)
   (.withDayOfMonth d (.lengthOfMonth d)) (.withMonth d 12) (.withYear d 2025) (.withDayOfYear d 366)])
;=> [29 366 true 41 false 2 #date "2024-02-29" #date "2024-12-10" #date "2025-02-10" #date "2024-12-31"]
(.withDayOfMonth (LocalDate/of 2023 2 1) 29)
;!> argument_error 1:1 .withDayOfMonth: there is no such date: 2023-02-01 with 29

;; Weeks and quarters of ISO.
(map (fn [[y m d]] (let [d (LocalDate/of y m d)] [(.get d IsoFields/WEEK_BASED_YEAR) (.get d IsoFields/WEEK_OF_WEEK_BASED_YEAR) (.get d IsoFields/QUARTER_OF_YEAR)]))
     [[2024 12 30] [2021 1 3] [2024 5 1]])
;=> [[2025 1 4] [2020 53 1] [2024 18 2]]

;; Months of a year.
(let [m (YearMonth/parse "2024-02")]
  [(.atEndOfMonth m) (.atDay m 1) (.plusMonths m 11) (.lengthOfMonth m) (str (.minusMonths m 2)) (= m (YearMonth/of 2024 2) (YearMonth/from (LocalDate/of 2024 2 9)))
   (.isBefore m (YearMonth/of 2024 3)) (type m) (.until m (YearMonth/of 2025 1) ChronoUnit/MONTHS) (.isLeapYear m)])
;=> [#date "2024-02-29" #date "2024-02-01" #year-month "2025-01" 29 "2023-12" true true :year-month 11 true]
(sort (vals (group-by #(YearMonth/from %) (map #(LocalDate/parse %) ["2024-02-01" "2024-01-31" "2024-02-29"]))))
;=> [[#date "2024-01-31"] [#date "2024-02-01" #date "2024-02-29"]]

;; What lies between two dates.
(let [a (LocalDate/parse "2024-01-31") b (LocalDate/parse "2024-03-30")]
  [(.between ChronoUnit/DAYS a b) (.until a b ChronoUnit/WEEKS) (.between ChronoUnit/MONTHS a b) (.between ChronoUnit/YEARS b a)
   (Period/between a b) (.getDays (Period/between a b)) (.getMonths (.until a b)) (.toTotalMonths (Period/of 1 2 3)) (.between ChronoUnit/HOURS a b)])
;=> [59 8 1 0 #period "P1M30D" 30 1 14 1416]
(.between ChronoUnit/DAYS "2024-01-01" (LocalDate/of 2024 1 2))
;!> type_error 1:1 .between: cannot count DAYS between string and date; (LocalDate/parse s) reads a date

;; The age on a day, from a period.
(defn age [born today] (.getYears (Period/between (LocalDate/parse born) (LocalDate/parse today))))
[(age "1990-06-15" "2024-06-14") (age "1990-06-15" "2024-06-15")]
;=> [33 34]

;; Periods and units are added; the day stays or is the last of a shorter month.
(let [d (LocalDate/of 2024 1 31)]
  [(.plus d (Period/of 0 1 1)) (.minus d (Period/ofMonths 2)) (.plus d 3 ChronoUnit/WEEKS) (.plusWeeks d 1) (.minusWeeks d 1) (.plus d (Period/ofWeeks 1))
   (.plus d (Period/ofYears 1)) (Period/parse "P1Y2W") (.getYears (Period/parse "P3Y")) (.negated (Period/ofDays 2)) (.isZero (Period/ofDays 0))])
;=> [#date "2024-03-01" #date "2023-11-30" #date "2024-02-21" #date "2024-02-07" #date "2024-01-24" #date "2024-02-07" #date "2025-01-31" #period "P1Y14D" 3 #period "P-2D" true]

;; All dates of a range, in steps.
[(count (.datesUntil (LocalDate/of 2024 1 1) (LocalDate/of 2025 1 1)))
 (map str (.datesUntil (LocalDate/of 2024 1 31) (LocalDate/of 2024 4 30) (Period/ofMonths 1)))]
;=> [366 ["2024-01-31" "2024-02-29" "2024-03-31"]]
(.datesUntil (LocalDate/of 2024 1 2) (LocalDate/of 2024 1 1))
;!> argument_error 1:1 .datesUntil: 2024-01-01 is before 2024-01-02

;; Patterns write and read dates.
(def us (DateTimeFormatter/ofPattern "M/d/yyyy"))
[(.format (LocalDate/of 2024 3 1) us) (LocalDate/parse "12/31/2023" us)]
;=> ["3/1/2024" #date "2023-12-31"]
(def long-form (DateTimeFormatter/ofPattern "EEEE, d MMMM yyyy" Locale/ENGLISH))
[(.format (LocalDate/of 2024 3 1) long-form) (LocalDate/parse "Friday, 1 March 2024" long-form)
 (LocalDate/parse "01mar24" (DateTimeFormatter/ofPattern "ddMMMyy")) (.format (.withLocale long-form Locale/UK) (LocalDate/of 2024 3 2))
 (.format (LocalDate/of 2024 3 1) DateTimeFormatter/BASIC_ISO_DATE) (str DateTimeFormatter/ISO_LOCAL_DATE)]
;=> ["Friday, 1 March 2024" #date "2024-03-01" #date "2024-03-01" "Saturday, 2 March 2024" "20240301" "yyyy-MM-dd"]
(LocalDate/parse "31.02.2024" (DateTimeFormatter/ofPattern "dd.MM.yyyy"))
;!> argument_error 1:1 LocalDate/parse: there is no such date: '31.02.2024'
(LocalDate/parse "1.2.2024" (DateTimeFormatter/ofPattern "dd.MM.yyyy"))
;!> argument_error 1:1 LocalDate/parse: '1.2.2024' does not fit the pattern "dd.MM.yyyy", from '1.2.2024' on
(DateTimeFormatter/ofPattern "YYYY-MM-dd")
;!> argument_error 1:1 DateTimeFormatter/ofPattern: Y is the week-based year; write yyyy in the pattern "YYYY-MM-dd"
(.format (LocalDate/of 2024 3 1) "yyyy")
;!> type_error 1:1 .format: expected a formatter: (DateTimeFormatter/ofPattern "yyyy"), got string

;; Dates in a row of data, whichever way they are written.
(defn parse-date [s]
  (some (fn [pattern] (try (LocalDate/parse s (DateTimeFormatter/ofPattern pattern)) (catch Exception _ nil)))
        ["yyyy-MM-dd" "d.M.yyyy" "MM/dd/yyyy" "d MMM yyyy"]))
(map parse-date ["2024-03-01" "1.3.2024" "03/01/2024" "1 Mar 2024" "soon"])
;=> [#date "2024-03-01" #date "2024-03-01" #date "2024-03-01" #date "2024-03-01" nil]

;; Tagged literals are read as what they print.
[(= #date "2024-03-01" (LocalDate/of 2024 3 1)) (= #inst "2024-03-01" #inst "2024-03-01T01:00:00+01:00") #year-month "2024-03" (.plus #date "2024-01-31" #period "P1M")
 #duration "PT90M" (type #local-time "10:30") #zone "Europe/Berlin" (inst-ms #inst "1970-01-01T00:00:01.000-00:00")]
;=> [true true #year-month "2024-03" #date "2024-02-29" #duration "PT1H30M" :local-time #zone "Europe/Berlin" 1000]
#date "2024-02-30"
;!> parse_error 1:1 '2024-02-30' is not a valid #date (write #date "2024-03-01")

;; Alone they print plain, inside of others as they are read.
(let [d (LocalDate/of 2024 3 1)]
  (println d DayOfWeek/MONDAY)
  (println [d] {:month Month/MAY})
  (prn d)
  [(str d) (str [d]) (str "due " d) (pr-str d) (.toString d)])
;out> 2024-03-01 MONDAY
;out> [#date "2024-03-01"] {:month MAY}
;out> #date "2024-03-01"
;=> ["2024-03-01" "[#date \"2024-03-01\"]" "due 2024-03-01" "#date \"2024-03-01\"" "2024-03-01"]

;; In JSON they are texts.
(json/generate-string {:d (LocalDate/of 2024 3 1) :m Month/MAY :at (LocalDateTime/of 2024 3 1 10 30) :p (Period/ofDays 3)})
;=> "{\"d\":\"2024-03-01\",\"m\":\"MAY\",\"at\":\"2024-03-01T10:30\",\"p\":\"P3D\"}"

;; A definition keeps its kind from turn to turn.
(def d (LocalDate/of 2024 3 1)) (def m (.getMonth d)) (def z (.atStartOfDay d (ZoneId/of "Europe/Berlin")))
;=> #'z
[(.plusDays d 1) (= m Month/MARCH) (str (.plusHours z 1))]
;=> [#date "2024-03-02" true "2024-03-01T01:00+01:00[Europe/Berlin]"]
