//! The promise of a summary of effects, checked on random programs: they call no tool that is not in it, and none more
//! often.

#![allow(clippy::disallowed_methods, clippy::disallowed_types, clippy::disallowed_macros, reason = "tests are hosts")]

#[path = "effects/host.rs"]
mod host;
#[path = "effects/programs.rs"]
mod programs;

use std::collections::BTreeMap;
use std::time::Duration;

use proptest::prelude::*;
use ptc_lisp::signature::Signature;
use ptc_lisp::{EffectSummary, Limits, Session, SessionOptions, SplitMix64, ToolSpec};

use host::{PRELUDE, answer, data};
use programs::{Choices, Style, program};

fn session() -> Session {
    let tool = |name: &str| {
        let signature = Signature::parse_tool("(v :any?, w :any?, x :any?, y :any?) -> :any").ok();
        ToolSpec { cache: name == "kept", signature, ..ToolSpec::new(name) }
    };
    let tools = programs::TOOLS.map(tool).to_vec();
    let limits =
        Limits { fuel: 6_000, depth: 120, memory: 4_000_000, time: Duration::from_secs(60), ..Limits::default() };
    let tasks = Some(Vec::new());
    Session::new(SessionOptions { data: data(), tools, limits, tasks, seed: 3, ..SessionOptions::default() })
}

/// The calls of each tool that the host gets.
fn run(session: &mut Session, source: &str) -> BTreeMap<String, u64> {
    let mut counts: BTreeMap<String, u64> = BTreeMap::new();
    let mut calls = 0;
    session.run(source, &mut |call| {
        *counts.entry(call.name.to_string()).or_default() += 1;
        calls += 1;
        answer(call, calls)
    });
    counts
}

/// What the calls have that the summary does not allow.
fn surplus(summary: &EffectSummary, counts: &BTreeMap<String, u64>) -> Option<String> {
    counts.iter().find_map(|(tool, count)| {
        let Some(told) = summary.tools.iter().find(|told| told.name == *tool) else {
            return Some(format!("{tool} is called and not in the summary"));
        };
        let limit = told.at_most.limit().unwrap_or(u64::MAX);
        (*count > limit).then(|| format!("{tool} is called {count} times, at most {}", told.at_most))
    })
}

/// How many programs are tried.
fn cases() -> u32 {
    ptc_lisp::testing::test_cases(1_200)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(), max_shrink_iters: 3_000, failure_persistence: None, ..ProptestConfig::default() })]

    /// Several programs in one session, so that definitions, cells and lazy sequences go from one to the next.
    #[test]
    fn no_program_calls_more_than_its_summary_says(choices in prop::collection::vec(any::<u16>(), 8..400)) {
        let mut choices = Choices::of(&choices);
        let mut session = session();
        assert!(run(&mut session, PRELUDE).is_empty());
        let mut earlier = Vec::new();
        for _ in 0..4 {
            let source = program(&mut choices, Style::Any);
            match session.effects(&source) {
                Ok(summary) => {
                    let counts = run(&mut session, &source);
                    let surplus = surplus(&summary, &counts);
                    prop_assert!(surplus.is_none(), "{surplus:?}\n{}\n{source}\n{summary:?}", earlier.join("\n"));
                }
                Err(problems) => {
                    prop_assert!(session.check(&source).is_err());
                    prop_assert!(run(&mut session, &source).is_empty(), "{source}: {problems:?}");
                }
            }
            earlier.push(source);
        }
    }
}

/// Random numbers for program number `at`.
fn numbers(at: u32) -> Vec<u16> {
    let mut random = SplitMix64::new(u64::from(at));
    (0..200).map(|_| (random.next_u64() >> 20) as u16).collect()
}

