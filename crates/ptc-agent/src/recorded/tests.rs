//! Journals read back as the step of their run, whole or as far as they go.

use std::sync::Mutex;
use std::time::Duration;

use ptc_chat::{LlmError, OutputMode, Reply, ScriptedLlm, Tokens, ToolUse};
use ptc_transcript::{JournalWriter, StepJson, ValueForm};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value as Json, json};

use super::*;
use crate::testing::forged;
use crate::{AgentBuilder, Decision, FnTool, FormatSettings, LlmRetry, ToolError, blocking};

#[derive(Deserialize, JsonSchema)]
struct Item {
    id: i64,
}

fn agent() -> AgentBuilder {
    let double = |item: Item| if item.id == 13 { Err(ToolError::new("bad luck")) } else { Ok(item.id * 2) };
    Agent::builder("Double {{n}}").tool(FnTool::new("double", "Doubles", double)).max_turns(6)
}

/// The step of a run, and its journal.
fn run(agent: AgentBuilder, answers: Vec<Result<Reply, LlmError>>, options: RunOptions) -> (Step, Vec<u8>) {
    let journal = Arc::new(JournalWriter::new(Vec::new()));
    let options = options
        .llm(Arc::new(ScriptedLlm::new(answers)))
        .journal(Arc::<JournalWriter<Vec<u8>>>::clone(&journal))
        .seed(7);
    let agent = agent.build().expect("an agent");
    let step =
        blocking::run_with(&agent, Context::new(json!({"n": 21, "_key": "a secret key"})).expect("data"), options)
            .expect("a run");
    (step, Arc::into_inner(journal).expect("nobody else writes").into_writer())
}

fn read(journal: &[u8]) -> Result<Step, AgentError> {
    recorded_step(Recorded::read(journal).expect("a journal").expect("a header"))
}

/// The journal as version 1 had it: answers, calls, decisions and outcomes of turns.
fn first_version(journal: &[u8]) -> Vec<u8> {
    let line = |line: &str| {
        let mut line: Json = serde_json::from_str(line).expect("JSON");
        let kind = line["type"].as_str().expect("a type").to_owned();
        let fields = line.as_object_mut().expect("an object");
        fields.retain(|key, _| {
            !matches!(key.as_str(), "sum" | "program" | "repeatable") && (&*kind, &**key) != ("turn", "turn")
        });
        if kind == "header" {
            fields.insert("version".to_owned(), json!(1));
        }
        (!matches!(&*kind, "request" | "end")).then(|| format!("{line}\n"))
    };
    String::from_utf8_lossy(journal).lines().filter_map(line).collect::<String>().into_bytes()
}

fn programs<const N: usize>(programs: [&str; N]) -> Vec<Result<Reply, LlmError>> {
    programs
        .iter()
        .map(|program| {
            Ok(Reply {
                tokens: Some(Tokens { input: 90, output: 9, cached: 0, cache_write: 0 }),
                ..Reply::text(*program)
            })
        })
        .collect()
}

/// The step without durations.
fn json_of_step(step: &Step) -> Json {
    let mut json = StepJson::new(step, ValueForm::Typed).to_json();
    forget_times(&mut json);
    json
}

fn forget_times(json: &mut Json) {
    match json {
        Json::Object(object) => {
            object.retain(|key, _| !matches!(key.as_str(), "duration_ms" | "timestamp"));
            object.values_mut().for_each(forget_times);
        }
        Json::Array(items) => items.iter_mut().for_each(forget_times),
        _ => {}
    }
}

const WORK: [&str; 5] = [
    "(def a (tool/double {:id data/n})) (def r (rand-int 1000000)) (def t (System/currentTimeMillis))",
    "(defn f [x] (* x a)) (println \"so far\" a data/_key) (step-done \"1\" \"doubled\")",
    "(tool/double {:id 1}) (tool/double {:id 13})",
    "(task \"again\" (mapv (fn [n] (tool/double {:id n})) [1 2 3]))",
    "(return {:a a :s #{:x} :f (f 1.23456)})",
];

