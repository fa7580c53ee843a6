;; `if` takes the first branch unless the test is nil or false; zero, "" and [] are truthy.
[(if 0 :yes :no) (if "" :yes :no) (if [] :yes :no) (if nil :yes :no) (if false :yes :no)]
;=> [:yes :yes :yes :no :no]

;; Without an else branch the answer is nil.
(if (> 1 2) :never)
;=> nil

;; Only the chosen branch runs.
(if true (println "then") (println "else"))
;=> nil
;out> then

;; `if-not` turns the test around.
(defn visible [row] (if-not (:hidden row) (:title row) "(hidden)"))
[(visible {:title "Plan"}) (visible {:title "Diary" :hidden true})]
;=> ["Plan" "(hidden)"]

;; `if-not` without an else branch gives nil when the test holds.
[(if-not nil :empty) (if-not 5 :empty)]
;=> [:empty nil]

;; `when` runs a whole body and gives its last value.
(when (seq [1 2])
  (println "two rows")
  :done)
;=> :done
;out> two rows

;; A test that fails skips the whole body of `when`.
(when (seq []) (println "never") :done)
;=> nil

;; `when` with an empty body is nil (L-21).
(when true)
;=> nil

;; `when-not` guards against something.
(defn halve [n]
  (when-not (odd? n)
    (quot n 2)))
[(halve 10) (halve 7)]
;=> [5 nil]

;; The body of `when-not` may have several forms.
(when-not false
  (println "first")
  (println "second")
  2)
;=> 2
;out> first
;out> second

;; `cond` takes the value behind the first test that holds.
(defn grade [points]
  (cond
    (>= points 90) "A"
    (>= points 75) "B"
    (>= points 50) "C"
    :else "F"))
(map grade [95 75 50 12])
;=> ["A" "B" "C" "F"]

;; `cond` without any test that holds is nil, and so is `(cond)`.
[(cond false 1 nil 2) (cond)]
;=> [nil nil]

;; Tests behind the first that holds do not run.
(cond
  (do (println "asked") true) :found
  (do (println "never asked") true) :missed)
;=> :found
;out> asked

;; `:else` is nothing special: any truthy value works.
(cond nil 1 "otherwise" 2)
;=> 2

;; An odd number of forms in `cond` is found before the program runs.
(println "never")
(cond true 1 :else)
;!> invalid_cond_form 2:1 cond needs an even number of forms, got 3

;; `case` compares with literals and jumps to the match; the last form alone is the default.
(defn shipping [country]
  (case country
    "DE" 4.9
    ("AT" "CH") 9.5
    15))
(map shipping ["DE" "CH" "US"])
;=> [4.9 9.5 15]

;; `case` without a match and without a default fails with the value.
(case 7 1 :one 2 :two)
;!> argument_error 1:1 no matching case clause: 7

;; Constants of `case` are not evaluated: symbols, vectors and maps stand for themselves.
(defn kind [form]
  (case form
    plus :symbol
    [1 2] :vector
    {:a 1} :map
    nil :nothing
    :other))
