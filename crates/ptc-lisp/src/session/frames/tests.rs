//! Places of errors in earlier programs, in compiled programs, and in restored functions.

use insta::assert_snapshot;

use crate::{Limits, Problem, Program, Session, SessionOptions, ToolSpec, no_tools};

const RULES: &str = "(def base 10)

(defn total [order]
  ; the line that fails
  (* (:count order) (:price order)))

(defn score [order] (+ base (total order)))";

fn problem(session: &mut Session, program: &str) -> Problem {
    session.run(program, &mut no_tools).problems()[0].clone()
}

fn session(program: &str) -> Session {
    let mut session = Session::new(SessionOptions::default());
    assert!(session.run(program, &mut no_tools).value().is_some());
    session
}

/// `name line:column`, innermost first; those of earlier programs with a mark.
fn places(problem: &Problem) -> Vec<String> {
    let place = |frame: &crate::Frame| {
        let mark = if frame.is_earlier { "'" } else { "" };
        let name = frame.function.as_deref().unwrap_or("-");
        format!("{name}{mark} {}:{}", frame.position.line, frame.position.column)
    };
    problem.frames.iter().map(place).collect()
}

#[test]
fn an_error_in_a_function_of_an_earlier_program_has_its_place_there() {
    let mut session = session(RULES);
    let found = problem(&mut session, "(def order {:count 1 :price :two})\n(score order)");
    assert_eq!(places(&found), ["total' 5:3", "score' 7:29", "- 2:1"]);
    // The one line for models stays what it was.
    assert_eq!(
        found.text(),
        "*: expected numbers, got number and keyword at line 2, column 1 (in total, called by score)"
    );
    assert_snapshot!(found.snippet(false), @r#"
    *: expected numbers, got number and keyword
    at line 5, column 3, in total, in an earlier program
      |
    5 |   (* (:count order) (:price order)))
      |   ^
    called at line 7, column 29, in score, in an earlier program
      |
    7 | (defn score [order] (+ base (total order)))
      |                             ^
    called at line 2, column 1
      |
    2 | (score order)
      | ^
    "#);
}

#[test]
fn an_error_of_a_call_has_its_place_in_the_compiled_program() {
    let program = Program::compile(RULES, SessionOptions::default()).unwrap();
    let score = program.function("score").unwrap();
    let order = std::collections::HashMap::from([("count", "one")]);
    let outcome = program.session().call(&score, (order,), &Limits::default(), &mut no_tools);
    let found = &outcome.problems()[0];
    assert_eq!(places(found), ["total 5:3", "score 7:29"]);
    assert_eq!(found.position.map(|place| place.line), Some(5));
    assert_eq!(found.line_text.as_deref(), Some("  (* (:count order) (:price order)))"));
    assert_eq!(found.functions(), ["total", "score"]);
}

#[test]
fn anonymous_functions_and_functions_of_the_language_have_the_places_of_their_calls() {
    let mut session = session(
        "(defn halves [xs] (sort-by (fn [x] (/ x 0)) xs))\n(defn each [f xs] (reduce (fn [_ x] (f x)) nil xs))",
    );
    assert_eq!(places(&problem(&mut session, "\n(halves [1])")), ["-' 1:36", "halves' 1:19", "- 2:1"]);
    assert_eq!(
        places(&problem(&mut session, "(each (fn [x] (sort-by (fn [y] (/ y 0)) [x])) [1])")),
        ["- 1:32", "- 1:15", "each' 2:37", "- 1:1"]
    );
}

#[test]
fn an_error_that_was_caught_and_thrown_again_keeps_its_places() {
    let mut session =
        session("(defn inner [x] (/ x 0)) (defn outer [x] (try (inner x) (catch Exception e (throw e))))");
    let found = problem(&mut session, "(outer 1)");
    assert_eq!(places(&found), ["inner' 1:17", "outer' 1:47", "- 1:1"]);
}

