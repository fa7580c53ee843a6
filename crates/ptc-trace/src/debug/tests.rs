//! The text of a run for people, in every combination of the options.

use insta::assert_snapshot;
use ptc_chat::{Message, OutputMode};
use ptc_lisp::{ToolRecord, Value};
use ptc_transcript::{CompressionStats, EndingKind, RequestEstimate, Step, Turn, TurnFields};
use serde_json::json;

use super::*;
use crate::sample::{call, failed_step, step};

fn check(step: &Step, view: View, raw: bool, usage: bool) -> String {
    format_trace(step, DebugOptions { view, raw, usage })
}

/// Proves: DBG-005, DBG-007, DBG-010, CHG-020, CHG-023.
#[test]
fn turns() {
    assert_eq!(check(&step(), View::Turns, false, false), format_trace(&step(), DebugOptions::default()));
    assert_snapshot!(check(&step(), View::Turns, false, false));
}

/// Proves: DBG-008, CHG-023.
#[test]
fn turns_raw() {
    assert_snapshot!(check(&step(), View::Turns, true, false));
}

#[test]
fn usage_has_the_runs_of_called_agents_too() {
    let mut called = failed_step();
    (called.usage.input_tokens, called.usage.output_tokens) = (Some(1_200), Some(30));
    let mut uncounted = called.clone();
    (uncounted.usage.input_tokens, uncounted.usage.output_tokens) = (None, None);
    called.child_steps = vec![called.clone(), uncounted];
    let mut step = step();
    step.child_steps = vec![called];
    let text = check(&step, View::Turns, false, true);
    let told = "|   Called agents: 3 run(s), 1 of them without counts, input 2,400, output 60, not in the sums above\n";
    assert!(text.contains(told), "{text}");
}

/// Proves: DBG-010, CHG-023.
#[test]
fn turns_usage() {
    assert_snapshot!(check(&step(), View::Turns, false, true));
}

/// Proves: DBG-009.
#[test]
fn compressed() {
    assert_snapshot!(check(&step(), View::Compressed, false, false));
}

/// Proves: BRK-009, DBG-010, CHG-020.
#[test]
fn usage_follows_every_view() {
    let plain = check(&step(), View::Turns, false, false);
    let usage = check(&step(), View::Turns, false, true);
    let usage = usage.strip_prefix(&plain).unwrap();
    for (view, raw) in [(View::Turns, true), (View::Compressed, false), (View::Compressed, true)] {
        assert_eq!(check(&step(), view, raw, true), check(&step(), view, raw, false) + usage);
    }
    // None of its lines is too long.
    assert_eq!(check(&step(), View::Compressed, true, false), check(&step(), View::Compressed, false, false));
}

/// A strategy leaves the oldest out; readers of a run see all.
///
/// Proves: DBG-005.
#[test]
fn every_print_and_call_of_a_turn_is_shown() {
    let tool_calls = (1..=25).map(|room| call(serde_json::json!({ "room": room }), Ok(serde_json::json!(1)))).collect();
    let prints = (1..=25).map(|n| format!("print {n}")).collect();
    let text = one_turn(Turn::success(TurnFields { tool_calls, prints, ..TurnFields::new(1, "", Value::Nil) }), false);
    for n in 1..=25 {
        assert!(
            text.contains(&format!("|   -> quote-room({{:room {n}}})\n")) && text.contains(&format!("|   print {n}\n")),
            "{n}: {text}"
        );
    }
}

#[test]
fn calls_say_where_answers_are_from_and_what_is_open() {
    let args = || json!({"room": 1});
    let tool_calls = vec![
        ToolRecord { from_failed_turn: true, ..call(args(), Ok(json!(5))) },
        ToolRecord { may_have_run: true, ..call(args(), Err("504 gateway timeout")) },
    ];
    let turn = || Turn::success(TurnFields { tool_calls: tool_calls.clone(), ..TurnFields::new(1, "", Value::Nil) });
    let text = one_turn(turn(), false);
    assert!(
        text.contains("<- 5 (from the failed turn)\n")
            && text.contains("<- error: 504 gateway timeout (perhaps done)\n"),
        "{text}"
    );
    let mut step = step();
    step.turns = Some(vec![turn()]);
    assert!(check(&step, View::Turns, false, true).contains("quote-room × 2 (1 from the failed turn)\n"));
}

