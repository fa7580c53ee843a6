//! Programs of unusual size and shape: each is resolved or refused, none ends the process.

use std::time::Duration;

use proptest::prelude::*;

use super::{World, check, parse};
use crate::analyze::{Options, analyze, forms};
use crate::error::Reason;
use crate::limits::machine_clock::thread_time;

/// How the program ends: `ok`, or the reason of its first problem.
fn outcome(source: &str) -> &'static str {
    let parsed = parse(source).unwrap();
    match analyze(&parsed, &mut World::new(), &Options { max_symbols: 20_000 }) {
        Ok(_) => "ok",
        Err(problems) => problems.first().map_or("no problem", |problem| problem.reason.as_str()),
    }
}

fn nested(open: &str, close: &str, depth: usize) -> String {
    format!("{}1{}", open.repeat(depth), close.repeat(depth))
}

#[test]
fn ordinary_forms_may_nest_as_deep_as_the_reader_allows() {
    for (open, close) in [
        ("(inc ", ")"),
        ("(let [x 1] ", ")"),
        ("(if 1 ", ")"),
        ("(when-let [a 1] ", ")"),
        ("(fn [x] ", ")"),
        ("(defn f [x] ", ")"),
        ("(loop [[a b] items] ", ")"),
        ("(do 1 ", ")"),
        ("(cond 1 ", ")"),
        ("(case ", ")"),
        ("(try ", " (catch Exception e 1))"),
        ("(-> ", " inc)"),
        ("(as-> ", " x x)"),
        ("(letfn [(f [] 1)] ", ")"),
        ("[", "]"),
        ("(and 1 ", ")"),
        ("(with-out-str ", ")"),
        ("(lazy-seq ", ")"),
        ("(task \"t\" ", ")"),
    ] {
        assert_eq!(outcome(&nested(open, close, 190)), "ok", "{open}");
    }
}

#[test]
fn what_multiplies_nesting_is_refused_in_time() {
    for (open, close) in
        [("(for [x items :when x] ", ")"), ("(-> ", " (when 1) (when 2) (when 3))"), ("(condp = 1 2 :>> ", ")")]
    {
        let ending = outcome(&nested(open, close, 195));
        assert!(matches!(ending, "ok" | "invalid_form"), "{open} {ending}");
    }
}

#[test]
fn long_chains_work_or_are_refused() {
    let steps = |count: usize| format!("(-> 1{})", " inc".repeat(count));
    assert_eq!(outcome(&steps(390)), "ok");
    assert_eq!(outcome(&steps(20_000)), "invalid_form");
    insta::assert_snapshot!(check(&steps(1_200)), @"!! invalid_form at 1:1: ->: 1200 steps are too many; name results in between with let");
    assert_eq!(outcome(&format!("(.. \"a\"{})", " trim".repeat(20_000))), "invalid_form");
    assert_eq!(outcome(&format!("(-> 1{})", " (when 1)".repeat(5_000))), "invalid_form");
    assert_eq!(outcome(&format!("(for [x items{}] x)", " :when x".repeat(5_000))), "invalid_form");
}

/// Each function around a use captures the value: 190 functions around 8,000 names are a million and a half.
#[test]
fn functions_close_over_a_bounded_number_of_values() {
    let program = |names: usize, depth: usize, uses: usize| {
        let bound: String = (0..names).map(|n| format!(" a{n} 1")).collect();
        let used: String = (0..names).map(|n| format!(" a{n}")).collect();
        format!("(let [{bound}] {}[{}]{})", "(fn [] ".repeat(depth), used.repeat(uses), ")".repeat(depth))
    };
    assert_eq!(outcome(&program(8_000, 190, 1)), "invalid_form");
    assert_eq!(outcome(&program(200, 190, 1)), "ok");
    // A name that is used often is captured once.
    assert_eq!(outcome(&program(200, 190, 100)), "ok");
}

#[test]
fn flat_forms_may_be_long() {
    let many = |count: usize, part: &str| part.repeat(count);
    assert_eq!(outcome(&format!("(let [{}] a)", many(4_000, "a 1 "))), "ok");
    assert_eq!(outcome(&format!("(and{})", many(10_000, " true"))), "ok");
    assert_eq!(outcome(&format!("(or{})", many(10_000, " nil"))), "ok");
    assert_eq!(outcome(&format!("(cond{})", many(10_000, " nil 1"))), "ok");
    assert_eq!(outcome(&format!("(case 1{})", many(10_000, " 2 1"))), "ok");
    assert_eq!(outcome(&format!("(condp = 1{})", many(10_000, " 2 1"))), "ok");
    assert_eq!(outcome(&format!("(str{})", many(5_000, " 1"))), "ok");
    assert_eq!(outcome(&format!("(cond-> 1{})", many(5_000, " 1 inc"))), "ok");
    assert_eq!(outcome(&format!("(some-> 1{})", many(5_000, " inc"))), "ok");
    assert_eq!(outcome(&many(10_000, "(inc 1) ")), "ok");
    assert_eq!(outcome(&format!("[{}]", many(30_000, "1 "))), "ok");
}

