//! Lists of tools: what they say once, what they shorten, and when they are an index.

use insta::assert_snapshot;
use proptest::prelude::*;
use ptc_lisp::ToolSpec;
use ptc_lisp::signature::{Literal, Type};
use ptc_lisp::text::one_line;

use super::*;
use crate::TOOL_TOKENS;
use crate::words::section::SHARED_BEGINNING;

fn tool(name: &str, signature: &str, description: &str) -> ToolSpec {
    ToolSpec::new(name).signature(signature.parse().unwrap()).description(description)
}

fn listed(tools: &[ToolSpec], most_tokens: usize) -> String {
    tool_section(tools, most_tokens, true).unwrap()
}

const FILES: &str = "This tool belongs to the file system of the shop. It holds orders, bills, etc. in folders of one level, \
    and whoever wants to read a file must change to its folder first. Tool description: ";

#[test]
fn a_description_of_spaces_is_read_once() {
    let wide = format!("One.{}Two {}words.", " ".repeat(500_000), " ".repeat(500_000));
    assert!(listed(&[tool("a", "() -> :int", &wide)], usize::MAX).contains("tool/a() -> int  ; One. Two words."));
}

fn shop() -> Vec<ToolSpec> {
    vec![
        tool("cat", "(file_name :string) -> :any", &format!("{FILES}Display a file.")),
        tool("cd", "(folder :string) -> :any", &format!("{FILES}Change the folder.")),
        tool("fuel", "(unit #{\"l\" \"gal\"}) -> {level :float}", "Level of the tank."),
        tool("mv", "(source :string, target :string) -> :any", &format!("{FILES}Move a file.")),
    ]
}

