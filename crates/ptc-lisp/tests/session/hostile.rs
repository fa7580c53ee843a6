//! Memory files of another author: whatever is in them, restoring ends, holds no more than the limits say,
//! and leaves alone what is intact.

#![allow(clippy::expect_used, clippy::indexing_slicing, reason = "what is broken fails the test")]

use std::collections::HashMap;
use std::time::{Duration, Instant};

use proptest::prelude::*;
use ptc_lisp::text::{FormatOptions, format};
use ptc_lisp::{Limits, Session, SessionOptions, StoredMemory, Value};
use serde_json::value::RawValue;
use serde_json::{Value as Json, json};

use super::counting::most_held;

const LIMIT: u64 = 2 << 20;
/// Values may fill the limit, and so may atoms and the code of functions.
const HELD: u64 = 2 * LIMIT + LIMIT / 10 + (256 << 10);

fn session() -> Session {
    let limits = Limits { memory: LIMIT, time: Duration::from_secs(60), ..Limits::default() };
    Session::new(SessionOptions { limits, ..SessionOptions::default() })
}

fn memory_of(value: impl Fn(usize) -> String, entries: usize) -> String {
    let entry = |n: usize| format!(r#""x{n}":{{"value":{},"order":{n}}}"#, value(n));
    format!("{{{}}}", (0..entries).map(entry).collect::<Vec<_>>().join(","))
}

fn seq(item: &str, count: usize) -> String {
    format!(r#"{{"t":"seq","v":[{}]}}"#, vec![item; count].join(","))
}

fn function(source: &str, more: &str) -> String {
    format!(r#"{{"t":"fn","source":{}{more}}}"#, json!(source))
}

/// Texts of up to a few megabytes that want to be more.
#[expect(clippy::too_many_lines, reason = "a list of attacks")]
fn attacks() -> Vec<(&'static str, String)> {
    let many = |item: fn(usize) -> String, count: usize| (0..count).map(item).collect::<Vec<_>>().join(",");
    let nested = |open: &str, close: &str, count: usize| format!("{}1{}", open.repeat(count), close.repeat(count));
    let of = |value: String| memory_of(|_| value.clone(), 1);
    vec![
        ("empty arrays", of(seq("[]", 60_000))),
        ("numbers", of(seq("1", 60_000))),
        ("nils", of(seq(r#"{"t":"nil"}"#, 140_000))),
        ("vectors", of(seq(r#"{"t":"seq","v":[]}"#, 20_000))),
        ("maps", of(seq(r#"{"t":"map","v":[]}"#, 20_000))),
        ("nested arrays", of(nested("[", "]", 300_000))),
        ("nested vectors", of(nested(r#"{"t":"seq","v":["#, "]}", 30_000))),
        ("nested as deep as is read", of(seq(&nested(r#"{"t":"seq","v":["#, "]}", 150), 20))),
        ("sets in sets", of(format!(r#"{}{{"t":"nil"}}{}"#, r#"{"t":"set","v":["#.repeat(150), "]}".repeat(150)))),
        (
            "keys",
            of(format!(
                r#"{{"t":"map","v":[{}]}}"#,
                many(|n| format!(r#"[{{"t":"int","v":"{n}"}},{{"t":"nil"}}]"#), 1250)
            )),
        ),
        ("keywords", of(format!(r#"{{"t":"seq","v":[{}]}}"#, many(|n| format!(r#"{{"t":"kw","v":"k{n}"}}"#), 1250)))),
        ("escapes", of(format!(r#"{{"t":"str","v":"{}"}}"#, "\\u0000".repeat(400_000)))),
        ("texts", of(seq(&format!(r#"{{"t":"str","v":"{}"}}"#, "x".repeat(100)), 14_000))),
        ("digits", of(format!(r#"{{"t":"int","v":"{}"}}"#, "7".repeat(1_000_000)))),
        ("long integers", of(seq(&format!(r#"{{"t":"int","v":"{}"}}"#, "7".repeat(30_000)), 6))),
        (
            "regexes",
            of(format!(r#"{{"t":"seq","v":[{}]}}"#, many(|n| format!(r#"{{"t":"regex","v":"\\w{{40}}{n}"}}"#), 250))),
        ),
        ("a regex that grows", of(r#"{"t":"regex","v":"((((((\\pL{100}){100}){100}){100}){100}){100})"}"#.to_owned())),
        (
            "regexes in functions",
            memory_of(
                |n| {
                    function(
                        &format!("(fn [] [{}])", many(|k| format!("#\"\\\\w{{90}}{k}\""), 20)),
                        &format!(r#","name":"f{n}""#),
                    )
                },
                50,
            ),
        ),
        ("functions", memory_of(|_| function("(fn [x] (map (fn [y] [x y]) x))", ""), 4_000)),
        ("functions in one", of(seq(&function("(fn [])", ""), 8_000))),
        ("functions that are wrong", memory_of(|_| function("(fn [] (unknwn))", ""), 300)),
        ("a long function", of(function(&format!("(fn [] [{}])", "x".repeat(500_000)), ""))),
        ("a deep function", of(function(&format!("(fn [] {}1{})", "(inc ".repeat(20_000), ")".repeat(20_000)), ""))),
        (
            "captures",
            of(function(
                "(fn [] c1)",
                &format!(r#","captures":{{{}}}"#, many(|n| format!(r#""c{n}":{{"t":"nil"}}"#), 20_000)),
            )),
        ),
        (
            "captures of a builtin",
            of(function(
                "inc",
                &format!(r#","core":true,"captures":{{{}}}"#, many(|n| format!(r#""c{n}":{{"t":"nil"}}"#), 10_000)),
            )),
        ),
        ("globals", of(function("(fn [] c1)", &format!(r#","globals":[{}]"#, many(|n| format!(r#""c{n}""#), 40_000))))),
        (
            "aliases",
            of(function("(fn [] 1)", &format!(r#","aliases":{{{}}}"#, many(|n| format!(r#""c{n}":"str""#), 20_000)))),
        ),
        ("atoms", of(format!(r#"{{"t":"seq","v":[{}]}}"#, many(|n| format!(r#"{{"t":"atom","id":{n}}}"#), 12_000)))),
        (
            "filled atoms",
            memory_of(
                |n| {
                    format!(
                        r#"{{"t":"seq","v":[{{"t":"atom","id":{n},"v":{}}},5]}}"#,
                        seq(r#"{"t":"int","v":"1"}"#, 500)
                    )
                },
                40,
            ),
        ),
        (
            "a ring of atoms",
            memory_of(|n| format!(r#"{{"t":"atom","id":{n},"v":{{"t":"atom","id":{}}}}}"#, (n + 1) % 100), 100),
        ),
        (
            "a chain of atoms to nothing",
            memory_of(|n| format!(r#"{{"t":"atom","id":{n},"v":{{"t":"atom","id":{}}}}}"#, n + 1), 3_000),
        ),
        (
            "atoms that double",
            memory_of(
                |n| {
                    format!(
                        r#"{{"t":"atom","id":{n},"v":{{"t":"seq","v":[{{"t":"atom","id":{0}}},{{"t":"atom","id":{0}}}]}}}}"#,
                        (n + 1) % 60
                    )
                },
                60,
            ),
        ),
        ("definitions", memory_of(|_| r#"{"t":"nil"}"#.to_owned(), 6_000)),
        ("a long name", format!(r#"{{"{}":{{"value":{{"t":"nil"}}}}}}"#, "x".repeat(500_000))),
        ("a long doc", format!(r#"{{"x":{{"value":{{"t":"nil"}},"doc":"{}"}}}}"#, "x\\n".repeat(1_000_000))),
        (
            "causes",
            of(format!(
                r#"{}{{"t":"nil"}}{}"#,
                r#"{"t":"error","v":{"reason":"exception","message":"","cause":"#.repeat(150),
                "}}".repeat(150)
            )),
        ),
    ]
}

/// A text is held by the memory, and once more by the session that could not restore it; small entries take more than
/// their texts do.
fn allowed(text: &str) -> u64 {
    HELD + 8 * text.len() as u64
}

#[test]
fn no_memory_file_holds_or_takes_much_more_than_the_limits_say() {
    let mut over = Vec::new();
    for (name, text) in attacks() {
        let mut session = session();
        let began = Instant::now();
        let (left_out, most) = most_held(|| session.restore_memory(&StoredMemory::parse(&text).expect(name)).len());
        let fits = session.memory_bytes() <= LIMIT + LIMIT / 20;
        if most > allowed(&text) || !fits {
            over.push(format!("{name}: {most} bytes of {}, {left_out} left out, fits: {fits}", allowed(&text)));
        }
        println!("{name}: {most} bytes held for {} of text, {left_out} left out, {:?}", text.len(), began.elapsed());
        let outcome = session.run("(+ 1 2)", &mut |_| unreachable!());
        assert!(matches!(outcome.value(), Some(Value::Int(3))), "{name}: {:?}", outcome.problems());
        // What came in goes out again, restored or not.
        let (again, gone) = session.store_memory();
        let entries = |text: &str| serde_json::from_str::<HashMap<String, Box<RawValue>>>(text).map(|all| all.len());
        let again = serde_json::to_string(&again).expect("JSON");
        assert_eq!(entries(&again).ok(), entries(&text).ok(), "{name}: {} are lost", gone.len());
    }
    assert_eq!(over, [""; 0]);
}

/// The text of a definition is held twice for a moment, and once more, with what it reserves, when all are written down.
#[test]
fn storing_definitions_takes_little_more_than_their_text() {
    for program in [
        "(def x (vec (range 60000)))",
        "(def x (mapv (fn [n] {:id n :name (str \"n\" n)}) (range 4000)))",
        "(def x (apply str (repeat 50000 \"\\u0001\")))",
        "(def x (zipmap (range 9000) (range)))",
        "(def x (set (map str (range 9000))))",
    ] {
        let mut session = session();
        let outcome = session.run(program, &mut |_| unreachable!());
        assert!(outcome.problems().is_empty(), "{program}: {:?}", outcome.problems());
        let (text, most) = most_held(|| serde_json::to_string(&session.store_memory().0).expect("JSON").len() as u64);
        assert!(text > 50_000, "{program}: {text} bytes of text");
        assert!(most < 3 * text + (256 << 10), "{program}: {most} bytes for {text} of text");
    }
}

#[test]
fn a_short_memory_is_read_in_the_time_of_one_program() {
    let text = memory_of(|n| format!(r#"{{"t":"regex","v":"[\\p{{L}}]{{{{40}}}}{n}"}}"#), 200);
    let limits = Limits { memory: LIMIT, time: Duration::from_millis(1), ..Limits::default() };
    let mut session = Session::new(SessionOptions { limits, ..SessionOptions::default() });
    let left_out = session.restore_memory(&StoredMemory::parse(&text).expect("a memory"));
    assert_eq!(left_out.last().map(|left| left.why.as_str()), Some("run exceeded the 1 ms limit"));
}

/// What an entry made stays when the rest of it makes no sense, so the others have only what it left.
#[test]
fn entries_that_fail_give_nothing_back_for_what_stays() {
    let large = seq(r#"{"t":"map","v":[]}"#, 8_000);
    let mut over = Vec::new();
    for (name, cell) in [
        ("an atom", format!(r#"{{"t":"atom","v":{large}}}"#)),
        ("a numbered atom", format!(r#"{{"t":"atom","id":NUMBER,"v":{large}}}"#)),
        (
            "a delay",
            format!(r#"{{"t":"delay","body":{}}}"#, function("(fn [] a)", &format!(r#","captures":{{"a":{large}}}"#))),
        ),
        ("a function", function("(fn [] a)", &format!(r#","captures":{{"a":{large}}}"#))),
    ] {
        let entry =
            |n: usize| format!(r#"{{"t":"seq","v":[{},{{"t":"what"}}]}}"#, cell.replace("NUMBER", &n.to_string()));
        let text = memory_of(entry, 20);
        let stored = StoredMemory::parse(&text).expect(name);
        let mut session = session();
        let (left_out, most) = most_held(|| session.restore_memory(&stored).len());
        println!("{name}: {most} bytes held for {} of text, {left_out} left out", text.len());
        // The session holds the text of what is left out.
        if most > HELD + text.len() as u64 {
            over.push(format!("{name}: {most} bytes"));
        }
    }
    assert_eq!(over, [""; 0]);
}

/// A memory with something of everything, nothing shared between definitions.
fn rich() -> String {
    let mut session = session();
    let program = "(def n 1) (def big 123456789012345678901234567890) (def text \"a\\\"b\\nü\") (def f \"Doubles.\" (fn [x] (* 2 x)))
        (defn g [& xs] (let [k 3] (fn [y] [y k]))) (def h (g 1)) (def at (atom [1 2])) (def d (delay 4)) (def m {:a 1 \"b\" [nil true 1.5]})
        (def s (sorted-map 2 :b 1 :a)) (def st #{1 :x}) (def r #\"a+\") (def p (partial + 1)) (def c (comp inc dec))
        (def e (try (/ 1 0) (catch Exception e e))) (def t (LocalDate/parse \"2024-02-29\")) (def k :a/b) (def q 'sym)";
    let outcome = session.run(program, &mut |_| unreachable!());
    assert!(outcome.problems().is_empty(), "{:?}", outcome.problems());
    serde_json::to_string(&session.store_memory().0).expect("JSON")
}

/// Every definition as it is shown.
fn shown(session: &Session) -> std::collections::BTreeMap<String, String> {
    let memory = session.memory();
    let entries = memory.entries().iter();
    entries.map(|entry| (entry.name.clone(), format(&entry.value, &FormatOptions::full()).text)).collect()
}

/// One change of a text.
#[derive(Debug, Clone)]
enum Change {
    Flip(prop::sample::Index, u8),
    Cut(prop::sample::Index),
    Repeat(prop::sample::Index, prop::sample::Index),
    Drop(prop::sample::Index, prop::sample::Index),
    Replace(prop::sample::Index, Json),
    Swap(prop::sample::Index, prop::sample::Index),
}

fn change() -> impl Strategy<Value = Change> {
    let place = any::<prop::sample::Index>;
    let value = prop_oneof![
        Just(Json::Null),
        Just(json!([])),
        Just(json!({})),
        Just(json!(-1)),
        Just(json!(1e300)),
        Just(json!("")),
        Just(json!("9".repeat(400))),
        Just(json!({"t": "atom", "id": 1})),
        Just(json!({"t": "fn", "source": "(fn [x] (x x))"})),
        Just(json!({"t": "set", "v": [{"t": "nil"}, {"t": "nil"}]})),
        Just(json!(18_446_744_073_709_551_615_u64)),
    ];
    prop_oneof![
        (place(), any::<u8>()).prop_map(|(at, byte)| Change::Flip(at, byte)),
        place().prop_map(Change::Cut),
        (place(), place()).prop_map(|(from, to)| Change::Repeat(from, to)),
        (place(), place()).prop_map(|(from, to)| Change::Drop(from, to)),
        (place(), value).prop_map(|(at, value)| Change::Replace(at, value)),
        (place(), place()).prop_map(|(one, other)| Change::Swap(one, other)),
    ]
}

fn changed(text: &str, change: &Change) -> Vec<u8> {
    let mut bytes = text.as_bytes().to_vec();
    let range = |from: &prop::sample::Index, to: &prop::sample::Index| {
        let (a, b) = (from.index(bytes.len()), to.index(bytes.len()));
        a.min(b)..a.max(b)
    };
    match change {
        Change::Flip(at, byte) => {
            let at = at.index(bytes.len());
            bytes[at] = *byte;
        }
        Change::Cut(at) => bytes.truncate(at.index(text.len())),
        Change::Repeat(from, to) => {
            let range = range(from, to);
            let part = bytes[range.clone()].to_vec();
            bytes.splice(range.end..range.end, part);
        }
        Change::Drop(from, to) => drop(bytes.drain(range(from, to))),
        Change::Replace(at, value) => {
            let mut json: Json = serde_json::from_str(text).expect("JSON");
            let mut places = Vec::new();
            pointers(&json, &mut String::new(), &mut places);
            *json.pointer_mut(&places[at.index(places.len())]).expect("a place") = value.clone();
            bytes = json.to_string().into_bytes();
        }
        Change::Swap(one, other) => {
            let json: serde_json::Map<String, Json> = serde_json::from_str(text).expect("JSON");
            let mut entries: Vec<_> = json.into_iter().collect();
            let (one, other) = (one.index(entries.len()), other.index(entries.len()));
            entries.swap(one, other);
            bytes = Json::Object(entries.into_iter().collect()).to_string().into_bytes();
        }
    }
    bytes
}

fn pointers(json: &Json, here: &mut String, found: &mut Vec<String>) {
    found.push(here.clone());
    let parts: Vec<(String, &Json)> = match json {
        Json::Array(items) => items.iter().enumerate().map(|(place, item)| (place.to_string(), item)).collect(),
        Json::Object(fields) => {
            fields.iter().map(|(name, item)| (name.replace('~', "~0").replace('/', "~1"), item)).collect()
        }
        _ => Vec::new(),
    };
    for (name, part) in parts {
        let length = here.len();
        here.push('/');
        here.push_str(&name);
        pointers(part, here, found);
        here.truncate(length);
    }
}

proptest! {
    #[test]
    fn a_changed_memory_file_ends_in_values_or_one_clear_error(changes in prop::collection::vec(change(), 1..3)) {
        let whole = rich();
        let all: serde_json::Map<String, Json> = serde_json::from_str(&whole).expect("JSON");
        let mut intact = session();
        prop_assert_eq!(intact.restore_memory(&StoredMemory::parse(&whole).expect("a memory")), []);
        let before = shown(&intact);
        let mut text = whole;
        for change in &changes {
            text = String::from_utf8_lossy(&changed(&text, change)).into_owned();
            if serde_json::from_str::<serde_json::Map<String, Json>>(&text).map_or(true, |all| all.is_empty()) {
                break;
            }
        }
        let mut to = session();
        let (stored, most) = most_held(|| StoredMemory::parse(&text).map(|stored| (to.restore_memory(&stored), stored)));
        prop_assert!(most <= allowed(&text), "{} bytes", most);
        let (left_out, _) = match stored {
            Ok(stored) => stored,
            Err(error) => {
                let error = error.to_string();
                prop_assert!(error.contains(" at line "), "{}", error);
                return Ok(());
            }
        };
        let after: serde_json::Map<String, Json> = serde_json::from_str(&text).expect("JSON");
        let now = shown(&to);
        for (name, entry) in &after {
            let is_there = now.contains_key(name);
            prop_assert!(is_there || left_out.iter().any(|one| one.name == *name), "{} is neither there nor left out", name);
            // Atoms may have got the number of another one.
            if all.get(name) == Some(entry) && !entry.to_string().contains("\"id\"") {
                prop_assert_eq!(now.get(name), before.get(name));
            }
        }
        // It can run programs, and what it writes can be read.
        to.run("(def more 1)", &mut |_| unreachable!());
        let again = serde_json::to_string(&to.store_memory().0).expect("JSON");
        prop_assert!(StoredMemory::parse(&again).is_ok());
    }
}
