use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::{architecture, circles, errors, files, growth, links, manifests, purity, words};
use crate::codegen::write_file;
use crate::sources::Sources;
use crate::workspace::Member;
use crate::{Problem, Workspace};

/// The findings as the command prints them.
fn printed(problems: Vec<Problem>) -> Vec<String> {
    problems.iter().map(ToString::to_string).collect()
}

/// The lines with findings in a file of this name and text.
fn lines(path: &str, text: &str) -> Vec<usize> {
    files::lines(Path::new(path), text).unwrap().iter().map(|problem| problem.line).collect()
}

#[test]
fn blanks_at_line_ends_and_a_missing_last_line_end() {
    assert_eq!(lines("a.md", "one \ntwo\n\tthree\t\nfour\n"), [1, 3]);
    assert_eq!(lines("a.md", "one\ntwo"), [2]);
    assert_eq!(lines("a.md", ""), [0; 0]);
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
        "clippy.toml",
        "crates",
        "deny.toml",
        "docs",
        "rust-toolchain.toml",
        "rustfmt.toml",
        "tests",
        "xtask",
    ];
    let mut names: Vec<String> = all.map(String::from).to_vec();
    assert_eq!(files::top_level(&names), []);
    names.push("notes.txt".into());
    names.retain(|name| name != "LICENSE-MIT");
    let found = printed(files::top_level(&names));
    assert_eq!(found.len(), 2, "{found:?}");
    assert!(found[0].starts_with("notes.txt: does not belong"));
    assert!(found[1].starts_with("LICENSE-MIT: is missing"));
}

/// The lines of a file that grow something in front of no meter.
fn growing(text: &str) -> Vec<usize> {
    growth::unmetered(Path::new("a.rs"), text).unwrap().iter().map(|problem| problem.line).collect()
}

#[test]
fn growth_needs_a_meter_or_a_bound() {
    let all = [
        "out.push_str(new);",
        "out.push('a');",
        "items.extend(more.iter().map(|(one, two)| one));",
        "let all: Vec<_> = more.collect();",
        "let all = more.collect::<Vec<(u8, Value)>>();",
        "let text = String::with_capacity(n);",
        "rows! { \"f\" \"[x]\" lazy = |call| Ok(call.all().collect()), \"Doc.\" };",
        "let _ = write!(out, \"{x}\");",
        "let n = text.chars().count();",
    ];
    for line in all {
        assert_eq!(growing(&format!("fn f() {{\n    {line}\n}}\n")), [2], "{line}");
        assert_eq!(growing(&format!("fn f() {{\n    // Bounded: three.\n    {line}\n}}\n")), [0; 0], "{line}");
        assert_eq!(growing(&format!("fn f() {{\n    {line} // Bounded: three.\n}}\n")), [0; 0], "{line}");
        assert_eq!(
            growing(&format!("/// Doc.\n// Bounded: three.\n#[inline]\nfn f() {{\n    {line}\n}}\n")),
            [0; 0],
            "{line}"
        );
        assert_eq!(growing(&format!("//! Bounded: three.\nfn f() {{\n    {line}\n}}\n")), [0; 0], "{line}");
        assert_eq!(growing(&format!("#[cfg(test)]\nfn f() {{\n    {line}\n}}\n")), [0; 0], "{line}");
        // A bound of one function is none of the next.
        let next = format!("// Bounded: three.\nfn f() {{}}\n\nfn g() {{\n    {line}\n}}\n");
        assert_eq!(growing(&next), [5], "{line}");
    }
    for line in
        ["push(&mut out, x, meter)?;", "flat.push(x, meter)?;", "out.extend(more, meter)?;", "all.iter().count();"]
    {
        assert_eq!(growing(&format!("fn f() {{\n    {line}\n}}\n")), [0; 0], "{line}");
    }
}

#[test]
fn long_files_need_a_reason_and_reasons_a_long_file() {
    let path = Path::new("a.rs");
    assert_eq!(files::length_of(path, 600, &[]), None);
    assert_eq!(files::length_of(path, 601, &[]).unwrap().line, 601);
    assert_eq!(files::length_of(path, 601, &[("a.rs", "a table")]), None);
    assert!(files::length_of(path, 600, &[("a.rs", "a table")]).unwrap().text.contains("short now"));
}

