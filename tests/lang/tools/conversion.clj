;; What a program hands to a tool arrives as JSON, and comes back as data of the program.

;; Keywords and symbols arrive as texts, also inside of collections.
;- tool echo (x :any) -> :any = x
[(tool/echo :price) (tool/echo {:x [:a "b" 'c]})]
;=> ["price" ["a" "b" "c"]]

;; A keyword with namespace keeps it (L-47).
;- tool echo (x :any) -> :any = x
(tool/echo {:x :order/id})
;=> "order/id"

;; Sets arrive as lists, in the order in which they were made.
;- tool echo (x :any) -> :any = x
(tool/echo {:x #{:b :a}})
;=> ["b" "a"]

;; Dates arrive as texts.
;- tool echo (x :any) -> :any = [x (string? x)]
(tool/echo {:x (LocalDate/parse "2024-02-29")})
;=> ["2024-02-29" true]

;; Special floats have no JSON: they arrive as nil.
;- tool echo (x :any) -> :any = x
[(tool/echo ##Inf) (tool/echo ##NaN) (tool/echo 1.5)]
;=> [nil nil 1.5]

;; Integers beyond 64 bits arrive as texts (L-27).
;- tool echo (x :any) -> :any = x
[(tool/echo 9223372036854775807) (tool/echo 9223372036854775808)]
;=> [9223372036854775807 "9223372036854775808"]

;; At the levels that the signature declares, keys are sent as declared, and others as written (A-67).
;- tool save (row {unit-price :int}) -> :any = (keys row)
(tool/save {:row {:unit-price 1 :other-key 2}})
;=> [:unit-price :other-key]

;; Below `:map` nothing is folded (L-48).
;- tool save (row :map) -> :any = (vec (keys row))
(tool/save {:row {:unit-price 1 "SKU-12" 2}})
;=> [:unit-price :SKU-12]

;; Without a signature the outermost keys are folded, nothing below (L-48).
;- tool raw = [data/item_id data/m]
(tool/raw {:item-id 1 :m {:x-y 2}})
;=> [1 {:x-y 2}]

;; Keys that are no names arrive as they print.
;- tool echo (x :map) -> :any = x
(tool/echo {:x {1 :one :b/c 2}})
;=> {"1" "one" "b/c" 2}

;; The keyword wins over the text of the same name.
;- tool echo (x :map) -> :any = x
(tool/echo {:x {:a 1 "a" 2}})
;=> {:a 1}

;; References arrive with what is in them, patterns as they print.
;- tool echo (x :any) -> :any = x
[(tool/echo (atom [1])) (tool/echo #"a+")]
;=> [[1] "#\"a+\""]

;; A function cannot be sent: its text would be nothing that a tool can call.
;- tool echo (x :any) -> :any = x
(tool/echo {:x [1 {:f (fn [n] (* 2 n))}]})
;!> invalid_tool_args 1:1 tool/echo: #fn[n] is a function, which stays in its session: send data, such as what it returns

;; Lazy sequences are realised on their way (L-30).
;- tool echo (x :any) -> :any = x
(tool/echo {:x (take 3 (iterate inc 1))})
;=> [1 2 3]

;; Nothing of a map gets lost on the way there and back.
;- tool echo (x :any) -> :any = x
(let [order {:id 7 :lines [{:item "tea" :qty 2 :price 1.5}] :note nil :paid true}]
  (= order (tool/echo {:x order})))
;=> true
