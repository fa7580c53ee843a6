//! What hosts may do to waiting programs: answer from a cache, change a call, stop.

use std::time::Duration;

use super::*;
use crate::error::Reason;
use crate::limits::Limits;
use crate::no_tools;
use crate::session::Progress;
use crate::session::host::{CachedCall, CallTime, Effect, FnTools, ToolAnswer, ToolRecord, ToolResult};

fn with_tools(cache: Vec<CachedCall>) -> Session {
    let price = ToolSpec::new("price").signature("(room :int, nights :int?) -> :any".parse().unwrap());
    let look = ToolSpec { cache: true, ..ToolSpec::new("look").effect(Effect::Read) };
    Session::new(SessionOptions { tools: vec![price, look], tool_cache: cache, ..SessionOptions::default() })
}

/// Start a program; the calls it waits for.
fn waiting(session: &mut Session, program: &str) -> Vec<ToolCall> {
    session.start(program);
    go_on(session)
}

fn go_on(session: &mut Session) -> Vec<ToolCall> {
    loop {
        match session.advance(None) {
            Progress::Slice => {}
            Progress::Calls(calls) => return calls,
            Progress::Done(outcome) => panic!("it is over: {:?}", outcome.ending),
        }
    }
}

fn finished(session: &mut Session) -> Outcome {
    match session.advance(None) {
        Progress::Done(outcome) => outcome,
        _ => panic!("it goes on"),
    }
}

/// `name {args} -> result`, or the error, with marks.
fn shown(record: &ToolRecord) -> String {
    let json = |value: &Value| value.to_json().unwrap().to_string();
    let result = record.error.clone().unwrap_or_else(|| json(&record.result));
    let marks = [
        (record.cached, " cached"),
        (record.edited, " edited"),
        (record.may_have_run, " perhaps done"),
        (record.from_failed_turn, " from the failed turn"),
    ];
    let marks = marks.map(|(is, mark)| if is { mark } else { "" }).concat();
    format!("{} {} -> {result}{marks}", record.name, json(&record.args))
}

fn calls(outcome: &Outcome) -> Vec<String> {
    outcome.tool_calls.iter().map(shown).collect()
}

