//! What is suggested for names of other languages holds here.

use super::forms;
use crate::analyze::tests::check;
use crate::error::advice::foreign::{BARE, QUALIFIED};
use crate::error::advice::java::{CLASSES, MEMBERS, METHODS};
use crate::error::advice::words::{MISPLACED, REFUSED};
use crate::parse::{Form, FormKind, parse};
use crate::stdlib::table::table;

/// Placeholders for the argument, the function or the class in a suggested form.
const PLACEHOLDERS: &[&str] = &["step", "pred", "name"];

fn names() -> impl Iterator<Item = &'static str> {
    BARE.iter().chain(REFUSED).chain(MISPLACED).flat_map(|(names, _)| names.split(' '))
}

fn exists(namespace: Option<&str>, name: &str) -> bool {
    table().resolve(namespace, name).is_some() || (namespace.is_none() && forms::find(name).is_some())
}

#[test]
fn no_word_of_another_language_is_a_name_here() {
    let known: Vec<&str> = names().filter(|name| exists(None, name)).collect();
    assert_eq!(known, Vec::<&str>::new());
    let qualified = QUALIFIED.iter().chain(MEMBERS).flat_map(|(names, _)| names.split(' '));
    let known: Vec<&str> = qualified
        .filter(|name| name.split_once('/').is_some_and(|(prefix, name)| exists(Some(prefix), name)))
        .collect();
    assert_eq!(known, Vec::<&str>::new());
}

#[test]
fn no_word_has_two_suggestions() {
    let mut all: Vec<&str> = names().collect();
    all.sort_unstable();
    let twice: Vec<&str> = all.windows(2).filter(|pair| pair[0] == pair[1]).map(|pair| pair[0]).collect();
    assert_eq!(twice, Vec::<&str>::new());
}

/// The heads of all calls in a form.
fn heads(form: &Form, out: &mut Vec<(Option<String>, String)>) {
    match &form.kind {
        FormKind::List(items) => {
            if let Some(FormKind::Symbol(head)) = items.first().map(|head| &head.kind) {
                out.push((head.ns.clone(), head.name.clone()));
            }
            items.iter().for_each(|item| heads(item, out));
        }
        FormKind::Vector(items) | FormKind::Map(items) | FormKind::ShortFn(items) => {
            items.iter().for_each(|item| heads(item, out))
        }
        _ => {}
    }
}

#[test]
fn everything_suggested_exists() {
    for (names, suggestion) in BARE.iter().chain(QUALIFIED).chain(MEMBERS).chain(METHODS).chain(CLASSES) {
        // Words come before a colon.
        let forms = suggestion.split_once(": ").map_or(*suggestion, |(_, forms)| forms);
        for text in forms.split(" or ") {
            let parsed = parse(text).unwrap_or_else(|error| panic!("{names}: {text}: {error:?}"));
            let mut called = Vec::new();
            parsed.forms.iter().for_each(|form| heads(form, &mut called));
            for (namespace, name) in called {
                let known = namespace.as_deref() == Some("tool")
                    || name == "catch"
                    || PLACEHOLDERS.contains(&name.as_str())
                    || exists(namespace.as_deref(), &name);
                assert!(known, "{names}: {text} calls {name}");
            }
        }
    }
}

#[test]
fn an_ending_is_suggested_for_its_own_letters_only() {
    for name in ["faill", "fall", "file", "returned", "retry", "fain"] {
        let problem = check(&format!("({name} 1)"));
        assert!(!problem.contains("'fail'") && !problem.contains("'return'"), "{problem}");
    }
    assert!(check("(retrun 1)").contains("Did you mean 'return'?"));
    assert!(check("(fail! 1)").contains("Did you mean 'fail'?"));
}

#[test]
fn no_method_of_the_table_exists() {
    let methods = METHODS.iter().flat_map(|(names, _)| names.split(' '));
    let known: Vec<&str> = methods.filter(|name| exists(None, &format!(".{name}"))).collect();
    assert_eq!(known, Vec::<&str>::new());
}

#[test]
fn a_namespace_is_suggested_only_with_what_it_has() {
    for name in [
        "clojure.data/diff",
        "clojure.pprint/cl-format",
        "clojure.test/is",
        "clojure.repl/doc",
        "Matcher/quoteReplacement",
    ] {
        let problem = check(&format!("({name} 1)"));
        assert!(!problem.contains("Did you mean"), "{problem}");
    }
    assert!(check("(clojure.str/join [1])").contains("Did you mean 'str/join'?"));
}

#[test]
fn classes_and_libraries_say_what_to_use_however_they_are_reached() {
    let json = "(json/parse-string s)";
    for (program, instead) in [
        ("(java.util.Base64/getEncoder)", "no Base64; a tool must do it"),
        ("(Base64. 1)", "no Base64; a tool must do it"),
        ("(java.math.BigInteger. \"1\")", "(bigint s)"),
        ("RoundingMode/HALF_UP", "use floats: (format \"%.2f\" x)"),
        ("(java.lang.StringBuilder.)", "use str and str/join"),
        ("(Thread/sleep 1)", "programs cannot wait; leave it out"),
        ("(System/getenv \"HOME\")", "no environment; what a program needs is in data/"),
        ("(clojure.core/slurp \"a\")", "no file I/O; the input is in data/"),
        ("(Math/mean [1])", "write (avg coll)"),
        ("(cheshire.core/parse-string \"{}\" true)", json),
        ("(org.json.JSONObject. \"{}\")", json),
        ("(require '[cheshire.core :as ch]) (ch/parse-stream 1)", json),
        ("(require '[clj-http.client :as client]) (client/get 1)", "no network; call a tool"),
    ] {
        let problem = check(program);
        assert!(problem.contains(instead), "{program}: {problem}");
    }
}

#[test]
fn classes_that_hold_values_lead_to_vectors_and_maps() {
    for program in ["clojure.lang.PersistentQueue/EMPTY", "(java.util.LinkedList.)", "(ArrayDeque.)"] {
        let problem = check(program);
        assert!(problem.contains("use a vector: (first q), (rest q), (conj q x)"), "{problem}");
    }
    assert!(check("(TemporalAdjusters/lastDayOfMonth)").contains("write (.withDayOfMonth d (.lengthOfMonth d))"));
}
