use crate::optimize::tests::ending;

/// Definitions of `f` and a first call of it.
const FUNCTIONS: &[(&str, &str)] = &[
    ("(defn f [n] (lazy-seq (cons n (f (inc n)))))", "(f 0)"),
    ("(defn f [a b] (lazy-seq (cons a (f b (+ a b)))))", "(f 0 1)"),
    ("(defn f [n] (lazy-seq (when (< n 6) (println :made n) (cons n (f (inc n))))))", "(f 0)"),
    ("(defn f [xs] (lazy-seq (if (seq xs) (let [x (first xs)] (cons (* x x) (f (rest xs)))) [])))", "(f [1 2 3 4 5])"),
    ("(defn f [xs] (lazy-seq (when-let [[x & more] (seq xs)] (cons x (f more)))))", "(f (range 8))"),
    (
        "(defn f [xs] (lazy-seq (cons (first xs) (f (filter (fn [x] (pos? (mod x (first xs)))) (rest xs))))))",
        "(f (drop 2 (range 60)))",
    ),
    (
        "(defn f [n] (lazy-seq (cond (= n 3) (throw (ex-info \"three\" {})) (> n 9) nil :else (cons n (f (inc n))))))",
        "(f 0)",
    ),
    ("(def k 5) (let [step 2] (defn f [n] (lazy-seq (cons (+ k n) (f (+ step n))))))", "(f 1)"),
    ("(defn f [n] (lazy-seq (cons n (if (odd? n) (f (inc n)) nil))))", "(f 1)"),
    ("(defn f [n] (let [m (* n n)] (lazy-seq (cons m (f (inc n))))))", "(f 1)"),
];

const USES: &[&str] = &[
    "(vec (take 5 XS))",
    "(let [xs XS] [(vec (take 2 xs)) (vec (take 4 (rest xs))) (first xs)])",
    "(let [xs XS] [(try (vec (take 6 xs)) (catch Exception e :error)) (vec (take 2 xs)) (try (nth xs 4) (catch Exception e :again))])",
    "(reduce + (take 4 (map (fn [x] (or x 0)) XS)))",
    "(loop [xs XS n 0] (if (and (< n 7) (seq xs)) (recur (next xs) (inc n)) n))",
];

#[test]
fn a_generator_gives_what_the_lazy_sequences_give() {
    for ((function, call), usage) in
        FUNCTIONS.iter().flat_map(|function| USES.iter().map(move |usage| (function, usage)))
    {
        let program = |function: &str| {
            let body = usage.replace("XS", call);
            format!(
                "{function} (let [made (volatile! nil)] [(with-out-str (vreset! made (try {body} (catch Exception e :error)))) @made])"
            )
        };
        // A call through another name is not a self-call.
        let hidden =
            function.replace("(f ", "(g ").replace("(defn f ", "(declare f) (defn g [& args] (apply f args)) (defn f ");
        assert_eq!(ending(&program(function)).0, ending(&program(&hidden)).0, "{function} {usage}");
    }
}

#[test]
fn an_element_costs_little() {
    let cost = |function: &str| {
        let program = |n: usize| format!("{function} (reduce + (take {n} (f 0)))");
        ending(&program(300)).1 - ending(&program(100)).1
    };
    let lazy = cost("(declare f) (defn g [n] (f n)) (defn f [n] (lazy-seq (cons n (g (inc n)))))");
    assert!(2 * cost("(defn f [n] (lazy-seq (cons n (f (inc n)))))") < lazy);
}
