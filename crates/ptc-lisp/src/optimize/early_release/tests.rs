use crate::value::{FormatOptions, Value, format};
use crate::{Limits, Session, SessionOptions};

fn outcome(source: &str) -> crate::Outcome {
    let limits = Limits { fuel: 100_000_000, ..Limits::default() };
    Session::new(SessionOptions { limits, ..SessionOptions::default() }).run(source, &mut |_| Ok(Value::Nil))
}

fn run(source: &str) -> String {
    let outcome = outcome(source);
    match outcome.value() {
        Some(value) => format(value, &FormatOptions::full()).text,
        None => format!("! {}", outcome.problems().first().map(|problem| problem.message.clone()).unwrap_or_default()),
    }
}

/// Steps of a state `st` by `x`, each of which replaces a part.
const STEPS: &[&str] = &[
    "(assoc st :out (conj (:out st) x))",
    "(assoc st :out (conj (get st :out []) x) :n (inc (:n st)))",
    "(let [{:keys [out n]} st] (assoc st :out (conj out x) :n (inc n)))",
    "(let [{:keys [out seen]} st] (if (contains? seen x) st (assoc st :out (conj out x) :seen (conj seen x))))",
    "(let [{:keys [out seen]} st] (if (seen x) st (-> st (update :out conj x) (update :seen conj x))))",
    "(let [{:keys [out seen]} st] (cond (nil? x) st (seen x) (assoc st :n (count out)) :else (assoc st :seen (conj seen x) :out (conj out x))))",
    "(let [k :out v (get st k)] (assoc st k (conj v x)))",
    "(let [v (get st x [])] (assoc st x (conj v (count v))))",
    "(assoc st :out (conj (:out st) (:out st)))",
    "(assoc st :out (conj (:out st) st))",
    "(let [v (:out st) st2 (assoc st :out (conj v x))] (if (= 2 (count v)) (assoc st2 :old v :before st) st2))",
    "(try (assoc st :out (conj (:out st) (if (= x 2) (throw (ex-info \"no\" {})) x))) (catch Exception _ (assoc st :failed (:out st))))",
    "(let [f (fn [] (:out st))] (assoc st :out (conj (:out st) x) :f (f)))",
    "(assoc st :n (+ (:n st) x) :out (into (:out st) (map inc [x])))",
    "(assoc st :out (if (odd? x) (conj (:out st) x) (:out st)))",
    "(assoc st :seen (conj (:seen st) (do (println (:seen st)) x)))",
];

#[test]
fn what_is_replaced_shows_nowhere_else() {
    for step in STEPS {
        let apart = step.replace("(assoc ", "(the-assoc ").replace("(get ", "(the-get ");
        let around = |step: &str, state: &str| {
            format!(
                "(let [the-assoc assoc the-get get first-state {state} step (fn [st x] {step})] \
                 [(reduce step first-state [1 2 2 3]) (reduce (fn [st x] {step}) first-state [1 2 2 3]) first-state \
                 (loop [st first-state x 0 all []] (if (< x 4) (recur {step} (inc x) (conj all st)) [st all]))])"
            )
        };
        for state in [
            "{:out [] :seen #{} :n 0}",
            "{:out [7] :seen #{1} :n 5 1 [1] 2 [] :more {:k 1}}",
            "(zipmap [:out :seen :n :a :b :c :d :e :f] [[] #{} 0 1 2 3 4 5 6])",
        ] {
            assert_eq!(run(&around(step, state)), run(&around(&apart, state)), "{step} {state}");
        }
    }
}

#[test]
fn what_is_replaced_is_not_copied() {
    let fuel = |source: &str| {
        let outcome = outcome(source);
        assert!(outcome.value().is_some(), "{source}: {:?}", outcome.problems());
        outcome.usage.fuel
    };
    for step in STEPS.iter().take(8) {
        let program = |many: usize| {
            format!("(count (:out (reduce (fn [st x] {step}) {{:out [] :seen #{{}} :n 0}} (map inc (range {many})))))")
        };
        let (few, many) = (fuel(&program(300)), fuel(&program(3_000)));
        assert!(many < 11 * few, "{step}: {few} {many}");
    }
    for step in [
        "(assoc-in st [:m x] (inc (get-in st [:m x] 0)))",
        "(update st :m assoc x (count (:m st)))",
        "(update-in st [:m x] (fnil conj []) (count (:m st)))",
        "(update st :m merge {x (count (:m st))})",
    ] {
        let program =
            |many: usize| format!("(count (:m (reduce (fn [st x] {step}) {{:m {{}}}} (map inc (range {many})))))");
        let (few, many) = (fuel(&program(300)), fuel(&program(3_000)));
        assert!(many < 11 * few, "{step}: {few} {many}");
    }
}
