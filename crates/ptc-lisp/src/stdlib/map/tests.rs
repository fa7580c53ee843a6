//! Maps, sets, aggregation and trees, with rows called directly.

use insta::assert_snapshot;
use proptest::prelude::*;

use crate::stdlib::seq::tests::{check, run, show};
use crate::value::Value;

/// Several calls, one line each.
fn table(calls: &[(&str, &str)]) -> String {
    calls.iter().map(|(name, args)| format!("{name} {args} => {}", check(name, args))).collect::<Vec<_>>().join("\n")
}

#[test]
fn lookup() {
    assert_snapshot!(table(&[
        ("get", "{:a 1} :a"), ("get", "{\"a\" 1} :a"), ("get", "{:a nil} :a 7"), ("get", "nil :a 7"), ("get", "[5 6] 1"), ("get", "[5] -1 :no"),
        ("get", "\"abc\" 1"), ("get", "#{1} 1"), ("get", "5 :k"), ("get-in", "{:a [{:b 5}]} [:a 0 :b]"), ("get-in", "{:a nil} [:a] 7"),
        ("get-in", "{:a nil} [:a :b] 7"), ("get-in", "{:a 1} nil"), ("get-in", "{:a 1} :a"), ("contains?", "{:a nil} \"a\""), ("contains?", "[10 20] 20"),
        ("contains?", "[10 20] 0"), ("contains?", "[1] 1.0"), ("contains?", "#{1} 1.0"), ("contains?", "\"hay\" \"a\""), ("contains?", "nil nil"),
        ("contains?", "5 1"), ("%entry", "{\"a\" 1} :a"), ("%entry", "{:a 1} :b"), ("%entry", "[5 6] 1"), ("%entry", "nil :a"), ("%field", "{:a 1} \"a\""),
        ("%field", "5 :a"), ("%path", "{:geo {:lat 59}} [:geo :lat]"), ("%check-many", "\"pluck\" :a {:k 1}"), ("%check-many", "\"pluck\" :a {}"),
        ("%has?", "{:a 1} \"a\""), ("%replace", "{:a 1 2 :b} [:a 2 \"a\"]"), ("%replace", "5 [1]"),
    ]), @r#"
    get {:a 1} :a => 1
    get {"a" 1} :a => 1
    get {:a nil} :a 7 => nil
    get nil :a 7 => 7
    get [5 6] 1 => 6
    get [5] -1 :no => :no
    get "abc" 1 => "b"
    get #{1} 1 => 1
    get 5 :k => nil
    get-in {:a [{:b 5}]} [:a 0 :b] => 5
    get-in {:a nil} [:a] 7 => nil
    get-in {:a nil} [:a :b] 7 => 7
    get-in {:a 1} nil => {:a 1}
    get-in {:a 1} :a => !! type_error: get-in: expected a path such as [:a], got the keyword :a
    contains? {:a nil} "a" => true
    contains? [10 20] 20 => true
    contains? [10 20] 0 => false
    contains? [1] 1.0 => true
    contains? #{1} 1.0 => false
    contains? "hay" "a" => true
    contains? nil nil => false
    contains? 5 1 => !! type_error: contains?: expected a map, set, vector or string, got number
    %entry {"a" 1} :a => ["a" 1]
    %entry {:a 1} :b => nil
    %entry [5 6] 1 => [1 6]
    %entry nil :a => nil
    %field {:a 1} "a" => 1
    %field 5 :a => nil
    %path {:geo {:lat 59}} [:geo :lat] => 59
    %check-many "pluck" :a {:k 1} => !! type_error: pluck: field access over a collection expects many maps, got one map; use (:a m)
    %check-many "pluck" :a {} => nil
    %has? {:a 1} "a" => false
    %replace {:a 1 2 :b} [:a 2 "a"] => [1 :b "a"]
    %replace 5 [1] => !! type_error: replace: expected a map, got number
    "#);
}

#[test]
fn writing() {
    assert_snapshot!(table(&[
        ("assoc", "{:a 1} :a 2 :b 3"), ("assoc", "nil :a 1"), ("assoc", "{\"n\" 1} :n 2"), ("assoc", "[1 2] 2 3"), ("assoc", "[1 2] 9 3"), ("assoc", "[1] :a 3"),
        ("assoc", "\"s\" 0 1"), ("assoc", "{} :a"), ("assoc-in", "nil [:a :b] 1"), ("assoc-in", "{:xs [{:n 1}]} [:xs 0 :n] 9"), ("assoc-in", "{:a 1} [] 5"),
        ("assoc-in", "{:a 5} [:a :b] 1"), ("assoc-in", "[1 2] [9] :x"), ("dissoc", "{:a 1 :b 2} :a :z"), ("dissoc", "nil :a"), ("dissoc", "{\"n\" 1} :n"), ("dissoc", "5 1"),
        ("merge", "{:a 1} nil {:a 2 :b 3}"), ("merge", ""), ("merge", "nil nil"), ("merge", "{\"a\" 1} {:a 2}"), ("merge", "{} 5"), ("merge", "5 {}"),
        ("select-keys", "{\"a\" 1 :b 2} [:a :z]"), ("select-keys", "nil [:a]"), ("select-keys", "{:a 1} nil"), ("keys", "{:b 1 :a 2}"), ("keys", "{}"), ("keys", "5"),
        ("vals", "{:b 1}"), ("vals", "[1 2]"), ("vals", "[[:a 1]]"), ("entries", "nil"), ("entries", "{:a 1}"), ("key", "[:a 1]"), ("val", "nil"), ("val", "[1]"),
        ("zipmap", "[:a :b] [1 2 3]"), ("hash-map", ":a 1 :a 2"), ("hash-map", ":a"), ("empty", "{:a 1}"), ("empty", "\"a\""), ("%put", "{\"a\" 1} :a 2"),
    ]), @r#"
    assoc {:a 1} :a 2 :b 3 => {:a 2 :b 3}
    assoc nil :a 1 => {:a 1}
    assoc {"n" 1} :n 2 => {"n" 2}
    assoc [1 2] 2 3 => [1 2 3]
    assoc [1 2] 9 3 => !! argument_error: assoc: index 9 is outside a vector of length 2
    assoc [1] :a 3 => !! type_error: assoc: expected an integer index for a vector, got keyword
    assoc "s" 0 1 => !! type_error: assoc: expected a map or vector, got string
    assoc {} :a => !! arity_error: assoc: expected key value pairs, the last key has no value
    assoc-in nil [:a :b] 1 => {:a {:b 1}}
    assoc-in {:xs [{:n 1}]} [:xs 0 :n] 9 => {:xs [{:n 9}]}
    assoc-in {:a 1} [] 5 => 5
    assoc-in {:a 5} [:a :b] 1 => !! type_error: assoc-in: expected a map or vector on the way, got number
    assoc-in [1 2] [9] :x => !! argument_error: assoc-in: index 9 is outside a vector of length 2
    dissoc {:a 1 :b 2} :a :z => {:b 2}
    dissoc nil :a => nil
    dissoc {"n" 1} :n => {}
    dissoc 5 1 => !! type_error: dissoc: expected a map, got number
    merge {:a 1} nil {:a 2 :b 3} => {:a 2 :b 3}
    merge  => nil
    merge nil nil => nil
    merge {"a" 1} {:a 2} => {"a" 1 :a 2}
    merge {} 5 => !! type_error: merge: 5 is not a [key value] pair
    merge 5 {} => !! type_error: merge: expected a map, got number
    select-keys {"a" 1 :b 2} [:a :z] => {:a 1}
    select-keys nil [:a] => {}
    select-keys {:a 1} nil => {}
    keys {:b 1 :a 2} => [:b :a]
    keys {} => nil
    keys 5 => !! type_error: keys: expected a map, got number
    vals {:b 1} => [1]
    vals [1 2] => !! type_error: vals: expected a map, got vector
    vals [[:a 1]] => [1]
    entries nil => []
    entries {:a 1} => [[:a 1]]
    key [:a 1] => :a
    val nil => !! type_error: val: expected a [key value] pair, got nil
    val [1] => !! type_error: val: expected a [key value] pair, got a vector of 1 element
    zipmap [:a :b] [1 2 3] => {:a 1 :b 2}
    hash-map :a 1 :a 2 => {:a 2}
    hash-map :a => !! arity_error: hash-map: expected key value pairs, the last key has no value
    empty {:a 1} => {}
    empty "a" => nil
    %put {"a" 1} :a 2 => {"a" 1 :a 2}
    "#);
}

#[test]
fn sets_and_relations() {
    assert_snapshot!(table(&[
        ("set", "[1 1 2]"), ("set", "nil"), ("set", "5"), ("hash-set", "1 2 1"), ("union", ""), ("union", "nil nil"), ("union", "#{1} nil [2]"),
        ("intersection", "#{1 2 3} #{2 3} #{3}"), ("intersection", "#{1} nil"), ("difference", "#{1 2 3} #{2} #{3}"), ("difference", "nil #{1}"),
        ("difference", "#{1} nil"), ("union", "#{1} 5"), ("disj", "#{1 2 3} 1 3"), ("disj", "nil 1"), ("disj", "[1] 1"), ("subset?", "#{1} #{1 2}"),
        ("superset?", "#{1} #{2}"), ("set/project", "#{{:a 1 :b 2} {:a 1 :b 3}} [:a]"), ("set/index", "[{:k 1 :v 2} {:k 1 :v 3} {:k 2}] [:k]"),
        ("set/join", "#{{:id 1 :n \"a\"} {:id 2 :n \"b\"}} #{{:id 1 :s 9}}"), ("set/join", "#{{:a 1}} #{{:b 2}}"),
        ("set/join", "#{{:id 1}} #{{:ref 1 :x 2} {:ref 2}} {:id :ref}"), ("set/join", "nil #{{:b 2}}"), ("set/rename", "#{{:x 1}} {:nope :y}"),
        ("set/rename-keys", "{:a 1 :b 2} {:a :b :b :a}"), ("set/rename-keys", "{:a 1 :b 2} {:a :b}"), ("set/map-invert", "{:a 1 :b 2}"),
        ("sum", "[1 nil 2.5]"), ("sum", "[9223372036854775807 1]"), ("sum", "[\"1\"]"), ("avg", "[1 nil 2]"), ("avg", "[]"), ("sum", "nil"),
        ("%sum", "\"sum-by\" [:a]"), ("frequencies", "\"abca\""), ("frequencies", "5"),
    ]), @r#"
    set [1 1 2] => #{1 2}
    set nil => #{}
    set 5 => !! type_error: set: expected a collection, got number
    hash-set 1 2 1 => #{1 2}
    union  => #{}
    union nil nil => nil
    union #{1} nil [2] => #{1 2}
    intersection #{1 2 3} #{2 3} #{3} => #{3}
    intersection #{1} nil => nil
    difference #{1 2 3} #{2} #{3} => #{1}
    difference nil #{1} => nil
    difference #{1} nil => #{1}
    union #{1} 5 => !! type_error: union: expected a set, got number
    disj #{1 2 3} 1 3 => #{2}
    disj nil 1 => nil
    disj [1] 1 => !! type_error: disj: expected a set, got vector
    subset? #{1} #{1 2} => true
    superset? #{1} #{2} => false
    set/project #{{:a 1 :b 2} {:a 1 :b 3}} [:a] => #{{:a 1}}
    set/index [{:k 1 :v 2} {:k 1 :v 3} {:k 2}] [:k] => {{:k 1} #{{:k 1 :v 2} {:k 1 :v 3}} {:k 2} #{{:k 2}}}
    set/join #{{:id 1 :n "a"} {:id 2 :n "b"}} #{{:id 1 :s 9}} => #{{:id 1 :n "a" :s 9}}
    set/join #{{:a 1}} #{{:b 2}} => #{{:a 1 :b 2}}
    set/join #{{:id 1}} #{{:ref 1 :x 2} {:ref 2}} {:id :ref} => #{{:id 1 :ref 1 :x 2}}
    set/join nil #{{:b 2}} => #{}
    set/rename #{{:x 1}} {:nope :y} => #{{:x 1}}
    set/rename-keys {:a 1 :b 2} {:a :b :b :a} => {:b 1 :a 2}
    set/rename-keys {:a 1 :b 2} {:a :b} => {:b 1}
    set/map-invert {:a 1 :b 2} => {1 :a 2 :b}
    sum [1 nil 2.5] => 3.5
    sum [9223372036854775807 1] => 9223372036854775808
    sum ["1"] => !! type_error: sum: expected numbers, got string
    avg [1 nil 2] => 1.5
    avg [] => nil
    sum nil => 0
    %sum "sum-by" [:a] => !! type_error: sum-by: expected numbers, got keyword
    frequencies "abca" => {"a" 2 "b" 1 "c" 1}
    frequencies 5 => !! type_error: frequencies: expected a collection, got number
    "#);
}

#[test]
fn trees_and_filters() {
    assert_snapshot!(table(&[
        ("%branch?", "{}"), ("%branch?", "\"a\""), ("%rebuild", "\"walk\" {:a 1} [[:b 2]]"), ("%rebuild", "\"walk\" {:a 1} [3]"), ("%rebuild", "\"walk\" #{1} [2 2]"),
        ("%where-field", "{:a {:b 1}} [:a :b]"), ("%where-field", "5 :a"),
        ("%where-test", "{:s \"open\"} :s := :open"), ("%where-test", "{:s true} :s := \"true\""), ("%where-test", "{} :s := nil"),
        ("%where-test", "{:n 2} :n :> 1"), ("%where-test", "{:n \"2\"} :n :> 1"), ("%where-test", "{} :n :< 1"), ("%where-test", "{:n \"b\"} :n :>= \"b\""),
        ("%where-test", "{:t \"gold\"} :t :in [:gold :silver]"), ("%where-test", "{} :t :in [nil]"), ("%where-test", "{:t 1} :t :in 5"),
        ("%where-test", "{:tags [\"hot\"]} :tags :includes :hot"), ("%where-test", "{:tags \"toohot\"} :tags :includes :hot"), ("%where-test", "{} :tags :includes :hot"),
        ("%where-test", "{} :a :like 1"), ("%type-error", "\"sum-by\" \"a_collection\" 5"),
        ("%arity-error", "\"f\" \"one\" 2"), ("%items", "\"pluck\" 5"), ("%number", "\"max-key\" nil"), ("unreduced", "5"),
    ]), @r#"
    %branch? {} => true
    %branch? "a" => false
    %rebuild "walk" {:a 1} [[:b 2]] => {:b 2}
    %rebuild "walk" {:a 1} [3] => !! type_error: walk: an entry of a map must stay a [key value] pair, got number
    %rebuild "walk" #{1} [2 2] => #{2}
    %where-field {:a {:b 1}} [:a :b] => 1
    %where-field 5 :a => nil
    %where-test {:s "open"} :s := :open => true
    %where-test {:s true} :s := "true" => false
    %where-test {} :s := nil => true
    %where-test {:n 2} :n :> 1 => true
    %where-test {:n "2"} :n :> 1 => false
    %where-test {} :n :< 1 => false
    %where-test {:n "b"} :n :>= "b" => true
    %where-test {:t "gold"} :t :in [:gold :silver] => true
    %where-test {} :t :in [nil] => false
    %where-test {:t 1} :t :in 5 => false
    %where-test {:tags ["hot"]} :tags :includes :hot => true
    %where-test {:tags "toohot"} :tags :includes :hot => true
    %where-test {} :tags :includes :hot => false
    %where-test {} :a :like 1 => !! invalid_where_operator: unknown where operator 'like'
    %type-error "sum-by" "a_collection" 5 => !! type_error: sum-by: expected a_collection, got number
    %arity-error "f" "one" 2 => !! arity_error: f: expected one, got 2
    %items "pluck" 5 => !! type_error: pluck: expected a collection, got number
    %number "max-key" nil => !! type_error: max-key: expected numbers, got nil
    unreduced 5 => 5
    "#);
}

#[test]
fn a_path_of_any_length_needs_no_native_stack() {
    let path = Value::vector(vec![Value::keyword("a"); 100_000]);
    let deep = run("assoc-in", vec![Value::Nil, path.clone(), Value::Int(1)]);
    if let Ok(deep) = deep {
        assert_eq!(show(&run("get-in", vec![deep, path]).expect("found")), "1");
    } else {
        assert!(deep.expect_err("a limit").starts_with("memory_exceeded"));
    }
}

proptest! {
    #[test]
    fn assoc_then_get_and_dissoc(keys in prop::collection::vec(0_i64..20, 1..40), k in 0_i64..20) {
        let mut map = Value::Nil;
        for (value, key) in keys.iter().enumerate() {
            map = run("assoc", vec![map, (*key).into(), value.into()]).unwrap();
        }
        let last = keys.iter().rposition(|key| *key == k);
        prop_assert_eq!(show(&run("get", vec![map.clone(), k.into()]).unwrap()), last.map_or("nil".to_owned(), |at| at.to_string()));
        let without = run("dissoc", vec![map, k.into()]).unwrap();
        prop_assert_eq!(show(&run("contains?", vec![without, k.into()]).unwrap()), "false");
    }

    #[test]
    fn set_algebra(a in prop::collection::hash_set(0_i64..8, 0..6), b in prop::collection::hash_set(0_i64..8, 0..6)) {
        let set = |items: &std::collections::HashSet<i64>| run("set", vec![Value::vector(items.iter().map(|n| Value::Int(*n)).collect())]).unwrap();
        let size = |name: &str| match run(name, vec![set(&a), set(&b)]).unwrap() { Value::Set(set) => set.len(), other => panic!("{other:?}") };
        prop_assert_eq!(size("union"), a.union(&b).count());
        prop_assert_eq!(size("intersection"), a.intersection(&b).count());
        prop_assert_eq!(size("difference"), a.difference(&b).count());
    }

    #[test]
    fn frequencies_add_up(items in prop::collection::vec(0_i64..4, 0..30)) {
        let counts = run("frequencies", vec![Value::vector(items.iter().map(|n| Value::Int(*n)).collect())]).unwrap();
        let total: i64 = counts.as_map().unwrap().iter().map(|(_, n)| match n { Value::Int(n) => *n, _ => 0 }).sum();
        prop_assert_eq!(total as usize, items.len());
    }
}
