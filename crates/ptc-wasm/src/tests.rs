//! What JavaScript would see, without JavaScript.

use serde::Deserialize;
use serde_json::{Value as Json, json};

use crate::{Call, Programs};

fn programs(options: &Json, data: &Json) -> Programs {
    Programs::new(&options.to_string(), &data.to_string()).unwrap()
}

fn no_tool(call: &Call) -> Result<String, String> {
    Err(format!("no tool {}", call.name))
}

/// The outcome of a program in a fresh session, without what it used.
fn outcome(program: &str) -> Json {
    let mut report = serde_json::to_value(programs(&json!({}), &json!({})).run(program, &mut no_tool)).unwrap();
    report.as_object_mut().unwrap().remove("usage");
    report
}

#[test]
fn an_outcome_has_value_prints_and_definitions() {
    insta::assert_snapshot!(outcome("(def n 2) (defn f \"Twice.\" [x & more] (* n x)) (println \"hi\") {:a (f 4)}"), @r##"{"ok":true,"ending":"value","value":{"a":8},"text":"{:a 8}","prints":["hi"],"warnings":[],"calls":[],"definitions":[{"name":"n","type":"integer","text":"2"},{"name":"f","type":"#fn[...]","text":"#fn[x & more]","params":"x & more","doc":"Twice."}]}"##);
}

#[test]
fn a_problem_has_a_place_and_says_what_to_write() {
    let problems = outcome("(def n 1)\n  (reduc + [n])")["problems"].take();
    insta::assert_snapshot!(problems, @r#"[{"reason":"undefined_symbol","isLimit":false,"message":"undefined symbol 'reduc'. Did you mean 'reduce'?","text":"undefined symbol 'reduc'. Did you mean 'reduce'? at line 2, column 4","line":2,"column":4,"snippet":"undefined symbol 'reduc'. Did you mean 'reduce'?\nat line 2, column 4\n  |\n2 |   (reduc + [n])\n  |    ^\n"}]"#);
}

#[test]
fn problems_while_it_runs_name_the_functions() {
    let problems = outcome("(defn f [x] (+ x 1))\n(f \"a\")")["problems"].take();
    insta::assert_snapshot!(problems, @r#"[{"reason":"type_error","isLimit":false,"message":"+: expected numbers, got string and number; (parse-long s) and (parse-double s) read numbers, (str ...) joins texts","text":"+: expected numbers, got string and number; (parse-long s) and (parse-double s) read numbers, (str ...) joins texts at line 1, column 13 (in f)","line":1,"column":13,"snippet":"+: expected numbers, got string and number; (parse-long s) and (parse-double s) read numbers, (str ...) joins texts\nat line 1, column 13, in f\n  |\n1 | (defn f [x] (+ x 1))\n  |             ^\ncalled at line 2, column 1\n  |\n2 | (f \"a\")\n  | ^\n","frames":[{"function":"f","line":1,"column":13,"lineText":"(defn f [x] (+ x 1))","isEarlier":false},{"function":null,"line":2,"column":1,"lineText":"(f \"a\")","isEarlier":false}]}]"#);
}

#[test]
fn functions_are_called_with_json() {
    let mut programs = programs(&json!({"limits": {"fuel": 1_000}}), &json!({}));
    programs.run(
        "(def bonus 5)\n(defn score [{:keys [total]} by] (+ bonus (* by total)))\n(defn spin [] (recur))",
        &mut no_tool,
    );
    let mut call =
        |name: &str, args: &Json| serde_json::to_value(programs.call(name, &args.to_string(), &mut no_tool)).unwrap();
    assert_eq!(call("score", &json!([{"total": 20}, 2]))["value"], 45);
    let problem = call("score", &json!([{"total": "x"}, 2]))["problems"][0].take();
    insta::assert_snapshot!(problem["snippet"].as_str().unwrap(), @r"
    *: expected numbers, got number and string; (parse-long s) and (parse-double s) read numbers, (str ...) joins texts
    at line 2, column 43, in score
      |
    2 | (defn score [{:keys [total]} by] (+ bonus (* by total)))
      |                                           ^
    ");
    assert_eq!((&problem["frames"][0]["function"], &problem["frames"][0]["line"]), (&json!("score"), &json!(2)));
    assert_eq!(call("spin", &json!([]))["problems"][0]["reason"], "fuel_exceeded");
    assert_eq!(call("scor", &json!([]))["problems"][0]["reason"], "undefined_symbol");
    assert_eq!(call("score", &json!({}))["problems"][0]["reason"], "argument_error");
    assert_eq!(call("score", &json!([{"total": 1}, 1]))["value"], 6);
}

#[test]
fn tools_are_called_with_json_and_recorded() {
    let options = json!({"tools": {"twice": {"signature": "(n :int) -> :int", "description": "Doubles"}}});
    let mut programs = programs(&options, &json!({"n": 4}));
    let mut asked = Vec::new();
    let report = programs.run("(pmap (fn [i] (tool/twice {:n (+ i data/n)})) [1 2])", &mut |call| {
        asked.push(format!("{} {}", call.name, call.args.as_deref().unwrap()));
        if asked.len() == 1 { Ok("10".to_owned()) } else { Err("busy".to_owned()) }
    });
    let report = serde_json::to_value(report).unwrap();
    assert_eq!(asked, [r#"twice {"n":5}"#, r#"twice {"n":6}"#]);
    assert_eq!((&report["ok"], &report["calls"][0]["result"]), (&json!(false), &json!(10)));
    assert_eq!((&report["calls"][1]["error"], &report["calls"][1]["result"]), (&json!("busy"), &json!(null)));
    assert_eq!(report["problems"][0]["tool"], "twice");
}

#[test]
fn answers_are_json_or_nothing() {
    let mut programs = programs(&json!({"tools": {"t": {}}}), &json!({}));
    let mut ask = |answer: &str| {
        let report = programs.run("(tool/t {})", &mut |_| Ok(answer.to_owned()));
        let report = serde_json::to_value(report).unwrap();
        if report["ok"] == true { report["text"].clone() } else { report["problems"][0]["message"].clone() }
    };
    assert_eq!(ask(""), "nil");
    assert_eq!(ask("[9007199254740993]"), "[9007199254740993]");
    insta::assert_snapshot!(ask("{"), @r#""tool 't' failed: the result is not JSON: EOF while parsing an object at line 1 column 1""#);
}

#[test]
fn definitions_stay_and_are_completed() {
    let mut programs = programs(&json!({"tools": {"price": {}}}), &json!({"prices": [1], "a/b": 2}));
    programs.run("(defn mean-price [] 1)", &mut no_tool);
    assert_eq!(programs.complete("data/"), ["data/prices"]);
    assert_eq!(programs.complete("tool/"), ["tool/price"]);
    assert_eq!(programs.complete("mean"), ["mean-price"]);
    assert!(programs.complete("map").contains(&"mapcat".to_owned()));
    assert_eq!(programs.complete("").len(), 100);
    assert_eq!(serde_json::to_value(programs.definitions()).unwrap()[0]["name"], "mean-price");
}

#[test]
fn a_check_runs_nothing() {
    let programs = programs(&json!({}), &json!({}));
    let check = |program: &str| serde_json::to_value(programs.check(program)).unwrap();
    assert_eq!(check("(def x 1)"), json!({"ok": true, "problems": [], "warnings": []}));
    assert_eq!(check("(foo)")["problems"][0]["reason"], "undefined_symbol");
    assert!(programs.definitions().is_empty());
}

#[test]
fn limits_clock_and_seed_are_those_of_the_options() {
    let options = json!({"limits": {"fuel": 1000, "milliseconds": 2000, "depth": 50}, "seed": 7, "now": 1_500});
    let mut programs = programs(&options, &json!({}));
    let mut run = |program: &str| serde_json::to_value(programs.run(program, &mut no_tool)).unwrap();
    let stuck = run("(loop [] (recur))");
    assert_eq!(stuck["problems"][0]["reason"], "fuel_exceeded");
    assert_eq!(stuck["problems"][0]["isLimit"], true);
    assert_eq!(run("(.toEpochMilli (Instant/now))")["value"], 1_500);
    assert_eq!(run("(defn f [n] (inc (f n))) (f 1)")["problems"][0]["reason"], "recursion_limit_exceeded");
}

#[test]
fn wrong_options_are_named() {
    let error = |options: &str, data: &str| Programs::new(options, data).map(|_| ()).unwrap_err().to_string();
    insta::assert_snapshot!(error(r#"{"limit": {}}"#, "{}"), @r#"options of the session: unknown field `limit`, expected one of `tools`, `limits`, `seed`, `now` at line 1 column 8"#);
    insta::assert_snapshot!(error(r#"{"limits": {"fuel": 0}}"#, "{}"), @r#"limits: fuel must be above 0"#);
    insta::assert_snapshot!(error(r#"{"limits": {"memoryBytes": 4000000000}}"#, "{}"), @r#"limits: memoryBytes must be at most 1073741824, the memory that a module can be sure of; got 4000000000"#);
    insta::assert_snapshot!(error(r#"{"tools": {"t": {"signature": "(a :integr)"}}}"#, "{}"), @r#"tool t: signature, line 1, column 4: expected a type, found `:integr)`; `:integr` is not a type; types are :string, :int, :float, :bool, :keyword, :map, :any, lists like [:int], maps like {name :string} and {:string -> :int}, sets of values like #{:low :high} and alternatives like :int | :string"#);
    insta::assert_snapshot!(error("{}", "[1]"), @r#"data: expected a JSON object, whose keys programs read as data/KEY; got list[1]"#);
    insta::assert_snapshot!(error("{}", "{"), @r#"data: EOF while parsing an object at line 1 column 1"#);
}

#[test]
fn a_value_without_json_is_a_problem() {
    let deep = outcome("(reduce (fn [v _] [v]) [] (range 2000))");
    assert_eq!((&deep["ok"], &deep["ending"]), (&json!(false), &json!("error")));
    assert_eq!(deep["problems"][0]["reason"], "nesting_too_deep");
}

#[test]
fn the_language_explains_its_names() {
    let doc = serde_json::to_value(crate::reference::doc("clojure.string/join").unwrap()).unwrap();
    assert_eq!(doc["calls"], json!(["(join coll)", "(join separator coll)"]));
    assert_eq!(crate::reference::doc("reduc").unwrap_err().nearest.as_deref(), Some("reduce"));
}

#[derive(Deserialize)]
struct Gallery {
    tools: serde_json::Map<String, Json>,
    examples: Vec<Example>,
}

#[derive(Deserialize)]
struct Example {
    title: String,
    says: String,
    data: Option<String>,
    #[serde(default)]
    tools: Vec<String>,
    #[serde(default)]
    limits: Json,
    program: String,
    ends: String,
    text: Option<String>,
}

fn gallery() -> Gallery {
    toml::from_str(include_str!("../playground/gallery.toml")).unwrap()
}

fn session(example: &Example, tools: &serde_json::Map<String, Json>) -> Programs {
    let spec = |name: &String| {
        let mut tool = tools[name].clone();
        tool.as_object_mut().unwrap().remove("js").unwrap();
        (name.clone(), tool)
    };
    let tools: serde_json::Map<String, Json> = example.tools.iter().map(spec).collect();
    let limits = if example.limits.is_null() { json!({}) } else { example.limits.clone() };
    let options = json!({"tools": tools, "limits": limits});
    Programs::new(&options.to_string(), example.data.as_deref().unwrap_or("{}")).unwrap()
}

#[test]
fn programs_of_the_gallery_end_as_they_say() {
    let Gallery { tools, examples } = gallery();
    assert!(examples.len() >= 20);
    for example in &examples {
        // Programs with tools run in the browser, where their tools are.
        let mut programs = session(example, &tools);
        assert!(!example.says.is_empty(), "{} says nothing", example.title);
        if !example.tools.is_empty() && example.ends != "invalid_tool_args" {
            let check = serde_json::to_value(programs.check(&example.program)).unwrap();
            assert_eq!(check["ok"], true, "{}: {check}", example.title);
            continue;
        }
        let report = serde_json::to_value(programs.run(&example.program, &mut no_tool)).unwrap();
        let ends = if report["ending"] == "error" { &report["problems"][0]["reason"] } else { &report["ending"] };
        assert_eq!(*ends, *example.ends, "{}: {report}", example.title);
        if let Some(text) = &example.text {
            assert_eq!(report["text"], **text, "{}", example.title);
        }
    }
}
