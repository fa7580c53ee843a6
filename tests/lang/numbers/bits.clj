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

;; `bit-not` turns all bits over: minus the number, less one.
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

;; A shift goes one way.
(bit-shift-left 1 -1)
;!> argument_error 1:1 bit-shift-left: the bit number must be 0 to 63, got -1

;; Two integers at least.
(bit-xor 1)
;!> arity_error 1:1 bit-xor: expected 2 or more arguments, got 1

;; Masks may be wider than 64 bits: bits go on to the left without an end, zeros or, below zero, ones.
[(bit-and 0x1ffffffffffffffff 255) (bit-and -1 0xffffffffffffffff) (bit-not 9223372036854775808) (bit-or (* 5 (bit-set 0 70)) 1)]
;=> [255 18446744073709551615 -9223372036854775809 5902958103587056517121]

;; So is every bit: bit 63 is a bit as any other.
[(bit-set 0 63) (bit-test 1 64) (bit-test -1 64) (bit-clear (bit-set 7 100) 100) (reduce bit-set 0 [64 65])]
;=> [9223372036854775808 false true 7 55340232221128654848]

;; A bitboard of ten times ten squares in one integer.
(let [board (reduce bit-set 0 (range 0 100 11))]
  [(bit-test board 99) (bit-test board 98) (count (filter #(bit-test board %) (range 100)))])
;=> [true false 10]

;; Shifts alone have a last bit; an integer from 2^63 to 2^64 - 1 is taken as 64 bits without a sign.
[(bit-shift-left 0x8000000000000001 1) (bit-shift-right 0xffffffffffffffff 60) (unsigned-bit-shift-right 0xffffffffffffffff 60)]
;=> [2 15 15]
(bit-shift-left 18446744073709551616 1)
;!> argument_error 1:1 bit-shift-left: shifts work on 64 bits, got a larger integer; (bit-and x 0xffffffffffffffff) keeps the lowest 64, (* x (bit-set 0 n)) and (quot x (bit-set 0 n)) shift one of any size

;; `unchecked-` arithmetic keeps the lowest 64 bits, with `-int` at the end 32, of arguments of any size.
[(unchecked-add Long/MAX_VALUE 1) (unchecked-multiply 0xcbf29ce484222325 0x100000001b3) (unchecked-negate Long/MIN_VALUE)
 (unchecked-subtract Long/MIN_VALUE 1) (unchecked-inc Long/MAX_VALUE) (unchecked-dec Long/MIN_VALUE) (unchecked-long 0xffffffffffffffff)]
;=> [-9223372036854775808 -5808590958014384161 -9223372036854775808 9223372036854775807 -9223372036854775808 9223372036854775807 -1]
[(unchecked-add-int Integer/MAX_VALUE 1) (unchecked-subtract-int Integer/MIN_VALUE 1) (unchecked-multiply-int 65536 65535)
 (unchecked-inc-int Integer/MAX_VALUE) (unchecked-dec-int Integer/MIN_VALUE) (unchecked-negate-int Integer/MIN_VALUE) (unchecked-int 0xffffffff)]
;=> [-2147483648 2147483647 -65536 -2147483648 2147483647 -2147483648 -1]

;; A linear congruential generator, and Java's hash of a text.
(take 3 (rest (iterate #(unchecked-add (unchecked-multiply 6364136223846793005 %) 1442695040888963407) 42)))
;=> [-7964744663189004623 4159066171780167020 7615522811268512075]
(reduce #(unchecked-add-int (unchecked-multiply-int 31 %1) (int %2)) 0 "programming")
;=> 1011310809

;; FNV-1a of 64 bits, with a mask and with arithmetic that wraps.
(defn fnv [s] (reduce (fn [h c] (bit-and (* (bit-xor h (int c)) 0x100000001b3) 0xffffffffffffffff)) 0xcbf29ce484222325 s))
(defn fnv-signed [s] (reduce (fn [h c] (unchecked-multiply (bit-xor h (int c)) 1099511628211)) -3750763034362895579 s))
[(fnv "foobar") (format "%x" (fnv "foobar")) (Long/toHexString (fnv-signed "foobar")) (= (fnv "foobar") (bit-and (fnv-signed "foobar") 0xffffffffffffffff))]
;=> [9625390261332436968 "85944171f73967e8" "85944171f73967e8" true]

;; CRC-32, a bit at a time.
(defn crc32 [s]
  (bit-xor 0xffffffff
    (reduce (fn [crc c]
              (loop [crc (bit-xor crc (int c)) n 0]
                (if (= n 8) crc (recur (bit-xor (bit-shift-right crc 1) (if (bit-test crc 0) 0xedb88320 0)) (inc n)))))
            0xffffffff s)))
(format "%08x" (crc32 "123456789"))
;=> "cbf43926"

;; xorshift64 with masks of 64 bits gives the bits of the one with a sign.
(def mask 0xffffffffffffffff)
(defn masked [x]
  (let [x (bit-xor x (bit-and mask (bit-shift-left x 13))) x (bit-xor x (bit-shift-right x 7))]
    (bit-xor x (bit-and mask (bit-shift-left x 17)))))
(defn signed [x]
  (let [x (bit-xor x (bit-shift-left x 13)) x (bit-xor x (unsigned-bit-shift-right x 7))] (bit-xor x (bit-shift-left x 17))))
[(take 2 (rest (iterate masked 88172645463325252)))
 (= (map unchecked-long (take 20 (iterate masked 88172645463325252))) (take 20 (iterate signed 88172645463325252)))]
;=> [[8748534153485358512 3040900993826735515] true]

;; What `Long` knows about the 64 bits of an integer.
[(Long/bitCount -1) (Long/numberOfTrailingZeros 40) (Long/numberOfLeadingZeros 1) (Long/highestOneBit 100) (Long/lowestOneBit 100)
 (Long/reverse 1) (Long/rotateLeft -2 1) (Long/rotateRight 1 1) (Long/bitCount 0xffffffffffffffff)]
;=> [64 3 63 64 4 -9223372036854775808 -3 -9223372036854775808 64]

;; And `Integer` about 32 of them.
[(Integer/bitCount -1) (Integer/numberOfTrailingZeros 0) (Integer/numberOfLeadingZeros 1) (Integer/highestOneBit 100) (Integer/lowestOneBit 0)
 (Integer/reverse 1) (Integer/rotateLeft 0x80000001 1) (Integer/rotateRight 1 1)]
;=> [32 32 31 64 0 -2147483648 3 -2147483648]
(Integer/bitCount 4294967296)
;!> argument_error 1:1 Integer/bitCount: 4294967296 is beyond 32 bits; write (Long/bitCount n) or (bit-and n 0xffffffff)
(Long/rotateLeft "1" 1)
;!> type_error 1:1 Long/rotateLeft: expected an integer, got string

;; The other functions of bits check their arguments the same way.
(defn message [f] (try (f) (catch Exception e (println (ex-message e)))))
(run! message [#(bit-and-not 5 nil) #(bit-shift-right "8" 1) #(unsigned-bit-shift-right 8 64) #(bit-set 1 -1)
               #(bit-clear nil 0) #(bit-flip 1 :a) #(unchecked-add 1 nil) #(bit-and (bit-set 0 70) nil)])
;out> bit-and-not: expected integers, got nil
;out> bit-shift-right: expected integers, got string
;out> unsigned-bit-shift-right: the bit number must be 0 to 63, got 64
;out> bit-set: bits are counted from 0, got -1
;out> bit-clear: expected integers, got nil
;out> bit-flip: expected integers, got keyword
;out> unchecked-add: expected integers, got nil
;out> bit-and: expected integers, got nil

;; The number of a bit is always asked for.
[(bit-test 5) (bit-set 5) (bit-clear 5) (bit-flip 5) (bit-shift-right 5)]
;!> arity_error 1:2 bit-test: expected 2 arguments, got 1
;!> arity_error 1:15 bit-set: expected 2 arguments, got 1
;!> arity_error 1:27 bit-clear: expected 2 arguments, got 1
;!> arity_error 1:41 bit-flip: expected 2 arguments, got 1
;!> arity_error 1:54 bit-shift-right: expected 2 arguments, got 1

;; Clojure drops the last bit of 64; here a negative integer has no last one, which a loop over its bits must know.
(bit-and -9223372036854775808 (dec -9223372036854775808))
;=> -18446744073709551616
;warn> bits-without-end 1:1 bit-and of negative integers is beyond 64 bits, and a negative integer has infinitely many ones here: write (Long/bitCount x) to count bits, or keep 64 of them with (bit-and x 0xffffffffffffffff)

;; What is advised.
[(Long/bitCount -9223372036854775808) (bit-and -1 0xffffffffffffffff) (bit-and -12 -10)]
;=> [1 18446744073709551615 -12]
