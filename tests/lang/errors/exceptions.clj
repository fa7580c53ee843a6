;; `throw` raises an exception, `catch` binds it, its message and data can be asked.
(try
  (throw (ex-info "out of stock" {:item :tea :left 0}))
  (catch Exception e
    [(ex-message e) (ex-data e)]))
;=> ["out of stock" {:item :tea :left 0}]

;; Without an error the value of the body is the value of `try`.
(try (println "working") (+ 1 2) (catch Exception e :failed))
;=> 3
;out> working

;; Errors of the language are caught as well; `ex-data` says their reason (L-36).
(try (/ 10 0) (catch Exception e [(ex-message e) (ex-data e)]))
;=> ["Divide by zero" {:reason :arithmetic_error}]

;; The first clause that fits wins.
(defn classify [f]
  (try
    (f)
    (catch ArithmeticException e :arithmetic)
    (catch ClassCastException e :kind)
    (catch IllegalArgumentException e :argument)
    (catch clojure.lang.ExceptionInfo e (:tag (ex-data e)))
    (catch Throwable e :other)))
(map classify [#(/ 1 0) #(+ 1 "a") #(subvec [1] 5) #(throw (ex-info "x" {:tag :own})) #(+ 2 3)])
;=> [:arithmetic :kind :argument :own 5]

;; Where no clause fits the error goes on (L-12).
(try (/ 1 0) (catch ClassCastException e :kind))
;!> arithmetic_error 1:6 Divide by zero

;; `Exception`, `Throwable`, `RuntimeException`, `Object` and `:default` catch everything.
[(try (/ 1 0) (catch Exception e 1))
 (try (/ 1 0) (catch Throwable e 2))
 (try (/ 1 0) (catch RuntimeException e 3))
 (try (/ 1 0) (catch Object e 4))
 (try (/ 1 0) (catch :default e 5))]
;=> [1 2 3 4 5]

;; Java names with package are the same classes.
(try (nth nil 1 (throw (ex-info "x" {}))) (catch java.lang.Exception _ :caught))
;=> :caught

;; Parsing and index errors have their usual classes.
[(try (Integer/parseInt "x") (catch NumberFormatException e :number))
 (try (.charAt "abc" 9) (catch IndexOutOfBoundsException e :index))]
;=> [:number :index]

;; A wrong number of arguments is an `IllegalArgumentException`.
(try (apply inc [1 2]) (catch IllegalArgumentException e (ex-message e)))
;=> "inc: expected 1 argument, got 2"

;; `finally` runs in either case, and its value is dropped.
(defn attempt [f]
  (try (f) (catch Exception e :failed) (finally (println "closing"))))
[(attempt #(+ 1 1)) (attempt #(/ 1 0))]
;=> [2 :failed]
;out> closing
;out> closing

;; `finally` runs before an error goes on.
(try (/ 1 0) (finally (println "closing")))
;out> closing
;!> arithmetic_error 1:6 Divide by zero

;; `finally` runs on the way out of `return`, too (L-35).
(try (return :early) (finally (println "closing")))
;return> :early
;out> closing

;; An error in `finally` replaces the one on its way.
(try
  (try (throw (ex-info "first" {})) (finally (throw (ex-info "second" {}))))
  (catch Exception e (ex-message e)))
;=> "second"

;; `return` and `fail` are not errors: nothing catches them.
(try (fail "no rooms") (catch Throwable e :caught))
;fail> "no rooms"

;; `return` passes through `catch`, whatever it names.
(try (do (return 5) :never) (catch Object e :caught))
;return> 5

;; Limits are never caught.
;- limits {:fuel 2000}
(try (loop [] (recur)) (catch Throwable e :caught) (finally (println "never")))
;!> fuel_exceeded 1:15 stopped after 2000 steps: the program loops too long; work on less data or end the loop

;; An exception that nothing catches ends the program with its message (L-35).
(defn check [n] (when (neg? n) (throw (ex-info (str "negative: " n) {:n n}))) n)
(check 4)
(check -4)
;!> exception 1:32 negative: -4

;; Only exceptions can be thrown.
(throw "just text")
;!> type_error 1:1 throw: expected an exception such as (ex-info "message" {}), got string

;; An exception may be a value: made here, thrown there.
(def problem (ex-info "later" {:code 7}))
[(ex-message problem) (try (throw problem) (catch Exception e (:code (ex-data e))))]
;=> ["later" 7]

;; `ex-message` and `ex-data` of anything else are nil.
[(ex-message nil) (ex-message "text") (ex-data {:a 1}) (ex-data nil)]
;=> [nil nil nil nil]

;; `ex-cause` is the third argument of `ex-info`.
(let [inner (ex-info "disk full" {:free 0})
      outer (ex-info "cannot save" {:file "a.txt"} inner)]
  [(ex-message (ex-cause outer)) (ex-data (ex-cause outer)) (ex-cause inner)])
;=> ["disk full" {:free 0} nil]

;; Errors are wrapped on the way up and unwrapped at the top.
(defn read-port [text]
  (try (Integer/parseInt text)
    (catch NumberFormatException e
      (throw (ex-info "bad port" {:text text} e)))))
(try (read-port "80a")
  (catch Exception e
    [(ex-message e) (:text (ex-data e)) (:reason (ex-data (ex-cause e)))]))
;=> ["bad port" "80a" :argument_error]

;; Java's way of making exceptions works.
(try (throw (IllegalArgumentException. "no such room"))
  (catch Exception e (ex-message e)))
;=> "no such room"

;; `Exception.` may have a cause.
(ex-message (ex-cause (Exception. "outer" (RuntimeException. "inner"))))
;=> "inner"

;; `(new Class …)` is the long form.
(ex-message (new Exception "old style"))
;=> "old style"

;; `catch` may rethrow what it cannot handle.
(defn only-missing [f]
  (try (f)
    (catch Exception e
      (if (= :missing (:type (ex-data e))) :default (throw e)))))
[(only-missing #(throw (ex-info "?" {:type :missing})))
 (try (only-missing #(/ 1 0)) (catch Exception e (ex-message e)))]
;=> [:default "Divide by zero"]

;; An error inside a callback is caught outside of it.
(try (mapv #(/ 12 %) [3 2 0]) (catch ArithmeticException _ :some-zero))
;=> :some-zero

;; Caught inside, each element has its own answer.
(mapv #(try (/ 12 %) (catch ArithmeticException _ :zero)) [3 0 2])
;=> [4 :zero 6]

;; What was printed before the error stays printed.
(try (println "before") (/ 1 0) (catch Exception e (println "caught" (ex-message e))))
;=> nil
;out> before
;out> caught Divide by zero

;; An exception prints with its message (L-37).
[(str (ex-info "bad" {:n 1})) (type (ex-info "bad" {}))]
;=> ["#<error \"bad\">" :exception]

;; A `try` without clauses and without body is allowed.
[(try 1) (try) (try (finally 1))]
;=> [1 nil nil]

;; `catch` without body is nil.
(try (/ 1 0) (catch Exception e))
;=> nil

;; `recur` cannot go back across a `try` (L-35).
(loop [n 3] (try (if (pos? n) (recur (dec n)) :done) (catch Exception e :failed)))
;!> invalid_form 1:31 recur cannot jump out of try; put the loop inside the try, or the recur after it

;; A `try` around the whole loop is what is meant.
(try (loop [n 3] (if (pos? n) (recur (dec n)) (/ 1 n))) (catch Exception e :failed))
;=> :failed

;; `catch` needs a class and a name.
(try (/ 1 0) (catch Exception))
;!> invalid_arity 1:14 catch: expected (catch Exception e body...), got 1 part

;; Nothing may stand behind `finally`.
(try 1 (finally 2) (catch Exception e 3))
;!> invalid_form 1:20 try: the body comes first, then catch clauses, then one finally

;; `ex-info` needs a map.
(throw (ex-info "bad" 5))
;!> type_error 1:8 ex-info: expected a map, got number

;; `throw` of a map tells what to write.
(throw {:type :missing})
;!> type_error 1:1 throw: expected an exception such as (ex-info "message" {}), got map

;; A wrapper that turns errors into nil.
(defn safely [f & args] (try (apply f args) (catch Exception e nil)))
[(safely / 1 0) (safely + 1 2) (safely subvec [1] 5)]
;=> [nil 3 nil]

;; `finally` also runs on the way of `fail`.
(try (fail :closed) (finally (println "bye")))
;fail> :closed
;out> bye

;; A tool may be called in `finally` (L-35).
;- tool log (text :string) -> :any = nil
(try (/ 1 0) (catch Exception e :caught) (finally (tool/log "done")))
;=> :caught
;call> log {:text "done"}

;; An error inside a lazy sequence comes when the element is asked for.
(def rows (map (fn [x] (if (= x 2) (throw (ex-info "bad row" {:x x})) x)) (range)))
[(take 2 rows) (try (nth rows 2) (catch Exception e (ex-data e)))]
;=> [[0 1] {:x 2}]

;; An uncaught exception with a cause shows the outer message.
(throw (ex-info "cannot save" {:file "a"} (ex-info "disk full" {})))
;!> exception 1:1 cannot save

;; An error may be passed on with its cause; the cause keeps its own data.
(try
  (try (/ 1 0) (catch Exception e (throw (ex-info "wrapped" {} e))))
  (catch Exception e [(ex-message e) (ex-message (ex-cause e)) (ex-data (ex-cause e))]))
;=> ["wrapped" "Divide by zero" {:reason :arithmetic_error}]

;; Handler, `finally`, outer handler: in this order.
(try
  (try (/ 1 0)
    (catch Exception e (println "inner") (throw (ex-info "again" {})))
    (finally (println "finally")))
  (catch Exception e (println (ex-message e))))
;=> nil
;out> inner
;out> finally
;out> again

;; The name in `catch` hides an outer one, only there.
(let [e 5] [(try (/ 1 0) (catch Exception e (ex-message e))) e])
;=> ["Divide by zero" 5]

;; `try` is an expression like any other.
(+ 1 (try (/ 1 0) (catch Exception e 10)))
;=> 11

;; nil where a number is needed is a `NullPointerException`, too.
(try (inc nil) (catch NullPointerException e (ex-message e)))
;=> "inc: expected a number, got nil"

;; Errors in arguments are caught one by one; the call gets what is left.
(vector 1
        (try (/ 1 0) (catch Exception e 2))
        (try 3 (finally 4))
        [5 (try (throw (ex-info "six" {})) (catch Exception e (ex-message e)))])
;=> [1 2 3 [5 "six"]]

;; On the way up every `finally` runs, innermost first.
(defn inner [] (try (throw (ex-info "deep" {})) (finally (println "inner"))))
(defn outer [] (try (inner) (finally (println "outer"))))
(try (outer) (catch Exception e (println (ex-message e))))
;=> nil
;out> inner
;out> outer
;out> deep

;; `reduced` ends a `reduce` from inside a `try`; `finally` still runs.
(reduce (fn [acc x]
          (try (if (> x 2) (reduced acc) (conj acc x))
            (finally (println "saw" x))))
        [] [1 2 3 4])
;=> [1 2]
;out> saw 1
;out> saw 2
;out> saw 3

;; A failing element of a lazy sequence leaves those before it readable.
(let [s (map #(/ 10 %) (concat [5 0] (repeat 1)))]
  [(first s) (try (second s) (catch ArithmeticException e :zero)) (first s)])
;=> [2 :zero 2]

;; `catch` follows the classes of Java (L-67): an exception is caught by its class and those above it.
(defn caught-by [f]
  (try
    (f)
    (catch IllegalStateException e :state)
    (catch clojure.lang.ExceptionInfo e :info)
    (catch RuntimeException e :runtime)
    (catch Exception e :exception)
    (catch Throwable e :throwable)))
(map caught-by
     [#(throw (Exception. "a"))
      #(throw (RuntimeException. "b"))
      #(throw (UnsupportedOperationException. "c"))
      #(throw (IllegalStateException. "d"))
      #(throw (Throwable. "e"))
      #(throw (ex-info "f" {}))
      #(assert (= 1 2))
      #(/ 1 0)])
;=> [:exception :runtime :runtime :state :throwable :info :throwable :runtime]

;; What `assert` raises is an `AssertionError`, which is no `Exception`.
[(try (assert false) (catch AssertionError e :assertion))
 (try (assert false) (catch Error e :error))
 (try (try (assert false) (catch Exception e :exception)) (catch Throwable e :above))]
;=> [:assertion :error :above]

;; `instance?` asks for the same classes.
(let [e (try (throw (IllegalStateException. "no")) (catch Exception e e))]
  (map (fn [[_ is?]] is?)
       [[:state (instance? IllegalStateException e)]
        [:runtime (instance? RuntimeException e)]
        [:argument (instance? IllegalArgumentException e)]
        [:info (instance? clojure.lang.ExceptionInfo e)]]))
;=> [true true false false]
