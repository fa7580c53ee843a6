//! What holds for every run and its record.

mod random;

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;
use proptest::sample::Index;
use ptc_chat::{BoxFuture, ChunkSink, Llm, ReplayLlm};
use ptc_transcript::{
    CallOutcome, Decision, Event, RecordedCall, ReplyRecord, TurnJson, journal_answers, journal_events,
    journal_requests,
};
use serde_json::Value as Json;

use super::*;
use crate::drive::children;
use crate::{Approver, OnDecision, ToolContext, recorded_step};
use random::{Case, any_case};

/// A journal in memory whose length is known.
#[derive(Default)]
struct Disk(Mutex<Vec<u8>>);

impl Disk {
    fn len(&self) -> usize {
        self.0.lock().expect("a journal").len()
    }
}

/// The journal of a process.
struct Written(Arc<World>);

impl Journal for Written {
    fn write(&self, line: &str) -> std::io::Result<()> {
        self.0.disk.0.lock().expect("a journal").extend_from_slice(line.as_bytes());
        Ok(())
    }

    fn sync(&self) -> std::io::Result<()> {
        Ok(())
    }
}

/// What a process did outside of the run, in order.
#[derive(Default)]
struct World {
    disk: Disk,
    sent: Mutex<Vec<Request>>,
    /// Tokens that the model counted.
    tokens: AtomicI64,
    /// Ids of the calls that took effect, whether their tools may be called again, and how long the journal was then.
    effects: Mutex<Vec<(String, bool, usize)>>,
    /// Ids that the approver was asked about.
    decided: Mutex<Vec<Vec<String>>>,
    events: Mutex<Vec<Event>>,
}

/// The model of a case.
struct Model(Case, Arc<World>);

impl Llm for Model {
    fn reply<'a>(
        &'a self,
        request: &'a Request,
        _: Option<&'a mut dyn ChunkSink>,
    ) -> BoxFuture<'a, Result<Reply, LlmError>> {
        self.1.sent.lock().expect("a list").push(request.clone());
        Box::pin(async {
            let (latency, answer) = self.0.answer(request);
            tokio::time::sleep(latency).await;
            if let Some(tokens) = answer.as_ref().ok().and_then(|reply| reply.tokens) {
                self.1.tokens.fetch_add(i64::try_from(tokens.total()).expect("few"), Ordering::Relaxed);
            }
            answer
        })
    }

    fn name(&self) -> &str {
        "scripted"
    }
}

/// The tool of this name. It takes its time; arguments that end with 3 fail, with 7 after the work was done.
fn tool(name: &'static str, world: &Arc<World>) -> FnTool {
    let call = |(name, world): (&'static str, Arc<World>), item: Item, context: ToolContext| async move {
        tokio::time::sleep(Duration::from_micros(item.id.unsigned_abs() % 4 * 250)).await;
        let is_repeatable = !matches!(name, "pay" | "send");
        let effect = (context.call_id().to_owned(), is_repeatable, world.disk.len());
        if item.id % 10 == 3 {
            return Err(ToolError::new("bad luck").may_have_run(false));
        }
        world.effects.lock().expect("a list").push(effect);
        match item.id % 10 {
            7 => Err(ToolError::new("504 gateway timeout")),
            _ => Ok(json!({"id": item.id, "by": name, "text": "long ".repeat(item.id.unsigned_abs() as usize * 3)})),
        }
    };
    FnTool::with_state(name, "Works", (name, Arc::clone(world)), call)
}

/// Decides one by one: the process may die between two decisions.
struct Manager(Arc<World>);

impl Approver for Manager {
    fn decide<'a>(&'a self, waiting: &'a Approval) -> BoxFuture<'a, Vec<Decision>> {
        self.decide_each(waiting, &|_, _| ())
    }

    fn decide_each<'a>(&'a self, waiting: &'a Approval, decided: &'a OnDecision<'a>) -> BoxFuture<'a, Vec<Decision>> {
        Box::pin(async move {
            self.0.decided.lock().expect("a list").push(waiting.ids());
            let decisions = random::decision(waiting);
            // The last one first: they come in any order.
            decisions.iter().enumerate().rev().for_each(|(place, decision)| decided(place, decision));
            decisions
        })
    }
}

