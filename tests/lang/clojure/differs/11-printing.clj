;; Printing: collections print as programs write them, and floats with at most 10 decimals.

;; D-66
(println ["a" {:k "v"}])
;out> ["a" {:k "v"}]
;=> nil
;clojure> prints [a {:k v}]

;; L-65
(println (+ 0.1 0.2))
;out> 0.3
;=> nil
;clojure> prints 0.30000000000000004

;; D-23
(println '(1 2))
;out> [1 2]
;=> nil
;clojure> prints (1 2)

;; 9.2
(pr-str {:a 1, :b 2})
;=> "{:a 1 :b 2}"
;clojure> "{:a 1, :b 2}"

;; 9.2
(pr-str {:id 1 :_token "s3cret"})
;=> "{:id 1}"
;clojure> "{:id 1, :_token \"s3cret\"}"

;; 9.1
inc
;=> #<builtin>
;clojure> #object[clojure.core$…

;; 9.1
(str map)
;=> "#<builtin>"
;clojure> "clojure.core$map@…

;; 9.1
(fn [x] x)
;=> #fn[x]
;clojure> #object[user$…
