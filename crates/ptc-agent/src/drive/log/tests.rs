//! Runs that crash anywhere and resume.

mod compression;
mod decisions;
mod laws;

use insta::assert_snapshot;
use ptc_chat::llm_fn;
use ptc_lisp::ToolError;
use ptc_transcript::{EventKind, FailReason, JournalWriter, Step, StepJson};
use serde_json::json;

use super::*;
use crate::testing::{Item, forged, scripted};
use crate::{Agent, AgentBuilder, AgentError, Approval, Context, FnTool, LlmRetry};

const TIMEOUT: Duration = Duration::from_secs(77);

type Seen<T> = Arc<Mutex<Vec<T>>>;

/// A clock that is one second later each time.
#[derive(Default)]
struct Ticking(AtomicI64);

impl Clock for Ticking {
    fn now_micros(&self) -> i64 {
        self.0.fetch_add(1_000_000, Ordering::Relaxed)
    }
}

/// A clock that was stopped.
struct Stopped;

impl Clock for Stopped {
    fn now_micros(&self) -> i64 {
        1_700_000_000_000_000
    }
}

/// What one process did: it may have started from a journal.
struct Process {
    outcome: Result<Step, AgentError>,
    asked: Vec<(u32, u32)>,
    called: Vec<i64>,
    journal: Vec<u8>,
}

impl Process {
    fn step(&self) -> &Step {
        self.outcome.as_ref().expect("a step")
    }

    fn error(&self) -> String {
        self.outcome.as_ref().err().map(ToString::to_string).unwrap_or_default()
    }

    fn recorded(&self) -> Recorded {
        Recorded::read(&self.journal).expect("a journal").expect("a header")
    }

    /// The step without anything that depends on the time of day.
    fn json(&self) -> serde_json::Value {
        StepJson::new(self.step(), ValueForm::Plain).to_json()
    }
}

/// An agent with a tool that doubles, and fails for 13.
struct Setting<'a> {
    programs: &'a [String],
    idempotent: bool,
    clock: Arc<dyn Clock>,
    change: fn(AgentBuilder) -> AgentBuilder,
    data: serde_json::Value,
    options: RunOptions,
}

