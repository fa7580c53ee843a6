//! Runs that start with what another run left.

use std::sync::Arc;

use insta::assert_snapshot;
use ptc_chat::{OutputMode, Reply, ScriptedLlm};
use ptc_compression::{Aggressive, CompressionConfig, PerTurnSummary, RollingWindow};
use ptc_lisp::{Memory, Value};
use ptc_transcript::{EndingKind, Step, StepJson, ValueForm};
use serde_json::json;

use super::{Seen, agent, bookings, check, check_raw};
use crate::testing::scripted;
use crate::{Agent, AgentBuilder, AgentError, Context, RunOptions, blocking};

const FIRST: [&str; 2] = [
    "(def seen (atom 0)) (defn net \"Without tax\" [x] (swap! seen inc) (* 0.8 x)) (def half (partial * 0.5))",
    "(def rates {:single 80 :_code \"s3cret-canary\"}) (def all (map inc (range 3))) (net 10) (return :done)",
];

fn first() -> Step {
    check(agent(), &FIRST).step
}

/// A step as it comes back from a file.
fn from_file(step: &Step) -> Step {
    let text = StepJson::new(step, ValueForm::Typed).to_json().to_string();
    StepJson::parse(&text).expect("a step").to_step().expect("typed values")
}

/// Continue from a step with these programs.
fn after(step: &Step, agent: AgentBuilder, programs: &[&str], options: RunOptions) -> Seen {
    let answers = programs.iter().map(|program| Ok(Reply::from(format!("```clojure\n{program}\n```")))).collect();
    check_raw(agent, answers, bookings(), options.continuing(step))
}

fn refused(step: &Step) -> String {
    let agent = agent().build().expect("an agent");
    let error = agent.start(Context::default(), &RunOptions::default().continuing(step)).err().expect("an error");
    assert!(matches!(error, AgentError::Omitted(_)));
    error.to_string()
}

#[test]
fn definitions_work_as_they_did_in_the_process_and_from_a_file() {
    let first = first();
    for step in [&first, &from_file(&first)] {
        let programs = ["(def cost (net 20))", "(return [cost @seen (half 9) (:single rates) (vec all)])"];
        let seen = after(step, agent(), &programs, RunOptions::default());
        assert_eq!(seen.end(), "return [16.0,2,4.5,80,[1,2,3]]");
        assert_eq!((seen.step.turns().len(), seen.turn(1).number(), seen.step.usage.turns), (2, 1, 2));
        assert_eq!(seen.last_line(2), "Turn 2 of 5 (4 remaining)");
        assert_eq!(seen.memory_names(1), ["seen", "net", "half", "rates", "all", "cost"]);
    }
    let again = after(&first, agent(), &["(return @seen)"], RunOptions::default());
    assert_eq!(again.end(), "return 1", "the step is as it was");
    let third = after(&again.step, agent(), &["(return (net 30))"], RunOptions::default());
    assert_eq!(third.end(), "return 24.0", "and so on");
}

