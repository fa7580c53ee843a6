//! Approval inside agents that are called as tools.

use std::sync::{Arc, Mutex};

use insta::assert_snapshot;
use ptc_chat::{OutputMode, ReplayLlm, Reply, ScriptedLlm, ToolUse};
use ptc_lisp::BoxFuture;
use ptc_lisp::text::display_text;
use ptc_transcript::{JournalWriter, Recorded, Step};
use serde_json::json;

use crate::testing::{Item, ended};
use crate::{Agent, Decision, FnTool, RunOptions, ToolError};
use crate::{AgentBuilder, AgentError, Approval, ApprovalScope, Approver, CancellationToken, Context, SubagentOptions};

/// What was really paid.
type Paid = Arc<Mutex<Vec<i64>>>;

/// An agent whose tool needs approval, below `levels` agents that only pass the call on: `a1` calls `a2` and so on.
fn nested(levels: usize, paid: &Paid) -> AgentBuilder {
    let pay = |paid: Paid, item: Item| {
        paid.lock().expect("a list").push(item.id);
        Ok::<_, ToolError>(item.id * 10)
    };
    let clerk = Agent::builder("Pay {{n}}").signature("(n :int) -> :any").description("Pays");
    let mut agent = clerk.tool(FnTool::with_state("pay", "Pays", Arc::clone(paid), pay).approve());
    for level in (1..=levels).rev() {
        let tool =
            agent.build().expect("an agent").as_tool(SubagentOptions::named(format!("a{level}"))).expect("a tool");
        agent = Agent::builder("Have {{n}} paid").signature("(n :int) -> :any").description("Asks others").tool(tool);
    }
    agent
}

/// Answers by agent; `""` is the agent that was started from outside.
fn replay(lines: &[(&str, &str)]) -> Arc<ReplayLlm> {
    let line = |(agent, program): &(&str, &str)| json!({"agent": Some(agent).filter(|agent| !agent.is_empty()), "content": program});
    let lines: Vec<String> = lines.iter().map(|entry| line(entry).to_string()).collect();
    Arc::new(ReplayLlm::from_text("answers", &lines.join("\n")).expect("answers"))
}

fn run(agent: AgentBuilder, lines: &[(&str, &str)], options: RunOptions) -> Result<Step, AgentError> {
    let options = options.llm(replay(lines)).run_id("r");
    let runtime =
        tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build().expect("a runtime");
    runtime.block_on(agent.build()?.run_with(Context::new(json!({"n": 7}))?, options))
}

#[test]
fn nothing_starts_when_an_agent_below_could_ask_nobody() {
    let error = |levels| {
        run(nested(levels, &Paid::default()), &[], RunOptions::default()).expect_err("nobody to ask").to_string()
    };
    assert_snapshot!(error(0), @"calls of 'pay' need approval, but there is no approver: set `RunOptions::approval`");
    assert_snapshot!(error(1), @"calls of 'pay' of agent 'a1' need approval, but there is no approver: set `RunOptions::approval`");
    assert_snapshot!(error(3), @"calls of 'pay' of agent 'a1/a2/a3' need approval, but there is no approver: set `RunOptions::approval`");
}

/// Decides the same each time, and notes what was asked.
#[derive(Clone)]
struct Clerk {
    asked: Arc<Mutex<Vec<String>>>,
    decision: Decision,
}

impl Clerk {
    fn new(decision: Decision) -> Clerk {
        Clerk { asked: Arc::default(), decision }
    }

    fn options(&self, scope: ApprovalScope) -> RunOptions {
        RunOptions::new().approval(Arc::new(self.clone())).approval_scope(scope)
    }

    fn asked(&self) -> String {
        std::mem::take(&mut *self.asked.lock().expect("a list")).join("\n")
    }
}

impl Approver for Clerk {
    fn decide<'a>(&'a self, waiting: &'a Approval) -> BoxFuture<'a, Vec<Decision>> {
        let what = match waiting {
            Approval::Calls(calls) => {
                calls.iter().map(|call| format!("{} {}", call.call.name, display_text(&call.call.args))).collect()
            }
            Approval::Program(program) => program.source.clone(),
        };
        let line = format!("{} asks {}: {what}", waiting.path().join("/"), waiting.ids().join(" "));
        self.asked.lock().expect("a list").push(line.trim_start().to_owned());
        Box::pin(async { vec![self.decision.clone(); waiting.ids().len()] })
    }
}

