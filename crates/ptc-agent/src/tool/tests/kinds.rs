//! Rust types with several kinds of values: what the model is told, what serde takes, and what it gives.

use std::fmt::Debug;

use insta::assert_snapshot;
use ptc_chat::ScriptedLlm;
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::check_with;
use crate::{Agent, FnTool, ToolError, blocking};

#[derive(Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
enum Shape {
    Dot,
    Circle { radius: f64 },
    Frame { wide: u32, high: u32 },
}

#[derive(Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "on", content = "to", rename_all = "snake_case")]
enum Switch {
    Off,
    Level(u8),
    Scene { name: String },
}

/// As serde writes enums that say nothing else.
#[derive(Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Decision {
    Approve,
    Reject { reason: String },
    Route(Vec<(f64, f64)>),
    Pair(String, u32),
}

#[derive(Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
enum Pick {
    Number(i64),
    Name(String),
    Between { from: i64, to: i64 },
}

#[derive(Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
struct Kinds {
    shape: Shape,
    switch: Switch,
    decision: Option<Decision>,
    picks: Vec<Pick>,
    pair: (String, u32),
}

/// A tool that gives its arguments back.
fn same<T: Serialize + DeserializeOwned + JsonSchema + Send + 'static>() -> FnTool {
    FnTool::new("same", "Returns its arguments", |it: T| Ok::<_, ToolError>(it))
}

fn signature<T: Serialize + DeserializeOwned + JsonSchema + Send + 'static>() -> String {
    same::<T>().spec().signature.as_ref().map(ToString::to_string).unwrap_or_default()
}

#[test]
fn each_kind_is_an_alternative() {
    assert_snapshot!(signature::<Kinds>(), @"(shape {kind #{:dot}} | {kind #{:circle}, radius :float} | {kind #{:frame}, wide :int (at least 0), high :int (at least 0)}, switch {on #{:off}} | {on #{:level}, to :int (0 to 255)} | {on #{:scene}, to {name :string}}, decision #{:approve} | {reject {reason :string}} | {route [[:float, :float]]} | {pair [:string, :int (at least 0)]}?, picks [:int | :string | {from :int, to :int}], pair [:string, :int (at least 0)]) -> {shape {kind #{:dot}} | {kind #{:circle}, radius :float} | {kind #{:frame}, wide :int, high :int}, switch {on #{:off}} | {on #{:level}, to :int} | {on #{:scene}, to {name :string}}, decision #{:approve} | {reject {reason :string}} | {route [[:float, :float]]} | {pair [:string, :int]}?, picks [:int | :string | {from :int, to :int}], pair [:string, :int]}");
}

