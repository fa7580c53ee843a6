use proptest::prelude::*;
use serde_json::json;

use super::*;
use crate::Document;

const FILE: &str = r#"# The gateway of the shop.
timeout = "5s"        # short
notes = """
[mcp.files]
not a header
"""
list = [
  [1],
[2] ]

[mcp.bank]
url = "http://127.0.0.1:1/mcp"

# Only reports.
[mcp.files]
command = ["sh", "files.sh"]
# with two variables
env = { A = "[mcp.x]", B = '2' }

[mcp.files.headers]
X = "1"

# Deletes need a person.
[policy.deletes]
decide = "ask"

[mcp."odd name"]
url = "http://127.0.0.1:2/mcp""#;

#[test]
fn one_table_is_removed_and_nothing_else() {
    let without = without_server(FILE, "files").unwrap();
    let expected = FILE.replace("[mcp.files]\ncommand = [\"sh\", \"files.sh\"]\n# with two variables\nenv = { A = \"[mcp.x]\", B = '2' }\n\n[mcp.files.headers]\nX = \"1\"\n", "");
    assert_eq!(without, expected);
    let odd = without_server(FILE, "odd name").unwrap();
    assert!(odd.ends_with("decide = \"ask\"\n"), "{odd}");
    assert_eq!(without_server(FILE, "x"), None);
    assert_eq!(without_server("mcp = { a = { url = \"http://h\" } }", "a"), None);
    assert_eq!(without_server("not toml", "a"), None);
    let dotted = without_server("[mcp]\n[ mcp . a ] # here\nurl = 'x'\n\n[mcp.b]\nurl = 'y'\n", "a");
    assert_eq!(dotted.as_deref(), Some("[mcp]\n\n[mcp.b]\nurl = 'y'\n"));
}

proptest! {
    /// What was added has the values that were meant, and removing it leaves the file as it was.
    #[test]
    fn an_added_table_is_what_was_meant_and_can_be_removed(
        name in "[a-z \\]\".#']{1,6}",
        words in prop::collection::vec("[ -~\\n\\u{7f}é]{0,8}", 1..4),
        variables in prop::collection::btree_map("[A-Z. \"]{1,4}", "[ -~\\t]{0,8}", 0..3),
        before in prop::sample::select(vec!["", "# mine\n", FILE, "[mcp.zz]\nurl = 'x'\n", "timeout = 5\n\n\n"]),
    ) {
        let before = if before.is_empty() || before.ends_with('\n') { before.to_owned() } else { format!("{before}\n") };
        prop_assume!(without_server(&before, &name).is_none());
        let mut entries = Map::new();
        entries.insert("command".to_owned(), json!(words));
        entries.insert("env".to_owned(), json!(variables));
        let text = with_table(&before, &["mcp", &name], &entries);
        let document = Document::new("g.toml", &text);
        let parsed = document.parse().unwrap();
        let servers = document.section(&parsed).get("mcp").unwrap().json().unwrap();
        prop_assert_eq!(&servers[name.as_str()], &Json::Object(entries));
        prop_assert_eq!(without_server(&text, &name), Some(before));
    }
}