#[test]
fn members_take_versions_and_licence_from_the_workspace() {
    let check = |text: &str| {
        printed(manifests::member(&Member { path: "c/Cargo.toml".into(), manifest: text.parse().unwrap() }))
    };
    assert_eq!(
        check(
            "[package]\nlicense.workspace = true\n[dependencies]\nnom.workspace = true\nown = { path = \"../own\" }\n"
        ),
        [""; 0]
    );
    let found = check("[package]\nname = \"c\"\n[dev-dependencies]\nnom = \"8\"\n");
    assert_eq!(found.len(), 2, "{found:?}");
    assert!(found[0].contains("license.workspace = true") && found[1].contains("nom.workspace = true"), "{found:?}");
}

#[test]
fn each_dependency_has_one_reason() {
    let used: BTreeMap<String, PathBuf> =
        [("nom".to_string(), PathBuf::from("Cargo.toml")), ("toml".to_string(), PathBuf::from("x/Cargo.toml"))].into();
    assert_eq!(manifests::reasons(&used, "| `nom` | parser |\n| `toml` | files |\n"), []);
    let found = printed(manifests::reasons(
        &used,
        "| crate | why |\n| `nom` | |\n| `toml` | files |\n| `gone` | was useful |\n",
    ));
    assert_eq!(found.len(), 2, "{found:?}");
    assert!(found[0].starts_with("Cargo.toml: uses `nom`"), "{found:?}");
    assert!(found[1].starts_with("docs/decisions/dependencies.md:4: explains `gone`"), "{found:?}");
}

#[test]
fn versions_that_no_crate_asks_for_are_found() {
    let of = |names: &[&str]| {
        names.iter().map(|name| ((*name).to_string(), PathBuf::from("Cargo.toml"))).collect::<BTreeMap<_, _>>()
    };
    assert_eq!(manifests::unused(&of(&["nom"]), &of(&["nom", "own"])), []);
    let found = printed(manifests::unused(&of(&["nom", "gone"]), &of(&["nom"])));
    assert_eq!(found, ["Cargo.toml: has `gone`, which no crate uses. Remove the line and its reason."]);
}

#[test]
fn links_are_read_outside_code_only() {
    let page = "[a](x.md) and [b](y.md#z)\n\n```md\n[no](no.md)\n```\n`[no](no.md)` [c](https://example.org)\n";
    let found: Vec<String> =
        links::targets(page).into_iter().map(|(line, target)| format!("{line} {target}")).collect();
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

/// Members by name with what they use.
fn members(uses: &[(&str, &[&str])]) -> BTreeMap<String, architecture::Uses> {
    let member = |(name, uses): &(&str, &[&str])| {
        let uses = uses.iter().map(|used| (*used).to_owned()).collect();
        ((*name).to_owned(), architecture::Uses { path: format!("crates/{name}/Cargo.toml").into(), uses })
    };
    uses.iter().map(member).collect()
}

const LAYERS: &str = "# A\n\n## Layers\n\n```text\n2   ptc-c      tests/   the command │ ptc-x of prose\n1   ptc-b               what is above\n    ptc-d\n0   \
                      ptc-a               leaf\n```\n\n## Else\n\n```text\n9   ptc-z   not a layer\n```\n";

fn layers(uses: &[(&str, &[&str])]) -> Vec<String> {
    printed(architecture::layers(&members(uses), LAYERS))
}

#[test]
fn a_manifest_that_uses_its_own_layer_or_a_higher_one_is_refused() {
    let good: [(&str, &[&str]); 5] = [
        ("ptc-a", &[]),
        ("ptc-b", &["ptc-a"]),
        ("ptc-d", &[]),
        ("ptc-c", &["ptc-a", "ptc-d"]),
        ("ptc-tests", &["ptc-b"]),
    ];
    assert_eq!(layers(&good), [""; 0]);
    let with = |place: usize, uses: &'static [&'static str]| {
        let mut broken = good;
        broken[place].1 = uses;
        layers(&broken)
    };
    assert_eq!(
        with(0, &["ptc-b"]),
        [
            "crates/ptc-a/Cargo.toml: uses `ptc-b` of row 1, and is itself in row 0; a crate uses lower rows only. Do without it, or change \
          the picture in docs/architecture.md."
        ]
    );
    assert!(
        with(1, &["ptc-d"])[0].contains("uses `ptc-d` of row 1, and is itself in row 1"),
        "a line without number is of the row above"
    );
    assert!(with(4, &["ptc-c"])[0].starts_with("crates/ptc-tests/Cargo.toml: uses `ptc-c` of row 2"));
}

