//! Stopping a run from outside: the step has what was done until then.

use std::sync::Arc;
use std::time::Duration;

use insta::assert_snapshot;
use ptc_chat::{ChunkSink, Llm, LlmError, Reply, Request, ScriptedLlm};
use ptc_lisp::BoxFuture;
use ptc_transcript::{FailReason, JournalWriter, Recorded, Step};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::{
    Agent, AgentBuilder, Approval, Approver, CancellationToken, Context, Decision, FnTool, RunOptions, ToolContext,
    ToolError,
};

#[derive(Deserialize, JsonSchema)]
struct Wait {
    seconds: u64,
}

/// Waits, and says so when it is given up.
fn agent(given_up: &CancellationToken) -> AgentBuilder {
    async fn wait(given_up: CancellationToken, wait: Wait, context: ToolContext) -> Result<u64, ToolError> {
        let token = context.cancellation().clone();
        tokio::spawn(async move {
            token.cancelled().await;
            given_up.cancel();
        });
        tokio::time::sleep(Duration::from_secs(wait.seconds)).await;
        Ok(wait.seconds)
    }
    Agent::builder("Wait")
        .tool(FnTool::with_state("wait", "Waits", given_up.clone(), wait).timeout(Duration::from_secs(1_000)))
}

/// Run programs and cancel after ten seconds; returns the step and whether calls in flight learned of it.
async fn check(programs: &[&str], options: RunOptions) -> (Step, bool) {
    stopped(Arc::new(ScriptedLlm::replies(programs.iter().copied())), options).await
}

async fn stopped(llm: Arc<dyn Llm>, options: RunOptions) -> (Step, bool) {
    let given_up = CancellationToken::new();
    let cancel = options.cancel.clone();
    tokio::spawn(async move {
        tokio::time::sleep(Duration::from_secs(10)).await;
        cancel.cancel();
    });
    let agent = agent(&given_up).build().expect("an agent");
    let step = agent.run_with(Context::default(), options.llm(llm)).await.expect("a run");
    tokio::time::sleep(Duration::from_millis(1)).await;
    assert_eq!(
        (step.ending.as_str(), step.fail().expect("a failure").to_string().as_str()),
        ("error", "cancelled: the run was cancelled")
    );
    (step, given_up.is_cancelled())
}

fn calls(step: &Step) -> String {
    let shown = step.tool_calls.iter().map(|call| {
        let args = call.args.to_json().expect("JSON");
        let result = call.error.clone().unwrap_or_else(|| call.result.to_json().expect("JSON").to_string());
        format!("{} {args} -> {result}", call.name)
    });
    shown.collect::<Vec<_>>().join("\n")
}

#[tokio::test(start_paused = true)]
async fn while_calling() {
    let program = "(def a 1) (println \"on\") (pmap (fn [n] (tool/wait {:seconds n})) [1 100 2 200 300])";
    let options = RunOptions::new().max_parallel_calls(3);
    let (step, told) = check(&["(def before 0)", program], options).await;
    assert!(told);
    assert_snapshot!(calls(&step), @r#"
    wait {"seconds":1} -> 1
    wait {"seconds":100} -> the run was cancelled before it answered
    wait {"seconds":2} -> 2
    wait {"seconds":200} -> the run was cancelled before it answered
    wait {"seconds":300} -> the run was cancelled before it was called
    "#);
    assert_eq!(step.usage.duration_ms, 10_000);
    assert_eq!((step.turns().len(), step.usage.turns, step.usage.llm_requests), (2, 2, Some(2)));
    let last = &step.turns()[1];
    assert_eq!(
        (last.program(), last.tool_calls().len(), last.prints()),
        (Some(program), 5, ["on".to_owned()].as_slice())
    );
    assert_eq!(last.error_reason(), Some(FailReason::Cancelled));
    let names: Vec<_> = step.memory.entries().iter().map(|entry| entry.name.as_str()).collect();
    assert_eq!(names, ["before"]);
}

/// A model that never answers.
struct Silent;

impl Llm for Silent {
    fn reply<'a>(&'a self, _: &'a Request, _: Option<&'a mut dyn ChunkSink>) -> BoxFuture<'a, Result<Reply, LlmError>> {
        Box::pin(std::future::pending())
    }

    fn name(&self) -> &str {
        "silent"
    }
}

#[tokio::test(start_paused = true)]
async fn while_asking() {
    let (step, _) = stopped(Arc::new(Silent), RunOptions::default()).await;
    assert_eq!((step.turns().len(), step.usage.duration_ms, step.usage.llm_requests), (0, 10_000, Some(1)));
}

/// Waits for a decision that never comes.
struct Nobody;

