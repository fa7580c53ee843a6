//! The document of a fixed run, and that all contents of a run are only text.

use std::time::Duration;

use insta::{assert_json_snapshot, assert_snapshot};
use proptest::prelude::*;
use ptc_chat::{Message, Tokens};
use ptc_lisp::{Memory, MemoryEntry, Value};
use ptc_transcript::{
    EndingKind, FailurePlace, RequestEstimate, Step, StepJson, Turn, TurnFields, ValueForm, failure_value,
};
use serde_json::{Value as Json, json};

use super::*;
use crate::sample::{call, failed_step, step, value};

fn document(step: &Step) -> Json {
    let about = About { model: Some("anthropic:claude-sonnet-4.5".into()), ..About::default() };
    serde_json::to_value(Document::of(step, &about)).unwrap()
}

/// The same part of each turn.
fn of_turns(document: &Json, part: &str) -> Vec<Json> {
    document["run"]["turns"].as_array().unwrap().iter().map(|turn| turn[part].clone()).collect()
}

fn turn(number: usize, fields: TurnFields) -> Turn {
    Turn::success(TurnFields { number, ..fields })
}

fn plain(number: usize) -> TurnFields {
    TurnFields::new(number, "(+ 1 2)", Value::Int(3))
}

fn run_of(turns: Vec<Turn>) -> Step {
    let mut step = Step::returned(EndingKind::Return, Value::Int(3));
    step.turns = Some(turns);
    step
}

#[test]
fn a_run() {
    assert_json_snapshot!(document(&step()));
}

#[test]
fn a_failed_run() {
    assert_json_snapshot!(document(&failed_step()));
}

#[test]
fn every_turn_says_what_became_of_it() {
    let failed = |number| Turn::failure(TurnFields::new(number, "(x)", failure_value("undefined_symbol", "no x")));
    let statuses = |step: &Step| of_turns(&document(step), "status");
    let mut step = run_of(vec![turn(1, plain(1)), failed(2), failed(3), turn(4, plain(4)), turn(5, plain(5))]);
    assert_eq!(statuses(&step), ["ok", "failed", "failed", "recovered", "returned"]);
    step.ending = EndingKind::Limit;
    assert_eq!(statuses(&step)[4], "ok", "no turn has given the answer");
    step.ending = EndingKind::Fail;
    step.turns = Some(vec![failed(1)]);
    assert_eq!(statuses(&step), ["gave_up"]);
}

#[test]
fn tokens_are_those_of_the_provider_or_else_estimated() {
    let tokens = Some(Tokens { input: 4_000, cached: 1_000, cache_write: 500, output: 200 });
    let mut step = run_of(vec![turn(1, TurnFields { tokens, ..plain(1) }), turn(2, plain(2)), turn(3, plain(3))]);
    step.usage.estimates = vec![RequestEstimate { turn: 2, prefix: 1_500, history: 500 }];
    let document = document(&step);
    assert_eq!(
        of_turns(&document, "tokens"),
        [
            json!({"input": 4000, "cached": 1000, "write": 500, "output": 200, "counted": true}),
            json!({"input": 2000, "cached": 1500, "write": 0, "output": 0, "counted": false}),
            json!({"input": 0, "cached": 0, "write": 0, "output": 0, "counted": false}),
        ]
    );
    // 2500 fresh, 1000 cached, 500 written, 200 of output: 7.5 + 0.3 + 1.875 + 3 thousandths of a dollar.
    let costs = of_turns(&document, "cost");
    assert!(
        (costs[0].as_f64().unwrap() - 0.012675).abs() < 1e-12 && costs[1..] == [Json::Null, Json::Null],
        "{costs:?}"
    );
    assert_eq!(document["run"]["totals"]["prices"], "claude-sonnet-4.5, list of 2026-09-01");
}

