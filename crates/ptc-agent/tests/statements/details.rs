//! What only the full text says.

use ptc_agent::Agent;

use crate::proof::Expect::{Returns, Shows};
use crate::proof::Proof::{Fails, Gives, Run, Test};
use crate::world::run;
use crate::{Statement, row};

pub(crate) const STATEMENTS: &[Statement] = &[
    row(
        "A bare name means, in this order: a local, an own definition, the tool or data entry of that name, a builtin",
        &[
            Gives("(let [parcels 1] parcels)", "1"),
            Gives("(def parcels 2) (let [parcels 1] parcels)", "1"),
            Gives("(def parcels 2) parcels", "2"),
            Gives("(count parcels)", "3"),
            Gives("(:kg (weigh {:id 1}))", "2.5"),
            Gives("(def inc dec) (inc 1)", "0"),
        ],
    ),
    row(
        "If a tool and a data entry share it, the bare name is an error: write `tool/x` or `data/x`",
        &[
            Fails("scale", "exists in both tool/ and data/"),
            Gives("data/scale", "1"),
            Gives("(:kg (tool/scale {:id 1}))", "2.5"),
        ],
    ),
    row("A data entry named like a builtin needs `data/`", &[Gives("data/vals", "5"), Gives("(vals {:a 1})", "[1]")]),
    row(
        "`~{data/x.y}` in the mission stands for the value of `(get-in data/x [:y])`",
        &[Test("(get-in data/", fields_in_the_mission)],
    ),
    row("those of the examples below are made up", &[]),
    row(
        "The first message lists tools and data",
        &[Run(&["(return 1)"], &[Shows(1, "tool/weigh"), Shows(1, "data/parcels")])],
    ),
    row(
        "`;; Note:` lines point at code that ran but is probably a slip",
        &[Run(&["(conj '() 1)", "(return 1)"], &[Shows(2, ";; Note:"), Returns("1")]), Gives("1 ;; Note:", "1")],
    ),
    row("A tool takes one map, also for a single parameter", &[Gives("(:kg (tool/weigh {:id 7}))", "2.5")]),
    row("Bind what it gives, then work on it.", &[]),
    row(
        "Object keys are keywords; `(:id r)` and `(get r \"id\")` both find them",
        &[Gives(r#"(let [r (tool/weigh {:id 7})] [(keys r) (:id r) (get r "id")])"#, "[[:id :kg] 7 7]")],
    ),
    row(
        "`pmap` takes one function and many inputs, `pcalls` functions without parameters",
        &[Gives("[(pmap inc [1 2]) (pcalls #(inc 1) (fn [] 3))]", "[[2 3] [2 3]]")],
    ),
    row("Results come in the order of the inputs", &[Gives("(= (range 50) (pmap identity (range 50)))", "true")]),
    row(
        "Instead of what is not there: functions for macros; maps for records; `case` or a map of functions for multimethods",
        &[Gives("[(case 1 1 :a) (({:a inc} :a) 1)]", "[:a 2]")],
    ),
    row(
        "`pmap`, `pcalls` and `atom` for threads; tools for files and network",
        &[Gives("(let [n (atom 0)] [(pmap inc [1]) (pcalls #(swap! n inc)) @n])", "[[2] [1] 1]")],
    ),
    row(
        "`parse-long`, `parse-double` and `json/parse-string` for `read-string`; floats for decimals",
        &[
            Gives(r#"[(parse-long "1") (parse-double "1.5") (json/parse-string "[1]") 1.5M]"#, "[1 1.5 [1] 1.5]"),
            Fails(r#"(read-string "1")"#, "parse-long"),
        ],
    ),
    row(
        "`zero?`, `pos?` and `neg?` are false for what is not a number",
        &[Gives(r#"[(zero? "a") (pos? nil) (neg? :a)]"#, "[false false false]")],
    ),
    row("`type` gives a keyword", &[Gives(r#"[(type 1) (type "a")]"#, "[:number :string]")]),
    row("`(int \\a)` is 97", &[Gives(r"(int \a)", "97")]),
    row(
        "An unknown escape in a string stays as written, so `\"\\d+\"` is fine in `re-pattern`",
        &[Gives(r#"(re-find (re-pattern "\d+") "a12")"#, r#""12""#)],
    ),
    row(
        "`(some #{x} coll)` looks for an element of any collection",
        &[Gives("[(some #{5} [4 5]) (some #{5} #{5})]", "[5 5]")],
    ),
    row(
        "Arguments or a collection: `max`, `min` and `+` take arguments (use `apply`), `sum` and `avg` a collection",
        &[
            Gives("[(max 1 2) (min 1 2) (+ 1 2) (apply max [1 2]) (sum [1 2]) (avg [1 3])]", "[2 1 3 2 3 2.0]"),
            Fails("(max [1 2])", "(apply max coll)"),
        ],
    ),
    row(
        "`sort-by` takes key, comparator, collection, in this order",
        &[Gives("(sort-by :kg > [{:kg 1} {:kg 3}])", "[{:kg 3} {:kg 1}]")],
    ),
    row(
        "Predicates such as `empty?`, `nil?`, `string?` and `some?` end in `?`",
        &[Gives(r#"[(empty? []) (nil? nil) (string? "a") (some? 1)]"#, "[true true true true]")],
    ),
    row("`some` gives the first truthy result", &[Gives("(some :a [{:b 1} {:a 3}])", "3")]),
    row(
        "`index-of` and `re-find` give nil when nothing is found, not -1 or false",
        &[Gives(r#"[(index-of "a" "x") (re-find #"x" "a")]"#, "[nil nil]")],
    ),
    row(
        "`parse-long` and `parse-double` give nil for bad text",
        &[Gives(r#"[(parse-long "4x") (parse-double "x")]"#, "[nil nil]")],
    ),
    row(
        "Arithmetic on nil or on text is an error",
        &[Fails("(+ 1 nil)", "expected numbers"), Fails(r#"(* 2 "1")"#, "expected numbers")],
    ),
    row(
        "`->` puts the value first (maps: `assoc`, `update`, `get`, `dissoc`, `select-keys`, `update-vals`), `->>` last (sequences: `map`, `filter`, `reduce`, `sort-by`)",
        &[
            Gives(
                "(-> {:a 1 :b 2 :c 3} (assoc :d 4) (update :a inc) (dissoc :b) (select-keys [:a :d]) (update-vals inc) (get :a))",
                "3",
            ),
            Gives("(->> [3 1 2] (sort-by -) (map inc) (filter odd?) (reduce +))", "3"),
        ],
    ),
    row(
        "A field of one map is `(:k m)`, a field of many maps `(map :k ms)`",
        &[Gives("[(:k {:k 1}) (map :k [{:k 1} {:k 2}])]", "[1 [1 2]]")],
    ),
    row("A map walked as a sequence gives `[key value]` pairs", &[Gives("(map identity {:a 1})", "[[:a 1]]")]),
    row("Keywords and strings differ: `(= :open \"open\")` is false", &[Gives(r#"(= :open "open")"#, "false")]),
    row("`where` treats them alike", &[Gives(r#"((where :s = "open") {:s :open})"#, "true")]),
    row(
        "To cents: `(/ (round (* 100 x)) 100.0)` or `(format \"%.2f\" x)`; `round`, `floor` and `ceil` give integers",
        &[Gives(
            r#"[(let [x 1.234] (/ (round (* 100 x)) 100.0)) (format "%.2f" 1.234) (round 2.5) (floor 2.5) (ceil 2.5)]"#,
            r#"[1.23 "1.23" 3 2 3]"#,
        )],
    ),
    row(
        "A `key` is a keyword, a path such as `[:to :city]`, or a function",
        &[Gives(
            "(let [ms [{:to {:city 2}}]] [(sum-by [:to :city] ms) (sum-by (fn [m] (count m)) ms) (map key {:a 1})])",
            "[2 1 [:a]]",
        )],
    ),
    row(
        "Numbers: `(sum xs)`, `(avg xs)`, `(sum-by key xs)`, `(avg-by key xs)`; nil values are skipped",
        &[Gives(
            "[(sum [1 nil]) (avg [1 nil]) (sum-by :a [{:a 1} {:a nil}]) (avg-by :a [{:a 1} {}])]",
            "[1 1.0 1 1.0]",
        )],
    ),
    row(
        "Picking: `(min-by key xs)`, `(max-by key xs)`, `(find pred xs)`, `(pluck key xs)`, `(distinct-by key xs)`",
        &[Gives(
            "(let [xs [{:a 1} {:a 2} {:a 2}]] [(min-by :a xs) (max-by :a xs) (find :a xs) (pluck :a xs) (distinct-by :a xs)])",
            "[{:a 1} {:a 2} {:a 1} [1 2 2] [{:a 1} {:a 2}]]",
        )],
    ),
    row(
        "Grouping: `(group-by key xs)`, `(frequencies xs)`, then `update-vals`",
        &[Gives("[(update-vals (group-by odd? [1 2 3]) count) (frequencies [1 1])]", "[{true 2 false 1} {1 2}]")],
    ),
    row(
        "Tests of fields: `(where key)`, `(where key op value)` with `= not= > < >= <= in includes`",
        &[
            Gives(
                "[((where :a) {:a 1}) ((where :a = 1) {:a 1}) ((where :a not= 1) {:a 1}) ((where :a > 1) {:a 1})]",
                "[true true false false]",
            ),
            Gives(
                r#"[((where :a < 1) {:a 1}) ((where :a >= 1) {:a 1}) ((where :a <= 1) {:a 1}) ((where :a in [1]) {:a 1}) ((where :a includes "b") {:a "abc"})]"#,
                "[false true true true true]",
            ),
        ],
    ),
    row(
        "combine them with `all-of`, `any-of` and `none-of`",
        &[Gives(
            "(map #(% {:a 1}) [(all-of (where :a) (where :b)) (any-of (where :a) (where :b)) (none-of (where :a) (where :b))])",
            "[false true false]",
        )],
    ),
    row(
        "A missing field never matches `>` or `<`, and never fails",
        &[Gives("[((where :a > 1) {}) ((where :a < 1) {})]", "[false false]")],
    ),
    row(
        "Others: `(combinations xs n)`, `(zip xs ys)`, `(entries m)`, `(extract re s)`, `(extract-int re s)`, `(json/parse-string s)`, `(json/generate-string v)`",
        &[
            Gives("[(combinations [1 2] 2) (zip [1] [2]) (entries {:a 1})]", "[[[1 2]] [[1 2]] [[:a 1]]]"),
            Gives(
                r#"[(extract #"a(\d+)" "a12") (extract-int #"\d+" "a12" 0) (json/parse-string "[1]") (json/generate-string [1])]"#,
                r#"["12" 12 [1] "[1]"]"#,
            ),
        ],
    ),
    row(
        "After `return` and `fail` nothing runs, from any depth",
        &[Gives("(defn f [] (return 7)) [(f) (fail 8)]", "7"), Gives("(map (fn [x] (fail x)) [1 2])", "failed 1")],
    ),
    row("`catch` does not see them", &[Gives("(try (return 1) (catch Exception e 2))", "1")]),
];

fn fields_in_the_mission() -> Result<(), String> {
    let seen = run(Agent::builder("Pack {{order.items}}"), &["(return (get-in data/order [:items]))"]);
    let request = seen.request(1);
    let holds = request.starts_with("Pack ~{data/order.items}")
        && seen.step.value::<Vec<i64>>().is_ok_and(|items| items == [1, 2]);
    if holds { Ok(()) } else { Err(request) }
}