impl<'a> Setting<'a> {
    fn of(programs: &'a [String]) -> Setting<'a> {
        Setting {
            programs,
            idempotent: true,
            clock: Arc::new(Stopped),
            change: |builder| builder,
            data: json!({"n": 1}),
            options: RunOptions::default(),
        }
    }

    /// Run from the beginning, or from what is left of a journal.
    fn run(&self, left: &[u8]) -> Process {
        let recorded = Recorded::read(left).expect("a journal");
        let whole = recorded.as_ref().map_or(0, Recorded::whole_bytes);
        let journal = Arc::new(JournalWriter::new(left[..whole].to_vec()));
        let (asked, called): (Seen<(u32, u32)>, Seen<i64>) = Default::default();
        let options = self
            .options
            .clone()
            .llm(self.llm(Arc::clone(&asked)))
            .clock(Arc::clone(&self.clock))
            .seed(7)
            .journal(Arc::<JournalWriter<Vec<u8>>>::clone(&journal))
            .resume(recorded.map(Arc::new));
        let outcome = self.drive(options, Arc::clone(&called));
        let journal = Arc::into_inner(journal).expect("nobody else writes").into_writer();
        Process {
            outcome,
            asked: std::mem::take(&mut *asked.lock().expect("a list")),
            called: std::mem::take(&mut *called.lock().expect("a list")),
            journal,
        }
    }

    fn llm(&self, asked: Seen<(u32, u32)>) -> Arc<dyn ptc_chat::Llm> {
        let programs = self.programs.to_vec();
        // In every process a turn gets the same answer; every second turn only at the second attempt.
        Arc::new(llm_fn("scripted", move |request: &Request| {
            asked.lock().expect("a list").push((request.turn, request.attempt));
            match programs.get(request.turn as usize - 1) {
                _ if request.turn.is_multiple_of(2) && request.attempt == 1 => {
                    Err(LlmError::from_status(429, "slow down"))
                }
                Some(program) => Ok(Reply::text(program.as_str())),
                None => Err(LlmError::new(LlmErrorKind::OutOfAnswers { used: programs.len() }, "nothing left")),
            }
        }))
    }

    fn drive(&self, options: RunOptions, called: Seen<i64>) -> Result<Step, AgentError> {
        let double = |called: Seen<i64>, item: Item| async move {
            called.lock().expect("a list").push(item.id);
            if item.id % 100 == 13 { Err(ToolError::new("bad luck")) } else { Ok(item.id * 2) }
        };
        let mut tool = FnTool::with_state("double", "Doubles", called, double);
        if self.idempotent {
            tool = tool.idempotent();
        }
        let retry = LlmRetry { max_attempts: 2, ..LlmRetry::default() };
        let agent = (self.change)(Agent::builder("Double").tool(tool).max_turns(9).llm_retry(retry)).build()?;
        let runtime =
            tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build().expect("a runtime");
        runtime.block_on(agent.run_with(Context::new(&self.data)?, options))
    }
}

/// The course that a journal holds: what was answered, called and decided, in order.
fn course(journal: &[u8]) -> Vec<String> {
    let said = |line: &str| {
        let line: serde_json::Value = serde_json::from_str(line).expect("a line");
        let kind = line["type"].as_str().filter(|kind| !matches!(*kind, "header" | "request" | "resumed" | "end"))?;
        let about: Vec<String> = ["below", "turn", "attempt", "id", "args", "result", "number", "success", "strategy"]
            .into_iter()
            .filter(|key| (kind, *key) != ("turn", "turn"))
            .map(|key| line[key].to_string())
            .collect();
        Some(format!("{kind} {}", about.join(" ")))
    };
    String::from_utf8_lossy(journal).lines().filter_map(said).collect()
}

/// The journal with another text.
fn replaced(journal: &[u8], text: &str, other: &str) -> Vec<u8> {
    forged(journal, |line| line.replace(text, other))
}

fn texts(programs: &[&str]) -> Vec<String> {
    programs.iter().map(|text| (*text).to_owned()).collect()
}

/// The beginning of a journal with its first `lines` lines.
fn first_lines(journal: &[u8], lines: usize) -> Vec<u8> {
    journal.split_inclusive(|byte| *byte == b'\n').take(lines).flatten().copied().collect()
}

/// How many lines of a journal precede the first one with this text.
fn lines_before(journal: &[u8], text: &str) -> usize {
    String::from_utf8_lossy(journal).lines().position(|line| line.contains(text)).expect("such a line")
}

const CALLING: [&str; 3] = ["(def a (tool/double {:id 1}))", "(def b (+ a (tool/double {:id 2})))", "(return [a b])"];

#[test]
fn a_resumed_run_asks_and_calls_only_what_is_new() {
    let programs = texts(&CALLING);
    let setting = Setting::of(&programs);
    let whole = setting.run(b"");
    assert_eq!(whole.json()["return"], json!([2, 6]));
    assert_eq!((whole.asked.len(), whole.called.as_slice()), (4, [1, 2].as_slice()));
    // Cut after the first turn.
    let left = first_lines(&whole.journal, lines_before(&whole.journal, "\"turn\":2"));
    let resumed = setting.run(&left);
    assert_eq!(
        (resumed.asked.as_slice(), resumed.called.as_slice()),
        ([(2, 1), (2, 2), (3, 1)].as_slice(), [2].as_slice())
    );
    assert_eq!(resumed.json(), whole.json());
    assert_eq!(course(&resumed.journal), course(&whole.journal), "the same records again");
    let again = setting.run(&whole.journal);
    assert_eq!((again.asked.len(), again.called.len()), (0, 0), "a run that is over only tells its result");
    assert_eq!(again.json(), whole.json());
}

#[test]
fn a_run_is_resumed_only_from_what_it_began_with() {
    let defined = |program: &str| Setting::of(&texts(&[program])).run(b"").step().clone();
    let (first, other) = (defined("(defn f [x] (* 2 x)) (return 1)"), defined("(defn f [x] (* 3 x)) (return 1)"));
    let programs = texts(&["(def y (f 4))", "(return (f y))"]);
    let from = |step: &Step| Setting { options: RunOptions::default().continuing(step), ..Setting::of(&programs) };
    let whole = from(&first).run(b"");
    assert_eq!(whole.json()["return"], json!(16));
    let left = first_lines(&whole.journal, lines_before(&whole.journal, "\"turn\":2"));
    let read = StepJson::parse(&StepJson::new(&first, ValueForm::Typed).to_json().to_string())
        .expect("a step")
        .to_step()
        .expect("a step");
    for step in [&first, &read] {
        assert_eq!(from(step).run(&left).json(), whole.json());
    }
    let cached = ptc_lisp::CachedCall { name: "double".into(), args: Value::Nil, result: Value::Int(1) };
    let knowing = Setting { options: RunOptions::new().continuing(&first).tool_cache(vec![cached]), ..from(&first) };
    for setting in [from(&other), Setting::of(&programs), knowing] {
        let error = setting.run(&left).error();
        assert!(
            error.starts_with("the journal belongs to other input data, finished tasks, definitions or known answers"),
            "{error}"
        );
    }
}

#[test]
fn what_children_asked_for_is_counted_after_a_crash_too() {
    let programs = texts(&["(def n (tool/kid {}))", "(return n)"]);
    let change = |agent: AgentBuilder| {
        let kid = Agent::builder("Kid").description("Kid").max_turns(1).llm(scripted(&["(+ 2 3)"]).1);
        agent.tool(kid.build().expect("an agent").as_tool(crate::SubagentOptions::named("kid")).expect("a tool"))
    };
    // One request for the first turn, one of the child, two for the second turn.
    let most = |requests: u64| {
        let decide = move |usage: &ptc_transcript::RunUsage| match usage.llm_requests {
            Some(asked) if asked > requests => std::ops::ControlFlow::Break(()),
            _ => std::ops::ControlFlow::Continue(()),
        };
        let options = RunOptions::new().budget(decide);
        Setting { options, change, ..Setting::of(&programs) }
    };
    assert_eq!(most(4).run(b"").json()["return"], json!(5));
    let whole = most(3).run(b"");
    assert_eq!(whole.step().fail().expect("a failure").reason.as_str(), "budget_callback_exceeded");
    let left = first_lines(&whole.journal, lines_before(&whole.journal, "\"turn\":2"));
    assert!(String::from_utf8_lossy(&left).contains("\"spent\":{\"requests\":1}"));
    let resumed = most(3).run(&left);
    assert_eq!(resumed.json()["fail"], whole.json()["fail"]);
    assert_eq!(course(&resumed.journal), course(&whole.journal));
}

#[test]
fn a_call_without_an_end_is_told_to_the_model_and_stays_unknown() {
    let programs = texts(&["(tool/double {:id 1})", "(return (:message data/fail))"]);
    let setting = Setting { idempotent: false, ..Setting::of(&programs) };
    let whole = setting.run(b"");
    let left = first_lines(&whole.journal, lines_before(&whole.journal, "call.end"));
    let resumed = setting.run(&left);
    assert!(resumed.called.is_empty());
    let told = "tool 'double' failed: outcome unknown after a crash: the call may have been made or not; find out before you repeat it at line 1, column 1";
    assert_eq!(resumed.step().value::<String>().expect("a text"), told);
    // A second crash does not make it known.
    let left = first_lines(&resumed.journal, lines_before(&resumed.journal, "\"turn\":2"));
    assert_eq!(setting.run(&left).step().value::<String>().expect("a text"), told);

    let repeated = Setting::of(&programs).run(&first_lines(&whole.journal, lines_before(&whole.journal, "call.end")));
    assert_eq!(repeated.called, [1], "an idempotent tool is called again");
    let ids: Vec<_> = String::from_utf8_lossy(&repeated.journal)
        .lines()
        .filter(|line| line.contains("call.start"))
        .map(|line| line.split(",\"tool\"").next().unwrap_or_default().to_owned())
        .collect();
    assert_eq!(ids.len(), 2);
    assert_eq!(ids[0], ids[1], "under the same id");
}

#[test]
fn programs_read_the_time_that_they_read_before() {
    let programs = texts(&[
        "(def t0 (System/currentTimeMillis)) (tool/double {:id 1}) (def t1 (System/currentTimeMillis)) (def r (rand-int 1000000))",
        "(return [t0 t1 (System/currentTimeMillis) r (rand-int 1000000)])",
    ]);
    let setting = Setting { clock: Arc::new(Ticking::default()), ..Setting::of(&programs) };
    let whole = setting.run(b"");
    let read: Vec<i64> = whole.step().value().expect("numbers");
    assert!(read[0] < read[1] && read[1] < read[2], "time goes on between what comes from outside: {read:?}");
    // Lines of the journal: header, request, answer, start and end of the call, turn, request, failed attempt, request,
    // answer, turn.
    for lines in 1..=11 {
        let resumed: Vec<i64> = setting.run(&first_lines(&whole.journal, lines)).step().value().expect("numbers");
        let known = usize::from(lines >= 3) + usize::from(lines >= 5) + usize::from(lines >= 10);
        assert_eq!(resumed[..known], read[..known], "{lines}");
        assert!(
            resumed[known..3].iter().all(|time| *time > read[2]),
            "what is new is later: {lines} {resumed:?} {read:?}"
        );
        assert_eq!(resumed[3..], read[3..], "the same seed");
    }
}

#[test]
fn a_program_that_ended_in_time_may_take_longer_when_it_is_repeated() {
    let programs = texts(&["(def sum (reduce + (range 200000)))", "(return (reduce + (range 200000)))"]);
    let whole = Setting::of(&programs).run(b"");
    let left = first_lines(&whole.journal, lines_before(&whole.journal, "\"turn\":2"));
    let hasty =
        Setting { change: |builder| builder.timeout(Duration::from_nanos(1)).max_turns(9), ..Setting::of(&programs) };
    let resumed = hasty.run(&left);
    assert!(resumed.step().turns()[0].is_success());
    assert_eq!(
        resumed.step().turns()[1].error_reason(),
        Some(FailReason::Program(ptc_lisp::Reason::Timeout)),
        "new programs have the limit of now"
    );
}

#[test]
fn a_run_that_takes_another_course_stops_before_anything_is_done() {
    let programs = texts(&CALLING);
    let whole = Setting::of(&programs).run(b"");
    let check = |setting: Setting<'_>, journal: &[u8]| {
        let process = setting.run(journal);
        assert!(process.asked.is_empty() && process.called.is_empty());
        process.error().replace(&whole.recorded().header().run, "R")
    };
    let other_text = |builder: AgentBuilder| builder.thinking(true);
    let told = check(Setting { change: other_text, ..Setting::of(&programs) }, &whole.journal);
    assert!(told.starts_with("turn 1 sends another request than the recorded run (fingerprints "), "{told}");
    assert!(told.contains("): thinking is true, in the journal false; system_text is "), "{told}");
    assert!(told.ends_with("; undo that and resume, or start a new journal"), "{told}");
    let thoughtful = |builder: AgentBuilder| builder.thinking(true).timeout(TIMEOUT);
    let told = check(Setting { change: thoughtful, ..Setting::of(&programs) }, &whole.journal);
    assert!(told.contains("): timeout is {") && told.contains("; thinking is true, in the journal false; "), "{told}");
    let other_turns = |builder: AgentBuilder| builder.max_turns(3);
    assert!(
        check(Setting { change: other_turns, ..Setting::of(&programs) }, &whole.journal)
            .contains("its number of turns differs")
    );
    assert!(
        check(Setting { data: json!({"n": 2}), ..Setting::of(&programs) }, &whole.journal)
            .starts_with("the journal belongs to other input data")
    );
    let other = replaced(&whole.journal, "\"args\":{\"$map\":[[\"id\",2]]}", "\"args\":{\"$map\":[[\"id\",3]]}");
    assert_snapshot!(check(Setting::of(&programs), &other), @r#"call R/2/1 is not the recorded one: the journal has double {"$map":[["id",3]]}, the program calls double {"$map":[["id",2]]}; an option or the release has changed; undo that and resume, or start a new journal"#);
    let other = replaced(&whole.journal, "\"number\":2,\"success\":true", "\"number\":2,\"success\":false");
    assert_snapshot!(check(Setting::of(&programs), &other), @"turn 2 succeeded, in the journal it failed; an option or the release has changed; undo that and resume, or start a new journal");
}

/// Accepts this many records, then none.
struct Full {
    room: AtomicI64,
    synced: AtomicU32,
}

impl Journal for Full {
    fn write(&self, _: &str) -> std::io::Result<()> {
        if self.room.fetch_sub(1, Ordering::Relaxed) > 0 { Ok(()) } else { Err(std::io::Error::other("no space left")) }
    }

