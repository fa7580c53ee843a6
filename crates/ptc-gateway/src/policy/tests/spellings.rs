//! Rules about paths and addresses, attacked with other spellings of the same ones.

use super::*;

/// A folder with `private/key`, `public/a.txt`, and links into `private` from outside and inside.
struct Tree(tempfile::TempDir);

impl Tree {
    fn new() -> Tree {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        for name in ["private/deep", "public", "other"] {
            std::fs::create_dir_all(root.join(name)).unwrap();
        }
        for name in ["private/key", "private/deep/key", "public/a.txt"] {
            std::fs::write(root.join(name), "x").unwrap();
        }
        #[cfg(unix)]
        {
            use std::os::unix::fs::symlink;
            symlink(root.join("private"), root.join("public/in")).unwrap();
            symlink("../private/key", root.join("public/key")).unwrap();
            symlink("in/deep", root.join("public/twice")).unwrap();
            symlink(root.join("private/new"), root.join("public/dangling")).unwrap();
            symlink(root.join("private/deep"), root.join("other/deep")).unwrap();
            symlink("loop", root.join("other/loop")).unwrap();
            // The folder under another name, which a rule may use.
            symlink(root, root.join("other/top")).unwrap();
        }
        Tree(folder)
    }

    fn root(&self) -> String {
        self.0.path().display().to_string()
    }

    /// A policy of this one rule, for tools in the folder.
    fn rule(&self, decide: &str, args: &str) -> Policy {
        policy(&format!("[policy.r]\ndecide = \"{decide}\"\nargs = {{ {args} }}\n")).in_folder("files", self.0.path())
    }
}

fn decides(policy: &Policy, args: &Json) -> bool {
    policy.verdict(&offer("files", "read", true), args).rule.is_some()
}

/// Texts that lead to `private/key` under this root.
fn spellings_of_the_key(root: &str) -> Vec<String> {
    let mut texts: Vec<String> = [
        "ROOT/private/key",
        "ROOT//private/key",
        "ROOT/./private/key",
        "ROOT/public/../private/key",
        "ROOT/private/./deep/..//key",
        "ROOT/private/key/",
        "ROOT/nothing/../private/key",
        "//ROOT/private/key",
        "/../ROOT/private/key",
        "ROOT\\private\\key",
        "ROOT/public\\..\\private/key",
        "private/key",
        "./private/key",
        "public/../private//key",
        "../NAME/private/key",
        "file://ROOT/private/key",
        "FILE://localhostROOT/private/key",
        "file:ROOT/private/key",
        "file://ROOT/public/%2e%2e/private/key",
        "ROOT/public/%2e%2E/private/key",
        "ROOT/public/%252e%252e%252fprivate/key",
        "ROOT%2Fprivate%2Fkey",
        "ROOT/PRIVATE/Key",
    ]
    .map(str::to_owned)
    .to_vec();
    if cfg!(unix) {
        let links = [
            "ROOT/public/in/key",
            "ROOT/public/key",
            "public/key",
            "ROOT/public/twice/../key",
            "ROOT/other/deep/../key",
            "ROOT/other/top/private/key",
            "ROOT/other/top/other/top/public/in/deep/../key",
            "file://ROOT/public/%69n/key",
        ];
        texts.extend(links.map(str::to_owned));
    }
    let name = root.rsplit('/').next().unwrap();
    texts.iter().map(|text| text.replace("ROOT", root).replace("NAME", name)).collect()
}

#[test]
fn a_rule_that_denies_a_folder_is_about_every_way_to_write_a_path_in_it() {
    let tree = Tree::new();
    let root = tree.root();
    let forms = [
        format!("{root}/private/*"),
        format!("{root}//public/../private/*"),
        "private/*".to_owned(),
        "*/private/*".to_owned(),
        format!("file://{root}/private/*"),
    ];
    for form in forms {
        for decide in ["deny", "ask"] {
            let policy = tree.rule(decide, &format!("path = \"{form}\""));
            for text in spellings_of_the_key(&root) {
                assert!(decides(&policy, &json!({"path": text})), "{form} misses {text}");
            }
            // The folder itself, and what does not exist yet.
            for text in ["/private", "/private/", "/public/../private", "/private/new"] {
                assert!(decides(&policy, &json!({"path": format!("{root}{text}")})), "{form} misses {text}");
            }
            if cfg!(unix) {
                for text in ["/public/in", "/public/dangling", "/public/in/new"] {
                    assert!(decides(&policy, &json!({"path": format!("{root}{text}")})), "{form} misses {text}");
                }
            }
            for text in ["/public/a.txt", "/private2/key", "/privat", "/other/loop/x", "/public/private.txt"] {
                assert!(!decides(&policy, &json!({"path": format!("{root}{text}")})), "{form} is not about {text}");
            }
        }
    }
}