#[test]
fn a_turn_knows_how_definitions_changed() {
    let define = |name: &str, order, value: Value| {
        let label = ptc_lisp::values::type_of(&value);
        MemoryEntry { name: name.into(), value, doc: None, returns: None, params: None, order, label }
    };
    let memory = |entries| Memory::new(entries);
    let (a, b) = (define("a", 1, Value::Int(1)), define("_key", 2, Value::string("secret")));
    let mut step = run_of(vec![
        turn(1, TurnFields { memory: memory(vec![a.clone(), b.clone()]), ..plain(1) }),
        turn(2, TurnFields { memory: memory(vec![a.clone(), b.clone()]), ..plain(2) }),
        turn(3, TurnFields { memory: memory(vec![define("a", 3, Value::Int(1)), b]), ..plain(3) }),
        turn(4, TurnFields { memory: memory(vec![define("a", 3, Value::Int(7))]), ..plain(4) }),
    ]);
    step.memory_at_start = memory(vec![define("kept", 0, Value::Nil)]);
    let changes = of_turns(&document(&step), "definitions");
    assert_eq!(
        changes,
        [
            json!({"set": [{"name": "a", "label": "integer", "text": "1"}, {"name": "_key", "label": "string"}], "gone": ["kept"]}),
            json!({}),
            json!({"set": [{"name": "a", "label": "integer", "text": "1"}]}),
            json!({"set": [{"name": "a", "label": "integer", "text": "7"}], "gone": ["_key"]}),
        ]
    );
}

#[test]
fn an_answer_that_is_a_list_of_maps_is_a_table() {
    let table = |json| {
        serde_json::to_value(ValueView::answer(&value(json), &["_shown"].into_iter().collect())).unwrap()["table"]
            .clone()
    };
    assert_eq!(
        table(json!([{"a": 1, "_b": 2}, {"a": "x", "_shown": [1]}])),
        json!({"columns": ["a", "_shown"], "rows": [["1", null], ["x", "[1]"]], "total": 2})
    );
    assert_eq!(table(json!({"n": 1, "rows": [{"a": 1}]}))["under"], "rows");
    for other in [json!([]), json!([1, {"a": 1}]), json!({"a": [{"x": 1}], "b": [{"x": 1}]}), json!([{}]), json!("[]")]
    {
        assert_eq!(table(other.clone()), Json::Null, "{other}");
    }
}

#[test]
fn a_call_knows_the_run_that_answered_it() {
    let child = |room: i64| {
        let mut step = run_of(vec![turn(1, plain(1))]);
        step.name = Some("quote-room".into());
        step.data = value(json!({"room": room})).as_map().cloned().unwrap();
        step
    };
    let asked = |room: i64| call(json!({"room": room}), Ok(json!(1)));
    let cached = ptc_lisp::ToolRecord { cached: true, ..asked(2) };
    let calls = vec![asked(3), cached, asked(2), asked(9)];
    let mut step = run_of(vec![turn(1, TurnFields { tool_calls: calls, ..plain(1) })]);
    step.child_steps = vec![child(2), child(3)];
    let document = document(&step);
    let children: Vec<_> =
        document["run"]["turns"][0]["calls"].as_array().unwrap().iter().map(|call| call["child"].clone()).collect();
    assert_eq!(children, [json!(1), Json::Null, json!(0), Json::Null]);
    assert_eq!(document["run"]["children"][1]["turns"][0]["status"], "returned");
}

#[test]
fn too_many_levels_are_counted() {
    let mut deep = run_of(Vec::new());
    for _ in 0..70 {
        let mut caller = run_of(Vec::new());
        caller.child_steps = vec![deep];
        deep = caller;
    }
    let document = document(&deep);
    let mut run = &document["run"];
    let mut levels = 1;
    while run["children"].is_array() {
        run = &run["children"][0];
        levels += 1;
    }
    assert_eq!((levels, &run["children_left_out"]), (64, &json!(1)));
}

/// The messages that the page rebuilds from the differences, in UTF-16 as scripts count.
fn rebuilt(requests: &[Json]) -> Vec<Vec<(String, String)>> {
    let mut all: Vec<Vec<(String, String)>> = Vec::new();
    for request in requests {
        let before = all.last().cloned().unwrap_or_default();
        let keep = usize::try_from(request["keep"].as_u64().unwrap()).unwrap();
        let mut messages = before[..keep].to_vec();
        for (place, message) in request["add"].as_array().unwrap().iter().enumerate() {
            let old: Vec<u16> = before.get(keep + place).map_or(Vec::new(), |(_, text)| text.encode_utf16().collect());
            let units = |name: &str| usize::try_from(message[name].as_u64().unwrap_or(0)).unwrap();
            let middle = message["text"].as_str().unwrap().encode_utf16();
            let text =
                old[..units("head")].iter().copied().chain(middle).chain(old[old.len() - units("tail")..].to_vec());
            let text = String::from_utf16(&text.collect::<Vec<_>>()).unwrap();
            messages.push((message["role"].as_str().unwrap().to_owned(), text));
        }
        all.push(messages);
    }
    all
}

