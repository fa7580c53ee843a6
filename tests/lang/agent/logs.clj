;; Slow requests by path from raw log lines.
;- data {:lines ["GET /a 120ms" "GET /b 45ms" "POST /a 300ms" "GET /a 80ms" "garbage"]}
(defn parse-line [line]
  (when-let [[_ method path ms] (re-matches #"(\w+) (\S+) (\d+)ms" line)]
    {:method method :path path :ms (parse-long ms)}))

(let [requests (keep parse-line data/lines)
      slow (filter #(> (:ms %) 100) requests)
      by-path (group-by :path slow)]
  (println (count requests) "requests," (count slow) "slow")
  (update-vals by-path (fn [rows] (apply max (map :ms rows)))))
;=> {"/a" 300}
;out> 4 requests, 2 slow

;; Incidents between an alarm and its end, by a loop with an open one.
;- data {:events [{:at 10 :kind "alarm"} {:at 15 :kind "note"} {:at 30 :kind "clear"} {:at 50 :kind "alarm"} {:at 55 :kind "clear"}]}
(loop [[event & more] data/events
       start nil
       closed []]
  (cond
    (nil? event) {:closed closed :open start}
    (= "alarm" (:kind event)) (recur more (:at event) closed)
    (= "clear" (:kind event)) (recur more nil (conj closed [start (:at event)]))
    :else (recur more start closed)))
;=> {:closed [[10 30] [50 55]] :open nil}

;; Logs of several services from a tool, merged by time.
;- data {:services ["api" "db"]}
;- tool read-log (service :string, level :string) -> [{at :int, msg :string}] = (if (= service "api") [{:at 3 :msg "timeout"} {:at 9 :msg "retry"}] [{:at 5 :msg "lock"}])
(defn errors-of [service]
  (map #(assoc % :service service)
       (tool/read-log {:service service :level "error"})))

(def merged (sort-by :at (mapcat errors-of data/services)))
(doseq [{:keys [at service msg]} merged]
  (println at service msg))
(return (mapv :msg merged))
;return> ["timeout" "lock" "retry"]
;out> 3 api timeout
;out> 5 db lock
;out> 9 api retry

;; Levels counted with a reduce over words, shown as a sorted list of pairs.
;- data {:text "INFO start\nWARN disk 91%\nINFO ok\nERROR disk full\nWARN cpu"}
(def levels
  (->> (str/split-lines data/text)
       (map #(first (str/split % #" ")))
       frequencies))

(def most (first (sort-by val > levels)))
(println "most frequent:" (key most))
{:levels (sort levels) :warnings (get levels "WARN" 0)}
;=> {:levels [["ERROR" 1] ["INFO" 2] ["WARN" 2]] :warnings 2}
;out> most frequent: INFO

;; The rate of errors in windows of three: the worst, where it begins, the mean.
;- data {:codes [200 500 200 200 500 503 200 200 404]}
(defn error? [code] (>= code 500))

(defn rate [codes]
  (/ (count (filter error? codes))
     (double (count codes))))

(let [windows (partition 3 1 data/codes)
      rates (map rate windows)]
  {:worst (apply max rates)
   :at (first (keep-indexed (fn [i r] (when (= r (apply max rates)) i)) rates))
   :mean (/ (reduce + rates) (count rates))})
;=> {:worst 0.6666666666666666 :at 3 :mean 0.38095238095238093}

;; Tickets opened for each alarm that has none yet.
;- data {:alarms [{:host "web1" :check "disk"} {:host "web1" :check "disk"} {:host "db1" :check "cpu"}]}
;- tool find-ticket (title :string) -> {id :int?} = (if (str/includes? title "db1") {:id 77} {:id nil})
;- tool open-ticket (title :string, priority :keyword) -> {id :int} = {:id (+ 100 (count title))}
(defn title-of [{:keys [host check]}]
  (str host ": " check " alarm"))

(defn ensure-ticket [title]
  (let [known (:id (tool/find-ticket {:title title}))]
    (if known
      [:known known]
      [:opened (:id (tool/open-ticket {:title title :priority :high}))])))

(let [titles (distinct (map title-of data/alarms))
      outcomes (map ensure-ticket titles)]
  (return (zipmap titles outcomes)))
;return> {"web1: disk alarm" [:opened 116] "db1: cpu alarm" [:known 77]}

;; Key-value pairs of a line, with the value read by the kind of the key.
;- data {:line "user=ada age=36 admin=true city=Oslo"}
(def readers {"age" parse-long "admin" #(= "true" %)})

(defn read-pair [text]
  (let [[k v] (str/split text #"=")
        reader (get readers k identity)]
    [(keyword k) (reader v)]))

(into {} (map read-pair (str/split data/line #" ")))
;=> {:user "ada" :age 36 :admin true :city "Oslo"}

;; Retries until the job is done, five at most.
;- tool job-status (id :string, attempt :int) -> {state :string, progress :int} = {:state (if (> attempt 2) "done" "running") :progress (* 30 attempt)}
(defn wait-for [id]
  (loop [attempt 0]
    (let [{:keys [state progress]} (tool/job-status {:id id :attempt attempt})]
      (println "attempt" attempt state progress)
      (cond
        (= state "done") {:ok true :attempts (inc attempt)}
        (>= attempt 4) {:ok false :attempts (inc attempt)}
        :else (recur (inc attempt))))))

(return (wait-for "job-1"))
;return> {:ok true :attempts 4}
;out> attempt 0 running 0
;out> attempt 1 running 30
;out> attempt 2 running 60
;out> attempt 3 done 90
