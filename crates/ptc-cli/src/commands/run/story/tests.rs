use std::sync::Arc;

use insta::assert_snapshot;
use ptc_runner::chat::LlmErrorKind;
use ptc_runner::lisp::{Effect, ToolCall, ToolRecord};
use ptc_runner::transcript::{AgentSummary, Turn, TurnFields, TurnKind, failure_value};

use super::*;

/// A story as lines of text.
struct Told(Story);

impl Told {
    fn new() -> Told {
        let mut told = Told(Story::new(Some(100), PriceBook::default()));
        told.start(1, None, None, 5);
        told
    }

    fn event(&mut self, span: u32, parent: Option<u32>, kind: EventKind) -> String {
        let lines =
            self.0.told(&Event { run: "r1".into(), agent: None, span: SpanId(span), parent: parent.map(SpanId), kind });
        lines.iter().map(ToString::to_string).collect::<Vec<String>>().join("\n")
    }

    fn start(&mut self, span: u32, parent: Option<u32>, name: Option<&str>, max_turns: usize) {
        let agent = AgentSummary { name: name.map(str::to_owned), max_turns, ..AgentSummary::default() };
        self.event(span, parent, EventKind::RunStart { agent: Arc::new(agent), context: Value::Nil });
    }

    fn begin(&mut self, span: u32, run: u32, turn: usize) {
        self.event(span, Some(run), EventKind::TurnStart { turn, kind: TurnKind::Normal, tools_count: 1 });
    }

    fn end(&mut self, span: u32, run: u32, turn: Turn) -> String {
        let duration = Duration::from_millis(1_234);
        self.event(span, Some(run), EventKind::TurnStop { duration, turn: turn.number(), record: Some(turn) })
    }

    fn ask(&mut self, span: u32, turn: u32, attempt: usize) -> String {
        let kind = EventKind::LlmStart {
            turn: 1,
            attempt,
            messages: Arc::default(),
            system: None,
            model: "openai:gpt-5-mini".into(),
        };
        self.event(span, Some(turn), kind)
    }

    fn answer(&mut self, span: u32, tokens: Option<Tokens>, response: Result<&str, &str>) -> String {
        let slow = |message| LlmError::new(LlmErrorKind::RateLimit, message);
        self.stop(span, tokens, response.map(str::to_owned).map_err(slow))
    }

    fn stop(&mut self, span: u32, tokens: Option<Tokens>, response: Result<String, LlmError>) -> String {
        let kind = EventKind::LlmStop {
            duration: Duration::from_secs(75),
            turn: 1,
            model: "openai:gpt-5-mini".into(),
            is_new: true,
            tokens,
            response,
        };
        self.event(span, None, kind)
    }
}

fn fields(number: usize, program: &str) -> TurnFields {
    TurnFields { program: Some(program.into()), ..TurnFields::new(number, "…", Value::Nil) }
}

fn failed(number: usize, program: &str) -> Turn {
    let message = "no such name\nat line 1";
    Turn::failure(TurnFields { result: failure_value("unbound_var", message), ..fields(number, program) })
}