#[test]
fn a_whole_journal_gives_the_step_of_its_run() {
    let plain = |builder: AgentBuilder| builder;
    let changed = |builder: AgentBuilder| {
        builder
            .signature("(n :int, _key :string) -> {a :int, s :any, f :float}")
            .field_descriptions([("a", "the double")])
            .context_descriptions([("n", "what to double")])
            .plan([("1", "Double"), ("2", "Return")])
            .llm_query(true)
            .float_precision(2)
            .samples(false)
            .retry_turns(2)
            .format_options(FormatSettings { feedback_max_chars: 5, ..FormatSettings::default() })
            .name("doubler")
            .compression(true)
    };
    for change in [plain, changed] {
        let options = RunOptions::new().tasks(vec![("known".to_owned(), Value::Int(1))]);
        let (step, journal) = run(change(agent()), programs(WORK), options);
        for journal in [first_version(&journal), journal] {
            assert_eq!(json_of_step(&read(&journal).expect("a step")), json_of_step(&step));
        }
        assert!(
            step.turns()[..2].iter().all(ptc_transcript::Turn::is_success) && step.turns().len() == 5,
            "{:?}",
            step.turns()
        );
    }
}

#[test]
fn what_the_run_answers_itself_is_answered_again() {
    let asking = agent().builtin_tools(["history", "grep"]);
    let answers = programs([
        "(tool/double {:id 4})",
        "(tool/grep {:pattern \"o\" :text \"one\\ntwo\"})",
        "(return (mapv :program (tool/history)))",
    ]);
    let (step, journal) = run(asking, answers, RunOptions::default());
    assert_eq!(step.value::<Vec<String>>().expect("programs").len(), 2);
    assert_eq!(json_of_step(&read(&first_version(&journal)).expect("a step")), json_of_step(&step));
}

#[test]
fn a_run_may_have_begun_where_another_one_ended() {
    let cached = || {
        Agent::builder("Double")
            .tool(FnTool::new("double", "Doubles", |item: Item| Ok::<_, ToolError>(item.id * 2)).cache())
    };
    let (first, _) = run(
        cached(),
        programs(["(defn f [x] (inc x)) (def a (tool/double {:id 4}))", "(return a)"]),
        RunOptions::default(),
    );
    let options = RunOptions::new().continuing(&first).tool_cache(first.tool_cache.clone());
    let options = options.follow_up("And now the other one.");
    let (step, journal) = run(cached(), programs(["(return (f (+ a (tool/double {:id 4}))))"]), options);
    assert_eq!(step.follow_up, "And now the other one.");
    assert_eq!(step.value::<i64>().expect("a number"), 17);
    assert!(step.memory_at_start.get("f").is_some());
    assert_eq!(json_of_step(&read(&journal).expect("a step")), json_of_step(&step));
}

#[test]
fn attempts_that_failed_and_decisions_are_repeated() {
    let mut answers = programs(["(tool/double {:id 4})", "(return (tool/double {:id 5}))"]);
    answers.insert(1, Err(LlmError::from_status(429, "slow down")));
    let retry = LlmRetry { max_attempts: 2, base_delay: Duration::ZERO, ..LlmRetry::default() };
    let double = |item: Item| Ok::<_, ToolError>(item.id * 2);
    let marked =
        || Agent::builder("Double").tool(FnTool::new("double", "Doubles", double).approve()).llm_retry(retry.clone());
    for scope in [ApprovalScope::Calls, ApprovalScope::Programs] {
        let decided = Mutex::new(0);
        let approver = move |waiting: &Approval| {
            let mut count = decided.lock().expect("a count");
            *count += 1;
            let one = if *count == 1 { Decision::deny("not today") } else { Decision::Approve };
            waiting.ids().iter().map(|_| one.clone()).collect::<Vec<_>>()
        };
        let options = RunOptions::new().approval(Arc::new(approver)).approval_scope(scope);
        let (step, journal) = run(marked(), answers.clone(), options);
        assert_eq!(json_of_step(&read(&journal).expect("a step")), json_of_step(&step), "{scope:?}");
        let mut again = json_of_step(&read(&first_version(&journal)).expect("a step"));
        again["usage"]["llm_requests"] = json!(3);
        assert_eq!(again, json_of_step(&step), "{scope:?}");
        // Wherever it ends, the step has the durations of the turns, not the time of reading.
        let lines: Vec<&[u8]> = journal.split_inclusive(|byte| *byte == b'\n').collect();
        for count in 1..lines.len() {
            let early = || read(&lines[..count].concat()).expect("a step");
            let times = |step: Step| step.turns().iter().map(|turn| turn.duration()).collect::<Vec<_>>();
            assert_eq!(times(early()), times(early()), "{scope:?}, {count} lines");
        }
    }
}

