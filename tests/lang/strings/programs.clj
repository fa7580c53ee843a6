;; Small programs with texts.

;; A table in comma-separated text becomes records with numbers in them.
;- data {:csv "name,qty,price\nbolt,100,0.25\nnut,40,0.1\n"}
(let [[head & lines] (str/split-lines data/csv)
      fields (map keyword (str/split head ","))
      number #(or (parse-long %) (parse-double %) %)]
  (map #(zipmap fields (map number (str/split % ","))) lines))
;=> [{:name "bolt" :qty 100 :price 0.25} {:name "nut" :qty 40 :price 0.1}]

;; Records become a table with aligned columns.
(defn table [rows]
  (let [columns (keys (first rows))
        width (fn [k] (reduce max (map #(count (str %)) (cons (name k) (map k rows)))))
        line (fn [cells] (str/trimr (str/join "  " (map #(format (str "%-" (width %1) "s") %2) columns cells))))]
    (cons (line (map name columns)) (map #(line (map % columns)) rows))))
(run! println (table [{:item "bolt" :qty 100} {:item "washer" :qty 7}]))
;out> item    qty
;out> bolt    100
;out> washer  7

;; The frequency of letters, most frequent first, equal ones by alphabet.
(->> (seq "hello world")
     (filter #(Character/isLetter %))
     frequencies
     (sort-by (fn [[c n]] [(- n) c]))
     (take 3))
;=> [["l" 3] ["o" 2] ["d" 1]]

;; Words that are made of the same letters.
(->> ["listen" "silent" "enlist" "google" "banana"]
     (group-by (comp str/join sort))
     vals
     (filter #(> (count %) 1)))
;=> [["listen" "silent" "enlist"]]

;; Lines of at most so many characters, broken between words.
(defn wrap [text width]
  (reduce (fn [lines word]
            (let [line (last lines) longer (str line " " word)]
              (cond (nil? line) [word]
                    (<= (count longer) width) (conj (pop lines) longer)
                    :else (conj lines word))))
          []
          (str/split text #"\s+")))
(wrap "the quick brown fox jumps over the dog" 10)
;=> ["the quick" "brown fox" "jumps over" "the dog"]

;; Runs of equal characters as count and character, and back again.
(defn encode [text] (str/join (map #(str (count %) (first %)) (partition-by identity text))))
(defn decode [code] (str/join (map (fn [[_ n c]] (str/join (repeat (parse-long n) c))) (re-seq #"(\d+)(\D)" code))))
[(encode "aaabcc") (decode "3a1b2c") (= "wwwaaadexx" (decode (encode "wwwaaadexx")))]
;=> ["3a1b2c" "aaabcc" true]

;; The address of a page out of its title.
(defn slug [title] (-> title str/lower-case (str/replace #"[^a-z0-9]+" "-") (str/replace #"^-|-$" "")))
(map slug ["Hello, World!" "  10 ways to sort  "])
;=> ["hello-world" "10-ways-to-sort"]

;; From `snake_case` to `camelCase` and back.
(defn camel [s] (str/replace s #"_(\w)" (fn [[_ c]] (str/upper-case c))))
(defn snake [s] (str/replace s #"[A-Z]" #(str "_" (str/lower-case %))))
[(camel "unit_price_net") (snake "unitPriceNet")]
;=> ["unitPriceNet" "unit_price_net"]

;; Numbers with a separator per thousand, without `format`.
(defn grouped [n]
  (->> (str n) reverse (partition-all 3) (map str/join) (str/join ",") str/reverse))
[(grouped 1234567) (grouped 12) (= (grouped 1234567) (format "%,d" 1234567))]
;=> ["1,234,567" "12" true]

;; Brackets that are closed in order.
(defn balanced? [text]
  (let [pairs {")" "(" "]" "[" "}" "{"} opening (set (vals pairs))]
    (empty? (reduce (fn [open c]
                      (cond (opening c) (conj open c)
                            (not (contains? pairs c)) open
                            (= (peek open) (pairs c)) (pop open)
                            :else (reduced [:wrong])))
                    []
                    text))))
(map balanced? ["(a [b] {c})" "(]" "((" ""])
;=> [true false false true]

;; Lines of a log counted by level; what is no log line is told.
(def line-form #"(\d{2}:\d{2}) (\w+): (.*)")
(defn entry [line]
  (if-let [[_ time level text] (re-matches line-form line)]
    {:time time :level (keyword (str/lower-case level)) :text text}
    (do (println "skipped:" line) nil)))
(->> "10:00 INFO: start\nnoise\n10:05 ERROR: disk full\n10:06 INFO: stop"
     str/split-lines (keep entry) (map :level) frequencies)
;out> skipped: noise
;=> {:info 2 :error 1}

;; A secret is masked but for its last four characters.
(defn mask [secret]
  (let [hidden (max 0 (- (count secret) 4))]
    (str (str/join (repeat hidden "*")) (subs secret hidden))))
(map mask ["4539148803436467" "abc"])
;=> ["************6467" "abc"]

;; How many single-character changes lead from one word to another.
(defn distance [a b]
  (peek (reduce (fn [row [i ca]]
                  (reduce (fn [out [j cb]]
                            (conj out (min (inc (peek out))
                                           (inc (nth row (inc j)))
                                           (+ (nth row j) (if (= ca cb) 0 1)))))
                          [(inc i)]
                          (map-indexed vector b)))
                (vec (range (inc (count b))))
                (map-indexed vector a))))
[(distance "kitten" "sitting") (distance "" "abc") (distance "same" "same")]
;=> [3 3 0]

;; A field that is not there stops the pipeline where it is used; the place is that of the call.
(->> [{:name "Ada"} {:nome "Bob"}]
     (map :name)
     (map upper-case))
;!> type_error 3:6 upper-case: expected a string, got nil
