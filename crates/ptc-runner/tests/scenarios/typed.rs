//! Tools and answers that are types of Rust: what the model reads of them, and what it is told of values that do not fit.

use ptc_runner::agent::ProgramSession;
use ptc_runner::chat::OutputMode;
use ptc_runner::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::{Played, play, play_on};

/// How urgent a ticket is.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
enum Urgency {
    /// Answer within a week.
    Low,
    /// Answer today.
    High,
    /// Call at once.
    OnFire,
}

/// Finds tickets.
#[derive(Deserialize, JsonSchema)]
struct Find {
    /// Words that must all occur; case does not matter.
    text: String,
    /// At most this many.
    #[serde(default = "twenty")]
    #[schemars(range(min = 1, max = 100))]
    limit: u32,
    /// `newest-first` or `oldest-first`.
    #[serde(default = "newest")]
    order: String,
    /// Only tickets of this customer.
    customer: Option<String>,
}

fn twenty() -> u32 {
    20
}

fn newest() -> String {
    "newest-first".to_owned()
}

#[derive(Deserialize, JsonSchema)]
struct SetUrgency {
    /// The number after the hash sign, without it.
    ticket: u32,
    /// What it should become.
    urgency: Urgency,
}

#[derive(Deserialize, JsonSchema)]
struct Id {
    id: u32,
}

#[derive(Serialize, JsonSchema)]
struct Person {
    name: String,
    /// E.164, with the plus.
    phone: Option<String>,
}

#[derive(Serialize, JsonSchema)]
struct Ticket {
    id: u32,
    /// In the words of the customer.
    text: String,
    urgency: Urgency,
    reporter: Person,
}

async fn find(asked: Find) -> Result<Vec<u32>, ToolError> {
    assert_eq!((&*asked.text, &*asked.order, asked.customer), ("smoke", "newest-first", None));
    Ok((1..=asked.limit.min(3)).collect())
}

async fn set_urgency(asked: SetUrgency) -> Result<Urgency, ToolError> {
    if asked.ticket == 0 { Err(ToolError::new("tickets begin with 1")) } else { Ok(asked.urgency) }
}

async fn ticket(Id { id }: Id) -> Result<Ticket, ToolError> {
    let reporter = Person { name: "Ines".to_owned(), phone: None };
    Ok(Ticket { id, text: format!("Printer {id} smokes"), urgency: Urgency::High, reporter })
}

/// What happened.
#[derive(Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
struct Report {
    /// Numbers of the tickets that changed.
    changed: Vec<u32>,
    /// The highest urgency seen.
    highest: Urgency,
    /// One sentence for the manager.
    summary: Option<String>,
}

fn find_tool() -> FnTool {
    FnTool::new("find", "Finds tickets", find)
}

fn triage(programs: &[&str]) -> Played {
    let agent = Agent::builder("Set smoking printers on fire.")
        .tool(FnTool::new("set-urgency", "Sets the urgency of a ticket", set_urgency))
        .tool(find_tool())
        .tool(FnTool::new("ticket", "One ticket", ticket))
        .returns::<Report>();
    play(agent, programs)
}

