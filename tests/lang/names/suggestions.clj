;; A misspelled builtin: the nearest name is suggested.
(fliter odd? [1 2 3])
;!> undefined_symbol 1:2 undefined symbol 'fliter'. Did you mean 'filter'?

;; A misspelled local.
(let [customers [1 2]] (count custmers))
;!> undefined_symbol 1:31 undefined symbol 'custmers'. Did you mean 'customers'?

;; A name with underscore for one with hyphen.
(def user-count 3)
(inc user_count)
;!> undefined_symbol 2:6 undefined symbol 'user_count'. Did you mean 'user-count'?

;; A data key in another spelling.
;- data {:order_id 7}
(inc order-id)
;!> undefined_symbol 1:6 undefined symbol 'order-id'. Did you mean 'data/order_id'?

;; A form name as a value.
(map when [1 2])
;!> undefined_symbol 1:6 undefined symbol 'when'. Hint: 'when' is a special form, write (when ...)

;; `let` as a value tells how it is written.
[let]
;!> undefined_symbol 1:2 undefined symbol 'let'. Hint: 'let' is a special form, write (let ...)

;; What the sandbox does not have comes with the way to do it here.
(slurp "notes.txt")
;!> undefined_symbol 1:2 undefined symbol 'slurp'. Not available: no file I/O

;; Macros cannot be defined; their parts are not looked into.
(defmacro unless [test body] `(if ~test nil ~body))
;!> parse_error 1:30 syntax quote ` is not supported (there are no macros; write '(...) or (list ...))

;; `defmacro` without syntax quote.
(defmacro unless [test body] (list 'if test nil body))
(unless false 1)
;!> undefined_symbol 1:2 undefined symbol 'defmacro'. Not available: no macros; write a function with defn
;!> undefined_symbol 2:2 undefined symbol 'unless'

;; Threads are replaced by `pmap` and `pcalls`.
(future (+ 1 2))
;!> undefined_symbol 1:2 undefined symbol 'future'. Not available: use pmap or pcalls

;; Records and protocols are replaced by maps.
(defrecord Point [x y])
;!> undefined_symbol 1:2 undefined symbol 'defrecord'. Not available: use maps

;; `eval` cannot exist.
(eval '(+ 1 2))
;!> undefined_symbol 1:2 undefined symbol 'eval'. Not available: programs cannot run other programs; write a function with defn

;; Java classes outside the list are not there.
(StringBuilder.)
;!> undefined_symbol 1:2 undefined symbol 'StringBuilder.'. Not available: use str and str/join

;; A method that no value has.
(.frobnicate "abc")
;!> undefined_symbol 1:2 undefined symbol '.frobnicate'. Available methods: .charAt, .contains, .endsWith, .equals, .equalsIgnoreCase, .getDayOfMonth, .getMonthValue, .getTime, .getYear, .indexOf, .isAfter, .isBefore, .isEmpty, .lastIndexOf, .length, .minusDays, .plusDays, .replace, .startsWith, .substring, .toDays, .toEpochDay, .toEpochMilli, .toLowerCase, .toMillis, .toString, .toUpperCase, .trim

;; `else` alone is the keyword's forgotten colon.
(cond false 1 else 2)
;!> undefined_symbol 1:15 undefined symbol 'else'. Hint: the last test of cond is :else

;; Words of other languages.
(if True 1 2)
;!> undefined_symbol 1:5 undefined symbol 'True'. Hint: write true

;; `data` alone is no value.
(:rows data)
;!> undefined_symbol 1:8 undefined symbol 'data'. Hint: write data/ and a key, for example data/items

;; An unknown tool is named with the known ones.
;- tool search (query :string) -> [:any] = []
(tool/serach {:query "x"})
;!> tool_not_found 1:2 tool 'serach' not found; available tools: search

;; Without any tools the message says so.
(tool/search "x")
;!> tool_not_found 1:2 tool 'search' not found; no tools are registered

;; `throw` used as a function value.
(map throw [])
;!> undefined_symbol 1:6 undefined symbol 'throw'. Hint: 'throw' is a special form, write (throw ...)

;; `recur` misspelled.
(loop [i 0] (if (< i 3) (recurr (inc i)) i))
;!> undefined_symbol 1:26 undefined symbol 'recurr'. Did you mean 'recur'?
