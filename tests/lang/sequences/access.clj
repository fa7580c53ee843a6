;; `first`, `second` and `last` answer an element, or nil when there is none.
[(first [7 8 9]) (second [7 8 9]) (last [7 8 9])]
;=> [7 8 9]

;; On nil, on empty and on short collections they are nil, not an error.
[(first nil) (first []) (second [7]) (last nil) (last "")]
;=> [nil nil nil nil nil]

;; Strings, maps and sets are sequences as well: maps of pairs, in the order of their entries.
[(first "owl") (second {:z 1 :y 2}) (last #{3 1 2})]
;=> ["o" [:y 2] 2]

;; The newest entry of a sorted list.
(-> (sort-by :at [{:at 3 :what "c"} {:at 1 :what "a"} {:at 2 :what "b"}])
    last
    :what)
;=> "c"

;; `rest` is empty when nothing is left, `next` is nil: so `next` can be a condition.
[(rest [7 8]) (next [7 8]) (rest [7]) (next [7]) (rest nil) (next nil)]
;=> [[8] [8] [] nil [] nil]

;; A loop over a sequence ends by `next`.
(loop [xs [3 4 5] total 0]
  (if xs
    (recur (next xs) (+ total (first xs)))
    total))
;=> 12

;; `rest` of a string is a sequence of letters, no string.
[(rest "owl") (apply str (rest "owl"))]
;=> [["w" "l"] "wl"]

;; `butlast` is nil when nothing is left; `drop-last` would be empty.
[(butlast [1 2 3]) (butlast [1]) (butlast nil) (drop-last [1])]
;=> [[1 2] nil nil []]

;; All but the last path element name the folder.
(clojure.string/join "/" (butlast (clojure.string/split "a/b/c.txt" #"/")))
;=> "a/b"

;; `ffirst` is first of first: a key of the first entry.
[(ffirst [[1 2] [3]]) (ffirst {:a 1}) (ffirst [[]]) (ffirst nil)]
;=> [1 :a nil nil]

;; The most frequent word: entry with the largest count first, and its key.
(ffirst (sort-by val > (frequencies ["a" "b" "a"])))
;=> "a"

;; `nfirst` is next of first.
[(nfirst [[1 2 3] [4]]) (nfirst [[1]])]
;=> [[2 3] nil]

;; `nfirst` reads the arguments of the first command.
(let [commands [["copy" "a" "b"] ["quit"]]]
  (nfirst commands))
;=> ["a" "b"]

;; `fnext` is first of next, the same as `second`.
[(fnext [7 8 9]) (fnext [7]) (= (fnext "ab") (second "ab"))]
;=> [8 nil true]

;; `fnext` of a map is its second entry.
(fnext {:a 1 :b 2})
;=> [:b 2]

;; `nnext` is next of next: nil when nothing is left.
[(nnext [1 2 3 4]) (nnext [1 2])]
;=> [[3 4] nil]

;; Reading key–value arguments two by two.
(loop [args [:color "red" :size 4] options {}]
  (if args
    (recur (nnext args) (assoc options (first args) (fnext args)))
    options))
;=> {:color "red" :size 4}

;; `nth` counts from 0; outside of the collection it is nil, or the default.
[(nth [7 8 9] 2) (nth [7 8] 5) (nth [7 8] -1) (nth [7 8] 5 :none)]
;=> [9 nil nil :none]

;; `nth` works on strings and sequences.
[(nth "owl" 1) (nth (map inc [1 2]) 1) (nth nil 0) (nth nil 0 :empty)]
;=> ["w" 3 nil :empty]

;; The index of `nth` is an integer.
(nth [1 2] :a)
;!> type_error 1:1 nth: expected an integer index, got keyword

;; A vector is a function of its positions; outside of it is an error.
([10 20 30] 1)
;=> 20

;; `nth` has a milder sibling than calling the vector.
([1 2] 5)
;!> argument_error 1:1 index 5 is outside a vector of length 2

;; `peek` looks at the end of a vector, `pop` takes it off: a stack.
(let [stack (-> [] (conj :a) (conj :b) (conj :c))]
  [(peek stack) (pop stack) (peek (pop stack))])
;=> [:c [:a :b] :b]

;; `peek` of nothing is nil, and so is `pop` of nil.
[(peek []) (peek nil) (pop nil)]
;=> [nil nil nil]

;; An empty vector has no end to take off.
(pop [])
;!> argument_error 1:1 pop: the vector is empty; test it with (seq v) first

;; Matching brackets with a stack.
(defn balanced? [text]
  (let [closing {")" "(" "]" "["}]
    (loop [[c & more] (seq text) stack []]
      (cond
        (nil? c) (empty? stack)
        (#{"(" "["} c) (recur more (conj stack c))
        (closing c) (if (= (peek stack) (closing c)) (recur more (pop stack)) false)
        :else (recur more stack)))))
(map balanced? ["(a[b]c)" "(a[b)c]" "((" ""])
;=> [true false false true]

;; `count` counts elements, entries and letters.
[(count [4 5 6]) (count {:a 1 :b 2}) (count #{1 1 2}) (count "héllo") (count nil)]
;=> [3 2 2 5 0]

;; A number has no count.
(count 12)
;!> type_error 1:1 count: expected a collection, got number

;; `empty?` is true of nil and of everything without elements.
[(empty? []) (empty? "") (empty? nil) (empty? {}) (empty? [nil])]
;=> [true true true true false]

;; `seq` is nil for an empty collection, so it serves as condition.
[(seq [1]) (seq []) (seq nil) (seq "") (seq "ab") (if (seq {}) :some :none)]
;=> [[1] nil nil nil ["a" "b"] :none]

;; `seq` of a map is the sequence of its entries.
(first (seq {:id 4}))
;=> [:id 4]

;; `not-empty` keeps the collection as it is, or answers nil.
[(not-empty [1]) (not-empty []) (not-empty "") (not-empty "x") (not-empty {:a 1}) (not-empty nil)]
;=> [[1] nil nil "x" {:a 1} nil]

;; `not-empty` gives an alternative to an empty answer.
(or (not-empty (filter :urgent [{:id 1}])) "nothing urgent")
;=> "nothing urgent"

;; `empty?` and `seq` need something that can have elements.
(empty? 0)
;!> type_error 1:1 empty?: expected a collection, got number

;; `seq` of a number.
(seq 5)
;!> type_error 1:1 seq: expected a collection, got number

;; `first` of a number is an error, not nil.
(first 5)
;!> type_error 1:1 first: expected a collection, got number

;; `bounded-count` counts, but not beyond its limit.
[(bounded-count 3 [1 2]) (bounded-count 3 [1 2 3 4 5])]
;=> [2 3]

;; It asks whether there are at least so many, even of an endless sequence.
(let [enough? (fn [n xs] (= n (bounded-count n xs)))]
  [(enough? 3 (range)) (enough? 3 [1 2])])
;=> [true false]

;; `rand-nth` and `first` agree when there is only one element.
(rand-nth [:only])
;=> :only

;; `rand-nth` answers one of the elements, and nil when there is none.
(let [colours [:red :green :blue]
      picks (repeatedly 20 #(rand-nth colours))]
  [(every? (set colours) picks) (rand-nth [])])
;=> [true nil]
