//! Runs for tests: a fixed one with everything in it, and random events.

use std::sync::Arc;
use std::time::Duration;

use proptest::prelude::*;
use ptc_chat::{LlmError, LlmErrorKind, Message, OutputMode, Tokens};
use ptc_compression::CompressionConfig;
use ptc_lisp::signature::Signature;
use ptc_lisp::values::type_of;
use ptc_lisp::{Effect, Memory, MemoryEntry, ToolCall, ToolError, ToolNotice, ToolRecord, ToolSpec, Value};
use ptc_transcript::{
    AgentSummary, CompressionStats, CompressionUse, Decision, EndingKind, Event, EventKind, Fail, FailKind, FailReason,
    RunUsage, SpanId, Step, Turn, TurnFields, TurnKind, failure_value,
};
use serde_json::json;

use crate::limits::TraceLimits;
use crate::record::Recorder;
use crate::{Trace, TraceStop};

pub(crate) fn value(json: serde_json::Value) -> Value {
    Value::from_json(json)
}

pub(crate) fn call(args: serde_json::Value, result: Result<serde_json::Value, &str>) -> ToolRecord {
    let args = value(args);
    let call = ToolCall { seq: 0, name: "quote-room".into(), surface: args.clone(), args };
    let result = result.map(value).map_err(|text| ToolError::new(text).may_have_run(false));
    ToolRecord::new(call, &result, Effect::Write, Duration::from_millis(3), 0)
}

fn memory(entries: &[(&str, serde_json::Value)]) -> Memory {
    let define = |(name, json): &(&str, serde_json::Value)| {
        let value = value(json.clone());
        let label = type_of(&value);
        MemoryEntry { name: (*name).into(), value, doc: None, returns: None, params: None, order: 0, label }
    };
    Memory::new(entries.iter().map(define).collect())
}

/// A run of four turns: calls and prints, a tool that fails, an answer without a program, a late `return`.
pub(crate) fn step() -> Step {
    let rate = memory(&[("rate", json!(89.5))]);
    let program = "(def rate 89.5)\n(println \"rate\" rate)\n(tool/quote-room {:room 12 :nights 3})";
    let first = Turn::success(TurnFields {
        program: Some(program.into()),
        prints: vec!["rate 89.5".into()],
        tool_calls: vec![call(json!({"room": 12, "nights": 3}), Ok(json!({"total": 268.5})))],
        memory: rate.clone(),
        messages: Some(vec![Message::user("Which bookings fit into ~{data/limit} euros?\n\nTurns left: 3")]),
        ..TurnFields::new(
            1,
            format!("I will look at the rate first.\n```clojure\n{program}\n```\nThat is all."),
            value(json!({"total": 268.5})),
        )
    });
    let program = "(tool/quote-room {:room 12 :nights 3})\n(tool/quote-room {:room 99 :nights 1})";
    let failed = Turn::failure(TurnFields {
        program: Some(program.into()),
        tool_calls: vec![
            call(json!({"room": 12, "nights": 3}), Ok(json!({"total": 268.5}))),
            call(json!({"room": 99, "nights": 1}), Err("there is no room 99")),
        ],
        memory: rate.clone(),
        ..TurnFields::new(2, program, failure_value("tool_error", "tool 'quote-room' failed: there is no room 99"))
    });
    let lost = Turn::failure(TurnFields {
        memory: rate.clone(),
        kind: TurnKind::MustReturn,
        ..TurnFields::new(3, "I am done.", failure_value("parse_error", "no program was found"))
    });
    let last = Turn::success(TurnFields {
        program: Some("(return {:kept [1 2 3 4 5 6]})".into()),
        tool_calls: vec![call(json!({"room": 1, "nights": 9}), Ok(json!({"total": 805.5})))],
        memory: rate.clone(),
        kind: TurnKind::Retry,
        ..TurnFields::new(4, "```\n(return {:kept [1 2 3 4 5 6]})\n```", value(json!({"kept": [1, 2, 3, 4, 5, 6]})))
    });
    let mut step = Step::returned(EndingKind::Return, value(json!({"kept": [1, 2, 3, 4, 5, 6]})));
    step.turns = Some(vec![first, failed, lost, last]);
    step.memory = rate;
    step.mission = "Which bookings fit into 250 euros?".into();
    step.mission_template = "Which bookings fit into {{limit}} euros?".into();
    step.max_turns = Some(3);
    step.compression = vec![CompressionUse { from_turn: 1, compression: CompressionConfig::from(true).to_record() }];
    step.signature = Some(Signature::parse("(limit :int) -> {kept [:int]}").unwrap());
    step.tools = vec![
        ToolSpec::new("quote-room").signature(Signature::parse("(room :int, nights :int) -> {total :float}").unwrap()),
    ];
    step.data = value(json!({"limit": 250, "_token": "very secret"})).as_map().unwrap().clone();
    step.usage = RunUsage {
        duration_ms: 8_050,
        memory_bytes: 3_482,
        turns: 4,
        input_tokens: Some(12_480),
        output_tokens: Some(911),
        total_tokens: Some(13_391),
        system_prompt_tokens: Some(2_600),
        compression: Some(CompressionStats {
            turns_compressed: 1,
            tool_calls_total: 23,
            tool_calls_shown: 20,
            tool_calls_dropped: 3,
            printlns_total: 1,
            printlns_shown: 1,
            error_turns_collapsed: 1,
            ..CompressionStats::of("single-user-coalesced")
        }),
        ..RunUsage::default()
    };
    step
}