fn sent(number: usize, messages: Vec<Message>) -> Turn {
    turn(number, TurnFields { messages: Some(messages), ..plain(number) })
}

/// The characters that the script of pages shows by their numbers.
fn odd_in_pages() -> Vec<std::ops::RangeInclusive<u32>> {
    let script = include_str!("js/dom.js");
    let class = script.split("const ODD = /[").nth(1).and_then(|rest| rest.split("]/gu;").next()).unwrap();
    let number = |text: &str| u32::from_str_radix(text.trim_matches(['{', '}']), 16).unwrap();
    let range = |part: &str| {
        part.split_once('-').map_or_else(|| number(part)..=number(part), |(from, to)| number(from)..=number(to))
    };
    class.replace("-\\u", "-").split("\\u").skip(1).map(range).collect()
}

#[test]
fn pages_show_the_characters_by_number_that_other_texts_escape() {
    let odd = odd_in_pages();
    for c in ('\0'..=char::MAX).filter(|c| !matches!(c, '\n' | '\t' | '\r')) {
        let is_escaped =
            ptc_lisp::text::escaped(c.encode_utf8(&mut [0; 4])) != c.to_string() || ptc_lisp::text::is_invisible(c);
        assert!(!is_escaped || odd.iter().any(|range| range.contains(&u32::from(c))), "{c:?}");
    }
}

/// Where a page gets a text outside of text nodes: the title and attributes.
#[test]
fn titles_and_attributes_show_odd_characters_by_number() {
    let places =
        page::SCRIPT.lines().filter(|line| line.contains("document.title =") || line.contains("setAttribute("));
    let places: Vec<&str> = places.collect();
    assert!(places.len() >= 5, "{places:?}");
    for place in places {
        let is_literal = place.contains(".title = \"") || place.contains("setAttribute(\"aria-");
        assert!(is_literal || place.contains("plain("), "{place}");
    }
}

proptest! {
    #[test]
    fn requests_are_what_was_sent(requests in prop::collection::vec(prop::collection::vec(("[ab𝄞é\n]{0,6}", any::<bool>()), 0..4), 1..6)) {
        let message = |(text, is_user): &(String, bool)| if *is_user { Message::user(text.clone()) } else { Message::assistant(text.clone()) };
        let turns = requests.iter().enumerate().map(|(place, request)| sent(place + 1, request.iter().map(message).collect()));
        let document = document(&run_of(turns.collect()));
        let expected: Vec<Vec<(String, String)>> = requests
            .iter()
            .map(|request| request.iter().map(|(text, is_user)| ((if *is_user { "user" } else { "assistant" }).to_owned(), text.clone())).collect())
            .collect();
        prop_assert_eq!(rebuilt(&of_turns(&document, "request")), expected);
    }

    #[test]
    fn a_text_is_never_markup(text in r#"[<>&"'/a-z \n=!\-\x00\x1b\r\u{7f}\u{85}\u{9b}\u{2028}\u{2029}\u{202e}\u{2066}\u{feff}\u{fffe}\u{ffff}𝄞]{1,40}|</script>|<!--<script>|]]>"#) {
        let (said, plain) = (page(&Document::of(&saying(&text), &about(&text))), page(&Document::of(&saying("x"), &about("x"))));
        prop_assert_eq!(tags(&said), tags(&plain));
        // Characters that are not allowed in a page or change the direction of writing.
        let is_clean = !data(&said).contains(|c: char| (c.is_control() && c != '\n') || "<>&\u{2028}\u{202e}\u{2066}\u{feff}\u{fffe}\u{ffff}".contains(c));
        prop_assert!(is_clean);
        let read: Json = serde_json::from_str(data(&said)).unwrap();
        prop_assert_eq!(read, serde_json::to_value(Document::of(&saying(&text), &about(&text))).unwrap());
    }
}

fn about(text: &str) -> About {
    About { model: Some(text.into()), source: Some(text.into()), ..About::default() }
}

