use ptc_lisp::testing::is_tried;
use ptc_lisp::{Ending, Outcome};

use super::*;

#[test]
fn every_case_of_the_corpus_answers_as_it_says() {
    let mut cases = 0;
    let mut failures = Vec::new();
    for path in files(&folder()).expect("the corpus is there") {
        let text = std::fs::read_to_string(&path).expect("a corpus file is readable");
        for case in read(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display())) {
            cases += 1;
            for slice in [None, Some(7)] {
                for difference in case.check(slice, None) {
                    failures.push(format!(
                        "{}:{} {} (slice {slice:?})\n  {difference}",
                        path.display(),
                        case.line,
                        case.title
                    ));
                }
            }
        }
    }
    assert!(cases > 0, "there are no cases");
    assert!(failures.is_empty(), "{} differences in {cases} cases:\n{}", failures.len(), failures.join("\n"));
}

#[test]
fn no_case_calls_more_than_its_summary_of_effects_says() {
    let (mut calling, mut bounded) = (0, 0);
    for path in files(&folder()).expect("the corpus is there") {
        let text = std::fs::read_to_string(&path).expect("a corpus file is readable");
        for case in read(&text).expect("well written").iter().filter(|case| !case.tools.is_empty()) {
            let mut session = case.session(Limits::default()).expect("directives of a case");
            for turn in &case.turns {
                let summary = session.effects(&turn.source);
                let outcome = session.run(&turn.source, &mut |call| case.answer(call));
                let tools = summary.map(|summary| summary.tools).unwrap_or_default();
                for record in &outcome.tool_calls {
                    let calls = outcome.tool_calls.iter().filter(|call| call.name == record.name).count() as u64;
                    let told = tools.iter().find(|tool| *tool.name == *record.name);
                    let limit = told.map(|tool| tool.at_most.limit().unwrap_or(u64::MAX));
                    let place = format!("{}:{}: {} {calls} times", path.display(), case.line, record.name);
                    assert!(limit.is_some_and(|limit| calls <= limit), "{place}, told {told:?}");
                    bounded += usize::from(limit < Some(u64::MAX));
                }
                calling += usize::from(!outcome.tool_calls.is_empty());
            }
        }
    }
    println!("{calling} programs of the corpus call tools; {bounded} calls are of tools with a bound");
    assert!(calling > 40 && bounded > 40, "{calling} programs, {bounded} calls");
}

/// What is seen of a program: all that does not depend on how it was optimized. `None` where a limit ended it.
fn seen(outcome: &Outcome) -> Option<String> {
    if outcome.problems().iter().any(|problem| problem.reason.is_limit()) {
        return None;
    }
    let ending = match &outcome.ending {
        // Of two elements that fail, a pass may reach the other one first; and a step that is seen through fails where it is
        // written.
        Ending::Error(problems) => problems.iter().map(|problem| problem.reason.to_string()).collect(),
        other => format!("{other:?}"),
    };
    let calls: Vec<_> = outcome.tool_calls.iter().map(|call| (&call.name, &call.args, &call.error)).collect();
    Some(format!("{ending}\n{:?}\n{calls:?}\n{:?}", outcome.prints, outcome.warnings))
}

#[test]
fn every_case_is_the_same_without_each_pass_of_the_optimizer() {
    let (mut at, mut compared, mut differences) = (0, 0, Vec::new());
    let passes: Vec<&str> = Session::passes().map(|[name, ..]| name).collect();
    for path in files(&folder()).expect("the corpus is there") {
        let text = std::fs::read_to_string(&path).expect("a corpus file is readable");
        for case in read(&text).expect("well written") {
            at += 1;
            let run = |is_off: &dyn Fn(&str) -> bool| -> Vec<Option<String>> {
                let mut session = case.session(Limits::default()).expect("directives of a case");
                session.optimize_without(is_off);
                let turns = case.turns.iter();
                turns.map(|turn| seen(&session.run(&turn.source, &mut |call| case.answer(call)))).collect()
            };
            if !is_tried(at) {
                continue;
            }
            let all = run(&|_| false);
            for off in passes.iter().copied().chain(["all of them"]) {
                let found = run(&|pass| pass == off || off == "all of them");
                for (turn, (all, found)) in all.iter().zip(&found).enumerate() {
                    if let (Some(all), Some(found)) = (all, found) {
                        compared += 1;
                        if all != found {
                            let place = format!("{}:{} turn {turn}", path.display(), case.line);
                            differences.push(format!("{place} without {off}:\n{all}\n-- and not\n{found}"));
                        }
                    }
                }
            }
        }
    }
    println!("{compared} turns compared");
    assert!(compared > 0 && differences.is_empty(), "{}:\n{}", differences.len(), differences.join("\n"));
}

#[test]
fn a_case_has_a_title_directives_turns_and_expectations() {
    let text = "\
;; Two turns
;; over data.
;- data {:n 2}
(def m data/n)

m
;=> 2
(inc m)
;=> 3

(f
";
    assert_eq!(
        read(text).unwrap_err(),
        Malformed { line: 11, text: "this case expects nothing; end it with ;=> and the printed value, or ;!>".into() }
    );
    let cases = read(text.trim_end_matches("(f\n")).expect("well written");
    assert_eq!(cases.len(), 1);
    assert_eq!((cases[0].title.as_str(), cases[0].line), ("Two turns over data.", 1));
    assert_eq!(
        cases[0].turns.iter().map(|turn| turn.source.as_str()).collect::<Vec<_>>(),
        ["(def m data/n)\n\nm\n", "(inc m)\n"]
    );
    assert_eq!(cases[0].check(None, None), Vec::<String>::new());
    assert_eq!(cases[0].check(None, Some(("clojure.core", "inc"))), ["expected ;=> 3, got ;=> :wrong"]);
    assert!(cases[0].mentions("inc") && !cases[0].mentions("in"));
}

#[test]
fn what_differs_is_named() {
    let check = |text: &str| read(text).expect("well written")[0].check(None, None);
    assert_eq!(check("(println 1)\n;out> 2"), ["expected ;out> 2\n  got      ;out> 1"]);
    assert_eq!(check("(println 1) 5\n;=> 5"), ["unexpected ;out> 1"]);
    assert_eq!(check("5\n;=> 5\n;out> x"), ["missing ;out> x"]);
    assert_eq!(check("(return 5)\n;=> 5"), ["expected ;=> 5, got ;return> 5"]);
    assert_eq!(check("(foo)\n;!> undefined_symbol 1:2 undefined symbol…"), Vec::<String>::new());
    assert_eq!(check("(foo)\n;!> undefined_symbol 1:1 undefined symbol…").len(), 1);
}

#[test]
fn what_is_not_a_case_is_refused() {
    let error = |text: &str| read(text).unwrap_err().text;
    assert_eq!(
        error(";> 5"),
        "`;>` is not an expectation; write one of ;=> ;return> ;fail> ;out> ;!> ;warn> ;call> ;clojure>"
    );
    assert_eq!(error(";=> 5"), "there is no program above this line");
    assert_eq!(error(";- limit {}\n1\n;=> 1"), "`limit` is not a directive; there are limits, data and tool");
    assert_eq!(error("1\n;- data {}\n;=> 1"), "a directive belongs above the program of its case");
}
