;; Who reports to whom, as a tree of names.
;- data {:people [{:name "Ada" :boss nil} {:name "Ben" :boss "Ada"} {:name "Cleo" :boss "Ada"} {:name "Dan" :boss "Ben"}]}
(def reports (group-by :boss data/people))

(defn tree [{:keys [name]}]
  (let [below (get reports name)]
    (if (seq below)
      [name (mapv tree below)]
      name)))

(mapv tree (get reports nil))
;=> [["Ada" [["Ben" ["Dan"]] "Cleo"]]]

;; Meeting times that suit everybody, from calendars behind a tool.
;- data {:team ["ada" "ben"]}
;- tool busy-hours (person :string, day :string) -> [:int] = (get {"ada" [9 10 13] "ben" [9 11 15]} person [])
(def day "2026-01-15")
(def hours (range 9 17))

(defn free-hours [person]
  (let [busy (set (tool/busy-hours {:person person :day day}))]
    (set (remove busy hours))))

(let [common (reduce set/intersection (map free-hours data/team))]
  (println "common hours:" (str/join ", " (sort common)))
  (return {:day day :first (apply min common)}))
;return> {:day "2026-01-15" :first 12}
;out> common hours: 12, 14, 16

;; Invitations with a template, sent by a tool, counted by outcome.
;- data {:guests [{:name "Ada" :mail "ada@x.org"} {:name "Ben" :mail nil} {:name "Cleo" :mail "cleo@x.org"}]}
;- tool send-mail (to :string, subject :string, body :string) -> {sent :bool} = {:sent (str/starts-with? to "ada")}
(def template "Dear NAME, please come at HOUR.")

(defn render [guest]
  (-> template
      (str/replace "NAME" (:name guest))
      (str/replace "HOUR" "19:00")))

(defn invite [{:keys [name mail] :as guest}]
  (if (nil? mail)
    {:name name :outcome :no-mail}
    (let [{:keys [sent]} (tool/send-mail {:to mail
                                          :subject "Invitation"
                                          :body (render guest)})]
      {:name name :outcome (if sent :sent :bounced)})))

(let [outcomes (map invite data/guests)]
  (return (update-vals (group-by :outcome outcomes) (partial mapv :name))))
;return> {:sent ["Ada"] :no-mail ["Ben"] :bounced ["Cleo"]}

;; Salaries by team: median by sorting, with an odd and an even count.
;- data {:staff [{:team "a" :pay 10} {:team "a" :pay 30} {:team "a" :pay 20} {:team "b" :pay 5} {:team "b" :pay 7}]}
(defn median [numbers]
  (let [sorted (sort numbers)
        n (count sorted)
        half (quot n 2)]
    (if (odd? n)
      (nth sorted half)
      (/ (+ (nth sorted (dec half)) (nth sorted half)) 2))))

(into {}
      (for [[team rows] (group-by :team data/staff)]
        [team (median (map :pay rows))]))
;=> {"a" 20 "b" 6}

;; Votes as an atom that a doseq fills, then ranked.
;- data {:ballots [["ada" "ben"] ["ben" "ada"] ["ben" "cleo"] ["cleo" "ben"]]}
(def points (atom {}))

(doseq [ballot data/ballots
        [place name] (map-indexed vector ballot)]
  (swap! points update name (fnil + 0) (- 2 place)))

(let [ranking (sort-by (fn [[name score]] [(- score) name]) @points)]
  (println (ffirst ranking) "wins")
  (return (mapv first ranking)))
;return> ["ben" "ada" "cleo"]
;out> ben wins

;; Names brought to one form before they are matched.
;- data {:left [" Ada  Berg" "BEN holm"] :right [{:name "ada berg" :id 1} {:name "Cleo Dahl" :id 2}]}
(defn normal [name]
  (-> name
      str/trim
      str/lower-case
      (str/replace #"\s+" " ")))

(def by-name (into {} (map (juxt (comp normal :name) :id) data/right)))

(mapv (fn [name]
        (let [id (get by-name (normal name))]
          (if id {:name name :id id} {:name name :problem :unknown})))
      data/left)
;=> [{:name " Ada  Berg" :id 1} {:name "BEN holm" :problem :unknown}]

;; Birthdays of this month by date text; a bad date is reported, not dropped.
;- data {:people [{:name "Ada" :born "1990-03-14"} {:name "Ben" :born "1985-11-02"} {:name "Cleo" :born "unknown"} {:name "Dan" :born "2001-03-30"}]}
(defn month-of [born]
  (if-let [[_ month] (re-matches #"\d{4}-(\d{2})-\d{2}" born)]
    (parse-long month)
    (throw (ex-info "not a date" {:born born}))))

(defn checked [{:keys [name born]}]
  (try
    {:name name :month (month-of born)}
    (catch Exception e
      {:name name :problem (:born (ex-data e))})))

(let [rows (map checked data/people)]
  {:march (mapv :name (filter #(= 3 (:month %)) rows))
   :bad (vec (keep :problem rows))})
;=> {:march ["Ada" "Dan"] :bad ["unknown"]}

;; A rota: who is on duty in which week, cycling through the team.
;- data {:team ["ada" "ben" "cleo"] :weeks 5}
(defn rota [team weeks]
  (map (fn [week person] {:week week :person person})
       (range 1 (inc weeks))
       (cycle team)))

(let [plan (rota data/team data/weeks)]
  (doseq [{:keys [week person]} plan]
    (println "week" week person))
  (return (frequencies (map :person plan))))
;return> {"ada" 2 "ben" 2 "cleo" 1}
;out> week 1 ada
;out> week 2 ben
;out> week 3 cleo
;out> week 4 ada
;out> week 5 ben
