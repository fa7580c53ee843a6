//! Every name of Clojure that must work has cases in the corpus that notice when it does not. A name is made to return `:wrong`
//! whatever its arguments, and the cases that mention it run: those that fail cover it.

use std::fs;

use ptc_tests::lang;

/// Cases that each name needs.
const WANTED: usize = 2;
/// The list of names in the folder of the corpus: one `namespace<TAB>name` a line.
const NAMES: &str = "clojure-names.tsv";

#[test]
fn cases_notice_when_a_name_of_clojure_returns_something_wrong() {
    let files = lang::files(&lang::folder()).unwrap();
    let cases: Vec<_> = files.iter().flat_map(|path| lang::read(&fs::read_to_string(path).unwrap()).unwrap()).collect();
    let list = fs::read_to_string(lang::folder().join(NAMES)).unwrap();
    let missed = |(namespace, name): (&str, &str)| {
        let notices = |case: &&lang::Case| case.mentions(name) && !case.check(None, Some((namespace, name))).is_empty();
        let found = cases.iter().filter(notices).take(WANTED).count();
        (found < WANTED).then(|| format!("{namespace}/{name} has {found} case(s), it needs {WANTED}"))
    };
    let names: Vec<_> =
        list.lines().filter(|line| !line.starts_with('#')).filter_map(|line| line.split_once('\t')).collect();
    let missed: Vec<String> = names.iter().copied().filter_map(missed).collect();
    assert!(!names.is_empty(), "{NAMES} has no names");
    assert!(missed.is_empty(), "too few cases notice when these return :wrong:\n{}", missed.join("\n"));
}
