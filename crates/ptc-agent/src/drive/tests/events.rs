//! What observers see of runs below runs.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex};

use futures::StreamExt;
use ptc_chat::{BoxFuture, ChunkSink, Llm, LlmError, OutputMode, ReplayLlm, Reply, Request, ScriptedLlm};
use ptc_lisp::{BoxFuture as LispFuture, OnNotice, Tool, ToolCall, ToolNotice, ToolResult, ToolSpec, Value};
use ptc_transcript::{Event, EventKind, Journal, JournalWriter, Recorded, SpanId};
use serde_json::json;

use crate::testing::Item;
use crate::{
    Agent, AgentBuilder, AgentError, Approval, Context, Decision, FnTool, RunOptions, Streamed, SubagentOptions,
    ToolError,
};

/// Calls `boss`, which calls `clerk`, which pays; paying 13 fails.
fn agent() -> AgentBuilder {
    let pay = |item: Item| if item.id == 13 { Err(ToolError::new("bad luck")) } else { Ok(item.id) };
    let clerk = Agent::builder("Pay").description("Pays").tool(FnTool::new("pay", "Pays", pay).approve());
    let tool = |agent: AgentBuilder, name| {
        agent.build().expect("an agent").as_tool(SubagentOptions::named(name)).expect("a tool")
    };
    let boss = Agent::builder("Decide").description("Decides").tool(tool(clerk, "clerk"));
    Agent::builder("Have it paid").tool(tool(boss, "boss"))
}

const CLERK: [(&str, &str); 4] = [
    ("clerk", "(tool/pay {:id 13})"),
    ("clerk", "(def a"),
    ("clerk", "(tool/pay {:id 4})"),
    ("clerk", "(return (tool/pay {:id 5}))"),
];

/// The events of one process, and its journal.
fn events(lines: &[(&str, &str)], journal: &[u8]) -> (Vec<Event>, Vec<u8>) {
    events_of(agent(), lines, journal)
}

fn events_of(agent: AgentBuilder, lines: &[(&str, &str)], journal: &[u8]) -> (Vec<Event>, Vec<u8>) {
    let line = |(agent, program): &(&str, &str)| json!({"agent": Some(agent).filter(|agent| !agent.is_empty()), "content": program});
    let lines: Vec<String> = lines.iter().map(|entry| line(entry).to_string()).collect();
    let recorded = Recorded::read(journal).expect("a journal");
    let sink = Arc::new(JournalWriter::new(journal.to_vec()));
    let heard: Arc<Mutex<Vec<Event>>> = Arc::default();
    let ears = Arc::clone(&heard);
    let edit = |_: &Approval| vec![Decision::Edit(Value::from_json(json!({"id": 13})))];
    let options = RunOptions::new()
        .llm(Arc::new(ReplayLlm::from_text("answers", &lines.join("\n")).expect("answers")))
        .observers(vec![Arc::new(move |event: &Event| ears.lock().expect("a list").push(event.clone()))])
        .approval(Arc::new(edit))
        .journal(Arc::<JournalWriter<Vec<u8>>>::clone(&sink) as Arc<dyn Journal>)
        .resume(recorded.map(Arc::new));
    let runtime =
        tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build().expect("a runtime");
    runtime.block_on(agent.build().expect("an agent").run_with(Context::default(), options)).expect("a run");
    let events = std::mem::take(&mut *heard.lock().expect("a list"));
    (events, Arc::into_inner(sink).expect("nobody else writes").into_writer())
}

/// Every span has one parent, open until the span is closed; only the run that was started has none. Returns the kinds
/// of events.
fn check(events: &[Event]) -> BTreeSet<&'static str> {
    let mut open: BTreeMap<SpanId, Option<SpanId>> = BTreeMap::new();
    for (place, event) in events.iter().enumerate() {
        let told = format!("{} of {} in {:?}", event.kind.name(), event.span, event.parent);
        assert_eq!(event.parent.is_none(), event.span == events[0].span, "{told}");
        assert!(event.parent.is_none_or(|parent| open.contains_key(&parent)), "{told}");
        if event.kind.name().ends_with(".start") {
            assert_eq!(open.insert(event.span, event.parent), None, "{told}");
        } else {
            assert_eq!(open.remove(&event.span), Some(event.parent), "{told} at {place}");
        }
    }
    assert!(open.is_empty(), "{open:?}");
    events.iter().map(|event| event.kind.name()).collect()
}