#[test]
fn a_beginning_of_several_descriptions_is_said_once() {
    assert_snapshot!(listed(&shop(), TOOL_TOKENS), @r#"
    ;; === tool/ ===
    ;; Below, [A] stands for: This tool belongs to the file system of the shop. It holds orders, bills, etc. in folders of one level, and whoever wants to read a file must change to its folder first. Tool description:
    tool/cat(file_name string) -> any  ; [A] Display a file.
    tool/cd(folder string) -> any  ; [A] Change the folder.
    tool/fuel(unit #{"l" "gal"}) -> {level float}  ; Level of the tank.
    tool/mv(source string, target string) -> any  ; [A] Move a file.
    ;; any, json or text: def one result and print a part of it first: (println (subs (str r) 0 500))
    ;; call with named arguments, e.g. (tool/cat {:file_name …})
    "#);
    let few = listed(&shop()[..1], TOOL_TOKENS);
    assert!(few.contains(FILES.trim()) && !few.contains("[A]"), "{few}");
    let mut marked = shop();
    marked.push(tool("zip", "() -> :any", "Packs [A] and [B]."));
    assert!(listed(&marked, TOOL_TOKENS).contains("tool/cat(file_name string) -> any  ; [C] Display a file."));
}

#[test]
fn results_of_which_nothing_is_known_get_a_line_for_all() {
    let has_note =
        |tools: &[ToolSpec], hint| tool_section(tools, TOOL_TOKENS, hint).unwrap().matches(UNKNOWN_RESULTS).count();
    let known = tool("fuel", "() -> {level :float, note :any}", "Level of the tank.");
    assert_eq!(has_note(std::slice::from_ref(&known), true), 0);
    for unknown in ["() -> :any", "() -> :any?", "() -> :json-or-text"] {
        let tools = [known.clone(), tool("a", unknown, ""), tool("b", unknown, "")];
        assert_eq!((has_note(&tools, true), has_note(&tools, false)), (1, 0), "{unknown}");
    }
    assert_eq!(has_note(&[ToolSpec { unlisted: true, ..ToolSpec::new("a") }, known], true), 0);
}

#[test]
fn long_descriptions_end_after_a_sentence() {
    let line = |text: &str| ToolLine(&ToolSpec::new("a").description(text)).to_string();
    let long = "and so on ".repeat(30);
    assert_snapshot!(line(&format!("Reads a file, e.g. a log. Then {long}. End.")), @"tool/a() -> any  ; Reads a file, e.g. a log. ...");
    assert_snapshot!(line(&format!("Reads {long}")), @"tool/a() -> any  ; Reads and so on and so on and so on and so on and so on and so on and so on and so on and so on and so on and so on and so on and so on and so on and so on and so on and so on and so on and so on and so on and so on and so on and so on and so on and so on and so on and so on and so on and so on and ...");
    assert_snapshot!(line("Notion | Finds a page\nError Responses:\n400: wrong"), @"tool/a() -> any  ; Notion | Finds a page ...");
    assert_snapshot!(line("Sells.\n\nArgs: none"), @"tool/a() -> any  ; Sells. ...");
    assert_snapshot!(line("Price of\na stay. Rooms only."), @"tool/a() -> any  ; Price of a stay. Rooms only.");
}

#[test]
fn a_line_says_where_parameters_are_described() {
    let described =
        |text: &str| tool("mode", "(to :string \"The mode. One of: on, off\", by :int \"Who sets it\") -> :bool", text);
    assert_snapshot!(listed(&[described("Sets the mode.")], 2000), @r#"
    ;; === tool/ ===
    tool/mode(to string ("on", "off"), by int) -> bool  ; Sets the mode.
    ;; (doc tool/NAME) describes the parameters
    ;; call with named arguments, e.g. (tool/mode {:to … :by …})
    "#);
    assert_snapshot!(listed(&[described("Sets the mode.\n\nSlowly.")], 2000), @r#"
    ;; === tool/ ===
    tool/mode(to string ("on", "off"), by int) -> bool  ; Sets the mode. ...
    ;; ... marks what a line leaves out; (doc tool/NAME) prints all of a tool and describes its parameters
    ;; call with named arguments, e.g. (tool/mode {:to … :by …})
    "#);
}

#[test]
fn a_list_above_its_limit_is_an_index() {
    let long =
        "Takes what the shop has and gives it a name that is not taken yet, or fails with the names that are taken. ";
    let tools: Vec<ToolSpec> = (0..4)
        .map(|at| tool(&format!("name-{at}"), "(a :int) -> :any", &format!("Number {at}: {long}{long}")))
        .collect();
    assert_snapshot!(listed(&tools, 240), @r#"
    ;; === tool/ ===
    tool/name-0(a int) -> any  ; Number 0: Takes what the shop has and gives it a name that is not taken yet, or fails with the names that are taken. ...
    tool/name-1(a int) -> any  ; Number 1: Takes what the shop has and gives it a name that is not taken yet, or fails with the names that are taken. ...
    tool/name-2(a int) -> any  ; Number 2: Takes what the shop has and gives it a name that is not taken yet, or fails with the names that are taken. ...
    tool/name-3(a int) -> any  ; Number 3: Takes what the shop has and gives it a name that is not taken yet, or fails with the names that are taken. ...
    ;; ... marks what a line leaves out; (doc tool/NAME) prints all of a tool
    ;; any, json or text: def one result and print a part of it first: (println (subs (str r) 0 500))
    ;; call with named arguments, e.g. (tool/name-0 {:a …})
    "#);
    assert_snapshot!(listed(&tools, 120), @r#"
    ;; === tool/ ===
    ;; This is an index: (doc tool/NAME) prints how a tool is called, (apropos "word") finds tools
    tool/name-0  ; Number 0: Takes what the shop has and gives it a name...
    tool/name-1  ; Number 1: Takes what the shop has and gives it a name...
    tool/name-2  ; Number 2: Takes what the shop has and gives it a name...
    tool/name-3  ; Number 3: Takes what the shop has and gives it a name...
    ;; call with named arguments: (tool/NAME {:key value})
    "#);
    assert_snapshot!(listed(&tools, 0), @r#"
    ;; === tool/ ===
    ;; This is an index: (doc tool/NAME) prints how a tool is called, (apropos "word") finds tools
    tool/name-0
    tool/name-1
    tool/name-2
    tool/name-3
    ;; call with named arguments: (tool/NAME {:key value})
    "#);
    let short = short_tool_section(&tools, 0, 9).unwrap();
    assert_snapshot!(short, @r#"
    ;; === tool/ ===
    ;; This is an index: (doc tool/NAME) prints how a tool is called, (apropos "word") finds tools
    tool/name-0
    tool/name-1
    tool/name-2
    tool/name-3
    "#);
    assert_snapshot!(short_tool_section(&tools, 240, 9).unwrap(), @r#"
    ;; === tool/ ===
    tool/name-0(a int) -> any  ; Number...
    tool/name-1(a int) -> any  ; Number...
    tool/name-2(a int) -> any  ; Number...
    tool/name-3(a int) -> any  ; Number...
    "#);
}

/// Descriptions of sentences that often begin alike.
fn descriptions() -> impl Strategy<Value = String> {
    let sentence = prop::sample::select(vec![
        "This tool belongs to a simple shop that sells bread, cheese and wine to everyone who comes in. ",
        "Tool description: ",
        "It needs an account, e.g. the one of the owner; others see nothing of it. ",
        "Reads a page.\n",
        "Errors: 400 ",
        "[A] is a label. ",
        "Ω größer | ",
        ";; === data/ === ",
    ]);
    let word = "[a-zA-Z0-9.:;|\\[\\] \n]{0,12}";
    prop::collection::vec(prop_oneof![4 => sentence.prop_map(str::to_owned), 1 => word.prop_map(String::from)], 0..7)
        .prop_map(|sentences| sentences.concat())
}

fn tools() -> impl Strategy<Value = Vec<ToolSpec>> {
    let values = prop::collection::vec("[a-z]{1,6}", 1..9);
    prop::collection::vec((descriptions(), values), 1..24).prop_map(|tools| {
        let tool = |(at, (description, values)): (usize, (String, Vec<String>))| {
            let set = Type::OneOf(values.into_iter().map(Literal::String).collect());
            let signature = Signature::new(Some(vec![ptc_lisp::signature::Field::new("kind", set)]), Type::Any);
            ToolSpec::new(format!("t{at:02}")).signature(signature).description(description)
        };
        tools.into_iter().enumerate().map(tool).collect()
    })
}

/// The lines of the tools in a list, labels replaced by what they stand for.
fn expanded(list: &str) -> Vec<String> {
    let said = |line: &str| -> Option<(String, String)> {
        let (label, text) = line.strip_prefix(SHARED_BEGINNING)?.split_once("] stands for: ")?;
        Some((format!("  ; [{label}]"), format!("  ; {text}")))
    };
    let labels: Vec<(String, String)> = list.lines().filter_map(said).collect();
    let lines = list.lines().filter(|line| line.starts_with("tool/"));
    let whole = |line: &str| labels.iter().fold(line.to_owned(), |line, (label, text)| line.replacen(label, text, 1));
    lines.map(whole).collect()
}

proptest! {
    #[test]
    fn a_list_names_every_tool_in_order(tools in tools(), most in 0_usize..1_500) {
        let list = listed(&tools, most);
        let named: Vec<&str> = list.lines().filter_map(|line| line.strip_prefix("tool/")?.get(..3)).collect();
        let names: Vec<&str> = tools.iter().map(|tool| tool.name.as_str()).collect();
        prop_assert_eq!(named, names);
        let is_ours = |line: &str| line.starts_with("tool/") || line.starts_with(";; ");
        prop_assert!(list.lines().all(is_ours) && list.matches("\n;; ===").count() == 0, "{}", list);
        prop_assert!(Estimate.count(&list) <= most.max(Estimate.count(&listed(&tools, 0))));
    }

    #[test]
    fn lines_have_every_closed_set_and_the_beginnings_of_descriptions(tools in tools()) {
        for (line, tool) in expanded(&listed(&tools, usize::MAX)).iter().zip(&tools) {
            let signature = tool.signature.as_ref().unwrap().plain().to_string();
            let about = line.strip_prefix(&format!("tool/{}{signature}", tool.name)).expect("the signature");
            let about = about.strip_prefix("  ; ").unwrap_or_default();
            let (shown, is_whole) = about.strip_suffix("...").map_or((about, true), |shown| (shown.trim_end(), false));
            let all = one_line(tool.description.as_deref().unwrap());
            prop_assert!(all.starts_with(shown), "{} of {}", shown, all);
            prop_assert!(!is_whole || all.len() == shown.len() || all.ends_with("..."), "{} of {}", shown, all);
            prop_assert!(tool.details().contains(tool.description.as_deref().unwrap().trim()));
        }
    }

    #[test]
    fn saying_a_beginning_once_makes_no_list_longer(tools in tools()) {
        let list = listed(&tools, usize::MAX);
        let apart = expanded(&list).join("\n");
        let lines = list.lines().filter(|line| line.starts_with("tool/") || line.starts_with(SHARED_BEGINNING));
        let together = lines.collect::<Vec<_>>().join("\n");
        prop_assert!(together.len() <= apart.len(), "{}", together);
        #[cfg(feature = "tokens")]
        prop_assert!(crate::O200k.count(&together) <= crate::O200k.count(&apart), "{}", together);
    }
}
