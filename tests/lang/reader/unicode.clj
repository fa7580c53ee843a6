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
