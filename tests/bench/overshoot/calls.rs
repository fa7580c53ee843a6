//! The calls, and what they work on.

use ptc_lisp::{Map, Value};

/// One program that is mainly a single long call.
pub(crate) struct Call {
    pub(crate) family: &'static str,
    /// Definitions before it.
    pub(crate) given: &'static str,
    /// Host data, which no limit bounds.
    pub(crate) host: Option<fn() -> Map>,
    pub(crate) program: &'static str,
}

/// `(grow s k)` is `s` 2^k times; `(power n k)` is n^(2^k).
pub(crate) const HELPERS: &str = "(defn grow [s k] (if (= k 0) s (recur (str s s) (dec k))))
    (defn power [n k] (if (= k 0) n (recur (*' n n) (dec k))))";

const fn of(family: &'static str, given: &'static str, program: &'static str) -> Call {
    Call { family, given, host: None, program }
}

/// 32 MB of plain text without blanks or capitals.
const TEXT: &str = "(def t (grow \"abcdefgh\" 22))";
/// 56 MB.
const LONG: &str = "(def t (grow \"abcdefg\" 23))";
/// 16 MB in 8 million characters.
const WIDE: &str = "(def t (grow \"\u{e9}\u{e8}\" 22))";
const BLANKS: &str = "(def t (grow \"        \" 22))";
/// Words, 16 MB.
const WORDS: &str = "(def t (grow \"some words with 42, \" 20))";

pub(crate) const CALLS: &[Call] = &[
    of("strings", TEXT, "(count (str/upper-case t))"),
    of("strings", WIDE, "(count (str/upper-case t))"),
    of("strings", WIDE, "(count (str/lower-case t))"),
    of("strings", WIDE, "(count (str/capitalize t))"),
    of("strings", TEXT, "(count (str/reverse t))"),
    of("strings", WIDE, "(count (str/reverse t))"),
    of("strings", LONG, "(str/includes? t \"gfedcba\")"),
    of("strings", LONG, "(str/includes? t \"gabcdefgabcdefgabcdefgabcdefgabcdefgx\")"),
    of("strings", LONG, "(str/index-of t \"x\")"),
    of("strings", WIDE, "(str/index-of t \"e\" 100)"),
    of("strings", WIDE, "(str/index-of t \"x\" 8000000)"),
    of("strings", LONG, "(str/last-index-of t \"ga\" 3)"),
    of("strings", LONG, "(str/last-index-of t \"x\")"),
    of("strings", TEXT, "(count (str/replace t \"x\" \"y\"))"),
    of("strings", TEXT, "(count (str/replace t \"gh\" \"i\"))"),
    of("strings", "(def t (grow \"abcdefgh\" 20))", "(count (str/replace t \"c\" \"xyz\"))"),
    of("strings", "(def t (grow \"abcdefgh\" 17))", "(count (str/replace t \"c\" (fn [m] \"x\")))"),
    of("strings", LONG, "(count (str/split t \"x\"))"),
    of("strings", "(def t (grow \"abcdefgh\" 18))", "(count (str/split t \"c\"))"),
    of("strings", LONG, "(count (str/split-lines t))"),
    of("strings", BLANKS, "(count (str/trim t))"),
    of("strings", BLANKS, "(count (str/triml t))"),
    of("strings", BLANKS, "(count (str/trimr t))"),
    of("strings", BLANKS, "(str/blank? t)"),
    of("strings", "(def t (grow \"\\n\\n\\n\\n\" 23))", "(count (str/trim-newline t))"),
    of("strings", TEXT, "(count (str t \"x\"))"),
    of("strings", WIDE, "(count (str t \"x\"))"),
    of("strings", TEXT, "(count (subs t 1))"),
    of("strings", WIDE, "(count (subs t 100 7000000))"),
    of("strings", "(def t (grow \"$\" 24))", "(count (str/re-quote-replacement t))"),
    of("strings", TEXT, "(count (str/escape t {}))"),
    of("strings", TEXT, "(count (format \"%s\" t))"),
    of("strings", TEXT, "(count (format \"%S\" t))"),
    of("strings", TEXT, "(count (str/join \"\" [t t]))"),
    of("strings", TEXT, "(count (pr-str t))"),
    of("strings", WIDE, "(count (pr-str t))"),
    of("strings", TEXT, "(= t (str t \"\") (str/join [t]))"),
    of(
        "strings",
        "(def t (grow \"abcdefgh\" 21)) (def u (str t \"a\")) (def v (str t \"b\"))",
        "[(= u v) (compare u v) (hash u)]",
    ),
    of("strings", "(def t (grow \"abcdefgh\" 21))", "(count {t 1 (str t \"x\") 2})"),
    of("strings", TEXT, "(println t)"),
    of("strings", WIDE, "(println t)"),
    of("strings", WIDE, "(nth t 7999999)"),
    of("strings", WIDE, "(last t)"),
    of("strings", WIDE, "(count (take 10 t))"),
    of("strings", TEXT, "(keyword t)"),
    of("strings", TEXT, "(symbol t)"),
    of("strings", TEXT, "(parse-long t)"),
    of("strings", TEXT, "(parse-double t)"),
    of("strings", "(def t (grow \"12345678\" 22))", "(parse-double t)"),
    of("strings", TEXT, "t"),
    of("strings", WIDE, "t"),
    of("strings", TEXT, "(return {:a t})"),
    of("strings", TEXT, "(fail t)"),
    of("strings", TEXT, "(throw (ex-info t {}))"),
    of("strings", TEXT, "(tool/none {:a t})"),
    of("strings", "(def t (grow \"abcdefgh\" 20))", "(count (vec t))"),
    of("regex", LONG, "(re-find #\"x\" t)"),
    of("regex", LONG, "(re-find #\"g[^a]\" t)"),
    of("regex", LONG, "(re-find #\"[x-z]+1\" t)"),
    of("regex", LONG, "(re-find #\"\\w+1\" t)"),
    of("regex", LONG, "(count (re-find #\"\\w+\" t))"),
    of("regex", LONG, "(count (re-find #\"(\\w)+\" t))"),
    of("regex", LONG, "(re-matches #\"(a|b|c|d|e|f|g)*x\" t)"),
    of("regex", LONG, "(count (re-matches #\"(a|b|c|d|e|f|g)*\" t))"),
    of("regex", LONG, "(re-find #\"(\\w{1,50}x)+\" t)"),
    of("regex", LONG, "(re-find #\"[ab][cd][a-g]{40}x\" t)"),
    of("regex", LONG, "(re-find #\"(a|c).{40}x.*y\" t)"),
    of("regex", WIDE, "(re-find #\"\\b\\d+\\b\" t)"),
    of("regex", WIDE, "(re-find #\"\\w+\\b1\" t)"),
    of("regex", WIDE, "(re-find #\"(?i)\u{e9}+x\" t)"),
    of("regex", WORDS, "(count (re-find #\"(?s).*,\" t))"),
    of("regex", WORDS, "(count (str/split t #\"\\w+x\"))"),
    of("regex", WORDS, "(count (str/replace t #\"\\d+\" \"x\"))"),
    of("regex", "(def t (grow \"some words with 42, \" 16))", "(count (re-seq #\"\\w+\" t))"),
    of("regex", "(def t (grow \"some words with 42, \" 16))", "(count (re-seq #\"\\w+x|with\" t))"),
    of("integers", "(def a (*' (power 3 20) (power 3 19)))", "(count [(*' a a)])"),
    of("integers", "(def a (power 3 20)) (def b (power 7 18))", "(count [(quot a b)])"),
    of("integers", "(def a (power 3 21)) (def b (power 7 18))", "(count [(quot a b)])"),
    of("integers", "(def a (power 3 20)) (def b (power 7 18))", "(count [(mod a b)])"),
    of("integers", "(def a (power 3 20)) (def b (power 7 18))", "(/ a b)"),
    of("integers", "(def a (*' (power 3 20) (power 3 19)))", "(count (str a))"),
    of("integers", "(def a (*' (power 3 20) (power 3 19)))", "a"),
    of("integers", "(def a (*' (power 3 20) (power 3 19)))", "(count (format \"%x\" a))"),
    of("integers", "(def t (grow \"1234567\" 16))", "(count [(parse-long t)])"),
    of("integers", "(def t (grow \"1234567\" 16))", "(count [(bigint t)])"),
    of("integers", "(def t (grow \"1234567\" 16))", "(count (json/parse-string t))"),
    of("integers", "(def a 3)", "(count [(pow 3 2000000)])"),
    of("integers", "(def a (power 3 25))", "(count [(+' a a)])"),
    of("integers", "(def a (power 3 25))", "(count [(*' a 7)])"),
    of("integers", "(def a (power 3 25))", "(double a)"),
    of("integers", "(def a (power 3 25))", "(hash a)"),
    of("json", "(def t (str \"[\" (grow \"1234567,\" 20) \"1]\"))", "(count (json/parse-string t))"),
    of("json", "(def t (str \"[\" (grow \"\\\"ab\\\",\" 18) \"1]\"))", "(count (json/parse-string t))"),
    of("json", "(def t (str \"\\\"\" (grow \"abcdefgh\" 21) \"\\\"\"))", "(count (json/parse-string t))"),
    of("json", "(def t (str \"\\\"\" (grow \"\\\\u00e9\" 21) \"\\\"\"))", "(count (json/parse-string t))"),
    of("json", "(def t (str \"[\" (grow \"          \" 22) \"1]\"))", "(count (json/parse-string t))"),
    of(
        "json",
        "(def t (str \"[\" (grow \"{\\\"id\\\":1,\\\"name\\\":\\\"x\\\"},\" 17) \"1]\"))",
        "(count (json/parse-string t))",
    ),
    of("json", "(def t (grow \"{\\\"id\\\":1,\\\"name\\\":\\\"x\\\"}\n\" 17))", "(count (json/parse-lines t))"),
    of("json", "(def v (vec (range 500000)))", "(count (json/generate-string v))"),
    of("json", "(def v [(grow \"abcdefgh\" 20)])", "(count (json/generate-string v))"),
    of("json", "(def v [(grow \"\\n\" 22)])", "(count (json/generate-string v))"),
    of("vectors", "(def v (vec (range 1500000)))", "(count (mapv inc v))"),
    of("vectors", "(def v (vec (range 1500000)))", "(count (sort > v))"),
    of("vectors", "(def v (mapv (fn [n] (str (mod (* n 7919) 1000003))) (range 500000)))", "(count (sort v))"),
    of("vectors", "(def v (vec (range 1500000)))", "(count (reverse v))"),
    of("vectors", "(def v (vec (range 1500000)))", "(count (shuffle v))"),
    of("vectors", "(def v (vec (range 1500000)))", "(count (into [] v))"),
    of("vectors", "(def v (vec (range 1500000)))", "(count (conj v 1))"),
    of("vectors", "(def v (vec (range 3500000)))", "(count (subvec v 1))"),
    of("vectors", "(def v (vec (range 1500000)))", "(= v (mapv identity v))"),
    of("vectors", "(def v (vec (range 1500000)))", "(hash v)"),
    of("vectors", "(def v (vec (range 1500000)))", "v"),
    of("vectors", "(def v (mapv (fn [n] [n]) (range 400000)))", "v"),
    of("vectors", "(def v (vec (range 1500000)))", "(count (str v))"),
    of("vectors", "(def v (vec (range 1500000)))", "(println v)"),
    of("vectors", "(def v (vec (range 1500000)))", "(apply + v)"),
    of("vectors", "(def v (vec (range 1500000)))", "(count (partition 2 v))"),
    of("vectors", "(def v (vec (range 500000)))", "(count (combinations (range 90) 3))"),
    of("vectors", "(def v (vec (range 1500000)))", "(sum v)"),
    of("maps", "(def v (vec (range 400000)))", "(count (set v))"),
    of("maps", "(def v (vec (range 300000)))", "(count (zipmap v v))"),
    of("maps", "(def v (vec (range 400000)))", "(count (frequencies v))"),
    of("maps", "(def v (vec (range 400000)))", "(count (group-by identity v))"),
    of("maps", "(def v (vec (range 400000)))", "(count (into (sorted-map) (map vector v v)))"),
    of("maps", "(def m (zipmap (range 300000) (range)))", "(count (assoc m -1 1))"),
    of("maps", "(def m (zipmap (range 300000) (range)))", "(count (dissoc m 1))"),
    of("maps", "(def m (zipmap (range 300000) (range)))", "(count (merge m {-1 1}))"),
    of("maps", "(def m (zipmap (range 300000) (range)))", "(= m (into {} m))"),
    of("maps", "(def m (zipmap (range 300000) (range)))", "(hash m)"),
    of("maps", "(def m (zipmap (range 300000) (range)))", "m"),
    of("sequences", "", "(count (take 1000000 (iterate inc 0)))"),
    of("sequences", "", "(count (vec (range 3000000)))"),
    of("sequences", "", "(count (repeat 3000000 1))"),
    of("drop", "", "(loop [n 0] (when (< n 3) (count (mapv (fn [i] [i]) (range 400000))) (recur (inc n))))"),
    of(
        "drop",
        "",
        "(loop [n 0] (when (< n 3) (count (mapv (fn [i] (str \"some longer text than fits \" i)) (range 300000))) (recur (inc n))))",
    ),
    of(
        "drop",
        "",
        "(loop [n 0 l nil] (if (< n 1000) (recur (inc n) (loop [k 0 l nil] (if (< k 600000) (recur (inc k) [l]) l))) (count l)))",
    ),
    of("drop", "", "(loop [n 0] (when (< n 3) (count (group-by identity (range 200000))) (recur (inc n))))"),
    of("drop", "", "(loop [v []] (recur (conj v (atom 1))))"),
    of("count", "(def v (mapv (fn [n] [n]) (range 400000)))", "(dotimes [n 4] (count (vec (range 1000000))))"),
    of(
        "count",
        "(def v (mapv (fn [n] (str n)) (range 800000))) (def w (vec v))",
        "(dotimes [n 4] (count (vec (range 1000000))))",
    ),
    of("count", "(def m (zipmap (map str (range 250000)) (range)))", "(dotimes [n 4] (count (vec (range 1000000))))"),
    Call { family: "host", given: "", host: Some(host_text), program: "(re-find #\"\\w+1\" data/text)" },
    Call { family: "host", given: "", host: Some(host_text), program: "(count (sort (mapv identity data/numbers)))" },
];

/// 128 MB of text, a million numbers.
fn host_text() -> Map {
    let numbers = (0..1_000_000).rev().map(Value::Int).collect::<Vec<_>>();
    let entries = [("text", Value::string("abcdefgh".repeat(16 << 20))), ("numbers", Value::vector(numbers))];
    match Value::map_from(entries.map(|(name, value)| (Value::keyword(name), value))) {
        Value::Map(map) => map,
        _ => Map::new(),
    }
}
