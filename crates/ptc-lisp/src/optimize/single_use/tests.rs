use crate::{Session, SessionOptions, no_tools};

fn run(program: &str) -> (String, u64) {
    let outcome = Session::new(SessionOptions::default()).run(program, &mut no_tools);
    let message = || outcome.problems().iter().map(|problem| problem.message.clone()).collect();
    (outcome.value().map_or_else(message, ToString::to_string), outcome.usage.fuel)
}

#[test]
fn a_named_sequence_costs_what_an_unnamed_one_costs() {
    for (named, unnamed) in [
        ("(let [ys (map inc (range 99))] (reduce + ys))", "(reduce + (map inc (range 99)))"),
        (
            "(let [ys (map inc (range 99)) zs (filter odd? ys)] (count zs))",
            "(count (filter odd? (map inc (range 99))))",
        ),
        (
            "(let [ys (map inc (range 99))] (if (some #(> % 50) ys) 1 2))",
            "(if (some #(> % 50) (map inc (range 99))) 1 2)",
        ),
        ("(let [n 3 ys (map #(+ n %) (range 99))] (into [] ys))", "(let [n 3] (into [] (map #(+ n %) (range 99))))"),
    ] {
        assert_eq!(run(named), run(unnamed), "{named}");
    }
}

#[test]
fn what_is_computed_is_the_same() {
    for (program, expected) in [
        // Read twice, in a loop, in a function, in `try`.
        ("(let [ys (map inc [1 2])] [(first ys) (count ys)])", "[2 2]"),
        ("(let [ys (map inc [1 2])] (loop [n 0] (if (< n 3) (recur (+ n (count ys))) n)))", "4"),
        ("(let [ys (map inc [1 2]) f (fn [x] (+ x (count ys)))] (f 1))", "3"),
        ("(let [ys (map #(/ 1 %) [0])] (try (count ys) (catch Exception e :caught)))", "Divide by zero"),
        // Values that change between both places.
        ("(let [v (vec (range 3)) ys (map inc v) w (conj v 9)] [w (vec ys) (count v)])", "[[0 1 2 9] [1 2 3] 3]"),
        ("(let [a (atom 1) ys (map (fn [x] (+ x @a)) [1])] (reset! a 5) (vec ys))", "[2]"),
        ("(let [ys (map inc [1 2]) ys (map inc ys)] (vec ys))", "[3 4]"),
        ("(let [x 1 ys (map #(+ x %) [1 2]) x 5] [x (vec ys)])", "[5 [2 3]]"),
    ] {
        assert_eq!(run(program).0, expected, "{program}");
    }
}
