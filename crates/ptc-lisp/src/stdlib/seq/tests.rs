//! Rows called directly, and laws of positions and groups.

use std::sync::Arc;
use std::time::Duration;

use insta::assert_snapshot;
use proptest::prelude::*;

use crate::error::Signal;
use crate::eval::context::{Context, SystemClock};
use crate::limits::Limits;
use crate::limits::meter::Meter;
use crate::reference::language;
use crate::stdlib::call::Begin;
use crate::stdlib::{Builtin, Call, Run};
use crate::value::{FormatOptions, Map, Value, format};
use crate::{Session, SessionOptions};

/// Every family of collection functions.
fn rows() -> impl Iterator<Item = &'static Builtin> {
    use crate::stdlib::{aggregate, map, seq, set, walk};
    [
        &seq::FAMILY,
        &seq::take::FAMILY,
        &seq::partition::FAMILY,
        &seq::grow::FAMILY,
        &seq::make::FAMILY,
        &seq::order::FAMILY,
        &seq::shape::FAMILY,
        &seq::kind::FAMILY,
        &map::FAMILY,
        &map::write::FAMILY,
        &map::entries::FAMILY,
        &set::FAMILY,
        &aggregate::FAMILY,
        &walk::FAMILY,
    ]
    .into_iter()
    .flat_map(|family| family.rows)
}

fn context() -> Context {
    let limits = Limits { memory: 8 << 20, fuel: 20_000_000, time: Duration::from_secs(60), ..Limits::default() };
    Context::new(language(), Meter::new(limits), Arc::new(SystemClock), 7)
}

/// Call the row `name`.
pub(crate) fn run(name: &str, mut args: Vec<Value>) -> Result<Value, String> {
    let row = rows().find(|row| row.name == name).unwrap_or_else(|| panic!("no row {name}"));
    let mut cx = context();
    let mut call = Call { name: row.name, args: &mut args, cx: &mut cx };
    let answer = match row.run {
        Run::Plain(f) => f(&mut call),
        Run::Native(start) => start(&mut call).map(|begin| match begin {
            Begin::Value(value) => value,
            Begin::Delegate(other) => Value::string(format!("-> {other}")),
            _ => panic!("{name} calls a function"),
        }),
        Run::Frame | Run::Prelude(_) => panic!("{name} is no Rust row"),
    };
    answer.map_err(|signal| match *signal {
        Signal::Error(error) => format!("{}: {}", error.reason, error.message),
        other => format!("{other:?}"),
    })
}

/// The result as text; arguments are read from a small notation: `1 :a "s" nil true [..] {..} #{..}`.
pub(crate) fn check(name: &str, args: &str) -> String {
    match run(name, read(args)) {
        Ok(value) => show(&value),
        Err(error) => format!("!! {error}"),
    }
}

/// Values written one after another.
pub(crate) fn read(text: &str) -> Vec<Value> {
    let spaced = text.replace("#{", " #{ ").replace('[', " [ ").replace(']', " ] ").replace('}', " } ");
    let spaced = spaced.replace('{', " { ").replace("# {", "#{");
    let mut words = spaced.split_whitespace();
    let mut open: Vec<(&str, Vec<Value>)> = vec![("", Vec::new())];
    for word in &mut words {
        let value = match word {
            "[" | "{" | "#{" => {
                open.push((word, Vec::new()));
                continue;
            }
            "]" | "}" => {
                let (kind, items) = open.pop().expect("something is open");
                close(kind, items)
            }
            "nil" => Value::Nil,
            "true" => Value::Bool(true),
            "false" => Value::Bool(false),
            _ if word.starts_with(':') => Value::keyword(&word[1..]),
            _ if word.starts_with('"') => Value::string(word.trim_matches('"')),
            _ => word.parse::<i64>().map(Value::Int).unwrap_or_else(|_| match word.parse::<f64>() {
                Ok(x) => Value::Float(x),
                Err(_) => panic!("cannot read {word}"),
            }),
        };
        open.last_mut().expect("the outermost list").1.push(value);
    }
    open.pop().expect("the outermost list").1
}

fn close(kind: &str, items: Vec<Value>) -> Value {
    let mut meter = Meter::host();
    match kind {
        "[" => Value::vector(items),
        "{" => {
            let pairs = items.chunks(2).map(|pair| (pair[0].clone(), pair[1].clone())).collect::<Vec<_>>();
            Map::from_pairs(pairs, &mut meter).expect("keys").into()
        }
        _ => Value::Set(crate::value::Set::from_values(items, &mut meter).expect("members")),
    }
}

