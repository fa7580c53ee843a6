//! Runs whose steps a durable engine keeps, and processes that are lost anywhere.

use std::collections::BTreeMap;
use std::sync::atomic::AtomicI64;

use futures::FutureExt;
use proptest::prelude::*;
use ptc_chat::{LlmError, Reply, Request, llm_fn};
use ptc_lisp::{BoxFuture, Clock};
use ptc_transcript::{Decision, FailReason, JournalError, JournalRecord, JournalWriter, Recorded, StepJson, ValueForm};
use tokio::sync::Notify;

use super::*;
use crate::testing::ended;
use crate::{AgentBuilder, Approval, Done, Engine, Start, Stepped};

const BEGAN: i64 = 1_700_000_000_000_000;

/// A clock that advances by a second at each reading.
struct Ticking(AtomicI64);

impl Clock for Ticking {
    fn now_micros(&self) -> i64 {
        self.0.fetch_add(1_000_000, Ordering::Relaxed)
    }
}

/// An engine in memory. Its processes are lost at the step of this number, before it is done or before it is on record.
#[derive(Default)]
struct Keeper {
    records: Mutex<BTreeMap<String, String>>,
    lost_at: Mutex<Option<(usize, bool)>>,
    lost: Notify,
    asked: Mutex<Vec<(Vec<String>, Option<i64>)>>,
    slept: Mutex<Vec<String>>,
    /// Where processes have ended.
    poison: Mutex<Option<&'static str>>,
}

impl Keeper {
    fn names(&self) -> Vec<String> {
        self.records.lock().expect("records").keys().cloned().collect()
    }

    /// Whether this is where the process is lost, with or without having done it.
    fn is_lost(&self, is_done: bool) -> bool {
        let mut lost_at = self.lost_at.lock().expect("a place");
        match &mut *lost_at {
            Some((0, done)) if *done == is_done => true,
            Some((left, _)) if *left > 0 && is_done => {
                *left -= 1;
                false
            }
            _ => false,
        }
    }

    async fn stop<T>(&self) -> T {
        self.lost.notify_one();
        std::future::pending().await
    }
}

impl Engine for Keeper {
    fn began(&self) -> i64 {
        BEGAN
    }

    fn step<'a>(&'a self, name: String, work: BoxFuture<'a, JournalRecord>) -> BoxFuture<'a, Stepped> {
        Box::pin(async move {
            let known = self.records.lock().expect("records").get(&name).cloned();
            if let Some(known) = known {
                let record = serde_json::from_str(&known).expect("a record");
                return Ok(Done { record, is_new: false });
            }
            if self.is_lost(false) {
                return self.stop().await;
            }
            let record = work.await;
            if self.is_lost(true) {
                return self.stop().await;
            }
            let text = serde_json::to_string(&record).expect("JSON");
            self.records.lock().expect("records").insert(name, text);
            Ok(Done { record, is_new: true })
        })
    }

    fn admit<'a>(&'a self, _: &'a str, _: &'a Request) -> BoxFuture<'a, Result<(), JournalError>> {
        Box::pin(async { Ok(()) })
    }

    fn used(&self, _: &str, _: &Request, _: &Reply) {}

    fn sleep(&self, name: String, _: Duration) -> BoxFuture<'_, Result<(), JournalError>> {
        self.slept.lock().expect("pauses").push(name);
        Box::pin(async { Ok(()) })
    }

    fn decide<'a>(
        &'a self,
        waiting: &'a Approval,
        until_us: Option<i64>,
    ) -> BoxFuture<'a, Result<(Vec<Decision>, i64), JournalError>> {
        self.asked.lock().expect("questions").push((waiting.ids(), until_us));
        // Only about the first one, an hour later.
        Box::pin(async { Ok((vec![Decision::Approve], BEGAN + 3_600_000_000)) })
    }

    fn starting(&self, place: String) -> BoxFuture<'_, Result<Start, JournalError>> {
        let is_poison = *self.poison.lock().expect("a place") == Some(place.as_str());
        Box::pin(async move { Ok(if is_poison { Start::Lost(3) } else { Start::Go(None) }) })
    }

    fn rest(&self) -> BoxFuture<'_, ()> {
        Box::pin(tokio::task::yield_now())
    }
}

/// What all processes did.
type Effects = Arc<Mutex<Vec<i64>>>;

