;; Bare names reach the input where nothing else has the name.
;- data {:rate 3 :rows [1 2]}
[rate (count rows) data/rate]
;=> [3 2 3]

;; Locals come first, then definitions, then tools and data; `data/` always reaches the input.
;- data {:rate 3}
(def rate 8)
[rate (let [rate 5] [rate user/rate data/rate])]
;=> [8 [5 8 3]]

;; `user/name` is the definition behind a local.
(def limit 10)
(let [limit 3] [limit user/limit])
;=> [3 10]

;; Data under a string key is found by the same name.
;- data {"order-count" 4}
[data/order-count order-count]
;=> [4 4]

;; A key that is not there is named together with those that are.
;- data {:orders [] :users []}
(count data/order)
;!> data_not_found 1:8 data 'order' not found; available data: orders, users. Did you mean 'data/orders'?

;; Without any input the message says so.
data/rows
;!> data_not_found 1:1 data 'rows' not found; there is no input data

;; A data key that is spelled like a builtin is reached by `data/` only (L-44).
;- data {:count 99}
[(count [1 2]) data/count]
;=> [2 99]
;warn> builtin-over-data 1:3 count is the builtin function here; write data/count for the input

;; A tool of the name of a data key: the bare name could mean both (L-23).
;- data {:status 1}
;- tool status () -> :string = "from the tool"
status
;!> ambiguous_reference 1:1 Symbol 'status' exists in both tool/ and data/ namespaces. Use explicit namespace.

;; The explicit names are never ambiguous, nor is a local.
;- data {:status 1}
;- tool status () -> :string = "from the tool"
[data/status (tool/status) (let [status :local] status)]
;=> [1 "from the tool" :local]

;; A definition of one's own ends the ambiguity as well.
;- data {:status 1}
;- tool status () -> :string = "from the tool"
(def status 2)
status
;=> 2

;; Builtins are known by the full name and the usual alias of their namespace.
[(clojure.string/join "-" [1 2]) (str/join "-" [1 2]) (string/join "-" [1 2]) (join "-" [1 2])]
;=> ["1-2" "1-2" "1-2" "1-2"]

;; `core/` reaches builtins behind a local or a definition of the same name (L-15).
(defn first [x] [:mine x])
(let [count 5] [(first [1]) (core/first [1]) (core/count [1 2 3]) count])
;=> [[:mine [1]] 1 3 5]

