;; The methods of Java's strings that programs use.

;; `.length`, `.isEmpty` and `.charAt`.
[(.length "owl") (.length "né🚀") (.isEmpty "") (.isEmpty "a") (.charAt "owl" 1)]
;=> [3 3 true false "w"]

;; `.charAt` outside the string is an error, where `nth` and `get` give nil.
(.charAt "abc" 3)
;!> argument_error 1:1 .charAt: position 3 is outside a string of 3 characters

;; `.indexOf` and `.lastIndexOf` answer -1 where `index-of` answers nil.
[(.indexOf "hello" "l") (.indexOf "hello" "x") (.indexOf "hello" "l" 3) (.lastIndexOf "hello" "l") (.lastIndexOf "hello" "z")]
;=> [2 -1 3 3 -1]

;; Of vectors they find an equal element.
[(.indexOf ["a" "b" "a"] "a") (.indexOf [1 2] 3) (.lastIndexOf ["a" "b" "a"] "a")]
;=> [0 -1 2]

;; `.contains` looks for a part of a text or an element.
[(.contains "hello" "ell") (.contains [1 2] 2) (.contains #{:a} :b)]
;=> [true true false]

;; `.startsWith`, `.endsWith`.
[(.startsWith "hello" "he") (.startsWith "hello" "lo") (.endsWith "hello" "lo")]
;=> [true false true]

;; `.substring` does not clamp, unlike `subs`.
[(.substring "hello" 1 3) (.substring "hello" 2)]
;=> ["el" "llo"]

;; The error names the bounds.
(.substring "hello" 2 9)
;!> argument_error 1:1 .substring: 2 to 9 is outside a string of 5 characters; subs clamps

;; `.replace` is literal.
(.replace "a.b.c" "." "-")
;=> "a-b-c"

;; `.trim`, `.toUpperCase`, `.toLowerCase`.
[(.trim " a ") (.toUpperCase "ada") (.toLowerCase "ADA")]
;=> ["a" "ADA" "ada"]

;; `.toString` is `str`, `.equals` is `=`.
[(.toString 5) (.toString :a) (.equals "a" "a") (.equals 1 2) (.equalsIgnoreCase "Ada" "ADA")]
;=> ["5" ":a" true false true]

;; A method may be threaded, and wrapped in a short function.
[(-> " Ada " .trim .toUpperCase) (map #(.length %) ["a" "bb"])]
;=> ["ADA" [1 2]]

;; The questions of `Character` about one character.
(map (juxt #(Character/isDigit %) #(Character/isLetter %) #(Character/isLetterOrDigit %)) [\7 \a \-])
;=> [[true false true] [false true true] [false false false]]

;; Case and blanks.
(map (juxt #(Character/isUpperCase %) #(Character/isLowerCase %) #(Character/isWhitespace %)) [\A \a \space])
;=> [[true false false] [false true false] [false false true]]

;; The initials of a name.
(apply str (filter #(Character/isUpperCase %) "Ada King Lovelace"))
;=> "AKL"

;; A password with a digit, a capital and eight characters.
(defn strong? [word]
  (and (>= (.length word) 8) (some #(Character/isDigit %) word) (some #(Character/isUpperCase %) word) true))
(map strong? ["correctHorse1" "short1A" "nodigitsHere"])
;=> [true false nil]

;; nil has no methods.
(.toUpperCase nil)
;!> type_error 1:1 .toUpperCase: expected a string, got nil

;; A method that does not exist: the error lists what there is.
(.concat "a" "b")
;!> undefined_symbol 1:2 undefined symbol '.concat'. Available methods: .charAt, .contains, .endsWith, .equals, .equalsIgnoreCase, .getDayOfMonth, .getMonthValue, .getTime, .getYear, .indexOf, .isAfter, .isBefore, .isEmpty, .lastIndexOf, .length, .minusDays, .plusDays, .replace, .startsWith, .substring, .toDays, .toEpochDay, .toEpochMilli, .toLowerCase, .toMillis, .toString, .toUpperCase, .trim
