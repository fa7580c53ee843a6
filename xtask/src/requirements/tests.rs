use std::path::Path;
use std::time::{Duration, SystemTime};

use super::catalogue::Catalogue;
use super::draw::Draw;
use super::page::{Proof, Row, rows};
use super::results::{Results, Verdict};
use super::{PAGE, check, judge, judge_sources, totals};
use crate::Workspace;
use crate::sources::Sources;

const PRINTED: &str = "\
   Compiling ptc-agent v0.1.0
     Running unittests src/lib.rs (target/debug/deps/ptc_agent-0123456789abcdef)

running 4 tests
test run::tests::good ... ok
test run::tests::panics - should panic ... ok
test run::tests::bad ... FAILED
test run::tests::slow ... ignored, takes an hour

test result: FAILED. 2 passed; 1 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.01s

     Running benches/plain.rs (target/debug/deps/plain-0123456789abcdef)
Testing something
     \u{1b}[32mRunning\u{1b}[0m tests/missions.rs (/elsewhere (old)/debug/deps/missions-0123456789abcdef)

running 1 test
test answers ... ok

test result: ok. 1 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.01s

   Doc-tests ptc_mission

running 5 tests
test crates/ptc-mission/src/lib.rs - (line 3) ... ok
test crates/ptc-mission/src/template.rs - template::t (line 8) ... ok
test crates/ptc-mission/src/template.rs - template::t (line 9) - compile fail ... FAILED
test crates/ptc-mission/src/template.rs - template::t (line 12) - compile fail ... ok
test crates/ptc-mission/src/template.rs - template::u (line 19) - compile fail ... ok

test result: FAILED. 4 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.01s
";

fn catalogue() -> Catalogue {
    Catalogue::of(&[("NS", 3), ("ERR", 2)], ("ERR", &[2]))
}

/// Rows for all five requirements, the first with this proof.
fn page(proof: &str) -> String {
    format!(
        "# Requirements\n\n| ID | requirement | proof |\n|---|---|---|\n| NS-001 | One. | {proof} |\n| NS-002 | Two. | `missions::answers` |\n\
         | NS-003 | Three. | `ptc-mission::doc::template::t` |\n| ERR-001 | Four. | `ptc-mission::compile-fail::template::u`, `ptc-mission::doc` |\n| ERR-002 | Five. | process note |\n"
    )
}

fn told(page: &str, printed: &str) -> Vec<String> {
    judge(Path::new("p.md"), &rows(page), &catalogue(), &Results::read(printed))
        .iter()
        .map(ToString::to_string)
        .collect()
}

/// The problems of a page whose first requirement has this proof.
fn told_of(proof: &str) -> Vec<String> {
    told(&page(proof), PRINTED)
}

#[test]
fn results_are_read_with_the_names_of_their_binaries() {
    let results = Results::read(PRINTED);
    let verdict = |name: &str| results.verdict(name);
    assert_eq!(verdict("ptc-agent::run::tests::good"), Some(Verdict::Passed));
    assert_eq!(verdict("ptc-agent::run::tests::panics"), Some(Verdict::Passed));
    assert_eq!(verdict("ptc-agent::run::tests::bad"), Some(Verdict::Failed));
    assert_eq!(verdict("ptc-agent::run::tests::slow"), Some(Verdict::Ignored));
    assert_eq!(verdict("missions::answers"), Some(Verdict::Passed));
    assert_eq!(verdict("ptc-mission::doc"), Some(Verdict::Passed));
    assert_eq!(verdict("ptc-mission::doc::template::t"), Some(Verdict::Passed));
    assert_eq!(verdict("ptc-mission::compile-fail::template::t"), Some(Verdict::Failed), "one of two failed");
    assert_eq!(verdict("ptc-mission::doc::template::u"), None, "a twin that compiles is another test");
    assert_eq!(verdict("good"), None);
    assert_eq!(results.unfinished(), [""; 0], "a benchmark without the harness is no test");
}

#[test]
fn good_proofs_are_silent() {
    assert_eq!(told_of("`ptc-agent::run::tests::good`"), [""; 0]);
    assert_eq!(told_of("`ptc-agent::run::tests::good`, `missions::answers`"), [""; 0]);
}

#[test]
fn tests_that_are_missing_failing_or_ignored_are_named() {
    assert_eq!(
        told_of("`ptc-agent::run::tests::gone`"),
        ["p.md:5: NS-001: there is no test ptc-agent::run::tests::gone; correct the name"]
    );
    assert_eq!(told_of("`ptc-agent::run::tests::bad`"), ["p.md:5: NS-001: ptc-agent::run::tests::bad failed"]);
    assert_eq!(
        told_of("`ptc-mission::compile-fail::template::t`"),
        ["p.md:5: NS-001: ptc-mission::compile-fail::template::t failed"]
    );
    assert_eq!(
        told_of("`ptc-agent::run::tests::slow`"),
        ["p.md:5: NS-001: ptc-agent::run::tests::slow was not run; a proof must not be ignored"]
    );
    assert_eq!(
        told_of("`missions::answers`, `missions::answers`"),
        ["p.md:5: NS-001: names missions::answers twice; name it once"]
    );
}

#[test]
fn rows_without_a_proof_are_told() {
    for nothing in
        ["", "yes", "`missions::answers` and more", "`answers`", "missions::answers", "open: it is not built", "``"]
    {
        let told = told_of(nothing);
        assert!(told.len() == 1 && told[0].starts_with("p.md:5: NS-001: has no proof (`"), "{nothing}: {told:?}");
    }
    assert_eq!(told_of("process note"), ["p.md:5: NS-001: states behaviour and is not a process note; name its tests"]);
}

#[test]
fn rows_are_complete_and_there_is_one_for_each() {
    let good = page("`missions::answers`");
    let without: String =
        good.lines().filter(|line| !line.contains("NS-002")).map(|line| format!("{line}\n")).collect();
    assert_eq!(told(&without, PRINTED), ["p.md: NS-002 has no row; add one"]);
    let twice = format!("{good}| NS-001 | One. | `missions::answers` |\n");
    assert_eq!(told(&twice, PRINTED), ["p.md:10: NS-001: has a row in line 5, too; keep one"]);
    let foreign = format!("{good}| NS-009 | Nine. | `missions::answers` |\n");
    assert_eq!(told(&foreign, PRINTED), ["p.md:10: NS-009: is not a requirement of the catalogue; correct the ID"]);
    assert_eq!(
        told(&good.replace("One.", ""), PRINTED),
        ["p.md:5: NS-001: says nothing; write the requirement in one sentence"]
    );
    assert_eq!(told(&good.replace("| One. ", ""), PRINTED).len(), 2, "a column is missing");
}

#[test]
fn a_run_that_broke_off_is_told() {
    let broken = PRINTED.replace("test result: ok. 1 passed", "the binary crashed");
    assert_eq!(
        told(&page("`missions::answers`"), &broken),
        ["p.md: the tests of missions did not come to an end; run them again"]
    );
    let silent = told(&page("`missions::answers`"), "error: could not compile");
    assert_eq!(silent[0], "p.md: the test run has no results; hand in both outputs of `cargo test --workspace`");
}

#[test]
fn results_older_than_the_sources_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, text).unwrap();
        std::fs::File::options().write(true).open(&path).unwrap()
    };
    write(PAGE, &page("`missions::answers`"));
    let source = write("crates/a/src/lib.rs", "");
    write("printed.txt", PRINTED);
    let asked =
        || check(&Workspace::at(folder.path()), &["--from", folder.path().join("printed.txt").to_str().unwrap()]);
    source.set_modified(SystemTime::now() - Duration::from_secs(60)).unwrap();
    assert!(asked().unwrap().iter().any(|problem| problem.text == "NS-004 has no row; add one"));
    source.set_modified(SystemTime::now() + Duration::from_secs(60)).unwrap();
    assert!(
        asked().unwrap_err().to_string().ends_with("printed.txt: older than crates/a/src/lib.rs; run the tests again")
    );
}

