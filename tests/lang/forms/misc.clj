;; `comment` is not looked at: nothing in it runs, nothing in it must make sense.
(comment
  (println "never")
  (no-such-function 1))
;=> nil

;; `comment` has a value, nil, so it can stand anywhere a form can.
[1 (comment "two") 3]
;=> [1 nil 3]

;; `time` gives the value of its form.
(time (+ 1 2))
;=> 3

;; `do` groups effects and a value.
(if true (do (println "yes") 1) 2)
;=> 1
;out> yes