#[test]
fn waiting_calls_can_be_given_other_arguments() {
    let mut session = with_tools(Vec::new());
    assert_eq!(waiting(&mut session, "(tool/price {:room 900 :nights 2})").len(), 1);
    let call = session.amend(1, Value::from_json(serde_json::json!({"room": "12"}))).unwrap();
    assert_eq!(call.args.to_json().unwrap().to_string(), r#"{"room":12}"#);
    session.answer(vec![Ok(Value::Int(7))]);
    let outcome = finished(&mut session);
    assert!(matches!(outcome.ending, Ending::Value(Value::Int(7))));
    assert_eq!(calls(&outcome), [r#"price {"room":12} -> 7 edited"#]);
    assert_eq!(outcome.warnings.len(), 0);
}

#[test]
fn arguments_that_do_not_fit_change_nothing() {
    let mut session = with_tools(Vec::new());
    waiting(&mut session, "(tool/price {:room 900})");
    let refused = |session: &mut Session, seq, json| session.amend(seq, Value::from_json(json)).unwrap_err().message;
    insta::assert_snapshot!(refused(&mut session, 1, serde_json::json!({"room": "x"})), @r#"tool/price [room]: cannot coerce string "x" to integer; it takes (room :int, nights :int?), e.g. (tool/price {:room ... :nights ...})"#);
    insta::assert_snapshot!(refused(&mut session, 1, serde_json::json!([1])), @"arguments must be a map of names, got vector");
    insta::assert_snapshot!(refused(&mut session, 2, serde_json::json!({"room": 1})), @"no call with the number 2 waits for an answer");
    session.answer(vec![Ok(Value::Int(7))]);
    assert_eq!(calls(&finished(&mut session)), [r#"price {"room":900} -> 7"#]);
}

#[test]
fn calls_of_branches_are_changed_one_by_one() {
    let mut session = with_tools(Vec::new());
    let program = "(pmap (fn [room] (first (pmap (fn [n] (tool/price {:room room :nights n})) [1 2]))) [10 20])";
    let pending = waiting(&mut session, program);
    assert_eq!(pending.len(), 4);
    let third = pending[2].seq;
    session.amend(third, Value::from_json(serde_json::json!({"room": 5}))).unwrap();
    session.answer((1..5).map(|n| Ok(Value::Int(n))).collect());
    let outcome = finished(&mut session);
    let edited = r#"price {"room":5} -> 3 edited"#;
    let others = [r#"price {"room":10,"nights":1} -> 1"#, r#"price {"room":10,"nights":2} -> 2"#];
    assert_eq!(calls(&outcome), [others[0], others[1], edited, r#"price {"room":20,"nights":2} -> 4"#]);
}

/// What is left of a program that is stopped while it waits, and of the session.
fn stopped(program: &str, results: Vec<ToolResult>) -> (Outcome, String) {
    let mut session = with_tools(Vec::new());
    session.run("(def before 1)", &mut |_| unreachable!());
    waiting(&mut session, program);
    let outcome = session.interrupt(results.into_iter().map(ToolAnswer::from));
    let Ending::Error(problems) = &outcome.ending else { panic!("{:?}", outcome.ending) };
    assert_eq!((problems[0].reason, problems[0].message.as_str()), (Reason::Cancelled, "the run was cancelled"));
    let names: Vec<String> = session.memory().entries().iter().map(|entry| entry.name.clone()).collect();
    (outcome, names.join(" "))
}

#[test]
fn a_stopped_program_keeps_its_prints_and_calls() {
    let (outcome, names) = stopped("(def after 2) (println \"a\") (tool/price {:room 1})", Vec::new());
    assert_eq!((outcome.prints.as_slice(), names.as_str()), (["a".to_owned()].as_slice(), "before"));
    assert_eq!(calls(&outcome), [r#"price {"room":1} -> the run was cancelled before it answered perhaps done"#]);
}

#[test]
fn a_handler_does_not_survive_a_stop() {
    let (outcome, _) = stopped("(try (tool/price {:room 1}) (catch Exception e (println \"caught\") 5))", Vec::new());
    assert_eq!(outcome.prints, Vec::<String>::new());
}

#[test]
fn stopped_branches_keep_what_was_done() {
    let program =
        "(println \"p\") (pmap (fn [n] (println n) (pmap (fn [m] (tool/price {:room m})) [n (inc n)])) [1 3])";
    let (outcome, names) = stopped(program, vec![Ok(Value::Int(10)), Err(ToolError::new("gone"))]);
    assert_eq!((outcome.prints.join(" "), names.as_str()), ("p 1 3".to_owned(), "before"));
    insta::assert_snapshot!(calls(&outcome).join("\n"), @r#"
    price {"room":1} -> 10
    price {"room":2} -> gone
    price {"room":3} -> the run was cancelled before it answered perhaps done
    price {"room":4} -> the run was cancelled before it answered perhaps done
    "#);
}

#[test]
fn a_session_goes_on_after_a_stop() {
    let mut session = with_tools(Vec::new());
    waiting(&mut session, "(pmap (fn [n] (tool/price {:room n})) [1 2])");
    session.interrupt([]);
    let outcome = session.run("(+ 1 (tool/price {:room 1}))", &mut |_| Ok(Value::Int(4)));
    assert!(matches!(outcome.ending, Ending::Value(Value::Int(5))));
}

#[test]
fn equal_calls_of_cacheable_tools_are_answered_once() {
    let mut session = with_tools(Vec::new());
    let mut asked = 0;
    let mut answer = |call: &ToolCall| {
        asked += 1;
        match call.args.to_json().unwrap().get("bad") {
            Some(_) => Err(ToolError::new("no")),
            None => Ok(Value::Int(asked)),
        }
    };
    let program =
        "(def a (tool/look {:x 1 :y [2]})) (def b (tool/look {:y [2] :x 1})) [a b (tool/look {:x 1.0 :y [2]})]";
    let outcome = session.run(program, &mut answer);
    let records =
        [r#"look {"x":1,"y":[2]} -> 1"#, r#"look {"y":[2],"x":1} -> 1 cached"#, r#"look {"x":1.0,"y":[2]} -> 2"#];
    assert_eq!(calls(&outcome), records);
    assert_eq!(outcome.tool_calls[1].duration, Duration::ZERO);
    // Failed calls are made again, and those of tools without the flag always; a failed program loses no answer.
    let outcome = session.run("(tool/look {:bad 1})", &mut answer);
    assert_eq!(calls(&outcome), [r#"look {"bad":1} -> no"#]);
    let outcome = session.run(
        "(tool/look {:z 1}) (try (tool/look {:bad 1}) (catch Exception e 1)) (tool/price {:room 1}) (tool/price {:room 1}) (/ 1 0)",
        &mut answer,
    );
    assert_eq!(outcome.tool_calls.iter().filter(|record| record.cached).count(), 0);
    let kept = session.tool_cache();
    assert_eq!(kept.len(), 3);

    let mut other = with_tools(kept);
    let outcome = other.run("(tool/look {:z 1})", &mut |_| unreachable!());
    assert_eq!(calls(&outcome), [r#"look {"z":1} -> 4 cached"#]);
}

#[test]
fn many_cached_answers_cost_one_lookup_each() {
    let spent = |calls: u32| {
        let mut session = with_tools(Vec::new());
        let program = format!("(doseq [i (range {calls})] (tool/look {{:id i}}))");
        session.run(&program, &mut |_| Ok(Value::Int(1)));
        session.run(&program, &mut |_| unreachable!()).usage.fuel
    };
    let (few, many) = (spent(100), spent(1_000));
    assert!(many < 11 * few, "{few} units for 100 hits, {many} for 1000");
}

#[test]
fn a_result_too_large_to_write_down_names_the_memory_limit_of_its_program() {
    // Small in memory, where it shares its parts, and huge when written.
    let shared = "(nth (iterate (fn [v] [v v]) [1]) 60)";
    let refused = |memory: u64| {
        let mut session = Session::new(SessionOptions {
            limits: Limits { memory, ..Limits::default() },
            ..SessionOptions::default()
        });
        let outcome = session.run(shared, &mut |_| Ok(Value::Nil));
        let value = outcome.value().expect("a value");
        let json = session.to_json(value).expect_err("too large");
        let tagged = session.to_tagged(value).expect_err("too large");
        assert_eq!(
            (json.reason, tagged.reason, &json.message),
            (Reason::MemoryExceeded, Reason::MemoryExceeded, &tagged.message)
        );
        json.message
    };
    insta::assert_snapshot!(refused(1 << 20), @"the value is too large to write down: it needs more than 4 times the memory limit of 1048576 bytes: keep counts and samples instead of whole collections");
    insta::assert_snapshot!(refused(3_000_000), @"the value is too large to write down: it needs more than 4 times the memory limit of 3000000 bytes: keep counts and samples instead of whole collections");
}

#[test]
fn a_large_result_within_the_memory_limit_can_be_written_down() {
    let limits = Limits { memory: 4 << 20, ..Limits::default() };
    let mut session = Session::new(SessionOptions { limits, ..SessionOptions::default() });
    let outcome = session.run("(vec (range 100000))", &mut |_| Ok(Value::Nil));
    let json = session.to_json(outcome.value().expect("a value")).expect("JSON");
    assert_eq!(json.as_array().map(Vec::len), Some(100_000));
}

#[test]
fn records_say_what_a_failed_call_may_have_done() {
    let mut session = with_tools(Vec::new());
    waiting(&mut session, "(pmap (fn [n] (try (tool/price {:room n}) (catch Exception e nil))) [1 2 3])");
    let failure = |text: &str| Err(ToolError::new(text));
    session.answer(vec![Ok(Value::Int(7)), failure("504 gateway timeout"), failure("no such room")]);
    let outcome = finished(&mut session);
    insta::assert_snapshot!(calls(&outcome).join("\n"), @r#"
    price {"room":1} -> 7
    price {"room":2} -> 504 gateway timeout perhaps done
    price {"room":3} -> no such room
    "#);
    let took_effect: Vec<bool> = outcome.tool_calls.iter().map(ToolRecord::took_effect).collect();
    assert_eq!(took_effect, [true, true, false]);
}

#[test]
fn a_look_takes_no_effect() {
    let mut session = with_tools(Vec::new());
    waiting(&mut session, "(try (tool/look {:n 1}) (catch Exception e nil))");
    session.answer(vec![Err(ToolError::new("504 gateway timeout"))]);
    let outcome = finished(&mut session);
    assert_eq!(calls(&outcome), [r#"look {"n":1} -> 504 gateway timeout"#]);
    assert_eq!((outcome.tool_calls[0].effect, outcome.tool_calls[0].took_effect()), (Effect::Read, false));
}

#[test]
fn answers_of_failed_programs_are_recorded_as_such() {
    let mut session = with_tools(Vec::new());
    waiting(&mut session, "(pmap (fn [n] (tool/price {:room n})) [1 2])");
    let kept = ToolAnswer { from_failed_turn: true, ..Ok(Value::Int(7)).into() };
    let time = CallTime { waited: Duration::from_millis(20), took: Duration::from_millis(300) };
    session.answer_calls([kept, ToolAnswer { time: Some(time), ..Ok(Value::Int(8)).into() }]);
    let outcome = finished(&mut session);
    let [first, second] = outcome.tool_calls.as_slice() else { panic!("two calls") };
    assert!(second.started_micros - first.started_micros >= 20_000);
    assert_eq!(second.duration, time.took);
    assert_eq!(calls(&outcome), [r#"price {"room":1} -> 7 from the failed turn"#, r#"price {"room":2} -> 8"#]);
    assert_eq!(outcome.tool_calls.iter().map(ToolRecord::took_effect).collect::<Vec<_>>(), [false, true]);
}

#[test]
fn functions_of_rust_are_tools() {
    #[derive(serde::Deserialize)]
    struct Stay {
        nights: u32,
    }
    let mut asked = 0;
    let mut count = |stay: Stay| {
        asked += 1;
        match stay.nights {
            0 => Err(ToolError::new("no night").may_have_run(true)),
            nights => Ok((nights, stay.nights * 90)),
        }
    };
    let greet = |name: IndexMap<String, String>| Err::<(), _>(format!("no {}", name.len()));
    let mut tools = FnTools::new().with(ToolSpec::new("price"), &mut count).with(ToolSpec::new("greet"), greet);
    let specs = [tools.specs(), vec![ToolSpec::new("other")]].concat();
    let mut session = Session::new(SessionOptions { tools: specs, ..SessionOptions::default() });
    let mut run = |program: &str| {
        let outcome = session.run(program, &mut |call| tools.answer(call));
        let may_have_run = outcome.tool_calls.last().is_some_and(|call| call.may_have_run);
        let shown = outcome.value().map_or_else(|| outcome.problems()[0].message.clone(), ToString::to_string);
        format!("{shown} {may_have_run}")
    };
    assert_eq!(run("(tool/price {:nights 2})"), "[2 180] false");
    assert_eq!(run("(tool/price {:nights 0})"), "tool 'price' failed: no night true");
    assert_eq!(
        run("(tool/price {:night 2})"),
        "tool 'price' failed: the arguments do not fit: there is no :night; did you mean :nights? (arguments: :nights) false"
    );
    assert_eq!(run("(tool/price {})"), "tool 'price' failed: the arguments do not fit: missing field `nights` false");
    assert_eq!(run("(tool/greet {:a \"1\"})"), "tool 'greet' failed: no 1 false");
    assert!(run("(tool/other {})").starts_with("tool 'other' failed: tool/other cannot be called here"));
    drop(tools);
    assert_eq!(asked, 2);
}

#[test]
fn memory_that_was_refused_is_not_in_use() {
    let most = |program: &str| {
        let limits = Limits { memory: 16 << 20, ..Limits::default() };
        let outcome = Session::new(SessionOptions { limits, ..SessionOptions::default() }).run(program, &mut no_tools);
        let problem = outcome.problems().first().map(|problem| problem.reason);
        (problem, outcome.usage.memory)
    };
    for program in [
        "(vec (range 10000000))",
        "(apply str (repeat 100000000 \"x\"))",
        "(def a (vec (range 100000))) (vec (range 9999999))",
    ] {
        let (reason, used) = most(program);
        assert_eq!(reason, Some(Reason::MemoryExceeded), "{program}");
        // A count may find that the limit is passed by a twentieth.
        assert!(used <= (16 << 20) * 21 / 20, "{program}: {used}");
    }
    assert!(most("(count (vec (range 100000)))").1 > 100_000);
}

#[test]
fn a_memory_error_names_the_records_of_tool_calls() {
    let limits = Limits { memory: 1 << 20, ..Limits::default() };
    let options = SessionOptions { limits, tools: vec![ToolSpec::new("ask")], ..SessionOptions::default() };
    let fails = |program: &str| {
        let mut answer = |_: &ToolCall| -> ToolResult { Ok(Value::Int(1)) };
        let outcome = Session::new(options.clone()).run(program, &mut answer);
        outcome.problems().first().map(|problem| problem.message.clone()).unwrap_or_default()
    };
    let text = fails("(loop [n 0] (tool/ask {:n n}) (recur (inc n)))");
    let (calls, rest) = text.split_once("records of ").and_then(|(_, rest)| rest.split_once(' ')).expect("a number");
    assert!(calls.parse::<usize>().expect("a number") > 1_000, "{text}");
    insta::assert_snapshot!(rest, @"tool calls fill most of it; ask a tool for many values at once, or end the program and continue in the next");
    assert!(
        fails("(tool/ask {:n 1}) (loop [all []] (recur (conj all (str all))))").contains("keep counts and samples")
    );
}

#[test]
fn functions_of_rust_refuse_arguments_that_their_types_have_no_field_for() {
    #[derive(serde::Deserialize)]
    struct Asked {
        #[serde(default, alias = "colour")]
        color: Option<String>,
    }
    #[derive(serde::Deserialize)]
    struct Wrapped(Asked);
    #[derive(serde::Deserialize)]
    struct Open {
        #[serde(flatten)]
        rest: IndexMap<String, u8>,
    }
    let color = |asked: Asked| Ok::<_, ToolError>(asked.color);
    let mut tools = FnTools::new()
        .with(ToolSpec::new("paint"), color)
        .with(ToolSpec::new("wrapped"), move |Wrapped(asked)| color(asked))
        .with(ToolSpec::new("open"), |asked: Open| Ok::<_, ToolError>(asked.rest.len()));
    let mut session = Session::new(SessionOptions { tools: tools.specs(), ..SessionOptions::default() });
    let mut run = |program: &str| match session.run(program, &mut |call| tools.answer(call)).into_result() {
        Ok(value) => value.to_string(),
        Err(error) => error.to_string(),
    };
    assert_eq!(run("(tool/paint {:color \"red\"})"), "\"red\"");
    assert_eq!(run("(tool/paint {:colour \"red\"})"), "\"red\"");
    assert_eq!(run("(tool/open {:a 1 :b 2})"), "2");
    for tool in ["paint", "wrapped"] {
        let refused = run(&format!("(tool/{tool} {{:colr \"red\"}})"));
        assert!(refused.contains("there is no :colr; did you mean :color? (arguments: :color, :colour)"), "{refused}");
    }
}
