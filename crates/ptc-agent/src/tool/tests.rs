//! Tools over Rust functions: signatures, arguments, results, failures.

mod kinds;

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;
use std::time::Duration;

use insta::assert_snapshot;
use ptc_chat::ScriptedLlm;
use ptc_lisp::{BoxFuture, ToolCall, ToolResult, ToolSpec, Value};
use ptc_transcript::{ValueForm, json_of};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{FnTool, ToolError};
use crate::Agent;

#[derive(Deserialize, JsonSchema)]
struct Search {
    /// What to look for.
    text: String,
    view: Option<View>,
}

#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum View {
    #[default]
    Sea,
    Garden,
}

#[derive(Serialize, JsonSchema)]
struct Found {
    text: String,
    view: View,
    ids: Vec<u32>,
}

fn search(search: Search) -> Result<Found, String> {
    match search.text.as_str() {
        "" => Err("text is empty: say what to look for".to_owned()),
        "panic" => panic!("lost the index"),
        _ => Ok(Found { text: search.text, view: search.view.unwrap_or(View::Sea), ids: vec![3, 4] }),
    }
}

async fn parse(shift: i64, search: Search) -> Result<i64, ToolError> {
    if search.text == "sleep" {
        tokio::time::sleep(Duration::from_secs(100)).await;
    }
    Ok(search.text.parse::<i64>()? + shift)
}

/// Claims to return a number.
struct Liar(ToolSpec);

impl ptc_lisp::Tool for Liar {
    fn spec(&self) -> &ToolSpec {
        &self.0
    }

    fn call<'a>(&'a self, _: &'a ToolCall) -> BoxFuture<'a, ToolResult> {
        Box::pin(async { Ok(Value::string("many")) })
    }
}

/// The value of a program, or what the model would read.
fn check(program: &str) -> String {
    check_with(FnTool::new("search", "Finds", search), program)
}

/// As `check`, with this tool instead of `search`.
fn check_with(tool: FnTool, program: &str) -> String {
    let liar = Liar(ToolSpec::new("lie").signature("() -> :int".parse().expect("a signature")));
    let agent = Agent::builder("Test")
        .tool(tool)
        .tool(FnTool::with_state("parse", "Reads a number", 100, parse))
        .tool(liar)
        .build()
        .expect("an agent");
    let llm = ScriptedLlm::replies([program]);
    let runtime =
        tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build().expect("a runtime");
    let step = runtime.block_on(agent.run(&llm, ())).expect("a run");
    match step.turns()[0].error_message() {
        Some(message) => message,
        None => json_of(step.turns()[0].result(), ValueForm::Plain).to_string(),
    }
}

#[test]
fn types_become_signatures() {
    let signature = |tool: FnTool| tool.spec().signature.as_ref().map(ToString::to_string).unwrap_or_default();
    assert_snapshot!(signature(FnTool::new("search", "Finds", search)), @"(text :string, view #{:sea :garden}?) -> {text :string, view #{:sea :garden}, ids [:int]}");
    assert_snapshot!(signature(FnTool::with_state("parse", "Reads", 100, parse)), @"(text :string, view #{:sea :garden}?) -> :int");
    let double = |search: Search| async move { Ok::<_, ToolError>(search.text.repeat(2)) };
    assert_snapshot!(signature(FnTool::new("double", "Doubles", double)), @"(text :string, view #{:sea :garden}?) -> :string");
}

/// What a stay costs.
#[derive(Deserialize, JsonSchema)]
struct Stay {
    /// Name of the room, such as `attic`
    room: String,
    /// When it begins
    #[serde(default)]
    view: View,
    /// From one
    #[schemars(range(min = 1, max = 30))]
    nights: u32,
}