/// The text between angle brackets, without the script and the style.
fn tags(page: &str) -> Vec<&str> {
    let without = page.find("<style>").unwrap()..page.find("</style>").unwrap();
    let script = page.rfind("<script>").unwrap()..page.rfind("</script>").unwrap();
    let rest = [&page[..without.start], &page[without.end..script.start], &page[script.end..]];
    rest.into_iter()
        .flat_map(|part| part.split('<').skip(1).map(|rest| rest.split_once('>').map_or(rest, |(tag, _)| tag)))
        .collect()
}

/// The data of a page.
fn data(page: &str) -> &str {
    let (_, rest) = page.split_once("<script type=\"application/json\" id=\"data\">").unwrap();
    rest.split_once("</script>").unwrap().0
}

/// A run with this text everywhere.
fn saying(text: &str) -> Step {
    let failed = ptc_lisp::ToolRecord { error: Some(text.to_owned()), ..call(json!({"x": text}), Ok(json!(text))) };
    let define = MemoryEntry {
        name: text.to_owned(),
        value: Value::string(text),
        doc: Some(text.to_owned()),
        returns: None,
        params: None,
        order: 1,
        label: text.to_owned(),
    };
    let fields = TurnFields {
        program: Some(text.to_owned()),
        prints: vec![text.to_owned()],
        reasoning: Some(text.to_owned()),
        progress: text.to_owned(),
        tool_calls: vec![call(json!({text: text}), Ok(json!(text))), failed],
        memory: Memory::new(vec![define]),
        messages: Some(vec![Message::user(text), Message::assistant(text)]),
        failed_at: Some(FailurePlace { line: 1, column: 1 }),
        ..TurnFields::new(1, text, Value::string(text))
    };
    let mut step = run_of(vec![
        Turn::success(fields.clone()),
        Turn::failure(TurnFields { number: 2, result: failure_value("tool_error", text), ..fields }),
    ]);
    step.mission = text.to_owned();
    step.name = Some(text.to_owned());
    step.system = Some(text.into());
    step.result = Ok(value(json!([{text: text}])));
    step.child_steps = vec![{
        let mut child = run_of(Vec::new());
        child.name = Some(text.to_owned());
        child
    }];
    step
}