#[test]
fn the_first_request_has_types_variants_defaults_and_comments() {
    let message = triage(&["(return {:changed [] :highest :low})"]).message(1);
    let tools = r#"
;; === tool/ ===
tool/find(text string, limit int = 20 (1 to 100), order string = "newest-first" ("newest-first", "oldest-first"), customer string?) -> [int]  ; Finds tickets
tool/set-urgency(ticket int, urgency #{:low :high :on-fire}) -> #{:low :high :on-fire}  ; Sets the urgency of a ticket
tool/ticket(id int) -> {id int, text string, urgency #{:low :high :on-fire}, reporter {name string, phone string?}}  ; One ticket
;; (doc tool/NAME) describes the parameters
;; call with named arguments, e.g. (tool/find {:text … :limit … :order … :customer …})
"#;
    assert!(message.contains(tools), "{message}");
    // The example of an answer has a real variant.
    let answer = r#"
The answer must have the type `{changed [:int (at least 0)] "Numbers of the tickets that changed.", highest #{:low :high :on-fire} "The highest urgency seen; low: Answer within a week; high: Answer today; on-fire: Call at once.", summary :string? "One sentence for the manager."}`.

Finish with `(return {:changed [], :highest :low, :summary "result"})`."#;
    assert!(message.ends_with(answer), "{message}");
}

#[test]
fn comments_of_parameters_and_results_are_printed_on_request() {
    let played = triage(&["(doc tool/find) (doc tool/ticket)", "(return {:changed [] :highest :low})"]);
    let printed = played.turn(1).prints().join("\n");
    let find = r#"tool/find (text :string, limit :int = 20 (1 to 100), order :string = "newest-first" ("newest-first", "oldest-first"), customer :string?) -> [:int]
Finds tickets
Finds tickets.
text string; Words that must all occur; case does not matter.
limit integer; format uint32; minimum 1; maximum 100; default 20; At most this many.
order string; default "newest-first"; `newest-first` or `oldest-first`.
customer string or null; Only tickets of this customer.
result array
"#;
    assert!(printed.starts_with(find), "{printed}");
    let ticket = r#"
result.text string; In the words of the customer.
result.urgency How urgent a ticket is.
result.urgency (case 1) string; always "low"; Answer within a week.
result.urgency (case 2) string; always "high"; Answer today.
result.urgency (case 3) string; always "on-fire"; Call at once.
result.reporter.name string
result.reporter.phone string or null; E.164, with the plus."#;
    assert!(printed.ends_with(ticket), "{printed}");
    // Where a model learns of it.
    assert!(played.requests[0].system.contains("`(doc tool/x)`"), "{}", played.requests[0].system);
}

#[test]
fn a_wrong_variant_is_told_to_the_model_and_not_to_the_host() {
    let programs = [
        "(def ids (tool/find {:text \"smoke\"})) (tool/set-urgency {:ticket 1 :urgency :burning})",
        "(def ids (tool/find {:text \"smoke\"}))\n(doseq [id ids] (tool/set-urgency {:ticket id :urgency :on-fire}))\n(return {:changed ids :highest :burning})",
        "(return {:changed ids :highest :on-fire :summary (:name (:reporter (tool/ticket {:id 7})))})",
    ];
    let played = triage(&programs);
    assert_eq!(played.outcomes(), "invalid_tool_args return_validation_failed ok");
    let wrong = "tool/set-urgency [urgency]: expected one of :low, :high, :on-fire, got :burning; ";
    assert!(played.message(2).contains(wrong), "{}", played.message(2));
    let told = "Got: {:changed [1 2 3] :highest :burning}\nProblems:\n- [highest]: expected one of :low, :high, :on-fire, got :burning\nCorrect the value and return it again.";
    assert!(played.message(3).contains(told), "{}", played.message(3));
    let report = Report { changed: vec![1, 2, 3], highest: Urgency::OnFire, summary: Some("Ines".to_owned()) };
    assert_eq!(played.step.value::<Report>().unwrap(), report);
}

#[test]
fn schemas_of_tools_have_variants_defaults_limits_and_comments() {
    let agent = Agent::builder("Find them.")
        .tool(find_tool())
        .tool(FnTool::new("set-urgency", "Sets the urgency of a ticket", set_urgency))
        .output(OutputMode::Text);
    let played = play_on(agent, json!({}), ["none"]);
    let [find, set_urgency] = &*played.requests[0].tools else { panic!("{:?}", played.requests[0].tools) };
    assert_eq!((&*find.name, &*find.description), ("find", "Finds tickets"));
    let parameters = json!({
        "text": {"type": "string", "description": "Words that must all occur; case does not matter."},
        "limit": {"type": "integer", "format": "uint32", "minimum": 1, "maximum": 100, "default": 20, "description": "At most this many."},
        "order": {"type": "string", "default": "newest-first", "description": "`newest-first` or `oldest-first`."},
        "customer": {"type": ["string", "null"], "description": "Only tickets of this customer."},
    });
    assert_eq!((&find.parameters["properties"], &find.parameters["required"]), (&parameters, &json!(["text"])));
    assert_eq!(&*set_urgency.name, "set_urgency");
    let named = json!({"$ref": "#/$defs/Urgency", "description": "What it should become."});
    assert_eq!(set_urgency.parameters["properties"]["urgency"], named);
    let variants = json!({
        "oneOf": [
            {"type": "string", "const": "low", "description": "Answer within a week."},
            {"type": "string", "const": "high", "description": "Answer today."},
            {"type": "string", "const": "on-fire", "description": "Call at once."},
        ],
        "description": "How urgent a ticket is.",
    });
    assert_eq!(set_urgency.parameters["$defs"]["Urgency"], variants);
}

#[test]
fn the_schema_of_an_answer_has_variants_and_comments_and_a_wrong_one_is_asked_again() {
    let agent = Agent::builder("Report.").returns::<Report>().output(OutputMode::Json);
    let answers = ["burning", ":low", "low"].map(|highest| format!(r#"{{"changed": [1], "highest": "{highest}"}}"#));
    let played = play_on(agent, json!({}), answers);
    let schema = played.requests[0].schema.as_ref().unwrap();
    let highest = &schema["properties"]["highest"];
    let about = "The highest urgency seen; low: Answer within a week; high: Answer today; on-fire: Call at once.";
    assert_eq!(highest, &json!({"type": "string", "enum": ["low", "high", "on-fire"], "description": about}));
    assert_eq!(schema["properties"]["summary"]["description"], "One sentence for the manager.");
    assert_eq!(schema["required"], json!(["changed", "highest"]));
    let first = played.message(1);
    assert!(first.contains(&format!("- `highest` (one of \"low\", \"high\", \"on-fire\") - {about}\n")), "{first}");
    assert!(first.contains("{\"changed\":[42],\"highest\":\"low\",\"summary\":\"result\"}"), "{first}");
    let told = "Error: [highest]: expected one of \"low\", \"high\", \"on-fire\", got \"burning\"\n";
    assert!(played.message(2).starts_with(told), "{}", played.message(2));
    assert!(played.message(3).contains("got \":low\"; did you mean \"low\"?\n"), "{}", played.message(3));
    let report = Report { changed: vec![1], highest: Urgency::Low, summary: None };
    assert_eq!(played.step.value::<Report>().unwrap(), report);
}

/// What may be left out.
#[derive(Deserialize, JsonSchema)]
struct Search {
    #[serde(default = "twenty")]
    limit: u32,
    #[serde(default)]
    tags: Vec<String>,
    #[serde(default)]
    deep: bool,
}

#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
enum Shape {
    Circle { r: f64 },
    Square { side: f64 },
}

/// As serde writes enums that say nothing else.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
enum Plain {
    Unit,
    Number(u32),
    Both { a: u32 },
}

#[derive(Deserialize, JsonSchema)]
struct Draw {
    shape: Shape,
    plain: Option<Plain>,
}

#[derive(Deserialize, JsonSchema)]
struct Small {
    byte: u8,
    signed: i8,
    pair: (u32, String),
    ch: char,
    #[serde(rename = "type")]
    kind: Option<String>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Strict {
    #[serde(alias = "identifier")]
    id: u32,
}

#[derive(Deserialize, JsonSchema)]
struct Outer {
    #[serde(flatten)]
    inner: Id,
    extra: Option<u32>,
}

#[derive(Deserialize, JsonSchema)]
struct Newtype(u32);

fn edges() -> Agent {
    let search = |it: Search| Ok::<_, ToolError>(format!("{} {:?} {}", it.limit, it.tags, it.deep));
    let draw = |it: Draw| Ok::<_, ToolError>(format!("{:?} {:?}", it.shape, it.plain));
    let small =
        |it: Small| Ok::<_, ToolError>(format!("{} {} {:?} {} {:?}", it.byte, it.signed, it.pair, it.ch, it.kind));
    let shapes = || Ok::<_, ToolError>(vec![Shape::Circle { r: 1.0 }, Shape::Square { side: 2.0 }]);
    let plains = || Ok::<_, ToolError>(vec![Plain::Unit, Plain::Number(3), Plain::Both { a: 1 }]);
    let builder = Agent::builder("Try.")
        .tool(FnTool::new("search", "Finds", search))
        .tool(FnTool::new("draw", "Draws", draw))
        .tool(FnTool::new("small", "Small", small))
        .tool(FnTool::new("strict", "Strict", |it: Strict| Ok::<_, ToolError>(it.id)))
        .tool(FnTool::new("flat", "Flat", |it: Outer| Ok::<_, ToolError>((it.inner.id, it.extra))))
        .tool(FnTool::new("newtype", "One number", |it: Newtype| Ok::<_, ToolError>(it.0)))
        .tool(FnTool::new("shapes", "All shapes", shapes))
        .tool(FnTool::new("plains", "All plains", plains));
    builder.build().unwrap()
}

/// The values of programs, or what is told of them.
fn values(programs: &[&str]) -> Vec<String> {
    let mut session = ProgramSession::new(&edges(), json!({}), RunOptions::new()).unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build().unwrap();
    let value = |program: &&str| {
        let outcome = runtime.block_on(session.run(program, &CancellationToken::new(), &mut |_| {}));
        outcome.value().map_or_else(|| outcome.problems()[0].text(), ToString::to_string)
    };
    programs.iter().map(value).collect()
}

#[test]
fn types_of_every_shape_have_a_signature() {
    let message = edges().preview_prompt(json!({})).unwrap().messages[0].content().into_owned();
    let tools = r"
;; === tool/ ===
tool/draw(shape {kind #{:circle}, r float} | {kind #{:square}, side float}, plain #{:Unit} | {Number int} | {Both {a int}}?) -> string  ; Draws
tool/flat(id int, extra int?) -> [int, int?]  ; Flat
tool/newtype(value int) -> int  ; One number
tool/plains() -> [#{:Unit} | {Number int} | {Both {a int}}]  ; All plains
tool/search(limit int = 20, tags [string] = [], deep bool = false) -> string  ; Finds
tool/shapes() -> [{kind #{:circle}, r float} | {kind #{:square}, side float}]  ; All shapes
tool/small(byte int (0 to 255), signed int (-128 to 127), pair [int, string], ch string (1 character), type string?) -> string  ; Small
tool/strict(id int) -> int  ; Strict
";
    assert!(message.contains(tools), "{message}");
}

#[test]
fn nil_stands_for_a_default() {
    let left_out = [
        "(tool/search {})",
        "(tool/search {:limit nil})",
        "(tool/search {:tags nil :deep nil})",
        "(let [opts {:tags []}] (tool/search {:limit (:limit opts) :tags (:tags opts) :deep (:deep opts)}))",
    ];
    assert_eq!(values(&left_out), [r#""20 [] false""#; 4]);
    assert_eq!(values(&["(tool/search {:limit 5 :tags [:a \"b\"]})"]), [r#""5 [\"a\", \"b\"] false""#]);
}

#[test]
fn arguments_of_every_shape_arrive_or_are_told() {
    let small =
        |fields: &str| format!("(tool/small (merge {{:byte 3 :signed -5 :pair [1 \"a\"] :ch \"x\"}} {{{fields}}}))");
    let cases = [
        ("(tool/draw {:shape {:kind :circle :r 1}})", r#""Circle { r: 1.0 } None""#),
        (
            "(tool/draw {:shape {:kind :square :side 1} :plain {:Number 3}})",
            r#""Square { side: 1.0 } Some(Number(3))""#,
        ),
        ("(tool/draw {:shape {:kind :square :side 1} :plain :Unit})", r#""Square { side: 1.0 } Some(Unit)""#),
        (&small(":type \"t\""), r#""3 -5 (1, \"a\") x Some(\"t\")""#),
        ("(tool/flat {:id 3 :extra 4})", "[3 4]"),
        ("(tool/newtype {:value 3})", "3"),
        ("(tool/newtype 3)", "3"),
        ("(tool/shapes)", "[{:kind :circle :r 1.0} {:kind :square :side 2.0}]"),
        ("(tool/plains)", "[:Unit {:Number 3} {:Both {:a 1}}]"),
        ("(tool/search {:limt 5})", "tool/search has no argument \"limt\" (did you mean \"limit\"?); "),
        ("(tool/search {:limit -1})", "tool/search [limit]: expected at least 0, got -1; "),
        ("(tool/search {:limit 5.5})", "tool/search [limit]: cannot coerce to integer, got float; "),
        (
            "(tool/search {:limit 5000000000})",
            "tool 'search' failed: the arguments do not fit: [limit]: invalid value: integer `5000000000`, expected u32 at ",
        ),
        (
            "(tool/draw {:shape {:kind :circel :r 1}})",
            "tool/draw [shape.kind]: expected one of :circle, :square, got :circel; did you mean :circle?; ",
        ),
        (&small(":byte 300"), "tool/small [byte]: expected 0 to 255, got 300; "),
        (&small(":pair [1]"), "tool/small [pair]: expected 2 items, got 1; "),
        (&small(":ch \"xy\""), "tool/small [ch]: expected 1 character, got 2: \"xy\"; "),
        ("(tool/strict {:id 1 :other 2})", "tool/strict has no argument \"other\"; it takes (id :int (at least 0)), "),
    ];
    let seen = values(&cases.map(|(program, _)| program));
    for ((program, expected), seen) in cases.iter().zip(&seen) {
        let ends_there = !expected.ends_with(' ');
        assert!(seen.starts_with(expected) && (!ends_there || seen == expected), "{program}: {seen}");
    }
}