#[test]
fn comments_variants_and_defaults_of_types_are_kept() {
    let price = FnTool::new("price", "Price of a stay", |stay: Stay| {
        Ok::<_, ToolError>(format!("{} {:?} {}", stay.room, stay.view, stay.nights))
    });
    assert_snapshot!(price.spec().signature.as_ref().unwrap(), @"(room :string, view #{:sea :garden} = :sea, nights :int (1 to 30)) -> :string");
    assert_snapshot!(price.spec().details(), @r#"
    Price of a stay
    What a stay costs.
    room string; Name of the room, such as `attic`
    view default "sea"; When it begins
    view string; one of "sea", "garden"
    nights integer; format uint32; minimum 1; maximum 30; From one
    result string
    "#);
    assert_snapshot!(check_with(price, r#"(tool/price {:room "attic" :nights 2})"#), @r#""attic Sea 2""#);
}

/// A map from keys to values on both sides of a call.
#[derive(Serialize, Deserialize, JsonSchema)]
struct Rates {
    by_room: BTreeMap<String, f64>,
    views: HashMap<String, Vec<View>>,
    by_floor: BTreeMap<u8, bool>,
}

#[test]
fn hash_maps_are_maps_from_keys_to_values() {
    let same = FnTool::new("same", "Returns its arguments", |rates: Rates| Ok::<_, ToolError>(rates));
    let signature = same.spec().signature.as_ref().map(ToString::to_string);
    let fields = "by_room {:string -> :float}, views {:string -> [#{:sea :garden}]}, by_floor {:string -> :bool}";
    assert_eq!(signature, Some(format!("({fields}) -> {{{fields}}}")));
    let check = |program: &str| check_with(same.clone(), program);
    let call = "(tool/same {:by_room {:a-1 1 \"sea view\" \"2.5\"} :views {:a [:sea]} :by_floor {\"1\" true}})";
    assert_snapshot!(check(call), @r#"{"by_room":{"a-1":1.0,"sea view":2.5},"views":{"a":["sea"]},"by_floor":{"1":true}}"#);
    assert_snapshot!(check(&format!("(= [:sea] (get-in {call} [:views :a]))")), @"true");
    assert_snapshot!(check("(tool/same {:by_room {:a :dear} :views {} :by_floor {}})"), @"tool/same [by_room.a]: cannot coerce to float, got keyword; it takes (by_room {:string -> :float}, views {:string -> [#{:sea :garden}]}, by_floor {:string -> :bool}), e.g. (tool/same {:by_room ... :views ... :by_floor ...}) at line 1, column 22");
}

#[test]
fn calls_reach_the_function() {
    assert_snapshot!(check(r#"(tool/search {:text "a" :view :garden})"#), @r#"{"text":"a","view":"garden","ids":[3,4]}"#);
    assert_snapshot!(check(r#"(= :sea (:view (tool/search {:text "a"})))"#), @"true");
    assert_snapshot!(check(r#"(tool/parse {:text "7"})"#), @"107");
}

#[test]
fn functions_without_arguments_are_tools() {
    let called = |tool: FnTool| {
        let signature = tool.spec().signature.as_ref().map(ToString::to_string).unwrap_or_default();
        format!("{signature} {}", check_with(tool, "(return [(tool/now) (tool/now {})])"))
    };
    let later = || async { Ok::<_, ToolError>(7) };
    assert_snapshot!(called(FnTool::new("now", "The time", || Ok::<_, ToolError>(7))), @"() -> :int [7,7]");
    assert_snapshot!(called(FnTool::new("now", "The time", later)), @"() -> :int [7,7]");
    assert_snapshot!(called(FnTool::new("now", "The time", |()| Ok::<_, ToolError>(7))), @"() -> :int [7,7]");
    assert_snapshot!(called(FnTool::with_state("now", "The time", 7, |now: i32, ()| Ok::<_, ToolError>(now))), @"() -> :int [7,7]");
}

#[test]
fn functions_of_one_value_are_tools() {
    let called = |tool: FnTool, program: &str| {
        let signature = tool.spec().signature.as_ref().map(ToString::to_string).unwrap_or_default();
        format!("{signature} {}", check_with(tool, program))
    };
    let greet = |name: String| Ok::<_, ToolError>(format!("Hello {name}"));
    assert_snapshot!(called(FnTool::new("greet", "Greets", greet), r#"(tool/greet {:value "Ada"})"#), @r#"(value :string) -> :string "Hello Ada""#);
    let add = |all: Vec<i64>| Ok::<_, ToolError>(all.iter().sum::<i64>());
    assert_snapshot!(called(FnTool::new("add", "Adds", add), "(tool/add {:value [1 2 3]})"), @"(value [:int]) -> :int 6");
    let count = |views: Vec<View>| Ok::<_, ToolError>(views.len());
    assert_snapshot!(called(FnTool::new("count", "Counts", count), "(tool/count {:value [:sea :garden]})"), @"(value [#{:sea :garden}]) -> :int 2");
    let misspelt = called(FnTool::new("add", "Adds", add), "(tool/add {:values [1]})");
    assert!(misspelt.contains(r#"has no argument "values" (did you mean "value"?)"#), "{misspelt}");
}

#[test]
fn failures_are_told() {
    assert_snapshot!(check(r#"(tool/search {:text ""})"#), @"tool 'search' failed: text is empty: say what to look for at line 1, column 1");
    assert_snapshot!(check(r#"(tool/parse {:text "x"})"#), @"tool 'parse' failed: invalid digit found in string at line 1, column 1");
    assert_snapshot!(check(r#"(tool/parse {:text "sleep"})"#), @"tool 'parse' failed: no answer within 60000 ms at line 1, column 1");
    assert_snapshot!(check(r#"(tool/search {:text "panic"})"#), @"tool 'search' failed: it panicked: lost the index at line 1, column 1");
    assert_snapshot!(check("(tool/lie)"), @"tool 'lie' failed: its result does not fit its signature: expected int, got string at line 1, column 1");
    assert_snapshot!(check(r#"(tool/search {:text "a" :view :roof})"#), @"tool/search [view]: expected one of :sea, :garden, got :roof; it takes (text :string, view #{:sea :garden}?), e.g. (tool/search {:text ... :view ...}) at line 1, column 31");
}

#[test]
fn a_function_that_does_not_return_holds_nobody_up() {
    let (release, hold) = std::sync::mpsc::channel::<()>();
    let hold = Arc::new(std::sync::Mutex::new(hold));
    let stuck = |hold: Arc<std::sync::Mutex<std::sync::mpsc::Receiver<()>>>, _: Search| {
        let released = hold.lock().expect("one caller").recv_timeout(Duration::from_secs(60));
        released.map(|()| 1)
    };
    let tool = FnTool::with_state("stuck", "Blocks", hold, stuck).timeout(Duration::from_millis(20));
    let agent = Agent::builder("Test").tool(tool).build().expect("an agent");
    let began = std::time::Instant::now();
    let llm = ScriptedLlm::replies([r#"(return (try (tool/stuck {:text "x"}) (catch Exception e (ex-message e))))"#]);
    let step = crate::blocking::run(&agent, &llm, ()).expect("a run");
    assert_snapshot!(step.value::<String>().expect("a text"), @"tool 'stuck' failed: no answer within 20 ms");
    assert!(began.elapsed() < Duration::from_secs(30));
    drop(release);
}