#[cfg(unix)]
#[test]
fn the_folder_of_a_rule_may_be_a_link() {
    let tree = Tree::new();
    let root = tree.root();
    let denies = tree.rule("deny", &format!("path = \"{root}/other/top/private/*\""));
    // In another case it is another file on this system, and this rule names a link.
    for text in spellings_of_the_key(&root).iter().filter(|text| !text.ends_with("/PRIVATE/Key")) {
        assert!(decides(&denies, &json!({"path": text})), "{text}");
    }
    let allows = tree.rule("allow", &format!("path = \"{root}/other/top/public/*\""));
    assert!(decides(&allows, &json!({"path": format!("{root}/other/top/public/a.txt")})));
    assert!(!decides(&allows, &json!({"path": format!("{root}/other/top/public/in/key")})));
    // A file, and not all that is in a folder.
    let denies = tree.rule("deny", &format!("path = \"{root}/public/key\""));
    assert!(decides(&denies, &json!({"path": format!("{root}/private/key")})));
    assert!(!decides(&denies, &json!({"path": format!("{root}/private/deep")})));
}

#[test]
fn a_rule_that_allows_a_folder_allows_nothing_that_leads_out_of_it() {
    let tree = Tree::new();
    let root = tree.root();
    for form in [format!("{root}/public/*"), "public/*".to_owned(), "*public/*".to_owned()] {
        let policy = tree.rule("allow", &format!("path = \"{form}\""));
        let begins = if form.starts_with("public") { "public" } else { &format!("{root}/public") };
        for text in ["/a.txt", "/new/b.txt", "/b c.txt", "/100%25"] {
            assert!(decides(&policy, &json!({"path": format!("{begins}{text}")})), "{form} is about {text}");
        }
        let outside = [
            "/../private/key",
            "/x/../../private/key",
            "/..\\private\\key",
            "/%2e%2e/private/key",
            "/../../etc/passwd",
            "/..",
            "/%252e%252e/private/key",
        ];
        let links = ["/in/key", "/key", "/twice/key", "/dangling", "/in"];
        for text in outside.iter().chain(if cfg!(unix) { &links[..] } else { &[] }) {
            let text = format!("{begins}{text}");
            assert!(!decides(&policy, &json!({"path": text})), "{form} is not about {text}");
        }
        for text in spellings_of_the_key(&root) {
            assert!(!decides(&policy, &json!({"path": text})), "{form} is not about {text}");
        }
    }
}

#[test]
fn lists_and_maps_are_looked_into_under_any_spelling_of_the_name() {
    let tree = Tree::new();
    let root = tree.root();
    let (key, open) = (format!("{root}/public/../private/key"), format!("{root}/public/a.txt"));
    let by_name = tree.rule("deny", &format!("file-path = \"{root}/private/*\""));
    let by_any = tree.rule("deny", &format!("\"*\" = \"{root}/private/*\""));
    let by_part = tree.rule("deny", &format!("\"*path*\" = \"{root}/private/*\""));
    for args in [
        json!({"file_path": key}),
        json!({"filePath": [open, key]}),
        json!({"file-path": {"from": [[key]]}}),
        json!({"edits": [{"FILE_PATH": key}]}),
        json!({"file_path": {key.clone(): "x"}}),
        json!({"file_path": open, "filePath": key}),
    ] {
        for policy in [&by_name, &by_any, &by_part] {
            assert!(decides(policy, &args), "{args}");
        }
    }
    for args in
        [json!({"source": open, "destination": key}), json!({"sources": [{"to": key}]}), json!({"x": {key.clone(): 1}})]
    {
        assert!(decides(&by_any, &args) && !decides(&by_name, &args), "{args}");
    }
    let allows = tree.rule("allow", &format!("paths = \"{root}/public/*\""));
    assert!(decides(&allows, &json!({"paths": [open, open]})));
    for args in [
        json!({"paths": [open, key]}),
        json!({"paths": []}),
        json!({"paths": {}}),
        json!({"paths": {"a": open}}),
        json!({"paths": [open], "more": {"paths": [key]}}),
        json!({"path": open}),
        json!({}),
    ] {
        assert!(!decides(&allows, &args), "{args}");
    }
}