(map kind ['plus [1 2] {:a 1} nil "plus"])
;=> [:symbol :vector :map :nothing :other]

;; A list of constants matches any of them, of any kind.
(map #(case % (1 "one" :one) 1 (2 "two") 2 0) [:one "two" 1 'three])
;=> [1 2 1 0]
;warn> keyword-vs-string 1:18 the keyword :one never equals the string "one": compare keyword with keyword or use (name k)

;; `condp` fills each test into a predicate together with the value.
(defn size-class [n]
  (condp > n
    10 :small
    100 :medium
    :large))
(map size-class [3 10 100])
;=> [:small :medium :large]

;; `:>>` hands the truthy result of the test to a function.
(defn first-known [tags]
  (condp some tags
    #{:urgent :late} :>> (fn [tag] [:alarm tag])
    #{:note} :>> name
    :nothing))
[(first-known [:a :late]) (first-known [:note]) (first-known [])]
;=> [[:alarm :late] "note" :nothing]

;; `condp` without a match and without a default fails with the value.
(condp = 5 1 :one 2 :two)
;!> argument_error 1:1 no matching condp clause: 5

;; `and` gives the first falsy value or the last one, `or` the first truthy or the last.
[(and 1 2) (and 1 nil 2) (and false nil) (or nil 3) (or nil false) (or false nil)]
;=> [2 nil false 3 false nil]

;; Empty `and` is true, empty `or` is nil.
[(and) (or)]
;=> [true nil]

;; `and` guards the right side; it does not run when the left fails.
(defn adult? [person]
  (and (:age person) (>= (:age person) 18)))
(map adult? [{:age 20} {:age 17} {}])
;=> [true false nil]

;; `or` supplies a default, also where the value is false.
(defn port [config] (or (:port config) 8080))
(map port [{:port 1} {} {:port false}])
;=> [1 8080 8080]

;; `if-let` binds the value for the then branch only when it is truthy.
(defn greet [users id]
  (if-let [user (get users id)]
    (str "Hello " (:name user))
    "Who are you?"))
[(greet {7 {:name "Ada"}} 7) (greet {} 7)]
;=> ["Hello Ada" "Who are you?"]

;; The test of `if-let` is the whole value, even where a pattern takes it apart.
(if-let [{:keys [name]} {}] [:found name] :nothing)
;=> [:found nil]

;; The name of `if-let` is not bound in the else branch: there the outer one counts.
(let [x :outer]
  (if-let [x nil] x [:else x]))
;=> [:else :outer]

;; `when-let` runs a body with a value that is there.
(defn first-word [text]
  (when-let [[word] (seq (re-seq #"\w+" text))]
    (println "found" word)
    word))
[(first-word "to be") (first-word "...")]
;=> ["to" nil]
;out> found to

;; `when-let` skips false as well.
(when-let [flag false] :never)
;=> nil

;; `if-some` asks only for "not nil": false passes.
[(if-some [x false] [:some x] :none) (if-some [x nil] [:some x] :none)]
;=> [[:some false] :none]

;; `if-some` reads options where false is a real setting.
(defn setting [options key]
  (if-some [value (get options key)] value :default))
[(setting {:color false} :color) (setting {} :color)]
;=> [false :default]

;; `when-some` runs its body for anything but nil.
[(when-some [n 0] (inc n)) (when-some [n nil] (inc n)) (when-some [f false] (not f))]
;=> [1 nil true]

;; `when-some` takes a pattern.
(when-some [[a b] (seq [1 2 3])] (+ a b))
;=> 3

;; `when-first` binds the first element if there is one, even if it is nil or false.
[(when-first [x [nil 1]] [:got x]) (when-first [x []] :never) (when-first [x nil] :never)]
;=> [[:got nil] nil nil]

;; `when-first` peeks at a sequence without forcing the rest.
(when-first [n (iterate inc 5)] (* n n))
;=> 25

;; A binding form takes exactly one pair.
(if-let [a 1 b 2] a b)
;!> invalid_form 1:9 if-let: expected one name and one value in the brackets, got 4

;; A missing branch is named with the template of the form.
(if true)
;!> invalid_arity 1:1 if: expected (if test then else?), got 1

;; `case` knows negative numbers, nil, booleans and texts.
(map #(case % -1 :neg nil :nil true :t false :f "x" :s :d) [-1 nil true false "x" 7])
;=> [:neg :nil :t :f :s :d]

;; `case` compares with `=`: a whole float matches the integer (L-14).
(case 2.0 2 :two :other)
;=> :two

;; A keyword with namespace is another constant than the one without.
(case :a/b :b 1 :a/b 2)
;=> 2

;; `condp` calls with test first and value second, in order, until one holds.
(condp (fn [test value] (println test value) (= test value)) 2
  1 :one
  2 :two
  3 :three)
;=> :two
;out> 1 2
;out> 2 2

;; Conditionals nest like any expression.
(cond (let [x nil] x) 1
      (= 1 1) (cond false 2 :else (if-not nil 3 4)))
;=> 3

;; In the else branch of `if-let` and `if-some` an outer name of the same spelling counts.
(def v 9)
[(if-let [v nil] v v) (if-some [v nil] v v)]
;=> [9 9]

;; `and` and `or` yield to locals of these names (L-45).
(let [and (fn [& xs] [:and xs]) or +] [(and 1 nil) (or 1 2)])
;=> [[:and [1 nil]] 3]
