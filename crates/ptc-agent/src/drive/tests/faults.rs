//! What was once lost, or broke the run, when something went wrong: found by the schedules of `tests/faults.rs`.

use std::sync::Arc;
use std::time::Duration;

use insta::assert_snapshot;
use ptc_chat::{LlmError, OutputMode, Reply, Request, ScriptedLlm, Tokens, llm_fn};
use ptc_compression::{Compression, RenderInput, Rendered, Renderer, SingleUserCoalesced};
use ptc_lisp::Memory;
use ptc_transcript::{Journal, Recorded, Step, Turn};

use crate::testing::{Item, ended, scripted};
use crate::testkit::{Fault, Faults, FaultyJournal, Stop, stopped};
use crate::{
    Agent, AgentBuilder, CancellationToken, Context, FnTool, LlmRetry, RunOptions, SubagentOptions, ToolError,
};

fn payer() -> AgentBuilder {
    Agent::builder("Pay").tool(FnTool::new("pay", "Pays", |item: Item| Ok::<_, ToolError>(item.id)))
}

async fn run(agent: AgentBuilder, options: RunOptions) -> Step {
    agent.build().expect("an agent").run_with(Context::default(), options).await.expect("a run")
}

/// Each call with its error, and whether it may have been done.
fn calls(step: &Step) -> String {
    let calls = step.turns().iter().flat_map(Turn::tool_calls);
    calls
        .map(|call| format!("{} {:?} took effect: {}", call.name, call.error, call.took_effect()))
        .collect::<Vec<_>>()
        .join("\n")
}

#[tokio::test]
async fn a_callback_for_pieces_of_the_answer_may_panic() {
    let tell = |_: &str| panic!("deaf");
    for tools in [false, true] {
        let agent = if tools { payer() } else { Agent::builder("Say") };
        let step = run(agent.output(OutputMode::Text), scripted(&["Good morning."]).0.on_chunk(tell)).await;
        assert_eq!(ended(&step), "value \"Good morning.\"");
    }
}