#[test]
fn a_row_whose_test_asserts_nothing_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let write = |path: &str, text: &str| crate::codegen::write_file(&folder.path().join(path), text).unwrap();
    write("crates/missions/Cargo.toml", "[package]\nname = \"missions\"\n");
    let doc =
        "/// ```\n/// let x = 1;\n/// ```\n///\n/// ```compile_fail\n/// let x: () = 1;\n/// ```\npub struct T;\n";
    write(
        "crates/missions/src/lib.rs",
        &format!("{doc}#[test]\nfn idle() {{ go(); }}\n#[test]\nfn good() {{ assert!(go()); }}\n"),
    );
    let workspace = Workspace::at(folder.path());
    let told = |proof: &str| {
        let page = format!("| NS-001 | One. | {proof} |\n| NS-002 | Two. | process note |\n");
        let problems = judge_sources(Path::new("p.md"), &rows(&page), &Sources::of(&workspace).unwrap()).unwrap();
        problems.iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    assert_eq!(told("`missions::good`"), [""; 0]);
    let idle = |name: &str| {
        format!(
            "p.md:1: NS-001: {name} asserts nothing, so it cannot fail; add an assertion, or name a test that has one"
        )
    };
    assert_eq!(told("`missions::good`, `missions::idle`"), [idle("missions::idle")]);
    assert_eq!(
        told("`missions::gone`"),
        [
            "p.md:1: NS-001: missions::gone has no source that this check finds; name a function, or the item of a doc test"
        ]
    );
    assert_eq!(told("`missions::compile-fail::T`, `missions::doc::T`"), [""; 0], "a twin shows why the other fails");
    assert_eq!(told("`missions::doc::T`"), [idle("missions::doc::T")]);
}