#[test]
fn a_turn_says_what_it_did_what_it_found_and_what_it_took() {
    let mut told = Told::new();
    let prints = vec!["3 rows".to_owned(), "and more".to_owned()];
    let tokens = Some(Tokens { input: 3_100, output: 12, ..Tokens::default() });
    told.begin(2, 1, 1);
    let turn = Turn::success(TurnFields { prints, tokens, ..fields(1, ";; How many\n(println (count data/rows))") });
    assert_snapshot!(told.end(2, 1, turn), @"
    turn 1 of 5: How many · 3,112 tokens · 1.2 s
        3 rows (+1 line)
    ");
    told.begin(3, 1, 2);
    assert_snapshot!(told.end(3, 1, Turn::success(fields(2, &"(println (+ 1 2))\n".repeat(20)))), @"turn 2 of 5: (println (+ 1 2)) (println (+ 1 2)) (println (+ 1 2)) (println (+ 1 2)) (pri... · 1.2 s");
}

#[test]
fn what_the_model_says_of_its_program_goes_before_what_that_did() {
    let mut told = Told::new();
    let answer = "The status comes in\ntwo spellings.\n\n```clojure\n(f)\n```";
    let call = || ToolCall { seq: 1, name: "rate".into(), args: Value::Nil, surface: Value::Nil };
    let record = || ToolRecord::new(call(), &Ok(Value::Nil), Effect::Read, Duration::ZERO, 0);
    let tool_calls = vec![record(), record()];
    let turn = TurnFields { raw_response: answer.into(), tool_calls, ..fields(1, "(f)") };
    let prose = Turn::failure(TurnFields {
        raw_response: "I think that it is 3.".into(),
        program: None,
        result: failure_value("parse_error", "no program was found"),
        ..fields(2, "")
    });
    let bare = Turn::success(TurnFields { raw_response: "(str \"```\")".into(), ..fields(3, "(str \"```\")") });
    let lines = [told.end(2, 1, Turn::success(turn)), told.end(3, 1, prose), told.end(4, 1, bare)];
    assert_snapshot!(lines.join("\n"), @r#"
    turn 1 of 5: The status comes in two spellings. · 1.2 s
        calls rate (2)
    turn 2 of 5 failed: no program: I think that it is 3. · 1.2 s
        parse_error: no program was found
    turn 3 of 5 recovered from turn 2: (str "```") · 1.2 s
    "#);
}

#[test]
fn failures_are_told_with_their_reason_and_recoveries_with_the_turn() {
    let mut told = Told::new();
    let lines = [
        told.end(2, 1, failed(1, "(f)")),
        told.end(3, 1, failed(2, "(g)")),
        told.end(4, 1, Turn::success(fields(3, "(h)"))),
        told.end(5, 1, Turn::success(fields(4, "(i)"))),
    ];
    assert_snapshot!(lines.join("\n"), @"
    turn 1 of 5 failed: (f) · 1.2 s
        unbound_var: no such name at line 1
    turn 2 of 5 failed: (g) · 1.2 s
        unbound_var: no such name at line 1
    turn 3 of 5 recovered from turn 2: (h) · 1.2 s
    turn 4 of 5: (i) · 1.2 s
    ");
    assert_snapshot!(told.0.totals(true, Duration::from_secs(3), 4), @"4 turns, turns 1, 2 failed, recovered in turn 3 · 3.0 s · no model was asked");
}

#[test]
fn a_refused_answer_is_told_by_its_problems() {
    let message = format!("The returned value does not fit the signature.\nWanted: {}", "{a :int} ".repeat(50));
    let problems = ["[a]: required field is missing", "[b]: expected int, got string"].map(Value::from).to_vec();
    let result = Value::map_from([
        (Value::keyword("reason"), Value::keyword("return_validation_failed")),
        (Value::keyword("message"), Value::from(message.as_str())),
        (Value::keyword("errors"), Value::vector(problems)),
    ]);
    let refused = Turn::failure(TurnFields { result, ..fields(1, "(return {})") });
    assert_snapshot!(Told::new().end(2, 1, refused), @"
    turn 1 of 5 failed: (return {}) · 1.2 s
        return_validation_failed: [a]: required field is missing; [b]: expected int, got string
    ");
}

#[test]
fn turns_of_children_are_indented_below_their_names() {
    let mut told = Told::new();
    told.begin(2, 1, 1);
    told.event(3, Some(2), EventKind::ToolStart { tool_name: "pricer".into(), args: Value::Int(12) });
    told.start(4, Some(3), Some("pricer"), 2);
    told.begin(5, 4, 1);
    assert_snapshot!(told.end(5, 4, failed(1, "(f)")), @"
    pricer 12: turn 1 of 2 failed: (f) · 1.2 s
    pricer 12:     unbound_var: no such name at line 1
    ");
    assert_snapshot!(told.end(2, 1, Turn::success(fields(1, "(g)"))), @"turn 1 of 5: (g) · 1.2 s");
}

#[test]
fn retries_are_told_and_tokens_are_summed_up_by_model() {
    let mut told = Told::new();
    told.begin(2, 1, 1);
    told.ask(3, 2, 1);
    assert_eq!(told.0.waits_for(SpanId(3)).as_deref(), Some("turn 1 of 5, openai:gpt-5-mini is asked"));
    assert!(told.0.is_of_mission(SpanId(3)));
    assert_snapshot!(told.answer(3, None, Err("slow\ndown")), @"  attempt 1 failed after 1 min 15 s: rate_limit: slow down");
    told.ask(4, 2, 2);
    assert_eq!(told.0.waits_for(SpanId(4)).as_deref(), Some("turn 1 of 5, openai:gpt-5-mini is asked, attempt 2"));
    let tokens = Tokens { input: 1_000_000, output: 100_000, cached: 400_000, cache_write: 0 };
    assert_eq!(told.answer(4, Some(tokens), Ok("(f)")), "");
    assert_snapshot!(told.0.totals(false, Duration::from_secs(76), 1), @"1 turn · 1,000,000 tokens in (400,000 cached), 100,000 out · 1 min 16 s · USD 0.3600 (gpt-5-mini, list of 2026-07-09)");
}

#[test]
fn a_failure_that_ends_the_run_is_left_to_its_ending() {
    let down = || Err(LlmError::new(LlmErrorKind::ClientError, "no such model"));
    let mut told = Told::new();
    told.begin(2, 1, 1);
    told.ask(3, 2, 1);
    assert_eq!(told.stop(3, None, down()), "");
    // Where such a failure is tried again, its line comes with the next attempt.
    assert_snapshot!(told.ask(4, 2, 2), @"  attempt 1 failed after 1 min 15 s: client_error: no such model");
    assert_eq!(told.stop(4, None, Ok("(f)".into())), "");
}

#[test]
fn calls_that_fail_or_take_long_are_named_and_not_more_than_a_few() {
    let mut told = Told::new();
    told.begin(2, 1, 1);
    let mut lines = Vec::new();
    for span in 10..20 {
        let args = Value::from_json_str(r#"{"currency": "SEK", "month": 3}"#).unwrap();
        told.event(span, Some(2), EventKind::ToolStart { tool_name: "rate".into(), args });
        let waits = told.0.waits_for(SpanId(span)).unwrap();
        assert_eq!(
            waits,
            format!(r#"tool/rate {{:currency "SEK" :month 3}}, {} so far"#, counted(span as usize - 9, "call"))
        );
        let (tool_name, duration) = ("rate".into(), Duration::from_millis(u64::from(span) * 100));
        lines.push(match span {
            11 => told.event(
                span,
                Some(2),
                EventKind::ToolException { is_new: true, tool_name, duration, reason: "no\nrate".into() },
            ),
            12 => told.event(
                span,
                Some(2),
                EventKind::ToolStop { is_new: true, tool_name, duration: Duration::ZERO, result: Value::Nil },
            ),
            _ => {
                told.event(span, Some(2), EventKind::ToolStop { is_new: true, tool_name, duration, result: Value::Nil })
            }
        });
    }
    assert_snapshot!(lines.join("\n"), @r#"
    tool/rate {:currency "SEK" :month 3} · 1.0 s
    tool/rate {:currency "SEK" :month 3} · 1.1 s · no rate

    tool/rate {:currency "SEK" :month 3} · 1.3 s
    tool/rate {:currency "SEK" :month 3} · 1.4 s
    tool/rate {:currency "SEK" :month 3} · 1.5 s
    "#);
}

#[test]
fn what_tools_tell_is_a_line() {
    let mut told = Told::new();
    told.begin(5, 1, 1);
    let mut tool = |notice| told.event(6, Some(5), EventKind::ToolNotice { tool_name: "n-scan".into(), notice });
    let message = Some("reading\nb.txt".to_owned());
    assert_eq!(
        tool(ToolNotice::Progress { done: 3.0, total: Some(10.0), message }),
        "  tool/n-scan: 3 of 10, reading b.txt"
    );
    assert_eq!(tool(ToolNotice::Progress { done: 0.5, total: None, message: None }), "  tool/n-scan: 0.5");
    let changed = ToolNotice::ToolsChanged { added: vec!["n-b".into(), "n-c".into()], gone: vec!["n-a".into()] };
    assert_eq!(tool(changed), "  tool/n-scan: its server has other tools; gone: n-a; in later runs: n-b, n-c");
}

#[test]
fn no_program_and_no_name_adds_a_line() {
    let mut told = Told::new();
    let odd = "(f \"a\nturn 3 of 5: (g)\r\u{1b}[2J\u{2028}\u{202e}\")";
    let line = told.end(2, 1, Turn::success(fields(2, odd)));
    assert_eq!(line, r#"turn 2 of 5: (f "a turn 3 of 5: (g) \u001b[2J \u202e") · 1.2 s"#);
}