#[test]
fn the_picture_of_layers_shows_each_member_once() {
    let found = layers(&[("ptc-a", &[]), ("ptc-b", &[]), ("ptc-c", &[]), ("ptc-tests", &[]), ("ptc-new", &[])]);
    assert_eq!(found.len(), 2, "{found:?}");
    assert!(found[0].starts_with("docs/architecture.md:8: shows `ptc-d`, which is not a package"), "{found:?}");
    assert!(found[1].starts_with("docs/architecture.md: does not show `ptc-new`"), "{found:?}");
    let twice = LAYERS.replace("ptc-d", "ptc-b");
    let known = members(&[("ptc-a", &[]), ("ptc-b", &[]), ("ptc-c", &[]), ("ptc-tests", &[])]);
    assert!(
        printed(architecture::layers(&known, &twice))[0].starts_with("docs/architecture.md:8: shows `ptc-b` twice")
    );
}

#[test]
fn the_table_of_crates_says_what_some_may_use() {
    let page = "## Layers\n\n| crate | owns | must not know |\n|---|---|---|\n| ptc-a | all | turns |\n| tests | tests | anything of ours but `ptc-a` |\n";
    let told = |uses: &[(&str, &[&str])]| printed(architecture::table(&members(uses), page));
    assert_eq!(told(&[("ptc-a", &["ptc-b"]), ("ptc-tests", &["ptc-a"])]), [""; 0]);
    assert_eq!(
        told(&[("ptc-a", &[]), ("ptc-b", &[]), ("ptc-tests", &["ptc-b"])]),
        [
            "crates/ptc-tests/Cargo.toml: uses `ptc-b`, and line 6 of docs/architecture.md allows nothing of ours but ptc-a. Do without \
             it, or add it there with the reason.",
            "docs/architecture.md: does not say what `ptc-b` owns. Add its row to the table of crates."
        ]
    );
}

#[test]
fn dependencies_of_all_kinds_and_targets_are_read() {
    let folder = tempfile::tempdir().unwrap();
    let write = |path: &str, text: &str| write_file(&folder.path().join(path), text).unwrap();
    let manifest = |name: &str, rest: &str| format!("[package]\nname = \"{name}\"\n{rest}");
    write("docs/architecture.md", LAYERS);
    for name in ["ptc-a", "ptc-d", "ptc-c"] {
        write(&format!("crates/{name}/Cargo.toml"), &manifest(name, "[dev-dependencies]\nptc-c.workspace = true\n"));
    }
    let unix =
        "[target.'cfg(unix)'.dependencies]\nptc-c.workspace = true\n[build-dependencies]\nptc-d.workspace = true\n";
    write("crates/ptc-b/Cargo.toml", &manifest("ptc-b", unix));
    write("tests/Cargo.toml", &manifest("ptc-tests", "[dev-dependencies]\nptc-c.workspace = true\n"));
    let found = printed(architecture::check(&Workspace::at(folder.path())).unwrap());
    let of_layers: Vec<&String> = found.iter().filter(|problem| problem.contains("of row")).collect();
    assert_eq!(of_layers.len(), 3, "{found:?}");
    assert!(
        of_layers[0].contains("ptc-b/Cargo.toml: uses `ptc-d`")
            && of_layers[1].contains("ptc-b/Cargo.toml: uses `ptc-c`"),
        "{found:?}"
    );
    assert!(of_layers[2].starts_with("tests/Cargo.toml: uses `ptc-c`"), "what is a test there is its work: {found:?}");
}

