use crate::optimize::loops::tests::{ending, fuel};

const SINKS: &[&str] = &[
    "(count XS)",
    "(vec XS)",
    "(reduce + 0 XS)",
    "(reduce + XS)",
    "(reduce * XS)",
    "(reduce max 0 XS)",
    "(reduce (fn [acc x] (conj acc [x a])) [] XS)",
    "(reduce (fn [acc x] (if (> x 5) (reduced acc) (+ acc x))) 0 XS)",
    "(reduce (fn [acc x] (println x) (+ acc x)) 0 XS)",
    "(first XS)",
];

const STAGES: &[&str] = &[
    "XS",
    "(map (fn [x] (rem x 10)) XS)",
    "(map inc (filter odd? XS))",
    "(remove (fn [x] (= a x)) (map (fn [x] (* a x)) XS))",
    "(keep (fn [x] (if (odd? x) x)) XS)",
    "(map (fn [x] (println x) x) XS)",
];

const SOURCES: &[&str] = &[
    "(take-while pos? (iterate (fn [x] (quot x 10)) START))",
    "(take-while (fn [x] (< x 100)) (iterate (fn [x] (+ x x a)) START))",
    "(take-while (fn [x] (println x) (< x 100)) (iterate inc START))",
    "(take-while some? (iterate (fn [x] (if (> x 1) (dec x))) START))",
];

#[test]
fn a_loop_does_what_the_sequence_does() {
    for (sink, stage) in SINKS.iter().flat_map(|sink| STAGES.iter().map(move |stage| (sink, stage))) {
        for (source, start) in SOURCES.iter().flat_map(|source| ["1", "210", "0", "nil", "2.5"].map(|s| (source, s))) {
            let program = |source: &str| {
                let call = sink.replace("XS", &stage.replace("XS", source));
                format!(
                    "(let [a 3 made (volatile! nil)] [(with-out-str (vreset! made (try {call} (catch Exception e :error)))) @made])"
                )
                .replace("START", start)
            };
            let hidden = source.replace("(iterate", "((first [iterate])");
            assert_eq!(
                ending(&program(source), None),
                ending(&program(&hidden), None),
                "{sink} {stage} {source} {start}"
            );
        }
    }
}

#[test]
fn a_loop_makes_no_sequence() {
    let cost = |iterate: &str| {
        let program = |n: usize| format!("(reduce + 0 (map dec (take-while #(< % {n}) ({iterate} inc 0))))");
        fuel(&program(300)) - fuel(&program(100))
    };
    assert!(2 * cost("iterate") < cost("(first [iterate])"), "{} {}", cost("iterate"), cost("(first [iterate])"));
}
