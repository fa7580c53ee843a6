use ptc_lisp::{Outcome, Session, SessionOptions, ToolError};

use super::forms::{self, Kind, Sites};
use super::judge::{Expected, Verdict, judge, mentions, suggests};
use super::operator::{Mutant, OPERATORS};
use super::report::{Finding, Report};
use super::subject::subjects;
use ptc_tests::random::Random;

const PROGRAM: &str = "(defn area [[w h]]\n  (* w h)) ; width by height\n(println \"areas\" (map area data/sizes))\n";

/// Every mutant of an operator, in order of their texts.
fn mutants(operator: &str, source: &str) -> Vec<Mutant> {
    let forms = forms::forms(source);
    let operator = OPERATORS.iter().find(|known| known.name == operator).expect("an operator");
    let mut all = operator.mutants(&Sites::of(source, &forms), usize::MAX, &mut Random::new(1));
    all.sort_by(|one, other| one.source.cmp(&other.source));
    all
}

fn texts(operator: &str, source: &str) -> Vec<String> {
    mutants(operator, source).into_iter().map(|mutant| mutant.source).collect()
}

#[test]
fn a_program_is_read_as_forms_with_their_places() {
    let source = "'(a \\) b) #{\"x \\\" )\" :k} ; ) comment\n#(f %) @c #_(d) #\"re(\"";
    let forms = forms::forms(source);
    let kinds: Vec<Kind> = forms.iter().map(|form| form.kind).collect();
    assert_eq!(kinds, [Kind::Quote, Kind::Set, Kind::ShortFn, Kind::Mark, Kind::Mark, Kind::Regex]);
    let texts: Vec<&str> = forms.iter().map(|form| form.text).collect();
    assert_eq!(texts, ["'(a \\) b)", "#{\"x \\\" )\" :k}", "#(f %)", "@c", "#_(d)", "#\"re(\""]);
    assert_eq!(forms[2].head(), Some("f"));
}

#[test]
fn mutants_keep_the_lines_of_their_program() {
    for operator in OPERATORS {
        for mutant in mutants(operator.name, PROGRAM) {
            assert_eq!(mutant.source.lines().count(), PROGRAM.lines().count(), "{}", operator.name);
            assert!(mutant.lines.iter().all(|line| (1..=3).contains(line)), "{}: {:?}", operator.name, mutant.lines);
            assert_ne!(mutant.source, PROGRAM, "{}", operator.name);
        }
    }
}

#[test]
fn the_same_seed_gives_the_same_mutants() {
    for operator in OPERATORS {
        assert_eq!(mutants(operator.name, PROGRAM), mutants(operator.name, PROGRAM), "{}", operator.name);
    }
}

#[test]
fn names_are_misspelled_where_they_are_used() {
    let meant: Vec<String> = mutants("misspelling", PROGRAM).into_iter().filter_map(|mutant| mutant.meant).collect();
    let mut sorted = meant;
    sorted.sort();
    // Neither the names that are bound (`area` in line 1, `w`, `h`) nor those too short to be misspelled.
    assert_eq!(sorted, ["area", "data/sizes", "defn", "map", "println"]);
    assert!(
        mutants("misspelling", "(let [total 1 {:keys [name]} {}] 2)")
            .iter()
            .all(|mutant| mutant.meant.as_deref() == Some("let"))
    );
    assert!(texts("misspelling", "[nil true 12.5 -3 %1 'quoted]").is_empty());
}

#[test]
fn brackets_and_quotes_are_lost_doubled_and_mistaken() {
    assert_eq!(texts("dropped-delimiter", "(f [1])"), ["(f 1])", "(f [1)", "(f [1]", "f [1])"]);
    assert!(texts("extra-delimiter", "(f [1])").contains(&"(f [1]))".to_owned()));
    assert!(texts("wrong-delimiter", "(f)").iter().all(|text| text == "(f]" || text == "(f}"));
    assert_eq!(texts("unclosed-string", "(f \"a\" #\"b\")"), ["(f \"a #\"b\")", "(f \"a\" #\"b)"]);
}

#[test]
fn arguments_of_functions_are_swapped_dropped_and_doubled() {
    assert_eq!(texts("swapped-arguments", "(let [a 1] (- a 2))"), ["(let [a 1] (- 2 a))"]);
    assert!(texts("wrong-arity", "(inc 1)").iter().all(|text| text == "(inc )" || text == "(inc 1 1)"));
    assert_eq!(
        texts("missing-tool-argument", "(tool/find {:name \"x\" :limit 2})"),
        ["(tool/find { :limit 2})", "(tool/find {:name \"x\" })"]
    );
    assert!(texts("missing-tool-argument", "(find {:name 1})").is_empty());
}

#[test]
fn a_call_over_several_lines_may_be_named_by_its_first() {
    let mutants = mutants("wrong-arity", "(f-of-mine)\n(map\n  inc\n  [1])");
    assert!(mutants.iter().all(|mutant| mutant.lines.contains(&2)), "{mutants:?}");
}

#[test]
fn keywords_and_strings_trade_places() {
    assert_eq!(texts("keyword-string", "{:a \"b\"}"), ["{\"a\" \"b\"}", "{:a :b}"]);
    assert!(texts("keyword-string", "[\"two words\" \"1\" ':quoted]").is_empty());
}

