;; Errors: those of the interpreter have their reason as `ex-data`.

;; L-36
(try (/ 1 0) (catch Exception e (ex-data e)))
;=> {:reason :arithmetic_error}
;clojure> nil

;; 7
(try (inc nil) (catch NullPointerException e (ex-message e)))
;=> "inc: expected a number, got nil"
;clojure> "Cannot invoke \"Object.getClass()\" because \"x\" is null"

;; L-12
(try (subvec [1] 5) (catch IllegalArgumentException e :argument))
;=> :argument
;clojure> throws

;; L-37
(str (ex-info "bad" {:n 1}))
;=> "#<error \"bad\">"
;clojure> "clojure.lang.ExceptionInfo: bad {:n 1}"

;; D-72
(type (ex-info "bad" {}))
;=> :exception
;clojure> clojure.lang.ExceptionInfo

;; language.md
(def v #'v) (try (v 1) (catch Exception e (ex-message e)))
;=> "#'v stands for itself: define it as a function or a value"
;clojure> throws

;; 5.15
(try (Long/parseLong "1e3") (catch Exception e (ex-message e)))
;=> "Long/parseLong: not an integer: \"1e3\""
;clojure> "For input string: \"1e3\""