    fn sync(&self) -> std::io::Result<()> {
        self.synced.fetch_add(1, Ordering::Relaxed);
        Ok(())
    }
}

#[test]
fn nothing_is_done_that_cannot_be_written() {
    let programs = texts(&CALLING);
    let setting = Setting::of(&programs);
    let check = |room: i64| {
        let (asked, called): (Seen<(u32, u32)>, Seen<i64>) = Default::default();
        let journal = Arc::new(Full { room: AtomicI64::new(room), synced: AtomicU32::new(0) });
        let options = RunOptions::new().llm(setting.llm(Arc::clone(&asked))).journal(Arc::<Full>::clone(&journal));
        let outcome = match setting.drive(options, Arc::clone(&called)) {
            Ok(step) => step.fail().map_or_else(|| "ok".to_owned(), ToString::to_string),
            Err(error) => format!("refused: {error}"),
        };
        let counts = (
            asked.lock().expect("a list").len(),
            called.lock().expect("a list").len(),
            journal.synced.load(Ordering::Relaxed),
        );
        (outcome, counts)
    };
    let failed = "journal_error: cannot write the journal: no space left".to_owned();
    assert_eq!(check(0), ("refused: cannot write the journal: no space left".to_owned(), (0, 0, 0)));
    assert_eq!(check(1), (failed.clone(), (0, 0, 1)), "header");
    assert_eq!(check(2), (failed.clone(), (1, 0, 1)), "and request");
    assert_eq!(check(3), (failed.clone(), (1, 0, 1)), "and reply");
    assert_eq!(check(4), (failed.clone(), (1, 1, 1)), "and call.start");
    assert_eq!(check(5), (failed, (1, 1, 1)), "and call.end");
    assert_eq!(check(99), ("ok".to_owned(), (4, 2, 5)), "synced after the header, each turn and the end");
}

#[test]
fn observers_hear_the_whole_run_and_its_break() {
    let programs = texts(&CALLING);
    let whole = Setting::of(&programs).run(b"");
    let heard: Seen<&'static str> = Arc::default();
    let ears = Arc::clone(&heard);
    let observer = move |event: &ptc_transcript::Event| {
        if !matches!(event.kind, EventKind::LlmStart { .. } | EventKind::LlmStop { .. }) {
            ears.lock().expect("a list").push(event.kind.name());
        }
    };
    let other = replaced(&whole.journal, "\"number\":2,\"success\":true", "\"number\":2,\"success\":false");
    let recorded = Recorded::read(&other).expect("a journal");
    let setting = Setting::of(&programs);
    let options = RunOptions::new()
        .llm(setting.llm(Arc::default()))
        .resume(recorded.map(Arc::new))
        .observers(vec![Arc::new(observer)]);
    assert!(setting.drive(options, Arc::default()).is_err());
    let heard = heard.lock().expect("a list").join(" ");
    assert_eq!(
        heard,
        "run.start turn.start tool.start tool.stop turn.stop turn.start tool.start tool.stop turn.stop run.exception"
    );
}

#[test]
fn text_mode_is_recorded_too() {
    let setting =
        Setting { change: |builder| builder.output(ptc_chat::OutputMode::Text), idempotent: false, ..Setting::of(&[]) };
    let run = |left: &[u8]| {
        let use_tool = ptc_chat::ToolUse::new("c1", "double", json!({"id": 4}));
        let llm = llm_fn("texts", move |request: &Request| match request.turn {
            1 => Ok(Reply {
                tool_calls: vec![use_tool.clone()],
                stop: ptc_chat::StopReason::ToolCalls,
                ..Reply::default()
            }),
            _ => Ok(Reply::text(format!("{:?}", request.messages.last()).contains("outcome unknown").to_string())),
        });
        let recorded = Recorded::read(left).expect("a journal");
        let journal = Arc::new(JournalWriter::new(left.to_vec()));
        let (heard, called): (Seen<String>, Seen<i64>) = Default::default();
        let ears = Arc::clone(&heard);
        let options = RunOptions::new()
            .llm(Arc::new(llm))
            .journal(Arc::<JournalWriter<Vec<u8>>>::clone(&journal))
            .resume(recorded.map(Arc::new))
            .on_chunk(move |text| ears.lock().expect("a list").push(text.to_owned()));
        let step = setting.drive(options, Arc::clone(&called)).expect("a step");
        let journal = Arc::into_inner(journal).expect("nobody else writes").into_writer();
        let (heard, calls) = (heard.lock().expect("a list").concat(), called.lock().expect("a list").len());
        (step.value::<String>().expect("a text"), heard, calls, journal)
    };
    let (text, heard, calls, journal) = run(b"");
    assert_eq!((text.as_str(), heard.as_str(), calls), ("false", "false", 1));
    let (text, heard, calls, _) = run(&journal);
    assert_eq!((text.as_str(), heard.as_str(), calls), ("false", "false", 0), "the final text is told again");
    let (text, _, calls, _) = run(&first_lines(&journal, lines_before(&journal, "call.end")));
    assert_eq!((text.as_str(), calls), ("true", 0), "the model reads that the outcome is unknown");
}
