//! Damaged journals: bits of a journal with records of every kind are flipped, and the run resumed.
//!
//! `PTC_DAMAGE=1 cargo test -p ptc-agent --lib damage -- --nocapture` flips all of them one by one, which takes most of
//! an hour, and `PTC_DAMAGE=8` each eighth one; the everyday run takes a sample.

use std::collections::BTreeSet;

use super::*;
use crate::{SubagentOptions, ToolContext};

/// Every this many bits one is flipped.
const STRIDE: usize = 397;

/// Programs of the run; each turn asks for the next one.
const PROGRAMS: [&str; 5] = [
    "(def a (tool/look {:id 11})) (def b (tool/pay {:id 12}))",
    "(def c (pmap (fn [i] (tool/note {:id (+ 21 i)})) (range 2))) (def d (try (tool/pay {:id 23}) (catch Exception e 0)))",
    "(def e (tool/look {:id 31})) (foo)",
    "(def f (tool/look {:id 31})) (def g (tool/clerk {:n 42}))",
    "(def h (tool/pay {:id 51})) (return (+ a b d h))",
];

/// What a process did.
#[derive(Default, Clone)]
struct Did {
    /// Ids of calls that were made, by tool.
    calls: Seen<(&'static str, String)>,
    asked: Seen<u32>,
}

impl Did {
    fn calls(&self) -> Vec<(&'static str, String)> {
        self.calls.lock().expect("a list").clone()
    }

    /// The calls that may not be repeated.
    fn effects(&self) -> BTreeSet<String> {
        let calls = self.calls();
        let effects: Vec<_> = calls.into_iter().filter(|(tool, _)| matches!(*tool, "pay" | "send")).collect();
        let ids: BTreeSet<String> = effects.iter().map(|(_, id)| id.clone()).collect();
        assert_eq!(ids.len(), effects.len(), "one process makes no call twice");
        ids
    }

