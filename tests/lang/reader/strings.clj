;; The usual escapes, and characters by their code.
(map count ["a\nb" "a\tb" "a\\b" "a\"b" "\u00e9" "a\rb"])
;=> [3 3 3 3 1 3]

;; What is not an escape stays as it is, backslash included: regular expressions survive (D-53).
["\d+" (count "\d+") (= "\d+" "\\d+")]
;=> ["\\d+" 3 true]

;; A string may run over lines.
"first
second"
;=> "first\nsecond"

;; Characters are strings of one character.
[\a \newline \space \tab \u0041 \\ \" \;]
;=> ["a" "\n" " " "\t" "A" "\\" "\"" ";"]

;; `\n` is the letter n, `\newline` the line break.
[(= \n "n") (= \newline "\n")]
;=> [true true]

;; The other named characters.
(map int [\return \backspace \formfeed \tab \newline \space])
;=> [13 8 12 9 10 32]

;; A bracket may follow a character without a blank.
[(str \a\b) [\(\)]]
;=> ["ab" ["(" ")"]]

;; Inside a regular expression backslashes mean themselves.
[(re-seq #"\d+" "a1b22") (re-find #"\"(.*)\"" "say \"hi\"")]
;=> [["1" "22"] ["\"hi\"" "hi"]]

;; Tokens end where another kind begins.
(count ["a":b"c"1])
;=> 4

;; Marks of other syntax inside a string are only text.
["me@host" "#(not a function)" "; no comment" "`~^"]
;=> ["me@host" "#(not a function)" "; no comment" "`~^"]

;; A string that never ends: the place is where it begins.
(def a 1)
(str "never closed)
;!> parse_error 2:6 Unexpected end of input: string opened at line 2, column 6 was never closed

;; An unknown character name lists those that exist.
[\newlin]
;!> parse_error 1:2 unsupported character '\newlin' (one character, or \newline \space \tab \return \backspace \formfeed \uXXXX)

;; A code needs four digits.
\u12
;!> parse_error 1:1 unsupported character '\u12' (one character, or \newline \space \tab \return \backspace \formfeed \uXXXX)

;; A regular expression that makes no sense.
(re-find #"a(b" "ab")
;!> argument_error 1:10 invalid regex: unclosed group
