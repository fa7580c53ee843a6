//! The trees that definitions, patterns and functions become.

use insta::assert_snapshot;

use super::check;

#[test]
fn constants_are_folded() {
    assert_snapshot!(check(r#"[1 "a" :k nil true 2.5]"#), @r#"'[1 "a" :k nil true 2.5]"#);
    assert_snapshot!(check(r#"{:a [1 2] "b" #{1 2}}"#), @r#"'{:a '[1 2] "b" '#{1 2}}"#);
    assert_snapshot!(check("[1 (inc 2)]"), @"[1 (inc 2)]");
    assert_snapshot!(check("{:a (inc 1)}"), @"{:a (inc 1)}");
    assert_snapshot!(check(r#"'(a "b" {:c d})"#), @r#"'['a "b" '{:c 'd}]"#);
    assert_snapshot!(check("(quote x)"), @"'x");
    assert_snapshot!(check("#'inc"), @"#'inc");
    assert_snapshot!(check("()"), @"'[]");
    assert_snapshot!(check(r#"#"a+""#), @r#"(re-pattern "a+")"#);
    assert_snapshot!(check("@x1"), @"!! undefined_symbol at 1:2: undefined symbol 'x1'");
    assert_snapshot!(check(""), @"nil");
    assert_snapshot!(check("(list 1 (comment (nope)) 2)"), @"(list 1 nil 2)");
}

#[test]
fn definitions() {
    assert_snapshot!(check(r#"(def limit "upper; bound" 40) limit"#), @r#"(do (def limit "upper bound" 40) @limit)"#);
    assert_snapshot!(check(r#"(def x "text")"#), @r#"(def x "text")"#);
    assert_snapshot!(check("(defonce y 1)"), @"(defonce y 1)");
    assert_snapshot!(check("(declare f g) (f)"), @"(do nil (@f))");
    assert_snapshot!(check(r#"(defn twice "doubles" {:added 1} [x] (* x 2)) (twice 4)"#), @r#"(do (def twice "doubles" (fn twice #[x] 1/1 (* $0 2))) (@twice 4))"#);
    assert_snapshot!(check("(defn area ([w] (area w w)) ([w h] (* w h)))"), @"(def area (fn area #[w] [w h] 1/1 (@area $0 $0) | 2/2 (* $0 $1)))");
    assert_snapshot!(check("(defn- empty-one [])"), @"(def empty-one (fn empty-one #[] 0/0 nil))");
    assert_snapshot!(check("(def half (fn [x] x))"), @"(def half (fn half #[x] 1/1 $0))");
    assert_snapshot!(check("(def outer (def inner 5))"), @"(def outer (def inner 5))");
    assert_snapshot!(check("(defn count [x] (core/count x)) (count 3)"), @"(do (def count (fn count #[x] 1/1 (count $0))) (@count 3))");
}

#[test]
fn let_and_destructuring() {
    assert_snapshot!(check("(let [a 1 b (inc a)] [a b])"), @"(let [$0 1 $1 (inc $0)] [$0 $1])");
    assert_snapshot!(check("(let [] 7)"), @"7");
    assert_snapshot!(check("(let [x 1])"), @"(let [$0 1] nil)");
    assert_snapshot!(check("(let [[x [y & more] & tail :as all] items] [x y more tail all])"), @"(let [$0 data/items $1 (%seq-pattern $0) $2 (%nth $1 0) $3 (%seq-pattern (%nth $1 1)) $4 (%nth $3 0) $5 (%rest $3 1) $6 (%rest $1 2)] [$2 $4 $5 $6 $0])");
    assert_snapshot!(check("(let [{:keys [id qty] :or {qty (inc 1)} :as row} items] [id qty row])"), @"(let [$0 (%map-pattern data/items) $1 (:id $0) $2 (if (%has $0 :qty) (:qty $0) (inc 1))] [$1 $2 $0])");
    assert_snapshot!(check(r#"(let [{{:keys [city]} :addr n :nick s "str"} items] [city n s])"#), @r#"(let [$0 (%map-pattern data/items) $1 (%map-pattern (:addr $0)) $2 (:city $1) $3 (:nick $0) $4 (%get $0 "str")] [$2 $3 $4])"#);
    assert_snapshot!(check("(let [{:keys [a/b :c] :strs [d] :syms [e]} items {:o/keys [f]} items] [b c d e f])"), @r#"(let [$0 (%map-pattern data/items) $1 (:a/b $0) $2 (:c $0) $3 (%get $0 "d") $4 (%get $0 'e) $5 (%map-pattern data/items) $6 (:o/f $5)] [$1 $2 $3 $4 $6])"#);
    assert_snapshot!(check("(let [x 1 x (inc x)] x)"), @"(let [$0 1 $1 (inc $0)] $1)");
}

#[test]
fn functions() {
    assert_snapshot!(check("(fn [a b & more] [a b more])"), @"(fn #[a b & more] 2&/3 [$0 $1 $2])");
    assert_snapshot!(check("((fn fact [n] (if (< n 2) 1 (* n (fact (inc n))))) 4)"), @"((fn fact #[n] 1/1 (if (< $0 2) 1 (* $0 (self (inc $0))))) 4)");
    assert_snapshot!(check("(fn ([x] x) ([x y] y) ([x y & z] z))"), @"(fn #[x] [x y] [x y & z] 1/1 $0 | 2/2 $1 | 2&/3 $2)");
    assert_snapshot!(check("(let [a 1] (fn [] (fn [] a)))"), @"(let [$0 1] (fn #[] [Local(0)] 0/0 (fn #[] [Capture(0)] 0/0 ^0)))");
    assert_snapshot!(check("(fn [[a b] {:keys [c]}] [a b c])"), @"(fn #[[a b] {:keys [c]}] 2/7 (let [$2 (%seq-pattern $0) $3 (%nth $2 0) $4 (%nth $2 1) $5 (%map-pattern $1) $6 (:c $5)] [$3 $4 $6]))");
    assert_snapshot!(check("(fn [x & {:keys [limit] :or {limit 5}}] limit)"), @"(fn #[x & {:keys [limit]}] 1&/4 (let [$2 (%key-args $1) $3 (if (%has $2 :limit) (:limit $2) 5)] $3))");
    assert_snapshot!(check("(fn [x] {:pre [(odd? x)] :post [(< % 9)]} (inc x))"), @r#"(fn #[x] 1/2 (do (if (odd? $0) nil (%assert "(odd? x)")) (let [$1 (inc $0)] (do (if (< $1 9) nil (%assert "(< % 9)")) $1))))"#);
    assert_snapshot!(check("(fn [x] {:pre 1})"), @"(fn #[x] 1/1 '{:pre 1})");
    assert_snapshot!(check("(fn [_ _] nil)"), @"(fn #[_ _] 2/2 nil)");
}

#[test]
fn short_functions() {
    assert_snapshot!(check("#(+ % %2)"), @"(fn #[p1 p2] 2/2 (+ $0 $1))");
    assert_snapshot!(check("#(println %&)"), @"(fn #[& rest] 0&/1 (println $0))");
    assert_snapshot!(check("#(42)"), @"(fn #[] 0/0 42)");
    assert_snapshot!(check("#()"), @"(fn #[] 0/0 nil)");
    assert_snapshot!(check("#([% 1])"), @"(fn #[p1] 1/1 [$0 1])");
    assert_snapshot!(check("#(inc)"), @"!! arity_error at 1:1: inc: expected 1 argument, got 0");
    assert_snapshot!(check("#(%)"), @"(fn #[p1] 1/1 ($0))");
    assert_snapshot!(check("(let [p1 10] #(+ p1 %))"), @"(let [$0 10] (fn #[p1] [Local(0)] 1/1 (+ ^0 $0)))");
    assert_snapshot!(check("#((inc 1))"), @"(fn #[] 0/0 ((inc 1)))");
}

#[test]
fn letfn_shares_captures() {
    assert_snapshot!(check("(let [k 1 j 2] (letfn [(up [n] (down (+ n k))) (down [n] (fn [] (up (+ n j k))))] (up 1)))"), @"(let [$0 1 $1 2] (letfn [2, 3] [Local(0), Local(1)] (fn up #[n] 1/1 (sibling-1 (+ $0 ^0))) (fn down #[n] 1/1 (fn #[] [Sibling(0), Local(0), Capture(1), Capture(0)] 0/0 (^0 (+ ^1 ^2 ^3)))) ($2 1)))");
}
