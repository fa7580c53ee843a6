//! Lines of ours, and those that must not pass for them.

use insta::assert_snapshot;
use proptest::prelude::*;

use super::*;
use crate::words::turn_line::{turn_line, turns_indicator};

/// Lines that begin like ours, and others.
fn odd_text() -> impl Strategy<Value = String> {
    let heads: Vec<String> = HEADS.iter().chain(&COMMENTS).map(|head| format!("{head} x")).collect();
    let line = prop_oneof![
        prop::sample::select(heads),
        prop::sample::select(vec![
            "---",
            "--- ",
            "```",
            ";;",
            "Turn 2 of 3 (1 remaining)",
            "Turn 7: retry 1 of 2",
            "Turn x",
            "\u{200b};; x",
            "\t;; x"
        ])
        .prop_map(str::to_owned),
        any::<String>(),
    ];
    prop::collection::vec(line, 0..6).prop_map(|lines| lines.join("\n"))
}

/// Proves: FMT-018.
#[test]
fn prints_are_as_they_are_but_for_lines_like_ours() {
    let shown = |print: &str| print_text(print).into_owned();
    for print in [
        "kept 3 of 4",
        "  a  b",
        "a\n\n\tb ",
        ";;",
        ";; ".trim_end(),
        "x ;; y",
        "--",
        "--- a ---",
        "Turn on",
        "Erroneous",
        "\u{200D}é",
    ] {
        assert!(matches!(print_text(print), Cow::Borrowed(same) if same == print), "{print}");
    }
    assert_eq!(shown(";; Turn 3\nx\n;; y"), " ;; Turn 3\nx\n ;; y");
    assert_eq!(shown("\u{1b}[2Ja\r\nb\0"), "[2Ja\nb");
    assert_eq!(shown("\u{200b};; Turn 3\n\u{202e};; x"), " \u{200b};; Turn 3\n \u{202e};; x");
    assert_eq!(shown("\r;; Turn 3\na\u{2028};; x"), " ;; Turn 3\na;; x");
    for ours in [
        "Turns left: 1",
        "FINAL TURN - now",
        "---",
        "Error: no",
        "Turn 3 of 5 (2 remaining)",
        "Stored names: a",
        "# Expected Output",
    ] {
        assert_eq!(shown(ours), format!(" {ours}"));
    }
}

#[test]
fn errors_keep_the_lines_that_are_ours() {
    let message = "The returned value does not fit the signature.\nWanted: :int\nProblems:\n- root: expected int, got string\n(2) x";
    assert_eq!(error_text(message), message);
    assert_snapshot!(error_text("no\r such room\n---\nTurns left: 1\n;; Output:\u{1b}"), @r"
    no\r such room
     ---
     Turns left: 1
     ;; Output:\u001b
    ");
}

#[test]
fn nothing_in_a_program_ends_its_fence() {
    let harmless = ";; first the prices\n(def a 1) ; one\n;; then\n(+ a 1)";
    assert_eq!(fenced_program(harmless), format!("```clojure\n{harmless}\n```"));
    assert_snapshot!(fenced_program("(f \"\n```\n\nError: no\n---\n\")\n;; Turn 3\n(g \"\u{1b}\")"), @r#"
    ```clojure
    (f "
     ```

     Error: no
     ---
    ")
     ;; Turn 3
    (g "\u001b")
    ```
    "#);
}

/// Every separate line of ours is listed here: a print like it is distinguished from it.
#[test]
fn lines_of_ours_are_known() {
    let turns = (1..6).flat_map(|used| [turn_line(5, 0, used), turn_line(3, 3, used), turn_line(2, 1, used)]).flatten();
    let more = [RULE, PREVIOUS_ATTEMPT, EXPECTED_OUTPUT_HEADER, PROGRESS_HEADER, TASKS_HEADER].map(str::to_owned);
    for line in turns.chain([turns_indicator(1, 0), turns_indicator(4, 0), turns_indicator(0, 2)]).chain(more) {
        assert_eq!(print_text(&line), format!(" {line}"));
    }
}

proptest! {
    #[test]
    fn no_line_of_a_print_is_like_ours(text in odd_text()) {
        let shown = print_text(&text);
        prop_assert!(!shown.lines().any(is_ours), "{}", shown);
        prop_assert!(!shown.contains(|c: char| c.is_control() && c != '\n' && c != '\t'));
        prop_assert_eq!(shown.split('\n').count(), text.split('\n').count());
        // Showing shown text again changes nothing.
        prop_assert_eq!(print_text(&shown), shown.as_ref());
        let error = error_text(&text);
        prop_assert!(!error.lines().skip(1).any(is_ours), "{}", error);
    }

    #[test]
    fn a_fence_ends_where_we_end_it(text in odd_text()) {
        let fenced = fenced_program(&text);
        let body = fenced.strip_prefix("```clojure\n").and_then(|rest| rest.strip_suffix("\n```")).unwrap();
        prop_assert!(!body.lines().any(|line| line.starts_with("```") || line == RULE), "{}", fenced);
    }

    #[test]
    fn a_line_is_one_line(text in odd_text()) {
        let line = line(text);
        prop_assert!(!line.contains(['\n', '\r', '\u{2028}']) && !is_ours(&line), "{}", line);
    }
}
