;; The words with commas between them, as long a text as there are words.

;; join
(count (str/join "," data/words))

;; interpose
(count (apply str (interpose "," data/words)))

;; reduce
(count (reduce (fn [text word] (if (= text "") word (str text "," word))) "" data/words))

;; loop
(loop [words data/words text ""]
  (if (empty? words)
    (count text)
    (recur (rest words) (str text (when-not (= text "") ",") (first words)))))

;; loop-seq
(loop [words data/words text ""]
  (if (seq words)
    (recur (rest words) (str text (when (seq text) ",") (first words)))
    (count text)))

;; atom
(let [text (atom "")]
  (doseq [word data/words] (swap! text str (if (= @text "") "" ",") word))
  (count @text))
