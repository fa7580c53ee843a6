//! What is found in small programs over small data.

mod generated;

use super::DataFields;
use crate::session::host::{ToolSpec, no_tools};
use crate::session::{Session, SessionOptions};
use crate::signature::{Field, Signature, Type};
use crate::value::{Name, Value};

const DATA: &str = r#"{
    "trips": [{"id": 1, "cost": 5, "city": "Rome", "owner": {"name": "Ada"}, "tags": ["a"], "_key": "x"},
              {"id": 2, "cost": 7, "city": "Oslo", "owner": null, "tags": [], "note": "late", "_key": "y"}],
    "cities": [{"city": "Rome", "area": 1285}], "prices": [{"Product": "a", "Unit Price": 2.5}, {"Product": "b", "Unit Price": 3}],
    "config": {"timeout": 5, "retry": {"limit": 3}},
    "none": [], "mixed": [{"cost": 1}, 5, "text"], "tree": {"value": 1, "children": [{"value": 2, "children": []}]}
}"#;

fn session() -> Session {
    let Ok(Value::Map(data)) = Value::from_json_str(DATA) else { panic!("a map") };
    let find = "(q :string) -> [{id :int, price :float}]";
    let pick = "() -> [#{:none} | {kind #{:one}, price :float} | {kind #{:all}, tags [:string]}]";
    let tool = |name: &str, text: &str| ToolSpec::new(name).signature(Signature::parse(text).unwrap());
    let tools = vec![tool("find", find), tool("pick", pick), ToolSpec::new("any")];
    Session::new(SessionOptions { data, tools, ..SessionOptions::default() })
}

/// What is found: `error` or `warning`, the message and its column, with `-` for nothing.
fn found_in(session: &Session, source: &str) -> String {
    let (problems, warnings) = match session.check(source) {
        Ok(warnings) => (Vec::new(), warnings),
        Err(problems) => (problems, Vec::new()),
    };
    let at = |start: u32| {
        let place = crate::parse::span::position(source, start);
        format!("at line {}, column {}", place.line, place.column)
    };
    let problems = problems.iter().map(|one| format!("{}: {}", one.reason, one.text()));
    let warnings = warnings.iter().filter(|one| one.code.as_str() == "unknown-field");
    let warnings = warnings.map(|one| format!("warning: {} {}", one.message, at(one.span.start)));
    let found: Vec<String> = problems.chain(warnings).collect();
    if found.is_empty() { "-".to_owned() } else { found.join(" | ") }
}

fn found(source: &str) -> String {
    found_in(&session(), source)
}

/// Each program has an error about `:cots`, with `:cost` as the suggestion.
#[track_caller]
fn cots_in_each(programs: &[&str]) {
    for source in programs {
        let found = found(source);
        assert!(
            found.starts_with("unknown_field: no ") && found.contains("has :cots; did you mean :cost?"),
            "{source}: {found}"
        );
        let corrected = source.replace("cots", "cost");
        assert_eq!(self::found(&corrected), "-", "{corrected}");
    }
}

#[track_caller]
fn silent_in_each(programs: &[&str]) {
    for source in programs {
        assert_eq!(found(source), "-", "{source}");
    }
}

#[test]
fn a_name_that_no_keyword_has_is_proposed_as_a_text() {
    let text = "unknown_field: no record of data/prices has :Unit_Price; did you mean \"Unit Price\"? No keyword has such a name: \
                write (get x \"Unit Price\") at line 1, column 6";
    assert_eq!(found("(map :Unit_Price data/prices)"), text);
    let text = "warning: no record of data/prices has :amount; there are :Product, \"Unit Price\" at line 1, column 6";
    assert_eq!(found("(map :amount data/prices)"), text);
    assert_eq!(found("(map #(get % \"Unit Price\") data/prices)"), "-");
}

#[test]
fn messages_name_the_data_the_key_and_the_nearest() {
    let text = "unknown_field: no record of data/trips has :cots; did you mean :cost? at line 1, column 9";
    assert_eq!(found("(sum-by :cots data/trips)"), text);
    let text = "unknown_field: data/config has no :timeot; did you mean :timeout? at line 1, column 4";
    assert_eq!(found("(+ (:timeot data/config) 1)"), text.replace("column 4", "column 5"));
    let text = "unknown_field: no record of data/trips :owner has :nmae; did you mean :name? at line 1, column 25";
    assert_eq!(found("(map #(get-in % [:owner :nmae]) data/trips)"), text.replace("column 25", "column 17"));
    let text = "unknown_field: no record of data/trips has :zzz; there are :id, :cost, :city, :owner, :tags, :note \
                at line 1, column 9";
    assert_eq!(found("(sum-by :zzz data/trips)"), text);
    let text = "unknown_field: no map made of data/trips here has :totl; did you mean :total? at line 1, column 10";
    assert_eq!(found("(sort-by :totl (map (fn [t] {:total (:cost t)}) data/trips))"), text);
}

