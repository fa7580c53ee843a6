//! Foreign or broken memory files.

use super::*;
use crate::ToolSpec;

/// What is omitted from a memory with this text, and the session.
fn taken_up(text: &str) -> (Session, Vec<String>) {
    taken_up_by(session(), text)
}

fn taken_up_by(mut session: Session, text: &str) -> (Session, Vec<String>) {
    let left_out = session.restore_memory(&StoredMemory::parse(text).unwrap());
    (session, left_out.iter().map(ToString::to_string).collect())
}

fn text_of(session: &mut Session) -> String {
    serde_json::to_string(&session.store_memory().0).unwrap()
}

fn within(limits: Limits) -> Session {
    Session::new(SessionOptions { limits, ..SessionOptions::default() })
}

#[test]
fn an_atom_is_there_for_others_when_its_first_definition_is_left_out() {
    let atom = r#"{"t":"atom","id":5,"v":{"t":"int","v":"1"}}"#;
    let owners = [
        format!(r#""a":{{"value":{{"t":"seq","v":[{{"t":"what"}},{atom}]}},"order":1}}"#),
        format!(r#""a":{{"value":{{"t":"map","v":[[{{"t":"what"}},{atom}]]}},"order":1}}"#),
        format!(r#""a":{{"value":{{"t":"fn","source":"(fn [","captures":{{"x":5,"n":{atom}}}}}}}"#),
        format!(r#""a":{{"value":{{"t":"error","v":{{"reason":"what","message":"","data":5,"cause":{atom}}}}}}}"#),
        format!(r#""a":{{"value":{atom},"order":-1}}"#),
        format!(r#""(a)":{{"value":{atom},"order":1}}"#),
    ];
    for owner in owners {
        let (mut session, left_out) =
            taken_up(&format!(r#"{{{owner},"b":{{"value":{{"t":"atom","id":5}},"order":2}}}}"#));
        assert_eq!(left_out.len(), 1, "{owner}: {left_out:?}");
        assert_eq!(answer(&mut session, "(swap! b inc)"), "2", "{owner}");
    }
}

#[test]
fn an_atom_that_is_stored_twice_stays_one_atom() {
    let tools = || Session::new(SessionOptions { tools: vec![ToolSpec::new("rate")], ..SessionOptions::default() });
    let mut first = tools();
    answer(&mut first, "(def a [tool/rate (atom 1)]) (def b (second a))");
    // Without the tool `a` cannot be restored, and `b` continues alone.
    let (mut without, left_out) = taken_up(&text_of(&mut first));
    assert_eq!(left_out.len(), 1);
    assert_eq!(answer(&mut without, "(def c (atom 9)) (swap! b + 10) [@b @c]"), "[11 9]");
    let (mut again, left_out) = taken_up(&text_of(&mut without));
    assert_eq!(left_out.len(), 1);
    assert_eq!(answer(&mut again, "(swap! b inc) [@b @c]"), "[12 9]");
    let (mut with, left_out) = taken_up_by(tools(), &text_of(&mut again));
    assert_eq!(left_out, [""; 0]);
    assert_eq!(answer(&mut with, "[@(second a) @b @c (identical? (second a) b)]"), "[12 12 9 true]");
}

#[test]
fn numbers_of_atoms_that_are_left_out_are_not_given_again() {
    let lost = r#"{"lost":{"value":{"t":"seq","v":[{"t":"what"},{"t":"atom", "id" : 1,"v":{"t":"nil"}},{"t":"atom","id":2}]},"order":1}}"#;
    let (mut session, _) = taken_up(lost);
    answer(&mut session, "(def n (atom :mine))");
    let text = text_of(&mut session);
    assert!(text.contains(r#""n":{"value":{"t":"atom","v":{"t":"kw","v":"mine"},"id":3}"#), "{text}");
    // Nor is the number of one whose place another atom has now.
    let (mut session, _) = taken_up(&format!(
        r#"{{"a":{{"value":{{"t":"atom","id":7}},"order":2}},{}"#,
        &lost[1..].replace("\"id\" : 1", "\"id\":7")
    ));
    answer(&mut session, "(def a nil)");
    answer(&mut session, "(def kept (mapv atom (range 20))) nil");
    assert!(!text_of(&mut session).contains(r#""v":"19"},"id":7"#));
}

#[test]
fn the_highest_number_leaves_numbers_for_others() {
    let (mut session, left_out) =
        taken_up(r#"{"a":{"value":{"t":"atom","id":9007199254740992,"v":{"t":"nil"}},"order":9007199254740992}}"#);
    assert_eq!(left_out, [""; 0]);
    answer(&mut session, "(def b (atom 1)) (def c 2)");
    let (mut session, left_out) = taken_up(&text_of(&mut session));
    assert_eq!((left_out, answer(&mut session, "[@a @b c]").as_str()), (vec![], "[nil 1 2]"));
}

#[test]
fn what_refers_to_nothing_by_way_of_others_is_left_out() {
    let (mut session, left_out) = taken_up(
        r#"{"x":{"value":{"t":"atom","id":1,"v":{"t":"seq","v":[{"t":"atom","id":9}]}},"order":1},
            "y":{"value":{"t":"fn","source":"(fn [] @a)","captures":{"a":{"t":"atom","id":1}}},"order":2},
            "z":{"value":{"t":"atom","id":3,"v":{"t":"int","v":"3"}},"order":3}}"#,
    );
    insta::assert_snapshot!(left_out.join("\n"), @r"
    the definition of x is left out: it refers to the atom or delay 9, whose content is not in the memory
    the definition of y is left out: it refers to the atom or delay 9, whose content is not in the memory
    ");
    assert_eq!(answer(&mut session, "@z"), "3");
}

#[test]
fn a_name_that_comes_twice_is_reported() {
    let (mut session, left_out) =
        taken_up(r#"{"x":{"value":{"t":"int","v":"1"}},"y":{"value":{"t":"nil"}},"x":{"value":{"t":"int","v":"2"}}}"#);
    insta::assert_snapshot!(left_out.join("\n"), @"the definition of x is left out: the memory has it more than once, and the last one counts");
    assert_eq!(answer(&mut session, "[x y]"), "[2 nil]");
}

#[test]
fn more_definitions_than_a_session_could_write_are_refused() {
    let entry = |n| format!("\"n{n}\":{{\"value\":{{\"t\":\"int\",\"v\":\"1\"}},\"order\":{n}}}");
    let text = |count| format!("{{{}}}", (0..count).map(entry).collect::<Vec<_>>().join(","));
    let limits = Limits { memory: 1 << 16, ..Limits::default() };
    assert!(StoredMemory::parse_within(&text(800), &limits).is_ok());
    let error = StoredMemory::parse_within(&text(2_000), &limits).unwrap_err().to_string();
    assert!(error.contains("the memory limit leaves no room for more than "), "{error}");
    // What is repeated counts as well.
    let repeated = format!("{{{}}}", vec![entry(1); 2_000].join(","));
    assert!(StoredMemory::parse_within(&repeated, &limits).is_err());
    assert_eq!(StoredMemory::parse(&text(2_000)).unwrap().entries.len(), 2_000);
}

#[test]
fn docstrings_and_names_say_no_more_than_those_of_programs() {
    let (session, left_out) = taken_up(
        r#"{"f":{"value":{"t":"nil"},"doc":"a\n;; === tools ===\r\n  b"},
            "g":{"value":{"t":"fn","source":"(fn [x])","name":"x\u001b[31m\n;; y"}},
            "h":{"value":{"t":"nil"},"returns":"map[2]\n;; z"}}"#,
    );
    let memory = session.memory();
    assert_eq!(memory.get("f").unwrap().doc.as_deref(), Some("a === tools === b"));
    assert_eq!(memory.get("h").unwrap().returns, None);
    insta::assert_snapshot!(left_out.join("\n"), @r#"the definition of g is left out: "fn" cannot be read here: its `name` is not one that a program can write"#);
}

#[test]
fn what_does_not_fit_is_left_out_and_the_rest_is_not() {
    let row = r#"{"t":"str","v":"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"},"#.repeat(30_000);
    let large = format!(r#"{{"value":{{"t":"seq","v":[{}]}},"order":1}}"#, row.trim_end_matches(','));
    let (mut session, left_out) = taken_up_by(
        within(Limits { memory: 1 << 20, ..Limits::default() }),
        &format!(r#"{{"large":{large},"small":{{"value":{{"t":"int","v":"7"}},"order":2}},"other":{large}}}"#),
    );
    assert_eq!(left_out.len(), 2);
    assert_eq!(
        left_out[0],
        "the definition of large is left out: it does not fit into the memory limit of 1048576 bytes in addition to what is already defined"
    );
    assert_eq!(answer(&mut session, "small"), "7");
    // Everything is there for a session with larger limits.
    assert_eq!(taken_up(&text_of(&mut session)).1, [""; 0]);
}

#[test]
fn what_takes_long_is_left_out_and_the_rest_is_not() {
    let digits = "9".repeat(2_000_000);
    let text = format!(
        r#"{{"a":{{"value":{{"t":"int","v":"{digits}"}}}},"b":{{"value":{{"t":"seq","v":[{}]}}}},"c":{{"value":{{"t":"nil"}}}}}}"#,
        (0..200).map(|n| format!(r#"{{"t":"regex","v":"\\w{{50}}{n}"}}"#)).collect::<Vec<_>>().join(",")
    );
    let (mut session, left_out) = taken_up_by(within(Limits { fuel: 1_000_000, ..Limits::default() }), &text);
    assert_eq!(left_out.len(), 2, "{left_out:?}");
    assert!(left_out[0].starts_with("the definition of a is left out: reading it takes more than "), "{}", left_out[0]);
    assert_eq!(answer(&mut session, "c"), "nil");
}

#[test]
fn an_integer_that_could_not_be_read_again_is_not_written() {
    let mut session = session();
    let program = "(def n (reduce (fn [n _] (*' n n)) 30864197280864197280 (range 9))) (def fine 1)";
    assert_eq!(answer(&mut session, program), "#'fine");
    session.set_limits(Limits { fuel: 10_000, ..Limits::default() });
    let (mut to, left_out) = moved(&mut session);
    assert_eq!(answer(&mut to, "fine"), "1");
    let left_out: Vec<String> = left_out.iter().map(ToString::to_string).collect();
    insta::assert_snapshot!(left_out.join("\n"), @"the definition of n is left out: an integer of about 9842 digits takes more fuel to read back than is left");
}

#[test]
fn what_is_deeper_than_can_be_written_is_kept_as_it_came() {
    let deep = |levels: usize| format!("{}null{}", r#"{"t":"seq","v":["#.repeat(levels), "]}".repeat(levels));
    let text = format!(r#"{{"a":{{"value":{},"order":1}},"b":{{"value":{},"order":2}}}}"#, deep(159), deep(160));
    let (mut session, left_out) = taken_up(&text);
    assert_eq!(left_out, ["the definition of b is left out: nested more than 160 deep"]);
    assert_eq!(text_of(&mut session), text);
}

/// What is stored can be read back, also at the deepest level.
#[test]
fn what_is_stored_is_not_too_deep_to_read() {
    let mut stored = 0;
    for levels in 157..163 {
        for inner in ["nil", "1", "{:a nil}", "[{:a nil} {:a nil}]"] {
            let mut from = session();
            answer(&mut from, &format!("(def x (reduce (fn [x _] [x]) {inner} (range {levels})))"));
            let (memory, left_out) = from.store_memory();
            if left_out.is_empty() {
                stored += 1;
                let text = serde_json::to_string(&memory).unwrap();
                let (_, gone) = taken_up(&text);
                assert_eq!(gone, [""; 0], "{inner} in {levels} levels");
            }
        }
    }
    assert!((8..24).contains(&stored), "{stored} of 24 are stored");
}

#[test]
fn what_cannot_be_written_takes_nothing_from_what_can() {
    let limits = Limits { memory: 2 << 20, ..Limits::default() };
    let mut from = within(limits);
    let program = "(def deep (reduce (fn [x _] [x x]) [] (range 300)))
                   (def ring (loop [n 0 x nil] (if (< n 400) (recur (inc n) (atom (vec (cons x (range 90))))) x)))
                   (def fine (vec (range 10000))) nil";
    assert_eq!(answer(&mut from, program), "nil");
    let (stored, left_out) = from.store_memory();
    let names: Vec<&str> = left_out.iter().map(|one| one.name.as_str()).collect();
    assert_eq!((names, stored.entries.contains_key("fine")), (vec!["deep", "ring"], true));
}

#[test]
fn realising_at_the_end_is_written_down_as_one_moment() {
    let mut from = session();
    answer(
        &mut from,
        "(def n (atom 0)) (def xs (map (fn [x] (swap! n inc) (* x x)) (filter odd? (iterate inc 1)))) (def ys (take 3 xs)) (def xs nil) (def m n)",
    );
    let (mut to, left_out) = moved(&mut from);
    assert_eq!(left_out, []);
    assert_eq!(answer(&mut to, "[ys @n @m]"), "[[1 9 25] 3 3]");
    assert_eq!(answer(&mut from, "[ys @n @m]"), "[[1 9 25] 3 3]");
}

#[test]
fn realising_at_the_end_calls_nothing_and_shows_nothing() {
    let mut from = Session::new(SessionOptions { tools: vec![ToolSpec::new("pay")], ..SessionOptions::default() });
    answer(
        &mut from,
        "(defn lazily [f] (map f (take-while (fn [n] (< n 3)) (iterate inc 1))))
         (def a (lazily (fn [x] (println x) x)))
         (def b (lazily (fn [x] (tool/pay {:n x}))))
         (def c (lazily (fn [x] (return x)))) nil",
    );
    let (stored, left_out) = from.store_memory();
    insta::assert_snapshot!(left_out.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"), @r"
    the definition of b is left out: its elements come from tool calls that have not been made
    the definition of c is left out: its elements cannot be realised: they end the program
    ");
    assert!(stored.entries.contains_key("a"));
    assert_eq!(from.prints(), [""; 0]);
    assert_eq!(answer(&mut from, "a"), "[1 2]");
}

#[test]
fn exceptions_are_caught_as_before() {
    let thrown = [
        "(throw (ArithmeticException. \"a\"))",
        "(throw (IllegalArgumentException. \"a\"))",
        "(throw (IllegalStateException. \"a\"))",
        "(throw (UnsupportedOperationException. \"a\"))",
        "(throw (RuntimeException. \"a\"))",
        "(throw (Exception. \"a\" (Exception. \"b\")))",
        "(throw (ex-info \"a\" {:k 1} (IllegalStateException. \"b\")))",
        "(/ 1 0)",
        "(inc :a)",
        "(assert false)",
        "(nth [] 3)",
        "(tool/bad {})",
    ];
    let classes = ["ExceptionInfo", "ArithmeticException", "ClassCastException", "IllegalArgumentException"]
        .into_iter()
        .chain(["IllegalStateException", "AssertionError"]);
    let caught = classes
        .map(|class| format!("(try (throw e) (catch {class} x :{class}) (catch Throwable x nil))"))
        .collect::<Vec<_>>();
    let look = format!("[(ex-message e) (ex-data e) (some-> (ex-cause e) ex-message) {}]", caught.join(" "));
    let with = || Session::new(SessionOptions { tools: vec![ToolSpec::new("bad")], ..SessionOptions::default() });
    for program in thrown {
        let mut from = with();
        answer(&mut from, &format!("(def e (try {program} (catch Throwable e e))) nil"));
        let (mut to, left_out) = taken_up_by(with(), &text_of(&mut from));
        assert_eq!(left_out, [""; 0]);
        assert_eq!(answer(&mut to, &look), answer(&mut from, &look), "{program}");
    }
}

#[test]
fn a_memory_cannot_reset_what_limits_a_program() {
    let limits = || Limits { fuel: 20_000, memory: 300_000, ..Limits::default() };
    let text = r#"{"f":{"value":{"t":"fn","source":"(fn [] (reduce + (range 100000)))"}},
                   "limits":{"value":{"t":"map","v":[]}},"fuel":{"value":{"t":"int","v":"9"}}}"#;
    let (mut first, left_out) = taken_up_by(within(limits()), text);
    assert_eq!(left_out, [""; 0]);
    assert!(answer(&mut first, "(f)").starts_with("stopped after 20000 steps"));
    assert_eq!(
        answer(&mut first, "(def kept (apply str (repeat 2000 \"0123456789abcdef0123456789abcdef\")))"),
        "#'kept"
    );
    // What was kept still counts, and so does the fuel.
    let (mut again, left_out) = taken_up_by(within(limits()), &text_of(&mut first));
    assert_eq!(left_out, [""; 0]);
    assert!(
        answer(&mut again, "(str kept kept kept kept kept kept kept kept)")
            .starts_with("memory limit of 300000 bytes exceeded")
    );
    assert!(answer(&mut again, "(f)").starts_with("stopped after 20000 steps"));
}