#[test]
fn answers_without_programs_are_read_back_too() {
    let using = Reply { tool_calls: vec![ToolUse::new("c1", "double", json!({"id": 4}))], ..Reply::default() };
    let answers = vec![Ok(using), Ok(Reply::text("eight"))];
    let (step, journal) = run(agent().output(OutputMode::Text), answers, RunOptions::default());
    assert_eq!(step.value::<String>().expect("a text"), "eight");
    assert_eq!(json_of_step(&read(&journal).expect("a step")), json_of_step(&step));
}

#[test]
fn a_program_that_takes_another_course_is_an_error() {
    let (_, journal) = run(agent(), programs(["(def a 1)", "(return a)"]), RunOptions::default());
    let forged = String::from_utf8_lossy(&first_version(&journal))
        .replace("\"number\":1,\"success\":true", "\"number\":1,\"success\":false");
    let error = read(forged.as_bytes()).expect_err("another course").to_string();
    assert!(error.starts_with("turn 1 succeeded, in the journal it failed"), "{error}");
}

#[test]
fn a_run_that_ends_before_its_journal_is_an_error() {
    let (_, journal) = run(agent(), programs(["(def a 1)", "(return a)"]), RunOptions::default());
    // As if the first program had been different.
    let forged = String::from_utf8_lossy(&first_version(&journal)).replace("(def a 1)", "(return 2)");
    assert_eq!(
        read(forged.as_bytes()).expect_err("another course").to_string(),
        "the run ends after 1 turns, in the journal it continues; an option or the release has changed"
    );
}

#[test]
fn a_run_that_reached_a_bound_can_be_resumed() {
    let bounded = RunOptions::new().token_limit(150);
    let (step, journal) = run(agent(), programs(["(def a 1)", "(def b 2)", "(return a)"]), bounded);
    assert_eq!(step.fail().expect("a reason").reason, FailReason::BudgetCallbackExceeded);
    assert_eq!(json_of_step(&read(&journal).expect("a step")), json_of_step(&step));
    let early = read(&first_version(&journal)).expect("a step");
    assert_eq!(early.fail().expect("a reason").message, INTERRUPTED);
    assert_eq!(early.turns().len(), 2, "the answer that went over the bound is known, and its program runs");
}

#[test]
fn a_journal_without_settings_is_read_with_the_usual_ones() {
    let (step, journal) = run(agent(), programs(["(def a 1)", "(return a)"]), RunOptions::default());
    let mut lines: Vec<Json> = String::from_utf8_lossy(&first_version(&journal))
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    assert!(lines[0].as_object_mut().expect("a header").remove("settings").is_some());
    let old: String = lines.iter().map(|line| format!("{line}\n")).collect();
    let mut expected = json_of_step(&step);
    // Only the settings know these.
    expected["mission"] = json!("Double 21");
    expected.as_object_mut().expect("a step").remove("system");
    expected["usage"].as_object_mut().expect("usage").remove("system_prompt_tokens");
    assert_eq!(json_of_step(&read(old.as_bytes()).expect("a step")), expected);
}

/// A custom strategy, which a reader of the journal does not have.
struct Mine;

impl ptc_compression::Compression for Mine {
    fn name(&self) -> &str {
        "mine"
    }

