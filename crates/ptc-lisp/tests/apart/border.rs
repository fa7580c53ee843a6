//! What hosts bring into a session: values that mean something only in the session that made them are refused at every
//! entry, and say so.

use ptc_lisp::{
    CachedCall, Definitions, Import, Progress, Reason, Session, SessionOptions, ToolCall, ToolSpec, Value, no_tools,
    problems_text,
};

use super::earlier::{answer, busy};

fn options() -> SessionOptions {
    let kept = ToolSpec { cache: true, ..ToolSpec::new("kept") };
    SessionOptions { tools: vec![ToolSpec::new("get"), kept], tasks: Some(Vec::new()), ..SessionOptions::default() }
}

/// The value of a program of another session.
fn value(program: &str) -> Value {
    Session::new(SessionOptions::default()).run(program, &mut no_tools).into_result().unwrap()
}

/// Values that belong to the session that made them, with what is said of them.
const BOUND: [(&str, &str); 16] = [
    ("(fn [user] (= user \"admin\"))", "#fn[user], a function of another session"),
    ("(defn allowed? [user] (= user \"admin\")) allowed?", "#fn[user], a function of another session"),
    ("#(+ 1 %)", "#fn[p1], a function of another session"),
    ("[1 {:rules [(fn [x] x)]}]", "#fn[x], a function of another session"),
    ("#{(fn [x] x)}", "#fn[x], a function of another session"),
    ("{(fn [x] x) 1}", "#fn[x], a function of another session"),
    ("(partial (fn [a b] b) 1)", "#fn[a b], a function of another session"),
    ("(comp inc (fn [x] x))", "#fn[x], a function of another session"),
    ("(sorted-map-by (fn [x y] (compare y x)) 1 2)", "#fn[x y], a function of another session"),
    ("(sorted-set-by (comp - (fn [x y] (compare x y))) 1 2)", "#fn[x y], a function of another session"),
    ("(ex-info \"no\" {:f (fn [x] x)})", "#fn[x], a function of another session"),
    ("(letfn [(a [x] (b x)) (b [x] x)] a)", "#fn[x], a function of another session"),
    ("(partial swap! (atom 5) inc)", "an atom, a delay or a lazy sequence, whose content is in its session"),
    ("(partial deref (delay 5))", "an atom, a delay or a lazy sequence, whose content is in its session"),
    ("(partial nth (iterate inc 1))", "an atom, a delay or a lazy sequence, whose content is in its session"),
    ("(ex-info \"no\" {:at (atom 1)})", "an atom, a delay or a lazy sequence, whose content is in its session"),
];

#[test]
fn nothing_of_another_session_can_be_defined() {
    for (program, found) in BOUND {
        let mut session = busy(options());
        let error = session.define("v", value(program), None).unwrap_err();
        assert_eq!(error.reason, Reason::ForeignValue);
        assert!(error.message.starts_with(&format!("the definition of v holds {found}: ")), "{program}: {error}");
        assert!(answer(&mut session, "v").starts_with("undefined symbol 'v'"), "{program}");
        let error = session.set_fail(value(program)).unwrap_err().message;
        assert!(error.starts_with(&format!("data/fail holds {found}: ")), "{program}: {error}");
        assert_eq!(answer(&mut session, "data/fail"), "nil");
        let error =
            session.set_budget(Value::map_from([(Value::keyword("left"), value(program))])).unwrap_err().message;
        assert!(error.starts_with(&format!("the budget holds {found}: ")), "{program}: {error}");
        assert_eq!(answer(&mut session, "(budget/remaining)"), "{}");
    }
}

