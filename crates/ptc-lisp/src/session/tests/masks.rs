//! A program that reaches a limit ends there: nothing around it catches the limit, continues after it, or raises it.

use std::time::Duration;

use super::*;
use crate::testing::huge::called;

/// Code that reaches a limit, and the reason with which it ends.
const REACHED: [(&str, Reason); 4] = [
    ("(loop [] (recur))", Reason::FuelExceeded),
    ("(loop [v []] (recur (conj v [1 2 3])))", Reason::MemoryExceeded),
    ("((fn deep [n] (+ 1 (deep n))) 0)", Reason::RecursionLimitExceeded),
    ("(loop [] (recur))", Reason::Timeout),
];

/// Small limits, of which one is reached.
fn limits(reason: Reason) -> Limits {
    let ample = Limits { fuel: 1 << 40, memory: 1 << 32, time: Duration::from_secs(3_600), ..Limits::default() };
    match reason {
        Reason::FuelExceeded => Limits { fuel: 5_000, ..ample },
        Reason::MemoryExceeded => Limits { memory: 1 << 20, ..ample },
        Reason::RecursionLimitExceeded => Limits { depth: 100, ..ample },
        _ => Limits { time: Duration::ZERO, ..ample },
    }
}

fn session_within(limits: Limits) -> Session {
    session_with(Definitions::default(), limits)
}

fn session_with(definitions: Definitions, limits: Limits) -> Session {
    let tools = vec![ToolSpec::new("echo"), ToolSpec { cache: true, ..ToolSpec::new("kept") }];
    Session::new(SessionOptions { definitions, limits, tools, tasks: Some(Vec::new()), ..SessionOptions::default() })
}