#[test]
fn many_places_are_few_and_name_what_they_named() {
    let mut session = session(
        "(defn a [n] (if (zero? n) (/ n 0) (+ 1 (a (dec n))))) (defn b [n] (inc (a n))) (defn c [n] (inc (b n)))",
    );
    let found = problem(&mut session, "(c 1000)");
    assert_eq!(found.functions(), ["a", "b", "c"]);
    assert_eq!(places(&found), ["a' 1:27", "a' 1:40", "b' 1:72", "c' 1:97", "- 1:1"]);
    let mut turns = session_of_turns();
    let found = problem(&mut turns, "(even 500)");
    assert!(found.frames.len() <= 17, "{}", found.frames.len());
    assert_eq!(found.functions(), ["even", "odd", "even", "odd", "even"]);
}

/// Two functions that call each other by way of anonymous ones.
fn session_of_turns() -> Session {
    session(
        "(def odd nil)
         (defn even [n] (if (zero? n) (/ n 0) (inc ((fn [m] (inc (odd m))) (dec n)))))
         (defn odd [n] (inc ((fn [m] (inc (even m))) (dec n))))",
    )
}

#[test]
fn a_restored_function_has_its_own_text() {
    let mut first = session(RULES);
    let (stored, left_out) = first.store_memory();
    assert!(left_out.is_empty());
    let mut second = Session::new(SessionOptions { definitions: stored.into(), ..SessionOptions::default() });
    let found = problem(&mut second, "(score {})");
    let frame = &found.frames[0];
    assert_eq!((frame.function.as_deref(), frame.is_earlier), (Some("total"), true));
    assert_eq!(frame.line_text, "  (* (:count order) (:price order)))");
}

#[test]
fn a_branch_and_a_tool_have_places_too() {
    let options = SessionOptions { tools: vec![ToolSpec::new("rate")], ..SessionOptions::default() };
    let mut session = Session::new(options);
    session.run("(defn rate [x] (tool/rate {:x x}))\n(defn rates [xs] (doall (pmap rate xs)))", &mut no_tools);
    let found = problem(&mut session, "(rate 1)");
    assert_eq!(places(&found), ["rate' 1:16", "- 1:1"]);
    let found = problem(&mut session, "(rates [1])");
    assert!(places(&found).contains(&"rates' 2:25".to_owned()), "{:?}", places(&found));
}