#[test]
fn tools_get_names_that_do_not_exist() {
    let mutants = mutants("unknown-tool", "(tool/find-user {})");
    assert_eq!(mutants.len(), 1);
    assert_eq!(mutants[0].meant.as_deref(), Some("tool/find-user"));
    assert!(
        mutants[0].source.starts_with("(tool/") && !mutants[0].source.contains("find-user {"),
        "{}",
        mutants[0].source
    );
}

#[test]
fn recur_patterns_and_quotes_go_wrong() {
    let recur = texts("recur-not-tail", "(loop [i 0] (recur i))");
    assert!(recur.len() == 1 && recur[0].contains(" (recur i)") && recur[0] != "(loop [i 0] (recur i))", "{recur:?}");
    let patterns = texts("wrong-destructuring", "(let [[a & b] xs] a)");
    assert_eq!(
        patterns,
        ["(let [(a & b) xs] a)", "(let [[a & ] xs] a)", "(let [[a b &] xs] a)", "(let [{a & b} xs] a)"]
    );
    let keys = texts("wrong-destructuring", "(fn [{:keys [a]}] a)");
    assert!(
        keys.contains(&"(fn [{:key [a]}] a)".to_owned()) && keys.contains(&"(fn [[:keys [a]]] a)".to_owned()),
        "{keys:?}"
    );
    assert_eq!(texts("missing-quote", "['(1 2) (f 'x)]"), ["['(1 2) (f x)]", "[(1 2) (f 'x)]"]);
}

fn run(source: &str) -> Outcome {
    Session::new(SessionOptions::default()).run(source, &mut |_| Err(ToolError::new("no tools")))
}

/// The verdict on `mutant`, in which `line` was changed and `meant` is the name that was misspelled.
fn verdict(original: &str, mutant: &str, line: usize, meant: Option<&str>) -> Verdict {
    let expected = Expected::of(&run(original)).expect("the original runs");
    let mutant = Mutant { source: mutant.to_owned(), lines: vec![line], meant: meant.map(str::to_owned) };
    judge(&mutant, &expected, &run(&mutant.source))
}

fn told(verdict: Verdict) -> Option<(bool, Option<bool>)> {
    match verdict {
        Verdict::Told { names_line, hint, .. } => Some((names_line, hint)),
        _ => None,
    }
}

#[test]
fn a_mutant_is_the_same_silent_or_told() {
    assert_eq!(verdict("(+ 1 2)", "(+ 2 1)", 1, None), Verdict::Same);
    assert_eq!(verdict("(- 1 2)", "(- 2 1)", 1, None), Verdict::Silent("=> 1".into()));
    assert_eq!(verdict("(println 1) 2", "(println 3) 2", 1, None), Verdict::Silent("3\n=> 2".into()));
    assert_eq!(told(verdict("(count [1])", "\n(cuont [1])", 2, Some("count"))), Some((true, Some(true))));
    assert_eq!(told(verdict("(count [1])", "\n(cuont [1])", 1, Some("conj"))), Some((false, Some(false))));
    // Another answer with a warning counts as told, at the place of the warning.
    assert_eq!(told(verdict("(= :a :a)", "(= :a \"a\")", 1, None)), Some((true, None)));
    // A warning that the original also gets does not reveal the mistake.
    assert_eq!(verdict("(= :a \"a\") 1", "(= :a \"a\") 2", 1, None), Verdict::Silent("=> 2".into()));
}

#[test]
fn a_line_is_named_by_number_and_a_name_by_the_hint() {
    assert!(mentions("opened at line 3, column 1", 3) && mentions("missing on line 12", 12));
    assert!(!mentions("at line 31", 3) && !mentions("33", 3));
    assert!(suggests("undefined symbol 'nme'. Did you mean 'name'?", "name"));
    assert!(suggests("tool 'x' not found; available tools: find, list", "tool/list"));
    assert!(suggests("Did you mean 'even?'?", "even?"));
    assert!(!suggests("undefined symbol 'name'", "name"));
    assert!(!suggests("Did you mean 'rename'?", "name"));
}

#[test]
fn a_report_counts_lists_and_holds_the_thresholds() {
    let mut report = Report::default();
    let mutant = mutants("misspelling", "(inc 1)").remove(0);
    let mut add =
        |verdict| report.add(Finding { operator: "misspelling", program: "p".into(), mutant: mutant.clone(), verdict });
    add(Verdict::Same);
    add(Verdict::Silent("=> 5".into()));
    add(Verdict::Told { names_line: false, hint: Some(false), text: "what?".into() });
    let counted = |line: &str| {
        line.starts_with("all ") && line.split_whitespace().eq(["all", "3", "1", "1", "0.0%", "0.0%", "1"])
    };
    assert!(report.table().lines().any(counted), "{}", report.table());
    assert!(report.table().contains("misspelling"));
    assert!(
        report.list().contains("line not named: misspelling in p, line 1, meant inc")
            && report.list().contains("silent")
    );
    let problems = report.problems();
    assert_eq!(problems.len(), 3, "{problems:?}");
}

#[test]
fn all_programs_of_the_project_are_subjects() {
    let subjects = subjects();
    assert!(subjects.len() >= 220, "{}", subjects.len());
    let own: Vec<_> = subjects.iter().filter(|subject| subject.id.contains(':')).collect();
    assert!(own.len() >= 40 && own.iter().all(|subject| subject.expected().is_some()), "{}", own.len());
}