/// A value in the same notation.
pub(crate) fn show(value: &Value) -> String {
    let list = |items: Vec<String>| items.join(" ");
    match value {
        Value::Nil => "nil".to_owned(),
        Value::Bool(b) => b.to_string(),
        Value::Int(n) => n.to_string(),
        Value::Float(x) => format!("{x:?}"),
        Value::Big(n) => n.to_string(),
        Value::Keyword(name) => format!(":{}", name.as_str()),
        Value::Str(text) => format!("{:?}", text.as_str()),
        Value::Vector(items) => format!("[{}]", list(items.iter().map(show).collect())),
        Value::Map(map) => {
            format!("{{{}}}", list(map.iter().map(|(k, v)| format!("{} {}", show(k), show(v))).collect()))
        }
        Value::Set(set) => format!("#{{{}}}", list(set.iter().map(show).collect())),
        other => other.kind().to_owned(),
    }
}

/// Several calls, one line each.
fn table(calls: &[(&str, &str)]) -> String {
    calls.iter().map(|(name, args)| format!("{name} {args} => {}", check(name, args))).collect::<Vec<_>>().join("\n")
}

#[test]
fn access() {
    assert_snapshot!(table(&[
        ("count", "[1 2]"), ("count", "nil"), ("count", "12"), ("first", "{:a 1}"), ("first", "5"), ("second", "[1]"),
        ("last", "\"ab\""), ("last", "[]"), ("nth", "[7 8] 1"), ("nth", "[7 8] -1"), ("nth", "[7] 9 :none"), ("nth", "[7] :a"),
        ("nth", "5 0"), ("nth", "{} 0"), ("rest", "[7 8 9]"), ("rest", "nil"), ("rest", "\"ab\""), ("next", "[1]"), ("next", "[1 2]"),
        ("butlast", "[1]"), ("butlast", "[1 2]"), ("ffirst", "[[1 2]]"), ("ffirst", "[1]"), ("ffirst", "nil"),
        ("nfirst", "[[1 2 3]]"), ("nfirst", "[[]]"), ("nnext", "[1 2]"), ("nnext", "[1 2 3]"), ("seq", "{}"), ("seq", "#{1}"),
        ("empty?", "\"\""), ("not-empty", "{:a 1}"), ("not-empty", "5"), ("peek", "[1 2]"), ("peek", "#{1}"), ("pop", "[]"),
        ("pop", "nil"), ("bounded-count", "5 [1 2]"), ("%at?", "[1] 0"), ("%at?", "[1] 1"), ("%at?", "5 0"),
    ]), @r#"
    count [1 2] => 2
    count nil => 0
    count 12 => !! type_error: count: expected a collection, got number
    first {:a 1} => [:a 1]
    first 5 => !! type_error: first: expected a collection, got number
    second [1] => nil
    last "ab" => "b"
    last [] => nil
    nth [7 8] 1 => 8
    nth [7 8] -1 => nil
    nth [7] 9 :none => :none
    nth [7] :a => !! type_error: nth: expected an integer index, got keyword
    nth 5 0 => !! type_error: nth: expected a collection, got number
    nth {} 0 => nil
    rest [7 8 9] => [8 9]
    rest nil => []
    rest "ab" => ["b"]
    next [1] => nil
    next [1 2] => [2]
    butlast [1] => nil
    butlast [1 2] => [1]
    ffirst [[1 2]] => 1
    ffirst [1] => !! type_error: ffirst: expected a collection, got number
    ffirst nil => nil
    nfirst [[1 2 3]] => [2 3]
    nfirst [[]] => nil
    nnext [1 2] => nil
    nnext [1 2 3] => [3]
    seq {} => nil
    seq #{1} => [1]
    empty? "" => true
    not-empty {:a 1} => {:a 1}
    not-empty 5 => !! type_error: not-empty: expected a collection, got number
    peek [1 2] => 2
    peek #{1} => !! type_error: peek: expected a vector, got set
    pop [] => !! argument_error: pop: the vector is empty; test it with (seq v) first
    pop nil => nil
    bounded-count 5 [1 2] => 2
    %at? [1] 0 => true
    %at? [1] 1 => false
    %at? 5 0 => !! type_error: seq: expected a collection, got number
    "#);
}

#[test]
fn parts() {
    assert_snapshot!(table(&[
        ("take", "2 [1 2 3]"), ("take", "-1 [1]"), ("take", "9223372036854775807 [1 2]"), ("take", "1.5 [1 2 3]"), ("take", "2 \"héy\""),
        ("take", ":a [1]"), ("take", "2"), ("take", "1 5"), ("drop", "2 [1 2 3]"), ("drop", "-9223372036854775808 [1]"), ("drop", "9 [1]"),
        ("take-last", "0 [1 2]"), ("take-last", "5 [1 2]"), ("take-last", "1 [1 2]"), ("drop-last", "[1 2 3]"), ("drop-last", "2 [1 2 3]"),
        ("drop-last", "0 [1 2]"), ("take-nth", "2 [1 2 3 4 5]"), ("take-nth", "0 [1]"), ("nthrest", "[1 2] 5"), ("nthnext", "[1 2] 2"),
        ("nthnext", "[1 2] 1"), ("split-at", "1 [7 8 9]"), ("split-at", "1 nil"), ("subvec", "[1 2 3 4] 1 3"), ("subvec", "[1 2] 2"),
        ("subvec", "[1 2] 0 5"), ("subvec", "[1 2 3] 2 1"), ("subvec", "\"ab\" 0"), ("partition", "2 [1 2 3 4 5]"),
        ("partition", "2 1 [1 2 3]"), ("partition", "4 4 [:a :b] [1 2 3 4 5]"), ("partition", "4 2 nil [1 2 3 4 5]"), ("partition", "0 [1]"),
        ("partition", "\"2\" [1]"), ("partition-all", "3 1 [1 2 3 4]"), ("partition-all", "2 3 [0 1 2 3 4 5 6 7]"), ("partition-all", "2 nil"),
        ("combinations", "[:x :y :z] 2"), ("combinations", "[1 2] 0"), ("combinations", "[1] 2"), ("combinations", "[1] -1"),
        ("%partition-by", "[1 3 2 4 5] [true true false false true]"),
    ]), @r#"
    take 2 [1 2 3] => [1 2]
    take -1 [1] => []
    take 9223372036854775807 [1 2] => [1 2]
    take 1.5 [1 2 3] => [1 2]
    take 2 "héy" => ["h" "é"]
    take :a [1] => !! type_error: take: expected a number of elements, got keyword
    take 2 => "-> %take-xf"
    take 1 5 => !! type_error: take: expected a collection, got number
    drop 2 [1 2 3] => [3]
    drop -9223372036854775808 [1] => [1]
    drop 9 [1] => []
    take-last 0 [1 2] => nil
    take-last 5 [1 2] => [1 2]
    take-last 1 [1 2] => [2]
    drop-last [1 2 3] => [1 2]
    drop-last 2 [1 2 3] => [1]
    drop-last 0 [1 2] => [1 2]
    take-nth 2 [1 2 3 4 5] => [1 3 5]
    take-nth 0 [1] => !! argument_error: take-nth: expected a positive integer, got 0
    nthrest [1 2] 5 => []
    nthnext [1 2] 2 => nil
    nthnext [1 2] 1 => [2]
    split-at 1 [7 8 9] => [[7] [8 9]]
    split-at 1 nil => [[] []]
    subvec [1 2 3 4] 1 3 => [2 3]
    subvec [1 2] 2 => []
    subvec [1 2] 0 5 => !! argument_error: subvec: 0 to 5 is outside a vector of length 2
    subvec [1 2 3] 2 1 => !! argument_error: subvec: 2 to 1 is outside a vector of length 3
    subvec "ab" 0 => !! type_error: subvec: expected a vector, got string
    partition 2 [1 2 3 4 5] => [[1 2] [3 4]]
    partition 2 1 [1 2 3] => [[1 2] [2 3]]
    partition 4 4 [:a :b] [1 2 3 4 5] => [[1 2 3 4] [5 :a :b]]
    partition 4 2 nil [1 2 3 4 5] => [[1 2 3 4] [3 4 5]]
    partition 0 [1] => !! argument_error: partition: expected a positive integer, got 0
    partition "2" [1] => !! type_error: partition: expected a positive integer, got string
    partition-all 3 1 [1 2 3 4] => [[1 2 3] [2 3 4] [3 4] [4]]
    partition-all 2 3 [0 1 2 3 4 5 6 7] => [[0 1] [3 4] [6 7]]
    partition-all 2 nil => []
    combinations [:x :y :z] 2 => [[:x :y] [:x :z] [:y :z]]
    combinations [1 2] 0 => [[]]
    combinations [1] 2 => []
    combinations [1] -1 => []
    %partition-by [1 3 2 4 5] [true true false false true] => [[1 3] [2 4] [5]]
    "#);
}

#[test]
fn growing() {
    assert_snapshot!(table(&[
        ("conj", ""), ("conj", "nil"), ("conj", "nil 1"), ("conj", "[1] nil"), ("conj", "#{1} 1 2"), ("conj", "{:a 1} {:b 2}"),
        ("conj", "{:a 1} [:a 2]"), ("conj", "{:a 1} nil"), ("conj", "{:a 1} [1 2 3]"), ("conj", "5 1"), ("conj", "\"a\" \"b\""),
        ("into", ""), ("into", "[1]"), ("into", "nil [1]"), ("into", "[] {:a 1}"), ("into", "{} [[:a 1] [:b 2]]"), ("into", "{} [1]"),
        ("into", "{} [[1]]"), ("into", "{:a 1} {:a 2}"), ("into", "5 [1]"), ("into", "#{:a} nil"), ("into", "[] :xf [1]"),
        ("cons", "0 [1 2]"), ("cons", "0 nil"), ("cons", "1 2"), ("concat", ""), ("concat", "[1] nil \"ab\""), ("concat", "{:a 1} [2]"),
        ("concat", "1 2"), ("persistent!", "[1]"), ("transient", "5"),
    ]), @r#"
    conj  => []
    conj nil => nil
    conj nil 1 => [1]
    conj [1] nil => [1 nil]
    conj #{1} 1 2 => #{1 2}
    conj {:a 1} {:b 2} => {:a 1 :b 2}
    conj {:a 1} [:a 2] => {:a 2}
    conj {:a 1} nil => {:a 1}
    conj {:a 1} [1 2 3] => !! type_error: conj: a vector of 3 elements is not a [key value] pair
    conj 5 1 => !! type_error: conj: expected a collection, got number
    conj "a" "b" => !! type_error: conj: expected a collection, got string; (str a b) joins texts
    into  => []
    into [1] => [1]
    into nil [1] => [1]
    into [] {:a 1} => [[:a 1]]
    into {} [[:a 1] [:b 2]] => {:a 1 :b 2}
    into {} [1] => !! type_error: into: 1 is not a [key value] pair
    into {} [[1]] => !! type_error: into: a vector of 1 element is not a [key value] pair
    into {:a 1} {:a 2} => {:a 2}
    into 5 [1] => !! type_error: into: expected a collection, got number
    into #{:a} nil => #{:a}
    into [] :xf [1] => "-> %into-xf"
    cons 0 [1 2] => [0 1 2]
    cons 0 nil => [0]
    cons 1 2 => !! type_error: cons: expected a collection, got number
    concat  => []
    concat [1] nil "ab" => [1 "a" "b"]
    concat {:a 1} [2] => [[:a 1] 2]
    concat 1 2 => !! type_error: concat: expected a collection, got number
    persistent! [1] => [1]
    transient 5 => !! type_error: transient: expected a vector, map or set, got number
    "#);
}

#[test]
fn making() {
    assert_snapshot!(table(&[
        ("range", "3"), ("range", "1 2 0.25"), ("range", "3 -3 -2"), ("range", "6 2"), ("range", "0 5 0"), ("range", "1.0 4.0"),
        ("range", "5 -9223372036854775808"), ("range", "9223372036854775800 9223372036854775807 3"), ("range", "nil 3"), ("range", ""),
        ("repeat", "2 :x"), ("repeat", "-5 :x"), ("repeat", "1"), ("list*", "1 2 [3 4]"), ("list*", "[1]"), ("list*", "1"), ("vec", "#{5}"), ("vec", "5"),
        ("vector", "1 nil"), ("distinct", "[3 1 3 1.0]"), ("distinct", "5"), ("distinct?", "1 1.0"), ("distinct?", "1 2 1"), ("dedupe", "[nil nil 1 nil]"),
        ("reverse", "\"ab\""), ("reverse", "{}"), ("flatten", "[1 [2 {:a [3]}] \"xy\"]"), ("flatten", "{:a [1]}"), ("flatten", "\"abc\""),
        ("interleave", "[:a :b] [1 2 3]"), ("interleave", ""), ("interleave", "[1] 5"), ("interpose", "0 [7 8]"), ("interpose", "0 []"),
        ("zip", "[1 2] [:a :b :c]"), ("%pick", "\"max-by\" true [1 2 3] [nil 5 5]"), ("%pick", "\"max-by\" true [] []"),
        ("%pick", "\"max-by\" true [1 2] [1 \"a\"]"), ("%distinct-by", "[1 2 3] [:a :b :a]"),
    ]), @r#"
    range 3 => [0 1 2]
    range 1 2 0.25 => [1 1.25 1.5 1.75]
    range 3 -3 -2 => [3 1 -1]
    range 6 2 => []
    range 0 5 0 => []
    range 1.0 4.0 => [1.0 2.0 3.0]
    range 5 -9223372036854775808 => []
    range 9223372036854775800 9223372036854775807 3 => [9223372036854775800 9223372036854775803 9223372036854775806]
    range nil 3 => !! type_error: range: expected numbers, got nil
    range  => "-> %naturals"
    repeat 2 :x => [:x :x]
    repeat -5 :x => []
    repeat 1 => "-> %repeat-forever"
    list* 1 2 [3 4] => [1 2 3 4]
    list* [1] => [1]
    list* 1 => !! type_error: list*: expected a collection, got number
    vec #{5} => [5]
    vec 5 => !! type_error: vec: expected a collection, got number
    vector 1 nil => [1 nil]
    distinct [3 1 3 1.0] => [3 1 1.0]
    distinct 5 => !! type_error: distinct: expected a collection, got number
    distinct? 1 1.0 => true
    distinct? 1 2 1 => false
    dedupe [nil nil 1 nil] => [nil 1 nil]
    reverse "ab" => ["b" "a"]
    reverse {} => []
    flatten [1 [2 {:a [3]}] "xy"] => [1 2 {:a [3]} "xy"]
    flatten {:a [1]} => []
    flatten "abc" => []
    interleave [:a :b] [1 2 3] => [:a 1 :b 2]
    interleave  => []
    interleave [1] 5 => !! type_error: interleave: expected a collection, got number
    interpose 0 [7 8] => [7 0 8]
    interpose 0 [] => []
    zip [1 2] [:a :b :c] => [[1 :a] [2 :b]]
    %pick "max-by" true [1 2 3] [nil 5 5] => 2
    %pick "max-by" true [] [] => nil
    %pick "max-by" true [1 2] [1 "a"] => !! type_error: cannot compare string with number; the keys must be of the same kind: (max-by #(str (f %)) coll) compares as texts
    %distinct-by [1 2 3] [:a :b :a] => [1 2]
    "#);
}

#[test]
fn huge_requests_end_in_limits() {
    for (name, args) in [
        ("repeat", "1000000000000 :x"),
        ("repeat", "9223372036854775807 :x"),
        ("range", "1000000000"),
        ("range", "-9223372036854775808 9223372036854775807"),
        ("range", "0 1e300 0.5"),
        ("combinations", "[1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30] 15"),
    ] {
        let answer = check(name, args);
        assert!(
            answer.starts_with("!! memory_exceeded") || answer.starts_with("!! fuel_exceeded"),
            "{name} {args}: {answer}"
        );
    }
}

#[test]
fn shared_nesting_is_flattened_under_the_limits() {
    let doubled =
        (0..40).fold(Value::vector(vec![Value::Int(1)]), |inner, _| Value::vector(vec![inner.clone(), inner]));
    let answer = run("flatten", vec![doubled]).expect_err("a limit");
    assert!(answer.starts_with("memory_exceeded") || answer.starts_with("fuel_exceeded"), "{answer}");
}

#[test]
fn deep_nesting_is_flattened_without_native_recursion() {
    let deep = (0..300_000).fold(Value::Int(1), |inner, _| Value::vector(vec![inner]));
    assert_eq!(show(&run("flatten", vec![deep]).expect("flat")), "[1]");
}

#[test]
fn rows_are_described() {
    let mut names = std::collections::HashSet::new();
    for row in rows() {
        assert!(names.insert(row.name), "{} has two rows", row.name);
        assert!(!row.params.is_empty() && row.doc.ends_with('.'), "{}", row.name);
        assert_eq!(row.examples.is_empty(), row.name.starts_with('%'), "{}", row.name);
    }
}

fn numbers() -> impl Strategy<Value = Vec<i64>> {
    prop::collection::vec(-3_i64..4, 0..12)
}

fn vector(items: &[i64]) -> Value {
    Value::vector(items.iter().map(|n| Value::Int(*n)).collect())
}

proptest! {
    #[test]
    fn take_and_drop_are_the_whole(items in numbers(), n in -2_i64..15) {
        let (front, back) = (run("take", vec![n.into(), vector(&items)]).unwrap(), run("drop", vec![n.into(), vector(&items)]).unwrap());
        prop_assert_eq!(show(&run("concat", vec![front, back]).unwrap()), show(&vector(&items)));
    }

    #[test]
    fn groups_joined_are_the_whole(items in numbers(), n in 1_i64..5) {
        let groups = run("partition-all", vec![n.into(), vector(&items)]).unwrap();
        let joined = run("concat", groups.as_vector().unwrap().to_vec()).unwrap();
        prop_assert_eq!(show(&joined), show(&vector(&items)));
    }

    #[test]
    fn a_vector_used_as_a_queue_is_a_queue(steps in prop::collection::vec((0_u8..4, -3_i64..4), 0..200)) {
        let mut model = std::collections::VecDeque::new();
        let mut queue = vector(&[]);
        for (step, n) in steps {
            queue = match step {
                0 | 1 => { model.push_back(n); run("conj", vec![queue, n.into()]) }
                2 => { model.push_front(n); run("cons", vec![n.into(), queue]) }
                _ => { model.pop_front(); run("rest", vec![queue]) }
            }.unwrap();
        }
        let expected: Vec<i64> = model.into_iter().collect();
        prop_assert_eq!(show(&queue), show(&vector(&expected)));
    }

    #[test]
    fn a_shared_vector_never_changes(items in numbers(), n in 0_i64..5) {
        let shared = vector(&items);
        for name in ["rest", "next", "butlast", "reverse"] {
            run(name, vec![shared.clone()]).unwrap();
        }
        run("conj", vec![shared.clone(), n.into()]).unwrap();
        run("cons", vec![n.into(), shared.clone()]).unwrap();
        run("drop", vec![n.into(), shared.clone()]).unwrap();
        run("split-at", vec![n.into(), shared.clone()]).unwrap();
        prop_assert_eq!(show(&shared), show(&vector(&items)));
    }
}

proptest! {
    /// Small collections are added before large ones in place, shared or not.
    #[test]
    fn what_is_put_in_front_comes_first(front in 0_usize..5, middle in 0_usize..700, behind in 0_usize..5, shared in any::<bool>()) {
        let held = if shared { "(def held xs)" } else { "" };
        let source = format!(
            "(let [a (vec (range {front})) xs (mapv - (range {middle})) b (mapv str (range {behind}))]
               {held}
               [(concat a xs b) (into a xs) (apply list* (concat a [xs])) (count xs)])"
        );
        let (a, xs): (Vec<i64>, Vec<i64>) = ((0..front as i64).collect(), (0..middle as i64).map(|n| -n).collect());
        let ahead: Vec<String> = a.iter().chain(&xs).map(ToString::to_string).collect();
        let texts = (0..behind).map(|n| format!("\"{n}\""));
        let all: Vec<String> = ahead.iter().cloned().chain(texts).collect();
        let (ahead, all) = (ahead.join(" "), all.join(" "));
        let outcome = Session::new(SessionOptions::default()).run(&source, &mut |_| unreachable!());
        let shown = outcome.value().map(|value| format(value, &FormatOptions::full()).text);
        prop_assert_eq!(shown, Some(format!("[[{all}] [{ahead}] [{ahead}] {middle}]")));
    }
}

#[test]
fn what_goes_into_an_empty_vector_is_not_copied() {
    let fuel = |count: usize| {
        let program =
            format!("(let [xs (vec (range {count}))] [(count (into [] xs)) (first xs) (conj (into [] (rest xs)) 1)])");
        let outcome = Session::new(SessionOptions::default()).run(&program, &mut |_| unreachable!());
        assert!(outcome.value().is_some(), "{:?}", outcome.problems());
        outcome.usage.fuel
    };
    let range = |count: usize| {
        let program = format!("(count (vec (range {count})))");
        Session::new(SessionOptions::default()).run(&program, &mut |_| unreachable!()).usage.fuel
    };
    assert!(
        fuel(400) - fuel(200) <= range(400) - range(200) + 200 / 8,
        "{} {}",
        fuel(400) - fuel(200),
        range(400) - range(200)
    );
}
