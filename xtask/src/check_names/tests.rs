use std::path::Path;

use super::names::{Named, Place, of_source};
use super::rules::RULES;
use super::token::{Kind, tokens};
use super::{is_test, mission, source};
use crate::Workspace;

/// What the check says about a file of ptc-agent, one `line: text` each.
fn check(text: &str) -> Vec<String> {
    check_in("ptc-agent", text)
}

fn check_in(package: &str, text: &str) -> Vec<String> {
    let path = format!("crates/{package}/src/x.rs");
    source(Path::new(&path), text).iter().map(|problem| format!("{}: {}", problem.line, problem.text)).collect()
}

/// What the file declares, as `place owner.name`.
fn declared(text: &str) -> Vec<String> {
    let show = |Named { place, name, owner, .. }: &Named| format!("{place:?} {owner}.{name}");
    of_source(&tokens(text), "ptc-cli").iter().filter(|named| named.place != Place::Flag).map(show).collect()
}

#[test]
fn forbidden_names_are_found_at_their_place() {
    assert_eq!(
        check("/// Doc.\npub struct Step {\n    pub turns: Vec<Turn>,\n    pub trace: Vec<Turn>,\n}\n"),
        ["4: the field `Step.trace` is forbidden (BRK-002, CLN-001). Use `turns`."]
    );
    assert_eq!(
        check("impl<'a> AgentBuilder<'a> {\n    pub fn prompt(self, text: &str) -> Self { self }\n}"),
        ["2: the function `AgentBuilder::prompt` is forbidden (BRK-001, CLN-007). Use `mission`."]
    );
    assert_eq!(
        check("pub struct RunOptions { pub trace: bool }"),
        ["1: the field `RunOptions.trace` is forbidden (A-44). Use `keep_turns`."]
    );
    assert_eq!(
        check("use ptc_mission::Template as Prompt;"),
        ["1: the type `Prompt` is forbidden (BRK-003, CLN-002). Use `Template`."]
    );
    assert_eq!(check("pub struct Step { pub history: Vec<Turn> }").len(), 1);
    assert_eq!(check("pub enum Prompts { A }").len(), 1);
    assert_eq!(check("macro_rules! prompt { () => {} }").len(), 1);
    assert_eq!(check("pub mod prompt;\nmod template;").len(), 2);
    assert_eq!(check("pub struct Agent { debug: bool, user_prompt: String }").len(), 2);
    assert_eq!(
        check("pub struct PrintTraceOptions { pub view: View, pub raw: bool, pub messages: bool, pub system: bool }")
            .len(),
        2
    );
    assert_eq!(check("fn compress_history() {}").len(), 1);
    assert_eq!(check("pub type SubAgent = Agent;").len(), 1);
}