#[test]
fn the_first_five_are_reported_in_order() {
    let found = found(
        "[(+ 1 (:a1 data/config)) (+ 1 (:a2 data/config)) (+ 1 (:a3 data/config)) (+ 1 (:a4 data/config)) \
                       (+ 1 (:a5 data/config)) (+ 1 (:a6 data/config))]",
    );
    let keys: Vec<&str> = found.split(" | ").map(|one| &one[one.find(" no ").unwrap() + 4..][..3]).collect();
    assert_eq!(keys, [":a1", ":a2", ":a3", ":a4", ":a5"]);
}

#[test]
fn it_follows_data_through_bindings_and_threads() {
    cots_in_each(&[
        "(let [ts data/trips t (first ts)] (+ 1 (:cots t)))",
        "(->> data/trips (filter :note) (map :cots) (reduce +))",
        "(-> data/trips first :cots inc)",
        "(some->> data/trips (map :cots) (apply max))",
        "(cond-> 0 true (+ (:cots (first data/trips))))",
        "(as-> data/trips ts (map :cots ts) (reduce + ts))",
        "(when-let [t (last data/trips)] (* 2 (:cots t)))",
        "(let [{:keys [cots]} (first data/trips)] (inc cots))",
        "(let [[{c :cots}] data/trips] (inc c))",
        "(let [{{:keys [limit]} :retry :as c} data/config] (+ limit (:cots (first data/trips))))",
        "(if (seq data/trips) (+ 1 (:cots (nth data/trips 0))) 0)",
        "(let [k :cots] (reduce + (map k data/trips)))",
    ]);
}

#[test]
fn it_follows_data_through_collections() {
    cots_in_each(&[
        "(sum-by :cots data/trips)",
        "(avg-by :cots data/trips)",
        "(sort-by :cots data/trips)",
        "(sort-by :cots > data/trips)",
        "(sort-by (juxt :city :cots) data/trips)",
        "(sort-by (fn [t] [(:city t) (- (:cots t))]) data/trips)",
        "(sort #(compare (:cots %1) (:cots %2)) data/trips)",
        "(group-by :cots data/trips)",
        "(update-vals (group-by :city data/trips) #(sum-by :cots %))",
        "(for [[city ts] (group-by :city data/trips)] {:city city :sum (reduce + (map :cots ts))})",
        "(reduce (fn [m t] (update m (:city t) (fnil + 0) (:cots t))) {} data/trips)",
        "(reduce (fn [sum t] (+ sum (:cots t))) 0 data/trips)",
        "(reduce #(max %1 (:cots %2)) 0 data/trips)",
        "(apply max-key :cots data/trips)",
        "(max-by :cots data/trips)",
        "(frequencies (map :cots data/trips))",
        "(set (map :cots data/trips))",
        "(distinct (map #(get % :cots) data/trips))",
        "(into {} (map (juxt :cots identity)) data/trips)",
        "(into {} (for [t data/trips] [(:cots t) t]))",
        "(zipmap (map :cots data/trips) data/trips)",
        "(filter #(> (:cots %) 5) data/trips)",
        "(remove (fn [t] (= 5 (:cots t))) data/trips)",
        "(filter (comp #{5 7} :cots) data/trips)",
        "(filter (where :cots > 5) data/trips)",
        "(count (filter #(and (:note %) (< 3 (:cots %))) data/trips))",
        "(doseq [t data/trips :when (pos? (:cots t))] (println t))",
        "(doseq [t data/trips] (println (:cots t)))",
        "(map-indexed (fn [i t] (* i (:cots t))) data/trips)",
        "(mapcat (fn [t] [(:id t) (inc (:cots t))]) data/trips)",
        "(partition-by :cots data/trips)",
        "(transduce (map :cots) + 0 data/trips)",
        "(into [] (comp (filter :note) (map #(inc (:cots %)))) data/trips)",
        "(reduce + (map :cots (concat data/trips (rest data/trips))))",
        "(loop [ts data/trips sum 0] (if (empty? ts) sum (recur (rest ts) (+ sum (:cots (first ts))))))",
        "(map (fn [[a b]] (- (:cots b) (:cots a))) (partition 2 1 data/trips))",
        "(mapv (fn [k] (reduce + (map k data/trips))) [:id :cots])",
        "(sum-by :cots (vals (into {} (map (juxt :id identity) data/trips))))",
        "(map (fn [t] (str (:city t) \": \" (:cots t))) data/trips)",
        "(reduce-kv (fn [m k ts] (assoc m k (sum-by :cots ts))) {} (group-by :city data/trips))",
        "(case (:cots (first data/trips)) 5 :five :other)",
        "(get {5 :five} (:cots (first data/trips)))",
        "(map :cots data/trips)",
        "(return {:cost (:cots (first data/trips))})",
        "(pluck :cots data/trips)",
    ]);
}

