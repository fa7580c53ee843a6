;; An atom holds a value; `@` reads it, `reset!` replaces it, `swap!` computes the next one.
(def counter (atom 0))
(swap! counter inc)
(swap! counter + 10)
[@counter (reset! counter 5) (deref counter)]
;=> [11 5 5]

;; `swap!` and `reset!` give the new content.
(let [a (atom {:n 1})]
  [(swap! a update :n inc) (reset! a nil) @a])
;=> [{:n 2} nil nil]

;; `swap!` passes further arguments behind the content.
(let [cart (atom {})]
  (swap! cart assoc :tea 2 :cake 1)
  (swap! cart update :tea + 3)
  (swap! cart dissoc :cake)
  @cart)
;=> {:tea 5}

;; A closure may update too, and may read other atoms.
(let [total (atom 0) rate (atom 2)]
  (doseq [x [1 2 3]] (swap! total #(+ % (* x @rate))))
  @total)
;=> 12

;; `swap-vals!` and `reset-vals!` give old and new content.
(let [queue (atom [1 2 3])]
  [(swap-vals! queue subvec 1) (reset-vals! queue []) @queue])
;=> [[[1 2 3] [2 3]] [[2 3] []] []]

;; Taking the first element out of a queue is what `swap-vals!` is for.
(def jobs (atom [:wash :dry]))
(defn next-job [] (ffirst (swap-vals! jobs rest)))
[(next-job) (next-job) (next-job)]
;=> [:wash :dry nil]

;; What `reset-vals!` gives includes the old value, even the first time.
(first (reset-vals! (atom :before) :after))
;=> :before

;; `compare-and-set!` sets only when the atom holds the expected value; it says whether it did.
(let [state (atom :idle)]
  [(compare-and-set! state :idle :busy)
   (compare-and-set! state :idle :done)
   @state])
;=> [true false :busy]

;; A guarded step: only one of two starts wins.
(def lock (atom nil))
(defn acquire [who] (compare-and-set! lock nil who))
[(acquire :ada) (acquire :bob) @lock]
;=> [true false :ada]

;; An atom is its own value: two with equal content are not equal.
[(= (atom 1) (atom 1)) (let [a (atom 1)] (= a a))]
;=> [false true]

;; An atom prints with its content (L-37); the answer of a program is taken out of its reach.
(def a (atom {:n 1}))
(println a)
[(str a) (type a)]
;=> ["#<atom {:n 1}>" :atom]
;out> #<atom {:n 1}>

;; An atom that holds itself prints an end.
(def loop-atom (atom []))
(swap! loop-atom conj loop-atom)
(str loop-atom)
;=> "#<atom [...]>"

;; The content of an atom lives on in the next turn (L-13).
(def visits (atom 0))
(swap! visits inc)
;=> 1
(swap! visits inc)
;=> 2
@visits
;=> 2

;; A turn that fails leaves atoms as they were (L-13).
(def stock (atom 10))
;=> #'stock
(swap! stock - 3)
(println "now" @stock)
(/ @stock 0)
;out> now 7
;!> arithmetic_error 3:1 Divide by zero
@stock
;=> 10

;; An atom inside a map of a definition is kept as well.
(def app {:hits (atom [])})
(swap! (:hits app) conj :home)
;=> [:home]
(swap! (:hits app) conj :about)
;=> [:home :about]

;; Validators and metadata options of `atom` are accepted.
@(atom 3 :meta {:a 1})
;=> 3

;; A memo table in an atom.
(def known (atom {}))
(defn slow-square [n]
  (or (get @known n)
      (let [answer (* n n)]
        (println "computing" n)
        (swap! known assoc n answer)
        answer)))
[(slow-square 4) (slow-square 4)]
;=> [16 16]
;out> computing 4

;; When the content changed while the function ran, it runs again on the new content (L-32).
(let [a (atom 1) runs (atom 0)]
  (swap! a (fn [n]
             (when (= 1 (swap! runs inc)) (reset! a 100))
             (inc n)))
  [@a @runs])
;=> [101 2]

;; `swap!` wants an atom.
(swap! {:n 1} assoc :n 2)
;!> type_error 1:1 swap!: expected an atom, got map

;; `reset!` wants an atom, too.
(def total 0)
(reset! total 5)
;!> type_error 2:1 reset!: expected an atom, got number

;; Only references can be read with `@`.
(let [n 5] @n)
;!> type_error 1:12 deref: expected an atom, volatile, delay or var, got number

;; An error in the function leaves the content as it was.
(def n (atom 1))
[(try (swap! n (fn [x] (/ x 0))) (catch ArithmeticException e :failed)) @n]
;=> [:failed 1]

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

;; An atom may hold a function.
(let [rule (atom inc)] [(@rule 1) (do (reset! rule dec) (@rule 1))])
;=> [2 0]

;; Updating one atom inside the update of another.
(let [a (atom 0) b (atom 0)]
  (swap! a (fn [x] (swap! b inc) (+ x @b)))
  [@a @b])
;=> [1 1]

;; A keyword or a map can be the function of `swap!`.
(let [a (atom {:n 1})] [(swap! a :n) @a])
;=> [1 1]

;; `reset!` is for atoms, `vreset!` for volatiles.
(reset! (volatile! 1) 2)
;!> type_error 1:1 reset!: expected an atom, got volatile

;; The other way round, too.
(vswap! (atom 1) inc)
;!> type_error 1:1 vswap!: expected a volatile, got atom

;; `return` inside the function of `swap!` changes nothing.
(def a (atom 1))
;=> #'a
(swap! a (fn [x] (return (+ x 10))))
;return> 11
@a
;=> 1

;; An atom holding nested data is updated along paths.
(def shop (atom {:items {}}))
(swap! shop update-in [:items :tea] (fnil inc 0))
(swap! shop assoc-in [:items :cake] 2)
(swap! shop update :items dissoc :tea)
@shop
;=> {:items {:cake 2}}

;; A cell that contains itself is shown as far as it goes, then as dots; cells in sets and keys are shown by their contents.
(let [a (atom nil)] (reset! a [a a]) a)
;=> [... ...]

[#{(atom 1)} {(atom :k) {:s #{(atom 2)}}}]
;=> [#{1} {:k {:s #{2}}}]
