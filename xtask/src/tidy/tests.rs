use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::{dependencies, layout, links, text};
use crate::codegen::write_file;
use crate::{Problem, Workspace};

/// The findings as the command prints them.
fn printed(problems: Vec<Problem>) -> Vec<String> {
    problems.iter().map(ToString::to_string).collect()
}

/// The lines with findings in a file of this name and text.
fn lines(path: &str, text: &str) -> Vec<usize> {
    text::lines(Path::new(path), text).iter().map(|problem| problem.line).collect()
}

#[test]
fn blanks_at_line_ends_and_a_missing_last_line_end() {
    assert_eq!(lines("a.md", "one \ntwo\n\tthree\t\nfour\n"), [1, 3]);
    assert_eq!(lines("a.md", "one\ntwo"), [2]);
    assert_eq!(lines("a.md", ""), [0; 0]);
}

#[test]
fn unfinished_code_is_found_and_talk_about_it_is_not() {
    let call = |name: &str| format!("fn f() {{ {name}!() }}\n");
    for name in ["todo", "unimplemented", "dbg"] {
        assert_eq!(lines("a.rs", &call(name)), [1], "{name}");
        assert_eq!(lines("a.md", &call(name)), [0; 0], "{name}");
        assert_eq!(lines("a.rs", &format!("// no {name}!() here\n")), [0; 0], "{name}");
        assert_eq!(lines("a.rs", &call(&format!("my_{name}"))), [0; 0], "{name}");
    }
}

#[test]
fn machine_paths_are_found_but_not_parts_of_addresses() {
    let (home, work) = (["/ho", "me/ada/x"].concat(), ["/wo", "rk/x"].concat());
    assert_eq!(lines("a.md", &format!("see {home}\nand `{work}`\n")), [1, 2]);
    assert_eq!(lines("a.md", &format!("https://example.org{home}\n.{work}\n")), [0; 0]);
}

#[test]
fn the_top_level_is_closed() {
    let all = [
        ".cargo",
        ".ci",
        ".gitignore",
        "Cargo.lock",
        "Cargo.toml",
        "LICENSE-APACHE",
        "LICENSE-MIT",
        "README.md",
        "crates",
        "docs",
        "rust-toolchain.toml",
        "tests",
        "xtask",
    ];
    let mut names: Vec<String> = all.map(String::from).to_vec();
    assert_eq!(layout::top_level(&names), []);
    names.push("notes.txt".into());
    names.retain(|name| name != "LICENSE-MIT");
    let found = printed(layout::top_level(&names));
    assert_eq!(found.len(), 2, "{found:?}");
    assert!(found[0].starts_with("notes.txt: does not belong"));
    assert!(found[1].starts_with("LICENSE-MIT: is missing"));
}

#[test]
fn module_files_have_the_name_of_their_module() {
    let found = layout::module_file(Path::new("crates/x/src/eval/mod.rs")).unwrap();
    assert_eq!(found.to_string(), "crates/x/src/eval/mod.rs: is a `mod.rs`. Move it to `crates/x/src/eval.rs`.");
    assert_eq!(layout::module_file(Path::new("crates/x/src/eval.rs")), None);
}

#[test]
fn long_files_need_a_reason_and_reasons_a_long_file() {
    let path = Path::new("a.rs");
    assert_eq!(layout::length(path, 600, &[]), None);
    assert_eq!(layout::length(path, 601, &[]).unwrap().line, 601);
    assert_eq!(layout::length(path, 601, &[("a.rs", "a table")]), None);
    assert!(layout::length(path, 600, &[("a.rs", "a table")]).unwrap().text.contains("short now"));
}

#[test]
fn members_take_versions_and_licence_from_the_workspace() {
    let check = |text: &str| printed(dependencies::member(Path::new("c/Cargo.toml"), &text.parse().unwrap()));
    assert_eq!(check("[package]\nlicense.workspace = true\n[dependencies]\nnom.workspace = true\nown = { path = \"../own\" }\n"), [""; 0]);
    let found = check("[package]\nname = \"c\"\n[dev-dependencies]\nnom = \"8\"\n");
    assert_eq!(found.len(), 2, "{found:?}");
    assert!(found[0].contains("license.workspace = true") && found[1].contains("nom.workspace = true"), "{found:?}");
}

#[test]
fn each_dependency_has_one_reason() {
    let used: BTreeMap<String, PathBuf> =
        [("nom".to_string(), PathBuf::from("Cargo.toml")), ("toml".to_string(), PathBuf::from("x/Cargo.toml"))].into();
    assert_eq!(dependencies::reasons(&used, "| `nom` | parser |\n| `toml` | files |\n"), []);
    let found = printed(dependencies::reasons(&used, "| crate | why |\n| `nom` | |\n| `toml` | files |\n| `gone` | was useful |\n"));
    assert_eq!(found.len(), 2, "{found:?}");
    assert!(found[0].starts_with("Cargo.toml: uses `nom`"), "{found:?}");
    assert!(found[1].starts_with("docs/decisions/dependencies.md:4: explains `gone`"), "{found:?}");
}

#[test]
fn versions_that_no_crate_asks_for_are_found() {
    let of = |names: &[&str]| names.iter().map(|name| ((*name).to_string(), PathBuf::from("Cargo.toml"))).collect::<BTreeMap<_, _>>();
    assert_eq!(dependencies::unused(&of(&["nom"]), &of(&["nom", "own"])), []);
    let found = printed(dependencies::unused(&of(&["nom", "gone"]), &of(&["nom"])));
    assert_eq!(found, ["Cargo.toml: has `gone`, which no crate uses. Remove the line and its reason."]);
}

#[test]
fn links_are_read_outside_code_only() {
    let page = "[a](x.md) and [b](y.md#z)\n\n```md\n[no](no.md)\n```\n`[no](no.md)` [c](https://example.org)\n";
    let found: Vec<String> = links::targets(page).into_iter().map(|(line, target)| format!("{line} {target}")).collect();
    assert_eq!(found, ["1 x.md", "1 y.md#z", "6 https://example.org"]);
    assert_eq!(links::anchors("# The `ptc` command\n\n## Two flows: a, b\n"), ["the-ptc-command", "two-flows-a-b"]);
}

#[test]
fn links_must_lead_somewhere() {
    let folder = tempfile::tempdir().unwrap();
    let write = |path: &str, text: &str| write_file(&folder.path().join(path), text).unwrap();
    write("README.md", "[docs](docs/a.md) [part](docs/a.md#part-one)\n");
    write("docs/a.md", "# Part one\n[up](../README.md) [here](#part-one) [web](https://example.org)\n");
    let workspace = Workspace::at(folder.path());
    assert_eq!(links::check(&workspace).unwrap(), []);
    write("docs/a.md", "# Part 1\n[up](../READ.md)\n[here](#part-one)\n");
    let found = printed(links::check(&workspace).unwrap());
    assert_eq!(found.len(), 3, "{found:?}");
    assert!(found[0].starts_with("docs/a.md:2: links to `../READ.md`, but there is no `READ.md`."), "{found:?}");
    assert!(found[1].starts_with("docs/a.md:3: links to `#part-one`") && found[1].contains("part-1"), "{found:?}");
    assert!(found[2].starts_with("README.md:1:"), "{found:?}");
}