#[test]
fn it_follows_functions_and_definitions() {
    cots_in_each(&[
        "(defn price [t] (* 2 (:cots t))) (map price data/trips)",
        "(defn total [k ts] (reduce + (map k ts))) (total :cots data/trips)",
        "(def rich (filter :note data/trips)) (sum-by :cots rich)",
        "(def sums (map #(+ 1 (:cots %)) data/trips)) (reduce + sums)",
        "(let [f (comp inc :cots)] (map f data/trips))",
        "(map (partial (fn [k t] (+ k (:cots t))) 1) data/trips)",
        "(letfn [(price [t] (inc (:cots t)))] (map price data/trips))",
        "(defn f ([t] (f t 1)) ([t n] (+ n (:cots t)))) (f (first data/trips))",
    ]);
    let mut session = session();
    session.run(
        "(def rows (mapv #(assoc % :double (* 2 (:cost %))) data/trips)) (defn price [t] (inc (:cots t)))",
        &mut no_tools,
    );
    let text = "unknown_field: no record of rows has :duble; did you mean :double? at line 1, column 9";
    assert_eq!(found_in(&session, "(sum-by :duble rows)"), text);
    let text =
        "unknown_field: no record of rows has :cots, which price looks up; did you mean :cost? at line 1, column 1";
    assert_eq!(found_in(&session, "(map price rows)"), text);
    assert_eq!(found_in(&session, "(price {:cots 1})"), "-");
    assert_eq!(found_in(&session, "(map price [{:cots 1} (first rows)])"), "-", "some map that reaches it has the key");
}

#[test]
fn it_knows_what_a_change_makes_of_a_record() {
    cots_in_each(&[
        "(map #(+ (:cots %) (:day %)) (map #(assoc % :day 1) data/trips))",
        "(sum-by :cots (map #(select-keys % [:cost :id]) data/trips))",
        "(sum-by :cots (map #(dissoc % :id) data/trips))",
        "(sum-by :cots (map #(merge % {:day 1}) data/trips))",
        "(map #(update % :cots inc) data/trips)",
        "(map #(update-in % [:cots] inc) data/trips)",
        "(map #(select-keys % [:id :cots]) data/trips)",
        "(sum-by :cots (set/join data/trips data/cities))",
    ]);
    silent_in_each(&[
        "(sum-by :cots (map #(assoc % :cots 1) data/trips))",
        "(sum-by :cots (map #(merge % {:cots 1}) data/trips))",
        "(sum-by :cots (map #(set/rename-keys % {:cost :cots}) data/trips))",
        "(sum-by :cots (map #(into % [[:cots 1]]) data/trips))",
        "(sum-by :cots (map #(assoc % (keyword \"cots\") 1) data/trips))",
        "(sum-by :cots (map #(conj % {:cots 1}) data/trips))",
        "(sum-by :cots (map #(update % :cots (fnil inc 0)) data/trips))",
        "(sum-by :cots (map #(zipmap [:cots] [(:cost %)]) data/trips))",
        "(sum-by :area (set/join data/trips data/cities))",
        "(sum-by :cots (map #(tool/any %) data/trips))",
        "(sum-by :cots (concat data/trips [{:cots 1}]))",
    ]);
    let text = "unknown_field: no map made of data/trips here has :cost; did you mean :cots? at line 1, column 9";
    assert_eq!(found("(sum-by :cost (map #(set/rename-keys % {:cost :cots}) data/trips))"), text);
}