#[test]
fn words_that_are_not_understood_are_refused() {
    let refused = |words: &[&str]| check(&Workspace::at(Path::new("nowhere")), words).unwrap_err().to_string();
    assert_eq!(refused(&["--form", "x"]), "`--form` is not one of --from FILE, --sample N, --seed S");
    assert_eq!(refused(&["--from"]), "`--from` is not complete; write a value after it");
    assert_eq!(refused(&["--sample", "many"]), "`many` is not a number of requirements");
}

#[test]
fn a_seed_decides_which_requirements_are_drawn() {
    let all: Vec<Row> = (1..=50)
        .map(|line| Row {
            line,
            id: format!("NS-{line:03}"),
            sentence: "x".into(),
            proof: Proof::Tests(vec!["a::b".into()]),
        })
        .chain([Row { line: 51, id: "NS-051".into(), sentence: "x".into(), proof: Proof::Note }])
        .collect();
    let all: Vec<&Row> = all.iter().collect();
    let drawn = |count, seed| Draw { count, seed }.rows(&all).iter().map(|row| row.line).collect::<Vec<_>>();
    assert_eq!((drawn(10, 1), drawn(10, 1).len()), (drawn(10, 1), 10));
    assert_ne!(drawn(10, 1), drawn(10, 2));
    assert!(drawn(10, 3).is_sorted_by(|a, b| a < b), "each once, in order");
    assert_eq!(drawn(99, 1), (1..=50).collect::<Vec<_>>(), "what has no tests is not drawn");
}

#[test]
fn the_shipped_page_is_complete() {
    let workspace = Workspace::of_this_run();
    let rows = rows(&workspace.read(Path::new(PAGE)).unwrap());
    // A run of the command checks whether the tests exist and pass, and this test is part of that run.
    let printed: String = rows
        .iter()
        .filter_map(|row| if let Proof::Tests(names) = &row.proof { Some(names) } else { None })
        .flatten()
        .fold(String::new(), |mut text, name| {
            let (binary, path) = name.split_once("::").unwrap();
            text.push_str(&format!("Running x (deps/{binary}-1)\ntest {path} ... ok\n"));
            text
        });
    let problems = judge(Path::new(PAGE), &rows, &Catalogue::shipped(), &Results::read(&printed));
    assert_eq!(problems, [], "{}", totals(&rows));
    let problems = judge_sources(Path::new(PAGE), &rows, &Sources::of(&workspace).unwrap()).unwrap();
    assert_eq!(problems, [], "what is cited can fail");
}