/// A workspace with a crate `a` that has one test and one function.
fn guarded() -> (tempfile::TempDir, Workspace) {
    let folder = tempfile::tempdir().unwrap();
    let write = |path: &str, text: &str| write_file(&folder.path().join(path), text).unwrap();
    write("crates/a/Cargo.toml", "[package]\nname = \"a\"\n");
    write(
        "crates/a/src/lib.rs",
        "#[test]\nfn it() { assert!(x) }\n#[test]\nfn idle() { f() }\nmod b { struct S; impl S { fn g() {} } }\n",
    );
    let workspace = Workspace::at(folder.path());
    (folder, workspace)
}

fn guards(page: &str) -> Vec<String> {
    let (_folder, workspace) = guarded();
    let manifest =
        "[workspace.lints.clippy]\ntodo = \"deny\"\nall = { level = \"warn\", priority = -1 }\n".parse().unwrap();
    let guards = architecture::Guards { sources: Sources::of(&workspace).unwrap(), manifest };
    let mut problems = guards.rows(&architecture::INVARIANTS, page);
    problems.extend(guards.arrows(page));
    printed(problems)
}

#[test]
fn every_invariant_has_guards_that_exist() {
    let page = |guards: &str| {
        format!("## Invariants\n\n| | invariant | guards |\n|---|---|---|\n| 1 | One. | {guards} |\n\n## Else\n")
    };
    assert_eq!(guards(&page("`a::it`, `cargo xtask tidy`, `cargo xtask codegen --check`, `clippy::todo`")), [""; 0]);
    let told = |wrong: &str| {
        let found = guards(&page(wrong));
        assert_eq!(found.len(), 1, "{found:?}");
        found[0].trim_start_matches("docs/architecture.md:5: invariant 1 ").to_owned()
    };
    assert_eq!(told("everyone knows"), "has no guard. Name a test, a command of xtask or a lint in backticks.");
    assert_eq!(told("`a::it`, `a::gone`"), "names the guard `a::gone`, and there is no such test. Correct the name.");
    assert_eq!(told("`a::idle`"), "names the guard `a::idle`, a test that asserts nothing. Name one that does.");
    assert_eq!(
        told("`cargo xtask tidyy`"),
        "names the guard `cargo xtask tidyy`, which is not a command of xtask. Correct the name."
    );
    for lint in ["unwrap_used", "all"] {
        let wrong = "which the workspace does not deny. Deny it, or name another guard.";
        assert_eq!(told(&format!("`clippy::{lint}`")), format!("names the guard `clippy::{lint}`, {wrong}"));
    }
    assert_eq!(
        guards("# A\n"),
        ["docs/architecture.md: has no invariants. Add rows `| number | invariant | guards |`."]
    );
}

#[test]
fn arrows_name_functions_that_exist() {
    let page = |name: &str| {
        format!(
            "## Two flows\n\n| arrow | function |\n|---|---|\n| a → b | `{name}` |\n\n## Invariants\n\n| 1 | x | `a::it` |\n"
        )
    };
    assert_eq!(guards(&page("a::b::S::g")), [""; 0]);
    let wrong = "docs/architecture.md:5: `a → b` is said to be `a::b::h`, and there is no such function. Did you mean `a::b::g`?";
    assert_eq!(guards(&page("a::b::h")), [wrong]);
    assert!(guards(&page("a::c::g"))[0].ends_with("Did you mean `a::b::g`?"), "a function that was moved");
    assert!(guards(&page("a::far_away"))[0].ends_with("no such function. Correct the name."), "nothing is near");
}

#[test]
fn members_take_the_lints_of_the_workspace() {
    let (folder, workspace) = guarded();
    let write = |path: &str, text: &str| write_file(&folder.path().join(path), text).unwrap();
    write("Cargo.toml", "[workspace]\n");
    write("docs/architecture.md", "## Invariants\n| 1 | x | `a::it` |\n");
    write("docs/guide/security.md", "## What is promised\n| 1 | x | `a::it` |\n");
    let found = printed(architecture::guards(&workspace).unwrap());
    assert_eq!(
        found,
        ["crates/a/Cargo.toml: does not take the lints of the workspace. Write `[lints]` and `workspace = true`."]
    );
    write("crates/a/Cargo.toml", "[package]\nname = \"a\"\n[lints]\nworkspace = true\n");
    assert_eq!(architecture::guards(&workspace).unwrap(), []);
}