;; `set`, `walk` and `math` are namespaces, `set` is a function as well.
[(set/union #{1} #{2}) (set [1 1]) (walk/keywordize-keys {"a" 1}) (math/sqrt 9)]
;=> [#{1 2} #{1} {:a 1} 3.0]

;; The same name in two namespaces is told apart by its alias (L-1).
[(reverse "abc") (str/reverse "abc") (join ["a" "b"]) (count (set/join #{{:a 1}} #{{:a 1 :b 2}}))]
;=> [["c" "b" "a"] "cba" "ab" 1]

;; Java's names of mathematics work.
[(Math/abs -5) (Math/max 1 2) (Math/pow 2 3) Math/PI]
;=> [5 2 8.0 3.141592653589793]

;; `ns` and `require` at the top are read; their aliases count.
(ns report.core
  (:require [clojure.string :as s]
            [clojure.set :refer [union]]))
[(s/upper-case "a") (union #{1} #{2})]
;=> ["A" #{1 2}]

;; `require` alone gives nil.
(require '[clojure.string :as text])
(text/trim " a ")
;=> "a"

;; A foreign namespace is passed over with a warning (L-58).
(require '[cheshire.core :as json-lib])
(+ 1 2)
;=> 3
;warn> ignored-namespace 1:11 the namespace cheshire.core does not exist here and is ignored; use (json/parse-string s) or (json/generate-string x)

;; The error comes where one of its names is used.
(require '[my.helpers :as h])
(h/tidy [1 2])
;!> invalid_form 2:2 h/tidy: the namespace my.helpers does not exist here; tools live in tool/, input in data/

;; A namespace without that function says what it has.
(str/capwords "a b")
;!> invalid_form 1:2 no string function named capwords; available: blank?, capitalize, ends-with?, escape, includes?, index-of, join, last-index-of, lower-case, re-quote-replacement, replace, replace-first, reverse, split, split-lines, starts-with?, trim, trim-newline, triml, trimr, upper-case

;; Nothing is known of a namespace that was never required.
(foo/bar 1)
;!> invalid_form 1:2 unknown namespace foo/; tools live in tool/, input in data/

;; Other words of models for nothing.
[null None undefined]
;!> undefined_symbol 1:2 undefined symbol 'null'. Hint: write nil
;!> undefined_symbol 1:7 undefined symbol 'None'. Hint: write nil
;!> undefined_symbol 1:12 undefined symbol 'undefined'. Hint: write nil

;; An explicit prefix cannot be taken away by a local.
;- data {:x 1}
(let [data {:x 2}] [(:x data) data/x])
;=> [2 1]

;; `*` and `/` are names like any other.
(let [/ (fn [a b] [:over a b])] (/ 6 3))
;=> [:over 6 3]

;; A definition of a builtin's name lasts for later turns, too.
(defn avg [xs] :own)
(avg [1 2])
;=> :own
(avg [1 2])
;=> :own
(core/avg [1 2])
;=> 1.5

;; Names may hold signs and digits.
(let [x' 1 a->b 2 ok? true go! 3 v2 4 *top* 5 a.b 6] [x' a->b ok? go! v2 *top* a.b])
;=> [1 2 true 3 4 5 6]

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
;!> undefined_symbol 1:2 undefined symbol 'slurp'. Not available: no file I/O; the input is in data/

;; Macros cannot be defined; their parts are not looked into.
(defmacro unless [test body] `(if ~test nil ~body))
;!> parse_error 1:30 no macros; write a function with defn

;; `defmacro` without syntax quote.
(defmacro unless [test body] (list 'if test nil body))
(unless false 1)
;!> undefined_symbol 1:2 undefined symbol 'defmacro'. Not available: no macros; write a function with defn
;!> undefined_symbol 2:2 undefined symbol 'unless'. Hint: write (when-not test ...)

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
;!> undefined_symbol 1:2 undefined symbol '.frobnicate'. Available methods: .abs, .atDay, .atEndOfMonth, .atOffset, .atStartOfDay, .atTime, .atZone, .between, .charAt, .compareTo, .contains, .datesUntil, .endsWith, .equals, .equalsIgnoreCase, .format, .get, .getDayOfMonth, .getDayOfWeek, .getDayOfYear, .getDays, .getDisplayName, .getEpochSecond, .getHour, .getMessage, .getMinute, .getMonth, .getMonthValue, .getMonths, .getNano, ... (81 more)

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
;!> tool_not_found 1:2 tool 'serach' not found; available tools: search. Did you mean 'tool/search'?

;; Without any tools the message says so.
(tool/search "x")
;!> tool_not_found 1:2 tool 'search' not found; no tools are registered

;; `throw` used as a function value.
(map throw [])
;!> undefined_symbol 1:6 undefined symbol 'throw'. Hint: 'throw' is a special form, write (throw ...)

;; `recur` misspelled.
(loop [i 0] (if (< i 3) (recurr (inc i)) i))
;!> undefined_symbol 1:26 undefined symbol 'recurr'. Did you mean 'recur'?

;; Names in quotes, comments and hidden forms are not looked up.
['(no such names) (comment (nor these)) #_(nor this)]
;=> [[no such names] nil]

;; Names in a function that is never called are.
(defn unused [] (foo-bar 1))
:done
;!> undefined_symbol 1:18 undefined symbol 'foo-bar'

;; Keys of the input may have the names of forms.
;- data {:if 1 :fn 2}
[data/if data/fn]
;=> [1 2]

;; Names of forms may be locals; in value position they mean the local.
(let [do 1 when 5 recur 7] [do when recur (if when 1 2)])
;=> [1 5 7 1]

;; Forms have full names, too.
(clojure.core/let [x 1]
  (core/if (clojure.core/-> x inc even?) :even :odd))
;=> :even

;; `require` of several namespaces, quoted name or vector, with `:as` and `:refer`.
(require 'clojure.set '[clojure.string :as s2 :refer [upper-case blank?]])
[(clojure.set/union #{1} #{2}) (s2/trim " a ") (upper-case "b") (blank? "")]
;=> [#{1 2} "a" "B" true]

;; `:refer :all` and `use` bring all names of a namespace.
(require '[clojure.set :refer :all])
(use 'clojure.walk)
[(subset? #{1} #{1 2}) (stringify-keys {:a 1})]
;=> [true {"a" 1}]

;; An alias of one's own wins over the usual one.
(require '[clojure.set :as str])
(str/union #{1} #{2})
;=> #{1 2}

;; Constants of Java's number classes.
[Integer/MAX_VALUE Long/MAX_VALUE Double/POSITIVE_INFINITY]
;=> [2147483647 9223372036854775807 ##Inf]

;; What a class has besides is listed.
(System/arraycopy [1] 0)
;!> invalid_form 1:2 no System function named arraycopy; available: currentTimeMillis

;; What no program can have says so.
(System/getenv "HOME")
;!> invalid_form 1:2 no System function named getenv; no environment; what a program needs is in data/

;; A missing user definition.
user/totals
;!> undefined_symbol 1:1 undefined symbol 'user/totals'

;; A data key in another spelling shows what there is.
;- data {:order_id 1}
data/order-id
;!> data_not_found 1:1 data 'order-id' not found; available data: order_id. Did you mean 'data/order_id'?

;; The same for tools.
;- tool search_rooms () -> :int = 1
(tool/search-rooms)
;!> tool_not_found 1:2 tool 'search-rooms' not found; available tools: search_rooms. Did you mean 'tool/search_rooms'?

;; Dynamic variables do not exist.
(binding [*print-length* 3] 1)
;!> undefined_symbol 1:2 undefined symbol 'binding'. Not available: no dynamic variables; pass the value as an argument or use let

;; `data/fail` is always there: nil unless a turn has failed.
[data/fail (nil? data/fail)]
;=> [nil true]

;; The prefix form of `require` gives the same aliases.
(require '(clojure [string :as st] [set :as s]))
[(st/upper-case "a") (s/union #{1} #{1})]
;=> ["A" #{1}]