/// A process: it may have started from what is left of a journal.
struct Process {
    step: Step,
    world: Arc<World>,
    journal: Vec<u8>,
    /// Bytes of the journal that were left.
    left: usize,
}

/// Run a case from what is left of a journal, with its model or another one.
fn run(case: &Case, left: &[u8], other: Option<Arc<dyn Llm>>) -> Process {
    let recorded = Recorded::read(left).expect("a journal");
    let left = &left[..recorded.as_ref().map_or(0, Recorded::whole_bytes)];
    let world = Arc::new(World { disk: Disk(Mutex::new(left.to_vec())), ..World::default() });
    let model = Model(case.clone(), Arc::clone(&world));
    let (seen, approver) = (Arc::clone(&world), Manager(Arc::clone(&world)));
    let options = case
        .options()
        .llm(other.unwrap_or_else(|| Arc::new(model)))
        .approval(Arc::new(approver))
        .clock(Arc::new(Stopped))
        .observers(vec![Arc::new(move |event: &Event| seen.events.lock().expect("a list").push(event.clone()))])
        .journal(Arc::new(Written(Arc::clone(&world))))
        .resume(recorded.map(Arc::new));
    let agent = case.build(&|name| tool(name, &world));
    let runtime =
        tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build().expect("a runtime");
    let context = Context::new(json!({"id": 4, "_key": "a secret key"})).expect("data");
    let step = runtime.block_on(agent.run_with(context, options)).expect("a step");
    let journal = world.disk.0.lock().expect("a journal").clone();
    Process { step, world, journal, left: left.len() }
}

impl Process {
    fn recorded(&self) -> Recorded {
        Recorded::read(&self.journal).expect("a journal").expect("a header")
    }

    fn sent(&self) -> Vec<Request> {
        self.world.sent.lock().expect("a list").clone()
    }
}

/// Both are the same; otherwise it says where they differ.
fn same(found: &Json, expected: &Json, what: &str) {
    if found == expected {
        return;
    }
    match (found, expected) {
        (Json::Object(one), Json::Object(other)) => {
            for key in one.keys().chain(other.keys()) {
                same(&found[key], &expected[key], &format!("{what} {key}"));
            }
        }
        (Json::Array(one), Json::Array(other)) => {
            one.iter().zip(other).enumerate().for_each(|(at, (one, other))| same(one, other, &format!("{what} {at}")));
        }
        _ => {}
    }
    panic!("{what}: {found}\nis not\n{expected}");
}

fn json_of_step(step: &Step) -> Json {
    StepJson::new(step, ValueForm::Typed).to_json()
}

fn json_of_requests(requests: &[Request]) -> Json {
    serde_json::to_value(requests).expect("JSON")
}

fn requests_of(journal: &[u8]) -> Vec<Request> {
    let mut requests = Vec::new();
    journal_requests(journal, &mut |request| requests.push(request.clone())).expect("a journal");
    requests
}

/// A step of a record as the step of the run has it. That keeps turns only when it should, and of called agents less.
fn as_kept(mut step: Step, run: &Step) -> Step {
    step.turns = step.turns.filter(|_| run.turns.is_some());
    assert_eq!(step.child_steps.len(), run.child_steps.len());
    let below = std::mem::take(&mut step.child_steps).into_iter().zip(&run.child_steps);
    step.child_steps = below.map(|(below, run)| children::briefly(as_kept(below, run))).collect();
    step
}

/// The record of a run has its requests and its step.
fn has_its_record(process: &Process) {
    let before = requests_of(&process.journal[..process.left]).len();
    same(&json_of_requests(&requests_of(&process.journal)[before..]), &json_of_requests(&process.sent()), "requests");
    let step = as_kept(recorded_step(process.recorded()).expect("a step"), &process.step);
    same(&json_of_step(&step), &json_of_step(&process.step), "step");
}

/// What models were asked and what they counted, in a run and those below it.
fn spent(step: &Step) -> (u64, u64) {
    let own = (step.usage.llm_requests.unwrap_or_default(), step.usage.total_tokens.unwrap_or_default());
    step.child_steps
        .iter()
        .map(spent)
        .fold(own, |(requests, tokens), (more, others)| (requests + more, tokens + others))
}