#[test]
fn the_language_reaches_for_nothing_outside() {
    let told = |path: &str, text: &str| printed(purity::language(Path::new(path), text).unwrap());
    let other = "crates/ptc-lisp/src/a.rs";
    for outside in [
        "use std::fs;",
        "use std::{fmt, process::{self, Command}};",
        "use std::env as e;",
        "fn f() { std::net::TcpStream::connect(x) }",
        "use std::time::{Duration, SystemTime};",
        "fn f() { std::thread::sleep(d) }",
        "fn f() -> std::io::Result<()> { let x = std::fs::read(p)?; g(x) }",
    ] {
        assert!(!told(other, outside).is_empty(), "{outside}");
    }
    for inside in [
        "use std::fmt::Write;",
        "use std::time::Instant;",
        "fn f(fs: u8) { own::fs::read(fs) }",
        "// std::fs\nfn f() { \"std::fs\"; }",
    ] {
        assert_eq!(told(other, inside), [""; 0], "{inside}");
    }
    assert_eq!(told("crates/ptc-lisp/src/limits/machine_clock.rs", "fn f() { std::time::SystemTime::now() }"), [""; 0]);
    assert_eq!(told("crates/ptc-lisp/src/limits/machine_clock.rs", "fn f() { std::env::var(x) }").len(), 1);
    assert_eq!(told("crates/ptc-lisp/src/testing.rs", "fn f() { std::env::var(x); std::fs::read(p) }").len(), 1);
}

#[test]
fn the_language_depends_on_crates_that_reach_for_nothing() {
    let reviewed = purity::reviewed().unwrap();
    let told = |tree: &str| printed(purity::problems(tree, &reviewed));
    let rest: String = reviewed.keys().map(|name| format!("{name} v1.0.0 []\n")).collect();
    assert_eq!(told(&rest), [""; 0]);
    let jiff = |features: &str| rest.replace("jiff v1.0.0 []", &format!("jiff v1.0.0 [{features}]"));
    assert_eq!(told(&jiff("alloc,std,tzdb-bundle-always")), [""; 0]);
    assert_eq!(told(&jiff("std,tz-system")).len(), 1, "{:?}", told(&jiff("std,tz-system")));
    let found = told(&format!("{rest}rand v0.9.0 [std]\nrand v0.9.0 [std] (*)\n"));
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].starts_with("xtask/src/tidy/reviewed.toml: the language depends on `rand`"), "{found:?}");
    let found = told(&rest.replace("nom v1.0.0 []\n", ""));
    assert!(found.len() == 1 && found[0].contains("lists `nom`"), "{found:?}");
}

fn modules_of(files: &[(&str, &str)]) -> BTreeMap<String, circles::Module> {
    let read = |(name, text): &(&str, &str)| {
        ((*name).to_owned(), circles::Module::read(name, Path::new("a.rs"), text).unwrap())
    };
    files.iter().map(read).collect()
}

#[test]
fn a_layer_uses_lower_ones_only() {
    let told = |file: &str, text: &str| {
        let files = [
            ("low", ""),
            ("low/part", ""),
            ("high", "pub use part::P;"),
            ("high/part", ""),
            ("other", ""),
            (file, text),
        ];
        circles::upwards(&modules_of(&files), &["low", "high"]).len()
    };
    assert_eq!(told("low", "use crate::high::H;"), 1);
    assert_eq!(told("low/part", "use crate::high::P;"), 1);
    assert_eq!(told("high/part", "use crate::low::L;"), 0);
    assert_eq!(told("low", "use crate::other::O;"), 0);
    assert_eq!(told("other", "use crate::high::H;"), 0);
}