impl Approver for Nobody {
    fn decide<'a>(&'a self, _: &'a Approval) -> BoxFuture<'a, Vec<Decision>> {
        Box::pin(std::future::pending())
    }
}

#[tokio::test(start_paused = true)]
async fn while_approving() {
    let program = "(tool/wait {:seconds 1})";
    let ask = |approval_scope| RunOptions::new().approval(Arc::new(Nobody)).approval_scope(approval_scope);
    let (step, _) = check(&[program], ask(crate::ApprovalScope::Programs)).await;
    assert_eq!((step.turns().len(), step.turns()[0].program(), step.tool_calls.len()), (1, Some(program), 0));

    let pay = FnTool::new("pay", "Pays", |_: Wait| Ok::<_, ToolError>(1)).approve();
    let agent = Agent::builder("Pay").tool(pay).build().expect("an agent");
    let options = ask(crate::ApprovalScope::Calls);
    let cancel = options.cancel.clone();
    let llm = Arc::new(ScriptedLlm::replies(["(tool/pay {:seconds 1})"]));
    let run = agent.run_with(Context::default(), options.llm(llm));
    let stop = async {
        tokio::time::sleep(Duration::from_secs(10)).await;
        cancel.cancel();
    };
    let (step, ()) = tokio::join!(run, stop);
    let step = step.expect("a run");
    assert_snapshot!(calls(&step), @r#"pay {"seconds":1} -> the run was cancelled before it answered"#);
    assert_eq!(step.turns().len(), 1);
}

#[tokio::test]
async fn while_the_program_runs() {
    let cancel = CancellationToken::new();
    let options = RunOptions::new().cancel(cancel.clone()).slice(1_000);
    let agent = Agent::builder("Loop").timeout(Duration::from_secs(100)).build().expect("an agent");
    let llm = Arc::new(ScriptedLlm::replies(["(println \"in\") (loop [] (recur))"]));
    let run = agent.run_with(Context::default(), options.llm(llm));
    let stop = async {
        tokio::time::sleep(Duration::from_millis(20)).await;
        cancel.cancel();
    };
    let (step, ()) = tokio::join!(run, stop);
    let step = step.expect("a run");
    assert_snapshot!(step.fail().expect("a failure"), @"cancelled: the run was cancelled");
    assert_eq!((step.prints.as_slice(), step.turns().len()), (["in".to_owned()].as_slice(), 1));
}

#[tokio::test(start_paused = true)]
async fn before_anything() {
    let cancel = CancellationToken::new();
    cancel.cancel();
    let agent = Agent::builder("x").build().expect("an agent");
    let llm = Arc::new(ScriptedLlm::replies(["(return 1)"]));
    let options = RunOptions::new().cancel(cancel).llm(llm.clone());
    let step = agent.run_with(Context::default(), options).await.expect("a run");
    assert_eq!((step.turns().len(), llm.requests().len()), (0, 0));
}

#[tokio::test]
async fn a_program_that_was_stopped_is_no_turn_of_the_journal() {
    let cancel = CancellationToken::new();
    let pay = FnTool::new("pay", "Pays", |wait: Wait| Ok::<_, ToolError>(wait.seconds)).approve();
    let agent = Agent::builder("Pay").tool(pay).build().expect("an agent");
    let token = cancel.clone();
    let approver: Arc<dyn Approver> = Arc::new(move |waiting: &Approval| {
        token.cancel();
        waiting.ids().iter().map(|_| Decision::Approve).collect::<Vec<_>>()
    });
    let journal = Arc::new(JournalWriter::new(Vec::new()));
    let options = RunOptions::new()
        .llm(Arc::new(ScriptedLlm::replies(["(def a 1)", "(return (+ a (tool/pay {:seconds 2})))"])))
        .approval(Arc::clone(&approver))
        .journal(Arc::<JournalWriter<Vec<u8>>>::clone(&journal))
        .cancel(cancel);
    let step = agent.run_with(Context::default(), options).await.expect("a run");
    assert_eq!((step.turns().len(), step.turns()[1].error_reason()), (2, Some(FailReason::Cancelled)));

    let lines = Arc::into_inner(journal).expect("nobody else writes").into_writer();
    let recorded = Recorded::read(&lines).expect("a journal").expect("a header");
    assert_eq!(recorded.turns().len(), 1);
    let llm = Arc::new(ScriptedLlm::replies([""; 0]));
    let options = RunOptions::new().llm(llm).approval(approver).resume(Arc::new(recorded));
    let resumed = agent.run_with(Context::default(), options).await.expect("a run that goes on");
    assert_eq!(resumed.value::<u64>().expect("an answer"), 3);
}
