;; A volatile is an atom for one place of use; `vreset!` and `vswap!` give the new content.
(let [v (volatile! 1)]
  [(vreset! v 5) (vswap! v + 2 3) @v])
;=> [5 10 10]

;; `vswap!` with a function of the program.
(def seen (volatile! #{}))
(defn new? [x] (let [before @seen] (vswap! seen conj x) (not (contains? before x))))
(filter new? [1 2 1 3 2])
;=> [1 2 3]

;; A volatile is what a stateful transducer keeps.
(defn every-other [rf]
  (let [odd-one (volatile! false)]
    (fn ([] (rf))
        ([result] (rf result))
        ([result x]
         (if (vswap! odd-one not) (rf result x) result)))))
(into [] every-other [:a :b :c :d :e])
;=> [:a :c :e]

;; `volatile?` tells them from atoms, and `deref` reads both.
[(volatile? (volatile! 1)) (volatile? (atom 1)) (volatile? nil) (deref (volatile! :x))]
;=> [true false false :x]

;; Guard with `volatile?` before `vreset!`.
(defn put! [ref x] (if (volatile? ref) (vreset! ref x) (reset! ref x)))
[(put! (volatile! 0) 1) (put! (atom 0) 2)]
;=> [1 2]

;; A volatile prints with its content.
(str (volatile! [1]))
;=> "#<volatile [1]>"

;; `vreset!` replaces, also with nil.
(let [v (volatile! :full)] (vreset! v nil) (nil? @v))
;=> true

;; `vswap!` wants a volatile.
(vswap! [1] conj 2)
;!> type_error 1:1 vswap!: expected a volatile, got vector
