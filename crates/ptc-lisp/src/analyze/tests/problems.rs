//! What is reported before a program runs.

use insta::assert_snapshot;

use super::world::World;
use super::{check, check_in};

#[test]
fn warnings() {
    assert_snapshot!(check("(conj items 1) (println 1)"), @r#"
    (do (conj data/items 1) (println 1))
    ;; dropped-result at 1:1: the result of (conj ...) is dropped here: values never change in place; bind it with let or def, or make it the last form
    "#);
    assert_snapshot!(check("(do (map inc items) (map println items) (assoc items :a 1) 1)"), @r#"
    (do (map inc data/items) (map println data/items) (assoc data/items :a 1) 1)
    ;; dropped-result at 1:5: the result of (map ...) is dropped here: values never change in place; bind it with let or def, or make it the last form
    ;; dropped-result at 1:41: the result of (assoc ...) is dropped here: values never change in place; bind it with let or def, or make it the last form
    "#);
    assert_snapshot!(check("(conj '(1 2) 3)"), @r#"
    (conj '[1 2] 3)
    ;; list-order at 1:2: lists are vectors here: conj works at the end; use cons, first and rest for the front
    "#);
    assert_snapshot!(check("(conj (cons 1 items) 3)"), @r#"
    (conj (cons 1 data/items) 3)
    ;; list-order at 1:2: lists are vectors here: conj works at the end; use cons, first and rest for the front
    "#);
    assert_snapshot!(check("[1.5M]"), @r#"
    '[1.5]
    ;; decimal-as-float at 1:2: a decimal literal such as 1.5M is a float here; write it without M
    "#);
    assert_snapshot!(check("(require '[foo.bar :as b]) 1"), @r#"
    (do nil 1)
    ;; ignored-namespace at 1:11: the namespace foo.bar does not exist here and is ignored
    "#);
    assert_snapshot!(check("(do (str 1) (fn [] (count [1]) 2))"), @r#"
    (do (str 1) (fn #[] 0/0 (do (count '[1]) 2)))
    ;; dropped-result at 1:5: the result of (str ...) is dropped here: values never change in place; bind it with let or def, or make it the last form
    ;; dropped-result at 1:20: the result of (count ...) is dropped here: values never change in place; bind it with let or def, or make it the last form
    ;; builtin-over-data at 1:21: count is the builtin function here; write data/count for the input
    "#);
}

#[test]
fn wrong_shapes() {
    assert_snapshot!(check("(if 1)"), @"!! invalid_arity at 1:1: if: expected (if test then else?), got 1");
    assert_snapshot!(check("(if 1 2 3 4)"), @"!! invalid_arity at 1:1: if: expected (if test then else?), got 4");
    assert_snapshot!(check("(let [a] a)"), @"!! invalid_form at 1:6: let: the bindings need an even number of forms, got 1");
    assert_snapshot!(check("(let 5 6)"), @"!! invalid_form at 1:6: let: expected (let [name value ...] body...)");
    assert_snapshot!(check("(cond 1 2 3)"), @"!! invalid_cond_form at 1:1: cond needs an even number of forms, got 3");
    assert_snapshot!(check("(->)"), @"!! invalid_thread_form at 1:1: -> needs at least one expression");
    assert_snapshot!(check("(def)"), @r#"!! invalid_arity at 1:1: def: expected (def name value) or (def name "doc" value), got 0"#);
    assert_snapshot!(check("(def 5 1)"), @r#"!! invalid_form at 1:6: def: expected (def name value) or (def name "doc" value)"#);
    assert_snapshot!(check("(def a/b 1)"), @"!! invalid_form at 1:6: def: a/b is a qualified name; write b");
    assert_snapshot!(check("(def when 1)"), @"!! invalid_form at 1:6: cannot redefine special form 'when'");
    assert_snapshot!(check("(defn if [x] x)"), @"!! invalid_form at 1:7: cannot redefine special form 'if'");
    assert_snapshot!(check("(defn f)"), @"!! invalid_arity at 1:1: defn: expected (defn name [params] body...), got 1");
    assert_snapshot!(check("(fn 5)"), @"!! invalid_form at 1:5: fn: expected (fn [params] body...)");
    assert_snapshot!(check("(fn ([x] x) ([y] y))"), @"!! invalid_form at 1:13: fn: two parameter lists of length 1");
    assert_snapshot!(check("(fn [a &] a)"), @"!! unsupported_pattern at 1:8: & in a parameter list needs exactly one name or pattern after it");
    assert_snapshot!(check("(let [5 1] 2)"), @"!! unsupported_pattern at 1:7: cannot destructure with 5");
    assert_snapshot!(check("(let [{:foo [a]} 1] a)"), @"!! unsupported_pattern at 1:8: cannot destructure with :foo");
    assert_snapshot!(check("(let [[a & b c] 1] a)"), @"!! unsupported_pattern at 1:10: & in a pattern needs exactly one name or pattern after it");
    assert_snapshot!(check("(let [a/b 1] 2)"), @"!! unsupported_pattern at 1:7: cannot bind the qualified name a/b; write b");
    assert_snapshot!(check("(loop [a 1] (+ 1 (recur 2)))"), @"!! invalid_form at 1:18: recur is only allowed in tail position");
    assert_snapshot!(check("(recur)"), @"!! invalid_form at 1:1: recur is only allowed in tail position");
    assert_snapshot!(check("(loop [a 1] (recur 1 2))"), @"!! arity_error at 1:13: recur: expected 1 argument, got 2");
    assert_snapshot!(check("(fn [x] (try (recur x) (catch Exception e 1)))"), @"!! invalid_form at 1:14: recur cannot jump out of try; put the loop inside the try, or the recur after it");
    assert_snapshot!(check("(loop [i 0] (try 1 (catch Exception e (recur i))))"), @"!! invalid_form at 1:39: recur cannot jump out of try; put the loop inside the try, or the recur after it");
    assert_snapshot!(check("(for [] 1)"), @"!! invalid_form at 1:6: for: expected (for [name coll ...] body)");
    assert_snapshot!(check("(for [x items])"), @"!! invalid_arity at 1:1: for: expected (for [name coll ...] body), got 1");
    assert_snapshot!(check("(for x 1)"), @"!! invalid_arity at 1:6: for: expected (for [name coll ...] body)");
    assert_snapshot!(check("(for [:when 1] 2)"), @"!! invalid_form at 1:7: for: the brackets start with a name and a collection, got :when");
    assert_snapshot!(check("(for [x items :whne 1] x)"), @"!! invalid_form at 1:15: for: :whne is not a modifier; use :when, :let or :while");
    assert_snapshot!(check("(for [x items :when] x)"), @"!! invalid_form at 1:15: for: :when needs a form after it");
    assert_snapshot!(check("(for [x items :let 5] x)"), @"!! invalid_form at 1:15: for: :let needs a vector of names and values");
    assert_snapshot!(check("(doseq [x] 1)"), @"!! invalid_form at 1:9: doseq: the last name in the brackets has no collection");
    assert_snapshot!(check("(if-let [a 1 b 2] a)"), @"!! invalid_form at 1:9: if-let: expected one name and one value in the brackets, got 4");
    assert_snapshot!(check("(where)"), @"!! invalid_where_form at 1:1: where takes a field, or a field, an operator and a value, got 0 parts");
    assert_snapshot!(check(r#"(where :a "x")"#), @r#"!! invalid_where_form at 1:1: where takes a field, or a field, an operator and a value; did you mean (where :a = "x")?"#);
    assert_snapshot!(check("(where :a like 1)"), @"!! invalid_where_operator at 1:11: unknown where operator 'like'; use = not= > < >= <= in includes");
    assert_snapshot!(check("(where items = 1)"), @"!! invalid_where_form at 1:8: where takes a field, or a field, an operator and a value; the field is a keyword or a literal path such as [:owner :tier], got items");
    assert_snapshot!(check("#(map #(inc %) %)"), @"!! invalid_form at 1:7: #() inside #() is not possible; write the inner one as (fn [x] ...)");
    assert_snapshot!(check("%"), @"!! invalid_placeholder at 1:1: % has no meaning outside #()");
    assert_snapshot!(check("(inc %2)"), @"!! invalid_placeholder at 1:6: %2 has no meaning outside #()");
    assert_snapshot!(check("#(inc %0)"), @"!! invalid_placeholder at 1:7: %0 is not a parameter of #(); use % or %1 to %20");
    assert_snapshot!(check("(try (finally 1) 2)"), @"!! invalid_form at 1:18: try: the body comes first, then catch clauses, then one finally");
    assert_snapshot!(check("(try 1 (catch Exception))"), @"!! invalid_arity at 1:8: catch: expected (catch Exception e body...), got 1 part");
    assert_snapshot!(check("(. items trim)"), @"!! invalid_form at 1:1: (. object method) is not supported; use (.trim object)");
    assert_snapshot!(check(r#"(call "search" {})"#), @"!! invalid_form at 1:1: tools are functions; use (tool/search args...)");
    assert_snapshot!(check("(as-> 1 5 (inc 1))"), @"!! unsupported_pattern at 1:9: cannot destructure with 5");
    assert_snapshot!(check("(cond-> 1 2)"), @"!! invalid_form at 1:1: cond->: expected (cond-> value test step ...); the last test has no step");
    assert_snapshot!(check("(letfn [f 1] 2)"), @"!! invalid_form at 1:9: letfn: expected (letfn [(name [params] body...) ...] body...)");
    assert_snapshot!(check("(quote 1 2)"), @"!! invalid_arity at 1:1: quote: expected (quote form), got 2");
    assert_snapshot!(check("(throw)"), @"!! invalid_arity at 1:1: throw: expected (throw exception), got 0");
    assert_snapshot!(check("(budget/remaining 1)"), @"!! invalid_arity at 1:1: budget/remaining: expected (budget/remaining), got 1 argument");
    assert_snapshot!(check("budget/other"), @"!! invalid_form at 1:1: no budget function named other; write (budget/remaining)");
}

#[test]
fn unknown_names() {
    assert_snapshot!(check("(nme 1)"), @"!! undefined_symbol at 1:2: undefined symbol 'nme'. Did you mean 'name'?");
    assert_snapshot!(check("(fliter odd? [1])"), @"!! undefined_symbol at 1:2: undefined symbol 'fliter'. Did you mean 'filter'?");
    assert_snapshot!(check("user_count"), @"!! undefined_symbol at 1:1: undefined symbol 'user_count'. Did you mean 'user-count'?");
    assert_snapshot!(check("[order-id]"), @"!! undefined_symbol at 1:2: undefined symbol 'order-id'. Did you mean 'data/order_id'?");
    assert_snapshot!(check(r#"(slurp "/etc/passwd")"#), @"!! undefined_symbol at 1:2: undefined symbol 'slurp'. Not available: no file I/O; the input is in data/");
    assert_snapshot!(check("(defmacro m [x] nope)"), @"!! undefined_symbol at 1:2: undefined symbol 'defmacro'. Not available: no macros; write a function with defn");
    assert_snapshot!(check("(binding [a 1] a)"), @"!! undefined_symbol at 1:2: undefined symbol 'binding'. Not available: no dynamic variables; pass the value as an argument or use let");
    assert_snapshot!(check("when"), @"!! undefined_symbol at 1:1: undefined symbol 'when'. Hint: 'when' is a special form, write (when ...)");
    assert_snapshot!(check("import os"), @r#"
    !! undefined_symbol at 1:1: undefined symbol 'import'. Hint: nothing is imported; what there is goes by its name, for example (str/join ", " coll)
    !! undefined_symbol at 1:8: undefined symbol 'os'
    "#);
    assert_snapshot!(check("return"), @"return");
    assert_snapshot!(check(r#"(.foo "x")"#), @"!! undefined_symbol at 1:2: undefined symbol '.foo'. Available methods: .indexOf, .trim");
    assert_snapshot!(check("foo/bar"), @"!! invalid_form at 1:1: unknown namespace foo/; tools live in tool/, input in data/");
    assert_snapshot!(check("str/capwords"), @"!! invalid_form at 1:1: no string function named capwords; available: join, reverse, trim");
    assert_snapshot!(check("core/fliter"), @"!! invalid_form at 1:1: no core function named fliter. Did you mean 'filter'?");
    assert_snapshot!(check("data"), @"!! undefined_symbol at 1:1: undefined symbol 'data'. Hint: write data/ and a key, for example data/items");
    assert_snapshot!(check("data/nope"), @"!! data_not_found at 1:1: data 'nope' not found; available data: count, items, order_id, status");
    assert_snapshot!(check("tool/nope"), @"!! tool_not_found at 1:1: tool 'nope' not found; available tools: fetch-users, search, status");
    assert_snapshot!(check("(tool/nope nope)"), @r#"
    !! tool_not_found at 1:2: tool 'nope' not found; available tools: fetch-users, search, status
    !! undefined_symbol at 1:12: undefined symbol 'nope'
    "#);
    assert_snapshot!(check("status"), @"!! ambiguous_reference at 1:1: Symbol 'status' exists in both tool/ and data/ namespaces. Use explicit namespace.");
    assert_snapshot!(check("user/nope"), @"!! undefined_symbol at 1:1: undefined symbol 'user/nope'");
    assert_snapshot!(check("(do (first-thing 1) (second-thing 2) (first-thing 3))"), @r#"
    !! undefined_symbol at 1:6: undefined symbol 'first-thing'
    !! undefined_symbol at 1:22: undefined symbol 'second-thing'
    "#);
    assert_snapshot!(check("(let [alpha 1] alhpa)"), @"!! undefined_symbol at 1:16: undefined symbol 'alhpa'. Did you mean 'alpha'?");
    assert_snapshot!(check(r#"(System/getenv "HOME")"#), @"!! invalid_form at 1:2: no System function named getenv; no environment; what a program needs is in data/");
}

#[test]
fn argument_counts() {
    assert_snapshot!(check("(count)"), @"!! arity_error at 1:1: count: expected 1 argument, got 0");
    assert_snapshot!(check("(inc 1 2)"), @"!! arity_error at 1:1: inc: expected 1 argument, got 2");
    assert_snapshot!(check("(range 1 2 3 4)"), @"!! arity_error at 1:1: range: expected 0, 1, 2 or 3 arguments, got 4");
    assert_snapshot!(check("(assoc items :a)"), @"!! arity_error at 1:1: assoc: expected 3 or more arguments, got 2");
    assert_snapshot!(check("(map)"), @"!! arity_error at 1:1: map: expected 1 or more arguments, got 0");
    assert_snapshot!(check("(defn twice [x] x) (twice 1 2 3)"), @"!! arity_error at 1:20: twice: expected 1 argument, got 3");
    assert_snapshot!(check("(defn f ([] 1) ([x] x) ([x y] y)) (f 1 2 3)"), @"!! arity_error at 1:35: f: expected 0, 1 or 2 arguments, got 3");
    assert_snapshot!(check("(defn f ([x] x) ([x y z] y)) (f)"), @"!! arity_error at 1:30: f: expected 1 or 3 arguments, got 0");
    assert_snapshot!(check("(defn f [a b & c] a) (f 1)"), @"!! arity_error at 1:22: f: expected 2 or more arguments, got 1");
    assert_snapshot!(check("(def g (fn [x] x)) (g)"), @"!! arity_error at 1:20: g: expected 1 argument, got 0");
    assert_snapshot!(check("(defn f [x] x) (let [f +] (f 1 2))"), @"(do (def f (fn f #[x] 1/1 $0)) (let [$0 +] ($0 1 2)))");
    assert_snapshot!(check("(defn f [x] x) (defn f [x y] y) (f 1)"), @"(do (def f (fn f #[x] 1/1 $0)) (def f (fn f #[x y] 2/2 $1)) (@f 1))");
    assert_snapshot!(check("(old-total 1 2) (defn old-total [x] x) (old-total 1 2)"), @"!! arity_error at 1:40: old-total: expected 1 argument, got 2");
    assert_snapshot!(check("(-> 1 (inc 2))"), @"!! arity_error at 1:7: inc: expected 1 argument, got 2");
    assert_snapshot!(check(r#"(str/reverse "a" "b")"#), @"!! arity_error at 1:1: str/reverse: expected 1 argument, got 2");
    assert_snapshot!(check("(defn f [& xs] xs) (f 1 2 3)"), @"(do (def f (fn f #[& xs] 0&/1 $0)) (@f 1 2 3))");
    assert_snapshot!(check("(defn f [{:keys [a]} [b c]] a) (f 1)"), @"!! arity_error at 1:32: f: expected 2 arguments, got 1");
}

#[test]
fn all_problems_at_once() {
    assert_snapshot!(check("(defn total [xs]
  (redcue-x + xs))
(if 1)
(total 1 2)
(tool/nope)
(let [y] y)
(data/missing)
(inc)"), @r#"
    !! undefined_symbol at 2:4: undefined symbol 'redcue-x'
    !! invalid_arity at 3:1: if: expected (if test then else?), got 1
    !! arity_error at 4:1: total: expected 1 argument, got 2
    !! tool_not_found at 5:2: tool 'nope' not found; available tools: fetch-users, search, status
    !! invalid_form at 6:6: let: the bindings need an even number of forms, got 1
    "#);
}

#[test]
fn an_empty_world() {
    assert_snapshot!(check_in("(tool/nope)", World::empty()), @"!! tool_not_found at 1:2: tool 'nope' not found; no tools are registered");
    assert_snapshot!(check_in("data/x", World::empty()), @"!! data_not_found at 1:1: data 'x' not found; there is no input data");
    assert_snapshot!(check_in("fliter", World::empty()), @"!! undefined_symbol at 1:1: undefined symbol 'fliter'. Did you mean 'filter'?");
}

#[test]
fn a_def_with_too_much_behind_it_is_mostly_something_else() {
    assert_snapshot!(check("(def area [w h] (* w h))"), @r#"!! invalid_form at 1:11: def: expected (def name value) or (def name "doc" value), got 3. Did you mean 'defn'?"#);
    assert_snapshot!(check("(def total\n  reduce + 0 items))"), @r#"!! invalid_arity at 2:3: def: expected (def name value) or (def name "doc" value), got 5; is '(' missing before 'reduce'?"#);
    assert_snapshot!(check("(def a 1 2)"), @r#"!! invalid_form at 1:8: def: expected (def name value) or (def name "doc" value)"#);
    assert_snapshot!(check("(map (fn ([x])\n       [x 1]) items)"), @"!! invalid_form at 1:10: fn: expected (fn [params] body...)");
}

#[test]
fn unknown_names_in_namespaces_get_the_nearest() {
    assert_snapshot!(check("(dta/items)"), @"!! invalid_form at 1:2: unknown namespace dta/; tools live in tool/, input in data/. Did you mean 'data/items'?");
    assert_snapshot!(check("data/itms"), @"!! data_not_found at 1:1: data 'itms' not found; available data: count, items, order_id, status. Did you mean 'data/items'?");
    assert_snapshot!(check("(tool/serach {})"), @"!! tool_not_found at 1:2: tool 'serach' not found; available tools: fetch-users, search, status. Did you mean 'tool/search'?");
    assert_snapshot!(check("(banana/join [1])"), @"!! invalid_form at 1:2: unknown namespace banana/; tools live in tool/, input in data/");
}