/// An agent that pays itself and through clerks that it calls concurrently.
fn boss(effects: &Effects) -> AgentBuilder {
    let pay = |effects: Effects, item: Item| async move {
        effects.lock().expect("effects").push(item.id);
        Ok::<_, ToolError>(item.id * 2)
    };
    let look = |effects: Effects, item: Item| async move {
        let paid = effects.lock().expect("effects").contains(&item.id);
        Ok::<_, ToolError>(paid)
    };
    let tools = |builder: AgentBuilder| {
        builder
            .tool(FnTool::with_state("pay", "Pays", Arc::clone(effects), pay))
            .tool(FnTool::with_state("is-paid", "Looks", Arc::clone(effects), look).idempotent())
    };
    let clerk = tools(Agent::builder("Pay {{id}}").name("clerk").description("Pays").signature("(id :int) -> :int"));
    let clerk = clerk.llm_retry(patient());
    tools(
        Agent::builder("Pay all")
            .tool(clerk.build().expect("a clerk").as_tool(crate::SubagentOptions::default()).expect("a tool")),
    )
}

/// Pays until it is sure that it was paid.
const SAFELY: &str = "(defn safely [id] (loop [] (let [paid (try (tool/pay {:id id}) (catch Exception e nil))] \
    (cond paid paid (tool/is-paid {:id id}) (* 2 id) :else (recur)))))";

fn patient() -> crate::LlmRetry {
    crate::LlmRetry { max_attempts: 2, ..crate::LlmRetry::default() }
}

fn program(request: &Request) -> String {
    let is_clerk = request.messages.iter().any(|message| message.content().contains("Pay 1"));
    match (is_clerk, request.turn) {
        (true, 1) => format!("{SAFELY} (def paid (safely data/id))"),
        (true, _) => "(return (+ paid (- (rand-int 1000) (rand-int 1000))))".to_owned(),
        (false, 1) => format!("{SAFELY} (def own (safely 7))"),
        (false, 2) => "(def theirs (pmap (fn [id] (tool/clerk {:id id})) [10 11 12]))".to_owned(),
        (false, _) => "(return [own theirs (System/currentTimeMillis)])".to_owned(),
    }
}

/// One process: the step, which is also what its journal says, or nothing when it was lost.
fn process(keeper: &Arc<Keeper>, agent: AgentBuilder, options: RunOptions) -> Option<Step> {
    let llm = llm_fn("model", |request: &Request| match request.attempt {
        1 if request.turn == 2 => Err(LlmError::from_status(429, "slow down")),
        _ => Ok(Reply::text(program(request).as_str())),
    });
    let agent = agent.llm_retry(patient()).max_turns(5).build().expect("an agent");
    let engine = Arc::<Keeper>::clone(keeper) as Arc<dyn Engine>;
    let journal = Arc::new(JournalWriter::new(Vec::new()));
    let options = options
        .run_id("m/1")
        .seed(7)
        .llm(Arc::new(llm))
        .engine(engine)
        .journal(Arc::<JournalWriter<Vec<u8>>>::clone(&journal));
    let options = options.clock(Arc::new(Ticking(AtomicI64::new(BEGAN + 5_000_000))));
    let runtime =
        tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build().expect("a runtime");
    let step = runtime.block_on(async {
        // Two branches may have been lost at once.
        let _ = keeper.lost.notified().now_or_never();
        tokio::select! {
            step = agent.run_with(Context::default(), options) => Some(step.expect("a run")),
            () = keeper.lost.notified() => None,
        }
    })?;
    let journal = Arc::into_inner(journal).expect("the run is over").into_writer();
    let recorded = Recorded::read(&journal).expect("a journal").expect("a header");
    assert_eq!(course(&recorded_step(recorded).expect("a step")), course(&step));
    Some(step)
}

/// What a run and those below it did.
fn course(step: &Step) -> serde_json::Value {
    let told = shown(step);
    let below: Vec<_> = step.child_steps.iter().map(course).collect();
    json!([told["ending"], told["return"], told["fail"], told["turns"], told["usage"]["input_tokens"], below])
}

/// The step as JSON, without the times of the requests that describe a tool.
fn shown(step: &Step) -> serde_json::Value {
    StepJson::new(step, ValueForm::Plain).to_json()
}

