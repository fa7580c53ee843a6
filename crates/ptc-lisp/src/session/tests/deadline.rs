//! Builtins look at the clock while they work: however long one call takes, the deadline ends it.
//!
//! Nothing here is timed. What counts is how often a call looked.

use std::time::Duration;

use super::session;
use crate::limits::machine_clock::thread_time;
use crate::{Limits, Problem, Session, SessionOptions, ToolCall, ToolResult, ToolSpec, Value, no_tools};

/// Elements of the arguments.
const MANY: usize = 100_000;

/// Elements that a builtin may handle without a look, on average.
const STRETCH: usize = 8_192;

/// Programs with one long call each.
const CALLS: &str = r#"
(vec s)
(vec m)
(vec text)
(set xs)
(into [1] ys)
(into xs ys)
(into #{} xs)
(into {} pairs)
(into (sorted-set) xs)
(conj xs 1)
(assoc m 5 1)
(concat xs ys)
(reverse xs)
(sort xs)
(sort > xs)
(sort-by - xs)
(shuffle xs)
(distinct xs)
(dedupe xs)
(frequencies xs)
(group-by odd? xs)
(partition 2 xs)
(partition-all 2 xs)
(partition-by odd? xs)
(interleave xs ys)
(interpose 0 xs)
(zip xs ys)
(zipmap xs ys)
(map vector xs ys)
(map inc xs)
(filter odd? xs)
(reduce + xs)
(apply + xs)
(apply max xs)
(apply vector xs)
(apply hash-map xs)
(apply str xs)
(take 99000 xs)
(take-nth 1 xs)
(split-at 99000 xs)
(flatten [xs [ys]])
(range 100000)
(repeat 100000 1)
(keys m)
(vals m)
(seq m)
(merge {} m)
(select-keys m xs)
(update-vals m inc)
(set/map-invert m)
(set/union #{} s)
(set/union s #{-1})
(set/intersection s s)
(set/difference s s)
(set/subset? s s)
(set/project rows [:a])
(set/index rows [:a])
(= xs ys)
(= m m2)
(compare xs ys)
(hash xs)
(hash m)
(hash s)
{xs 1}
#{m}
(sum xs)
(str xs)
(pr-str m)
(str/join xs)
(str/split text #"a")
(str/split text "a")
(str/replace text #"a" "b")
(re-seq #"a" text)
(json/generate-string xs)
(println xs)
(walk/postwalk identity xs)
(replace {1 2} xs)
(subseq sorted > 1)
(take 90000 (iterate inc 0))
(last (map inc (iterate inc 0)))
(drop-last 1 (range))
"#;

/// Calls that process one long text or number in pieces.
const PASSES: &str = r##"
(str/upper-case text)
(str/lower-case text)
(str/capitalize text)
(str/lower-case greek)
(str/reverse text)
(str/includes? text "x")
(str/includes? text (str text "x"))
(str/includes? text half)
(str/index-of text "x")
(str/last-index-of text "x")
(str/replace text "x" "y")
(str/replace text "ab" "y")
(str/replace text "x" str)
(str/split text "x")
(str/split text #"x")
(str/split-lines text)
(str/trim blanks)
(str/triml blanks)
(str/trimr blanks)
(str/trim-newline (str/replace blanks " " "\n"))
(str/blank? blanks)
(str/escape text {})
(str/re-quote-replacement text)
(str "x" text)
(subs text 1)
(pr-str text)
(format "%s" text)
(format "%S" text)
(str/join "" [text text])
(= text copy)
(compare text copy)
(hash text)
(get {text 1} copy)
(re-find #"x" text)
(re-find #"\d+" text)
(re-find #"(\w)x" text)
(re-find #"a.*x" text)
(re-find #"\w+" text)
(re-matches #"[ab]+" text)
(str/split text #"\w+x")
(json/parse-string (str "\"" text text "\""))
(json/parse-string (str "[" blanks blanks "1]"))
(json/parse-lines (str blanks blanks))
(pr-str (keyword text))
(str (keyword text) (symbol text))
(*' long long)
(quot (*' long long) long)
(mod (*' long long) (inc' long))
(str long)
(bigint digits)
"##;

#[test]
fn every_pass_over_a_long_text_or_number_looks_at_the_clock() {
    let mut session = session();
    let given = r#"(defn grow [s k] (if (= k 0) s (recur (str s s) (dec k)))) (def text (grow "ab" 20)) (def blanks (grow "  " 20))
                   (def greek (grow "ΑΣ " 18)) (def digits (grow "12345678" 15)) (def copy (str/join [text])) (def half (str (subs text 0 1000000) "b"))
                   (def long (loop [n 3 k 0] (if (= k 19) n (recur (*' n n) (inc k)))))"#;
    let made = session.run(given, &mut |_| unreachable!());
    assert!(made.value().is_some(), "{:?}", made.problems());
    session.limits.fuel = 10_000_000_000;
    session.limits.time = Duration::from_secs(600);
    let mut blind = Vec::new();
    for call in PASSES.trim().lines() {
        let outcome = session.run(&format!("(count [{call}])"), &mut |_| unreachable!());
        let looks = session.machine.cx.meter.looks;
        if looks < 16 || outcome.value().is_none() {
            blind.push(format!("{call}: {looks} {:?}", outcome.problems()));
        }
    }
    assert_eq!(blind, [""; 0], "of at least 16 looks");
}

#[test]
fn cpu_time_is_a_limit_and_counts_only_work() {
    let limits = |cpu_time| Limits { cpu_time: Some(cpu_time), ..Limits::default() };
    let run = |limits, tools: &mut dyn FnMut(&ToolCall) -> ToolResult| {
        let tool = vec![ToolSpec::new("wait")];
        let mut session = Session::new(SessionOptions { limits, tools: tool, ..SessionOptions::default() });
        let outcome = session.run("[(reduce + (range 100000)) (tool/wait {}) (reduce + (range 100000))]", tools);
        outcome.problems().first().map(Problem::text)
    };
    let exceeded = run(limits(Duration::ZERO), &mut no_tools).unwrap();
    assert!(exceeded.starts_with("run exceeded the limit of 0 ms of CPU time at line 1"), "{exceeded}");
    // What the host does while the program waits is not its work: far more than the limit.
    let most = Duration::from_millis(300);
    let mut busy = |_: &ToolCall| {
        let began = thread_time();
        while thread_time() - began < 2 * most {}
        Ok(Value::Nil)
    };
    assert_eq!(run(limits(most), &mut busy), None);
}

/// Values that are counted and freed are not in the arguments of a call.
#[test]
fn counting_and_freeing_look_at_the_clock() {
    let mut session = session();
    let made = session
        .run("(def v (mapv (fn [n] [n]) (range MANY)))".replace("MANY", "100000").as_str(), &mut |_| unreachable!());
    assert!(made.value().is_some());
    session.machine.cx.meter.looks = 0;
    assert!(session.machine.scan().is_ok());
    assert!(session.machine.cx.meter.looks >= MANY / STRETCH, "{}", session.machine.cx.meter.looks);
    // Also for a sequence whose elements are already counted, as for one with many references.
    let made = session.run("(def s (let [s (cycle v)] (nth s 100000) s))", &mut |_| unreachable!());
    assert!(made.value().is_some());
    session.machine.cx.meter.looks = 0;
    assert!(session.machine.scan().is_ok());
    assert!(session.machine.cx.meter.looks >= 2 * MANY / STRETCH, "{}", session.machine.cx.meter.looks);
    session.run("(def v nil) (def s nil)", &mut |_| unreachable!());
    assert!(!crate::limits::release::release_some(), "what a program let go of is freed when it ends in time");
}

#[test]
fn every_long_call_looks_at_the_clock() {
    let mut session = session();
    // Work is what ends the calls, also on a busy machine.
    session.limits.time = Duration::from_secs(300);
    let given = "(def xs (vec (range MANY))) (def ys (mapv identity xs)) (def m (zipmap xs ys)) (def m2 (zipmap ys xs)) (def s (set xs))
                 (def sorted (into (sorted-map) (map vector xs ys))) (def rows (mapv (fn [n] {:a n}) xs)) (def pairs (map vector xs ys))
                 (def text (apply str (repeat MANY \"ab\")))";
    let made = session.run(&given.replace("MANY", &MANY.to_string()), &mut |_| unreachable!());
    assert!(made.value().is_some(), "{:?}", made.problems());
    session.limits.fuel = 2_000_000;
    // The definitions count, too.
    session.limits.memory = 1 << 30;
    let mut blind = Vec::new();
    for call in CALLS.trim().lines() {
        let outcome = session.run(call, &mut |_| unreachable!());
        let looks = session.machine.cx.meter.looks;
        if looks < MANY / STRETCH {
            blind.push(format!("{call}: {looks} {:?}", outcome.problems()));
        }
    }
    assert_eq!(blind, [""; 0], "of at least {} looks", MANY / STRETCH);
}