/// A key that is absent gives nil in Clojure, and programs that ask whether it is there mean it.
#[test]
fn tests_of_presence_are_silent() {
    silent_in_each(&[
        "(if (:cots (first data/trips)) 1 2)",
        "(map #(if (:cots %) (+ 1 (:cots %)) 0) data/trips)",
        "(map #(when-let [c (:cots %)] (inc c)) data/trips)",
        "(map #(if-some [c (:cots %)] (inc c) 0) data/trips)",
        "(map #(some-> % :cots inc) data/trips)",
        "(reduce + (map #(or (:cots %) (:cost %)) data/trips))",
        "(reduce + (map #(or (:cots %) 0) data/trips))",
        "(reduce + (map #(get % :cots 0) data/trips))",
        "(reduce + (map #(:cots % 0) data/trips))",
        "(reduce + (map #(get-in % [:owner :cots] 0) data/trips))",
        "(reduce + (keep :cots data/trips))",
        "(filter :cots data/trips)",
        "(remove :cots data/trips)",
        "(count (filter (comp nil? :cots) data/trips))",
        "(every? #(some? (:cots %)) data/trips)",
        "(some :cots data/trips)",
        "(filter #(= true (:cots %)) data/trips)",
        "(filter #(nil? (:cots %)) data/trips)",
        "(filter #(contains? % :cots) data/trips)",
        "(map #(if (contains? % :cots) (inc (:cots %)) 0) data/trips)",
        "(filter #(and (:cots %) (> (:cots %) 1)) data/trips)",
        "(cond (:cots data/config) (inc (:cots data/config)) :else 0)",
        "(let [{:keys [cots] :or {cots 0}} (first data/trips)] (inc cots))",
        "(let [{:keys [cots cost]} (first data/trips)] cost)",
        "(filter (where :cots) data/trips)",
        "(not (:cots data/config))",
        "(map #(dissoc % :cots) data/trips)",
        "(map #(update % :cots (fnil inc 0)) data/trips)",
    ]);
}

/// What is not known may have any key.
#[test]
fn unknown_maps_are_silent() {
    silent_in_each(&[
        "(sum-by :cots data/none)",
        "(let [k (keyword (str \"co\" \"ts\"))] (reduce + (map k data/trips)))",
        "(reduce + (map :cots (tool/any {})))",
        "(reduce (fn [acc t] (if (:best acc) acc (assoc acc :best t))) {} data/trips)",
        "(:cots {:cost 1})",
        "(defn f [t] (inc (:cots t))) (map f (conj data/trips (tool/any {})))",
        "(def cell (atom {})) (:cots @cell)",
        "(:zzz (frequencies (map :city data/trips)))",
        "(get (group-by :city data/trips) \"Paris\")",
        "(get (into {} (map (juxt :city :cost) data/trips)) \"Paris\")",
        "(map (fn [t] (:cots t)) [(tool/any {}) (first data/trips)])",
        "(let [f (fn [t] (inc (:cots t)))] (tool/any {:f (f {:cots 1})}) (map f data/trips))",
        "(walk/postwalk (fn [x] (if (map? x) (:zzz x) x)) data/tree)",
        "(defn sum [n] (+ (:value n) (reduce + (map sum (:children n))))) (sum data/tree)",
    ]);
}