#[test]
fn every_step_has_a_name_by_run_turn_and_number() {
    let (keeper, effects) = (Arc::new(Keeper::default()), Effects::default());
    let step = process(&keeper, boss(&effects), RunOptions::new()).expect("a step");
    assert_eq!(
        *keeper.slept.lock().expect("pauses"),
        ["m/1/2/wait/2", "m/1/2/1/2/wait/2", "m/1/2/2/2/wait/2", "m/1/2/3/2/wait/2"]
    );
    assert_snapshot!(keeper.names().join("\n"), @"
    m/1/0
    m/1/1/1 pay
    m/1/1/1/start
    m/1/1/ask/1
    m/1/2/1/1/1 pay
    m/1/2/1/1/1/start
    m/1/2/1/1/ask/1
    m/1/2/1/2/ask/1
    m/1/2/1/2/ask/2
    m/1/2/2/1/1 pay
    m/1/2/2/1/1/start
    m/1/2/2/1/ask/1
    m/1/2/2/2/ask/1
    m/1/2/2/2/ask/2
    m/1/2/3/1/1 pay
    m/1/2/3/1/1/start
    m/1/2/3/1/ask/1
    m/1/2/3/2/ask/1
    m/1/2/3/2/ask/2
    m/1/2/ask/1
    m/1/2/ask/2
    m/1/3/ask/1
    ");
    assert_eq!(effects.lock().expect("effects").len(), 4);
    assert_eq!(step.child_steps.len(), 3);
    // The same from the record: nothing is asked and nothing is done.
    let again = process(&keeper, boss(&effects), RunOptions::new()).expect("a step");
    assert_eq!(shown(&again), shown(&step));
    assert_eq!(effects.lock().expect("effects").len(), 4);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]
    #[test]
    fn processes_may_be_lost_anywhere(lost in prop::collection::vec((0_usize..12, any::<bool>()), 0..6)) {
        let whole = process(&Arc::new(Keeper::default()), boss(&Effects::default()), RunOptions::new()).expect("a step");
        let (keeper, effects) = (Arc::new(Keeper::default()), Effects::default());
        let mut step = None;
        for at in lost.into_iter().map(Some).chain([None]) {
            *keeper.lost_at.lock().expect("a place") = at;
            step = process(&keeper, boss(&effects), RunOptions::new());
            if step.is_some() {
                break;
            }
        }
        let step = step.expect("the last process is not lost");
        prop_assert_eq!(step.ending, whole.ending);
        let mut done = effects.lock().expect("effects").clone();
        done.sort_unstable();
        prop_assert_eq!(done, [7, 10, 11, 12], "each is paid once");
        let (value, wanted) = (shown(&step)["return"].clone(), shown(&whole)["return"].clone());
        prop_assert_eq!((&value[0], &value[1]), (&wanted[0], &wanted[1]));
    }
}

#[test]
fn a_call_whose_end_is_not_on_record_reads_as_unknown() {
    let (keeper, effects) = (Arc::new(Keeper::default()), Effects::default());
    // Header, answer, start, and the call itself, which was made.
    *keeper.lost_at.lock().expect("a place") = Some((3, true));
    assert!(process(&keeper, boss(&effects), RunOptions::new()).is_none());
    *keeper.lost_at.lock().expect("a place") = None;
    let step = process(&keeper, boss(&effects), RunOptions::new()).expect("a step");
    let error = step.turns()[0].tool_calls()[0].error.clone().expect("nobody knows");
    assert!(error.starts_with("outcome unknown after a crash"), "{error}");
    assert_eq!(*effects.lock().expect("effects"), [7, 10, 11, 12]);
}

#[test]
fn another_mission_ends_with_what_is_on_record_and_says_what_differs() {
    let (keeper, effects) = (Arc::new(Keeper::default()), Effects::default());
    process(&keeper, boss(&effects), RunOptions::new()).expect("a step");
    let more = boss(&effects).tool(FnTool::new("more", "More", |item: Item| Ok::<_, ToolError>(item.id)));
    let step = process(&keeper, more, RunOptions::new()).expect("a step");
    assert_snapshot!(
        ended(&step),
        @"error journal_error: the journal belongs to another mission: its list of tools differs (fingerprints 57c27950d0ff3240 and fbac928b3f8bddcf); resume with the mission as it was, or start a new journal"
    );
    // What was done is still reported.
    assert_eq!((step.turns().len(), effects.lock().expect("effects").len()), (3, 4));
}