/// The record of a whole run has what it cost: as the model counted, as its steps do, and as the ends of calls do.
fn has_its_cost(process: &Process) {
    let step = recorded_step(process.recorded()).expect("a step");
    let counted = u64::try_from(process.world.tokens.load(Ordering::Relaxed)).expect("few");
    assert_eq!(spent(&step), (process.sent().len() as u64, counted));
    let of_calls = |(requests, tokens): (u64, u64), call: &RecordedCall| {
        let spent = call.end.as_ref().expect("an end").spent;
        (requests + spent.requests, tokens + spent.tokens.map_or(0, |tokens| tokens.total()))
    };
    let below = process.recorded().own_calls(0).fold((0, 0), of_calls);
    let steps = step.child_steps.iter().map(spent).reduce(|one, other| (one.0 + other.0, one.1 + other.1));
    assert_eq!(below, steps.unwrap_or_default());
}

/// An event as text: all of it.
fn told(event: &Event) -> Json {
    let kind = match &event.kind {
        EventKind::RunStop { duration, step } => {
            let mut step = Step::clone(step);
            // On record already, or in its first event.
            (step.turns, step.child_steps, step.system) = (None, Vec::new(), None);
            step.data = ptc_lisp::Map::new();
            json!([duration, json_of_step(&step)])
        }
        EventKind::TurnStop { duration, turn, record } => {
            let record = record.as_ref().map(|turn| TurnJson::new(turn, ValueForm::Typed));
            json!([duration, turn, record])
        }
        kind => json!(format!("{kind:?}")),
    };
    let parent = event.parent.map(|parent| parent.0);
    json!([event.kind.name(), event.run, event.agent, event.span.0, parent, kind])
}

fn events_of(journal: &[u8]) -> Vec<Json> {
    let mut events = Vec::new();
    journal_events(journal, &mut |_, event| events.push(told(event))).expect("a journal");
    events
}

/// The record of a whole run has its events.
fn has_its_events(process: &Process) {
    let seen: Vec<Json> = process.world.events.lock().expect("a list").iter().map(told).collect();
    same(&json!(events_of(&process.journal)), &json!(seen), "events");
}

/// The record of a whole run answers another one, which is the same.
fn answers_again(case: &Case, process: &Process) {
    let lines = journal_answers(&process.journal).expect("a journal");
    let again = run(case, b"", Some(Arc::new(ReplayLlm::from_text("answers", &lines).expect("answers"))));
    same(&without_times(&again.step), &without_times(&process.step), "answered again");
}

/// The step without times.
fn without_times(step: &Step) -> Json {
    fn forget(json: &mut Json) {
        match json {
            Json::Object(object) => {
                object.retain(|key, _| !matches!(key.as_str(), "duration_ms" | "timestamp"));
                object.values_mut().for_each(forget);
            }
            Json::Array(items) => items.iter_mut().for_each(forget),
            _ => {}
        }
    }
    let mut json = json_of_step(step);
    // A model that failed is asked again, so that its attempts take longer.
    if let Some(message) = json["fail"]["message"].as_str().and_then(|message| message.split(" attempts in ").next()) {
        json["fail"]["message"] = json!(message);
    }
    forget(&mut json);
    json
}

/// Everything that can be read of the first `cut` bytes of the journal of a whole run is the beginning of what can be read
/// of all of it.
fn reads_its_beginning(process: &Process, cut: usize) {
    let left = &process.journal[..cut];
    let begins = |part: &[Json], whole: &[Json], what: &str| {
        assert!(part.len() <= whole.len(), "{what} {cut}");
        same(&json!(part), &json!(whole[..part.len()]), what);
    };
    let json = |requests: &[Request]| requests.iter().map(|request| json!(request)).collect::<Vec<_>>();
    begins(&json(&requests_of(left)), &json(&requests_of(&process.journal)), "requests");
    begins(&events_of(left), &events_of(&process.journal), "events");
    let answers = |journal| journal_answers(journal).expect("a journal");
    assert!(answers(&process.journal).starts_with(&answers(left)), "answers {cut}");
    let Some(recorded) = Recorded::read(left).expect("a journal") else { return };
    let (over, is_over) = (recorded.turns().len(), recorded.end().is_some());
    let step = recorded_step(recorded).expect("a step");
    assert_eq!(is_over, step.fail().is_none_or(|fail| !fail.message.starts_with("the journal ends")), "{cut}");
    let turns = |step: &Step, most: usize| -> Vec<Json> {
        let turns = step.turns().iter().take(most);
        turns.map(|turn| json!(TurnJson::new(turn, ValueForm::Typed))).collect()
    };
    let whole = recorded_step(process.recorded()).expect("a step");
    begins(&turns(&step, over), &turns(&whole, over), "turns");
}

