;; Print each word, and give how many there are.

;; print
(do (doseq [word data/words] (print word)) (count data/words))

;; println
(do (doseq [word data/words] (println word)) (count data/words))

;; printf
(do (doseq [word data/words] (printf "%s " word)) (count data/words))

;; with-out-str
(do (with-out-str (doseq [word data/words] (print word " "))) (count data/words))
