;; A tool is called like a function, with a map of named arguments.
;- tool search (query :string, limit :int?) -> [:string] = [(str query "-1") (str query "-2")]
(tool/search {:query "tin" :limit 5})
;=> ["tin-1" "tin-2"]
;call> search {:query "tin" :limit 5}

;; Keyword–value pairs mean the same map.
;- tool search (query :string, limit :int?) -> [:string] = [query]
(tool/search :query "tin" :limit 2)
;=> ["tin"]
;call> search {:query "tin" :limit 2}

;; Positional arguments go to the parameters of the signature in their order.
;- tool search (query :string, limit :int?) -> :map = {:query query :limit data/limit}
(tool/search "tin" 3)
;=> {:query "tin" :limit 3}
;call> search {:query "tin" :limit 3}

;; Optional parameters at the end may be left out.
;- tool search (query :string, limit :int?) -> :string = query
(tool/search "tin")
;=> "tin"
;call> search {:query "tin"}

;; The bare name reaches a tool where nothing else has it.
;- tool search (query :string) -> :string = (str "found " query)
(search "tin")
;=> "found tin"

;; A tool without parameters is called without any.
;- tool now () -> :string = "noon"
(str "It is " (tool/now))
;=> "It is noon"
;call> now {}

;; A tool without signature takes a map, or pairs.
;- tool raw = [data/a data/b]
[(tool/raw {:a 1 :b 2}) (tool/raw :a 3 :b 4)]
;=> [[1 2] [3 4]]
;call> raw {:a 1 :b 2}
;call> raw {:a 3 :b 4}

;; Positional arguments need a signature.
;- tool raw = 1
(tool/raw "a")
;!> invalid_tool_args 1:1 tool/raw needs named arguments, e.g. (tool/raw {:name ...})

;; Too many arguments are counted, with the call as it should be.
;- tool search (query :string, limit :int?) -> [:map] = []
(tool/search "a" 1 2)
;!> invalid_tool_args 1:1 tool/search takes at most 2 arguments, got 3; it takes (query :string, limit :int?), e.g. (tool/search {:query ... :limit ...})

;; A required argument that is missing is named.
;- tool book (room :int, guest :string) -> :map = {}
(tool/book {:room 7})
;!> invalid_tool_args 1:1 tool/book …

;; The same for positional arguments.
;- tool book (room :int, guest :string) -> :map = {}
(tool/book 7)
;!> invalid_tool_args 1:1 tool/book is missing the argument "guest"; it takes (room :int, guest :string), e.g. (tool/book {:room ... :guest ...})

;; An argument of a wrong kind is named with what was expected.
;- tool book (room :int, guest :string) -> :map = {}
(let [guest 5] (tool/book {:room 7 :guest guest}))
;!> invalid_tool_args 1:16 tool/book [guest]: cannot coerce to string, got int; it takes (room :int, guest :string), e.g. (tool/book {:room ... :guest ...})

;; The path to a wrong part is written out.
;- tool save (rows [{id :int, name :string}]) -> :int = (count rows)
(let [rows [{:id 1 :name "a"} {:id "two" :name "b"}]] (tool/save {:rows rows}))
;!> invalid_tool_args 1:55 tool/save [rows.1.id]: cannot coerce string "two" to integer; it takes (rows [{id :int, name :string}]), e.g. (tool/save {:rows ...})

;; Text with digits fits an `:int`, with a warning; the tool receives the number.
;- tool book (room :int) -> :int = (+ 1 room)
(tool/book {:room "42"})
;=> 43
;warn> coerced-argument 1:1 tool/book: [room]: coerced string "42" to integer

;; An integer fits a `:float` silently.
;- tool pay (amount :float) -> :float = (* 2 amount)
(tool/pay {:amount 5})
;=> 10.0

;; "true" fits a `:bool`, with a warning.
;- tool set-flag (on :bool) -> :bool = (not on)
(tool/set-flag "true")
;=> false
;warn> coerced-argument 1:1 tool/set-flag: [on]: coerced string "true" to boolean

;; nil fits an optional parameter.
;- tool search (query :string, limit :int?) -> :any = data/limit
(tool/search {:query "a" :limit nil})
;=> nil

;; A tool with one map parameter takes the map itself.
;- tool save (item :map) -> :any = item
[(tool/save {:id 1}) (tool/save {:item {:id 2}})]
;=> [{:id 1} {:id 2}]

;; A tool is a value: it can be passed to `map`.
;- tool fetch (id :int) -> :map = {:id id :name (str "item " id)}
(map tool/fetch [{:id 1} {:id 2}])
;=> [{:id 1 :name "item 1"} {:id 2 :name "item 2"}]
;call> fetch {:id 1}
;call> fetch {:id 2}