#[test]
fn a_type_of_several_kinds_is_the_parameters_or_the_only_one() {
    assert_snapshot!(signature::<Shape>(), @"(kind #{:dot :circle :frame}, radius :float?, wide :int? (at least 0), high :int? (at least 0)) -> {kind #{:dot}} | {kind #{:circle}, radius :float} | {kind #{:frame}, wide :int, high :int}");
    assert_snapshot!(signature::<Decision>(), @"(value #{:approve} | {reject {reason :string}} | {route [[:float, :float]]} | {pair [:string, :int (at least 0)]}) -> #{:approve} | {reject {reason :string}} | {route [[:float, :float]]} | {pair [:string, :int]}");
    assert_snapshot!(signature::<(String, u32)>(), @"(value [:string, :int (at least 0)]) -> [:string, :int]");
    assert_snapshot!(check_with(same::<Shape>(), "(tool/same {:kind :circle :radius 2})"), @r#"{"kind":"circle","radius":2.0}"#);
    assert_snapshot!(check_with(same::<Shape>(), "(tool/same {:kind :dot :radius nil})"), @r#"{"kind":"dot"}"#);
    assert_snapshot!(check_with(same::<Decision>(), "(vector (tool/same :approve) (tool/same {:reject {:reason \"late\"}}))"), @r#"["approve",{"reject":{"reason":"late"}}]"#);
    assert_snapshot!(check_with(same::<(String, u32)>(), "(tool/same [\"a\" 2])"), @r#"["a",2]"#);
}

/// A program that calls the tool with these values.
fn calls(shape: &str, switch: &str, decision: &str, picks: &str, pair: &str) -> String {
    let args = format!("{{:shape {shape} :switch {switch} :decision {decision} :picks {picks} :pair {pair}}}");
    check_with(same::<Kinds>(), &format!("(let [made (tool/same {args})] [made (= made (tool/same made))])"))
}

#[test]
fn values_of_all_kinds_arrive_and_return() {
    assert_snapshot!(calls("{:kind :dot}", "{:on :off}", ":approve", "[1 \"a\" {:from 1 :to 2}]", "[\"a\" 1]"), @r#"[{"shape":{"kind":"dot"},"switch":{"on":"off"},"decision":"approve","picks":[1,"a",{"from":1,"to":2}],"pair":["a",1]},true]"#);
    assert_snapshot!(calls("{:kind :frame :wide 1 :high 2}", "{:on :level :to 3}", "{:reject {:reason \"late\"}}", "[]", "[\"a\" 1]"), @r#"[{"shape":{"kind":"frame","wide":1,"high":2},"switch":{"on":"level","to":3},"decision":{"reject":{"reason":"late"}},"picks":[],"pair":["a",1]},true]"#);
    assert_snapshot!(calls("{:kind \"circle\" :radius 1}", "{:on :scene :to {:name \"dusk\"}}", "{:route [[1 2.5]]}", "[]", "[\"a\" 1]"), @r#"[{"shape":{"kind":"circle","radius":1.0},"switch":{"on":"scene","to":{"name":"dusk"}},"decision":{"route":[[1.0,2.5]]},"picks":[],"pair":["a",1]},true]"#);
    assert_snapshot!(calls("{:kind :dot}", "{:on :off}", "{:pair [\"a\" 7]}", "[]", "[\"a\" 1]"), @r#"[{"shape":{"kind":"dot"},"switch":{"on":"off"},"decision":{"pair":["a",7]},"picks":[],"pair":["a",1]},true]"#);
    assert_snapshot!(calls("{:kind :dot}", "{:on :off}", "nil", "[]", "[\"a\" 1]"), @r#"[{"shape":{"kind":"dot"},"switch":{"on":"off"},"decision":null,"picks":[],"pair":["a",1]},true]"#);
}

/// What a wrong value is told, without the signature at its end.
fn wrong(shape: &str, switch: &str, decision: &str, picks: &str, pair: &str) -> String {
    let told = calls(shape, switch, decision, picks, pair);
    told.split_once("; it takes").map_or(told.clone(), |(told, _)| told.to_owned())
}

#[test]
fn what_has_none_of_the_kinds_is_told_before_the_call() {
    let dot = "{:kind :dot}";
    assert_snapshot!(wrong("{:kind :circel :radius 1}", "{:on :off}", "nil", "[]", "[\"a\" 1]"), @"tool/same [shape.kind]: expected one of :dot, :circle, :frame, got :circel; did you mean :circle?");
    assert_snapshot!(wrong("{:kind :circle}", "{:on :off}", "nil", "[]", "[\"a\" 1]"), @r#"tool/same [shape]: missing required field "radius""#);
    assert_snapshot!(wrong(dot, "{:on :level :to \"x\"}", "nil", "[]", "[\"a\" 1]"), @r#"tool/same [switch.to]: cannot coerce string "x" to integer"#);
    assert_snapshot!(wrong(dot, "{:on :level :to 300}", "nil", "[]", "[\"a\" 1]"), @"tool/same [switch.to]: expected 0 to 255, got 300");
    assert_snapshot!(wrong(dot, "{:on :off}", ":aprove", "[]", "[\"a\" 1]"), @"tool/same [decision]: expected #{:approve} | {reject {reason string}} | {route [[float, float]]} | {pair [string, int]}, got :aprove; did you mean :approve?");
    assert_snapshot!(wrong(dot, "{:on :off}", "{:reject {:why 1}}", "[]", "[\"a\" 1]"), @r#"tool/same [decision.reject]: missing required field "reason""#);
    assert_snapshot!(wrong(dot, "{:on :off}", "nil", "[[1]]", "[\"a\" 1]"), @"tool/same [picks.0]: expected int | string | {from int, to int}, got [1]");
    assert_snapshot!(wrong(dot, "{:on :off}", "nil", "[]", "[\"a\"]"), @"tool/same [pair]: expected 2 items, got 1");
}

/// What the first request asks for, what the second one was told of the first answer, and the value of the second one.
fn answers<T: DeserializeOwned + JsonSchema + Debug>(first: &str, second: &str) -> String {
    let agent = Agent::builder("Decide.").returns::<T>().build().expect("an agent");
    let llm = ScriptedLlm::replies([first, second]);
    let step = blocking::run(&agent, &llm, ()).expect("a run");
    let requests = llm.requests();
    let line = |request: usize, message: usize, begin: &str| {
        let text = requests[request].messages[message].content().into_owned();
        text.lines().find(|line| line.starts_with(begin)).unwrap_or_default().to_owned()
    };
    let (asked, example, told) = (line(0, 0, "The answer must"), line(0, 0, "Finish with"), line(1, 2, "- "));
    format!("{asked}\n{example}\n{told}\n{:?}", step.value::<T>())
}

#[test]
fn answers_of_several_kinds_are_asked_for_and_read() {
    assert_snapshot!(answers::<Shape>("(return {:kind :circle})", "(return {:kind :circle :radius 2})"), @r#"
    The answer must have the type `{kind #{:dot}} | {kind #{:circle}, radius :float} | {kind #{:frame}, wide :int (at least 0), high :int (at least 0)}`.
    Finish with `(return {:kind :dot})`.
    - [radius]: required field is missing
    Ok(Circle { radius: 2.0 })
    "#);
    assert_snapshot!(answers::<Decision>("(return :aprove)", "(return {:reject {:reason \"late\"}})"), @r#"
    The answer must have the type `#{:approve} | {reject {reason :string}} | {route [[:float, :float]]} | {pair [:string, :int (at least 0)]}`.
    Finish with `(return :approve)`.
    - expected #{:approve} | {reject {reason string}} | {route [[float, float]]} | {pair [string, int]}, got :aprove; did you mean :approve?
    Ok(Reject { reason: "late" })
    "#);
    assert_snapshot!(answers::<Vec<(String, Switch)>>("(return [[\"a\" {:on :levl}]])", "(return [[\"a\" {:on :level :to 3}] [\"b\" {:on :off}]])"), @r#"
    The answer must have the type `[[:string, {on #{:off}} | {on #{:level}, to :int (0 to 255)} | {on #{:scene}, to {name :string}}]]`.
    Finish with `(return [["result" {:on :off}]])`.
    - [0.1.on]: expected one of :off, :level, :scene, got :levl; did you mean :level?
    Ok([("a", Level(3)), ("b", Off)])
    "#);
}

/// What programs may leave out, and may give nil for.
#[derive(Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
struct Options {
    limit: u32,
    words: Vec<String>,
    exact: bool,
    pick: Option<Pick>,
    inner: Vec<Options>,
}

#[test]
fn nil_is_a_missing_field_where_there_is_a_default() {
    assert_snapshot!(check_with(same::<Options>(), "(tool/same {:limit nil :words nil :exact nil :pick nil :inner nil})"), @r#"{"limit":0,"words":[],"exact":false,"pick":null,"inner":[]}"#);
    assert_snapshot!(check_with(same::<Options>(), "(tool/same {:limit 3 :inner [{:limit nil :pick 4} {:words [\"a\"]}]})"), @r#"{"limit":3,"words":[],"exact":false,"pick":null,"inner":[{"limit":0,"words":[],"exact":false,"pick":4,"inner":[]},{"limit":0,"words":["a"],"exact":false,"pick":null,"inner":[]}]}"#);
    let agent = Agent::builder("Give options.").returns::<Options>().build().expect("an agent");
    let llm = ScriptedLlm::replies(["(return {:limit nil :words nil :exact true})"]);
    let step = blocking::run(&agent, &llm, ()).expect("a run");
    assert_eq!(step.value::<Options>().expect("options"), Options { exact: true, ..Options::default() });
}
