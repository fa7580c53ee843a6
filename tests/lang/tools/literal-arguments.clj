;; Arguments that stand in the program are held against the signature before anything runs.

;; A missing argument is found at the call.
;- tool quote-room (nights :int, room :int) -> {total :float} = {:total 89.5}
(println "never")
(tool/quote-room {:nights 1})
;!> invalid_tool_args 2:1 tool/quote-room missing required field "room"; it takes (nights :int, room :int), e.g. (tool/quote-room {:nights ... :room ...})

;; An argument of the wrong kind is found where it stands.
;- tool quote-room (nights :int, room :int) -> {total :float} = {:total 89.5}
(tool/quote-room {:nights [1]
                  :room 1})
;!> invalid_tool_args 1:27 tool/quote-room [nights]: cannot coerce to integer, got list; it takes (nights :int, room :int), e.g. (tool/quote-room {:nights ... :room ...})

;; An argument that the tool does not have is refused, with the nearest one that it has.
;- tool quote-room (nights :int, room :int) -> {total :float} = {:total 89.5}
(tool/quote-room {:nights 1 :room 1 :nihgts 2})
;!> invalid_tool_args 1:45 tool/quote-room has no argument "nihgts" (did you mean "nights"?); it takes (nights :int, room :int), e.g. (tool/quote-room {:nights ... :room ...})

;; Computed values are left to the run; the literals beside them are checked.
;- tool quote-room (nights :int, room :int) -> :int = (+ nights room)
(let [n 2]
  (tool/quote-room {:nights n :room "lake"}))
;!> invalid_tool_args 2:37 tool/quote-room [room]: cannot coerce string "lake" to integer; it takes (nights :int, room :int), e.g. (tool/quote-room {:nights ... :room ...})

;; A literal that can be converted is no mistake; the conversion leaves a warning.
;- tool quote-room (nights :int, room :int) -> :int = (+ nights room)
(tool/quote-room {:nights "2" :room 3})
;=> 5
;warn> coerced-argument 1:1 tool/quote-room: [nights]: coerced string "2" to integer
;call> quote-room {:nights "2" :room 3}

;; Arguments by place and by pairs are checked in the same way.
;- tool quote-room (nights :int, room :int) -> :int = (+ nights room)
(tool/quote-room 1)
(tool/quote-room 1 2 3)
(tool/quote-room :nights 1 :beds 2)
;!> invalid_tool_args 1:1 tool/quote-room is missing the argument "room"; it takes (nights :int, room :int), e.g. (tool/quote-room {:nights ... :room ...})
;!> invalid_tool_args 2:1 tool/quote-room takes at most 2 arguments, got 3; it takes (nights :int, room :int), e.g. (tool/quote-room {:nights ... :room ...})
;!> invalid_tool_args 3:1 tool/quote-room missing required field "room"; it takes (nights :int, room :int), e.g. (tool/quote-room {:nights ... :room ...})
;!> invalid_tool_args 3:34 tool/quote-room has no argument "beds"; it takes (nights :int, room :int), e.g. (tool/quote-room {:nights ... :room ...})

;; Optional arguments may be left out, and `-` and `_` are the same in names.
;- tool find-rooms (max_price :float, sea-view :bool?) -> [:int] = [max_price sea-view]
[(tool/find-rooms {:max-price 90})
 (tool/find-rooms {:max_price 90.5 :sea_view true})
 (tool/find-rooms 80 false)]
;=> [[90.0 nil] [90.5 true] [80.0 false]]

;; A tool with one map parameter takes the map itself.
;- tool save (row :map) -> :int = (count row)
[(tool/save {:a 1 :b 2}) (tool/save {:row {:a 1}})]
;=> [2 1]

;; What a threading form puts in front is an argument like any other.
;- tool quote-room (nights :int, room :int) -> :int = (+ nights room)
(-> {:nights 1} tool/quote-room)
;!> invalid_tool_args 1:17 tool/quote-room missing required field "room"; it takes (nights :int, room :int), e.g. (tool/quote-room {:nights ... :room ...})

;; A parameter is met in snake case, kebab case and camel case, whatever its own style is.
;- tool book-room (roomNumber :int, guest_name :string) -> :string = (str guest_name " " roomNumber)
(str (tool/book-room {:room-number 3 :guestName "Ada"}) ", " (tool/book-room {:room_number 4 :guest-name "Lin"}))
;=> "Ada 3, Lin 4"

;; The same parameter twice, in two styles, is a mistake.
;- tool book-room (roomNumber :int) -> :int = roomNumber
(tool/book-room {:room-number 3 :roomNumber 4})
;!> invalid_tool_args 1:45 tool/book-room two keys are for "roomNumber": keep one of :room-number and :roomNumber; it takes (roomNumber :int), e.g. (tool/book-room {:roomNumber ...})

;; What is wrong with an argument is told at its place, in whatever style its name is written.
;- tool book-room (roomNumber :int) -> :int = roomNumber
(tool/book-room {:room-number "attic"})
;!> invalid_tool_args 1:31 tool/book-room [roomNumber]: cannot coerce string "attic" to integer; it takes (roomNumber :int), e.g. (tool/book-room {:roomNumber ...})
