;; Outside of a program

;; 8.7
;- data {:text ""}
(count (slurp "/dev/null"))
;!> undefined_symbol 1:9 undefined symbol 'slurp'. Not available: no file I/O; the input is in data/
;clojure> 0
(count data/text)
;=> 0

;; 8.7
(spit "/dev/null" "a")
;!> undefined_symbol 1:2 undefined symbol 'spit'. Not available: no file I/O; return the text instead
;clojure> nil
(return "a")
;return> "a"

;; 8.7
;- data {:home "there"}
(string? (System/getenv "HOME"))
;!> invalid_form 1:11 no System function named getenv; no environment; what a program needs is in data/
;clojure> true
(string? data/home)
;=> true

;; 8.7
(line-seq (java.io.BufferedReader. (java.io.StringReader. "a\nb")))
;!> undefined_symbol 1:2 undefined symbol 'line-seq'. Not available: no file I/O; use split-lines on a string
;clojure> ("a" "b")
(str/split-lines "a\nb")
;=> ["a" "b"]

;; 8.7
(do (print "a") (flush))
;!> undefined_symbol 1:18 undefined symbol 'flush'. Not available: output needs no flush; leave it out
;clojure> prints a
(print "a")
;out> a
;=> nil

;; 8.7
(read-string "12")
;!> undefined_symbol 1:2 undefined symbol 'read-string'. Not available: use parse-long, parse-double or the tools for parsing
;clojure> 12
(parse-long "12")
;=> 12

;; 8.7
(require '[clojure.edn :as edn]) (edn/read-string "{:a 1}")
;!> invalid_form 1:35 edn/read-string: the namespace clojure.edn does not exist here; write (parse-long s), (parse-double s) or, for JSON, (json/parse-string s)
;clojure> {:a 1}
(json/parse-string "{\"a\": 1}")
;=> {:a 1}

;; 8.7
(require '[clojure.data :as d]) (d/diff #{1 2} #{2})
;!> invalid_form 1:34 d/diff: the namespace clojure.data does not exist here; write (set/difference a b)
;clojure> [#{1} nil #{2}]
(set/difference #{1 2} #{2})
;=> #{1}

;; 8.7
(require '[clojure.pprint :as pp]) (pp/print-table [{:a 1} {:a 2}])
;!> invalid_form 1:37 no pprint function named print-table; write (run! println rows)
;clojure> prints …
(run! println [{:a 1} {:a 2}])
;out> {:a 1}
;out> {:a 2}
;=> nil

;; 8.7
(require '[clojure.pprint :as pp]) (pp/cl-format nil "~5,2f" 1.5)
;!> invalid_form 1:37 no pprint function named cl-format; write (format "%.2f %s" x s)
;clojure> " 1.50"
(format "%5.2f" 1.5)
;=> " 1.50"
