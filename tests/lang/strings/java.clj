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

;; Normalising a name with methods only.
(defn normal [text] (-> text .trim .toLowerCase (.replace "_" "-")))
[(normal " Unit_Price ") (.equalsIgnoreCase (normal " A ") "A") (.endsWith (normal "X_ID") "-id")]
;=> ["unit-price" true true]

;; Characters counted by kind.
(let [kinds {:digits #(Character/isDigit %) :letters #(Character/isLetter %) :both #(Character/isLetterOrDigit %)
             :small #(Character/isLowerCase %) :blanks #(Character/isWhitespace %)}]
  (update-vals kinds #(count (filter % "Ab 12-c"))))
;=> {:digits 2 :letters 3 :both 5 :small 2 :blanks 1}

;; nil has no methods.
(.toUpperCase nil)
;!> type_error 1:1 .toUpperCase: expected a string, got nil

;; A method that does not exist: the error says how it is written here.
(.concat "a" "b")
;!> undefined_symbol 1:2 undefined symbol '.concat'. Hint: write (str a b)

;; Each method names itself and what it found.
(defn message [f] (try (f) (catch Exception e (println (ex-message e)))))
(run! message [#(.length nil) #(.startsWith :a "a") #(.endsWith "abc" nil) #(.contains 5 1) #(.indexOf nil "a")
               #(.lastIndexOf 5 1) #(.replace "a" "b" nil) #(.trim nil) #(.toLowerCase :A) #(.isEmpty 5)
               #(.equalsIgnoreCase "a" nil)])
;out> .length: expected a string, got nil
;out> .startsWith: expected a string, got keyword
;out> .endsWith: expected a string, got nil
;out> .contains: expected a string, got number
;out> .indexOf: expected a string, got nil
;out> .lastIndexOf: expected a string, got number
;out> .replace: expected a string, got nil
;out> .trim: expected a string, got nil
;out> .toLowerCase: expected a string, got keyword
;out> .isEmpty: expected a string or collection, got number

;; The methods take the object first, and their own counts.
[(.length) (.charAt "abc") (.startsWith "abc") (.toString) (.equals 1)]
;!> arity_error 1:2 .length: expected 1 argument, got 0
;!> arity_error 1:12 .charAt: expected 2 arguments, got 1
;!> arity_error 1:28 .startsWith: expected 2 arguments, got 1
;!> arity_error 1:48 .toString: expected 1 argument, got 0
;!> arity_error 1:60 .equals: expected 2 arguments, got 1

;; The functions of `Character` ask about one character.
(defn ask [f] (try (f) (catch Exception e (println (ex-message e)))))
(run! ask [#(Character/isDigit "12") #(Character/isLetter nil) #(Character/isUpperCase 65)
           #(Character/isWhitespace "")])
;out> Character/isDigit: expected one character, got string
;out> Character/isLetter: expected one character, got nil
;out> Character/isWhitespace: expected one character, got string

;; A cutting of a text at the first mark, as in Java.
(defn before [text mark] (let [at (.indexOf text mark)] (if (neg? at) text (.substring text 0 at))))
[(before "key=value" "=") (before "key" "=")]
;=> ["key" "key"]

;; `.contains` of a vector looks at elements, like `contains?` here.
[(.contains ["a" "b"] "b") (contains? ["a" "b"] "b")]
;=> [true true]