#[test]
fn an_agent_below_asks_the_same_approver_and_says_who_it_is() {
    let lines = [
        ("", "(return (tool/a1 {:n data/n}))"),
        ("a1", "(return (tool/a2 {:n data/n}))"),
        ("a2", "(def paid (tool/pay {:id data/n}))"),
    ];
    let lines = |last: &'static str| [&lines[..], &[("a2", last)]].concat();
    let paid = Paid::default();
    let clerk = Clerk::new(Decision::Approve);
    let step = run(nested(2, &paid), &lines("(return paid)"), clerk.options(ApprovalScope::Calls)).expect("a run");
    assert_snapshot!(ended(&step), @"return 70");
    assert_snapshot!(clerk.asked(), @r#"a1/a2 asks r/1/1/1/1/1/1: pay {"id" 7}"#);
    assert_eq!(*paid.lock().expect("a list"), [7]);
    let clerk = Clerk::new(Decision::deny("not today"));
    let step = run(nested(2, &paid), &lines("(return (:message data/fail))"), clerk.options(ApprovalScope::Calls))
        .expect("a run");
    assert_snapshot!(ended(&step), @r#"return "tool 'pay' failed: it was not allowed: not today at line 1, column 11""#);
    assert_eq!(*paid.lock().expect("a list"), [7], "nothing more was paid");
}

#[test]
fn compiled_agents_below_and_those_that_answer_with_text_ask_too() {
    let paid = Paid::default();
    let clerk = Clerk::new(Decision::Approve);
    let pay = |paid: Paid, item: Item| {
        paid.lock().expect("a list").push(item.id);
        Ok::<_, ToolError>(item.id * 10)
    };
    let pay = || FnTool::with_state("pay", "Pays", Arc::clone(&paid), pay).approve();
    let compiled =
        Agent::builder("Pay {{n}}").signature("(n :int) -> :any").description("Pays").max_turns(1).tool(pay());
    let options = clerk.options(ApprovalScope::Calls).llm(replay(&[("", "(return (tool/pay {:id data/n}))")]));
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().expect("a runtime");
    let sample = Context::new(json!({"n": 1})).expect("data");
    let compiled = runtime.block_on(compiled.build().expect("an agent").compile(sample, options)).expect("a program");
    let text = Agent::builder("Pay {{n}}")
        .signature("(n :int) -> :string")
        .description("Pays")
        .output(OutputMode::Text)
        .tool(pay());
    let boss = Agent::builder("Have it paid")
        .tool(compiled.as_tool(SubagentOptions::named("fast")).expect("a tool"))
        .tool(text.build().expect("an agent").as_tool(SubagentOptions::named("chatty")).expect("a tool"));
    let asked = Reply { tool_calls: vec![ToolUse::new("c1", "pay", json!({"id": 3}))], ..Reply::default() };
    let replies = ["(return [(tool/fast {:n 2}) (tool/chatty {:n 3})])".into(), asked, "Paid.".into()];
    let options = clerk.options(ApprovalScope::Calls).llm(Arc::new(ScriptedLlm::new(replies.map(Ok)))).run_id("r");
    clerk.asked();
    let step = runtime.block_on(boss.build().expect("an agent").run_with(Context::default(), options)).expect("a run");
    assert_snapshot!(ended(&step), @r#"return [20,"Paid."]"#);
    assert_snapshot!(clerk.asked(), @r#"
    fast asks r/1/1/1/1: pay {"id" 2}
    chatty asks r/1/2/1/1: pay {"id" 3}
    "#);
    assert_eq!(*paid.lock().expect("a list"), [1, 2, 3]);
}

#[test]
fn programs_of_agents_below_have_ids_of_their_own() {
    let clerk = Clerk::new(Decision::Approve);
    let lines = [("", "(return (tool/a1 {:n data/n}))"), ("a1", "(return (tool/pay {:id data/n}))")];
    let step = run(nested(1, &Paid::default()), &lines, clerk.options(ApprovalScope::Programs)).expect("a run");
    assert_snapshot!(ended(&step), @"return 70");
    assert_snapshot!(clerk.asked(), @r"
    asks 1: (return (tool/a1 {:n data/n}))
    a1 asks r/1/1/1: (return (tool/pay {:id data/n}))
    ");
}

/// One process: it starts a run, or resumes from what a journal holds.
fn process(agent: AgentBuilder, lines: &[(&str, &str)], journal: &[u8], options: RunOptions) -> (Step, Vec<u8>) {
    let recorded = Recorded::read(journal).expect("a journal");
    let whole = recorded.as_ref().map_or(0, Recorded::whole_bytes);
    let sink = Arc::new(JournalWriter::new(journal[..whole].to_vec()));
    let options = options.journal(Arc::<JournalWriter<Vec<u8>>>::clone(&sink)).resume(recorded.map(Arc::new));
    let step = run(agent, lines, options).expect("a run");
    (step, Arc::into_inner(sink).expect("nobody else writes").into_writer())
}

const ASKS: [(&str, &str); 2] = [("", "(return (tool/a1 {:n data/n}))"), ("a1", "(return (tool/pay {:id data/n}))")];

/// The journal up to the first line with this text, which is left out.
fn before(journal: &[u8], text: &str) -> Vec<u8> {
    let lines = journal.split_inclusive(|byte| *byte == b'\n');
    lines.take_while(|line| !String::from_utf8_lossy(line).contains(text)).flatten().copied().collect()
}

#[test]
fn what_was_decided_for_an_agent_below_is_not_asked_again() {
    let paid = Paid::default();
    let clerk = Clerk::new(Decision::Approve);
    let (step, journal) = process(nested(1, &paid), &ASKS, b"", clerk.options(ApprovalScope::Calls));
    assert_snapshot!(ended(&step), @"return 70");
    assert_snapshot!(clerk.asked(), @r#"a1 asks r/1/1/1/1: pay {"id" 7}"#);
    // A crash after the decision, before the money was sent: the agent is run again, and the approver is not asked.
    let decided = before(&journal, r#""tool":"pay""#);
    let (step, again) = process(nested(1, &paid), &ASKS[1..], &decided, clerk.options(ApprovalScope::Calls));
    assert_eq!((ended(&step).as_str(), clerk.asked().as_str()), ("return 70", ""));
    assert_eq!(*paid.lock().expect("a list"), [7, 7], "once in each story");
    // A crash while it was sent: the outcome is unknown.
    let sent = before(&again, "call.end");
    let (step, _) =
        process(nested(1, &paid), &[("", "(return (:message data/fail))")], &sent, clerk.options(ApprovalScope::Calls));
    assert_snapshot!(ended(&step), @r#"return "tool 'a1' failed: outcome unknown after a crash: the call may have been made or not; find out before you repeat it at line 1, column 9""#);
    assert_eq!((clerk.asked().as_str(), paid.lock().expect("a list").len()), ("", 2));
}

#[test]
fn an_agent_that_had_done_nothing_before_a_crash_has_done_nothing_when_it_fails_after_it() {
    let (paid, clerk) = (Paid::default(), Clerk::new(Decision::Approve));
    let lines = [("", "(tool/a1 {:n 7})"), ("a1", "(fail \"no\")"), ("", "(return 1)")];
    let (whole, journal) = process(nested(1, &paid), &lines, b"", clerk.options(ApprovalScope::Calls));
    let asked = before(&journal, r#""type":"end""#);
    let (step, _) = process(nested(1, &paid), &lines[1..], &asked, clerk.options(ApprovalScope::Calls));
    let perhaps = |step: &Step| step.turns()[0].tool_calls()[0].may_have_run;
    assert_eq!((perhaps(&whole), perhaps(&step)), (false, false));
}

#[test]
fn another_call_of_an_agent_below_is_asked_about_again() {
    let paid = Paid::default();
    let clerk = Clerk::new(Decision::Approve);
    let (_, journal) = process(nested(1, &paid), &ASKS, b"", clerk.options(ApprovalScope::Calls));
    let decided = before(&journal, r#""tool":"pay""#);
    clerk.asked();
    // The model is asked again, and wants more under the same id.
    let more = [("a1", "(return (tool/pay {:id 900}))")];
    let (step, _) = process(nested(1, &paid), &more, &decided, clerk.options(ApprovalScope::Calls));
    assert_snapshot!(clerk.asked(), @r#"a1 asks r/1/1/1/1: pay {"id" 900}"#);
    assert_eq!(ended(&step), "return 9000");
}

/// Sees what waits and has no answer yet: the process stops.
struct Nobody(CancellationToken);

impl Approver for Nobody {
    fn decide<'a>(&'a self, _: &'a Approval) -> BoxFuture<'a, Vec<Decision>> {
        Box::pin(async {
            self.0.cancel();
            std::future::pending().await
        })
    }
}

#[test]
fn an_agent_below_may_wait_for_a_decision_longer_than_its_process_lives() {
    let paid = Paid::default();
    let cancel = CancellationToken::new();
    let waits = RunOptions::new().approval(Arc::new(Nobody(cancel.clone()))).cancel(cancel);
    let (step, journal) = process(nested(1, &paid), &ASKS, b"", waits);
    assert_eq!(
        (ended(&step).as_str(), paid.lock().expect("a list").len()),
        ("error cancelled: the run was cancelled", 0)
    );
    let clerk = Clerk::new(Decision::Approve);
    let (step, _) = process(nested(1, &paid), &ASKS[1..], &journal, clerk.options(ApprovalScope::Calls));
    assert_snapshot!(ended(&step), @"return 70");
    assert_snapshot!(clerk.asked(), @r#"a1 asks r/1/1/1/1: pay {"id" 7}"#);
    assert_eq!(*paid.lock().expect("a list"), [7]);
}