/// A run that its limit ended.
pub(crate) fn failed_step() -> Step {
    let mut step = Step::failed(
        EndingKind::Limit,
        Fail::new(FailKind::Limit, FailReason::MaxTurnsExceeded, "limit of 3 turns reached"),
    );
    step.usage = RunUsage { duration_ms: 1_200, turns: 3, ..RunUsage::default() };
    step
}

pub(crate) fn event(span: u32, parent: u32, kind: EventKind) -> Event {
    Event {
        run: "r1".into(),
        agent: Some("booker".into()),
        span: SpanId(span),
        parent: (parent > 0).then_some(SpanId(parent)),
        kind,
    }
}

fn ms(milliseconds: u64) -> Duration {
    Duration::from_millis(milliseconds)
}

/// The same events, with a piece of the answer after each request.
pub(crate) fn streamed(events: &[Event]) -> Vec<Event> {
    let piece = || EventKind::LlmChunk { turn: 1, attempt: 1, text: "(def".to_owned() };
    let asks = |event: &&Event| matches!(event.kind, EventKind::LlmStart { .. });
    let with_piece = |event: &Event| [event.clone(), Event { kind: piece(), ..event.clone() }];
    events.iter().flat_map(|event| with_piece(event).into_iter().take(1 + usize::from(asks(&event)))).collect()
}

/// The same run with tools that report the progress of their calls.
pub(crate) fn noticed(events: &[Event]) -> Vec<Event> {
    let progress = ToolNotice::Progress { done: 1.0, total: Some(4.0), message: Some("asking".to_owned()) };
    let notice = || EventKind::ToolNotice { tool_name: "quote-room".into(), notice: progress.clone() };
    let calls = |event: &Event| matches!(event.kind, EventKind::ToolStart { .. });
    let with_notice = |event: &Event| [event.clone(), Event { kind: notice(), ..event.clone() }];
    events.iter().flat_map(|event| with_notice(event).into_iter().take(1 + usize::from(calls(event)))).collect()
}

