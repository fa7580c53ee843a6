//! Input and language: what `core`, `brief` and `minimal` say.

use crate::proof::Expect::{Calls, Hides, Returns, Shows};
use crate::proof::Proof::{self, Fails, Gives, Run, Test};
use crate::{Statement, row};

const SUMS: Proof =
    Gives("(let [ps data/parcels] [(sum [1 2]) (avg [1 2]) (sum-by :kg ps) (avg-by :kg ps)])", "[3 1.5 7.5 2.5]");
const PICKS: Proof = Gives(
    "(let [ps data/parcels] [(:id (min-by :kg ps)) (:id (max-by :kg ps)) (pluck :id ps) (count (distinct-by :to ps))])",
    "[2 3 [1 2 3] 2]",
);

pub(crate) const STATEMENTS: &[Statement] = &[
    row(
        "You solve the mission by writing programs in PTC-Lisp: Clojure in a sandbox, over immutable data",
        &[Gives("(let [a {:x 1}] (assoc a :x 2) a)", "{:x 1}")],
    ),
    row(
        "Each answer is one program; the host runs it, calls the tools it names and shows you what it printed",
        &[Run(
            &[r#"(def kg (:kg (tool/weigh {:id 7}))) (println "seen" kg)"#, "(return kg)"],
            &[Shows(2, "seen 2.5"), Calls(1), Returns("2.5")],
        )],
    ),
    row("`data/x` is input", &[Gives("(count data/parcels)", "3")]),
    row(
        "`~{data/x}` in the mission stands for the value of `data/x`",
        &[Run(&["(return (count data/parcels))"], &[Shows(1, "How many of ~{data/parcels}?"), Returns("3")])],
    ),
    row(
        "`(tool/x {:param value})` calls a tool: named arguments in one map",
        &[Gives("(tool/weigh {:id 7})", "{:id 7 :kg 2.5}"), Fails("(tool/weigh 7 8)", "it takes (id :int)")],
    ),
    row("`(tool/x {:param value})` calls a tool", &[Gives("(tool/weigh {:id 7})", "{:id 7 :kg 2.5}")]),
    row("results are data with keyword keys", &[Gives("(:kg (tool/weigh {:id 7}))", "2.5")]),
    row(
        "`(try … (catch Exception e …))` catches errors",
        &[Gives(
            "(try (tool/weigh {:id -1}) (catch Exception e (ex-message e)))",
            r#""tool 'weigh' failed: no such parcel""#,
        )],
    ),
    row(
        "`(try … (catch Exception e (ex-message e)))` catches errors",
        &[Gives(
            "(try (tool/weigh {:id -1}) (catch Exception e (ex-message e)))",
            r#""tool 'weigh' failed: no such parcel""#,
        )],
    ),
    row(
        "`(doc tool/x)` prints all of a tool",
        &[Run(&["(doc tool/weigh)", "(return 1)"], &[Shows(2, "tool/weigh (id :int)"), Calls(0)])],
    ),
    row(
        "Calls run in parallel with `(pmap #(tool/x {:id %}) ids)`",
        &[Gives("(pmap #(tool/weigh {:id %}) [1 2])", "[{:id 1 :kg 2.5} {:id 2 :kg 2.5}]")],
    ),
    row(
        "`pmap` makes calls in parallel",
        &[Gives("(pmap #(tool/weigh {:id %}) [1 2])", "[{:id 1 :kg 2.5} {:id 2 :kg 2.5}]")],
    ),
    row(
        "inside it a `def` is lost, and `return` or `fail` is an error",
        &[
            Gives("(def a 0) (pmap (fn [x] (def a x)) [1]) a", "0"),
            Fails("(pmap (fn [x] (return x)) [1])", "return is not allowed inside pmap"),
            Fails("(pmap (fn [x] (fail x)) [1])", "fail is not allowed inside pmap"),
        ],
    ),
    row(
        "Names that begin with `_` are hidden",
        &[Run(
            &["(println (count data/_key)) (def _own (* 7 11003)) (println \"own\")", "(return _own)"],
            &[Shows(2, "10"), Hides(2, "77021"), Hides(2, "top secret"), Hides(1, "top secret")],
        )],
    ),
    row(
        "compute with them and pass them to tools, but never print or return them",
        &[Gives("(:id (tool/weigh {:id (count data/_key)}))", "10")],
    ),
    row("use them, but never print or return them", &[Gives("(count data/_key)", "10")]),
    row("Write ordinary Clojure.", &[]),
    row(
        "`clojure.core`, `str/`, `set/`, `walk/`, `math/`, `Math/`, `json/parse-string` and `json/generate-string` need no `require`",
        &[
            Gives("(clojure.core/inc 1)", "2"),
            Gives(r#"(str/upper-case "a")"#, r#""A""#),
            Gives("(set/union #{1} #{2})", "#{1 2}"),
            Gives("(walk/postwalk identity [1])", "[1]"),
            Gives("[(math/floor 2.5) (Math/sqrt 16)]", "[2.0 4.0]"),
            Gives(r#"(json/parse-string "{\"a\":[1]}")"#, "{:a [1]}"),
            Gives("(json/generate-string {:a [1]})", r#""{\"a\":[1]}""#),
            Gives("(require '[clojure.string :as s]) (s/trim \" a\")", r#""a""#),
        ],
    ),
    row(
        "there are destructuring, transducers, atoms, `format`, regex literals, `sorted-set`",
        &[
            Gives("(let [{:keys [a]} {:a 1} [b & c] [2 3]] [a b c])", "[1 2 [3]]"),
            Gives("(into [] (comp (map inc) (filter odd?)) [1 2])", "[3]"),
            Gives("(let [n (atom 0)] (swap! n inc) @n)", "1"),
            Gives(r#"(format "%.2f" 1.0)"#, r#""1.00""#),
            Gives(r#"(re-find #"\d+" "a12")"#, r#""12""#),
            Gives("(first (sorted-set 3 1 2))", "1"),
        ],
    ),
    row(
        "All names are checked before anything runs: a wrong one costs a turn, but no tool is called, and the error says what to write",
        &[Run(&[r#"(tool/weigh {:id 1}) (uper-case "a")"#, "(return 1)"], &[Shows(2, "upper-case"), Calls(0)])],
    ),
    row(
        "Not there: files, network",
        &[Fails(r#"(slurp "a")"#, "no file I/O"), Fails(r#"(slurp "http://a")"#, "no file I/O")],
    ),
    row(
        "macros, `eval`, `read-string`",
        &[
            Fails("(defmacro m [x] x)", "no macros"),
            Fails("(eval 1)", "cannot run other programs"),
            Fails(r#"(read-string "1")"#, "parse-long"),
        ],
    ),
    row(
        "multimethods, records, protocols, refs, agents, futures",
        &[
            Fails("(defmulti f :a)", "use case, cond"),
            Fails("(defrecord R [a])", "use maps"),
            Fails("(defprotocol P)", "use maps and functions"),
            Fails("(ref 1)", "use an atom"),
            Fails("(agent 1)", "use an atom"),
            Fails("(future 1)", "use pmap"),
        ],
    ),
    row(
        "arrays, ratios, decimals",
        &[
            Fails("(int-array 3)", "no arrays"),
            Fails("1/2", "ratios are not supported"),
            Fails("(bigdec 1)", "no decimals"),
            Gives("1.5M", "1.5"),
        ],
    ),
    row(
        "and Java, except:",
        &[Fails("(StringBuilder.)", "use str"), Fails("(java.util.ArrayList.)", "java.util.ArrayList")],
    ),
    row(
        "with methods such as `.plusDays`, `.isBefore`",
        &[
            Gives(r#"(.isBefore (LocalDate/parse "2024-03-01") (.plusDays (LocalDate/of 2024 2 29) 2))"#, "true"),
            Gives(r#"(.toEpochMilli (Instant/parse "1970-01-01T00:00:01Z"))"#, "1000"),
            Gives(
                r#"(.toMillis (Duration/between (Instant/parse "1970-01-01T00:00:01Z") (Instant/parse "1970-01-01T00:00:02Z")))"#,
                "1000",
            ),
        ],
    ),
    row(
        "They compare and sort",
        &[
            Gives(
                r#"(= (LocalDate/of 2024 1 2) (second (sort [(LocalDate/parse "2024-01-02") (LocalDate/parse "2024-01-01")])))"#,
                "true",
            ),
            Gives(r#"(compare (LocalDate/of 2024 1 1) (LocalDate/of 2024 1 2))"#, "-1"),
        ],
    ),
    row(
        "`Long/parseLong` with a base, `Long/toBinaryString`",
        &[Gives(r#"[(Long/parseLong "ff" 16) (Long/toBinaryString 5)]"#, r#"[255 "101"]"#)],
    ),
    row(
        "`Long/MAX_VALUE`; string methods such as `.indexOf`",
        &[Gives(r#"[Long/MAX_VALUE (.indexOf "abc" "c")]"#, "[9223372036854775807 2]")],
    ),
    row(
        "`'(1 2)`, `map`, `filter` and `rest` give vectors",
        &[
            Gives("(mapv vector? ['(1 2) (map inc [1]) (filter odd? [1]) (rest [1 2])])", "[true true true true]"),
            Gives("[(map inc [1 2]) (filter odd? [1 2])]", "[[2 3] [1]]"),
        ],
    ),
    row("`conj` and `into` append", &[Gives("[(conj '(1) 2) (into '(1) [2 3])]", "[[1 2] [1 2 3]]")]),
    row("`conj` appends", &[Gives("(conj '(1) 2)", "[1 2]")]),
    row("Lists are vectors", &[Gives("(vector? '(1 2))", "true")]),
    row(
        "`peek` and `pop` work at the end; `cons` puts in front",
        &[Gives("[(peek '(1 2)) (pop '(1 2)) (cons 0 [1])]", "[2 [1] [0 1]]")],
    ),
    row("One sequential type: ", &[Gives("[(vector? (list 1)) (vector? (vec '(1)))]", "[true true]")]),
    row("Different from Clojure:", &[]),
    row(
        "Only unbounded sequences are lazy",
        &[
            Gives("(let [n (atom 0)] (first (map (fn [x] (swap! n inc) x) [1 2 3])) @n)", "3"),
            Gives("(take 2 (map inc (iterate inc 0)))", "[1 2]"),
        ],
    ),
    row(
        "Characters are strings of one letter: `(= \\a \"a\")`",
        &[Gives(r#"(= \a "a")"#, "true"), Gives(r#"(first "abc")"#, r#""a""#)],
    ),
    row(
        "Integers have no bound",
        &[
            Gives("(* 9223372036854775807 4)", "36893488147419103228"),
            Gives("(inc 9223372036854775807)", "9223372036854775808"),
        ],
    ),
    row("Shifts drop what exceeds 64 bits", &[Gives("(bit-shift-left 6148914691236517205 2)", "6148914691236517204")]),
    row("`/` gives an integer when exact, else a float", &[Gives("[(/ 6 2) (/ 7 2)]", "[3 3.5]")]),
    row("`(= 1 1.0)`", &[Gives("(= 1 1.0)", "true")]),
    row(
        "`nth` out of range is nil, `subs` clamps its ends",
        &[Gives(r#"[(nth [1] 9) (subs "abc" 1 99)]"#, r#"[nil "bc"]"#)],
    ),
    row(
        "`contains?` on a vector looks for an element",
        &[Gives("[(contains? [5] 5) (contains? [5] 0)]", "[true false]")],
    ),
    row(
        "Maps and sets keep insertion order",
        &[
            Gives(
                "(keys (assoc (into {} (map (fn [n] [n n]) (range 20 0 -1))) :a 1))",
                "[20 19 18 17 16 15 14 13 12 11 10 9 8 7 6 5 4 3 2 1 :a]",
            ),
            Gives("(vec (conj #{3 1} 2))", "[3 1 2]"),
        ],
    ),
    row(
        "`str/split` and `str/replace` take a string literally",
        &[Gives(r#"[(str/split "a.b" ".") (str/replace "a.b" "." "-")]"#, r#"[["a" "b"] "a-b"]"#)],
    ),
    row(
        "`str/split` and `str/replace` take a regex or a literal string",
        &[Gives(
            r#"[(str/split "a.b" ".") (str/split "a1b" #"\d") (str/replace "a.b" "." "-") (str/replace "a1b" #"\d" "-")]"#,
            r#"[["a" "b"] ["a" "b"] "a-b" "a-b"]"#,
        )],
    ),
    row("`str/split` takes a string literally", &[Gives(r#"(str/split "a.b" ".")"#, r#"["a" "b"]"#)]),
    row(
        "Patterns have no look-around and no back-references",
        &[Fails(r#"(re-find #"(?=a)a" "a")"#, "look-ahead"), Fails(r#"(re-find #"(a)\1" "aa")"#, "back")],
    ),
    row(
        "calls nest up to 10,000 deep",
        &[
            Gives("(defn f [n] (if (= n 0) 0 (inc (f (dec n))))) (f 9990)", "9990"),
            Fails("(defn f [n] (if (= n 0) 0 (inc (f (dec n))))) (f 10001)", "call depth exceeded 10000"),
        ],
    ),
    row("Time (usually 5 s) and memory are limited", &[Test("", usual_limits)]),
    row("Added: `sum avg sum-by avg-by min-by max-by pluck distinct-by`", &[SUMS, PICKS]),
    row(
        "Added: `sum avg sum-by avg-by min-by max-by pluck distinct-by combinations zip`, as in `(sum-by :kg rows)`",
        &[SUMS, PICKS, Gives("[(combinations [1 2 3] 2) (zip [1 2] [3 4])]", "[[[1 2] [1 3] [2 3]] [[1 3] [2 4]]]")],
    ),
    row("`(where :kg > 2)` is a predicate", &[Gives("(map :id (filter (where :kg > 2) data/parcels))", "[1 3]")]),
    row("Each answer is one program in a sandboxed Clojure", &[Fails(r#"(slurp "a")"#, "no file I/O")]),
    row(
        "Ordinary Clojure works (destructuring, `for`, `loop`, `atom`, `try`, transducers, `str/`, `set/`)",
        &[
            Gives("(let [{:keys [a]} {:a 1}] a)", "1"),
            Gives("(for [x [1 2] :when (odd? x)] x)", "[1]"),
            Gives("(loop [n 0] (if (< n 3) (recur (inc n)) n))", "3"),
            Gives("@(atom 1)", "1"),
            Gives("(try (/ 1 0) (catch Exception e :no))", ":no"),
            Gives("(into [] (map inc) [1])", "[2]"),
            Gives("[(str/trim \" a\") (set/union #{1} #{2})]", r#"["a" #{1 2}]"#),
        ],
    ),
    row(
        "Ordinary Clojure works: `loop`, `atom`, transducers, `format`, regex literals",
        &[
            Gives("(let [{:keys [a]} {:a 1}] (for [x [a 2] :when (odd? x)] x))", "[1]"),
            Gives("(loop [n 0] (if (< n 3) (recur (inc n)) @(atom n)))", "3"),
            Gives("(try (/ 1 0) (catch Exception e :no))", ":no"),
            Gives(r#"[(into [] (map inc) [1]) (format "%.2f" 1.0) (re-find #"\d+" "a12")]"#, r#"[[2] "1.00" "12"]"#),
        ],
    ),
    row(
        "`str/`, `set/`, `Math/` and `json/parse-string` need no `require`",
        &[
            Gives(
                r#"[(str/trim " a") (set/union #{1} #{2}) (Math/sqrt 16) (json/parse-string "[1]")]"#,
                r#"["a" #{1 2} 4.0 [1]]"#,
            ),
            Gives("(require '[clojure.string :as s]) (s/trim \" a\")", r#""a""#),
        ],
    ),
    row(
        "A wrong name is refused before anything runs",
        &[Run(&[r#"(tool/weigh {:id 1}) (uper-case "a")"#, "(return 1)"], &[Shows(2, "upper-case"), Calls(0)])],
    ),
    row(
        "macros, records, multimethods, ratios",
        &[
            Fails("(defmacro m [x] x)", "no macros"),
            Fails("(defrecord R [a])", "use maps"),
            Fails("(defmulti f :a)", "use case, cond"),
            Fails("1/2", "ratios are not supported"),
        ],
    ),
    row(
        "and Java (no `Base64`) except dates as in java.time: `LocalDate/parse`, `Instant`, `.plusDays`, `ChronoUnit`, `DateTimeFormatter`",
        &[
            Gives(r#"(.toEpochMilli (Instant/parse "1970-01-01T00:00:01Z"))"#, "1000"),
            Fails("(java.util.Base64/getEncoder)", "java.util.Base64"),
            Gives(
                r#"(.between ChronoUnit/DAYS (LocalDate/parse "2024-02-28") (.plusDays (LocalDate/of 2024 2 28) 2))"#,
                "2",
            ),
            Gives(r#"(.format (LocalDate/of 2024 3 1) (DateTimeFormatter/ofPattern "dd.MM.yyyy"))"#, r#""01.03.2024""#),
        ],
    ),
    row(
        "Lists are vectors: `conj` and `into` append, `cons` puts in front",
        &[Gives("[(conj '(1 2) 3) (into '(1 2) [3]) (cons 0 '(1))]", "[[1 2 3] [1 2 3] [0 1]]")],
    ),
    row(
        "files, network, macros and most of Java are not there",
        &[Fails("(defmacro m [x] x)", "no macros"), Fails("(StringBuilder.)", "use str")],
    ),
    row(
        "also in `bit-and`, `bit-or`, `bit-xor`, `bit-not`",
        &[
            Gives("(bit-and 18446744073709551615 255)", "255"),
            Gives("(bit-or 18446744073709551616 1)", "18446744073709551617"),
            Gives("(bit-xor 0xcbf29ce484222325 97)", "14695981039346656068"),
            Gives("(bit-not 18446744073709551615)", "-18446744073709551616"),
        ],
    ),
    row(
        "`unchecked-add` and `unchecked-multiply` wrap there",
        &[
            Gives("(unchecked-add 9223372036854775807 1)", "-9223372036854775808"),
            Gives("(unchecked-multiply 9223372036854775807 2)", "-2"),
        ],
    ),
    row("`Long/bitCount`", &[Gives("(Long/bitCount 255)", "8")]),
    row(
        "Dates as in java.time: `LocalDate`, `LocalDateTime`, `ZonedDateTime`, `YearMonth`, `Instant`, `Duration`, `Period`, `ChronoUnit/DAYS`, `DateTimeFormatter/ofPattern`, `DayOfWeek/MONDAY`",
        &[
            Gives(r#"(str (.toLocalDate (LocalDateTime/parse "2024-03-01T10:00")))"#, r#""2024-03-01""#),
            Gives(
                r#"(str (.toLocalDate (ZonedDateTime/parse "2024-03-01T10:00+01:00[Europe/Oslo]")))"#,
                r#""2024-03-01""#,
            ),
            Gives("(str (YearMonth/of 2024 3))", r#""2024-03""#),
            Gives(r#"(.toEpochMilli (Instant/parse "1970-01-01T00:00:01Z"))"#, "1000"),
            Gives(
                r#"(.toMillis (Duration/between (Instant/parse "1970-01-01T00:00:01Z") (Instant/parse "1970-01-01T00:00:02Z")))"#,
                "1000",
            ),
            Gives("(.getDays (Period/between (LocalDate/of 2024 3 1) (LocalDate/of 2024 3 4)))", "3"),
            Gives("(.between ChronoUnit/DAYS (LocalDate/of 2024 2 28) (LocalDate/of 2024 3 1))", "2"),
            Gives(r#"(.format (LocalDate/of 2024 3 1) (DateTimeFormatter/ofPattern "dd.MM.yyyy"))"#, r#""01.03.2024""#),
        ],
    ),
    row("`.getDayOfWeek`", &[Gives("(= DayOfWeek/MONDAY (.getDayOfWeek (LocalDate/of 2024 3 4)))", "true")]),
    row(
        "in collections one prints as `#date \"2024-03-01\"`",
        &[Gives("[(LocalDate/of 2024 3 1)]", "[#date \"2024-03-01\"]")],
    ),
    row(
        "`(doc tool/x)` and `(apropos \"day\")` print details",
        &[
            Run(&["(doc tool/weigh)", "(return 1)"], &[Shows(2, "tool/weigh (id :int)"), Returns("1")]),
            Run(&[r#"(apropos "day")"#, "(return 1)"], &[Shows(2, "LocalDate/ofEpochDay"), Returns("1")]),
        ],
    ),
    row(
        "Patterns have no look-around and no back-references",
        &[Fails(r#"(defn f [s] (re-find #"(?=a)a" s))"#, "look-ahead")],
    ),
];

/// The limits of a program when a mission sets none.
fn usual_limits() -> Result<(), String> {
    let limits = ptc_lisp::Limits::default();
    let holds = limits.time.as_secs() == 5 && limits.memory < u64::MAX;
    if holds { Ok(()) } else { Err(format!("{limits:?}")) }
}