#[test]
fn modules_that_import_each_other_are_a_circle() {
    let told = |files: &[(&str, &str)]| {
        let found = circles::circles(&modules_of(files));
        found.iter().map(|circle| circle.join(" ")).collect::<Vec<_>>()
    };
    assert_eq!(told(&[("a", "use crate::b::B;"), ("b", "use crate::c::{self, C};"), ("c", "")]), [""; 0]);
    assert_eq!(
        told(&[("a", "use crate::b::B;"), ("b", "use crate::c;"), ("c", "fn f() { crate::a::g() }")]),
        ["a b c"]
    );
    assert_eq!(told(&[("a", "mod b; use b::B;"), ("a/b", "use super::A;")]), ["a a/b"]);
    // What a module only re-exports is imported from where it is defined.
    assert_eq!(told(&[("a", "pub use b::B;"), ("a/b", "use crate::c::C;"), ("c", "use crate::a::A;")]), [""; 0]);
    assert_eq!(told(&[("a", "pub use b::B;"), ("a/b", "use crate::c::C;"), ("c", "use crate::a::B;")]), ["a/b c"]);
    // Tests may import anything.
    let test = "#[cfg(test)] mod tests { use crate::a::A; }";
    assert_eq!(told(&[("a", "use crate::b::B;"), ("b", test)]), [""; 0]);
    assert_eq!(told(&[("a", "use crate::b::B;"), ("b", "mod inner { use super::super::a::A; }")]), ["a b"]);
}

#[test]
fn the_loop_does_not_await() {
    let told = |text: &str| purity::awaiting(Path::new("crates/ptc-agent/src/machine.rs"), text).unwrap().len();
    for waits in [
        "async fn f() {}",
        "impl A { async fn f(&self) {} }",
        "fn f() { async { 1 } }",
        "fn f() { g(async move || x.await) }",
    ] {
        assert_eq!(told(waits), 1, "{waits}");
    }
    assert_eq!(told("fn awaited() { let asynchronous = \"x.await\"; }"), 0);
}

