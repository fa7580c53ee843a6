//! Limits as they are seen from outside: what the allocator gave out, what the host was asked, what was printed. Random
//! programs in random limits, several in one session, so that what one leaves counts for the next.
//!
//! `PROPTEST_CASES` says how many sessions are tried.

#![allow(clippy::disallowed_methods, clippy::disallowed_types, clippy::disallowed_macros, reason = "tests are hosts")]

#[path = "session/counting.rs"]
mod counting;
#[path = "limits/depth.rs"]
mod depth;
#[path = "effects/host.rs"]
mod host;
#[path = "limits/later.rs"]
mod later;
#[path = "effects/programs.rs"]
mod programs;
#[path = "limits/repeated.rs"]
mod repeated;

use std::collections::HashSet;
use std::time::Duration;

use proptest::prelude::*;
use ptc_lisp::syntax::{TokenKind, tokens};
use ptc_lisp::{Limits, Outcome, Reason, Session, SessionOptions, ToolSpec, Value};

use counting::most_held;
use host::{PRELUDE, answer, data};
use programs::{Choices, Style, TOOLS, program};

/// Frames, code and tables of a session, which no limit bounds: for each of its programs.
const BESIDE: u64 = 128 << 10;

/// What makes much of a program, written `X`.
const FRAMES: &[&str] = &[
    "X",
    "X",
    "(dotimes [i 300] X)",
    "(loop [all []] (recur (conj all (do X))))",
    "(loop [all {} n 0] (recur (assoc all n (do X)) (inc n)))",
    "(doseq [i (range 5000)] (println i (do X)))",
    "(loop [] (print (str (do X))) (recur))",
    "(with-out-str (dotimes [i 5000] (println i (do X))))",
    "(run! (fn [i] X) (iterate inc 0))",
    "(pmap (fn [i] X) (range 300))",
    "(pmap (fn [i] (println i) X (dotimes [k 50] (println k))) (range 300))",
    "(dotimes [i 2000] (pmap (fn [k] X) [i]))",
    "(dotimes [i 2000] (pcalls (fn [] i) (fn [] X)))",
    "(loop [] (swap! at0 (fn [o] [o (do X)])) (recur))",
    "(into (sorted-set-by (fn [a b] (compare [a (str (do X))] [b (str (do X))]))) (range 300))",
    "(loop [] (try X (throw (ex-info \"no\" {:x [1 2]})) (catch Throwable e X) (finally X)) (recur))",
    "(vec (repeatedly (fn [] X)))",
    "(def g1 (map (fn [i] X) (iterate inc 0))) (nth g1 2000)",
    "((fn deep [n] [(do X) (deep (inc n))]) 0)",
    "((fn deep [n] (pmap (fn [k] [(do X) (deep (inc n))]) [1])) 0)",
    "(str/join (repeatedly 2000 (fn [] (str (do X)))))",
    "(dotimes [i 5000] (step-done (str \"step \" i) (str (do X))))",
    "(dotimes [i 5000] (tool/kept {:v [i (do X)]}))",
    "(loop [] (tool/a {:v (do X)}) (recur))",
    "(def kept (atom [])) (loop [] (swap! kept conj (fn [] X)) (recur))",
    "(loop [d nil] (recur (delay [d (do X)])))",
    "(loop [xs nil] (recur (lazy-seq (cons (do X) xs))))",
    "(dotimes [i 5000] (re-find (re-pattern (str \"a\" i)) (str (do X))))",
    "(dotimes [i 5000] (keyword (str \"k\" i (do X))))",
    "(time (dotimes [i 3000] (time (do X))))",
];

fn session(limits: Limits) -> Session {
    let tool = |name: &str| ToolSpec { cache: name == "kept", ..ToolSpec::new(name) };
    let options = SessionOptions {
        data: data(),
        tools: TOOLS.map(tool).to_vec(),
        limits,
        tasks: Some(Vec::new()),
        seed: 3,
        ..SessionOptions::default()
    };
    Session::new(options)
}