    fn to_messages(
        &self,
        _: &[ptc_transcript::Turn],
        _: &ptc_lisp::Memory,
        input: &ptc_compression::RenderInput<'_>,
    ) -> ptc_compression::Rendered {
        vec![ptc_chat::Message::user(input.mission)].into()
    }
}

#[test]
fn a_journal_says_how_its_history_was_shown() {
    use ptc_compression::{ByteBound, Ceiling, CompressionConfig, Digest};

    let below = CompressionConfig::from(Digest::new().println_limit(1)).with_ceiling(Ceiling::new(400_000, ByteBound));
    for config in [below, Ceiling::new(400_000, ByteBound).into(), Digest::new().into(), false.into()] {
        let record = config.to_record();
        let (step, journal) = run(
            agent().compression(config),
            programs(["(println 1)", "(println 2)", "(return 1)"]),
            RunOptions::new().collect_messages(true),
        );
        assert!(step.messages.is_some());
        assert_eq!(
            step.compression.iter().map(|known| (known.from_turn, &known.compression)).collect::<Vec<_>>(),
            [(1, &record)]
        );
        let read = read(&journal).expect("a step");
        assert_eq!(json_of_step(&read), json_of_step(&step));
        assert_eq!(read.usage.estimates.len(), 3);
    }
}

#[test]
fn a_journal_of_a_custom_strategy_is_read_without_it() {
    let (step, journal) = run(agent().compression(Mine), programs(["(def a 1)", "(return a)"]), RunOptions::default());
    assert_eq!(
        step.usage.compression.as_ref().map(|stats| (stats.enabled, stats.strategy.as_str())),
        Some((true, "mine"))
    );
    assert_eq!(json_of_step(&read(&journal).expect("a step")), json_of_step(&step));
    // Version 1 has no requests, and nobody could write them again.
    let error = read(&first_version(&journal)).expect_err("a custom strategy").to_string();
    assert!(error.contains("mine"), "{error}");
}

#[test]
fn a_run_whose_model_failed_says_how() {
    let mut answers = programs(["(def a 1)"]);
    answers.push(Err(LlmError::from_status(429, "slow down")));
    let (step, journal) = run(agent(), answers, RunOptions::default());
    assert_eq!(json_of_step(&read(&journal).expect("a step")), json_of_step(&step));
    let early = read(&first_version(&journal)).expect("a step");
    assert_eq!(
        early.fail().expect("a reason").to_string(),
        "cancelled: the journal ends after a failed call of the model: rate_limit (HTTP 429): slow down; a resumed run \
         asks it again"
    );
}

/// The journal with other fields in its header.
fn with_header(journal: &[u8], change: impl Fn(&mut serde_json::Map<String, Json>)) -> Vec<u8> {
    let text = std::str::from_utf8(journal).expect("text");
    let (first, rest) = text.split_once('\n').expect("a header");
    let mut header: serde_json::Map<String, Json> = serde_json::from_str(first).expect("JSON");
    change(&mut header);
    format!("{}\n{rest}", serde_json::to_string(&header).expect("JSON")).into_bytes()
}

#[test]
fn a_journal_of_somebody_else_raises_no_limit() {
    let (_, journal) =
        run(agent(), programs(["(tool/double {:id 1}) (return (System/currentTimeMillis))"]), RunOptions::default());
    let raised = with_header(&first_version(&journal), |header| {
        header.insert("max_turns".to_owned(), json!(u64::MAX));
        header.insert("retry_turns".to_owned(), json!(3));
        header.insert("clock".to_owned(), json!(i64::MAX));
        let settings = header["settings"].as_object_mut().expect("settings");
        settings.insert("max_heap".to_owned(), json!(u64::MAX));
        settings.insert("timeout".to_owned(), json!({"secs": 3_600, "nanos": 0}));
        settings.insert("fuel".to_owned(), json!(u64::MAX));
        settings.insert("call_depth".to_owned(), json!(u64::MAX));
        settings.insert("source_bytes".to_owned(), json!(u64::MAX));
        settings.insert("format_options".to_owned(), json!({"max_prints": u64::MAX}));
    });
    assert_eq!(read(&raised).expect("a step").turns().len(), 1);
    let agent = agent_of(&raised);
    assert_eq!(agent.max_heap, Some(PROGRAM_HEAP));
    assert!(agent.timeout <= PROGRAM_TIME, "{:?}", agent.timeout);
    assert_eq!((agent.fuel, agent.call_depth), (Some(PROGRAM_FUEL), Some(PROGRAM_DEPTH)));
    assert_eq!(agent.source_bytes, Some(PROGRAM_SOURCE));
    assert_eq!(agent.format_options.max_prints, Some(PROGRAM_PRINTS));
}

