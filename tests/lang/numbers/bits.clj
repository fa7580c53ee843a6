;; The bits of integers: masks, flags, shifts.

;; `bit-and` keeps the bits that all have; with several arguments from the left.
[(bit-and 12 10) (bit-and 15 7 5) (bit-and 6 0)]
;=> [8 5 0]

;; A mask cuts out the lowest eight bits.
(map #(bit-and % 0xFF) [255 256 511 -1])
;=> [255 0 255 255]

;; `bit-or` collects bits.
[(bit-or 12 10) (bit-or 1 2 4) (bit-or 0 0)]
;=> [14 7 0]

;; Permissions as flags in one number.
(def flags {:read 4 :write 2 :run 1})
(defn mode [& names] (reduce bit-or 0 (map flags names)))
[(mode :read :write) (mode) (mode :read :write :run)]
;=> [6 0 7]

;; `bit-xor` keeps the bits that an odd number of arguments have.
[(bit-xor 12 10) (bit-xor 5 5) (bit-xor 1 2 3)]
;=> [6 0 0]

;; The one number without a partner is what `bit-xor` leaves.
(reduce bit-xor [4 7 9 7 4])
;=> 9

;; `bit-not` turns all 64 bits over: minus the number, less one.
[(bit-not 0) (bit-not 5) (bit-not -1)]
;=> [-1 -6 0]

;; Twice is the number itself.
(map (comp bit-not bit-not) [0 42 -7])
;=> [0 42 -7]

;; `bit-and-not` removes bits.
[(bit-and-not 15 4) (bit-and-not 255 1 2) (bit-and-not 8 8)]
;=> [11 252 0]

;; Taking the write permission away.
(bit-and-not 7 2)
;=> 5

;; A shift to the left doubles per step, one to the right halves, rounding down.
[(bit-shift-left 1 10) (bit-shift-left 3 2) (bit-shift-right 1024 3) (bit-shift-right -5 1)]
;=> [1024 12 128 -3]

;; What is shifted out at the left is lost: 64 bits stay.
[(bit-shift-left 1 63) (bit-shift-left 3 63)]
;=> [-9223372036854775808 -9223372036854775808]

;; Colours: three bytes in one number, and out again.
(defn rgb [r g b] (bit-or (bit-shift-left r 16) (bit-shift-left g 8) b))
(defn parts [colour] (map #(bit-and (bit-shift-right colour %) 255) [16 8 0]))
[(rgb 18 52 86) (parts 0x123456)]
;=> [1193046 [18 52 86]]

;; `unsigned-bit-shift-right` fills with zeros where `bit-shift-right` keeps the sign.
[(unsigned-bit-shift-right -1 60) (bit-shift-right -1 60) (unsigned-bit-shift-right 256 4)]
;=> [15 -1 16]

;; For numbers that are not negative both shifts agree.
(every? #(= (bit-shift-right % 3) (unsigned-bit-shift-right % 3)) [0 1 77 9223372036854775807])
;=> true

;; `bit-test` asks for one bit, counted from 0 at the right.
[(bit-test 5 0) (bit-test 5 1) (bit-test 5 2) (bit-test -1 63)]
;=> [true false true true]

;; A number in binary, highest bit first.
(defn binary [n width] (apply str (map #(if (bit-test n %) 1 0) (range (dec width) -1 -1))))
[(binary 10 4) (binary 5 8)]
;=> ["1010" "00000101"]

;; `bit-set`, `bit-clear` and `bit-flip` change one bit.
[(bit-set 0 3) (bit-set 8 3) (bit-clear 15 0) (bit-clear 14 0) (bit-flip 5 1) (bit-flip 7 1)]
;=> [8 8 14 14 7 5]

;; Lamps that are switched one after another; each `bit-flip` undoes itself.
[(reduce bit-flip 0 [0 2 2 3]) (reduce bit-set 0 [0 1 2]) (reduce bit-clear 255 (range 4))]
;=> [9 7 240]

;; All subsets of a vector: each number is a choice.
(let [items [:tea :milk :sugar]]
  (for [n (range 8)]
    (keep-indexed (fn [i item] (when (bit-test n i) item)) items)))
;=> [[] [:tea] [:milk] [:tea :milk] [:sugar] [:tea :sugar] [:milk :sugar] [:tea :milk :sugar]]

;; The number of bits that are set.
(defn ones [n] (loop [n n found 0] (if (zero? n) found (recur (bit-and n (dec n)) (inc found)))))
(map ones [0 1 7 8 255])
;=> [0 1 3 1 8]

;; Floats have no bits here, also when they are whole.
(bit-and 1.0 1)
;!> type_error 1:1 bit-and: expected integers, got the float 1.0; (int x), (round x) or quot gives an integer

;; nil has none either.
(bit-or nil 1)
;!> type_error 1:1 bit-or: expected integers, got nil

;; There are 64 places.
(bit-test 1 64)
;!> argument_error 1:1 bit-test: the bit number must be 0 to 63, got 64

;; A shift goes one way.
(bit-shift-left 1 -1)
;!> argument_error 1:1 bit-shift-left: the bit number must be 0 to 63, got -1

;; Two integers at least.
(bit-xor 1)
;!> arity_error 1:1 bit-xor: expected 2 or more arguments, got 1

;; An integer beyond 64 bits has no place here.
(bit-not 9223372036854775808)
;!> argument_error 1:1 bit-not: expected integers of 64 bits, got a larger one

;; The other functions of bits check their arguments the same way.
(defn message [f] (try (f) (catch Exception e (println (ex-message e)))))
(run! message [#(bit-and-not 5 nil) #(bit-shift-right "8" 1) #(unsigned-bit-shift-right 8 64) #(bit-set 1 -1)
               #(bit-clear nil 0) #(bit-flip 1 :a)])
;out> bit-and-not: expected integers, got nil
;out> bit-shift-right: expected integers, got string
;out> unsigned-bit-shift-right: the bit number must be 0 to 63, got 64
;out> bit-set: the bit number must be 0 to 63, got -1
;out> bit-clear: expected integers, got nil
;out> bit-flip: expected integers, got keyword

;; The number of a bit is always asked for.
[(bit-test 5) (bit-set 5) (bit-clear 5) (bit-flip 5) (bit-shift-right 5)]
;!> arity_error 1:2 bit-test: expected 2 arguments, got 1
;!> arity_error 1:15 bit-set: expected 2 arguments, got 1
;!> arity_error 1:27 bit-clear: expected 2 arguments, got 1
;!> arity_error 1:41 bit-flip: expected 2 arguments, got 1
;!> arity_error 1:54 bit-shift-right: expected 2 arguments, got 1