/// Programs that only look at data and act on it have bounds.
#[test]
fn simple_programs_are_bounded() {
    let (mut reaching, mut bounded) = (0, 0);
    for at in 0..cases() {
        let source = program(&mut Choices::of(&numbers(at)), Style::Simple);
        let mut session = session();
        let summary = session.effects(&source).unwrap_or_else(|problems| panic!("{source}: {problems:?}"));
        assert_eq!(surplus(&summary, &run(&mut session, &source)), None, "{source}");
        reaching += u32::from(!summary.tools.is_empty());
        let is_bounded = summary.tools.iter().all(|tool| tool.at_most.limit().is_some());
        bounded += u32::from(is_bounded && !summary.tools.is_empty());
    }
    println!("{bounded} of {reaching} simple programs that reach tools are bounded");
    assert!(reaching * 2 > cases() && bounded * 20 >= reaching * 19, "{bounded} of {reaching}");
}

/// Values that have to be realised before a builtin continues: it must not call for them again.
#[test]
fn results_that_are_lazy_cost_no_further_calls() {
    let function = "(fn [& xs] (tool/a 1) (lazy-seq [(count xs)]))";
    let passes = [
        "map",
        "mapv",
        "pmap",
        "filter",
        "remove",
        "keep",
        "mapcat",
        "run!",
        "some",
        "every?",
        "not-any?",
        "group-by",
        "sort-by",
        "distinct-by",
        "partition-by",
        "pluck",
        "take-while",
        "drop-while",
        "split-with",
        "map-indexed",
        "keep-indexed",
        "reduce",
        "reductions",
        "min-by",
    ];
    let mut programs: Vec<String> = passes.iter().map(|pass| format!("({pass} {function} data/xs)")).collect();
    let others = [
        "(for [x data/xs] (F x))",
        "(for [x data/xs y [1 2]] (F x y))",
        "(doseq [x data/xs] (F x))",
        "(set (map F data/xs))",
        "(zipmap (map F data/xs) data/xs)",
        "(into {} (map (fn [x] [(F x) x])) data/xs)",
        "(into #{} (map F) data/xs)",
        "(transduce (map F) conj #{} data/xs)",
        "(sequence (comp (map F) (filter seq)) data/xs)",
        "(update-keys data/m F)",
        "(update-vals data/m F)",
        "(reduce-kv F nil data/m)",
        "(update data/m :k F)",
        "(update-in data/r [:in :xs] F)",
        "{(F 1) (F 2)}",
        "#{(F 1)}",
        "(= (F 1) (F 1))",
        "(str (F 1) (F 2))",
        "(get {[1] 2} (F 1))",
        "(frequencies (map F data/xs))",
        "(distinct (map F data/xs))",
        "(sort-by F data/xs)",
        "(apply concat (map F data/xs))",
        "(dotimes [i 3] (println (F i)))",
        "(repeatedly 3 F)",
        "(pcalls F F)",
        "(tool/kept (F 1))",
        "(assoc {} (F 1) 2)",
        "(case (F 1) 1 2 3)",
        "((juxt F F) 1)",
        "(max-key F 1 2)",
        "((comp count F) 1)",
        "((memoize F) (F 1))",
        "(loop [xs data/xs acc #{}] (if (empty? xs) acc (recur (rest xs) (conj acc (F 1)))))",
    ];
    programs.extend(others.iter().map(|other| other.replace('F', function)));
    for source in programs {
        let mut session = session();
        let summary = session.effects(&source).unwrap_or_default();
        let counts = run(&mut session, &source);
        assert_eq!(surplus(&summary, &counts), None, "{source}");
        assert!(counts.contains_key("a"), "{source}");
    }
}

/// The programs of the law above do call tools, also such as have a bound.
#[test]
fn programs_of_any_style_call_tools() {
    let (mut calling, mut bounded) = (0, 0);
    for at in 0..400 {
        let source = program(&mut Choices::of(&numbers(at)), Style::Any);
        let mut session = session();
        run(&mut session, PRELUDE);
        let Ok(summary) = session.effects(&source) else { continue };
        let counts = run(&mut session, &source);
        calling += u32::from(!counts.is_empty());
        bounded += summary
            .tools
            .iter()
            .filter(|tool| tool.at_most.limit().is_some() && counts.contains_key(&tool.name))
            .count();
    }
    println!("{calling} of 400 programs call tools, {bounded} of these with a bound");
    assert!(calling > 120 && bounded > 60, "{calling} programs call tools, {bounded} of these have a bound");
}