fn agent_of(journal: &[u8]) -> crate::AgentSpec {
    let recorded = Recorded::read(journal).expect("a journal").expect("a header");
    let settings = Settings::read(recorded.header()).expect("settings");
    super::agent(&recorded, &settings).expect("an agent").definition.spec.clone()
}

#[test]
fn a_changed_journal_gives_an_error_with_its_line_or_a_step_that_adds_up() {
    let (_, journal) = run(agent(), programs(WORK), RunOptions::new().tasks(Vec::new()));
    let lines: Vec<Json> = std::str::from_utf8(&journal)
        .expect("text")
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    let odd = [
        json!(null),
        json!(-1),
        json!(0),
        json!(u64::MAX),
        json!(i64::MAX),
        json!(i64::MIN),
        json!(""),
        json!([]),
        json!({}),
    ];
    let names = |line: &Json| line.as_object().expect("an object").keys().cloned().collect::<Vec<_>>();
    let (mut refused, mut steps, mut met) = (0, 0, 0);
    for (place, line) in lines.iter().enumerate() {
        for name in &names(line) {
            for value in &odd {
                // A share of them, in which every name and every value occurs.
                met += 1;
                if !ptc_lisp::testing::is_tried(met) {
                    continue;
                }
                let mut changed = lines.clone();
                changed[place][name] = value.clone();
                let text: String = changed.iter().map(|line| format!("{line}\n")).collect();
                let about = format!("line {} with {name} {value}", place + 1);
                let recorded = match Recorded::read(&forged(text.as_bytes(), str::to_owned)) {
                    Ok(recorded) => recorded.expect("a header"),
                    Err(error) => {
                        refused += 1;
                        // What does not fit is found at the next record that shows it.
                        let is_located = match error {
                            JournalError::BadLine { line, .. }
                            | JournalError::OutOfPlace { line, .. }
                            | JournalError::OtherRun { line, .. } => line > place,
                            JournalError::NotAJournal { .. } | JournalError::Version { .. } => place == 0,
                            _ => false,
                        };
                        assert!(is_located, "{about}: {error}");
                        continue;
                    }
                };
                let replies = recorded.replies().len() as u64;
                match recorded_step(recorded) {
                    Ok(step) => {
                        steps += 1;
                        assert_eq!(step.usage.llm_requests, Some(replies), "{about}");
                        adds_up(&step, &about);
                    }
                    Err(AgentError::Panicked(panic)) => panic!("{about}: {panic}"),
                    Err(_) => refused += 1,
                }
            }
        }
    }
    let share = [500, 100].map(ptc_lisp::testing::test_cases);
    assert!(refused > share[0] && steps > share[1], "{refused} refused, {steps} steps of {met}");
}

/// The totals of a step are those of its turns, and the written step reads back as the same step.
fn adds_up(step: &Step, about: &str) {
    let usage = &step.usage;
    assert_eq!(usage.turns, step.turns().len(), "{about}");
    assert_eq!(
        usage.total_tokens,
        usage.input_tokens.zip(usage.output_tokens).map(|(a, b)| a.saturating_add(b)),
        "{about}"
    );
    let json = StepJson::new(step, ValueForm::Typed).to_json();
    let again = StepJson::parse(&json.to_string()).and_then(|read| read.to_step()).expect("a step");
    assert_eq!(StepJson::new(&again, ValueForm::Typed).to_json(), json, "{about}");
}
