use std::sync::Arc;
use std::time::Duration;

use ptc_runner::chat::Tokens;
use ptc_runner::lisp::Value;
use ptc_runner::transcript::{AgentSummary, TurnFields, failure_value};

use super::*;

fn fields(program: Option<&str>) -> TurnFields {
    TurnFields { program: program.map(Into::into), ..TurnFields::new(2, "…", Value::Nil) }
}

#[test]
fn a_turn_is_one_line() {
    let tokens = Some(Tokens { input: 800, output: 12, ..Tokens::default() });
    let good = Turn::success(TurnFields { tokens, ..fields(Some("(def kept\n  (filter odd? data/rows))")) });
    assert_eq!(line(&good, 5), "turn 2 of 5: (def kept (filter odd? data/rows)) · 812 tokens");
    let bad = Turn::failure(TurnFields { result: failure_value("type_error", "no"), ..fields(Some(&"x ".repeat(60))) });
    assert_eq!(
        line(&bad, 5),
        format!("turn 2 of 5: {}x... · type_error", "x ".repeat(30).trim_end().to_owned() + " ")
            .replace("x x...", "x ...")
    );
    assert_eq!(line(&Turn::success(fields(None)), 5), "turn 2 of 5: no program");
}

#[test]
fn turns_of_children_are_indented_below_their_names() {
    let progress = Progress::default();
    let event = |span, parent: Option<u32>, kind| {
        progress.told(&Event { run: "r1".into(), span: SpanId(span), parent: parent.map(SpanId), kind })
    };
    let start = |name: Option<&str>, max_turns| EventKind::RunStart {
        agent: Arc::new(AgentSummary { name: name.map(str::to_owned), max_turns, ..AgentSummary::default() }),
        context: Value::Nil,
    };
    let stop =
        || EventKind::TurnStop { duration: Duration::ZERO, turn: 2, record: Some(Turn::success(fields(Some("(f)")))) };
    assert_eq!(event(1, None, start(None, 5)), None);
    assert_eq!(event(4, Some(3), start(Some("pricer"), 2)), None);
    assert_eq!(event(5, Some(4), stop()).as_deref(), Some("  pricer: turn 2 of 2: (f)"));
    assert_eq!(event(2, Some(1), stop()).as_deref(), Some("turn 2 of 5: (f)"));
}

#[test]
fn no_program_and_no_name_adds_a_line() {
    let odd = "(f \"a\nturn 3 of 5: (g)\r\u{1b}[2J\u{2028}\u{202e}\")";
    let line = line(&Turn::success(fields(Some(odd))), 5);
    assert_eq!(line, r#"turn 2 of 5: (f "a turn 3 of 5: (g) \u001b[2J \u202e")"#);
}
