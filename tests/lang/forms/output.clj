;; `with-out-str` gives what its body printed, and prints nothing.
(with-out-str (println "total" 3) (print "end"))
;=> "total 3\nend"

;; It nests; each level gets its own text.
(let [outer (with-out-str
              (print "a")
              (let [inner (with-out-str (print "b"))]
                (print (upper-case inner))))]
  outer)
;=> "aB"

;; Prints of called functions count, in order.
(defn line [x] (println "-" x) x)
[(count (with-out-str (run! line [1 2 3]))) (line 4)]
;=> [12 4]
;out> - 4

;; An error inside ends the collecting; what was printed inside is gone with it.
(try (with-out-str (println "lost") (/ 1 0)) (catch Exception e (println "after")))
;=> nil
;out> after

;; Without prints the text is empty.
[(with-out-str) (with-out-str (+ 1 2))]
;=> ["" ""]

;; An open line inside is dropped with an error, the one outside goes on (L-49).
(print "kept ")
(try (with-out-str (print "lost") (throw (ex-info "x" {}))) (catch Exception e (print "too")))
;=> nil
;out> kept too