    fn is_nothing(&self) -> bool {
        self.calls().is_empty() && self.asked.lock().expect("a list").is_empty()
    }
}

fn tool(name: &'static str, did: &Did) -> FnTool {
    let call = |(name, did): (&'static str, Did), item: Item, context: ToolContext| async move {
        did.calls.lock().expect("a list").push((name, context.call_id().to_owned()));
        // Calls made together are in flight together.
        tokio::task::yield_now().await;
        Ok::<_, ToolError>(item.id + 1000)
    };
    FnTool::with_state(name, "Works", (name, did.clone()), call)
}

/// Run from what is left of a journal.
fn run(left: &[u8], did: &Did) -> (Result<Step, AgentError>, Vec<u8>) {
    let recorded = Recorded::read(left).map_err(AgentError::from);
    let recorded = match recorded {
        Ok(recorded) => recorded,
        Err(error) => return (Err(error), Vec::new()),
    };
    let whole = recorded.as_ref().map_or(0, Recorded::whole_bytes);
    let journal = Arc::new(JournalWriter::new(left[..whole].to_vec()));
    let asked = Arc::clone(&did.asked);
    let llm = llm_fn("scripted", move |request: &Request| {
        asked.lock().expect("a list").push(request.turn);
        match (request.agent.as_deref(), request.turn) {
            (Some(_), _) => Ok("(return (tool/send {:id data/n}))".into()),
            (None, 2) if request.attempt == 1 => Err(LlmError::from_status(429, "slow down")),
            (None, turn) => Ok((*PROGRAMS.get(turn as usize - 1).unwrap_or(&"(return :lost)")).into()),
        }
    });
    let approver = |waiting: &Approval| -> Vec<Decision> {
        let decision = |id: &String| match id.as_str() {
            "r/2/3" => Decision::deny("too much"),
            "r/5/1" => Decision::Edit(Value::map_from([(Value::keyword("id"), Value::Int(52))])),
            _ => Decision::Approve,
        };
        waiting.ids().iter().map(decision).collect()
    };
    let clerk = Agent::builder("Send {{n}}").signature("(n :int) -> :any").description("Sends").tool(tool("send", did));
    let clerk = clerk.build().and_then(|agent| agent.as_tool(SubagentOptions::named("clerk"))).expect("a tool");
    let look = tool("look", did).effect(ptc_lisp::Effect::Read);
    let agent = Agent::builder("Work").tool(look).tool(tool("note", did).idempotent()).tool(tool("pay", did).approve());
    let retry = LlmRetry { max_attempts: 2, ..LlmRetry::default() };
    let agent = agent.tool(clerk).llm_retry(retry).max_turns(7).build().expect("an agent");
    let options = RunOptions::new()
        .llm(Arc::new(llm))
        .approval(Arc::new(approver))
        .clock(Arc::new(Stopped))
        .run_id("r")
        .journal(Arc::<JournalWriter<Vec<u8>>>::clone(&journal))
        .resume(recorded.map(Arc::new));
    let runtime =
        tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build().expect("a runtime");
    let outcome = runtime.block_on(agent.run_with((), options));
    (outcome, Arc::into_inner(journal).expect("nobody else writes").into_writer())
}

/// A journal of a run that crashed and was resumed: after the start of a call that may be repeated.
fn whole() -> Vec<u8> {
    let (first, journal) = run(b"", &Did::default());
    assert_eq!(first.expect("a step").value::<i64>().expect("a number"), 1011 + 1012 + 1052);
    let crashed = first_lines(&journal, lines_before(&journal, "\"id\":\"r/2/2\"") + 1);
    let (_, journal) = run(&crashed, &Did::default());
    let text = String::from_utf8(journal.clone()).expect("text");
    assert_eq!(text.matches("call.start\",\"id\":\"r/2/1\"").count(), 2, "it was repeated");
    journal
}

/// The journal as far as these crashes left it: finished; a call that is decided, and one that is in flight; an agent
/// that has made a call; an answer whose program has not run.
fn crashed(whole: &[u8]) -> Vec<Vec<u8>> {
    let until = |text: &str| first_lines(whole, lines_before(whole, text));
    let after = |text: &str| first_lines(whole, lines_before(whole, text) + 1);
    vec![
        whole.to_vec(),
        until("call.start\",\"id\":\"r/5/1\""),
        after("call.start\",\"id\":\"r/5/1\""),
        after("r/4/2/1/1"),
        after("\"reply\",\"turn\":4"),
    ]
}

#[test]
fn no_flipped_bit_is_resumed() {
    let whole = whole();
    let stride = std::env::var("PTC_DAMAGE").map_or(STRIDE, |stride| stride.parse().expect("a number"));
    for (crash, journal) in crashed(&whole).into_iter().enumerate() {
        for bit in (crash * 7..journal.len() * 8).step_by(stride) {
            let (at, mut damaged) = (bit / 8, journal.clone());
            damaged[at] ^= 1 << (bit % 8);
            let did = Did::default();
            let (outcome, _) = run(&damaged, &did);
            assert!(outcome.is_err() && did.is_nothing(), "crash {crash}, bit {bit}: {:?}", did.calls());
        }
    }
}

#[test]
fn no_record_that_is_lost_doubled_or_moved_makes_a_call_a_second_time() {
    let whole = whole();
    for journal in crashed(&whole) {
        let lines: Vec<&[u8]> = journal.split_inclusive(|byte| *byte == b'\n').collect();
        let recorded = Recorded::read(&journal).expect("a journal").expect("a header");
        let begun: BTreeSet<String> = recorded.calls().map(|call| call.start.id.clone()).collect();
        let check = |change: &str, at: usize, lines: &[&[u8]], may_repeat: Option<&str>| {
            let did = Did::default();
            let (outcome, _) = run(&lines.concat(), &did);
            let again: Vec<String> = did.effects().intersection(&begun).cloned().collect();
            // A journal whose last start is lost does not say that the call was made.
            assert!(
                again.iter().all(|id| may_repeat.is_some_and(|line| line.contains(id))),
                "{change} line {at}: {again:?}"
            );
            assert!(outcome.is_ok() || did.is_nothing(), "{change} line {at}: {:?}", did.calls());
        };
        for at in 1..lines.len() {
            let lost = [&lines[..at], &lines[at + 1..]].concat();
            let last = std::str::from_utf8(lines[at]).ok().filter(|_| at + 1 == lines.len());
            check("lost", at, &lost, last);
            check("doubled", at, &[&lines[..=at], &lines[at..]].concat(), None);
            let mut swapped = lines.clone();
            swapped.swap(at, (at + 1).min(lines.len() - 1));
            check("swapped", at, &swapped, None);
        }
    }
}

#[test]
fn a_journal_of_calls_of_another_run_is_refused() {
    let whole = whole();
    let renamed = forged(&whole, |line| line.replace("\"run\":\"r\"", "\"run\":\"s\""));
    let did = Did::default();
    let (outcome, _) = run(&renamed, &did);
    assert_snapshot!(outcome.expect_err("another run"), @"line 4 of the journal belongs to another run: it has the id `r/1/1`, and the ids of this run begin with `s/`, as the first line says; the file was damaged, edited, or joined from two; nothing was done: resume with the journal as it was written");
    assert!(did.is_nothing());
}
