//! The rules that the guide shows, attacked: they are copied.

use super::*;
use crate::GatewayFile;

const GUIDE: &str = include_str!("../../../../../docs/guide/gateway.md");

/// The example with rules, for reports under this root.
fn example(root: &str) -> GatewayFile {
    let fences = GUIDE.split("```toml,gateway\n").skip(1).map(|rest| rest.split("```").next().unwrap());
    let text = fences.filter(|text| text.contains("[policy.private]")).collect::<Vec<_>>();
    assert_eq!(text.len(), 1, "the guide has one example with rules");
    assert!(text[0].contains("/srv/reports/private/*"), "{}", text[0]);
    GatewayFile::from_text(format!("{root}/gateway.toml"), &text[0].replace("/srv/reports", root)).unwrap()
}

/// Tools of `server-filesystem`, with what they say about themselves: read-only, idempotent.
const TOOLS: [(&str, bool, bool); 13] = [
    ("read_file", true, false),
    ("read_text_file", true, false),
    ("read_media_file", true, false),
    ("read_multiple_files", true, false),
    ("write_file", false, true),
    ("edit_file", false, false),
    ("create_directory", false, true),
    ("list_directory", true, false),
    ("list_directory_with_sizes", true, false),
    ("directory_tree", true, false),
    ("move_file", false, false),
    ("search_files", true, false),
    ("get_file_info", true, false),
];

fn tool(name: &str, read_only: bool, idempotent: bool) -> OfferedTool {
    let mut tool = offer("files", name, read_only);
    tool.said.idempotent = idempotent;
    tool
}

/// All ways in which a call may have this text.
fn calls(text: &str) -> Vec<Json> {
    let mut calls = Vec::new();
    for name in ["path", "paths", "source", "destination", "filePath", "FILE_PATH", "uri", "x"] {
        for value in [
            json!(text),
            json!([text]),
            json!(["/open", [text]]),
            json!({"a": text}),
            json!({text: 1}),
            json!([{"b": [{"c": text}]}]),
        ] {
            calls.push(json!({ name: value, "content": "hello" }));
            calls.push(json!({"edits": [{"more": { name: value }}]}));
        }
    }
    calls
}

#[test]
fn no_spelling_of_a_path_gets_around_the_example_of_the_guide() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().display().to_string();
    std::fs::create_dir_all(folder.path().join("private")).unwrap();
    std::fs::create_dir_all(folder.path().join("open")).unwrap();
    std::fs::write(folder.path().join("private/a.txt"), "x").unwrap();
    let mut texts = [
        "/private/a.txt",
        "//private///a.txt",
        "/open/../private/a.txt",
        "/./private/./a.txt",
        "/private",
        "/private/",
        "/private/new/file",
        "\\private\\a.txt",
        "/open/%2e%2e/private/a.txt",
        "/Private/A.TXT",
    ]
    .map(|text| format!("{root}{text}"))
    .to_vec();
    texts.push(format!("file://{root}/private/a.txt"));
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("../private", folder.path().join("open/link")).unwrap();
        std::os::unix::fs::symlink(folder.path().join("private/a.txt"), folder.path().join("open/file")).unwrap();
        texts.extend(
            ["/open/link/a.txt", "/open/file", "/open/link/new", "/open/link/../private/a.txt"]
                .map(|text| format!("{root}{text}")),
        );
    }
    let policy = example(&root).policy;
    for (name, read_only, idempotent) in TOOLS {
        let tool = tool(name, read_only, idempotent);
        for args in texts.iter().flat_map(|text| calls(text)) {
            assert_eq!(policy.verdict(&tool, &args).ruling, PolicyAction::Deny, "{name} {args}");
        }
        // A folder above: a tool that walks through it, or moves it, is denied or asked about.
        let above = policy.verdict(&tool, &json!({"path": root, "source": root, "destination": "/elsewhere"})).ruling;
        if ["directory_tree", "search_files"].contains(&name) {
            assert_eq!(above, PolicyAction::Deny, "{name}");
        } else if name == "move_file" {
            assert_eq!(above, PolicyAction::Ask);
        }
        // What is open stays open.
        let open =
            policy.verdict(&tool, &json!({"path": format!("{root}/open/a.txt"), "content": "private/a.txt"})).ruling;
        let wanted = match name {
            "directory_tree" | "search_files" => PolicyAction::Deny,
            "edit_file" | "move_file" => PolicyAction::Ask,
            _ => PolicyAction::Allow,
        };
        assert_eq!(open, wanted, "{name}");
    }
}

#[test]
fn the_other_rules_of_the_example_hold_whatever_the_arguments_are() {
    let policy = example("/srv/reports").policy;
    let any = [json!({}), json!({"path": "/srv/reports/open"}), json!({"*": "*"}), json!({"amount": [1, {"a": null}]})];
    for server in ["files", "mail", ""] {
        for args in &any {
            let ruling = |tool: &str, read_only| policy.verdict(&offer(server, tool, read_only), args).ruling;
            assert_eq!(ruling("delete_mail", true), PolicyAction::Deny);
            assert_eq!(ruling("delete_", false), PolicyAction::Deny);
            assert_eq!(ruling("create_payment", true), PolicyAction::Ask);
            assert_eq!(ruling("create_payments", false), PolicyAction::Ask, "nothing is said about it");
        }
    }
    let offers: Vec<OfferedTool> = TOOLS.map(|(name, reads, idempotent)| tool(name, reads, idempotent)).to_vec();
    let mut idle = policy.idle(offers.iter());
    idle.sort_unstable();
    assert_eq!(idle, ["no-deletes", "payments"], "the other rules are about tools that there are");
}
