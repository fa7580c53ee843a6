;; Points in time: `java.util.Date.`, `Instant`, milliseconds and durations.

;; An integer is milliseconds since 1970, or seconds when it is below 10^12.
[(java.util.Date. 86400) (java.util.Date. 1709980200000) (java.util.Date. 0)]
;=> [#inst "1970-01-02T00:00:00Z" #inst "2024-03-09T10:30:00Z" #inst "1970-01-01T00:00:00Z"]

;; A text is read as ISO 8601, as a date or as a mail header; the offset is applied.
(map #(java.util.Date. %) ["2024-03-09T10:30:00Z" "2024-03-09T12:30:00+02:00" "2024-03-09" "Tue, 5 Mar 2024 07:15:00 +0200"])
;=> [#inst "2024-03-09T10:30:00Z" #inst "2024-03-09T10:30:00Z" #inst "2024-03-09T00:00:00Z" #inst "2024-03-05T05:15:00Z"]

;; Equal points in time are equal, however they were written.
(= (java.util.Date. "2024-03-09T12:30:00+02:00") (Instant/parse "2024-03-09T10:30:00Z") (java.util.Date. 1709980200000))
;=> true

;; `inst?` asks for one; its type is `:datetime`.
[(inst? (java.util.Date. 0)) (inst? "2024-03-09T10:30:00Z") (type (Instant/parse "2024-03-09T10:30:00Z"))]
;=> [true false :datetime]

;; Only what is a point in time can be compared with one.
(filter inst? [(java.util.Date. 60) "1970" nil 60])
;=> [#inst "1970-01-01T00:01:00Z"]

;; `inst-ms`, `.getTime` and `.toEpochMilli` answer milliseconds since 1970.
(let [t (java.util.Date. "2024-03-09T10:30:00.250Z")]
  [(inst-ms t) (.getTime t) (.toEpochMilli t)])
;=> [1709980200250 1709980200250 1709980200250]

;; Two minutes between log lines.
(defn seconds-between [a b] (/ (- (inst-ms (Instant/parse b)) (inst-ms (Instant/parse a))) 1000))
(seconds-between "2024-03-09T10:30:00Z" "2024-03-09T10:32:00.500Z")
;=> 120.5

;; A `Duration` is a value of its own; `.toMillis` and `.toDays` count it.
(let [a (java.util.Date. "2024-03-09T10:00:00Z") b (java.util.Date. "2024-03-11T11:00:00Z")]
  [(Duration/between a b) (.toMillis (Duration/between a b)) (.toDays (Duration/between a b)) (Duration/between b a)])
;=> [#duration "PT49H" 176400000 2 #duration "PT-49H"]

;; Days are added to points in time as well.
[(.plusDays (java.util.Date. 0) 31) (.minusDays (java.util.Date. 0) 1)]
;=> [#inst "1970-02-01T00:00:00Z" #inst "1969-12-31T00:00:00Z"]

;; Before, after, in order.
(let [a (java.util.Date. 1) b (java.util.Date. 2)]
  [(.isBefore a b) (.isAfter a b) (< a b) (compare a b) (apply max-key inst-ms [a b])])
;=> [true false true -1 #inst "1970-01-01T00:00:02Z"]

;; The clock is that of the host, here fixed at noon of 2026-01-15.
[(java.util.Date.) (Instant/now) (System/currentTimeMillis) (= (System/currentTimeMillis) (inst-ms (java.util.Date.)))]
;=> [#inst "2026-01-15T12:00:00Z" #inst "2026-01-15T12:00:00Z" 1768478400000 true]

;; How old an entry is, in hours.
(defn age [text] (.toHours (Duration/between (Instant/parse text) (Instant/now))))
(map age ["2026-01-15T10:30:00Z" "2026-01-14T12:00:00Z"])
;=> [1 24]

;; Both clocks agree: today is the day of the present point in time.
[(= (str (LocalDate/now)) (subs (str (Instant/now)) 0 10))
 (= (.toEpochMilli (Instant/now)) (System/currentTimeMillis))
 (.toMillis (Duration/between (Instant/now) (.plusDays (Instant/now) 1)))]
;=> [true true 86400000]

;; Points in time leave as text.
[(str (java.util.Date. 0)) (json/generate-string {:at (java.util.Date. 0)})]
;=> ["1970-01-01T00:00:00Z" "{\"at\":\"1970-01-01T00:00:00Z\"}"]

;; A text that is none.
(java.util.Date. "yesterday")
;!> argument_error 1:1 java.util.Date.: not a date-time: 'yesterday'; write 2024-03-09T10:30:00Z, with an offset or Z

;; `Instant/parse` needs a time and an offset.
(Instant/parse "2024-03-09")
;!> argument_error 1:1 Instant/parse: not a date-time: '2024-03-09'; write 2024-03-09T10:30:00Z, with an offset or Z

;; A date has no milliseconds.
(inst-ms (LocalDate/parse "2024-03-09"))
;!> type_error 1:1 inst-ms: expected an instant, got date

;; Text has to be parsed first.
(.getTime "2024-03-09T10:30:00Z")
;!> type_error 1:1 .getTime: expected an instant, got string

;; Dates and points in time do not mix.
(.isBefore (LocalDate/parse "2024-03-09") (java.util.Date. 0))
;!> type_error 1:1 .isBefore: expected two dates, got datetime

;; `time` answers the value; with a fixed clock nothing takes any time.
[(time (+ 1 2)) (time nil)]
;=> [3 nil]
;out> "Elapsed time: 0.0 msecs"
;out> "Elapsed time: 0.0 msecs"

;; Events grouped by day.
(->> ["2024-03-09T08:00:00Z" "2024-03-10T01:00:00+02:00" "2024-03-10T09:00:00Z"]
     (map #(subs (str (Instant/parse %)) 0 10))
     frequencies)
;=> {"2024-03-09" 2 "2024-03-10" 1}

;; The longest pause between events that are in order.
(defn longest-pause [texts]
  (let [ms (sort (map #(inst-ms (Instant/parse %)) texts))]
    (apply max (map - (rest ms) ms))))
(/ (longest-pause ["2024-03-09T08:00:00Z" "2024-03-09T08:10:00Z" "2024-03-09T08:03:00Z"]) 60000)
;=> 7

;; A session that is too old is found by the clock of the host.
;- data {:sessions [{:id 1 :seen "2026-01-15T11:45:00Z"} {:id 2 :seen "2026-01-15T09:00:00Z"}]}
(defn expired? [{:keys [seen]}] (> (- (System/currentTimeMillis) (inst-ms (java.util.Date. seen))) (* 60 60 1000)))
(map :id (filter expired? data/sessions))
;=> [2]

;; Milliseconds as hours, minutes and seconds.
(defn duration [ms]
  (let [s (quot ms 1000)] (format "%d:%02d:%02d" (quot s 3600) (mod (quot s 60) 60) (mod s 60))))
[(duration 3725000) (duration (.toMillis (Duration/between (java.util.Date. 0) (java.util.Date. 59))))]
;=> ["1:02:05" "0:00:59"]

;; The earliest and the latest of several.
(let [times (map #(java.util.Date. %) [30 10 20])]
  [(first (sort times)) (last (sort times)) (reduce #(if (.isBefore %1 %2) %1 %2) times)])
;=> [#inst "1970-01-01T00:00:10Z" #inst "1970-01-01T00:00:30Z" #inst "1970-01-01T00:00:10Z"]

;; As keys of a map equal points in time are one.
(count (set [(java.util.Date. 1) (Instant/parse "1970-01-01T00:00:01Z") (java.util.Date. 2)]))
;=> 2
