;; Regular expressions: `re-pattern`, `re-find`, `re-matches`, `re-seq`, `re-split`, `extract`, `extract-int`.

;; `re-find` answers the first match, nil without one.
[(re-find #"\d+" "room 12 of 40") (re-find #"\d+" "no digits")]
;=> ["12" nil]

;; With groups the match is a vector: the whole, then each group.
(re-find #"(\w+)@(\w+)" "mail ada@home now")
;=> ["ada@home" "ada" "home"]

;; A group that took no part is nil.
(re-find #"(a)?(b)" "b")
;=> ["b" nil "b"]

;; A group written `(?:…)` only groups.
(re-find #"(?:Mr|Ms) (\w+)" "Ms Lovelace")
;=> ["Ms Lovelace" "Lovelace"]

;; Destructuring names the groups.
(let [[_ year month] (re-find #"(\d{4})-(\d{2})" "due 2024-03-09")]
  {:year (parse-long year) :month (parse-long month)})
;=> {:year 2024 :month 3}

;; Without a match the names are nil: guard with `when-let`.
(defn version [text]
  (when-let [[_ major minor] (re-find #"v(\d+)\.(\d+)" text)]
    [(parse-long major) (parse-long minor)]))
[(version "app v2.10") (version "app")]
;=> [[2 10] nil]

;; `re-matches` wants the whole text to match.
[(re-matches #"\d+" "123") (re-matches #"\d+" "123a") (re-matches #"(\d+)-(\d+)" "10-12")]
;=> ["123" nil ["10-12" "10" "12"]]

;; Checking input.
(defn code? [text] (boolean (re-matches #"[A-Z]{2}\d{3}" text)))
(map code? ["AB123" "AB1234" "xAB123"])
;=> [true false false]

;; Sorting lines of a log by their form.
(defn entry [line]
  (if-let [[_ level text] (re-matches #"\[(\w+)\] (.*)" line)]
    {:level (keyword (str/lower-case level)) :text text}
    {:level :unknown :text line}))
(map entry ["[WARN] disk full" "reboot"])
;=> [{:level :warn :text "disk full"} {:level :unknown :text "reboot"}]

;; `re-seq` answers all matches, nil without one.
[(re-seq #"\d+" "3 of 10 and 7") (re-seq #"\d+" "none") (count (re-seq #"a" "banana"))]
;=> [["3" "10" "7"] nil 3]

;; With groups each match is a vector.
(into {} (map (fn [[_ k v]] [(keyword k) (parse-long v)])) (re-seq #"(\w+)=(\d+)" "a=1 b=22"))
;=> {:a 1 :b 22}

;; Word frequencies of a text.
(->> "The cat. The dog? A cat!" str/lower-case (re-seq #"[a-z]+") frequencies (sort-by val >) (take 2))
;=> [["the" 2] ["cat" 2]]

;; `re-pattern` makes a pattern of a string; a pattern stays itself.
[(re-pattern "[a-z]+") (= (re-pattern "a+") #"a+") (re-find (re-pattern "\\d+") "a12") (re-pattern #"x")]
;=> [#"[a-z]+" true "12" #"x"]

;; A pattern built from data.
(defn any-of-words [words] (re-pattern (str "\\b(" (str/join "|" words) ")\\b")))
(map first (re-seq (any-of-words ["cat" "dog"]) "cats, a cat and a dog"))
;=> ["cat" "dog"]

;; In a string an unknown escape is kept, so a single backslash does as well.
[(re-find (re-pattern "\d+") "a12") (count "\d")]
;=> ["12" 2]

;; Flags stand in front: `i` ignores case, `m` lets `^` and `$` meet line ends, `s` lets the dot meet them.
[(re-find #"(?i)ERROR" "an error") (re-seq #"(?m)^\w" "ab\ncd") (re-find #"(?s)a.b" "a\nb") (re-find #"a.b" "a\nb")]
;=> ["error" ["a" "c"] "a\nb" nil]

;; `*` takes as much as it can, `*?` as little.
[(re-find #"<.*>" "<a><b>") (re-find #"<.*?>" "<a><b>")]
;=> ["<a><b>" "<a>"]

;; Classes know letters of all alphabets.
[(re-seq #"\p{L}+" "né, über 2") (re-find #"\w+" "über")]
;=> [["né" "über"] "über"]

;; `re-split` keeps all pieces, the empty ones too, and drops the groups.
[(re-split #"\s*;\s*" "k ; v;w") (re-split #"," ",a,") (re-split #"(,)" "a,b")]
;=> [["k" "v" "w"] ["" "a" ""] ["a" "b"]]

;; `extract` answers a group, the first unless told otherwise; 0 is the whole.
[(extract #"user=(\w+)" "user=ida;") (extract "user=(\\w+)" "none") (extract "user=\\w+" "user=ida;" 0) (extract #"(\d+)x(\d+)" "3x40" 2)]
;=> ["ida" nil "user=ida" "40"]

;; A group that the pattern does not have is nil.
(extract #"user=\w+" "user=ida;")
;=> nil

;; `extract-int` answers it as an integer, or the default.
[(extract-int #"total: (\d+)" "total: 40 items") (extract-int #"total: (\d+)" "empty") (extract-int #"total: (\w+)" "total: few" 1 0)]
;=> [40 nil 0]

;; A column of numbers out of sentences.
(reduce + (map #(extract-int #"(\d+) apples?" % 1 0) ["1 apple" "12 apples" "no pears"]))
;=> 13

;; nil has no match.
[(re-find #"a" nil) (re-seq #"a" nil) (re-matches #"a" nil)]
;=> [nil nil nil]

;; A pattern that cannot be read says why.
(re-pattern "(a")
;!> argument_error 1:13 invalid regex: unclosed group

;; Look-around does not exist here: capture a group instead.
(re-find #"(?=a)b" "ab")
;!> argument_error 1:10 invalid regex: look-ahead (?=...) is not supported; match what follows too and take a group: (second (re-find #"(\d+) kg" s))

;; Nor do references back to a group.
(re-pattern "(a)\\1")
;!> argument_error 1:13 invalid regex: the back-reference \1 is not supported; for a doubled character write (some (fn [[a b]] (= a b)) (partition 2 1 s))

;; What the messages advise.
[(some (fn [[a b]] (= a b)) (partition 2 1 "abba")) (let [[_ a b] (re-find #"(\w+) (\w+)" "so so")] (= a b))]
;=> [true true]
[(second (re-find #"(\d+) kg" "7 kg")) (remove #(str/starts-with? % "-") (re-seq #"-?\d+" "1 -2"))]
;=> ["7" ["1"]]

;; Patterns are looked at before anything runs, and all of them at once.
(println "not printed")
(defn parse [s] (re-find #"(a" s))
(extract "\\p{Foo}" "a")
;!> argument_error 2:26 invalid regex: unclosed group
;!> argument_error 3:10 invalid regex: Unicode property not found: \p{Foo}

;; A pattern that is made when the program runs can be caught.
(try (re-pattern (str "(" "a")) (catch Exception e (ex-message e)))
;=> "invalid regex: unclosed group"

;; The pattern comes first.
(re-find "12" #"\d+")
;!> type_error 1:1 re-find: expected a string, got regex; write (re-find #"..." s)

;; A number is no text.
(re-seq #"\d" 123)
;!> type_error 1:1 re-seq: expected a string, got number

;; A number cannot be matched either.
(re-matches #"\d" 5)
;!> type_error 1:1 re-matches: expected a string, got number

;; A pattern is made of a string.
(re-pattern 5)
;!> type_error 1:1 re-pattern: expected a string, got number

;; The others name themselves and what they found.
(defn message [f] (try (f) (catch Exception e (println (ex-message e)))))
(run! message [#(re-split #"," 5) #(extract 5 "a") #(extract #"a" 5) #(extract-int #"(a)" :a) #(re-find nil "a")])
;out> re-split: expected a string, got number
;out> extract: expected a regex, got number
;out> extract: expected a string, got number
;out> extract-int: expected a string, got keyword
;out> re-find: expected a regex, got nil

;; Pattern and text are both asked for.
[(re-find #"a") (re-seq #"a") (re-matches "a") (re-pattern) (extract-int #"a")]
;!> arity_error 1:2 re-find: expected 2 arguments, got 1
;!> arity_error 1:17 re-seq: expected 2 arguments, got 1
;!> arity_error 1:31 re-matches: expected 2 arguments, got 1
;!> arity_error 1:48 re-pattern: expected 1 argument, got 0
;!> arity_error 1:61 extract-int: expected 2, 3 or 4 arguments, got 1

;; Quoted text is matched as it is: between `\Q` and `\E`, or made so by `Pattern/quote`.
[(re-find #"\Qa.b\E+" "aab a.bb") (re-seq (re-pattern (str "(?i)" (java.util.regex.Pattern/quote "c++"))) "C++ c+ c++")]
;=> ["a.bb" ["C++" "c++"]]
(map #(re-find (re-pattern (Pattern/quote %)) (str "<" % ">")) ["1+1" "(x" "\\E\\Q" ""])
;=> ["1+1" "(x" "\\E\\Q" ""]

;; Blanks on a line are `\h`, line ends of every kind `\R`.
[(re-find #"a[\h,]+b" "a\t, b") (re-find #"\H+" " ab ") (str/split "a\r\nb\nc" #"\R")]
;=> ["a\t, b" "ab" ["a" "b" "c"]]

;; An escape that does not exist here is named.
(re-find #"b\Z" "ab\n")
;!> argument_error 1:10 invalid regex: unrecognized escape sequence \Z; for the end of the text write \z
(re-find #"\G\d" "1")
;!> argument_error 1:10 invalid regex: unrecognized escape sequence \G
