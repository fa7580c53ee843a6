;; Functions and definitions

;; 4.1
(def x 1)
;=> #'x
;clojure> #'user/x

;; 4.1
(declare later)
;=> nil
;clojure> #'user/later

;; D-51
(-> 5 #(* % 2) (- 1))
;=> 9
;clojure> throws

;; D-51
(->> [1 2 3] (fn [xs] (count xs)))
;=> 3
;clojure> #object[user$…

;; D-54
(map #({:id %}) [1 2])
;=> [{:id 1} {:id 2}]
;clojure> throws

;; D-54
(map #([% 1]) [:a])
;=> [[:a 1]]
;clojure> throws

;; 4.4
(#())
;=> nil
;clojure> ()

;; 4.8
((juxt) 1)
;=> []
;clojure> throws

;; L-7
(defn down [n] (if (zero? n) 0 (inc (down (dec n))))) (down 9000)
;=> 9000
;clojure> throws

;; 2.5
(let [a.b 1] a.b)
;=> 1
;clojure> throws

;; D-52
(+ 1 2))
;warn> surplus-delimiter 1:8 1 closing delimiter too many: the program ends before it
;=> 3
;clojure> throws

;; L-58
(require 'no.such.library)
;warn> ignored-namespace 1:11 the namespace no.such.library does not exist here and is ignored
;=> nil
;clojure> throws

;; language.md
(find-keyword "never-written")
;=> :never-written
;clojure> nil
