;; A bracket lost in the middle is named by the line after which the indentation steps back.
(defn total [orders]
  (reduce + (map :amount orders))

(println (total []))
;!> parse_error 1:1 Unexpected end of input: '(' opened at line 1, column 1 was never closed; by the indentation, ')' is missing at the end of line 2 (bracket opened at line 1, column 1)

;; A bracket too many is legal; the form that it closed too early is named with the error.
(let [total 3]
  (println total))
  (inc total))
;!> undefined_symbol 3:8 undefined symbol 'total' (there is one closing bracket too many at line 3, column 14: by the indentation, the form that ends at line 2, column 18 is closed too early)

;; Without an error it is a warning of its own.
(->> [1 2 3]
     (map inc))
     (filter odd? [4])
     (count [1]))
;=> 1
;warn> dropped-result 1:1 the result of (map ...) is dropped here: values never change in place; bind it with let or def, or make it the last form
;warn> dropped-result 3:6 the result of (filter ...) is dropped here: values never change in place; bind it with let or def, or make it the last form
;warn> surplus-delimiter 4:17 1 closing delimiter too many: the program ends before it; by the indentation, the form that ends at line 2, column 15 is closed too early
