//! Programs in sessions as the language targets need them: a fixed clock, a seed, small limits, tools that answer from the
//! input.

use std::sync::Arc;
use std::time::Duration;

use ptc_lisp::text::{FormatOptions, format};
use ptc_lisp::values::NoCells;
use ptc_lisp::{
    Clock, Effect, Ending, Limits, Map, Outcome, Reason, Session, SessionOptions, ToolCall, ToolError, ToolResult,
    ToolSpec, Value,
};

/// 2026-01-15T12:00:00Z.
const NOW_MICROS: i64 = 1_768_478_400_000_000;

struct FixedClock;

impl Clock for FixedClock {
    fn now_micros(&self) -> i64 {
        NOW_MICROS
    }
}

/// Small enough that an input takes milliseconds, large enough that programs of the corpus end. No deadline: when it
/// strikes is random.
pub(crate) fn limits() -> Limits {
    Limits {
        fuel: 40_000,
        memory: 1 << 20,
        time: Duration::from_secs(3_600),
        depth: 200,
        source_bytes: 16_384,
        symbols: 300,
        print_chars: 200,
        prints: 20,
        ..Limits::default()
    }
}

/// Data of all kinds, among them names that only differ in style and a hidden one.
const DATA: &str = r#"{
    "n": 3, "xs": [3, 1, 2, 2, -5, 0], "ys": [], "floats": [0.5, -1e300, 2.0], "text": "a b,c\nd",
    "words": ["tea", "cup", "", "straße", "日本"], "flag": true, "none": null, "_secret": "hidden",
    "big": 123456789012345678901234567890,
    "m": {"a": 1, "b": {"c": [1, {"d": null}]}, "total-cents": 5},
    "rows": [{"id": 1, "name": "ann", "cents": 350, "tags": ["x", "y"]}, {"id": 2, "name": "bob", "cents": null, "tags": []},
             {"id": 3, "name": "cyd", "cents": 1200}, {"id": 1, "name": "ann", "cents": 1, "due": "2024-02-29"}]
}"#;

pub(crate) fn data() -> Map {
    match Value::from_json_str(DATA) {
        Ok(Value::Map(map)) => map,
        _ => panic!("the data is a JSON object"),
    }
}

/// A session with small limits over [`DATA`], and two tools.
pub(crate) fn session() -> Session {
    session_within(limits())
}

pub(crate) fn session_within(limits: Limits) -> Session {
    let tools = vec![
        ToolSpec::new("read").signature(signature("(id :any) -> :any")).effect(Effect::Read),
        ToolSpec::new("send")
            .signature(signature("(to :string, cents :int?) -> {ok :bool, n :int}"))
            .effect(Effect::Write),
        // The code that wraps literals calls it.
        ToolSpec::new(ptc_lisp::testing::IDENTITY_TOOL)
            .signature(signature("(value :any) -> :any"))
            .effect(Effect::Read),
    ];
    Session::new(SessionOptions {
        data: data(),
        tools,
        limits,
        seed: 7,
        clock: Arc::new(FixedClock),
        ..SessionOptions::default()
    })
}

fn signature(text: &str) -> ptc_lisp::signature::Signature {
    match ptc_lisp::signature::Signature::parse(text) {
        Ok(signature) => signature,
        Err(error) => panic!("{text}: {error}"),
    }
}

/// A program, and the bytes after it that decide what tools answer and how long slices are.
pub(crate) struct Input<'a> {
    pub(crate) program: &'a str,
    rest: &'a [u8],
}

impl<'a> Input<'a> {
    /// A program up to the first NUL, the rest after it. None where the program is not UTF-8.
    pub(crate) fn of(bytes: &'a [u8]) -> Option<Input<'a>> {
        let end = bytes.iter().position(|byte| *byte == 0).unwrap_or(bytes.len());
        let (program, rest) = bytes.split_at(end);
        Some(Input { program: std::str::from_utf8(program).ok()?, rest: rest.get(1..).unwrap_or_default() })
    }

    /// Fuel of a slice.
    pub(crate) fn slice(&self) -> u64 {
        self.rest.first().map_or(7, |byte| 1 + u64::from(*byte))
    }

    /// The answer of a tool: as the input says for the call of this number, any JSON, a failure, or the arguments.
    pub(crate) fn answer(&self, call: &ToolCall) -> ToolResult {
        if &*call.name == ptc_lisp::testing::IDENTITY_TOOL {
            return Ok(call
                .args
                .as_map()
                .and_then(|args| args.iter().next().map(|(_, value)| value.clone()))
                .unwrap_or_default());
        }
        let lines = self.rest.get(1..).unwrap_or_default();
        let count = lines.split(|byte| *byte == b'\n').count() as u64;
        let line = lines.split(|byte| *byte == b'\n').nth((call.seq % count.max(1)) as usize).unwrap_or_default();
        match std::str::from_utf8(line) {
            Ok(text) if text.starts_with('!') => Err(ToolError::new(text)),
            Ok(text) if !text.is_empty() => Ok(Value::from_json_str(text).unwrap_or_else(|_| Value::string(text))),
            _ => Ok(call.args.clone()),
        }
    }
}

/// Everything about a program's outcome that must not depend on how it was run, as text.
pub(crate) fn story(outcome: &Outcome) -> String {
    let mut story = match &outcome.ending {
        Ending::Value(value) => format!("value {}\n", text(value)),
        Ending::Return(value) => format!("return {}\n", text(value)),
        Ending::Fail(value) => format!("fail {}\n", text(value)),
        Ending::Error(problems) => {
            problems.iter().map(|problem| format!("{} {}\n", problem.reason, problem.text())).collect()
        }
        other => format!("{other:?}\n"),
    };
    outcome.prints.iter().for_each(|line| story += &format!("print {line}\n"));
    for call in &outcome.tool_calls {
        story += &format!("call {} {} -> {} {:?}\n", call.name, text(&call.args), text(&call.result), call.error);
    }
    outcome.warnings.iter().for_each(|warning| story += &format!("warning {:?} {}\n", warning.code, warning.message));
    for (id, summary) in &outcome.summaries {
        story += &format!("summary {id} {summary}\n");
    }
    story
}

/// A value as text, in full and whatever it holds.
pub(crate) fn text(value: &Value) -> String {
    format(value, &FormatOptions::full()).text
}

/// Whether a limit or a defect ended it.
pub(crate) fn hit_a_limit(outcome: &Outcome) -> bool {
    outcome.problems().iter().any(|problem| problem.reason.is_limit())
}

/// What must hold of every outcome under [`limits`].
pub(crate) fn within_limits(outcome: &Outcome, limits: &Limits) {
    for problem in outcome.problems() {
        assert!(problem.reason != Reason::InternalError, "a defect: {}", problem.text());
    }
    let usage = &outcome.usage;
    assert!(usage.fuel <= limits.fuel, "{} steps of {}", usage.fuel, limits.fuel);
    assert!(outcome.prints.len() <= limits.prints, "{} lines", outcome.prints.len());
    for line in &outcome.prints {
        assert!(line.chars().count() <= limits.print_chars + 3, "a line of {}", line.chars().count());
    }
    assert!(outcome.warnings.len() <= 5 && outcome.problems().len() <= 5);
    if let Some(value) = outcome.value() {
        // What a host does with every value ends, in JSON or in an error.
        let _ = (ptc_lisp::values::to_json(value, &NoCells), ptc_lisp::values::to_tagged(value, &NoCells));
    }
}