/// Events with their spans numbered in the order in which they start, and what begins.
fn shape(events: &[Event]) -> Vec<String> {
    let mut spans: Vec<SpanId> = Vec::new();
    let told = |event: &Event| {
        if event.kind.name().ends_with(".start") {
            spans.push(event.span);
        }
        let number = |span: SpanId| spans.iter().position(|known| *known == span);
        let (span, parent) = (number(event.span), event.parent.map(number));
        let begins = match &event.kind {
            EventKind::RunStart { agent, .. } => format!("{agent:?}"),
            EventKind::TurnStart { kind, .. } => kind.as_str().to_owned(),
            _ => String::new(),
        };
        format!("{} of {} {:?} {span:?} in {parent:?} {begins}", event.kind.name(), event.run, event.agent)
    };
    events.iter().map(told).collect()
}

/// The events of a journal.
fn recorded(journal: &[u8]) -> Vec<Event> {
    let mut recorded = Vec::new();
    ptc_transcript::journal_events(journal, &mut |_, event| recorded.push(event.clone())).expect("a journal");
    recorded
}

#[test]
fn every_event_of_a_run_below_has_its_parent() {
    let first = [("", "(return (tool/boss))"), ("boss", "(return (tool/clerk))")];
    let (whole, journal) = events(&[&first[..], &CLERK, &[("boss", "(return 1)")]].concat(), b"");
    let mut kinds = check(&whole);
    assert_eq!(shape(&recorded(&journal)), shape(&whole), "the journal says what happened");
    // A journal that cannot be read at the decision of the clerk: that run breaks down, the others continue.
    let journal = String::from_utf8(journal).expect("text");
    let (before, _) = journal
        .split_once(r#"{"type":"call.start""#)
        .and_then(|(before, rest)| {
            let call = rest.lines().next()?;
            Some((format!("{before}{{\"type\":\"call.start\"{call}\n"), rest))
        })
        .expect("a call");
    let asked = journal.lines().find(|line| line.contains(r#""approval""#)).expect("a decision");
    let spoilt = format!("{before}{}\n", asked.replace(r#"{"id":13}"#, r#"{"id":{"$int":"x"}}"#));
    let spoilt = crate::testing::forged(spoilt.as_bytes(), str::to_owned);
    let (broken, _) = events(&[&first[1..], &CLERK, &[("boss", "(return 1)"), ("", "(return 2)")]].concat(), &spoilt);
    kinds.extend(check(&broken));
    let all = [
        "approval.start",
        "approval.stop",
        "llm.start",
        "llm.stop",
        "run.exception",
        "run.start",
        "run.stop",
        "tool.exception",
        "tool.start",
        "tool.stop",
        "turn.start",
        "turn.stop",
    ];
    assert_eq!(kinds.into_iter().collect::<Vec<_>>(), all);
}

#[test]
fn a_turn_without_an_answer_is_on_record_as_it_began() {
    let (heard, journal) = events_of(agent().max_turns(1), &[], b"");
    assert!(shape(&heard)[1].ends_with("must_return"), "{heard:?}");
    assert_eq!(shape(&recorded(&journal)), shape(&heard));
}

#[test]
fn observers_are_told_what_the_model_is_asked_to_write() {
    let output = |agent: AgentBuilder| {
        let seen: Arc<Mutex<Vec<OutputMode>>> = Arc::default();
        let notes = Arc::clone(&seen);
        let observer = move |event: &Event| {
            if let EventKind::RunStart { agent, .. } = &event.kind {
                notes.lock().expect("a list").push(agent.output);
            }
        };
        let llm = ScriptedLlm::replies(["(return 1)"]);
        let options = RunOptions::new().llm(Arc::new(llm)).observers(vec![Arc::new(observer)]);
        let agent = agent.build().expect("an agent");
        crate::blocking::run_with(&agent, Context::default(), options).expect("a run");
        std::mem::take(&mut *seen.lock().expect("a list"))
    };
    for (mode, name) in [(OutputMode::PtcLisp, "ptc_lisp"), (OutputMode::Json, "json"), (OutputMode::Text, "text")] {
        assert_eq!(output(Agent::builder("Say one").signature("() -> :any").output(mode)), [mode]);
        assert_eq!(mode.as_str(), name);
    }
}

/// Writes a program in two pieces.
struct Slow;

impl Llm for Slow {
    fn reply<'a>(
        &'a self,
        _: &'a Request,
        chunks: Option<&'a mut dyn ChunkSink>,
    ) -> BoxFuture<'a, Result<Reply, LlmError>> {
        Box::pin(async move {
            if let Some(chunks) = chunks {
                ["(return ", "7)"].iter().for_each(|piece| chunks.chunk(piece));
            }
            Ok("(return 7)".into())
        })
    }

    fn name(&self) -> &str {
        "slow"
    }
}

#[test]
fn programs_are_streamed_to_observers_that_ask_for_it() {
    let heard = |options: RunOptions| {
        let seen: Arc<Mutex<Vec<String>>> = Arc::default();
        let notes = Arc::clone(&seen);
        let observer = move |event: &Event| {
            notes.lock().expect("a list").push(match &event.kind {
                EventKind::LlmChunk { turn, attempt, text } => format!("{turn}.{attempt} {text}"),
                kind => kind.name().to_owned(),
            });
        };
        let options = options.llm(Arc::new(Slow)).observers(vec![Arc::new(observer)]);
        let agent = Agent::builder("Say seven").build().expect("an agent");
        crate::blocking::run_with(&agent, Context::default(), options).expect("a run");
        let seen = std::mem::take(&mut *seen.lock().expect("a list"));
        seen.join(", ")
    };
    let told = heard(RunOptions::new().stream(true));
    assert_eq!(told, "run.start, turn.start, llm.start, 1.1 (return , 1.1 7), llm.stop, turn.stop, run.stop");
    assert!(!heard(RunOptions::new()).contains("1.1"));
}

/// Reports the progress of its calls.
struct Telling(ToolSpec);

impl Tool for Telling {
    fn spec(&self) -> &ToolSpec {
        &self.0
    }

    fn call<'a>(&'a self, call: &'a ToolCall) -> LispFuture<'a, ToolResult> {
        self.watched_call(call, &|_| ())
    }

    fn watched_call<'a>(&'a self, _: &'a ToolCall, on_notice: &'a OnNotice<'a>) -> LispFuture<'a, ToolResult> {
        Box::pin(async move {
            for done in [1.0, 2.0] {
                on_notice(ToolNotice::Progress { done, total: Some(2.0), message: None });
                tokio::task::yield_now().await;
            }
            Ok(Value::Int(2))
        })
    }
}

#[test]
fn what_tools_tell_is_inside_of_their_calls() {
    let heard: Arc<Mutex<Vec<Event>>> = Arc::default();
    let ears = Arc::clone(&heard);
    let llm = ScriptedLlm::replies(["(return (tool/scan {}))"]);
    let options = RunOptions::new()
        .llm(Arc::new(llm))
        .observers(vec![Arc::new(move |event: &Event| ears.lock().expect("a list").push(event.clone()))]);
    let agent = Agent::builder("Scan").tool(Telling(ToolSpec::new("scan"))).build().expect("an agent");
    crate::blocking::run_with(&agent, Context::default(), options).expect("a run");
    let events = std::mem::take(&mut *heard.lock().expect("a list"));
    let of_call: Vec<&Event> = events.iter().filter(|event| event.kind.name().starts_with("tool.")).collect();
    let names: Vec<&str> = of_call.iter().map(|event| event.kind.name()).collect();
    assert_eq!(names, ["tool.start", "tool.progress", "tool.progress", "tool.stop"]);
    assert!(of_call.iter().all(|event| event.span == of_call[0].span && event.parent == of_call[0].parent));
    let without: Vec<Event> = events.into_iter().filter(|event| !event.kind.is_inside()).collect();
    check(&without);
}

#[test]
fn events_say_in_which_run_they_happened() {
    let child = Agent::builder("Two").description("Gives two").build().expect("an agent");
    let tool = child.as_tool(SubagentOptions::named("two")).expect("a tool");
    let agent = Agent::builder("Four").tool(tool).build().expect("an agent");
    let seen: Arc<Mutex<Vec<(String, &str)>>> = Arc::default();
    let notes = Arc::clone(&seen);
    let observer = move |event: &Event| notes.lock().expect("a list").push((event.run.to_string(), event.kind.name()));
    let llm = ScriptedLlm::replies(["(return (* 2 (tool/two {})))", "(return 2)"]);
    let options = RunOptions::new().llm(Arc::new(llm)).run_id("r7").observers(vec![Arc::new(observer)]);
    crate::blocking::run_with(&agent, Context::default(), options).expect("a run");
    let seen = seen.lock().expect("a list");
    let starts: Vec<&str> = seen.iter().filter(|(_, kind)| *kind == "run.start").map(|(run, _)| run.as_str()).collect();
    assert_eq!(starts, ["r7", "r7/1/1"]);
    assert!(seen.iter().all(|(run, _)| starts.contains(&run.as_str())), "{seen:?}");
}

#[tokio::test]
async fn a_stream_gives_what_observers_hear_and_then_the_result() {
    let heard: Arc<Mutex<Vec<String>>> = Arc::default();
    let ears = Arc::clone(&heard);
    let told = |event: &Event| format!("{:?} {} {}", event.parent, event.span, event.kind.name());
    let observer = move |event: &Event| ears.lock().expect("a list").push(told(event));
    let lines = CLERK.map(|(agent, content)| json!({"agent": agent, "content": content}).to_string());
    let above =
        [r#"{"content": "(return (tool/boss {}))"}"#, r#"{"agent": "boss", "content": "(return (tool/clerk {}))"}"#];
    let text = [above.as_slice(), &lines.each_ref().map(String::as_str)].concat().join("\n");
    let options = RunOptions::new()
        .llm(Arc::new(ReplayLlm::from_text("answers", &text).expect("answers")))
        .approval(Arc::new(|_: &Approval| vec![Decision::Approve; 1]))
        .observers(vec![Arc::new(observer)]);
    let agent = agent().build().expect("an agent");
    let mut run = agent.stream_with((), options);
    let mut given = Vec::new();
    let result = loop {
        match run.next().await.expect("an end") {
            Streamed::Event(event) => {
                given.push(told(&event));
                assert!(heard.lock().expect("a list").len() >= given.len(), "nothing is told before it happens");
            }
            Streamed::End(result) => break result,
        }
    };
    assert!((*result).expect("a run").is_ok());
    assert!(given.len() > 20, "{given:?}");
    assert_eq!(given, *heard.lock().expect("a list"));
    assert!(run.next().await.is_none(), "the result is the last item");
}

#[tokio::test]
async fn a_stream_that_nobody_reads_asks_no_model_and_one_that_cannot_begin_says_why() {
    let agent = Agent::builder("Say seven").build().expect("an agent");
    let llm = ScriptedLlm::replies(["(return 7)"]);
    drop(agent.stream(&llm, ()));
    let left = agent.run(&llm, ()).await.expect("a run");
    assert_eq!(left.value::<u32>().expect("a number"), 7, "its answer is still there");
    let mut none = agent.stream_with((), RunOptions::new());
    assert!(
        matches!(none.next().await, Some(Streamed::End(result)) if matches!(*result, Err(AgentError::LlmRequired)))
    );
    assert!(none.next().await.is_none());
}