#[test]
fn the_page_loads_nothing() {
    let page = page(&Document::of(&step(), &About::default()));
    assert!(page.starts_with("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">"));
    let policy = page.split_once("content=\"default-src 'none'; ").unwrap().1.split_once('"').unwrap().0;
    assert!(
        policy.starts_with("script-src 'sha256-") && !policy.contains("unsafe") && !policy.contains("connect-src"),
        "{policy}"
    );
    for word in [
        "<link",
        "<img",
        "http:",
        "https:",
        "url(",
        "@import",
        "javascript:",
        "innerHTML",
        "insertAdjacent",
        "eval(",
        "outerHTML",
    ] {
        assert!(!page.contains(word), "{word}");
    }
    let served = served_page("Runs", &Asset::Runs { url: "runs.json".into() });
    assert!(served.contains(" connect-src 'self';\""), "only of a server");
    assert_eq!(data(&served), r#"{"show":"runs","url":"runs.json"}"#);
}

#[test]
fn without_a_script_mission_and_answer_are_there() {
    let page = page(&Document::of(&step(), &About::default()));
    let (_, plain) = page.split_once("<noscript>\n").unwrap();
    assert_snapshot!(plain.split_once("</noscript>").unwrap().0, @"
    <h1>Which bookings fit into 250 euros?</h1>
    <pre>Which bookings fit into 250 euros?</pre>
    <p>Ended with: return</p>
    <pre>{:kept [1 2 3 4 5 6]}</pre>
    <p>Turns, calls and definitions are shown by a script, which this browser does not run.</p>
    ");
}

#[test]
fn hidden_entries_are_left_out() {
    let secret = Value::map_from([
        (Value::keyword("_key"), Value::string("correct-horse")),
        (Value::keyword("n"), Value::Int(1)),
    ]);
    let called = call(json!({"_pin": 4711, "room": 1}), Ok(json!({"_token": "battery"})));
    let fields = TurnFields {
        prints: vec!["the key is printed".to_owned()],
        tool_calls: vec![called],
        result: secret.clone(),
        ..plain(1)
    };
    let mut step = run_of(vec![Turn::success(fields)]);
    step.result = Ok(secret.clone());
    step.data = secret.as_map().cloned().unwrap();
    let text = document(&step).to_string();
    for word in ["correct-horse", "battery", "4711", "_pin", "_token"] {
        assert!(!text.contains(word), "{word}: {text}");
    }
    assert!(text.contains("the key is printed"));
    // Models also see that there is such data.
    assert_eq!(text.matches("_key").count(), 1, "{text}");
}

/// Showing messages does not require collecting them: the step says how they were written.
#[test]
fn what_was_sent_is_rendered_again_as_the_step_says() {
    let mut whole = step();
    let record =
        ptc_compression::CompressionConfig::from(ptc_compression::Aggressive::new().println_limit(1)).to_record();
    whole.compression = vec![ptc_transcript::CompressionUse { from_turn: 1, compression: record }];
    let sent = |step: &Step| of_turns(&document(step), "request").iter().filter(|request| !request.is_null()).count();
    assert_eq!(sent(&whole), 1, "plain values do not hold what it takes, but one turn has its messages");
    whole.system = Some("Write programs.".into());
    let document = document(&whole);
    assert_eq!(sent(&whole), 4);
    assert_eq!(document["run"]["history"], json!(["aggressive,println_limit=1"]));
    let text = document.to_string();
    assert!(text.contains(";; Last error: ") && !text.contains("very secret"), "{text}");
}

/// A dialogue of this many turns of equal length.
fn dialogue(turns: usize) -> Step {
    let texts: Vec<Message> = (0..turns).map(|at| Message::user(format!("{at} {}", "x".repeat(200)))).collect();
    run_of((0..turns).map(|at| sent(at + 1, texts[..=at].to_vec())).collect())
}

#[test]
fn an_appended_dialogue_is_linear_in_its_turns() {
    let size = |turns| document(&dialogue(turns)).to_string().len();
    let (small, large) = (size(50), size(500));
    assert!(large < small * 11, "{small} for 50 turns, {large} for 500");
}

#[test]
fn a_step_of_an_older_release_is_shown() {
    let mut json = StepJson::new(&step(), ValueForm::Typed).to_json();
    let text = json.to_string();
    assert!(!text.contains("failed_at"), "the sample has none, as older steps");
    json.as_object_mut().unwrap().remove("compression");
    let old = StepJson::parse(&json.to_string()).unwrap().to_step().unwrap();
    assert_eq!(of_turns(&document(&old), "status"), ["ok", "failed", "failed", "returned"]);
}

#[test]
fn calls_at_once_are_beside_each_other() {
    let at = |started_micros, ms| ptc_lisp::ToolRecord {
        started_micros,
        duration: Duration::from_millis(ms),
        ..call(json!({}), Ok(json!(1)))
    };
    let calls = vec![at(5_000_000, 30), at(5_000_000, 10), at(5_030_000, 5)];
    let step = run_of(vec![turn(1, TurnFields { tool_calls: calls, ..plain(1) })]);
    let document = document(&step);
    let times: Vec<_> = document["run"]["turns"][0]["calls"]
        .as_array()
        .unwrap()
        .iter()
        .map(|call| (call["at_us"].as_u64().unwrap(), call["took_us"].as_u64().unwrap()))
        .collect();
    assert_eq!(times, [(0, 30_000), (0, 10_000), (30_000, 5_000)]);
    assert_eq!(document["began_ms"], 5_000);
    // 30 ms for the two at once, and 5 ms after them; a step does not say how long its model took.
    assert_eq!(of_turns(&document, "times"), [json!({"calls_us": 45_000, "clock_us": 35_000})]);
}

#[test]
fn a_record_says_how_long_the_model_took() {
    let sent = Sent { requests: vec![RequestView::default(); 2], ..Sent::default() };
    let sent = Sent { model_times: vec![Some(Duration::from_millis(1_500)), None], ..sent };
    let about = About { sent: Some(sent), ..About::default() };
    let document = Document::of(&run_of(vec![turn(1, plain(1)), turn(2, plain(2))]), &about);
    let times = of_turns(&serde_json::to_value(document).unwrap(), "times");
    assert_eq!(
        times,
        [json!({"model_us": 1_500_000, "calls_us": 0, "clock_us": 0}), json!({"calls_us": 0, "clock_us": 0})]
    );
}

proptest! {
    /// A microsecond counts once if any call is in progress in it.
    #[test]
    fn calls_on_the_clock_count_each_microsecond_once(spans in prop::collection::vec((0u64..60, 0u64..30), 0..8)) {
        let view = |&(at_us, took_us): &(u64, u64)| CallView {
            tool: String::new(), args: String::new(), result: String::new(), status: "ok", edited: false, at_us, took_us, child: None,
        };
        let calls: Vec<CallView> = spans.iter().map(view).collect();
        let busy = (0..100).filter(|now| spans.iter().any(|(at, took)| (*at..at + took).contains(now))).count();
        prop_assert_eq!(calls::clock_us(&calls), busy as u64);
    }
}

/// Two documents of runs with these programs, each of which prints its own length.
fn diff_of(one: &[&str], other: &[&str]) -> RunDiff {
    let run = |programs: &&[&str]| {
        let fields = |(place, program): (usize, &&str)| {
            let prints = vec![program.len().to_string()];
            turn(place + 1, TurnFields { program: Some((*program).to_owned()), prints, ..plain(place + 1) })
        };
        Document::of(&run_of(programs.iter().enumerate().map(fields).collect()), &About::default())
    };
    let [one, other] = [&one, &other].map(run);
    RunDiff::of(&one, &other)
}

#[test]
fn two_runs_are_compared_turn_by_turn() {
    let diff = diff_of(&["(a)\n(b)\n(c)\n(d)", "(same)"], &["(a)\n(x)\n(y)\n(d)", "(same)", "(more)"]);
    assert_eq!(diff.turns.len(), 3, "as many as the longer run has");
    let [program, output, result] = &diff.turns[0].parts;
    assert_eq!((program.head, program.tail, program.is_same()), (1, 1, false));
    assert_eq!(program.changed(), [Some(vec!["(b)", "(c)"]), Some(vec!["(x)", "(y)"])]);
    assert!(output.is_same() && result.is_same(), "both print 15 and have the value 3");
    assert!(diff.turns[1].parts.iter().all(TextDiff::is_same));
    assert!(diff.turns[2].sides[0].is_none() && diff.turns[2].parts[0].one.is_none());
    assert_eq!(diff.turns[2].parts[0].changed(), [None, Some(vec!["(more)"])]);
    assert!(diff.answer.is_same());
}

#[test]
fn runs_below_count_in_all_tokens_and_their_unknown_prices_in_no_cost() {
    let below = |below_tokens, below_cost| TotalsView {
        input: Some(100),
        output: Some(20),
        cost: Some(0.5),
        below_tokens,
        below_cost,
        ..TotalsView::default()
    };
    let all = |totals: TotalsView| (totals.all_tokens(), totals.all_cost());
    assert_eq!(all(below(None, None)), (Some(120), Some(0.5)));
    assert_eq!(all(below(Some(7), Some(0.25))), (Some(127), Some(0.75)));
    assert_eq!(all(below(Some(7), None)), (Some(127), None), "part of a cost is not the cost");
    assert_eq!(all(TotalsView { cost: None, ..below(None, None) }), (Some(120), None));
}

proptest! {
    /// What is the same at both ends, with what changed between, is each of the texts.
    #[test]
    fn a_difference_has_all_lines(one in "[ab\n]{0,12}", other in "[ab\n]{0,12}") {
        let diff = diff_of(&[&one], &[&other]);
        let part = &diff.turns[0].parts[0];
        for (text, changed) in [(&part.one, &part.changed()[0]), (&part.other, &part.changed()[1])] {
            let lines: Vec<&str> = text.as_ref().unwrap().lines().collect();
            prop_assert_eq!(part.head + part.tail + changed.as_ref().unwrap().len(), lines.len());
            prop_assert_eq!(&lines[part.head..lines.len() - part.tail], changed.as_ref().unwrap().as_slice());
        }
        let lines = |text: &Option<String>| text.as_ref().unwrap().lines().map(str::to_owned).collect::<Vec<_>>();
        let (left, right) = (lines(&part.one), lines(&part.other));
        prop_assert_eq!(&left[..part.head], &right[..part.head]);
        prop_assert_eq!(&left[left.len() - part.tail..], &right[right.len() - part.tail..]);
    }
}
