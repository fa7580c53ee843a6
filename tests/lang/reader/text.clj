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

;; Text is counted and cut by characters of Unicode, not by bytes (L-5).
[(count "héllo") (subs "héllo" 1 3) (count "🚀") (str/upper-case "straße")]
;=> [5 "él" 1 "STRASSE"]

;; Characters made of several code points count as several (L-5).
[(count "e\u0301") (count "🇩🇪") (first "🚀x")]
;=> [2 2 "🚀"]

;; Names and keywords may use any letters.
(let [größe 3 名前 "Ada"] {:größe größe :名前 名前})
;=> {:größe 3 :名前 "Ada"}

;; The place of an error counts characters, not bytes.
["🚀" (größer 1 2)]
;!> undefined_symbol 1:7 undefined symbol 'größer'

;; A no-break space between tokens is a blank (L-25).
(+ 1 2)
;=> 3

;; Zero-width characters outside of strings are dropped (L-25).
(+​ 1 2﻿)
;=> 3

;; Inside a string every character stays (L-25).
(count "a​ b")
;=> 4

;; Curly quotes are mended where the text would not be a program otherwise (L-25).
(str “curly” “ quotes”)
;=> "curly quotes"

;; Curly quotes inside a proper string are only text (L-25).
"he said “yes”"
;=> "he said “yes”"

;; Line ends of Windows count as one line.
(str "a
b")
;=> "a\nb"

;; Sorting is by code, reversing by character.
[(sort ["ä" "z" "a"]) (str/reverse "añ🚀")]
;=> [["a" "z" "ä"] "🚀ña"]

;; Code and character go both ways.
[(int "é") (char 233) (map int "aé🚀")]
;=> [233 "é" [97 233 128640]]

;; Emoji make fine keys.
(frequencies "🍎🍐🍎")
;=> {"🍎" 2 "🍐" 1}

;; Single curly quotes have no meaning as a quote of text.
"it’s ‘fine’"
;=> "it’s ‘fine’"

;; A wide blank between tokens is a blank, too (L-25).
(+　1 2)
;=> 3

;; Low opening quotes of German texts are mended like the others (L-25).
(count „drei“)
;=> 4

;; Escapes of other languages stay as they are written.
[(count "\x41") "\101"]
;=> [4 "\\101"]

;; A line cannot be continued by a backslash inside a string.
(def long "one \
two")
;!> parse_error 1:16 a backslash before a line break in a string (write \n, or leave it out)
