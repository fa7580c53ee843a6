use annotate_snippets::renderer::DecorStyle;
use ptc_runner::config::MissionFile;
use ptc_runner::lisp::{Session, SessionOptions};

use super::*;

/// What people see when `text` fails or warns.
fn check(text: &str) -> String {
    let source = Source { name: "a.clj".to_owned(), text: text.to_owned() };
    let outcome = Session::new(SessionOptions::default()).run(text, &mut crate::program::no_tool);
    let renderer = Renderer::plain().decor_style(DecorStyle::Ascii);
    let problems = outcome.problems().iter().map(|problem| super::problem(&source, problem, &renderer));
    let warnings = outcome.warnings.iter().map(|warning| super::warning(&source, warning, &renderer));
    problems.chain(warnings).collect::<Vec<_>>().join("\n")
}

#[test]
fn problems_show_their_line() {
    insta::assert_snapshot!(check("(def a 1)\n(+ a \"ä\" nope)"), @r#"
    error[undefined_symbol]: undefined symbol 'nope'
     --> a.clj:2:10
      |
    2 | (+ a "ä" nope)
      |          ^^^^
    "#);
    insta::assert_snapshot!(check("(+ 1 (str \"ü\" (inc nil)))"), @r#"
    error[type_error]: inc: expected a number, got nil
     --> a.clj:1:15
      |
    1 | (+ 1 (str "ü" (inc nil)))
      |               ^
    "#);
    insta::assert_snapshot!(check("(+ 1"), @r#"
    error[parse_error]: Unexpected end of input: '(' opened at line 1, column 1 was never closed
     --> a.clj:1:1
      |
    1 | (+ 1
      | ^
    "#);
    insta::assert_snapshot!(check("(defn f [n] (+ 1 (f n))) (f 1)"), @r#"
    error[recursion_limit_exceeded]: call depth exceeded 10000: end the recursion or use loop/recur
     --> a.clj:1:18
      |
    1 | (defn f [n] (+ 1 (f n))) (f 1)
      |                  ^
      |
      = note: in f
      = help: use loop/recur, or allow more with --limit depth=N
    "#);
}

#[test]
fn a_broken_mission_shows_its_line() {
    let error = MissionFile::from_text("m.toml", "mission = \"x\"\nmax_turns = 0\n").unwrap_err();
    let text = failure(&error.into(), &Renderer::plain().decor_style(DecorStyle::Ascii));
    insta::assert_snapshot!(text, @r#"
    error: max_turns must be an integer above 0 (got 0)
     --> m.toml:2:13
      |
    2 | max_turns = 0
      |             ^
    "#);
}

/// Errors quote programs and the output of tools; none of it may control a terminal.
#[test]
fn problems_cannot_command_a_terminal() {
    for text in [
        "(throw (ex-info \"a\\nerror: b\\u001b[2J\\u009b2J\\u2028\\u202e\" {}))",
        "(foo \"\u{1b}[2J\u{9b}2J\u{2028}\u{202e}\r\") (bar)",
        "(a\u{9b}b)",
    ] {
        let shown = check(text);
        assert!(
            !shown.contains(|c: char| (c.is_control() && c != '\n') || "\u{2028}\u{202e}".contains(c)),
            "{shown:?}"
        );
        assert_eq!(
            shown.lines().filter(|line| line.starts_with("error")).count(),
            shown.matches("\n  |\n").count(),
            "{shown}"
        );
    }
    for attack in crate::output::tests::attacks() {
        let quoted = format!("{attack:?}");
        for text in [format!("(nope {attack})"), format!("(throw (ex-info \"{attack}\" {{}}))"), quoted, attack.clone()]
        {
            let shown = check(&text);
            assert!(!shown.contains(crate::output::tests::acts), "{text:?}: {shown:?}");
        }
        let shown = failure(&attack.clone().into(), &Renderer::plain().decor_style(DecorStyle::Ascii));
        assert!(!shown.contains(crate::output::tests::acts), "{attack:?}: {shown:?}");
        assert!(shown.lines().skip(1).all(|line| line.is_empty() || line.starts_with(' ')), "{attack:?}: {shown}");
    }
    let shown = failure(&"--limit a\u{1b}[2J\u{9b}\r".into(), &Renderer::plain().decor_style(DecorStyle::Ascii));
    assert!(!shown.contains(|c: char| c.is_control() && c != '\n'), "{shown:?}");
}