/// A journal that cannot be written from the first record with this text on.
struct FullAt(&'static str, FaultyJournal);

impl Journal for FullAt {
    fn write(&self, line: &str) -> std::io::Result<()> {
        if line.contains(self.0) {
            return Err(std::io::ErrorKind::StorageFull.into());
        }
        self.1.write(line)
    }

    fn sync(&self) -> std::io::Result<()> {
        self.1.sync()
    }
}

fn full_at(text: &'static str) -> Arc<FullAt> {
    Arc::new(FullAt(text, Faults::new(0).one_in(0).journal(b"")))
}

#[tokio::test]
async fn a_call_is_told_when_the_journal_cannot_tell_it() {
    let (options, llm) = scripted(&["(def a (tool/pay {:id 1})) (tool/pay {:id 2})", "(return 1)"]);
    let step = run(payer(), options.clone().journal(full_at("call.end"))).await;
    assert_snapshot!(ended(&step), @"error journal_error: cannot write the journal: no storage space");
    assert_snapshot!(calls(&step), @"pay None took effect: true");
    assert_eq!((step.turns().len(), step.usage.turns, llm.requests().len()), (1, 1, 1));
    let (options, _) = scripted(&["(pmap (fn [n] (tool/pay {:id n})) [1 2])"]);
    let step = run(payer(), options.journal(full_at("\"id\",2"))).await;
    assert_snapshot!(calls(&step), @r#"
    pay None took effect: true
    pay Some("it was not called: cannot write the journal: no storage space") took effect: false
    "#);
}

#[tokio::test]
async fn what_an_answer_cost_is_told_when_the_journal_cannot_tell_it() {
    let tokens = Some(Tokens { input: 7, output: 2, ..Tokens::default() });
    let reply = move || Reply { tokens, ..Reply::text("(return 1)") };
    let llm = Arc::new(ScriptedLlm::replies([reply()]));
    let step = run(payer(), RunOptions::new().llm(llm).journal(full_at("reply"))).await;
    assert_eq!((step.usage.total_tokens, step.usage.llm_requests), (Some(9), Some(1)));
    // Nor is it lost when the run is cancelled just then.
    let cancel = CancellationToken::new();
    let token = cancel.clone();
    let llm = llm_fn("m", move |_: &Request| {
        token.cancel();
        Ok::<_, LlmError>(reply())
    });
    let step = run(payer(), RunOptions::new().llm(Arc::new(llm)).cancel(cancel)).await;
    assert_eq!(ended(&step), "error cancelled: the run was cancelled");
    assert_eq!((step.usage.total_tokens, step.usage.llm_requests), (Some(9), Some(1)));
}

/// A journal that panics at the end of a call.
struct Panics;

impl Journal for Panics {
    fn write(&self, line: &str) -> std::io::Result<()> {
        assert!(!line.starts_with("{\"type\":\"call.end\""), "no ends");
        Ok(())
    }

    fn sync(&self) -> std::io::Result<()> {
        Ok(())
    }
}

#[tokio::test]
async fn a_journal_that_panics_cannot_be_written() {
    let (options, _) = scripted(&["(return (tool/pay {:id 1}))"]);
    let step = run(payer(), options.journal(Arc::new(Panics))).await;
    assert_snapshot!(ended(&step), @"error journal_error: cannot write the journal: it panicked: no ends");
    assert_snapshot!(calls(&step), @"pay None took effect: true");
}

#[tokio::test(start_paused = true)]
async fn a_model_that_never_answers_keeps_the_deadline() {
    let faults = Faults::new(1).one_in(1).only([Fault::NoReply]);
    let retry = LlmRetry { max_attempts: 5, ..LlmRetry::default() };
    let agent = payer().mission_timeout(Duration::from_secs(90)).llm_retry(retry);
    let step = run(agent, RunOptions::new().llm(faults.llm(scripted(&["(return 1)"]).1))).await;
    assert_eq!(ended(&step), "limit mission_timeout: the mission deadline has passed");
    assert_eq!((step.usage.duration_ms, step.usage.llm_requests), (90_000, Some(1)));
}

#[tokio::test(start_paused = true)]
async fn a_request_that_was_not_sent_does_not_count() {
    let llm = llm_fn("m", |_: &Request| {
        Err::<Reply, _>(LlmError::from_status(429, "slow down").with_retry_after(Duration::from_secs(60)))
    });
    let cancel = CancellationToken::new();
    let retry = LlmRetry { max_attempts: 5, ..LlmRetry::default() };
    let options = RunOptions::new().llm(Arc::new(llm)).cancel(cancel.clone());
    let stop = async {
        tokio::time::sleep(Duration::from_secs(90)).await;
        cancel.cancel();
    };
    let (step, ()) = tokio::join!(run(payer().llm_retry(retry), options), stop);
    assert_eq!(step.usage.llm_requests, Some(2));
}

#[tokio::test(start_paused = true)]
async fn no_server_makes_a_run_wait_for_ever() {
    let llm = |wait: Duration| {
        llm_fn("m", move |_: &Request| Err::<Reply, _>(LlmError::from_status(429, "slow down").with_retry_after(wait)))
    };
    let retry = || LlmRetry { max_attempts: 2, ..LlmRetry::default() };
    for (wait, requests) in [(Duration::MAX, 1), (Duration::from_secs(3_601), 1), (Duration::from_secs(3_600), 2)] {
        let step = run(payer().llm_retry(retry()), RunOptions::new().llm(Arc::new(llm(wait)))).await;
        assert_eq!(
            (step.fail().expect("a failure").reason.as_str(), step.usage.llm_requests),
            ("llm_error", Some(requests))
        );
    }
}

/// A strategy that panics when it is started, when it receives a turn, or when it writes a request.
struct Breaks(&'static str);

impl Compression for Breaks {
    fn name(&self) -> &str {
        "breaks"
    }

    fn to_messages(&self, _: &[Turn], _: &Memory, _: &RenderInput<'_>) -> Rendered {
        panic!("no request")
    }

    fn incremental(&self) -> Option<Box<dyn Renderer>> {
        assert_ne!(self.0, "begin", "no beginning");
        SingleUserCoalesced::default().incremental().map(|inner| Box::new(Deaf(inner)) as _)
    }
}

struct Deaf(Box<dyn Renderer>);

impl Renderer for Deaf {
    fn push(&mut self, _: &Turn) {
        panic!("no turn")
    }

    fn render(&self, memory: &Memory, input: &RenderInput<'_>) -> Rendered {
        self.0.render(memory, input)
    }
}

fn breaking(at: &'static str) -> Arc<dyn Compression> {
    Arc::new(Breaks(at))
}

#[tokio::test]
async fn a_strategy_that_panics_takes_no_turn_along() {
    let (options, _) = scripted(&["(tool/pay {:id 1})", "(return 1)"]);
    let step = run(payer().compression(breaking("turn")), options).await;
    assert_snapshot!(ended(&step), @"error internal_error: no turn");
    assert_snapshot!(calls(&step), @"pay None took effect: true");
}

#[tokio::test]
async fn a_run_that_panics_at_the_start_is_an_error() {
    let agent = payer().compression(breaking("begin")).build().expect("an agent");
    let error = agent.run_with(Context::default(), scripted(&["(return 1)"]).0).await.expect_err("no run");
    assert!(error.to_string().starts_with("a part of the run panicked before the first request: "), "{error}");

    let child = Agent::builder("Break").description("Breaks").compression(breaking("begin")).build().expect("an agent");
    let boss = payer().tool(child.as_tool(SubagentOptions::named("child")).expect("a tool"));
    let (options, _) = scripted(&["(tool/pay {:id 1}) (tool/child {})", "(return (:message data/fail))"]);
    let step = run(boss, options).await;
    let told = step.value::<String>().expect("a text");
    assert!(told.contains("tool 'child' failed: a part of the run panicked"), "{told}");
}

/// A crash in the middle of a call of an idempotent tool, and then `then` in the next process: what is reported about
/// it.
async fn repeated(then: impl Fn(RunOptions) -> RunOptions, answers: Result<i64, ToolError>) -> String {
    let programs = ["(tool/pay {:id 1})", "(return 1)"];
    let agent = |hangs: bool, answer: Result<i64, ToolError>| {
        let pay = move |_: Item| {
            let answer = answer.clone();
            async move {
                if hangs {
                    std::future::pending::<()>().await;
                }
                answer
            }
        };
        Agent::builder("Pay").tool(FnTool::new("pay", "Pays", pay).idempotent()).build().expect("an agent")
    };
    let calm = Faults::new(0).one_in(0);
    let journal = Arc::new(calm.journal(b""));
    let options = scripted(&programs).0.run_id("r").journal(Arc::clone(&journal) as Arc<dyn Journal>);
    let first = agent(true, Ok(1));
    // It waits for the tool when it is polled for the first time.
    assert!(stopped(first.run_with(Context::default(), options), 1, Stop::Drop).await.0.is_none());
    let left = journal.written();
    let recorded = Recorded::read(&left).expect("a journal").expect("a header");
    let options = scripted(&programs[1..]).0.resume(Arc::new(recorded));
    let step = agent(false, answers).run_with(Context::default(), then(options)).await.expect("a run");
    calls(&step)
}

#[tokio::test(start_paused = true)]
async fn what_a_process_before_may_have_done_is_not_told_as_not_done() {
    let again = |options| options;
    assert_snapshot!(repeated(again, Ok(1)).await, @"pay None took effect: true");
    let refused = Err(ToolError::new("closed").may_have_run(false));
    assert_snapshot!(repeated(again, refused).await, @r#"pay Some("closed") took effect: true"#);
    let unwritable = |options: RunOptions| options.journal(full_at("call.start"));
    assert_snapshot!(repeated(unwritable, Ok(1)).await, @r#"pay Some("it was not called: cannot write the journal: no storage space") took effect: true"#);
}
