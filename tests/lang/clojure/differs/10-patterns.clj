;; Regular expressions: classes know all letters and digits, and matching takes linear time.

;; 5.14
(re-find #"\w+" "über")
;=> "über"
;clojure> "ber"

;; 5.14
(re-find #"\d" "٣")
;=> "٣"
;clojure> nil

;; 5.14
(re-find #"(?i)É" "é")
;=> "é"
;clojure> nil

;; 5.14
(re-find #"." "\r")
;=> "\r"
;clojure> nil

;; 5.14
(re-find #"a$" "a\n")
;=> nil
;clojure> "a"

;; 5.14
(re-find #"a" nil)
;=> nil
;clojure> throws

;; 5.14
(re-find "b+" "abb")
;=> "bb"
;clojure> throws

;; 9.1
(str #"a.b")
;=> "#\"a.b\""
;clojure> "a.b"
