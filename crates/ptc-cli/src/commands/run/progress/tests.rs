use std::sync::Arc;
use std::time::Duration;

use ptc_runner::chat::Tokens;
use ptc_runner::lisp::Value;
use ptc_runner::transcript::{AgentSummary, TurnFields, TurnKind, failure_value};

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
fn what_tools_tell_is_a_line() {
    let progress = Progress::default();
    let event = |span, parent: Option<u32>, kind| {
        progress.told(&Event { run: "r1".into(), span: SpanId(span), parent: parent.map(SpanId), kind })
    };
    let agent = AgentSummary { name: Some("pricer".into()), max_turns: 2, ..AgentSummary::default() };
    let tool = |notice| EventKind::ToolNotice { tool_name: "n-scan".into(), notice };
    assert_eq!(event(4, Some(3), EventKind::RunStart { agent: Arc::new(agent), context: Value::Nil }), None);
    assert_eq!(event(5, Some(4), EventKind::TurnStart { turn: 1, kind: TurnKind::Normal, tools_count: 1 }), None);
    let message = Some("reading\nb.txt".to_owned());
    let told = event(6, Some(5), tool(ToolNotice::Progress { done: 3.0, total: Some(10.0), message }));
    assert_eq!(told.as_deref(), Some("  pricer: tool/n-scan: 3 of 10, reading b.txt"));
    let told = event(6, Some(5), tool(ToolNotice::Progress { done: 0.5, total: None, message: None }));
    assert_eq!(told.as_deref(), Some("  pricer: tool/n-scan: 0.5"));
    let changed = ToolNotice::ToolsChanged { added: vec!["n-b".into(), "n-c".into()], gone: vec!["n-a".into()] };
    let told = event(6, Some(5), tool(changed));
    assert_eq!(
        told.as_deref(),
        Some("  pricer: tool/n-scan: its server has other tools; gone: n-a; in later runs: n-b, n-c")
    );
}

#[test]
fn no_program_and_no_name_adds_a_line() {
    let odd = "(f \"a\nturn 3 of 5: (g)\r\u{1b}[2J\u{2028}\u{202e}\")";
    let line = line(&Turn::success(fields(Some(odd))), 5);
    assert_eq!(line, r#"turn 2 of 5: (f "a turn 3 of 5: (g) \u001b[2J \u202e")"#);
}
