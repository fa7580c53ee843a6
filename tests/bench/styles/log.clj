;; The sum of the durations in lines of a log.

;; re-matches
(reduce + (map (fn [line] (let [[_ _ _ ms] (re-matches #"(\S+) user=(\w+) ms=(\d+)" line)] (parse-long ms))) data/lines))

;; re-find
(reduce + (map (fn [line] (parse-long (second (re-find #"ms=(\d+)" line)))) data/lines))

;; split
(transduce (map (fn [line] (parse-long (last (str/split line #"="))))) + 0 data/lines)

;; index-of
(reduce (fn [total line] (+ total (parse-long (subs line (+ 3 (str/index-of line "ms=")))))) 0 data/lines)
