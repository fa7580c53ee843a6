;; Times of day, date-times, zones and durations.

;; Times of day.
(let [t (LocalTime/parse "10:30")]
  [(.getHour t) (.getMinute t) (.plusMinutes t 45) (.minusHours t 11) (str (LocalTime/of 9 5)) (.isBefore t LocalTime/NOON) (.toSecondOfDay t)
   (.withHour t 0) (.withMinute t 0) (.withSecond t 5) (.withNano t 500000000) (.getSecond t) (.getNano t) (LocalTime/parse "9:05 PM" (DateTimeFormatter/ofPattern "h:mm a"))])
;=> [10 30 #local-time "11:15" #local-time "23:30" "09:05" true 37800 #local-time "00:30" #local-time "10:00" #local-time "10:30:05" #local-time "10:30:00.500" 0 0 #local-time "21:05"]
(LocalTime/parse "25:00")
;!> argument_error 1:1 LocalTime/parse: not a time such as 10:30: '25:00'; read another form with (LocalTime/parse s (DateTimeFormatter/ofPattern "h:mm a"))

;; Dates with a time.
(let [t (LocalDateTime/parse "2024-02-28T23:30")]
  [(.plusHours t 1) (.toLocalDate t) (.toLocalTime t) (.getDayOfWeek t) (.truncatedTo t ChronoUnit/DAYS) (.plusDays t 1) (.plusMonths t 1) (.withDayOfMonth t 1)
   (= t (.atTime (LocalDate/of 2024 2 28) 23 30) (LocalDateTime/of 2024 2 28 23 30) (LocalDateTime/of (LocalDate/of 2024 2 28) (LocalTime/of 23 30)))
   (str (.atStartOfDay (LocalDate/of 2024 3 1))) (.isAfter t (LocalDateTime/of 2024 1 1 0 0)) (type t)])
;=> [#local-datetime "2024-02-29T00:30" #date "2024-02-28" #local-time "23:30" WEDNESDAY #local-datetime "2024-02-28T00:00" #local-datetime "2024-02-29T23:30" #local-datetime "2024-03-28T23:30" #local-datetime "2024-02-01T23:30" true "2024-03-01T00:00" true :local-datetime]

;; By a pattern.
(def stamp (DateTimeFormatter/ofPattern "dd/MMM/yyyy:HH:mm:ss Z"))
(let [t (ZonedDateTime/parse "10/Oct/2000:13:55:36 -0700" stamp)]
  [(str t) (.toInstant t) (.format t stamp) (.format (.atZone (.toInstant t) (ZoneId/of "UTC")) (DateTimeFormatter/ofPattern "yyyy-MM-dd'T'HH:mm:ss.SSSX"))
   (LocalDateTime/parse "2024-03-01 10:30:05" (DateTimeFormatter/ofPattern "yyyy-MM-dd HH:mm[:ss]"))
   (.format (LocalDateTime/of 2024 3 1 0 5) (DateTimeFormatter/ofPattern "h:mm a, 'day' D, Q"))])
;=> ["2000-10-10T13:55:36-07:00" #inst "2000-10-10T20:55:36Z" "10/Oct/2000:13:55:36 -0700" "2000-10-10T20:55:36.000Z" #local-datetime "2024-03-01T10:30:05" "12:05 AM, day 61, 1"]

;; Zones have their summer time; the day of the change has 23 hours.
(let [berlin (ZoneId/of "Europe/Berlin")
      z (.atZone (LocalDateTime/of 2024 3 30 12 0) berlin)]
  [(str z) (str (.plusDays z 1)) (str (.plusHours z 24)) (.toHours (Duration/between z (.plusDays z 1))) (.getZone z) (str (.getOffset (.plusDays z 1)))
   (str (.withZoneSameInstant z (ZoneId/of "America/New_York"))) (str (.withZoneSameLocal z (ZoneId/of "Asia/Tokyo")))
   (.format z (DateTimeFormatter/ofPattern "HH:mm z VV XXX"))])
;=> ["2024-03-30T12:00+01:00[Europe/Berlin]" "2024-03-31T12:00+02:00[Europe/Berlin]" "2024-03-31T13:00+02:00[Europe/Berlin]" 23 #zone "Europe/Berlin" "+02:00" "2024-03-30T07:00-04:00[America/New_York]" "2024-03-30T12:00+09:00[Asia/Tokyo]" "12:00 CET Europe/Berlin +01:00"]

;; Points in time on the clocks of a place, and back.
(let [i #inst "2024-07-01T10:00:00Z" z (.atZone i (ZoneId/of "Asia/Kolkata"))]
  [(str z) (= i (.toInstant z)) (.toLocalDate z) (str (.toLocalDateTime z)) (LocalDateTime/ofInstant i (ZoneId/of "+02:00")) (.toEpochSecond z) (.getEpochSecond i)
   (.toInstant (LocalDateTime/of 2024 7 1 10 0) ZoneOffset/UTC) (str (ZonedDateTime/of 2024 7 1 10 0 0 0 (ZoneOffset/ofHours 2))) (Instant/ofEpochMilli 1500)
   (ZonedDateTime/ofInstant Instant/EPOCH (ZoneId/of "UTC")) (.atOffset i ZoneOffset/UTC) (Date/from i) (Instant/ofEpochSecond 60) (str (ZoneOffset/of "-03:30"))])
;=> ["2024-07-01T15:30+05:30[Asia/Kolkata]" true #date "2024-07-01" "2024-07-01T15:30" #local-datetime "2024-07-01T12:00" 1719828000 1719828000 #inst "2024-07-01T10:00:00Z" "2024-07-01T10:00+02:00" #inst "1970-01-01T00:00:01.5Z" #zoned-datetime "1970-01-01T00:00Z" #zoned-datetime "2024-07-01T10:00Z" #inst "2024-07-01T10:00:00Z" #inst "1970-01-01T00:01:00Z" "-03:30"]
(ZoneId/of "Berlin")
;!> argument_error 1:1 ZoneId/of: unknown time zone "Berlin"; write a name such as "Europe/Berlin" or "America/New_York", "UTC", or an offset such as "+02:00"
(.toInstant (LocalDateTime/of 2024 7 1 10 0))
;!> argument_error 1:1 .toInstant: a date-time is in no zone; write (.toInstant t ZoneOffset/UTC) or (.atZone t zone)

;; The clock is that of the host; without a zone it is UTC.
[(LocalDateTime/now) (LocalTime/now) (str (ZonedDateTime/now (ZoneId/of "Asia/Tokyo"))) (LocalDate/now (ZoneId/of "Pacific/Auckland")) (YearMonth/now) (str (ZoneId/systemDefault))]
;=> [#local-datetime "2026-01-15T12:00" #local-time "12:00" "2026-01-15T21:00+09:00[Asia/Tokyo]" #date "2026-01-16" #year-month "2026-01" "UTC"]

;; Durations: exact, in any unit, added and compared.
(let [d (Duration/between #inst "2024-03-09T10:00:00Z" #inst "2024-03-10T11:30:15Z")]
  [d (.toHours d) (.toMinutes d) (.getSeconds d) (.toSeconds d) (.toMillis d) (.toDays d) (.toHoursPart d) (.toMinutesPart d) (.toSecondsPart d)
   (.plus d (Duration/ofMinutes 30)) (.minus d d) (.isNegative d) (.isZero Duration/ZERO) (.negated (Duration/ofSeconds 90)) (.abs (Duration/ofHours -2)) (.multipliedBy (Duration/ofMinutes 40) 3)
   (.plusMinutes (Duration/ofHours 1) 30) (.plusMillis Duration/ZERO 5) (.minusMillis Duration/ZERO 5)])
;=> [#duration "PT25H30M15S" 25 1530 91815 91815 91815000 1 1 30 15 #duration "PT26H15S" #duration "PT0S" false true #duration "PT-1M-30S" #duration "PT2H" #duration "PT2H" #duration "PT1H30M" #duration "PT0.005S" #duration "PT-0.005S"]
(let [ds (map #(Duration/ofMinutes %) [90 5 30])]
  [(sort ds) (reduce #(.plus %1 %2) ds) (< (Duration/ofHours 1) (Duration/ofDays 1)) (str (Duration/parse "PT1H0.5S")) (.plus #inst "2024-03-09T10:00:00Z" (first ds)) (type (first ds))])
;=> [[#duration "PT5M" #duration "PT30M" #duration "PT1H30M"] #duration "PT2H5M" true "PT1H0.5S" #inst "2024-03-09T11:30:00Z" :duration]
(/ (Duration/ofHours 1) 2)
;!> type_error 1:1 /: expected numbers, got duration and number; (.toMillis d), (.toHours d) and (.toDays d) give a number

;; Units between times.
[(.between ChronoUnit/MINUTES (LocalTime/of 10 0) (LocalTime/of 11 30)) (.between ChronoUnit/DAYS #inst "2024-03-01T00:00:00Z" #inst "2024-03-03T23:00:00Z")
 (.between ChronoUnit/DAYS (LocalDateTime/of 2024 3 1 12 0) (LocalDateTime/of 2024 3 3 11 0)) (.until (LocalDateTime/of 2024 1 31 12 0) (LocalDateTime/of 2024 3 1 12 0) ChronoUnit/MONTHS)]
;=> [90 2 1 1]
(.between ChronoUnit/MONTHS (java.util.Date. 0) (java.util.Date. 5))
;!> type_error 1:1 .between: cannot count MONTHS between datetime and datetime; (.atZone inst (ZoneId/of "UTC")) has days and months

;; A date alone has no hours.
(.plusHours (LocalDate/of 2024 3 1) 1)
;!> type_error 1:1 .plusHours: expected a time or instant ((.atStartOfDay d) and (.atTime d 10 30) give a date a time), got date

;; Log lines by hour.
(->> ["2024-03-09T08:10:00" "2024-03-09T08:50:00" "2024-03-09T09:00:00"]
     (map #(.getHour (LocalDateTime/parse %)))
     frequencies)
;=> {8 2 9 1}