/// A function that calls itself gives what it gives where such calls give anything.
#[test]
fn functions_that_call_themselves_are_followed() {
    let bump = "(defn bump [n] (assoc n :value (inc (:value n)) :children (map bump (:children n))))";
    let at = |path: &str| found(&format!("{bump} (inc (get-in (bump data/tree) {path}))"));
    assert_eq!(at("[:children 0 :value]"), "-");
    assert!(at("[:children 0 :vale]").contains("has :vale; did you mean :value?"), "{}", at("[:children 0 :vale]"));
    assert!(at("[:chidren 0 :value]").contains("has :chidren; did you mean :children?"));
    assert!(
        found("(defn sum [n] (+ (:vale n) (reduce + (map sum (:children n))))) (sum data/tree)")
            .contains(":vale; did you mean :value?")
    );
    silent_in_each(&[
        // Its calls of itself add a field, by an argument and in the result.
        "(defn f [n t] (if (pos? n) (f (dec n) (assoc t :cots n)) (:cots t))) (inc (f 3 (first data/trips)))",
        "(defn f [t] (if (:cots t) t (f (assoc t :cots 1)))) (inc (:cots (f (first data/trips))))",
        "(defn f [n] (if (pos? n) (assoc (f (dec n)) :cots n) (first data/trips))) (inc (:cots (f 3)))",
        "(defn f [n] (if (zero? n) {} (assoc (f (dec n)) (keyword (str n)) n))) (inc (:cots (merge (first data/trips) (f 3))))",
        // One calls the other.
        "(declare g) (defn f [n t] (if (pos? n) (g (dec n) t) t)) (defn g [n t] (f n (assoc t :cots n))) (inc (:cots (f 3 (first data/trips))))",
        // What it makes may have further keys.
        "(defn f [a b] (if (and (map? a) (map? b)) (merge-with f a b) b)) (inc (get-in (f {:retry {:cots 1}} data/config) [:retry :cots]))",
        // A function in a function that it made before.
        "(defn f [n k] (if (pos? n) (f (dec n) (fn [t] (k (assoc t :cots n)))) (k (first data/trips)))) (inc (f 3 (fn [t] (:cots t))))",
        "(defn f [n k] (if (pos? n) (f (dec n) (fn [t] (assoc (k t) (if (even? n) :cots :dogs) n))) (k (first data/trips)))) (inc (:cots (f 3 identity)))",
        "(defn f [& ts] (if (next ts) (apply f (rest ts)) (:cots (first ts)))) (inc (f (first data/trips) {:cots 1}))",
    ]);
}

/// JSON that is read again has the fields that were written.
#[test]
fn json_that_is_read_again_has_its_fields() {
    cots_in_each(&[
        "(reduce + (map :cots (json/parse-string (json/generate-string data/trips))))",
        "(let [text (json/generate-string (map #(select-keys % [:id :cost]) data/trips))] (sum-by :cots (json/parse-string text)))",
    ]);
    silent_in_each(&[
        "(sum-by :cots (json/parse-string (json/generate-string (map #(assoc % :cots 1) data/trips))))",
        "(sum-by :cots (json/parse-string (if (seq data/none) (json/generate-string data/trips) \"[{\\\"cots\\\": 1}]\")))",
    ]);
}

#[test]
fn what_may_be_meant_is_a_warning() {
    let text = "warning: no record of data/trips has :zzz; there are :id, :cost, :city, :owner, :tags, :note at line 1, column 6";
    assert_eq!(found("(map :zzz data/trips)"), text);
    assert_eq!(
        found("(println (:zzz data/config))"),
        "warning: data/config has no :zzz; there are :timeout, :retry at line 1, column 11"
    );
    assert!(found("(doseq [x (:items data/config)] (println x))").starts_with("warning"));
    // What fails is caught.
    assert!(found("(try (+ 1 (:cots (first data/trips))) (catch Exception e 0))").starts_with("warning"));
    assert!(found("(try (+ 1 (:cots (first data/trips))) (finally (println 1)))").starts_with("unknown_field"));
    assert!(found("(tool/any {:q (:zzz data/config)})").starts_with("warning"));
    let text =
        "warning: no known record of the result of tool/find has :prise; did you mean :price? at line 1, column 9";
    assert_eq!(found("(sum-by :prise (tool/find {:q \"x\"}))"), text);
    assert_eq!(found("(sum-by :price (tool/find {:q \"x\"}))"), "-");
    assert_eq!(found("(map (juxt :kind :price :tags) (tool/pick))"), "-");
    assert!(found("(map :prise (tool/pick))").contains("did you mean :price?"));
}