#[test]
fn nothing_of_another_session_can_be_an_answer() {
    for (program, found) in BOUND {
        let mut session = busy(options());
        let outcome = session.run("((tool/get {}) \"mallory\")", &mut |_| Ok(value(program)));
        let told = problems_text(outcome.problems());
        let expected =
            format!("tool 'get' failed: its answer holds {found}; a tool must answer with data at line 1, column 2");
        assert_eq!(told, expected, "{program}");
        // It was asked nevertheless, and nothing is known of what it did.
        assert!(outcome.tool_calls[0].may_have_run);
        let args = value("{}");
        let call = ToolCall { seq: 1, name: "kept".into(), surface: args.clone(), args };
        session.keep_answer(&call, &value(program));
        assert!(session.cached_answer(&call).is_none(), "{program}");
    }
}

/// The options of a session, one of them with this value, with its name.
fn with_option(which: usize, value: Value) -> (SessionOptions, &'static str) {
    let options = options();
    let entry = || Value::map_from([(Value::keyword("rule"), value.clone())]).as_map().unwrap().clone();
    match which {
        0 => (SessionOptions { data: entry(), ..options }, "data/rule"),
        1 => (SessionOptions { tasks: Some(vec![("plan".to_owned(), value)]), ..options }, "the task plan"),
        _ => {
            let cached = CachedCall { name: "kept".into(), args: Value::map_from([]), result: value };
            (SessionOptions { tool_cache: vec![cached], ..options }, "a cached answer of a tool")
        }
    }
}

#[test]
fn a_session_with_options_of_another_one_refuses_programs() {
    for (program, found) in BOUND {
        for which in 0..3 {
            let (options, name) = with_option(which, value(program));
            let mut session = Session::new(options);
            let told = format!("{name} holds {found}: ");
            assert!(session.refusal().unwrap().message.starts_with(&told), "{program}: {:?}", session.refusal());
            assert!(answer(&mut session, "1").starts_with(&told), "{program}");
            assert!(problems_text(&session.check("1").unwrap_err()).starts_with(&told), "{program}");
            assert!(session.effects("1").is_err());
        }
    }
}

#[test]
fn host_data_cannot_hide_a_function() {
    let function = value("(fn [x] x)");
    let mut import = Import::uncounted();
    let list = import.list(vec![Value::Int(1), function.clone()]);
    let map = import.map(vec![(Value::keyword("f"), list.clone())]).unwrap();
    let deep = import.list(vec![Value::vector(vec![map.clone()])]);
    let keyed = import.map(vec![(Value::vector(vec![function.clone()]), Value::Nil)]).unwrap();
    let set = import.set(vec![function]).unwrap();
    for hidden in [list, map, deep, keyed, set] {
        assert!(busy(options()).define("v", hidden.clone(), None).is_err(), "{hidden}");
    }
    assert!(busy(options()).define("v", import.list(vec![Value::vector(vec![Value::Nil])]), None).is_ok());
}

#[test]
fn data_and_what_builtins_make_of_it_is_let_in() {
    for (program, used, expected) in [
        ("{:a [1 #{2}] :b #\"x+\"}", "(re-find (:b v) \"axx\")", "\"xx\""),
        ("inc", "(v 1)", "2"),
        ("(partial + 5)", "(v 1)", "6"),
        ("(comp inc (partial * 2))", "(v 4)", "9"),
        ("(juxt inc dec)", "(v 1)", "[2 0]"),
        ("(complement even?)", "(v 1)", "true"),
        ("(sorted-map-by > 1 :a 2 :b)", "(keys (assoc v 3 :c))", "[3 2 1]"),
        ("(sorted-set-by (comp - compare) 1 2)", "(vec (conj v 3))", "[3 2 1]"),
        ("(ex-info \"no\" {:n 1})", "(ex-data v)", "{:n 1}"),
        ("(atom [1])", "v", "[1]"),
        ("(take 2 (iterate inc 1))", "v", "[1 2]"),
    ] {
        let mut session = busy(options());
        session.define("v", value(program), None).unwrap();
        assert_eq!(answer(&mut session, used), expected, "{program}");
        let outcome = session.run(&format!("(let [v (tool/get {{}})] {used})"), &mut |_| Ok(value(program)));
        assert_eq!(outcome.value().unwrap().to_string(), expected, "{program}");
    }
}