/// Programs of about this many bytes, each long in one way.
fn long(bytes: usize) -> Vec<String> {
    let many = |part: &str| part.repeat(bytes / part.len());
    vec![
        format!("(let [{}] a)", many("a 1 ")),
        format!("(and{})", many(" true")),
        format!("(cond{})", many(" nil 1")),
        format!("(case 1{})", many(" 2 1")),
        format!("(str{})", many(" 1")),
        format!("[{}]", many("(fn [x] (inc x)) ")),
        many("(defn f [a b] (let [c (+ a b)] (* c c))) "),
        many("(inc 1) "),
        many("{:a [1 2 {:b #{3}}]} "),
        many("(-> 1 inc (+ 2)) "),
        many("(for [x items :when x] x) "),
        many("#(+ % %2) "),
        many("(nope 1) "),
        many("(let [{:keys [a b] :or {a 1}} items [c & d] items] [a b c d]) "),
    ]
}

#[test]
fn cost_is_linear() {
    // The minimum of some tries: a busy machine can only add time.
    let fastest = |source: &String| {
        let parsed = parse(source).unwrap();
        let time = || {
            let start = thread_time();
            let _ = analyze(&parsed, &mut World::new(), &Options { max_symbols: 20_000 });
            thread_time().saturating_sub(start)
        };
        (0..4).map(|_| time()).min().unwrap_or_default()
    };
    // Both take so much memory that the allocator gets it from the system and returns it.
    for (short, long) in long(32_000).iter().zip(&long(128_000)) {
        let (small, large) = (fastest(short), fastest(long));
        // Four times the text; a quadratic step would cost 16 times as much.
        assert!(large < small * 9 + Duration::from_millis(10), "{}: {small:?} {large:?}", &short[..40]);
    }
}

#[test]
fn a_function_has_a_bounded_number_of_locals() {
    assert_eq!(outcome(&format!("(let [[{}] items] 1)", "a ".repeat(40_000))), "invalid_form");
}

#[test]
fn many_unknown_names_are_answered() {
    let source: String = (0..9_000).map(|number| format!("(unknown-{number} nope) ")).take(5_000).collect();
    assert_eq!(outcome(&source), "undefined_symbol");
}

#[test]
fn distinct_names_are_limited() {
    let source = |count: usize| format!("[{}]", (0..count).map(|number| format!(":k{number} ")).collect::<String>());
    insta::assert_snapshot!(check(&source(101)), @"!! symbol_limit_exceeded: 101 distinct names used, the limit is 100");
    assert!(check(&source(100)).starts_with("'["));
}

#[test]
fn the_table_of_forms_is_sorted() {
    let names: Vec<_> = forms::names().collect();
    assert!(names.is_sorted());
    assert!(names.iter().all(|name| forms::find(name).is_some_and(|row| row.name == *name)));
}

/// A form built from special forms, known and unknown names and literals.
fn form() -> impl Strategy<Value = String> {
    let words = prop::sample::select(vec![
        "a",
        "b",
        "&",
        "%",
        "%2",
        "_",
        "x",
        "items",
        "status",
        "inc",
        "map",
        "nope",
        "data/items",
        "tool/nope",
        "str/join",
        ":keys",
        ":as",
        ":or",
        ":when",
        ":let",
        ":while",
        ":>>",
        ":else",
        "catch",
        "finally",
        "Exception",
        "=",
        "*1",
        "1",
        "-2.5",
        "\"s\"",
        "nil",
        "true",
        "#'x",
        ".trim",
        "[a b]",
        "[x 1]",
        "{:keys [a]}",
        "()",
        "#\"r\"",
    ]);
    let leaf = prop_oneof![
        words.prop_map(str::to_owned),
        prop::sample::select(forms::names().collect::<Vec<_>>()).prop_map(str::to_owned),
    ];
    leaf.prop_recursive(5, 60, 6, |inner| {
        let heads = prop::sample::select(forms::names().collect::<Vec<_>>());
        let many = prop::collection::vec(inner.clone(), 0..6);
        prop_oneof![
            4 => (heads, many.clone()).prop_map(|(head, parts)| format!("({head} {})", parts.join(" "))),
            2 => many.clone().prop_map(|parts| format!("({})", parts.join(" "))),
            2 => many.clone().prop_map(|parts| format!("[{}]", parts.join(" "))),
            1 => many.clone().prop_map(|parts| format!("#({})", parts.join(" "))),
            1 => many.clone().prop_map(|parts| format!("#{{{}}}", parts.join(" "))),
            1 => prop::collection::vec((inner.clone(), inner.clone()), 0..3)
                .prop_map(|pairs| format!("{{{}}}", pairs.iter().map(|(key, value)| format!("{key} {value} ")).collect::<String>())),
            1 => inner.prop_map(|form| format!("'{form}")),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    /// Any program is resolved, or refused with one to five placed problems in order; never because of a defect.
    #[test]
    fn every_program_has_an_answer(forms in prop::collection::vec(form(), 1..4)) {
        let source = forms.join("\n");
        let Ok(parsed) = parse(&source) else { return Ok(()) };
        if let Err(problems) = analyze(&parsed, &mut World::new(), &Options { max_symbols: 1_000 }) {
            prop_assert!((1..=5).contains(&problems.len()));
            prop_assert!(problems.iter().all(|problem| problem.span.is_some() && problem.message.len() <= 600));
            prop_assert!(problems.iter().all(|problem| problem.reason != Reason::InternalError), "{problems:?}");
            prop_assert!(problems.is_sorted_by_key(|problem| problem.span.map(|span| span.start)));
        }
    }
}