/// A run of one turn with two concurrent calls, one of which fails.
pub(crate) fn events() -> Vec<Event> {
    let agent = AgentSummary {
        name: Some("booker".into()),
        description: None,
        output: OutputMode::PtcLisp,
        max_turns: 3,
        tool_names: vec!["quote-room".into()],
    };
    let tool_start =
        |room: i64| EventKind::ToolStart { tool_name: "quote-room".into(), args: value(json!({"room": room})) };
    let step = step();
    let turn = step.turns()[1].clone();
    vec![
        event(1, 0, EventKind::RunStart { agent: Arc::new(agent), context: Value::Map(step.data.clone()) }),
        event(2, 1, EventKind::TurnStart { turn: 1, kind: TurnKind::Normal, tools_count: 1 }),
        event(
            3,
            2,
            EventKind::LlmStart {
                turn: 1,
                attempt: 1,
                messages: Arc::new(vec![Message::user("Which bookings fit?")]),
                system: Some("You write programs.".into()),
                model: "ollama:qwen3".into(),
            },
        ),
        event(
            3,
            2,
            EventKind::LlmStop {
                duration: ms(1),
                turn: 1,
                model: "ollama:qwen3".into(),
                is_new: true,
                tokens: Some(Tokens { input: 812, output: 20, cached: 700, cache_write: 0 }),
                response: Ok("(pmap f [12 99])".into()),
            },
        ),
        event(4, 2, tool_start(12)),
        event(5, 2, tool_start(99)),
        event(
            5,
            2,
            EventKind::ToolException {
                is_new: true,
                duration: ms(1),
                tool_name: "quote-room".into(),
                reason: "there is no room 99".into(),
            },
        ),
        event(
            4,
            2,
            EventKind::ToolStop {
                is_new: true,
                duration: ms(3),
                tool_name: "quote-room".into(),
                result: value(json!({"total": 268.5})),
            },
        ),
        event(2, 1, EventKind::TurnStop { duration: ms(7), turn: 1, record: Some(turn) }),
        event(1, 0, EventKind::RunStop { duration: ms(9), step: Arc::new(step) }),
    ]
}

/// A turn with three calls that wait for approval.
pub(crate) fn approval_events() -> Vec<Event> {
    let ids: Vec<String> = (1..=3).map(|n| format!("run/1/{n}")).collect();
    let decisions =
        [Decision::Approve, Decision::deny("too expensive"), Decision::Edit(value(json!({"room": 2, "_pin": 1234})))];
    let tools = vec!["pay".into(), "pay".into(), "quote-room".into()];
    vec![
        event(1, 0, EventKind::RunStart { agent: Arc::default(), context: Value::Nil }),
        event(2, 1, EventKind::TurnStart { turn: 1, kind: TurnKind::Normal, tools_count: 2 }),
        event(3, 2, EventKind::ApprovalStart { ids: ids.clone(), tools }),
        event(3, 2, EventKind::ApprovalStop { duration: ms(40), decisions: ids.into_iter().zip(decisions).collect() }),
    ]
}

/// The trace of these events, a millisecond each, and its last line.
pub(crate) fn traced_to_end(events: &[Event]) -> (Trace, TraceStop) {
    let since = 1_767_323_045_000_000;
    let recorder = Recorder { trace_id: "1a2b3c4d".repeat(4), limits: TraceLimits::default(), since };
    let mut then = since;
    let mut next = || {
        then += 1_000;
        then
    };
    let entries = events.iter().filter_map(|event| recorder.entry(next(), event)).collect();
    (Trace { start: recorder.start(), entries, stop: None, torn: false }, recorder.stop(next()))
}

/// The trace of these events, without an end.
pub(crate) fn traced(events: &[Event]) -> Trace {
    traced_to_end(events).0
}

/// The lines of these events, byte for byte.
pub(crate) fn lines_of(events: &[Event]) -> String {
    let (trace, stop) = traced_to_end(events);
    Trace { stop: Some(stop), ..trace }.to_lines().unwrap()
}

/// Any events in any order, with texts of any kind.
pub(crate) fn any_events() -> impl Strategy<Value = Vec<Event>> {
    prop::collection::vec(
        (0..6_u32, 0..6_u32, any_kind()).prop_map(|(span, parent, kind)| event(span, parent, kind)),
        0..20,
    )
}