/// What a tool gave before is likely, and not more: other fields are warnings, whatever is done with them.
#[test]
fn observed_results_warn() {
    let observed = |results: &str, signature: Option<&str>| {
        let Value::Vector(results) = Value::from_json_str(results).unwrap() else { panic!("a list") };
        let signature = signature.map(|text| Signature::parse(text).unwrap());
        let tool = ToolSpec { signature, observed: results.into_vec(), ..ToolSpec::new("list") };
        Session::new(SessionOptions { tools: vec![tool], ..SessionOptions::default() })
    };
    let session =
        observed(r#"[[{"id": 1, "at": {"city": ""}, "tags": [], "_key": ""}], [{"id": 1, "open": true}]]"#, None);
    let found = |source: &str| found_in(&session, source);
    assert_eq!(
        found("(reduce + (map :idd (tool/list {})))"),
        "warning: no known record of the result of tool/list has :idd; did you mean :id? at line 1, column 16"
    );
    assert_eq!(
        found("(frequencies (map (fn [x] (get-in x [:at :ctiy])) (tool/list {:n 1})))"),
        "warning: no known record of the result of tool/list :at has :ctiy; did you mean :city? at line 1, column 37"
    );
    for known in [
        "(map :open (tool/list {}))",
        "(map :_key (tool/list {}))",
        "(:error (tool/list {}))",
        "(first (tool/list {}))",
    ] {
        assert_eq!(found(known), "-", "{known}");
    }
    let with = |results: &str, signature: Option<&str>| {
        found_in(&observed(results, signature), "(+ 1 (:totl (tool/list {})))")
    };
    let warning =
        "warning: no known record of the result of tool/list has :totl; did you mean :total? at line 1, column 7";
    assert_eq!(with(r#"[{"total": 1}]"#, None), warning);
    assert_eq!(with(r#"[{"total": 1}]"#, Some("() -> :any")), warning);
    assert!(!with(r#"[{"total": 1}]"#, Some("() -> {sum :int}")).contains(":total"));
    assert_eq!(with("[]", None), "-");
    assert_eq!(with("[5]", None), "-");
}

#[test]
fn declared_fields_may_be_missing_from_all_data() {
    let Ok(Value::Map(data)) = Value::from_json_str(DATA) else { panic!("a map") };
    let ty = Type::parse("[{id :int, cots :int?, owner {mail :string?}?}]").unwrap();
    let data_types = vec![Field::new("trips", ty)];
    let session = Session::new(SessionOptions { data, data_types, ..SessionOptions::default() });
    assert_eq!(found_in(&session, "[(sum-by :cots data/trips) (map #(get-in % [:owner :mail]) data/trips)]"), "-");
    assert!(found_in(&session, "(sum-by :cosst data/trips)").contains("did you mean :cost?"));
}

#[test]
fn hidden_fields_exist_and_are_not_listed() {
    assert_eq!(found("(map :_key data/trips)"), "-");
    assert!(!found("(sum-by :zzz data/trips)").contains("_key"));
}

/// Whatever the program, it is read with the same stack as others are.
#[test]
fn deep_and_large_programs_find_nothing() {
    let deep = format!("{}(:cots (first data/trips)){}", "(+ 1 ".repeat(180), ")".repeat(180));
    let large = format!("[{}]", "(+ 1 (:cots (first data/trips))) ".repeat(3_800));
    for source in [deep, large] {
        assert_eq!(found(&source), "-");
    }
}

#[test]
fn an_entry_of_the_data_is_examined_once_and_only_when_it_is_read() {
    let session = session();
    let known =
        |fields: &DataFields| fields.known.lock().unwrap().iter().map(|(name, _)| name.clone()).collect::<Vec<_>>();
    session.check("(count data/cities)").unwrap();
    assert!(known(&session.fields).is_empty());
    session.check("[(map :city data/cities) (map :area data/cities)]").unwrap();
    session.check("(map :city data/cities)").unwrap();
    assert_eq!(known(&session.fields), [Name::new("cities")]);
}

#[test]
fn what_the_program_made_itself_is_no_reason_to_examine_all_data() {
    let rows: Vec<String> = (0..100).map(|id| format!(r#"{{"id": {id}, "tags": []}}"#)).collect();
    let data = format!(r#"{{"rows": [{}]}}"#, rows.join(", "));
    let Ok(Value::Map(data)) = Value::from_json_str(&data) else { panic!("a map") };
    let is_sampled = |program: &str| {
        let session = Session::new(SessionOptions { data: data.clone(), ..SessionOptions::default() });
        let _ = session.check(program);
        let known = session.fields.known.lock().unwrap();
        known.iter().all(|(_, summary)| summary.is_sample)
    };
    for program in [
        "(loop [[r & more] data/rows best nil] (if r (recur more (if (or (nil? best) (> (:id r) (:id best))) r best)) (:id best)))",
        "(reduce (fn [m {:keys [id]}] (assoc m id (inc (get m id 0)))) {} data/rows)",
        "(:seen (reduce (fn [st r] (if (contains? (:seen st) (:id r)) st (update st :seen conj (:id r)))) {:seen #{} :last nil} data/rows))",
    ] {
        assert!(is_sampled(program), "{program}");
    }
    for program in ["(map :idd data/rows)", "(mapcat :tags data/rows)", "(map #(:a (first (:tags %))) data/rows)"] {
        assert!(!is_sampled(program), "{program}");
    }
}