/// Limits of which most are small.
fn limits() -> impl Strategy<Value = Limits> {
    let sizes = (
        prop::sample::select(vec![0, 1, 50, 1_000, 5_000, 30_000]),
        0..5_u32,
        prop::sample::select(vec![1, 5, 40, 200]),
    );
    let texts = (
        0..12_usize,
        0..30_usize,
        prop::sample::select(vec![10, 60, 10_000]),
        prop::sample::select(vec![200, 2_000, 131_072]),
    );
    (sizes, texts).prop_map(|((fuel, memory, depth), (prints, print_chars, symbols, source_bytes))| Limits {
        fuel,
        memory: 65_536 << memory,
        // Work ends every program, also on a busy machine.
        time: Duration::from_secs(3_600),
        depth,
        source_bytes,
        symbols,
        print_chars,
        prints,
        ..Limits::default()
    })
}

/// What an outcome has more than the limits allow.
fn surplus(outcome: &Outcome, calls: u64, source: &str, limits: &Limits) -> Option<String> {
    let refused = calls == 0 && outcome.usage.fuel == 0;
    // Those of the language are free, and so are names with a namespace.
    let own = |name: &str| !name.contains('/') && name != ":else" && ptc_lisp::look_up(name).is_err();
    let names = || {
        let names =
            tokens(source).into_iter().filter(|token| matches!(token.kind, TokenKind::Name | TokenKind::Keyword));
        names
            .map(|token| &source[token.span.start as usize..token.span.end as usize])
            .filter(|name| own(name))
            .collect::<HashSet<_>>()
            .len()
    };
    let counts_others = |line: &str| line.starts_with('(') && line.ends_with("not kept)");
    let lines = match outcome.prints.split_first() {
        Some((first, lines)) if counts_others(first) => lines,
        _ => &outcome.prints,
    };
    let longest = lines.iter().map(|line| line.chars().count()).max().unwrap_or(0);
    let recorded = outcome.tool_calls.iter().filter(|record| !record.cached).count() as u64;
    let of = |what: &str, is: u64, limit: u64| (is > limit).then(|| format!("{is} {what}, the limit is {limit}"));
    of("units of fuel", outcome.usage.fuel, limits.fuel)
        .or_else(|| of("calls", calls, limits.fuel))
        .or_else(|| of("records beyond the calls", recorded.abs_diff(calls), 0))
        .or_else(|| of("lines", lines.len() as u64, limits.prints as u64))
        .or_else(|| of("characters of a line", longest as u64, limits.print_chars as u64 + 3))
        .or_else(|| {
            of("bytes of source", source.len() as u64, if refused { u64::MAX } else { limits.source_bytes as u64 })
        })
        .or_else(|| of("names", names() as u64, if refused { u64::MAX } else { limits.symbols as u64 }))
        .or_else(|| {
            outcome
                .problems()
                .iter()
                .find(|problem| problem.reason == Reason::InternalError)
                .map(|problem| problem.text())
        })
}

/// The programs one after another in one session; returns what one of them has too much.
fn run(sources: &[String], limits: &Limits) -> Option<String> {
    let mut session = session(Limits { fuel: 1_000, memory: 1 << 20, ..Limits::default() });
    session.run(PRELUDE, &mut |_| Ok(Value::Nil));
    session.set_limits(limits.clone());
    let mut surpluses = sources.iter().filter_map(|source| {
        let mut calls = 0;
        let outcome = session.run(source, &mut |call| {
            calls += 1;
            answer(call, calls)
        });
        surplus(&outcome, calls, source, limits).map(|surplus| format!("{surplus}\n{source}"))
    });
    surpluses.next()
}

