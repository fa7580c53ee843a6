;; Run-length encoding and back.
(defn encode [text] (map (fn [run] [(count run) (first run)]) (partition-by identity text)))
(defn decode [runs] (apply str (mapcat (fn [[n c]] (repeat n c)) runs)))
(let [runs (encode "aaabccd")]
  [runs (decode runs)])
;=> [[[3 "a"] [1 "b"] [2 "c"] [1 "d"]] "aaabccd"]

;; The three most frequent words of a text, equal counts in alphabetical order.
(->> (clojure.string/split (clojure.string/lower-case "The cat and the dog. The dog and a bird, and the cat!") #"\W+")
     (remove #{"a"})
     frequencies
     (sort-by (fn [[word n]] [(- n) word]))
     (take 3))
;=> [["the" 4] ["and" 3] ["cat" 2]]

;; Anagrams are words with the same letters.
(->> ["listen" "silent" "enlist" "google" "elgoog" "abc"]
     (group-by sort)
     vals
     (filter #(> (count %) 1)))
;=> [["listen" "silent" "enlist"] ["google" "elgoog"]]

;; Pascal's triangle: each row from the one before, without end.
(take 5 (iterate (fn [row] (mapv + (cons 0 row) (conj row 0))) [1]))
;=> [[1] [1 1] [1 2 1] [1 3 3 1] [1 4 6 4 1]]

;; A moving average over three values.
(map avg (partition 3 1 [3 6 9 12 3]))
;=> [6.0 9.0 8.0]

;; A histogram of ages in classes of ten years.
(->> [34 38 7 31 42 9]
     (map #(* 10 (quot % 10)))
     frequencies
     (sort-by key)
     (map (fn [[class n]] (str class "+ " (apply str (repeat n "#"))))))
;=> ["0+ ##" "30+ ###" "40+ #"]

;; All orders of some elements.
(defn permutations [xs]
  (if (empty? xs)
    [[]]
    (for [x xs
          more (permutations (remove #{x} xs))]
      (into [x] more))))
(permutations [1 2 3])
;=> [[1 2 3] [1 3 2] [2 1 3] [2 3 1] [3 1 2] [3 2 1]]

;; Every subset: each element doubles the number of them.
(reduce (fn [sets x] (into sets (map #(conj % x) sets))) [#{}] [:a :b :c])
;=> [#{} #{:a} #{:b} #{:a :b} #{:c} #{:a :c} #{:b :c} #{:a :b :c}]

;; Two sorted lists become one.
(loop [a [1 4 9] b [2 3 10 11] merged []]
  (cond
    (empty? a) (into merged b)
    (empty? b) (into merged a)
    (<= (first a) (first b)) (recur (rest a) b (conj merged (first a)))
    :else (recur a (rest b) (conj merged (first b)))))
;=> [1 2 3 4 9 10 11]

;; Quicksort with `filter` and `remove`.
(defn quicksort [[pivot & others]]
  (if (nil? pivot)
    []
    (concat (quicksort (filter #(< % pivot) others))
            [pivot]
            (quicksort (remove #(< % pivot) others)))))
(quicksort [5 3 8 1 9 3 2])
;=> [1 2 3 3 5 8 9]

;; Roman numerals by taking the largest sign that fits.
(defn roman [n]
  (let [signs [[1000 "M"] [900 "CM"] [500 "D"] [400 "CD"] [100 "C"] [90 "XC"] [50 "L"] [40 "XL"] [10 "X"] [9 "IX"] [5 "V"] [4 "IV"] [1 "I"]]]
    (loop [n n text ""]
      (if (zero? n)
        text
        (let [[value sign] (first (filter (fn [[value _]] (<= value n)) signs))]
          (recur (- n value) (str text sign)))))))
(map roman [4 9 14 1994 2024])
;=> ["IV" "IX" "XIV" "MCMXCIV" "MMXXIV"]

;; The longest rising run.
(->> [1 2 3 2 4 6 8 1]
     (reduce (fn [runs x]
               (if (and (seq runs) (> x (peek (peek runs))))
                 (conj (pop runs) (conj (peek runs) x))
                 (conj runs [x])))
             [])
     (max-by count))
;=> [2 4 6 8]

;; A running balance that tells where the account was overdrawn.
(let [moves [100 -70 -50 40 -10]
      balances (reductions + moves)]
  (keep-indexed (fn [i balance] (when (neg? balance) {:at i :move (nth moves i) :balance balance})) balances))
;=> [{:at 2 :move -50 :balance -20}]

;; Fizz and buzz with cycles.
(take 6 (drop 9 (map (fn [n f b] (if (= "" f b) n (str f b)))
                     (iterate inc 1)
                     (cycle ["" "" "Fizz"])
                     (cycle ["" "" "" "" "Buzz"]))))
;=> ["Buzz" 11 "Fizz" 13 14 "FizzBuzz"]

;; Caesar's cipher with a lookup map; what is not in it stays.
(let [letters (map str "abcdefghijklmnopqrstuvwxyz")
      shifted (drop 3 (cycle letters))
      cipher (zipmap letters shifted)]
  (apply str (map #(get cipher % %) "hello, xyz")))
;=> "khoor, abc"

;; Text wrapped at a width.
(defn wrap [width text]
  (reduce (fn [lines word]
            (let [longer (str (peek lines) " " word)]
              (cond
                (empty? lines) [word]
                (<= (count longer) width) (conj (pop lines) longer)
                :else (conj lines word))))
          []
          (clojure.string/split text #" ")))
(wrap 12 "the quick brown fox jumps over it")
;=> ["the quick" "brown fox" "jumps over" "it"]

;; The digits of a number, their sum, and whether it reads the same backwards.
(let [digits (fn [n] (map parse-long (map str (str n))))
      palindrome? (fn [n] (= (digits n) (reverse (digits n))))]
  [(digits 1203) (reduce + (digits 999)) (filter palindrome? [121 123 7])])
;=> [[1 2 0 3] 27 [121 7]]
