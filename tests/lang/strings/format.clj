;; `format`: values in a pattern.

;; `%s` takes any value as `str` gives it; nil is `null`.
[(format "%s is %s" "Ada" 36) (format "%s %s" :a [1 "b"]) (format "[%s]" nil)]
;=> ["Ada is 36" ":a [1 \"b\"]" "[null]"]

;; `%d` takes integers, and floats without a fraction.
[(format "%d items" 3) (format "%d" -7) (format "%d" 4.0) (format "%d" 9223372036854775808)]
;=> ["3 items" "-7" "4" "9223372036854775808"]

;; `%f` has six places, `%.2f` two; integers are welcome.
[(format "%f" 1.5) (format "%.2f" 3.14159) (format "%.2f" 10) (format "%.0f" 2.5)]
;=> ["1.500000" "3.14" "10.00" "3"]

;; Halves are rounded up on the decimal text, not on the binary value.
(map #(format "%.1f" %) [0.25 0.35 -0.25])
;=> ["0.3" "0.4" "-0.3"]

;; A width pads with blanks at the left; `-` pads at the right; `0` pads with zeros.
[(format "|%5d|" 42) (format "|%-5d|" 42) (format "|%05d|" 42) (format "|%-6s|" "ab") (format "|%6s|" "ab")]
;=> ["|   42|" "|42   |" "|00042|" "|ab    |" "|    ab|"]

;; `,` groups thousands, `+` always shows a sign, `(` puts negative numbers in parentheses.
[(format "%,d" 1234567) (format "%,.2f" 1234.5) (format "%+d" 5) (format "%(d" -5) (format "% d" 5)]
;=> ["1,234,567" "1,234.50" "+5" "(5)" " 5"]

;; `%x` and `%o` write another base, `%X` in capitals, `#` with its mark.
[(format "%x" 255) (format "%X" 255) (format "%o" 8) (format "%#x" 255) (format "%02x" 10)]
;=> ["ff" "FF" "10" "0xff" "0a"]

;; `%e` writes an exponent.
[(format "%e" 12345.678) (format "%.2e" 0.00012)]
;=> ["1.234568e+04" "1.20e-04"]

;; `%b` writes a truth, `%c` a character, `%%` a percent sign, `%n` a line break.
[(format "%b %b %b" true nil 0) (format "%c%c" \a 98) (format "%d%%" 50) (format "a%nb")]
;=> ["true false true" "ab" "50%" "a\nb"]

;; Arguments can be taken by number, and more than once.
(format "%2$s, %1$s! %2$s" "Ada" "Hello")
;=> "Hello, Ada! Hello"

;; Precision cuts a text.
(format "%.3s|" "abcdef")
;=> "abc|"

;; A table with aligned columns.
(doseq [[item price] [["tea" 2.5] ["coffee" 13]]]
  (println (format "%-8s%6.2f" item price)))
;out> tea       2.50
;out> coffee   13.00

;; A time of day.
(defn hh-mm [minutes] (format "%02d:%02d" (quot minutes 60) (rem minutes 60)))
(map hh-mm [0 65 1439])
;=> ["00:00" "01:05" "23:59"]

;; Arguments beyond the pattern are ignored.
(format "%s" 1 2)
;=> "1"

;; A missing one is an error.
(format "%s and %s" 1)
;!> argument_error 1:1 format: %s needs argument 2, got 1

;; A fraction does not fit `%d`.
(format "%d" 2.5)
;!> type_error 1:1 format: %d expects an integer, got 2.5; write %.1f, or (round x)

;; Text does not fit `%f`.
(format "%.2f" "3.14")
;!> type_error 1:1 format: %.2f expects a number, got string

;; An unknown directive is named.
(format "%q" 1)
;!> argument_error 1:1 format: unknown directive %q; use %s %d %f %e %x %X %o %b %c %n %%, and %% for a percent sign

;; The pattern is a string.
(format 5)
;!> type_error 1:1 format: expected a string, got number

;; The same pattern over rows.
(map (fn [[n p]] (format "%d x %.2f" n p)) [[2 1.5] [10 0]])
;=> ["2 x 1.50" "10 x 0.00"]

;; `apply` passes a vector of values.
(apply format "%s-%s-%s" ["a" "b" "c"])
;=> "a-b-c"

;; Flags go together: a sign, zeros, groups.
[(format "%+,d" 12345) (format "%08.3f" 3.14159) (format "%-8.1f|" 2.25) (format "%+.1e" 1234)]
;=> ["+12,345" "0003.142" "2.3     |" "+1.2e+03"]

;; A width may be computed: build the pattern with `str`.
(defn pad-left [n text] (format (str "%" n "s") text))
(map #(pad-left 4 %) ["a" "abcd" "abcdef"])
;=> ["   a" "abcd" "abcdef"]

;; `%S` and `%X` write capitals.
[(format "%S" "abc") (format "%X" 48879)]
;=> ["ABC" "BEEF"]

;; Percentages.
(map (fn [[k n]] (format "%s %3.0f%%" (name k) (* 100.0 (/ n 8)))) {:yes 5 :no 3})
;=> ["yes  63%" "no  38%"]

;; Special floats are written by name, negative zero with its sign.
[(format "%.1f" ##Inf) (format "%.1f" ##NaN) (format "%.1f" -0.0)]
;=> ["Infinity" "NaN" "-0.0"]

;; A number as text is not a number for it.
(format "%d" "42")
;!> type_error 1:1 format: %d expects an integer, got string

;; A percent sign alone has to be doubled.
(format "100%")
;!> argument_error 1:1 format: unknown directive %; use %s %d %f %e %x %X %o %b %c %n %%, and %% for a percent sign

;; nil is what Java writes for it (L-68).
[(format "%s" nil) (format "%6s|" nil) (format "%d %.2f %x" nil nil nil) (format "%S" nil) (format "%b" nil) (format "%.2s" nil)]
;=> ["null" "  null|" "null null null" "NULL" "false" "null"]