#[test]
fn keys_and_flags_are_names_too() {
    assert_eq!(check(r#"let x = json!({ "trace": turns, "turns": 1 });"#).len(), 1);
    assert_eq!(check("#[serde(rename = \"prompt\")]\nmission: String").len(), 1);
    assert_eq!(check(r#"map.insert("debug", value);"#).len(), 1);
    assert_eq!(
        check_in("ptc-cli", "#[derive(Args)]\nstruct RunArguments {\n    #[arg(long)]\n    debug: bool,\n}").len(),
        1
    );
    assert_eq!(check_in("ptc-cli", "struct A { #[arg(long = \"compress-history\")] compress: bool }").len(), 1);
    let found = mission(Path::new("docs/examples/x/mission.toml"), "prompt = \"x\"\n[agents.a]\nmission = \"y\"\n");
    assert_eq!(found.iter().map(|problem| problem.line).collect::<Vec<_>>(), [1]);
}

#[test]
fn the_same_words_elsewhere_are_free() {
    let free = [
        "//! The prompt of `Agent`, its trace and debug.\nstruct Turn { trace: u8 }",
        "pub struct Agent { system_prompt: Option<String>, prompt_limit: Option<u32>, mission: Template }",
        "impl Agent { pub fn preview_prompt(&self) {} pub fn system_prompt(&self) {} fn mission(&self) {} }",
        "pub mod debug;\npub mod system_prompt;",
        "pub struct SystemPrompt; pub struct SystemPromptOptions { pub prefix: String }",
        "fn f(prompt: &str) { let trace = 1; let debug = prompt; }",
        "let text = \"prompt: trace\"; let raw = r#\"{\"trace\": 1}\"#;",
        "match key { \"prompt\" => \"use `mission`\", _ => \"\" }",
        "impl Step { fn turns(&self) { struct Inner { trace: u8 } } }",
        "fn run(step: Step) { print(Step { turns: trace(1), ..step }) }",
    ];
    for text in free {
        assert_eq!(check(text), [""; 0], "{text}");
    }
    assert_eq!(check_in("ptc-llm", r#"json!({ "prompt": text })"#), [""; 0], "a provider's own key");
    assert_eq!(check_in("ptc-mission", "mod template;"), [""; 0]);
    assert_eq!(check_in("ptc-cli", "struct A { #[arg(long)] trace: Option<PathBuf> }"), [""; 0]);
}

#[test]
fn declarations_are_read_with_their_owners() {
    assert_eq!(
        declared(
            "pub(crate) struct A<T: Clone> { #[x(y = 1)] pub(crate) a: std::sync::Arc<T>, b: fn(c: u8) -> u8 }\nimpl<T: Clone> Show for A<T> where T: Copy { fn f(d: u8) { let e: u8 = d; } }"
        ),
        ["Type .A", "Field A.a", "Field A.b", "Function A.f"]
    );
    assert_eq!(
        declared("enum E { One, Two { x: u8 }, Three(u8) }\ntrait T { fn g(&self); }\nfn h() {}"),
        ["Type .E", "Field E.x", "Type .T", "Function T.g", "Function .h"]
    );
    assert_eq!(declared("fn f(x: impl Fn()) -> impl Iterator { Point { a: 1 } }"), ["Function .f"]);
    assert_eq!(declared("struct U; struct V(u8); impl U { fn a() {} }"), ["Type .U", "Type .V", "Function U.a"]);
}

#[test]
fn text_is_cut_as_rust_cuts_it() {
    let words = |text: &str| -> Vec<String> {
        tokens(text)
            .into_iter()
            .filter_map(|token| if let Kind::Word(word) = token.kind { Some(word) } else { None })
            .collect()
    };
    assert_eq!(words("a /* b */ c // d\ne"), ["a", "c", "e"]);
    assert_eq!(words(r#"a "b \" c" d"#), ["a", "d"]);
    assert_eq!(words("a r#\"b \" c\"# d '\"' e '\\'' f<'g>"), ["a", "d", "e", "f", "g"]);
    assert_eq!(words("r#type brr \"open"), ["r", "type", "brr"]);
    assert_eq!(tokens("\"a\nb\"\nc").last().map(|token| token.line), Some(3));
    for broken in ["\"", "'", "r#\"", "/*", "'\\", "é'é'", "\\", "{{{", "}}}"] {
        tokens(broken);
        source(Path::new("crates/x/src/x.rs"), broken);
    }
}

#[test]
fn every_rule_forbids_something_and_tests_are_exempt() {
    for rule in RULES {
        assert!(!rule.instead.is_empty() && !rule.id.is_empty());
    }
    assert!(is_test(Path::new("crates/a/src/b/tests.rs")));
    assert!(is_test(Path::new("crates/a/tests/c.rs")));
    assert!(!is_test(Path::new("crates/a/src/b.rs")));
}

#[test]
fn the_project_itself_has_no_forbidden_name() {
    let problems = super::check(&Workspace::of_this_run()).unwrap();
    assert_eq!(problems, []);
}
