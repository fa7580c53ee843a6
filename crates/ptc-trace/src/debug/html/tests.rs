//! The page of a fixed run, and that nothing in a run can be anything but text.

use insta::assert_snapshot;
use proptest::prelude::*;
use ptc_chat::Tokens;
use ptc_lisp::Value;
use ptc_transcript::{EndingKind, RequestEstimate, Step, Turn, TurnFields};

use super::*;
use crate::sample::{failed_step, step};

/// The page without its head, which is the same for all.
fn body(step: &Step) -> String {
    let page = page(step);
    page.split_once("<body>\n").unwrap().1.strip_suffix("</body>\n</html>\n").unwrap().to_owned()
}

#[test]
fn a_run() {
    assert_snapshot!(body(&step()));
}

#[test]
fn a_failed_run() {
    assert_snapshot!(body(&failed_step()));
}

#[test]
fn the_page_loads_nothing_and_runs_nothing() {
    let page = page(&step());
    assert!(page.starts_with("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">"));
    for word in ["<script", "<link", "<img", "http:", "https:", "url(", "@import", "javascript:"] {
        assert!(!page.contains(word), "{word}");
    }
}

fn turn(number: usize, tokens: Option<Tokens>) -> Turn {
    Turn::success(TurnFields { tokens, ..TurnFields::new(number, "(+ 1 2)", Value::Int(3)) })
}

fn run_of(turns: Vec<Turn>) -> Step {
    let mut step = Step::returned(EndingKind::Return, Value::Int(3));
    step.turns = Some(turns);
    step
}

#[test]
fn bars_are_as_long_as_requests_are_large() {
    let counted = |input, cached| Some(Tokens { input, cached, ..Tokens::default() });
    let mut step = run_of(vec![turn(1, counted(1_000, 0)), turn(2, counted(4_000, 1_000)), turn(3, None)]);
    step.usage.estimates = vec![RequestEstimate { turn: 3, prefix: 1_500, history: 500 }];
    let body = body(&step);
    let bars: Vec<&str> = body.lines().filter_map(|line| line.split_once("<span style=")).map(|(_, bar)| bar).collect();
    assert!(bars[0].starts_with("\"width:25.0%\"><span style=\"width:0.0%\">"), "{}", bars[0]);
    assert!(bars[1].starts_with("\"width:100.0%\"><span style=\"width:25.0%\">"), "{}", bars[1]);
    assert!(bars[1].contains("4,000 tokens, 1,000 of them from the cache"), "{}", bars[1]);
    assert!(bars[2].starts_with("\"width:50.0%\"><span style=\"width:75.0%\">"), "{}", bars[2]);
    assert!(bars[2].contains("about 2,000 tokens, 1,500 of them the same in each request"), "{}", bars[2]);
}

#[test]
fn the_turns_of_a_long_run_are_folded_but_for_those_that_failed() {
    let failed = Turn::failure(TurnFields::new(6, "(x)", ptc_transcript::failure_value("undefined_symbol", "no x")));
    let open = |count| {
        body(&run_of((1..=count).map(|number| turn(number, None)).chain([failed.clone()]).collect()))
            .matches(" open>")
            .count()
    };
    assert_eq!((open(4), open(5)), (5, 1));
}

#[test]
fn agents_that_were_called_follow() {
    let mut parent = run_of(vec![turn(1, None)]);
    parent.child_steps = vec![run_of(vec![turn(1, None), turn(2, None)])];
    parent.child_steps[0].name = Some("pricer".to_owned());
    let body = body(&parent);
    let (own, called) = body.split_once("Called agent 1: pricer").unwrap();
    assert_eq!((own.matches("id=\"turn-").count(), called.matches("id=\"turn-").count()), (1, 2));
    let mut deep = run_of(Vec::new());
    for _ in 0..MOST_LEVELS {
        let mut caller = run_of(Vec::new());
        caller.child_steps = vec![deep];
        deep = caller;
    }
    assert_eq!(page(&deep).matches("Not shown: too many levels.").count(), 1);
}

/// What stands between angle brackets.
fn tags(page: &str) -> Vec<&str> {
    page.split('<').skip(1).map(|rest| rest.split_once('>').map_or(rest, |(tag, _)| tag)).collect()
}

/// A run in which every text is this one.
fn saying(text: &str) -> Step {
    let fields = TurnFields {
        program: Some(text.to_owned()),
        prints: vec![text.to_owned()],
        reasoning: Some(text.to_owned()),
        ..TurnFields::new(1, text, Value::string(text))
    };
    let mut step = run_of(vec![Turn::success(fields)]);
    step.mission = text.to_owned();
    step.name = Some(text.to_owned());
    step.result = Ok(Value::string(text));
    step
}

proptest! {
    #[test]
    fn a_text_is_never_markup(text in r#"[<>&"'/a-z \n=\x00\x1b\r\u{7f}\u{85}\u{9b}\u{2028}\u{202e}\u{2066}\u{feff}\u{fffe}\u{ffff}]{1,40}"#) {
        let (said, plain) = (page(&saying(&text)), page(&saying("x")));
        prop_assert_eq!(tags(&said), tags(&plain));
        // What XML, and so a page, may not hold, and what turns the direction of writing.
        let is_clean = !said.contains(|c: char| (c.is_control() && c != '\n') || "\u{2028}\u{202e}\u{2066}\u{feff}\u{fffe}\u{ffff}".contains(c));
        prop_assert!(is_clean);
    }
}

/// Nobody has to collect messages to look at them: the step says how they were written.
#[test]
fn what_was_sent_is_rendered_again_as_the_step_says() {
    let mut whole = step();
    let record =
        ptc_compression::CompressionConfig::from(ptc_compression::Aggressive::new().println_limit(1)).to_record();
    whole.compression = vec![ptc_transcript::CompressionUse { from_turn: 1, compression: record }];
    let sent = |step: &Step| page(step).matches("<summary>What was sent</summary>").count();
    assert_eq!(sent(&whole), 1, "plain values do not hold what it takes, but one turn has its messages");
    whole.system = Some("Write programs.".into());
    let html = page(&whole);
    assert_eq!(html.matches("<summary>What was sent</summary>").count(), 4);
    assert!(html.contains("<li>history shown as <b>aggressive,println_limit=1</b></li>"), "{html}");
    assert!(html.contains(";; Last error: ") && !html.contains("very secret"), "{html}");
}
