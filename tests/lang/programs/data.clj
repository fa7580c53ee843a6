;; A report over rows: filter, group, sum, sort, format.
;- data {:sales [{:region "North" :amount 120} {:region "South" :amount 80} {:region "North" :amount 30} {:region "East" :amount 0}]}
(->> data/sales
     (filter #(pos? (:amount %)))
     (group-by :region)
     (map (fn [[region rows]] {:region region :total (sum-by :amount rows) :n (count rows)}))
     (sort-by :total >)
     (map #(format "%-6s %5d (%d)" (:region %) (:total %) (:n %))))
;=> ["North    150 (2)" "South     80 (1)"]

;; Joining two tables by a key.
;- data {:users [{:id 1 :name "Ada"} {:id 2 :name "Bob"}] :orders [{:user 1 :total 5} {:user 1 :total 7} {:user 3 :total 9}]}
(let [by-id (into {} (map (juxt :id identity)) data/users)]
  (for [{:keys [user total]} data/orders
        :let [{:keys [name] :or {name "unknown"}} (get by-id user)]]
    [name total]))
;=> [["Ada" 5] ["Ada" 7] ["unknown" 9]]

;; A tree is walked by recursion; depth goes along as an argument.
;- data {:tree {:name "root" :children [{:name "a" :children [{:name "a1"}]} {:name "b"}]}}
(defn outline [{:keys [name children]} depth]
  (cons (str (str/join (repeat depth "  ")) name)
        (mapcat #(outline % (inc depth)) children)))
(str/join "\n" (outline data/tree 0))
;=> "root\n  a\n    a1\n  b"

;; Checks collect all complaints instead of stopping at the first.
(def rules
  {:name  [string? "name must be text"]
   :age   [#(and (int? %) (<= 0 % 150)) "age must be 0 to 150"]
   :email [#(and (string? %) (re-find #"@" %)) "email needs an @"]})
(defn problems [row]
  (for [[field [ok? text]] rules :when (not (ok? (get row field)))] text))
[(problems {:name "Ada" :age 36 :email "ada@x.org"})
 (problems {:name 5 :age 200 :email nil})]
;=> [[] ["name must be text" "age must be 0 to 150" "email needs an @"]]

;; Lines of a log become maps; lines that do not fit are counted.
(def log-text "2026-01-15 ERROR disk full\nnonsense\n2026-01-15 INFO started\n2026-01-16 ERROR net down")
(let [parse (fn [line]
              (when-let [[_ day level text] (re-matches #"(\S+) (ERROR|INFO) (.*)" line)]
                {:day day :level (keyword (str/lower-case level)) :text text}))
      lines (str/split-lines log-text)
      rows (keep parse lines)]
  {:errors (map :text (filter (where :level = :error) rows))
   :per-day (frequencies (map :day rows))
   :skipped (- (count lines) (count rows))})
;=> {:errors ["disk full" "net down"] :per-day {"2026-01-15" 2 "2026-01-16" 1} :skipped 1}

;; Options come with defaults, nested ones too.
(def defaults {:page {:size 20 :number 1} :sort :name})
(defn options [given]
  (merge-with #(if (map? %1) (merge %1 %2) %2) defaults given))
[(options {}) (options {:page {:size 5} :sort :date})]
;=> [{:page {:size 20 :number 1} :sort :name} {:page {:size 5 :number 1} :sort :date}]

;; A template with names in braces; unknown names are an error that says which.
(defn render [template values]
  (str/replace template #"\{(\w+)\}"
    (fn [[_ name]]
      (str (or (get values (keyword name))
               (throw (ex-info "no value" {:name name})))))))
[(render "Dear {name}, {n} new" {:name "Ada" :n 3})
 (try (render "{who}" {}) (catch Exception e (ex-data e)))]
;=> ["Dear Ada, 3 new" {:name "who"}]

;; Two versions of a map compared: what was added, removed, changed.
(defn diff [before after]
  {:added   (vec (remove before (keys after)))
   :removed (vec (remove after (keys before)))
   :changed (into {} (for [[k v] before
                           :when (and (contains? after k) (not= v (after k)))]
                       [k [v (after k)]]))})
(diff {:a 1 :b 2 :c 3} {:b 2 :c 4 :d 5})
;=> {:added [:d] :removed [:a] :changed {:c [3 4]}}

;; Rows are spread into a table with one column per month.
(let [rows [["tea" :jan 3] ["tea" :feb 4] ["cake" :feb 1]]
      months (distinct (map second rows))
      table (reduce (fn [t [item month n]] (assoc-in t [item month] n)) {} rows)]
  (for [[item cells] table]
    (into [item] (map #(get cells % 0) months))))
;=> [["tea" 3 4] ["cake" 0 1]]

;; A moving average with windows.
(defn moving-average [n xs]
  (map #(/ (reduce + %) n) (partition n 1 xs)))
(moving-average 3 [3 6 9 12 15])
;=> [6 9 12]
