//! Decisions about several calls that are made one by one, and a crash between them.

use futures::FutureExt;

use super::*;
use crate::{ApprovalDesk, CancellationToken, Decision};

const PAY: &str = "(return (pmap (fn [n] (try (tool/pay {:id n}) (catch Exception e (ex-message e)))) data/ids))";

/// A run whose calls wait at a desk, from what is left of a journal.
struct Waiting {
    desk: ApprovalDesk,
    journal: Arc<JournalWriter<Vec<u8>>>,
    paid: Seen<i64>,
    cancel: CancellationToken,
    runtime: tokio::runtime::Runtime,
    run: ptc_lisp::BoxFuture<'static, Result<Step, AgentError>>,
}

impl Waiting {
    fn start(left: &[u8], programs: &[&str]) -> Waiting {
        let mut started = Waiting::prepare(left, programs);
        started.go_on();
        started
    }

    fn prepare(left: &[u8], programs: &[&str]) -> Waiting {
        let (desk, paid, cancel) = (ApprovalDesk::new(), Seen::default(), CancellationToken::new());
        let pay = |paid: Seen<i64>, item: Item| {
            lock(&paid).push(item.id);
            Ok::<_, ToolError>(item.id * 10)
        };
        let agent = Agent::builder("Pay").tool(FnTool::with_state("pay", "Pays", Arc::clone(&paid), pay).approve());
        let agent = agent.build().expect("an agent");
        let recorded = Recorded::read(left).expect("a journal").map(Arc::new);
        let journal = Arc::new(JournalWriter::new(left.to_vec()));
        let options = RunOptions::new()
            .run_id("r")
            .llm(scripted(programs).1)
            .journal(journal.clone())
            .resume(recorded)
            .cancel(cancel.clone())
            .approval(Arc::new(desk.clone()));
        let data = json!({"ids": [1, 2, 3]});
        let run = Box::pin(async move { agent.run_with(data, options).await });
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().expect("a runtime");
        Waiting { desk, journal, paid, cancel, runtime, run }
    }

    /// Let the run see what was answered.
    fn go_on(&mut self) {
        let ended = self.runtime.block_on(async { (&mut self.run).now_or_never() });
        assert!(ended.is_none(), "it waits");
    }

    fn ids(&self) -> Vec<String> {
        self.desk.waiting().iter().flat_map(Approval::ids).collect()
    }

    fn answer(&self, id: &str, decision: Decision) {
        self.desk.answer(id, decision).expect("something waits");
    }

    fn end(self) -> (Result<Vec<serde_json::Value>, String>, Vec<i64>) {
        let ended = self.runtime.block_on(self.run).map_err(|error| error.to_string());
        let ended = ended.and_then(|step| step.value().map_err(|failure| failure.to_string()));
        let paid = lock(&self.paid).clone();
        (ended, paid)
    }
}

/// The journal of a process that dies when the second of three calls is allowed.
fn second_allowed() -> Vec<u8> {
    let mut first = Waiting::start(b"", &[PAY]);
    assert_eq!(first.ids(), ["r/1/1", "r/1/2", "r/1/3"]);
    first.answer("r/1/2", Decision::Approve);
    first.go_on();
    first.journal.written()
}

#[test]
fn a_decision_is_on_record_while_others_are_awaited() {
    let journal = second_allowed();
    let mut second = Waiting::start(&journal, &[]);
    assert_eq!(second.ids(), ["r/1/1", "r/1/3"], "the second one is not asked about again");
    second.answer("r/1/3", Decision::deny("not today"));
    second.go_on();
    let journal = second.journal.written();
    let third = Waiting::start(&journal, &[]);
    assert_eq!(third.ids(), ["r/1/1"]);
    third.answer("r/1/1", Decision::Edit(Value::from_json(json!({"id": 7}))));
    let written = third.journal.clone();
    let (ended, paid) = third.end();
    let answer = vec![json!(70), json!(20), json!("tool 'pay' failed: it was not allowed: not today")];
    assert_eq!((ended.as_ref(), paid), (Ok(&answer), vec![7, 2]));
    // The record of all together follows, so that a run that is over asks nothing.
    let course = course(&written.written());
    let kinds = course.iter().filter_map(|line| line.split(' ').next());
    let kinds: Vec<&str> = kinds.filter(|kind| matches!(*kind, "decision" | "approval")).collect();
    assert_eq!(kinds, ["decision", "decision", "approval"]);
    let recorded = Recorded::read(&written.written()).expect("a journal").expect("a header");
    assert!(recorded.own_single_decisions().next().is_none());
}

#[test]
fn a_run_that_is_cancelled_keeps_its_decisions_too() {
    let mut first = Waiting::start(b"", &[PAY]);
    first.answer("r/1/1", Decision::deny("no"));
    first.go_on();
    first.cancel.cancel();
    let journal = Arc::clone(&first.journal);
    assert_eq!(first.end().0.unwrap_err(), "the run ended with error: cancelled: the run was cancelled");
    assert_eq!(Waiting::start(&journal.written(), &[]).ids(), ["r/1/2", "r/1/3"]);
}

#[test]
fn a_single_decision_that_is_not_repeated_is_an_error() {
    let journal = second_allowed();
    let error = |text: &str, other: &str| {
        let edited = forged(&journal, |line| match line.contains("\"type\":\"decision\"") {
            true => line.replace(text, other),
            false => line.to_owned(),
        });
        let recorded = Recorded::read(&edited).map_err(|error| error.to_string())?;
        assert!(recorded.is_some());
        let run = Waiting::prepare(&edited, &[]);
        assert!(run.ids().is_empty(), "nothing is asked");
        run.end().0.map(drop)
    };
    let told = error("r/1/2", "r/1/9").unwrap_err();
    assert!(told.starts_with("the journal has a decision about r/1/9, which the run does not repeat"), "{told}");
    let told = error("\"about\":\"", "\"about\":\"0").unwrap_err();
    assert!(told.starts_with("the journal has a decision about r/1/2, which the run does not repeat"), "{told}");
    assert_snapshot!(error("r/1/2", "r/2/2").unwrap_err(), @"line 4 of the journal is out of place: `r/2/2` is of turn 2 while turn 1 is open; the file was damaged, edited, or joined from two; nothing was done: resume with the journal as it was written");
    assert_snapshot!(error("r/1/2", "x/1/2").unwrap_err(), @"line 4 of the journal belongs to another run: it has the id `x/1/2`, and the ids of this run begin with `r/`, as the first line says; the file was damaged, edited, or joined from two; nothing was done: resume with the journal as it was written");
}