/// The id of the call of the run itself that is this one, or the one for which an agent made it.
fn own_call(id: &str) -> &str {
    id.match_indices('/').nth(2).map_or(id, |(end, _)| &id[..end])
}

/// A run that is killed and resumed any number of times.
struct Killed<'a> {
    case: &'a Case,
    whole: &'a Process,
    /// How often each call took effect, and whether its tool may be called again.
    effects: BTreeMap<String, (usize, bool)>,
    /// Calls with an unknown outcome: the programs read that.
    lost: BTreeSet<String>,
    /// A call was made again and refused, so that its first time may have worked: the programs read that.
    is_unsure: bool,
}

impl Killed<'_> {
    /// What a process did before its journal had this length. At that length `has_more` decides: the process may have
    /// been killed before what it did next, or after.
    fn did(&mut self, process: &Process, until: usize, has_more: bool) {
        for (id, is_repeatable, at) in process.world.effects.lock().expect("a list").iter() {
            if *at < until || *at == until && has_more {
                self.effects.entry(id.clone()).or_insert((0, *is_repeatable)).0 += 1;
            }
        }
    }

    /// Continue from what is left of the journal.
    fn resume(&mut self, left: &[u8]) -> Process {
        let resumed = run(self.case, left, None);
        let Some(before) = Recorded::read(left).expect("a journal") else { return resumed };
        let is_lost = |call: &&RecordedCall| {
            let (id, agent) = (&call.start.id, call.start.agent);
            call.end.is_none() && !call.start.repeatable && (!agent || before.has_calls_below(id))
        };
        let lost: BTreeSet<String> = before.own_calls(0).filter(is_lost).map(|call| call.start.id.clone()).collect();
        let after = resumed.recorded();
        let is_unknown = |call: &&RecordedCall| {
            let end = call.end.as_ref().expect("an end");
            matches!(&end.outcome, CallOutcome::Error(error) if error == UNKNOWN)
        };
        self.lost.extend(lost);
        let all = |recorded: &Recorded| -> Vec<RecordedCall> {
            recorded.calls().chain(recorded.all_below().flat_map(|(_, below)| below.calls())).cloned().collect()
        };
        let is_refused = |id: &str| {
            let known = all(&self.whole.recorded()).into_iter().find(|call| call.start.id == id);
            known.and_then(|call| call.end).is_some_and(|end| end.to_result().is_ok_and(|result| result.is_err()))
        };
        self.is_unsure |= all(&before)
            .iter()
            .any(|call| call.end.is_none() && call.start.tool == "note" && is_refused(&call.start.id));
        let unknown: BTreeSet<String> =
            after.own_calls(0).filter(is_unknown).map(|call| call.start.id.clone()).collect();
        assert_eq!(unknown, self.lost, "exactly the calls that may not be repeated and had no end");
        for ids in resumed.world.decided.lock().expect("a list").iter() {
            assert!(before.decisions(ids).is_none(), "{ids:?} were decided");
            assert!(ids.iter().all(|id| before.single_decision(id).is_none()), "one of {ids:?} was decided");
        }
        for (id, ..) in resumed.world.effects.lock().expect("a list").iter() {
            let is_over = |id: &str| before.call(id).is_some_and(|call| call.end.is_some());
            assert!(!is_over(id) && !is_over(own_call(id)), "{id} was over");
        }
        if self.is_the_same() {
            self.asks_the_rest(&before, &resumed);
        }
        resumed
    }

    /// Whether programs read the same as without a crash.
    fn is_the_same(&self) -> bool {
        self.lost.is_empty() && !self.is_unsure
    }

    /// The requests of a resumed run are those of the whole one without answers on record, and all of agents that run
    /// again.
    fn asks_the_rest(&self, before: &Recorded, resumed: &Process) {
        let is_known = |request: &Request| {
            let place = |reply: &ReplyRecord| (reply.turn, reply.attempt);
            before.replies().iter().any(|reply| place(reply) == (request.turn, request.attempt))
        };
        let is_own = |request: &Request| request.agent.is_none();
        let mut expected = self.whole.sent();
        expected.retain(|request| is_own(request) && !is_known(request));
        let mut own = resumed.sent();
        own.retain(is_own);
        same(&json!(own), &json!(expected), "requests after a crash");
        let is_over = |id: &str| before.call(own_call(id)).is_some_and(|call| call.end.is_some());
        let whole = self.whole.recorded();
        let below = whole.all_below().filter(|(id, _)| !is_over(id));
        let below = below.flat_map(|(_, below)| below.requests()).map(|request| request.expect("a request").1);
        let sorted = |requests: Vec<Request>| {
            let mut texts: Vec<String> = requests.iter().map(|request| json!(request).to_string()).collect();
            texts.sort();
            texts
        };
        let mut others = resumed.sent();
        others.retain(|request| !is_own(request));
        assert_eq!(sorted(others), sorted(below.collect()), "requests of agents after a crash");
    }

    /// What holds when the last process has ended.
    fn ended(&self, last: &Process) {
        let mut step = recorded_step(last.recorded()).expect("a step");
        for (id, (count, is_repeatable)) in &self.effects {
            assert!(*count == 1 || *is_repeatable, "{id} took effect {count} times");
        }
        if self.is_the_same() {
            let whole = recorded_step(self.whole.recorded()).expect("a step");
            same(&without_times(&step), &without_times(&whole), "step after a crash");
            let effects: BTreeSet<String> = self.effects.keys().cloned().collect();
            let expected = self.whole.world.effects.lock().expect("a list").iter().map(|(id, ..)| id.clone()).collect();
            assert_eq!(effects, expected, "effects");
        }
        // The process has no steps of agents that had answered before it.
        let mut own = last.step.clone();
        own.child_steps.clear();
        step.child_steps.clear();
        same(&json_of_step(&as_kept(step, &own)), &json_of_step(&own), "step of a resumed run");
    }
}