#[test]
fn functions_of_the_session_itself_come_back() {
    let mut session = busy(options());
    let rate = session.run("(def base 2) (defn rate [n] (* base n)) rate", &mut no_tools).into_result().unwrap();
    let outcome = session.run("((tool/get {}) 4)", &mut |_| Ok(rate.clone()));
    assert_eq!(outcome.value().unwrap().to_string(), "8");
    session.define("again", rate.clone(), None).unwrap();
    assert_eq!(answer(&mut session, "(again 5)"), "10");
    // Also of one that begins with the definitions of another.
    let definitions = session.definitions();
    let tasks = Some(vec![("rule".to_owned(), rate.clone())]);
    let mut next = Session::new(SessionOptions { definitions, tasks, ..options() });
    assert_eq!(answer(&mut next, "((task \"rule\" nil) 3)"), "6");
    let later = session.run("(fn [n] n)", &mut no_tools).into_result().unwrap();
    next.define("early", rate, None).unwrap();
    assert!(next.define("later", later, None).is_err());
}

#[test]
fn an_atom_that_a_function_of_the_session_holds_stays_inside() {
    let mut session = busy(options());
    let count = session.run("(let [n (atom 0)] (fn [] (swap! n inc)))", &mut no_tools).into_result().unwrap();
    // Nothing in the session refers to the atom any more: another one has its place.
    assert_eq!(answer(&mut session, "1") + &answer(&mut session, "2") + &answer(&mut session, "3"), "123");
    answer(&mut session, "(def other (atom 100))");
    let error = session.define("count", count, None).unwrap_err().message;
    assert!(error.starts_with("the definition of count holds an atom, a delay or a lazy sequence"), "{error}");
    assert_eq!(answer(&mut session, "@other"), "100");
}

#[test]
fn arguments_that_a_host_changes_hold_no_function() {
    for function in ["(fn [x] x)", "inc"] {
        let mut session = busy(options());
        session.start("(tool/get {:n 1})");
        assert!(matches!(session.advance(None), Progress::Calls(_)));
        let args = Value::map_from([(Value::keyword("n"), value(function))]);
        assert_eq!(session.amend(1, args).unwrap_err().reason, Reason::InvalidToolArgs);
    }
}

#[test]
fn tasks_are_kept_as_values() {
    let mut session = busy(options());
    answer(&mut session, "(task \"count\" (atom 1)) (task \"list\" (take 3 (iterate inc 1)))");
    let tasks: Vec<(String, Value)> = session.tasks().map(|(id, value)| (id.to_owned(), value)).collect();
    let mut next = busy(SessionOptions { tasks: Some(tasks), ..SessionOptions::default() });
    assert_eq!(answer(&mut next, "[(task \"count\" nil) (task \"list\" nil)]"), "[1 [1 2 3]]");
}

#[test]
fn stored_definitions_are_of_the_session_that_begins_with_them() {
    let mut first = busy(options());
    let rule = first.run("(defn rule [n] (+ n 1)) rule", &mut no_tools).into_result().unwrap();
    let stored = Definitions::from(first.store_memory().0);
    let mut second = Session::new(SessionOptions { definitions: stored, ..options() });
    assert!(second.left_out().iter().all(|one| one.name == "lazy"), "{:?}", second.left_out());
    // The text was compiled again: the function of the first session is still another one.
    assert_eq!(answer(&mut second, "(rule 1)"), "2");
    assert!(second.define("rule", rule, None).is_err());
}

#[test]
fn a_checkpoint_is_of_one_session_whatever_definitions_another_begins_with() {
    let mut first = busy(options());
    answer(&mut first, "(defn f [x] :first)");
    let mut second = Session::new(SessionOptions { definitions: first.definitions(), ..options() });
    assert!(second.restore(first.checkpoint()).is_err());
    assert_eq!(answer(&mut second, "(f 4)"), ":first");
}