#[test]
fn addresses_are_compared_as_clients_send_them() {
    let tree = Tree::new();
    let denies = tree.rule("deny", "url = \"https://api.example/private/*\"");
    for text in [
        "https://api.example/private/a",
        "https://api.example/private",
        "HTTPS://API.example/private/a",
        "https://api.example:443/private/a",
        "https://me:pw@api.example/private/a",
        "https://api.example./private/a",
        "https://api.example//private//a",
        "https://api.example/public/../private/a",
        "https://api.example/public/%2e%2e/private/a",
        "https://api.example/public/%252e%252e/private/a",
        "https://api.example\\private\\a",
        " https://api.example/private/a",
        "https://api.example/%70rivate/a",
    ] {
        assert!(decides(&denies, &json!({"url": text})), "{text}");
    }
    for text in ["https://api.example/public/a", "https://other.example/private/a", "https://api.example/privates"] {
        assert!(!decides(&denies, &json!({"url": text})), "{text}");
    }
    let allows = tree.rule("allow", "url = \"https://api.example/public/*\"");
    for text in
        ["https://api.example/public/a", "https://api.example/public/a/b?c=d#e", "https://api.example/public/a%20b"]
    {
        assert!(decides(&allows, &json!({"url": text})), "{text}");
    }
    for text in [
        "https://api.example/public/../private/a",
        "https://api.example/public/%2e%2e/private/a",
        "https://api.example/public/%252e%252e/private/a",
        "https://api.example/public/..\\private/a",
        "https://me@api.example/public/a",
        "https://api.example/public",
    ] {
        assert!(!decides(&allows, &json!({"url": text})), "{text}");
    }
    let anywhere = tree.rule("allow", "url = \"*://api.example/*\"");
    assert!(decides(&anywhere, &json!({"url": "https://api.example/x"})));
}

#[test]
fn what_is_not_a_path_is_compared_as_a_text() {
    let tree = Tree::new();
    let allows =
        |form: &str, value: Json| decides(&tree.rule("allow", &format!("n = \"{form}\"")), &json!({"n": value}));
    assert!(allows("1*", json!(17)) && allows("true", json!(true)) && allows("*", json!([1, "a/../b", null])));
    assert!(allows("Fix*", json!("Fix: a and b")) && allows("owner/name", json!("owner/name")));
    assert!(!allows("1*", json!("1/../2")) && !allows("owner/*", json!("owner/../other")) && !allows("2*", json!(17)));
    // A server elsewhere has a folder that is not known here, which nothing leaves and reaches again.
    let far = policy("[policy.r]\ndecide = \"allow\"\nargs = { path = \"reports/*\" }\n");
    let about = |text: &str| decides(&far, &json!({ "path": text }));
    assert!(about("reports/a"));
    for text in ["reports/../a", "reports/../../reports/a", "reports/../../../reports/a", "/reports/a"] {
        assert!(!about(text), "{text}");
    }
    assert_eq!(
        refused("[policy.a]\ndecide = \"deny\"\nargs = { path = \"../x/*\" }\n"),
        "g.toml:3:17: a path above the folder of a server has no fixed place: write it from the root"
    );
}

/// Detours that lead back to where they began, and ways to write a separator.
fn detours() -> impl Strategy<Value = Vec<(String, String)>> {
    let detour = prop::sample::select(vec!["", "./", "x/../", "/", "y/z/../../", "%2e/", "x/%2e%2e/", "x/..//"]);
    let separator = prop::sample::select(vec!["/", "//", "/./", "%2f", "\\"]);
    prop::collection::vec((detour.prop_map(str::to_owned), separator.prop_map(str::to_owned)), 4)
}

proptest! {
    /// However a path in the folder is written: what denies it fits, and what allows another folder does not.
    #[test]
    fn no_detour_leads_past_a_rule(detours in detours(), in_list: bool, upper: bool) {
        let rules = |decide: &str, form: &str| policy(&format!("[policy.r]\ndecide = \"{decide}\"\nargs = {{ \"*\" = \"{form}\" }}\n"));
        let parts = ["srv", "reports", "private", if upper { "KEY" } else { "key" }];
        let path: String = parts.iter().zip(&detours).map(|(part, (detour, separator))| format!("{separator}{detour}{part}")).collect();
        // The first separator is from the root.
        let path = format!("/{}", path.trim_start_matches(['/', '\\']).trim_start_matches("%2f").trim_start_matches("./"));
        let args = if in_list { json!({"paths": ["/srv/open", path]}) } else { json!({"path": path}) };
        prop_assert!(decides(&rules("deny", "/srv/reports/private/*"), &args), "{args}");
        prop_assert!(!decides(&rules("allow", "/srv/reports/public/*"), &args), "{args}");
    }

    /// A text that leads nowhere else is judged as it is written.
    #[test]
    fn plain_texts_are_judged_as_before(form in "[a-z*]{0,4}", text in "[a-z]{0,4}") {
        let wanted = Regex::new(&format!("^{}$", form.replace('*', ".*"))).unwrap().is_match(&text);
        for decide in ["allow", "ask", "deny"] {
            let policy = policy(&format!("[policy.r]\ndecide = \"{decide}\"\nargs = {{ x = \"{form}\" }}\n"));
            prop_assert_eq!(decides(&policy, &json!({"x": text})), wanted, "{} {} {}", decide, form, text);
        }
    }
}
