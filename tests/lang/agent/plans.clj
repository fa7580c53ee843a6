;; Tasks in an order in which each comes behind what it needs.
;- data {:needs {:deploy [:test :build] :test [:build] :build [:fetch] :fetch []}}
(defn ready [done needs]
  (for [[task before] needs
        :when (and (not (done task)) (every? done before))]
    task))

(loop [done #{}
       order []]
  (let [next-tasks (ready done data/needs)]
    (if (empty? next-tasks)
      {:order order :stuck (- (count data/needs) (count order))}
      (recur (into done next-tasks)
             (into order next-tasks)))))
;=> {:order [:fetch :build :test :deploy] :stuck 0}

;; The shortest way on a grid, breadth first.
;- data {:grid ["S.#." "..#E" "...."]}
(defn cell [[row col]]
  (let [line (get data/grid row "")]
    (when (< -1 col (count line))
      (str (nth line col)))))

(defn find-cell [wanted]
  (first (for [row (range (count data/grid))
               col (range (count (first data/grid)))
               :when (= wanted (cell [row col]))]
           [row col])))

(defn neighbours [[row col]]
  (filter #(contains? #{"." "E" "S"} (cell %))
          [[(dec row) col] [(inc row) col] [row (dec col)] [row (inc col)]]))

(let [goal (find-cell "E")]
  (loop [front [(find-cell "S")]
         seen (set front)
         steps 0]
    (cond
      (some #{goal} front) {:steps steps}
      (empty? front) {:steps nil}
      :else (let [onward (distinct (remove seen (mapcat neighbours front)))]
              (recur onward (into seen onward) (inc steps))))))
;=> {:steps 6}

;; A route by a tool that knows one leg at a time.
;- tool next-leg (from :string, goal :string) -> {to :string, km :int} = (get {"Oslo" {:to "Hamar" :km 120} "Hamar" {:to "Otta" :km 170} "Otta" {:to "Molde" :km 180}} from)
(defn route [start goal]
  (loop [place start
         legs []
         distance 0]
    (if (= place goal)
      {:legs legs :distance distance}
      (let [{:keys [to km]} (tool/next-leg {:from place :goal goal})]
        (recur to (conj legs [place to]) (+ distance km))))))

(return (route "Oslo" "Molde"))
;return> {:legs [["Oslo" "Hamar"] ["Hamar" "Otta"] ["Otta" "Molde"]] :distance 470}

;; A budget spread over projects, the cheapest first.
;- data {:budget 100 :projects [{:name "roof" :cost 60} {:name "paint" :cost 25} {:name "lamp" :cost 10} {:name "door" :cost 40}]}
(defn spend [{:keys [left chosen]} {:keys [name cost]}]
  (if (<= cost left)
    {:left (- left cost) :chosen (conj chosen name)}
    {:left left :chosen chosen}))

(->> data/projects
     (sort-by :cost)
     (reduce spend {:left data/budget :chosen []}))
;=> {:left 25 :chosen ["lamp" "paint" "door"]}

;; Weather for several towns at once, the best for a trip.
;- data {:towns ["Rome" "Oslo" "Cairo"]}
;- tool weather (town :string, day :int) -> {temp :float, rain :bool} = {:temp (get {"Rome" 24.5 "Oslo" 11.0 "Cairo" 33.0} town) :rain (= town "Oslo")}
(defn score [{:keys [temp rain]}]
  (- 100
     (abs (- temp 23))
     (if rain 50 0)))

(let [reports (pmap (fn [town]
                      (assoc (tool/weather {:town town :day 1}) :town town))
                    data/towns)
      best (apply max-key score reports)]
  (return {:go-to (:town best)
           :score (score best)}))
;return> {:go-to "Rome" :score 98.5}

;; A plan of steps where each has a kind that decides what is done.
;- data {:steps [{:op "add" :n 5} {:op "times" :n 3} {:op "sub" :n 1} {:op "stop"} {:op "add" :n 100}]}
(defn apply-step [total {:keys [op n]}]
  (case op
    "add" (+ total n)
    "sub" (- total n)
    "times" (* total n)
    "stop" (reduced total)
    (fail (str "unknown step " op))))

(return (reduce apply-step 0 data/steps))
;return> 14

;; Depth-first search for a way out of a maze of rooms.
;- data {:doors {:hall [:kitchen :study] :kitchen [:cellar] :study [:garden] :cellar [] :garden [:street]}}
(defn way-out [room path]
  (if (= room :street)
    (conj path room)
    (some #(way-out % (conj path room))
          (get data/doors room))))

(let [path (way-out :hall [])]
  (println (str/join " -> " (map name path)))
  (count path))
;=> 4
;out> hall -> study -> garden -> street

;; Jobs on two machines: each goes to the one that is free first.
;- data {:jobs [{:id "a" :time 4} {:id "b" :time 2} {:id "c" :time 3} {:id "d" :time 1}]}
(defn assign [machines {:keys [id time]}]
  (let [free (key (apply min-key (comp :busy val) machines))]
    (-> machines
        (update-in [free :busy] + time)
        (update-in [free :jobs] conj id))))

(def idle {:busy 0 :jobs []})
(let [plan (reduce assign {:m1 idle :m2 idle} data/jobs)]
  {:ends (apply max (map :busy (vals plan)))
   :plan (update-vals plan :jobs)})
;=> {:ends 5 :plan {:m1 ["b" "c"] :m2 ["a" "d"]}}