;; Positional arguments work through `map` as well.
;- tool fetch (id :int) -> :string = (str "item " id)
(mapv tool/fetch [7 8])
;=> ["item 7" "item 8"]

;; `apply`, `partial` and `comp` take a tool like any function.
;- tool add (a :int, b :int) -> :int = (+ a b)
[(apply tool/add [1 2]) ((partial tool/add 10) 5) ((comp inc tool/add) 1 1)]
;=> [3 15 3]

;; A tool prints with its name.
;- tool add (a :int, b :int) -> :int = (+ a b)
(str tool/add)
;=> "#<tool add>"

;; Recorded arguments keep the order in which they were written (L-26).
;- tool book (room :int, guest :string, nights :int?) -> :int = room
(tool/book {:nights 2 :guest "Ada" :room 7})
;=> 7
;call> book {:nights 2 :guest "Ada" :room 7}

;; Nested fields are checked; the path leads to the wrong one.
;- tool book (guest {name :string, age :int?}, nights :int) -> :string = (str (:name guest) ", " nights)
(tool/book {:guest {:name "Ada"} :nights 2})
;=> "Ada, 2"

;; A field inside that is missing.
;- tool book (guest {name :string, age :int?}, nights :int) -> :string = "ok"
(let [guest {:age 5}] (tool/book {:guest guest :nights 2}))
;!> invalid_tool_args 1:23 tool/book [guest]: missing required field "name"; it takes (guest {name :string, age :int?}, nights :int), e.g. (tool/book {:guest ... :nights ...})

;; An element of a list.
;- tool add-all (xs [:int]) -> :int = (reduce + xs)
(let [xs [1 "b"]] (tool/add-all xs))
;!> invalid_tool_args 1:19 tool/add-all [xs.1]: cannot coerce string "b" to integer; it takes (xs [:int]), e.g. (tool/add-all {:xs ...})

;; Lists may come as vectors, sets and lazy sequences.
;- tool add-all (xs [:int]) -> :int = (reduce + xs)
[(tool/add-all [1 2]) (tool/add-all {:xs #{3 4}}) (tool/add-all :xs (take 3 (iterate inc 1)))]
;=> [3 7 6]

;; A float is no `:int`, not even a whole one.
;- tool take-rooms (n :int) -> :int = n
(let [n (/ 5 2)] (tool/take-rooms n))
;!> invalid_tool_args 1:18 tool/take-rooms [n]: cannot coerce to integer, got float; it takes (n :int), e.g. (tool/take-rooms {:n ...})

;; nil does not fill a required parameter.
;- tool take-rooms (n :int) -> :int = n
(let [n (:rooms {})] (tool/take-rooms {:n n}))
;!> invalid_tool_args 1:22 tool/take-rooms [n]: cannot coerce to integer, got nil; it takes (n :int), e.g. (tool/take-rooms {:n ...})

;; A tool without parameters takes none.
;- tool now () -> :string = "noon"
(tool/now "UTC")
;!> invalid_tool_args 1:1 tool/now takes no arguments, got 1

;; Two spellings of one parameter cannot both be given (A-67).
;- tool order (item_id :int) -> :int = 1
(let [args {:item-id 1 :item_id 2}] (tool/order args))
;!> invalid_tool_args 1:37 tool/order two keys are for "item_id": keep one of :item-id and :item_id; it takes (item_id :int), e.g. (tool/order {:item_id ...})

;; `:any` takes everything, nil included.
;- tool echo (x :any) -> :any = x
[(tool/echo 1) (tool/echo "a") (tool/echo [1]) (tool/echo nil) (tool/echo {:x 2})]
;=> [1 "a" [1] nil 2]

;; A date is text for a tool.
;- tool plan (day :string) -> :any = (str day)
(tool/plan (LocalDate/parse "2024-02-29"))
;=> "2024-02-29"

;; A tool is a function like others.
;- tool now () -> :string = "noon"
[(fn? tool/now) (ifn? tool/now) (type tool/now) (= tool/now tool/now)]
;=> [true true :function true]

;; A hyphen in a keyword is an underscore for the tool (L-48).
;- tool order (item_id :int, gift_wrap :bool?) -> :any = [item_id gift_wrap]
(tool/order {:item-id 7 :gift-wrap true})
;=> [7 true]
;call> order {:item-id 7 :gift-wrap true}

;; String keys pass as they are, also below a map parameter (L-48).
;- tool stock (counts :map) -> :any = (get counts "SKU-12")
(tool/stock {:counts {"SKU-12" 3}})
;=> 3

;; Numbers as text fit a `:float`.
;- tool pay (amount :float) -> :float = (* 2 amount)
(tool/pay {:amount "2.5"})
;=> 5.0
;warn> coerced-argument 1:1 tool/pay: [amount]: coerced string "2.5" to float