#[test]
fn another_mission_does_nothing_beyond_what_is_on_record() {
    let (keeper, effects) = (Arc::new(Keeper::default()), Effects::default());
    // After the first turn, and the answer of the second one.
    *keeper.lost_at.lock().expect("a place") = Some((6, false));
    assert!(process(&keeper, boss(&effects), RunOptions::new()).is_none());
    *keeper.lost_at.lock().expect("a place") = None;
    let names = keeper.names();
    let more = boss(&effects).tool(FnTool::new("more", "More", |item: Item| Ok::<_, ToolError>(item.id)));
    let step = process(&keeper, more, RunOptions::new()).expect("a step");
    assert_eq!(step.fail().map(|fail| fail.reason.clone()), Some(FailReason::JournalError));
    let calls: Vec<_> = step.turns().iter().flat_map(|turn| turn.tool_calls()).collect();
    assert!(calls[0].error.is_none(), "what was paid is told");
    let unknown = "the run diverged from its record before it answered";
    assert!(calls[1..].iter().all(|call| call.error.as_deref() == Some(unknown)), "{calls:?}");
    assert_eq!(*effects.lock().expect("effects"), [7]);
    assert_eq!(keeper.names(), names);
}

#[test]
fn a_program_that_asks_something_else_ends_the_whole_family() {
    let (keeper, effects) = (Arc::new(Keeper::default()), Effects::default());
    process(&keeper, boss(&effects), RunOptions::new()).expect("a step");
    let mut records = keeper.records.lock().expect("records");
    let known = records.get_mut("m/1/2/2/1/1/start").expect("the start of a call");
    *known = known.replace("11", "99");
    drop(records);
    let step = process(&keeper, boss(&effects), RunOptions::new()).expect("a step");
    assert_eq!(step.fail().map(|fail| fail.reason.clone()), Some(FailReason::JournalError));
    // The turn in which it did so is reported, too: its calls were made, or not.
    assert_eq!((step.turns().len(), effects.lock().expect("effects").len()), (2, 4));
}

/// How the run ends, and the calls of its last turn.
fn poisoned_at(place: &'static str) -> String {
    let (keeper, effects) = (Arc::new(Keeper::default()), Effects::default());
    *keeper.poison.lock().expect("a place") = Some(place);
    let step = process(&keeper, boss(&effects), RunOptions::new()).expect("a step");
    assert_eq!(step.fail().map(|fail| fail.reason.clone()), Some(FailReason::Poisoned));
    let turn = step.turns().last().expect("a turn");
    assert_eq!(turn.error_reason(), Some(FailReason::Poisoned));
    assert!(turn.program().is_some());
    let calls = turn.tool_calls().iter().map(|call| format!("{} {:?}", call.name, call.error));
    format!("{} {}", turn.number(), calls.collect::<Vec<_>>().join(", "))
}

#[test]
fn a_turn_in_which_processes_ended_is_recorded_and_not_continued() {
    assert_snapshot!(poisoned_at("m/1/1/from/1"), @"1 ");
    assert_snapshot!(poisoned_at("m/1/1/from/2"), @"1 pay None");
    assert_snapshot!(poisoned_at("m/1/3/from/5"), @"3 ");
}

#[test]
fn decisions_come_from_the_engine_and_their_time_is_that_of_the_run() {
    let (keeper, effects) = (Arc::new(Keeper::default()), Effects::default());
    let pay = FnTool::new("pay", "Pays", |item: Item| Ok::<_, ToolError>(item.id)).approve();
    let llm = ScriptedLlm::replies([
        "(pmap (fn [id] (tool/pay {:id id})) [1 2])",
        "(return [(:message data/fail) (System/currentTimeMillis)])",
    ]);
    let agent = Agent::builder("Pay").tool(pay).mission_timeout(Duration::from_secs(7_200)).build().expect("an agent");
    let engine = Arc::<Keeper>::clone(&keeper) as Arc<dyn Engine>;
    let options = RunOptions::new().run_id("m/2").llm(Arc::new(llm)).engine(engine);
    let options = options.clock(Arc::new(Ticking(AtomicI64::new(BEGAN + 5_000_000))));
    let step = crate::blocking::run_with(&agent, Context::default(), options).expect("a run");
    assert_snapshot!(
        ended(&step),
        @r#"return ["branch 2 of 2 (argument 2): tool 'pay' failed: it was not allowed: nothing was decided (1 branch finished; their calls that worked: pay × 1) at line 1, column 16",1700003600000]"#
    );
    let asked = keeper.asked.lock().expect("questions").clone();
    assert_eq!(asked[0].0, ["m/2/1/1", "m/2/1/2"]);
    assert_eq!(asked[0].1, Some(BEGAN + 7_200_000_000));
    drop(effects);
}