#[test]
fn a_problem_that_was_found_before_anything_ran_shows_its_line() {
    let mut session = Session::new(SessionOptions::default());
    assert_snapshot!(problem(&mut session, "(def x 1)\n\t(filtr odd? [x])").snippet(false), @r"
    undefined symbol 'filtr'. Did you mean 'filter'?
    at line 2, column 3
      |
    2 |  (filtr odd? [x])
      |   ^
    ");
}

#[test]
fn long_lines_are_cut_around_the_place_and_control_characters_are_escaped() {
    let mut session = Session::new(SessionOptions::default());
    let program = format!("(def text \"{}\u{1b}[2J\") (/ 1 0) (def more \"{}\")", "a".repeat(300), "b".repeat(300));
    let shown = problem(&mut session, &program).snippet(false);
    let lines: Vec<&str> = shown.lines().collect();
    let column = lines[4].find('^').unwrap() - "  | ".len();
    assert!(lines[3].chars().count() < 130 && lines[3].contains("\\u001b"), "{shown}");
    let at: String = lines[3].chars().skip("1 | ".len() + column).take(7).collect();
    assert_eq!(at, "(/ 1 0)", "{shown}");
}

#[test]
fn colors_are_the_same_text_with_escapes() {
    let mut session = session(RULES);
    let found = problem(&mut session, "(score {})");
    let mut plain = String::new();
    let mut rest = found.snippet(true);
    assert!(rest.contains("\u{1b}[1;31m^\u{1b}[0m"));
    while let Some(at) = rest.find('\u{1b}') {
        plain.push_str(&rest[..at]);
        let end = rest[at..].find('m').unwrap();
        rest = rest[at + end + 1..].to_owned();
    }
    assert_eq!(plain + &rest, found.snippet(false));
}

#[test]
fn programs_with_names_are_told_apart() {
    let rates = "(def base 10)\n\n(defn rate [zone]\n  (* base zone))";
    let rates = Program::compile_named("rules/1_rates.lisp", rates, SessionOptions::default()).unwrap();
    let options = SessionOptions { definitions: rates.definitions().clone(), ..SessionOptions::default() };
    let score =
        Program::compile_named("rules/2_score.lisp", "(defn score [order]\n  (+ 1 (rate (:zone order))))", options);
    let score = score.unwrap();
    let function = score.function("score").unwrap();
    let order = std::collections::HashMap::from([("zone", "north")]);
    let outcome = score.session().call(&function, (&order,), &Limits::default(), &mut no_tools);
    let found = &outcome.problems()[0];
    let files: Vec<_> = found.frames.iter().map(|frame| frame.program.as_deref()).collect();
    assert_eq!(files, [Some("rules/1_rates.lisp"), Some("rules/2_score.lisp")]);
    assert_eq!(
        found.text(),
        "*: expected numbers, got number and string; (parse-long s) and (parse-double s) read numbers, (str ...) joins texts at rules/2_score.lisp:2:8 (in rate, called by score)"
    );
    // What a caller without a name sees.
    let options = SessionOptions { definitions: score.definitions().clone(), ..SessionOptions::default() };
    let found = problem(&mut Session::new(options), "\n(score {:zone :north})");
    assert_snapshot!(found.snippet(false), @r"
    *: expected numbers, got number and keyword
    at rules/1_rates.lisp:4:3, in rate
      |
    4 |   (* base zone))
      |   ^
    called at rules/2_score.lisp:2:8, in score
      |
    2 |   (+ 1 (rate (:zone order))))
      |        ^
    called at line 2, column 1
      |
    2 | (score {:zone :north})
      | ^
    ");
}

#[test]
fn problems_before_anything_runs_name_their_program() {
    let problems =
        |text: &str| Program::compile_named("a.lisp", text, SessionOptions::default()).unwrap_err().to_string();
    assert_snapshot!(problems("(defn f [x]\n  (foo x))"), @"undefined symbol 'foo'. Did you mean 'for'? at a.lisp:2:4");
    assert_snapshot!(problems("(defn f [x]\n  (inc x)"), @"a.lisp: Unexpected end of input: '(' opened at line 1, column 1 was never closed; the lines are indented as if ')' were missing at the end, on line 2");
    assert_snapshot!(problems("(/ 1 0)"), @"Divide by zero at a.lisp:1:1");
}

#[test]
fn a_compiled_program_has_its_warnings_and_calls_have_theirs() {
    let text = "(defn rank [order]\n  (if (= (:shipping order) :express) 1 0))\n\n(defn tax [n]\n  (* n 19)\n  n)";
    let rules = Program::compile_named("rules/rank.lisp", text, SessionOptions::default()).unwrap();
    let shown: String = rules.warnings().iter().map(|warning| warning.snippet(false)).collect();
    assert_snapshot!(shown, @r"
    warning: the result of (* ...) is dropped here: values never change in place; bind it with let or def, or make it the last form
    at rules/rank.lisp:5:3
      |
    5 |   (* n 19)
      |   ^
    ");
    // What is never true is reported by each call: the text of an enum is not a keyword.
    let rank = rules.function("rank").unwrap();
    let mut session = rules.session();
    for _ in 0..3 {
        let order = std::collections::HashMap::from([("shipping", "express")]);
        let outcome = session.call(&rank, (&order,), &Limits::default(), &mut no_tools);
        let warnings: Vec<_> =
            outcome.warnings.iter().map(|it| (it.code, it.position.map(|place| place.line))).collect();
        assert_eq!(warnings, [(crate::WarningCode::KeywordVsString, Some(2))]);
    }
}
