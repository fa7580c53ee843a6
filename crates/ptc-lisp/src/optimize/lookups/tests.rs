use crate::optimize::tests::ending;

const TABLES: &[&str] = &[
    "#{1 :a \"b\" nil false [1 2]}",
    "{1 :one :a nil \"b\" {:c 3} nil 0 [1 2] :pair}",
    "{}",
    "#{}",
    "(sorted-map 1 2 3 4)",
    "(sorted-set-by > 1 2 3)",
    "(zipmap (range 40) (range 5 45))",
    "(set (map str (range 40)))",
];

const KEYS: &[&str] = &["1", "1.0", ":a", "\"b\"", "nil", "false", "[1 2]", "99", "(map inc [0 1])"];

/// Programs around a call of `T` with `K`: as written, and with a table that is not known to be one.
const PROGRAMS: &[&str] = &[
    "(let [t T] (t K))",
    "(let [t (conj (into T []) nil)] [(t K) (count t)])",
    "(let [t (if (nil? K) T (merge T nil))] (map (fn [k] (t k)) [K K]))",
    "(loop [t T n 0] (if (< n 3) (recur (into t []) (if (t K) (inc n) (+ n 2))) [n (t K)]))",
    "(loop [t T u T n 0] (if (< n 3) (recur u (vec (range 9)) (inc n)) (try (t K) (catch Exception e :error))))",
    "(reduce (fn [t k] (if (t k) t (into t [[k 1]]))) T [K K])",
    "((reduce (fn [t k] (if k (reduced t) t)) T [K 2]) K)",
    "(letfn [(f [k] (t k)) (t [k] [k])] (f K))",
    "(let [t T f (fn [k] (fn [] (t k)))] ((f K)))",
];

#[test]
fn a_lookup_gives_what_the_call_gives() {
    for (program, table) in PROGRAMS.iter().flat_map(|program| TABLES.iter().map(move |table| (program, table))) {
        for key in KEYS {
            let program = program.replace('K', key);
            let known = ending(&program.replace('T', table)).0;
            let hidden = ending(&program.replace('T', &format!("(first [{table}])"))).0;
            assert_eq!(known, hidden, "{program} {table}");
        }
    }
}

#[test]
fn a_vector_keeps_its_own_rules() {
    assert!(ending("(let [v [1 2]] (v 5))").0.contains("index 5 is outside a vector of length 2"));
    assert!(ending("(loop [t #{} n 0] (if (< n 1) (recur [1] (inc n)) (t 3)))").0.contains("index 3"));
}

#[test]
fn a_set_grows_in_place_beside_its_lookups() {
    let program = |test: &str| {
        "(loop [i 0 seen #{} n 0] (if (= i 200) n (recur (inc i) (conj seen i) (if (TEST seen (- 9 i)) (inc n) n))))"
            .replace("(TEST seen", test)
    };
    // The fuel of a copy depends on the number of its members.
    assert_eq!(ending(&program("(seen")), ending(&program("(get seen")));
    assert_eq!(ending(&program("(seen")).0, "5");
}
