;; Printing: `println`, `print`, `prn`, `pr`, `printf`, `newline`, `tap>`, and which line it lands in.

;; `println` prints its arguments with blanks between and ends the line; its value is nil.
(println "total" 3 :items nil true)
;out> total 3 :items nil true
;=> nil

;; Without arguments an empty line.
(println "a")
(println)
(println "b")
;out> a
;out>
;out> b
;=> nil

;; Strings are printed as they are, inside collections in quotes.
(println "a" ["a" {:k "v"}])
;out> a ["a" {:k "v"}]

;; `prn` prints as a program would write it.
(prn "a" [1 "b"] :c)
;out> "a" [1 "b"] :c
;=> nil

;; Escapes show in `prn`, and work in `println`.
(prn "a\tb")
(println "a\tb")
;out> "a\tb"
;out> a	b

;; `print` and `pr` leave the line open; `println` or `prn` closes it.
(print "a")
(print "b" 1)
(println "c")
(pr "d")
(pr 1)
(prn :e)
;out> ab 1c
;out> "d"1:e

;; An open line is closed at the end.
(print "last")
;out> last
;=> nil

;; What `pr` writes can be told from what `print` writes.
(print "7" 7)
(println)
(pr "7" 7)
;out> 7 7
;out> "7" 7

;; `newline` prints a line break, which belongs to the open line.
(with-out-str (print "a") (newline) (print "b") (newline))
;=> "a\nb\n"

;; Two of them leave an empty line between.
(with-out-str (print "title") (dotimes [_ 2] (newline)) (print "text"))
;=> "title\n\ntext"

;; `printf` prints what `format` gives; the line stays open.
(printf "%s: %.1f" "mean" 2.25)
(println "!")
;out> mean: 2.3!
;=> nil

;; `%n` is a line break in it.
(with-out-str
  (doseq [[item n] [["tea" 2] ["milk" 10]]]
    (printf "%-5s|%3d%n" item n)))
;=> "tea  |  2\nmilk | 10\n"

;; Everything printed in callbacks is kept, in order.
(doall (map println [1 2]))
(run! prn [:a "b"])
(doseq [x [3 4]] (print x "| "))
(println "end")
;out> 1
;out> 2
;out> :a
;out> "b"
;out> 3 | 4 | end

;; Floats are printed to ten places.
(println (/ 1 3) 0.1 1e21)
;out> 0.3333333333 0.1 1.0e21

;; Functions, patterns, atoms and exceptions print as what they are.
(println inc (fn [x] x) #"a+" (atom 5) (ex-info "no" {}))
;out> #<builtin> #fn[x] #"a+" #<atom 5> #<error "no">

;; A lazy sequence prints its elements.
(println (take 3 (iterate inc 1)) (map inc [1 2]))
;out> [1 2 3] [2 3]

;; `tap>` shows a value in the middle of a pipeline and answers true.
[(tap> {:a "b"})]
;out> {:a "b"}
;=> [true]

;; It prints like `prn`, and its value can be ignored with `doto`.
(doto [3 1 2] tap>)
;out> [3 1 2]
;=> [3 1 2]

;; What was printed before an error stays.
(println "before")
(println "after" (/ 1 0))
;out> before
;!> arithmetic_error 2:18 Divide by zero

;; `printf` needs the arguments that its pattern names.
(printf "%d items")
;!> argument_error 1:1 printf: %d needs argument 1, got 0

;; `newline` takes none.
(newline "x")
;!> arity_error 1:1 newline: expected 0 arguments, got 1
