use super::*;

/// The lines about these events, `run` the span of the program.
fn told(events: &[(u32, u32, EventKind)]) -> Vec<String> {
    let watching = CallProgress::new(true);
    let event = |span: &u32, parent: &u32, kind: &EventKind| Event {
        run: "r".into(),
        agent: None,
        span: SpanId(*span),
        parent: (*parent > 0).then_some(SpanId(*parent)),
        kind: kind.clone(),
    };
    events.iter().filter_map(|(span, parent, kind)| watching.told(&event(span, parent, kind))).collect()
}

#[test]
fn nothing_is_told_on_the_last_line_while_somebody_is_asked() {
    let watching = CallProgress::new(true);
    let event =
        |kind| watching.told(&Event { run: "r".into(), agent: None, span: SpanId(2), parent: Some(SpanId(1)), kind });
    let asks = || watching.seen.lock().unwrap().asks;
    assert_eq!(event(EventKind::ApprovalStart { ids: vec!["1/1".into()], tools: Vec::new() }), None);
    assert!(asks());
    event(EventKind::ApprovalStop { duration: LONG, decisions: Vec::new() });
    assert!(!asks());
}

#[test]
fn calls_of_the_program_have_a_line_each_and_those_of_its_agents_none() {
    let begin = || EventKind::RunStart { agent: Default::default(), context: Value::Nil };
    let start = |name: &str| EventKind::ToolStart {
        tool_name: name.into(),
        args: Value::map_from([(Value::string("nights"), Value::Int(2))]),
    };
    let stop = |name: &str| EventKind::ToolStop {
        is_new: true,
        duration: Duration::from_millis(12),
        tool_name: name.into(),
        result: Value::Int(180),
    };
    let fail = EventKind::ToolException {
        is_new: true,
        duration: Duration::from_secs(2),
        tool_name: "rate".into(),
        reason: "no\nrate".to_owned(),
    };
    let events = [
        (1, 0, begin()),
        (2, 1, start("rate")),
        (2, 1, stop("rate")),
        (3, 1, start("clerk")),
        (4, 3, begin()),
        (5, 4, start("rate")),
        (5, 4, stop("rate")),
        (3, 1, fail),
    ];
    insta::assert_snapshot!(told(&events).iter().map(|line| line.trim()).collect::<Vec<_>>().join("\n"), @"
    tool/rate {:nights 2} → 180 · 12 ms
    tool/clerk {:nights 2} failed after 2.0 s: no rate
    ");
}