#[test]
fn the_first_request_shows_the_definitions() {
    let step = first();
    let kept = |message: &str| {
        let start = message.find(";; === user/").expect("the section");
        message[start..].to_owned()
    };
    let plain = after(&step, agent(), &["(def more 1)", "(return 1)"], RunOptions::default());
    assert_snapshot!(kept(&plain.last(1)), @r#"
    ;; === user/ (your prelude) ===
    (half [& xs])
    (net [x])                     ; "Without tax" -> float
    all                           ; = list[3], sample: [1 2 3]
    rates                         ; = map[2], sample: {:single 80} (hidden: _code)
    seen                          ; = atom, sample: 1
    "#);
    assert!(plain.last(2).starts_with("Stored names: all, half, more, net, rates, seen\n"), "{}", plain.last(2));
    assert_eq!(
        plain.requests[0].messages[0], plain.requests[1].messages[0],
        "the beginning is the same in every request"
    );

    let strategies =
        [true.into(), RollingWindow::default().into(), PerTurnSummary::default().into(), Aggressive::default().into()];
    for strategy in strategies {
        let strategy: CompressionConfig = strategy;
        let seen = after(&step, agent().compression(strategy), &["(def more 1)", "(return 1)"], RunOptions::default());
        assert!(seen.last(1).contains("\n(net [x])"), "{}", seen.last(1));
        assert!(!seen.last(2).contains("Defined: ") || seen.last(2).contains(";; Defined: more\n"), "{}", seen.last(2));
    }
    assert!(plain.requests.iter().all(|request| !format!("{request:?}").contains("canary")));
}

#[test]
fn everything_else_begins_anew() {
    let first = check(agent(), &["(def a 1) 10", "(foo)", "20", "(return 30)"]).step;
    let seen = after(&first, agent(), &["(return [*1 *2 data/fail a])"], RunOptions::default());
    assert_eq!(seen.end(), "return [null,null,null,1]");
}

#[test]
fn finished_tasks_are_kept_beside_those_of_the_options() {
    let options = |tasks: &[(&str, i64)]| {
        RunOptions::new().tasks(tasks.iter().map(|(id, n)| ((*id).to_owned(), Value::Int(*n))).collect::<Vec<_>>())
    };
    let answers = vec![Ok("(task \"a\" 1) (task \"b\" 2) (return 3)".into())];
    let first = check_raw(agent(), answers, json!({}), options(&[])).step;
    let seen =
        after(&first, agent(), &["(return [(task \"a\" 10) (task \"b\" 20) (task \"c\" 30)])"], RunOptions::default());
    assert_eq!(seen.end(), "return [1,2,30]");
    assert!(seen.last(1).ends_with("## Mission Log\n\n- [done] a: 1\n- [done] b: 2"), "{}", seen.last(1));
    let seen = after(&first, agent(), &["(return [(task \"a\" 10) (task \"b\" 20)])"], options(&[("b", 7), ("c", 8)]));
    assert_eq!(seen.end(), "return [1,7]");
    assert_eq!(seen.step.tasks.keys().collect::<Vec<_>>(), ["a", "b", "c"]);
}

#[test]
fn a_run_without_an_answer_can_be_continued() {
    let failed = check(agent().max_turns(1).retry_turns(1).fallback(false), &["(def a 1) nil", "(def b 2) (foo)"]).step;
    assert_eq!(failed.ending, EndingKind::Limit);
    let cancelled = check(agent().max_turns(2).fallback(false), &["(def a 1)", "(def b (/ 1 0))"]).step;
    for step in [failed, cancelled] {
        assert_eq!(after(&step, agent(), &["(return a)"], RunOptions::default()).end(), "return 1");
    }
}

#[test]
fn what_a_fallback_left_behind_is_kept_too() {
    let first = check(agent().max_turns(2), &["(def a 1) 5", "(def b 2)"]).step;
    assert_eq!(first.ending, EndingKind::Fallback);
    assert!(first.memory.get("b").is_none());
    assert_eq!(after(&first, agent(), &["(return [a b])"], RunOptions::default()).end(), "return [1,2]");
}

#[test]
fn a_run_does_not_begin_without_a_definition_that_the_other_had() {
    let endless = check(agent(), &["(def n 1) (def numbers (iterate inc n)) (return 1)"]).step;
    assert_eq!(after(&endless, agent(), &["(return (nth numbers 9))"], RunOptions::default()).end(), "return 10");
    let told = refused(&from_file(&endless));
    assert!(told.starts_with(
        "cannot start with these definitions: the definition of numbers is left out: its elements cannot be realised"
    ));
    assert!(told.ends_with("; start without definitions, or with those of a run that still has them"), "{told}");

    let function = check(agent(), &["(defn over? [x] (> x data/limit)) (return 1)"]).step;
    let error = refused(&from_file(&function));
    assert!(
        error.contains("the definition of over? is left out: ") && error.contains("data 'limit' not found"),
        "{error}"
    );

    let mut made = Step::returned(EndingKind::Return, Value::Nil);
    made.memory = Memory::new(first().memory.entries()[..1].to_vec());
    assert_snapshot!(refused(&made), @"cannot start with these definitions: the definition of seen is left out: the step has only its value, not its definition; start without definitions, or with those of a run that still has them");
}

#[test]
fn memory_counts_from_the_start() {
    let first = check(agent(), &["(def a (vec (range 2000))) (return 1)"]).step;
    let seen = after(&first, agent().memory_limit(10_000), &["(def b 1)", "(return 1)"], RunOptions::default());
    assert_eq!(seen.step.fail().expect("a failure").reason.as_str(), "memory_limit_exceeded");
}

#[test]
fn the_blocking_twin_does_the_same() {
    let agent = Agent::builder("And 20?").build().expect("an agent");
    let step = blocking::continue_from(&agent, &first(), Context::default(), scripted(&["(return (net 20))"]).0)
        .expect("a run");
    assert_eq!(step.value::<f64>().expect("a number"), 16.0);
}

#[test]
fn what_the_user_says_next_follows_the_stable_beginning() {
    let first = |options: RunOptions| {
        let agent = agent().llm_query(true).build().expect("an agent");
        agent.preview_request(bookings(), &options).expect("a request").messages[0].clone()
    };
    let (plain, later) =
        (first(RunOptions::default()), first(RunOptions::default().follow_up("The user: and {{those}} of May?")));
    assert_eq!(later.content(), format!("{}\n\nThe user: and {{{{those}}}} of May?", plain.content()));
    // Caches of marked blocks find the beginning in each run of a conversation.
    assert_eq!(later.parts[0], plain.parts[0]);
    assert_eq!(later.stable_bytes(), plain.stable_bytes());
}

#[tokio::test]
async fn definitions_do_not_change_the_stable_beginning() {
    for compression in [CompressionConfig::from(false), CompressionConfig::from(true)] {
        let agent = agent().compression(compression).build().expect("an agent");
        let options = || RunOptions::new().collect_messages(true);
        let first = agent
            .run_with(bookings(), options().llm(Arc::new(ScriptedLlm::replies(["(def n 5)\n(return n)"]))))
            .await
            .expect("a run");
        let later = options().follow_up("Once more.").llm(Arc::new(ScriptedLlm::replies(["(return n)"])));
        let second = agent.continue_from(&first, bookings(), later).await.expect("a run");
        let opening = |step: &Step| step.turns()[0].messages().expect("collected")[0].clone();
        let (one, two) = (opening(&first), opening(&second));
        assert_eq!(one.parts[0], two.parts[0]);
        let text = two.content().into_owned();
        assert!(text.find("Once more.") < text.find("user/") && text.contains("user/"), "{text}");
        assert_eq!(second.follow_up, "Once more.");
    }
}

#[test]
fn a_model_that_writes_text_reads_what_the_user_says_next_too() {
    let agent = Agent::builder("Count.").output(OutputMode::Text).build().expect("an agent");
    let request = agent.preview_request((), &RunOptions::default().follow_up("Once more.")).expect("a request");
    assert_eq!(request.messages[0].content(), "Count.\n\nOnce more.");
}
