;; Finding a text in a text, and taking parts of it by position.

;; `includes?`, `starts-with?` and `ends-with?` look for a literal text.
[(str/includes? "banana" "nan") (str/includes? "banana" "x") (str/starts-with? "banana" "ba") (str/ends-with? "banana" "na")]
;=> [true false true true]

;; The empty text is in every text.
[(str/includes? "" "") (str/starts-with? "a" "") (str/ends-with? "a" "")]
;=> [true true true]

;; Case matters.
[(includes? "Oslo" "oslo") (starts-with? "Oslo" "o") (ends-with? "Oslo" "O")]
;=> [false false false]

;; Files by their ending, notes by a word.
(let [files ["a.csv" "b.txt" "c.csv"] notes ["pay rent" "call Ada" "rent a car"]]
  [(filter #(str/ends-with? % ".csv") files)
   (filter #(str/includes? % "rent") notes)
   (remove #(str/starts-with? % "call") notes)])
;=> [["a.csv" "c.csv"] ["pay rent" "rent a car"] ["pay rent" "rent a car"]]

;; `index-of` is the first position, nil without one.
[(str/index-of "banana" "na") (str/index-of "banana" "x") (index-of "banana" "a")]
;=> [2 nil 1]

;; From a position on.
[(str/index-of "banana" "na" 3) (str/index-of "banana" "na" 5) (str/index-of "banana" "b" -4)]
;=> [4 nil 0]

;; `last-index-of` looks from the end; its position is where a match may start at the latest.
[(str/last-index-of "banana" "na") (str/last-index-of "banana" "na" 3) (str/last-index-of "banana" "x") (last-index-of "oooo" "oo")]
;=> [4 2 nil 2]

;; The ending of a file name.
(defn extension [file] (when-let [dot (str/last-index-of file ".")] (subs file (inc dot))))
(map extension ["report.pdf" "archive.tar.gz" "README"])
;=> ["pdf" "gz" nil]

;; What stands before and after a mark.
(defn around [text mark]
  (if-let [at (str/index-of text mark)]
    [(subs text 0 at) (subs text (+ at (count mark)))]
    [text nil]))
[(around "name: Ada" ": ") (around "plain" ": ")]
;=> [["name" "Ada"] ["plain" nil]]

;; All positions of a text, one after another.
(defn positions [text part]
  (loop [from 0 found []]
    (if-let [at (str/index-of text part from)]
      (recur (inc at) (conj found at))
      found)))
[(positions "banana" "a") (positions "banana" "ana") (positions "banana" "x")]
;=> [[1 3 5] [1 3] []]

;; Positions count characters, not bytes.
[(str/index-of "né🚀!" "!") (count "né🚀!") (subs "né🚀!" 1 3)]
;=> [3 4 "é🚀"]

;; `subs` takes from a position up to another.
[(subs "hello" 1) (subs "hello" 1 3) (subs "hello" 2 2) (subs "hello" 5)]
;=> ["ello" "el" "" ""]

;; Positions are brought inside the string: the first hundred characters, however short it is.
[(subs "hi" 0 100) (subs "hi" 9) (subs "hello" -3 2) (subs "hello" 3 1)]
;=> ["hi" "" "he" ""]

;; Shortened for a list.
(defn shorten [text n] (if (<= (count text) n) text (str (subs text 0 n) "...")))
(map #(shorten % 5) ["short" "much longer"])
;=> ["short" "much ..."]

;; `includes?` is for texts; the error points to `contains?`.
(includes? ["a" "b"] "a")
;!> type_error 1:1 includes?: expected a string, got vector; use contains? for collections

;; Text looks for text.
(includes? "a1b" 1)
;!> type_error 1:1 includes?: expected a string, got number

;; nil neither starts nor ends with anything.
(starts-with? nil "a")
;!> type_error 1:1 starts-with?: expected a string, got nil

;; A regular expression is not a literal text.
(ends-with? "abc" #"c")
;!> type_error 1:1 ends-with?: expected a string, got regex; patterns are for re-find, replace and split

;; `index-of` of nil.
(index-of nil "a")
;!> type_error 1:1 index-of: expected a string, got nil

;; `last-index-of` of a vector.
(last-index-of ["a"] "a")
;!> type_error 1:1 last-index-of: expected a string, got vector

;; A position is an integer.
(subs "hello" "1")
;!> type_error 1:1 subs: expected an integer, got string

;; `subs` of nil: the field was not there.
(subs (:title {}) 0 3)
;!> type_error 1:1 subs: expected a string, got nil