#[test]
fn errors_do_not_print_their_source() {
    let told = |error: &str| errors::told_twice(Path::new("a.rs"), &format!("enum E {{\n{error}\n}}")).unwrap().len();
    assert_eq!(told(r##"#[error("{path}: {source}")] A { path: String, source: X }"##), 1);
    assert_eq!(told(r##"#[error("{}: {source}", .path.display())] A { path: PathBuf, source: X }"##), 1);
    assert_eq!(told(r##"#[error("bad: {0}")] A(#[from] X)"##), 1);
    assert_eq!(told(r##"#[error("{path}: {source}")] A { path: String, r#source: X }"##), 0);
    assert_eq!(told(r##"#[error("{path} is bad")] A { path: String, source: X }"##), 0);
    assert_eq!(told(r##"#[error(transparent)] A(#[from] X)"##), 0);
    assert_eq!(told(r##"#[error("bad: {0}")] A(X)"##), 0);
}

#[test]
fn every_root_of_a_crate_forbids_unsafe_code() {
    let root = Path::new("crates/a/src/lib.rs");
    assert_eq!(files::root_of_crate(root, "//! About it.\n\n#![forbid(unsafe_code)]\n\nmod a;\n"), None);
    for text in ["//! About it.\n", "// #![forbid(unsafe_code)]\n", "#![deny(unsafe_code)]\n"] {
        let found = files::root_of_crate(root, text).map(|problem| problem.to_string());
        assert_eq!(
            found.as_deref(),
            Some("crates/a/src/lib.rs: allows unsafe code. Write `#![forbid(unsafe_code)]` below its first comment.")
        );
    }
}

#[test]
fn words_of_the_style_page_are_found_in_prose() {
    let page = "## Words\n\n| not | but | right |\n|---|---|---|\n| anew, once anew | again | |\n| is no | is not a | \"there is no\", \"is no longer\" |\n| beside | besides | places in space |\n\n## Next\n";
    let phrases = words::phrases(page);
    assert_eq!(phrases.len(), 3, "what depends on the meaning is for readers: {phrases:?}");
    let found = |path: &str, text: &str| -> Vec<usize> {
        words::found(Path::new(path), text, &phrases).iter().map(|problem| problem.line).collect()
    };
    assert_eq!(found("a.md", "It begins anew.\nA renewal.\n`anew` or \"anew\"\n```\nanew\n```\nAnew"), [1, 7]);
    assert_eq!(
        found("a.md", "A set is\nno map. There is no map, it is no longer one.\nThis is no map. There\nis no map."),
        [1, 3]
    );
    assert_eq!(found("a.rs", "//! Once it is\n//! no map.\nlet anew = \"anew\"; // anew\n    /// Beside it."), [1]);
    let strings = "/// Once it is anew.\nfn f() {\n    g!(\"once\", [\"It begins\\n anew\"], r#\"\nthere is no \"map\"\n\"#);\n    h(\"`anew`\")\n}\n";
    let told = words::found_in_strings(Path::new("a.rs"), strings, &phrases).unwrap();
    let told: Vec<String> = told.iter().map(ToString::to_string).collect();
    assert_eq!(told, ["a.rs:3: says \"anew\". Write again (`docs/style.md`)."]);
}

const FILES: &[(&str, &str)] = &[
    (
        "Cargo.toml",
        "[workspace]\n[workspace.package]\nversion = \"0.2.0\"\nrust-version = \"1.95\"\n[workspace.dependencies]\n\
         one = { path = \"crates/one\", version = \"0.2.0\" }\nserde = \"1\"\n",
    ),
    ("crates/one/Cargo.toml", "[package]\nname = \"one\"\nversion.workspace = true\n"),
    ("tests/Cargo.toml", "[package]\nname = \"tests\"\nversion.workspace = true\npublish = false\n"),
    ("crates/ptc-python/pyproject.toml", "[project]\ndynamic = [\"version\"]\n"),
    ("crates/ptc-cli/Containerfile", "FROM rust:1.95.0-slim AS build\n"),
    ("rust-toolchain.toml", "[toolchain]\nchannel = \"1.95.0\"\n"),
    ("docs/changelog.md", "# Changelog\n\n## Unreleased\n\n* News.\n\n## 0.1.0\n\n* Old.\n"),
];

/// What is wrong after one text in one file is replaced.
fn wrong(file: &str, from: &str, to: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    for (path, text) in FILES {
        write_file(&folder.path().join(path), text).unwrap();
    }
    let path = folder.path().join(file);
    let text = std::fs::read_to_string(&path).unwrap();
    assert!(text.contains(from), "{file}");
    std::fs::write(path, text.replace(from, to)).unwrap();
    manifests::versions(&Workspace::at(folder.path()))
        .unwrap()
        .iter()
        .map(ToString::to_string)
        .collect::<Vec<_>>()
        .join("\n")
}

#[test]
fn versions_agree_everywhere() {
    let wrong_version = "Cargo.toml: depends on one 0.1.0. Write 0.2.0.";
    for (file, from, to, expected) in [
        ("Cargo.toml", "serde", "serde", ""),
        ("Cargo.toml", "one\", version = \"0.2.0", "one\", version = \"0.1.0", wrong_version),
        (
            "crates/one/Cargo.toml",
            "version.workspace = true",
            "version = \"0.2.0\"",
            "crates/one/Cargo.toml: has another version. Write version.workspace = true.",
        ),
        (
            "crates/ptc-python/pyproject.toml",
            "dynamic = [\"version\"]",
            "version = \"0.1.0\"",
            "crates/ptc-python/pyproject.toml: has the version Some(\"0.1.0\"). Write dynamic = [\"version\"].",
        ),
        ("crates/ptc-python/pyproject.toml", "dynamic = [\"version\"]", "version = \"0.2.0\"", ""),
        (
            "crates/ptc-cli/Containerfile",
            "1.95.0",
            "1.94.0",
            "crates/ptc-cli/Containerfile: is not built with `FROM rust:1.95.0-…`. Use this toolchain.",
        ),
        (
            "docs/changelog.md",
            "* News.",
            "",
            "docs/changelog.md: says nothing about 0.2.0. Write what users notice below `## Unreleased`.",
        ),
        ("docs/changelog.md", "Unreleased", "0.2.0 (2026-12-01)", ""),
    ] {
        assert_eq!(wrong(file, from, to), expected, "{file}: {to}");
    }
    assert!(wrong("rust-toolchain.toml", "1.95.0", "1.96.0").starts_with("rust-toolchain.toml: pins Some(\"1.96.0\")"));
}