/// Places for code that reaches a limit, written `X`. Each prints only where it continues.
const PLACES: &str = r#"
X
(try X (catch Throwable e (println :on)) (finally (println :on)))
(try X (catch Exception e (println :on)))
(try X (catch Error e (println :on)))
(try X (catch Object e (println :on)))
(try X (catch :default e (println :on)))
(try X (catch StackOverflowError e (println :on)))
(try (try X (finally (println :on))) (catch Throwable e (println :on)) (finally (println :on)))
(try (throw (ex-info "no" {})) (catch Exception e (try X (finally (println :on)))))
(try (throw (ex-info "no" {})) (catch Exception e X) (finally (println :on)))
(try 1 (finally (try X (catch Throwable e (println :on)))))
(try (/ 1 0) (finally X (println :on)))
(try (return 1) (finally X (println :on)))
(try (fail 1) (finally X (println :on)))
(try (try (return 1) (finally X)) (finally (println :on)))
(with-out-str (try X (catch Throwable e :on)))
(println (with-out-str X))
(let [d (delay X)] (try @d (catch Throwable e (println :on))) (try @d (finally (println :on))))
(let [d (delay (try X (finally (println :on))))] [(try @d (catch Throwable e 1)) (realized? d)])
(first (lazy-seq (try [X] (catch Throwable e (println :on)))))
(try (first (lazy-seq [X])) (catch Throwable e (println :on)))
(try (doall (map (fn [_] X) [1 2])) (catch Throwable e (println :on)))
(map (fn [_] (try X (catch Throwable e (println :on)))) [1 2])
(return (map (fn [_] X) [1 2]))
(fail {:a (lazy-seq [X])})
(try (throw (ex-info "no" {:a (lazy-seq [X])})) (catch Throwable e (println :caught (ex-data e) :on)))
(let [a (atom 1)] (try (swap! a (fn [_] X)) (catch Throwable e (println :on))) (println :on @a))
(let [a (atom 1)] (swap! a (fn [_] (try X (finally (reset! a 2) (println :on))))))
(let [v (volatile! 1)] (try (vswap! v (fn [_] X)) (finally (println :on))))
(sort (fn [a b] (try X (catch Throwable e (println :on) 0))) [3 1 2])
(try (sort-by (fn [_] X) [3 1 2]) (catch Throwable e (println :on)))
(try (sort-by identity (fn [a b] X) [3 1 2]) (catch Throwable e (println :on)))
(try (into (sorted-set-by (fn [a b] X)) [3 1 2]) (catch Throwable e (println :on)))
(sorted-set-by (fn [a b] (try X (catch Throwable e (println :on) 0))) 3 1 2)
(get (sorted-map-by (fn [a b] (try X (finally (println :on)))) 1 2 3 4) 1)
(try (pmap (fn [_] X) [1 2]) (catch Throwable e (println :on)) (finally (println :on)))
(pmap (fn [_] (try X (catch Throwable e (println :on)))) [1 2 3])
(pmap (fn [n] (if (= n 2) X n)) [1 2 3]) (println :on)
(pmap (fn [_] (pmap (fn [_] (try X (finally (println :on)))) [1 2])) [1 2])
(try (pcalls (fn [] 1) (fn [] X)) (catch Throwable e (println :on)))
(pcalls (fn [] (try X (catch Throwable e (println :on)))) (fn [] (tool/echo {:n 1})))
(try (pmap (fn [n] (tool/echo {:n n}) X) [1 2]) (catch Throwable e (println :on)))
(let [d (delay X)] (try (pmap (fn [_] @d) [1 2]) (catch Throwable e (println :on))))
(try (tool/echo {:n X}) (catch Throwable e (println :on)))
(try (tool/echo {:n (map (fn [_] X) [1])}) (catch Throwable e (println :on)))
(try (tool/kept {:n X}) (finally (println :on)))
(let [f (memoize (fn [_] X))] (try (f 1) (catch Throwable e (println :on))) (f 1) (println :on))
(try (task "t" X) (catch Throwable e (println :on)))
(try (reduce (fn [_ _] X) [1 2 3]) (catch Throwable e (println :on)))
(try (into [] (map (fn [_] X)) [1 2]) (catch Throwable e (println :on)))
(try (transduce (filter (fn [_] X)) conj [1 2]) (catch Throwable e (println :on)))
(try (str/replace "aa" #"a" (fn [_] X)) (catch Throwable e (println :on)))
(try (str (lazy-seq [X])) (catch Throwable e (println :on)))
(try (= [1] (lazy-seq [X])) (catch Throwable e (println :on)))
(try {(lazy-seq [X]) 1} (catch Throwable e (println :on)))
(try #{(lazy-seq [X])} (catch Throwable e (println :on)))
(try (hash (lazy-seq [X])) (catch Throwable e (println :on)))
(try (json/generate-string {:a (lazy-seq [X])}) (catch Throwable e (println :on)))
(try (walk/postwalk (fn [_] X) [1]) (catch Throwable e (println :on)))
(try (let [[a & b] (lazy-seq [X])] a) (catch Throwable e (println :on)))
(try (let [{:keys [a] :or {a X}} {}] a) (catch Throwable e (println :on)))
(try (case X 1 2 3) (catch Throwable e (println :on)))
(try (for [a [1] b (lazy-seq [X]) :when X] [a b]) (catch Throwable e (println :on)))
(doseq [a [1 2]] (try X (catch Throwable e (println :on))))
(while true (try X (catch Throwable e (println :on))))
(loop [n 0] (when (< n 3) (try X (catch Throwable e (println :on))) (recur (inc n))))
((fn again [n] (try X (catch Throwable e (println :on) (again (inc n))))) 0)
(try (time X) (finally (println :on)))
(try (assert X) (catch Throwable e (println :on)))
(try (apply (fn [& _] X) [1]) (catch Throwable e (println :on)))
(try ((comp identity (fn [_] X)) 1) (catch Throwable e (println :on)))
(try (some-> 1 ((fn [_] X))) (catch Throwable e (println :on)))
(try (trampoline (fn [] (fn [] X))) (catch Throwable e (println :on)))
(try (iteration (fn [_] X)) (seq (iteration (fn [_] X))) (catch Throwable e (println :on)))
(try (group-by (fn [_] X) [1]) (catch Throwable e (println :on)))
(try (nth (iterate (fn [_] X) 1) 3) (catch Throwable e (println :on)))
(try (max-key (fn [_] X) 1 2) (catch Throwable e (println :on)))
"#;

/// What is wrong with the ending of a program that reaches a limit.
fn escaped(outcome: &Outcome, expected: Reason) -> Option<String> {
    let reasons: Vec<Reason> = outcome.problems().iter().map(|problem| problem.reason).collect();
    if reasons != [expected] {
        return Some(format!("ends with {reasons:?} {:?}", outcome.problems().first().map(Problem::text)));
    }
    let went_on = outcome.prints.iter().any(|line| line.contains(":on"));
    went_on.then(|| "goes on after the limit".to_owned())
}

/// Fails with all findings at once, one per line.
fn nothing_found(findings: &[String]) {
    assert!(findings.is_empty(), "{} findings:\n{}", findings.len(), findings.join("\n"));
}

fn nothing_escapes(programs: impl Fn(&str) -> Vec<String>) {
    let mut found = Vec::new();
    for (body, reason) in REACHED {
        for program in programs(body) {
            let mut session = session_within(limits(reason));
            let outcome = session.run(&program, &mut |call| Ok(call.args.clone()));
            found.extend(escaped(&outcome, reason).map(|what| format!("{program}: {what}")));
        }
    }
    nothing_found(&found);
}

#[test]
fn a_limit_ends_the_run_wherever_it_is_reached() {
    nothing_escapes(|body| PLACES.trim().lines().map(|place| place.replace('X', body)).collect());
}

/// One place inside another.
#[test]
fn a_limit_ends_the_run_in_places_within_places() {
    let places: Vec<&str> = PLACES.trim().lines().collect();
    // A limit that is reached later, not in its place, may come after an ending.
    let inner: Vec<&&str> =
        places.iter().filter(|place| !place.contains("(return") && !place.contains("(fail")).collect();
    nothing_escapes(|body| {
        let inner = |at: usize| inner.get(at % inner.len()).map(|inner| inner.replace('X', body)).unwrap_or_default();
        let within = |(at, place): (usize, &&str)| {
            [7, 31].map(|step| place.replace('X', &format!("(do {})", inner(at * step + 3))))
        };
        places.iter().enumerate().flat_map(within).collect()
    });
}

/// Every builtin that calls a function, in each of its examples.
#[test]
fn a_limit_ends_the_run_in_every_function_that_a_builtin_calls() {
    let (mut found, mut reached) = (Vec::new(), 0);
    for (body, reason) in REACHED {
        let function = format!("(fn [& _] (println :in) {body})");
        for program in called().iter().flat_map(|called| called.calls_with(&function)) {
            let program =
                format!("(try (println (str {program})) (catch Throwable e (println :on)) (finally (println :on)))");
            let mut session = session_within(limits(reason));
            let outcome = session.run(&program, &mut |call| Ok(call.args.clone()));
            // Without the call there is nothing to reach.
            if outcome.prints.iter().any(|line| line == ":in") {
                reached += 1;
                found.extend(escaped(&outcome, reason).map(|what| format!("{program}: {what}")));
            }
        }
    }
    nothing_found(&found);
    assert!(reached > 150, "{reached} calls");
}

/// What one program leaves for the next runs under the limits of the program that uses it, also in a session that takes
/// it up or restores it.
#[test]
fn what_is_left_for_later_ends_at_the_limits_of_the_program_that_uses_it() {
    let left = [
        ("(defn f [] X) nil", "(f)"),
        ("(def d (delay X)) nil", "@d"),
        ("(def a (atom (fn [] X))) nil", "(@a)"),
        ("(def xs (map (fn [_] X) (iterate inc 0))) nil", "(first xs)"),
        ("(def f (comp identity (fn [] X))) nil", "(f)"),
        ("(def f (memoize (fn [] X))) nil", "(f)"),
        ("(def s (sorted-set-by (fn [a b] (if (> (+ a b) 9) X (compare a b))) 1 2)) nil", "(conj s 9)"),
        ("(defn g [] X) (def h (fn [] (try (g) (catch Throwable e (println :on))))) nil", "(h)"),
    ];
    let mut found = Vec::new();
    for (body, reason) in REACHED {
        for (given, used) in left {
            let ample = Limits { time: Duration::from_secs(3_600), ..limits(reason) };
            let mut first = session_within(ample.clone());
            let made = first.run(&given.replace('X', body), &mut |_| unreachable!());
            assert!(made.value().is_some(), "{given}: {:?}", made.problems());
            let taken_up = session_with(first.definitions(), limits(reason));
            assert_eq!(taken_up.left_out(), []);
            first.set_limits(limits(reason));
            let (stored, left_out) = first.store_memory();
            // Restoring it takes fuel, too.
            let mut read = session_within(Limits { time: ample.time, ..Limits::default() });
            assert_eq!(read.restore_memory(&stored), []);
            read.set_limits(limits(reason));
            let sessions = [Some(first), Some(taken_up), left_out.is_empty().then_some(read)];
            for mut session in sessions.into_iter().flatten() {
                for program in [used.to_owned(), format!("(try {used} (catch Throwable e (println :on)))")] {
                    let outcome = session.run(&program, &mut |_| unreachable!());
                    found.extend(escaped(&outcome, reason).map(|what| format!("{given} {program} {body}: {what}")));
                }
            }
        }
    }
    nothing_found(&found);
}
