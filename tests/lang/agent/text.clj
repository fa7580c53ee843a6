;; The longest words of a text, stop words left out by a quoted list.
;- data {:text "The quick brown fox jumps over the lazy dog while the cat sleeps"}
(def stop-words (set (map str '(the over while a an))))

(defn words [text]
  (->> (str/split (str/lower-case text) #"\W+")
       (remove stop-words)
       (remove str/blank?)))

(let [found (words data/text)
      longest (apply max (map count found))]
  {:count (count found)
   :longest (filterv #(= longest (count %)) found)})
;=> {:count 8 :longest ["sleeps"]}

;; A small rule language: quoted rules, matched in order.
;- data {:values [3 12 55 100]}
(def rules
  '[[small 10]
    [medium 50]
    [large 99]])

(defn classify [n]
  (let [[name _] (first (filter (fn [[_ limit]] (<= n limit)) rules))]
    (or name 'huge)))

(mapv (fn [n] [n (str (classify n))]) data/values)
;=> [[3 "small"] [12 "medium"] [55 "large"] [100 "huge"]]

;; Headings and their sections from Markdown text.
;- data {:doc "# One\ntext a\ntext b\n# Two\ntext c"}
(defn heading? [line] (str/starts-with? line "# "))

(defn sections [lines]
  (loop [[line & more] lines
         title nil
         found {}]
    (cond
      (nil? line) found
      (heading? line) (recur more (subs line 2) found)
      :else (recur more title (update found title (fnil conj []) line)))))

(sections (str/split-lines data/doc))
;=> {"One" ["text a" "text b"] "Two" ["text c"]}

;; Documents found by a tool, summarised by another, joined in one report.
;- data {:topic "rust"}
;- tool find-documents (topic :string, limit :int) -> [{id :string, title :string}] = (take limit [{:id "d1" :title "Ownership"} {:id "d2" :title "Traits"} {:id "d3" :title "Macros"}])
;- tool summarize (id :string, words :int) -> :string = (str "about " id " in " words " words")
(defn summary [{:keys [id title]}]
  (str "* " title ": " (tool/summarize {:id id :words 20})))

(let [documents (tool/find-documents {:topic data/topic :limit 2})
      report (str/join "\n" (map summary documents))]
  (println (first (str/split-lines report)))
  (return {:documents (count documents)
           :characters (count report)}))
;return> {:documents 2 :characters 64}
;out> * Ownership: about d1 in 20 words

;; Caesar cipher and back, letter by letter.
(def letters "abcdefghijklmnopqrstuvwxyz")

(defn shift-letter [n letter]
  (let [at (str/index-of letters letter)]
    (if (nil? at)
      letter
      (subs letters (mod (+ at n) 26) (inc (mod (+ at n) 26))))))

(defn caesar [n text]
  (apply str (map #(shift-letter n (str %)) text)))

(let [secret (caesar 3 "hello, zoo")]
  {:secret secret
   :back (caesar -3 secret)})
;=> {:secret "khoor, crr" :back "hello, zoo"}

;; A table with columns of equal width.
;- data {:rows [{:name "bolt" :qty 12} {:name "gear wheel" :qty 3}]}
(def width (apply max (map #(count (:name %)) data/rows)))

(defn pad [text]
  (apply str text (repeat (- width (count text)) " ")))

(doseq [{:keys [name qty]} data/rows]
  (println (str "|" (pad name) "|" (format "%4d" qty) "|")))
width
;=> 10
;out> |bolt      |  12|
;out> |gear wheel|   3|

;; Translations asked of a tool, with those that fail kept apart.
;- data {:words ["house" "tree" "xyzzy"]}
;- tool translate (word :string, to :string) -> :string = (or (get {"house" "Haus" "tree" "Baum"} word) (fail (str "no translation of " word)))
(defn attempt [word]
  (try
    [:ok word (tool/translate {:word word :to "de"})]
    (catch Exception e
      [:failed word (ex-message e)])))

(let [{:keys [ok failed]} (group-by first (map attempt data/words))]
  (return {:translated (into {} (map (fn [[_ word text]] [word text]) ok))
           :failed (mapv last failed)}))
;return> {:translated {"house" "Haus" "tree" "Baum"} :failed ["tool 'translate' failed: no translation of xyzzy"]}

;; A tokenizer and a calculator for a sum with products.
(defn tokens [text]
  (map (fn [token] (or (parse-long token) (symbol token)))
       (re-seq #"\d+|[-+*]" text)))

(defn calculate [[first-number & more]]
  (loop [total 0
         term first-number
         [op number & rest-tokens] more]
    (case op
      nil (+ total term)
      * (recur total (* term number) rest-tokens)
      + (recur (+ total term) number rest-tokens)
      - (recur (+ total term) (- number) rest-tokens))))

(mapv (comp calculate tokens) ["1+2*3" "10-4*2+1" "7"])
;=> [7 3 7]