fn any_kind() -> impl Strategy<Value = EventKind> {
    let value = any_value();
    prop_oneof![
        value.clone().prop_map(|context| EventKind::RunStart { agent: Arc::default(), context }),
        any::<bool>().prop_map(|ok| EventKind::RunStop {
            duration: ms(9),
            step: Arc::new(if ok { step() } else { failed_step() })
        }),
        (1..9_usize).prop_map(|turn| EventKind::TurnStart { turn, kind: TurnKind::Retry, tools_count: turn }),
        (any::<u32>(), prop::option::of(0..4_usize)).prop_map(|(micros, turn)| EventKind::TurnStop {
            duration: Duration::from_micros(u64::from(micros)),
            turn: 1,
            record: turn.map(|turn| step().turns()[turn].clone()),
        }),
        (".*", 1..3_usize).prop_map(|(text, attempt)| EventKind::LlmStart {
            turn: attempt,
            attempt,
            messages: Arc::new(vec![Message::user(text.clone()), Message::assistant(text.clone())]),
            system: Some(text.as_str().into()),
            model: text,
        }),
        (".*", any::<bool>(), prop::option::of(any::<u32>())).prop_map(|(text, ok, input)| EventKind::LlmStop {
            duration: ms(2),
            turn: 1,
            model: "ollama:qwen3".into(),
            is_new: true,
            tokens: input.map(|input| Tokens { input: input.into(), output: 1, cached: 0, cache_write: 2 }),
            response: if ok { Ok(text) } else { Err(LlmError::new(LlmErrorKind::Unknown, text)) },
        }),
        (".*", value.clone()).prop_map(|(name, args)| EventKind::ToolStart { tool_name: name.as_str().into(), args }),
        prop::collection::vec(".*", 0..3)
            .prop_map(|ids| EventKind::ApprovalStart { tools: vec!["pay".into(); ids.len()], ids }),
        prop::collection::vec((".*", any_decision()), 0..3)
            .prop_map(|decisions| EventKind::ApprovalStop { duration: ms(7), decisions }),
        (".*", value).prop_map(|(name, result)| EventKind::ToolStop {
            is_new: true,
            duration: ms(4),
            tool_name: name.as_str().into(),
            result
        }),
        any_notice().prop_map(|notice| EventKind::ToolNotice { tool_name: "t".into(), notice }),
        ".*".prop_map(|reason| EventKind::ToolException {
            is_new: true,
            duration: ms(5),
            tool_name: "t".into(),
            reason
        }),
        ".*".prop_map(|reason| EventKind::RunException { duration: ms(6), reason }),
    ]
}

fn any_notice() -> impl Strategy<Value = ToolNotice> {
    let names = || prop::collection::vec(".*", 0..3);
    prop_oneof![
        (any::<u32>(), prop::option::of(any::<u32>()), prop::option::of(".*")).prop_map(|(done, total, message)| {
            ToolNotice::Progress { done: f64::from(done) / 4.0, total: total.map(f64::from), message }
        }),
        (names(), names()).prop_map(|(added, gone)| ToolNotice::ToolsChanged { added, gone }),
    ]
}

fn any_decision() -> impl Strategy<Value = Decision> {
    prop_oneof![Just(Decision::Approve), ".*".prop_map(Decision::Deny), any_value().prop_map(Decision::Edit)]
}

fn any_value() -> impl Strategy<Value = Value> + Clone {
    let leaf = prop_oneof![
        Just(Value::Nil),
        any::<bool>().prop_map(Value::Bool),
        any::<i64>().prop_map(Value::Int),
        any::<f64>().prop_map(Value::Float),
        ".*".prop_map(|text| Value::string(text.as_str())),
        "[a-z_]{1,8}".prop_map(|name| Value::keyword(&name)),
    ];
    leaf.prop_recursive(4, 40, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Value::vector),
            prop::collection::vec((inner.clone(), inner), 0..6).prop_map(Value::map_from),
        ]
    })
}
