//! Definitions with which another session starts.

use super::*;
use crate::ToolCall;

fn texts(definitions: &Definitions) -> (String, Vec<String>) {
    let (stored, left_out) = definitions.store();
    (serde_json::to_string(&stored).unwrap(), left_out.iter().map(ToString::to_string).collect())
}

#[test]
fn sequences_stay_lazy_and_atoms_are_not_shared() {
    let mut first = session();
    answer(&mut first, "(def all (iterate inc 1)) (def n (atom 1)) (def more! (fn [] (swap! n inc)))");
    let (mut left, mut right) = (continued(&first), continued(&first));
    assert_eq!(answer(&mut left, "[(take 3 all) (more!) (more!)]"), "[[1 2 3] 2 3]");
    assert_eq!(answer(&mut right, "[@n (more!)]"), "[1 2]");
    assert_eq!(answer(&mut first, "@n"), "1");
    let (_, left_out) = texts(&first.definitions());
    assert_eq!(left_out.len(), 1, "an endless sequence cannot be written down: {left_out:?}");
}

#[test]
fn functions_read_the_data_of_the_session_that_runs_them() {
    let data = |n: i64| match Value::map_from([(Value::keyword("n"), Value::Int(n))]) {
        Value::Map(map) => map,
        _ => unreachable!(),
    };
    let mut first = Session::new(SessionOptions { data: data(1), ..SessionOptions::default() });
    answer(&mut first, "(def now data/n) (defn twice [] (* 2 data/n)) (def later (map (fn [x] (+ x data/n)) [10 20]))");
    let options = SessionOptions { data: data(5), definitions: first.definitions(), ..SessionOptions::default() };
    let mut second = Session::new(options);
    assert_eq!(answer(&mut second, "[now (twice)]"), "[1 10]");
    // What is stored was realised over its original data.
    let mut third = beginning_with(Definitions::from(first.definitions().store().0));
    let told =
        ["the definition of twice is left out: \"fn\" cannot be read here: data 'n' not found; there is no input data"];
    assert_eq!(third.left_out().iter().map(ToString::to_string).collect::<Vec<_>>(), told);
    assert_eq!(answer(&mut third, "[now later]"), "[1 [11 21]]");
}

#[test]
fn positions_of_taken_functions_name_their_own_program() {
    let mut first = session();
    answer(&mut first, "\n\n(defn broken [x]\n  (+ x nil))");
    let mut second = continued(&first);
    let text = answer(&mut second, "(broken 1)");
    assert_eq!(text, answer(&mut first, "(broken 1)"));
}

#[test]
fn a_failed_program_is_undone_in_the_new_session_too() {
    let mut first = session();
    answer(&mut first, "(def n (atom 1)) (def a 1)");
    let mut second = continued(&first);
    answer(&mut second, "(reset! n 9) (def a 2) (throw \"no\")");
    assert_eq!(answer(&mut second, "[@n a]"), "[1 1]");
}

#[test]
fn a_running_program_has_defined_nothing_yet() {
    let mut first = Session::new(SessionOptions { tools: vec![ToolSpec::new("wait")], ..SessionOptions::default() });
    answer(&mut first, "(def n (atom 1))");
    first.start("(reset! n 2) (def half 1) (tool/wait {})");
    assert!(matches!(first.advance(None), Progress::Calls(_)));
    let mut second = continued(&first);
    assert_eq!(answer(&mut second, "@n"), "1");
    assert!(second.memory().get("half").is_none());
}

#[test]
fn text_is_the_same_however_often_it_moves() {
    let mut first = session();
    answer(&mut first, "(def box (atom [1])) (def both [box box]) (defn add! [x] (swap! box conj x)) (add! 2)");
    let (text, left_out) = texts(&first.definitions());
    assert_eq!(left_out, [""; 0]);
    let read = Definitions::from(StoredMemory::parse(&text).unwrap());
    assert_eq!(texts(&read).0, text);
    let second = beginning_with(read.clone());
    assert_eq!(second.left_out(), []);
    assert_eq!(texts(&second.definitions()).0, text);
    assert!(read.has("box") && first.definitions().has("add!") && !read.has("none"));
}

#[test]
fn what_is_left_out_is_named() {
    assert!(Definitions::default().is_empty() && session().definitions().is_empty());
    let mut definitions = Definitions::default();
    definitions.leave_out(Omitted { name: "f".to_owned(), why: "its text was not kept".to_owned() });
    assert!(!definitions.is_empty() && definitions.has("f"));
    let told = "the definition of f is left out: its text was not kept";
    assert_eq!(texts(&definitions), ("{}".to_owned(), vec![told.to_owned()]));
    assert_eq!(beginning_with(definitions).left_out()[0].to_string(), told);
}

#[test]
fn answers_of_the_host_are_cached_for_cacheable_tools_only() {
    let tools = vec![ToolSpec { cache: true, ..ToolSpec::new("rate") }, ToolSpec::new("pay")];
    let mut session = Session::new(SessionOptions { tools, ..SessionOptions::default() });
    let call = |name: &str| {
        let args = Value::map_from([(Value::string("room"), Value::Int(7))]);
        ToolCall { seq: 1, name: name.into(), surface: args.clone(), args }
    };
    for (name, known) in [("rate", Some("90")), ("pay", None)] {
        assert!(session.cached_answer(&call(name)).is_none());
        session.keep_answer(&call(name), &Value::Int(90));
        let found = session.cached_answer(&call(name)).map(|value| format(&value, &FormatOptions::full()).text);
        assert_eq!(found.as_deref(), known);
    }
    let outcome = session.run("(tool/rate {:room 7})", &mut |_| Err(ToolError::new("asked again")));
    assert!(matches!(outcome.value(), Some(Value::Int(90))), "programs find it too");
}

#[test]
fn a_name_that_no_program_can_write_is_not_defined() {
    let mut session = session();
    for name in ["a b", "", "data/x", "1x", "core/map", ":key", "(f)", "a;b"] {
        let error = session.define(name, Value::Int(1), None).unwrap_err();
        assert!(error.message.starts_with("no program can write the name \""), "{error:?}");
    }
    for name in ["if", "def", "%", "%1", "%&", "*1", "*2", "*3", "*e", "->"] {
        let error = session.define(name, Value::Int(1), None).unwrap_err();
        assert!(error.message.starts_with("programs mean something else by the name "), "{error:?}");
    }
    for name in ["a", "a-b?", "größe", "x'", "*x", "map", "-", "is"] {
        session.define(name, Value::Int(1), None).unwrap();
        let outcome = session.run(name, &mut |_| unreachable!());
        assert!(matches!(outcome.value(), Some(Value::Int(1))), "{name}");
    }
    assert_eq!(session.memory().entries().len(), 8);
}