#[test]
fn a_chain() {
    let empty = Step::returned(EndingKind::Value, Value::Nil);
    assert_snapshot!(format_chain(&[step(), empty, failed_step()]), @r"
    +- Agent Chain --------------------------------------------+
    | ok Step 1/3
    |   Return: {:kept [1 2 3 ...] (6 items, showing first 3)}
    |   Turns: 4 | Duration: 8,050 ms
    |   v
    | ok Step 2/3
    |   Return: nil
    |   Turns: 0 | Duration: 0 ms
    |   v
    | X Step 3/3
    |   Error: max_turns_exceeded
    |   Message: limit of 3 turns reached
    |   Turns: 3 | Duration: 1,200 ms
    +----------------------------------------------------------+
    ");
    assert_snapshot!(format_chain(&[]), @r"
    +- Agent Chain --------------------------------------------+
    +----------------------------------------------------------+
    ");
}

#[test]
fn without_turns() {
    let mut step = failed_step();
    assert_eq!(check(&step, View::Turns, false, false), "No turns kept (tracing was off or nothing ran yet)\n");
    assert_eq!(check(&step, View::Compressed, false, false), "No turns kept (tracing was off or nothing ran yet)\n");
    step.turns = Some(Vec::new());
    assert_eq!(check(&step, View::Turns, false, false), "No turns\n");
    assert!(check(&step, View::Compressed, false, false).contains("|   ;; No tool calls made\n"));
}

#[test]
fn a_model_that_writes_no_programs_has_no_compressed_view() {
    let of = |output| {
        let mut step = step();
        step.output = output;
        step
    };
    assert_snapshot!(check(&of(OutputMode::Json), View::Compressed, false, false), @"No compressed view: the model of this run wrote no programs but JSON, and was shown the dialogue as it is; the view turn by turn, raw, has the answers");
    assert_snapshot!(check(&of(OutputMode::Text), View::Compressed, false, true).lines().next().unwrap(), @"No compressed view: the model of this run wrote no programs but text, and was shown the dialogue as it is; the view turn by turn, raw, has the answers");
    assert!(check(&of(OutputMode::PtcLisp), View::Compressed, false, false).starts_with("+- Compressed View -"));
}

fn one_turn(turn: Turn, raw: bool) -> String {
    let mut step = Step::returned(EndingKind::Return, Value::Nil);
    step.turns = Some(vec![turn]);
    check(&step, View::Turns, raw, false)
}

#[test]
fn long_lines_are_wrapped_but_not_when_raw() {
    let program = format!("(def text \"{}\")", "x".repeat(400));
    let turn = Turn::success(TurnFields { program: Some(program.clone()), ..TurnFields::new(1, "", Value::Nil) });
    let text = one_turn(turn.clone(), false);
    let longest = text.lines().map(|line| line.chars().count()).max();
    assert_eq!(longest, Some(160));
    let joined: String = text.lines().filter(|line| line.contains('x')).map(|line| &line[4..]).collect();
    assert!(joined.starts_with(&program), "nothing is lost: {joined}");
    assert!(one_turn(turn, true).contains(&format!("|   {program}\n")));
}

#[test]
fn an_answer_without_a_program_is_json_when_it_is_good() {
    let turn = Turn::success(TurnFields::new(1, "{\"kept\": 3}", Value::Int(3)));
    assert!(one_turn(turn, false).contains("| Response:\n|   (JSON answer)\n| Result:\n|   3\n"));
}

#[test]
fn only_entries_of_maps_are_hidden() {
    let value = Value::map_from([
        (Value::keyword("_key"), Value::string("correct-horse")),
        (Value::keyword("n"), Value::Int(1)),
    ]);
    let fields =
        TurnFields { prints: vec!["the key is correct-horse".to_owned()], ..TurnFields::new(1, "", value.clone()) };
    let mut step = Step::returned(EndingKind::Return, Value::Nil);
    step.data = value.as_map().cloned().unwrap();
    step.turns = Some(vec![Turn::success(fields)]);
    let text = check(&step, View::Turns, false, false);
    assert!(text.contains("| Output:\n|   the key is correct-horse\n| Result:\n|   {:n 1}\n"), "{text}");
}

#[test]
fn control_characters_never_reach_a_terminal() {
    let prints = vec!["\u{1b}[2Jgone".to_owned(), "a\tb\r".to_owned()];
    let turn = Turn::success(TurnFields { prints, ..TurnFields::new(1, "", Value::Nil) });
    let text = one_turn(turn, false);
    assert!(text.contains("|   [2Jgone\n|   a\tb\n"), "{text}");
}

#[test]
fn colours_change_nothing_else() {
    let options = DebugOptions { raw: true, usage: true, ..DebugOptions::default() };
    let colored = trace_text(&step(), options, true);
    assert!(colored.contains("\u{1b}[36m+- Turn 1 ") && colored.contains("\u{1b}[1mProgram:\u{1b}[0m"));
    assert!(colored.contains("\u{1b}[32m-> \u{1b}[0m") && colored.contains("\u{1b}[33mrate 89.5\u{1b}[0m"));
    let mut plain = colored;
    for code in ["36", "1", "2", "32", "33", "0"] {
        plain = plain.replace(&format!("\u{1b}[{code}m"), "");
    }
    assert_eq!(plain, trace_text(&step(), options, false));
}

#[test]
fn numbers_for_people() {
    let numbers: [u64; 5] = [0, 999, 1_000, 12_480, 1_234_567];
    assert_eq!(numbers.map(ptc_compression::words::grouped), ["0", "999", "1,000", "12,480", "1,234,567"]);
    let sizes = [812, 1_023, 1_024, 3_482, 1_048_576, 5_000_000_000];
    assert_eq!(sizes.map(usage::bytes), ["812 B", "1,023 B", "1.0 KB", "3.4 KB", "1.0 MB", "4,768.4 MB"]);
}

#[test]
fn messages_have_the_role_under_which_they_were_sent() {
    let messages = vec![Message::user("What is 2 + 3?"), Message::assistant(""), Message::tool("call-1", "5")];
    let mut step = Step::returned(EndingKind::Value, Value::Int(5));
    step.turns =
        Some(vec![Turn::success(TurnFields { messages: Some(messages), ..TurnFields::new(1, "5", Value::Int(5)) })]);
    let text = check(&step, View::Turns, true, false);
    let roles = text
        .lines()
        .filter_map(|line| line.trim_start_matches("|   ").strip_prefix('[')?.split_once(']'))
        .map(|(role, _)| role);
    assert_eq!(roles.collect::<Vec<_>>(), ["user", "assistant", "tool"]);
}

#[test]
fn the_answer_has_limits_of_its_own() {
    let long = Value::vector((0..300).map(Value::Int).collect());
    let turn = |number| Turn::success(TurnFields::new(number, "", long.clone()));
    let shown = |step: &Step| {
        let text = check(step, View::Turns, false, false);
        let results =
            text.split("| Result:\n").skip(1).map(|rest| rest.split("\n+-").next().unwrap().replace("\n|   ", ""));
        results.map(|result| result.trim_start_matches("|   ").to_owned()).collect::<Vec<_>>().join("\n")
    };
    let mut step = Step::returned(EndingKind::Return, long.clone());
    step.turns = Some(vec![turn(1), turn(2)]);
    assert_snapshot!(shown(&step), @r"
    [0 1 2 3 4 ...] (300 items, showing first 5)
    [0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48 49 ...] (300 items, showing first 50)
    ");
    (step.result_limit, step.result_max_chars) = (Some(400), Some(40));
    assert_snapshot!(shown(&step), @r"
    [0 1 2 3 4 ...] (300 items, showing first 5)
    [0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 1... (1051 more characters)
    ");
    // The value of an earlier turn replaces an answer: none of these turns returned one.
    step.ending = EndingKind::Fallback;
    assert_snapshot!(shown(&step), @r"
    [0 1 2 3 4 ...] (300 items, showing first 5)
    [0 1 2 3 4 ...] (300 items, showing first 5)
    ");
}

/// Proves: DBG-010.
#[test]
fn tokens_by_turn() {
    let tokens = ptc_chat::Tokens { input: 4_301, output: 45, cached: 1_024, ..ptc_chat::Tokens::default() };
    let fields = |number: usize, tokens| TurnFields { tokens, ..TurnFields::new(number, "", Value::Nil) };
    let mut step = Step::returned(EndingKind::Return, Value::Nil);
    step.turns = Some(vec![Turn::success(fields(1, None)), Turn::success(fields(2, Some(tokens)))]);
    step.usage.estimates =
        [(1, 0), (2, 1_210)].map(|(turn, history)| RequestEstimate { turn, prefix: 3_120, history }).into();
    step.usage.compression = Some(CompressionStats { ceiling_step: Some(3), ..CompressionStats::of("aggressive") });
    let text = format_trace(&step, DebugOptions { usage: true, ..DebugOptions::default() });
    let start = text.find("+- Tokens by Turn").unwrap();
    assert_snapshot!(&text[start..], @r"
    +- Tokens by Turn (estimated | counted) -------------------+
    |   Turn  prefix history     sum   input  cached  output
    |   1      3,120       0   3,120       -       -       -
    |   2      3,120   1,210   4,330   4,301   1,024      45
    +----------------------------------------------------------+

    +- Compression --------------------------------------------+
    |   Strategy:     aggressive
    |   Turns:        0 compressed
    |   Ceiling:      last request shortened, step 3 of 10
    +----------------------------------------------------------+
    ");
}

#[test]
fn colours_need_a_terminal_that_can_show_them() {
    let check =
        |no_color: Option<&str>, term: Option<&str>| can_have_colors(no_color.map(OsStr::new), term.map(OsStr::new));
    assert!(check(None, None) && check(Some(""), Some("xterm-256color")));
    assert!(!check(Some("1"), Some("xterm")));
    assert!(!check(None, Some("dumb")));
}

/// Text of tools, programs and models never leaves its box or controls a terminal.
#[test]
fn no_text_adds_a_line_to_a_box() {
    let odd = "a\n+- Turn 9 ---\n| Result:\r\u{1b}[2J\u{9b}2J\u{2028}| Output:\u{202e}";
    let said = |text: &str| {
        let value = Value::string(text);
        let record = |error: Option<String>| ToolRecord {
            name: text.into(),
            error,
            ..call(serde_json::json!({ text: text }), Ok(serde_json::json!(text)))
        };
        let fields = TurnFields {
            program: Some(text.to_owned()),
            prints: vec![text.to_owned()],
            tool_calls: vec![record(None), record(Some(text.to_owned()))],
            ..TurnFields::new(1, text, value)
        };
        let mut step = Step::returned(EndingKind::Return, Value::Nil);
        step.mission_template = text.to_owned();
        step.turns = Some(vec![Turn::success(fields)]);
        check(&step, View::Turns, true, true)
    };
    let (hostile, harmless) = (said(odd), said("a\nb\nc"));
    assert!(
        !hostile.contains(|c: char| (c.is_control() && c != '\n') || "\u{2028}\u{202e}".contains(c)),
        "{hostile:?}"
    );
    assert!(
        hostile.lines().all(|line| line.is_empty() || line.starts_with("| ") || line.starts_with("+-") || line == "|"),
        "{hostile}"
    );
    let frames = |text: &str| text.lines().filter(|line| line.starts_with('+')).count();
    assert_eq!(frames(&hostile), frames(&harmless), "{hostile}");
}