/// The process makes this once, for no session: the table, and the part of the library that is written in the language.
fn warm_up() {
    thread_local! {
        static WARM: () = {
            let mut session = session(Limits::default());
            for (program, _) in ptc_lisp::reference().iter().flat_map(|entry| entry.examples) {
                session.run(program, &mut |call| answer(call, 1));
            }
        };
    }
    WARM.with(|()| ());
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, max_shrink_iters: 2_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_random_program_exceeds_a_limit(
        limits in limits(),
        choices in prop::collection::vec(any::<u16>(), 8..300),
        frames in prop::collection::vec(prop::sample::select(FRAMES), 3),
        simple in any::<bool>(),
    ) {
        let mut choices = Choices::of(&choices);
        let style = if simple { Style::Simple } else { Style::Any };
        let sources: Vec<String> = frames.iter().map(|frame| frame.replace('X', &program(&mut choices, style))).collect();
        warm_up();
        let (surplus, most) = most_held(|| run(&sources, &limits));
        prop_assert!(surplus.is_none(), "{}\n{limits:?}", surplus.unwrap_or_default());
        let allowed = limits.memory + limits.memory / 10 + BESIDE * sources.len() as u64;
        prop_assert!(most <= allowed, "{most} bytes of {}\n{limits:?}\n{}", limits.memory, sources.join("\n\n"));
    }
}

/// What is nested on every level, around the level below.
const LEVELS: &[&str] = &[
    "[a 1]",
    "[a [1]]",
    "[a [[1]]]",
    "[[[1]] a]",
    "[[a] [[[1]]]]",
    "{:a a :b {:c {:d 1}}}",
    "[a #{[1]} a]",
    "[a (fn [] a)]",
    "[a (delay a) [[a]]]",
    "(ex-info \"no\" {:a [a [[1]]]})",
];

#[test]
fn counting_deep_values_takes_little_memory() {
    warm_up();
    for (level, memory) in LEVELS.iter().flat_map(|level| [(level, 512 << 10), (level, 4 << 20)]) {
        let limits = Limits { memory, fuel: 4_000_000, ..Limits::default() };
        let source = format!("(loop [a nil] (recur {level}))");
        let mut ended = None;
        let ((), most) = most_held(|| {
            let outcome = session(limits.clone()).run(&source, &mut |_| Ok(Value::Nil));
            ended = outcome.problems().first().map(|problem| problem.reason);
        });
        assert_eq!(ended, Some(Reason::MemoryExceeded), "{source}");
        assert!(most <= memory + memory / 10 + BESIDE, "{most} bytes of {memory}: {source}");
    }
}

/// Branches that have branches, of which others are dropped when one fails.
const DROPPING: &[&str] = &[
    "(pmap (fn [x] (pmap (fn [y] (tool/a {:v y}) (/ 1 0)) [1 2])) [1 2])",
    "(pmap (fn [x] (tool/a {:v x}) (if (= x 1) (/ 1 0) (pmap (fn [y] (tool/a {:v y}) (tool/two {})) [1 2]))) [2 1 2])",
    "(pmap (fn [x] (pcalls (fn [] (tool/a {:v x})) (fn [] (pmap (fn [y] (tool/a {:v y}) (nth [] y)) [1 2])))) [1 2])",
    "(pmap (fn [x] (if (= x 1) (do (tool/a {}) (tool/a {}) (/ 1 0)) (pmap (fn [y] (tool/a {:v y}) (tool/two {}) (tool/two {})) [1 2]))) [1 2 3])",
];

#[test]
fn calls_of_branches_that_are_dropped_are_told() {
    for (source, fuel) in DROPPING.iter().flat_map(|source| (1..300).map(move |fuel| (source, fuel))) {
        let mut calls = 0;
        let outcome = session(Limits { fuel, ..Limits::default() }).run(source, &mut |call| {
            calls += 1;
            answer(call, calls)
        });
        assert_eq!(outcome.tool_calls.len() as u64, calls, "{fuel} units of fuel: {source}");
        assert!(calls > 3 || fuel < 299, "{calls} calls: {source}");
    }
}