/// Kill a run at each of these places, the next one after it was resumed. A place is so many bytes of those that the process
/// wrote.
fn kill<P: Fn(usize) -> usize>(case: &Case, whole: &Process, kills: impl IntoIterator<Item = (P, bool)>) {
    let mut killed = Killed { case, whole, effects: BTreeMap::new(), lost: BTreeSet::new(), is_unsure: false };
    let mut resumed: Option<Process> = None;
    for (place, has_more) in kills {
        let last = resumed.as_ref().unwrap_or(whole);
        let left = &last.journal[..last.left + place(last.journal.len() - last.left)];
        let lines = left.iter().rposition(|byte| *byte == b'\n').map_or(0, |last| last + 1);
        // A line that is torn is written after everything before it.
        killed.did(last, lines, has_more || lines < left.len());
        resumed = Some(killed.resume(left));
    }
    let last = resumed.as_ref().unwrap_or(whole);
    killed.did(last, usize::MAX, true);
    killed.ended(last);
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(64) })]

    #[test]
    fn what_a_run_does_is_on_record_and_a_crash_changes_nothing(
        case in any_case(),
        cuts in prop::collection::vec(any::<Index>(), 2),
        kills in prop::collection::vec((any::<Index>(), any::<bool>()), 1..3),
    ) {
        let whole = run(&case, b"", None);
        has_its_record(&whole);
        has_its_cost(&whole);
        has_its_events(&whole);
        answers_again(&case, &whole);
        cuts.iter().for_each(|cut| reads_its_beginning(&whole, cut.index(whole.journal.len() + 1)));
        kill(&case, &whole, kills.iter().map(|(cut, has_more)| (|written: usize| cut.index(written + 1), *has_more)));
    }
}

proptest! {
    // Each case is some hundred runs.
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(4) })]

    #[test]
    fn a_crash_after_any_line_changes_nothing(case in any_case(), within in any::<Index>()) {
        let whole = run(&case, b"", None);
        let (others, mut end) = (within.index(256), 0);
        for (number, line) in whole.journal.split_inclusive(|byte| *byte == b'\n').enumerate() {
            let begin = end;
            end += line.len();
            if !ptc_lisp::testing::is_tried(others + number) {
                continue;
            }
            let torn = begin + within.index(line.len());
            [torn, end].into_iter().for_each(|cut| reads_its_beginning(&whole, cut));
            for has_more in [false, true] {
                kill(&case, &whole, [(|_: usize| end, has_more)]);
            }
        }
    }
}
