//! Where tests are found, and what counts as an assertion.

use std::path::Path;

use super::{Found, Sources};
use crate::Workspace;
use crate::codegen::write_file;

/// A crate `a` with these files.
fn workspace(files: &[(&str, &str)]) -> (tempfile::TempDir, Workspace) {
    let folder = tempfile::tempdir().unwrap();
    let write = |path: &str, text: &str| write_file(&folder.path().join("crates/a").join(path), text).unwrap();
    write("Cargo.toml", "[package]\nname = \"a\"\n");
    files.iter().for_each(|(path, text)| write(path, text));
    let workspace = Workspace::at(folder.path());
    (folder, workspace)
}

/// The verdict on the test `it` in the test module of a library with this text.
fn check(module: &str) -> Found {
    let (_folder, workspace) = workspace(&[("src/lib.rs", &format!("#[cfg(test)]\nmod tests {{\n{module}\n}}\n"))]);
    Sources::of(&workspace).unwrap().test("a::tests::it")
}

#[test]
fn assertions_of_all_kinds_count() {
    for body in [
        "assert!(x > 1);",
        "assert_eq!(f(), 1)",
        "insta::assert_snapshot!(text, @\"1\");",
        "insta::assert_json_snapshot!(json);",
        "if let Err(error) = f() { panic!(\"{error}\"); }",
        "let [one] = f() else { panic!() };",
        "let check = |x| assert_ne!(x, 2); check(1);",
        "for x in 1..3 { let _ = vec![{ assert!(x < 3); x }]; }",
        "fn inner(x: u8) { assert!(x < 3) }",
    ] {
        assert_eq!(check(&format!("#[test]\nfn it() {{ {body} }}")), Found::Asserts, "{body}");
    }
    let property =
        "proptest! {\n#![proptest_config(x)]\n/// Doc.\n#[test]\nfn it(x: u8, y in 1..3) { prop_assert_eq!(x, x); }\n}";
    assert_eq!(check(property), Found::Asserts);
    assert_eq!(check("#[test]\n#[should_panic]\nfn it() { f(); }"), Found::Asserts);
    assert_eq!(check("#[tokio::test]\nasync fn it() { assert!(f().await); }"), Found::Asserts);
}

#[test]
fn what_cannot_fail_does_not_count() {
    for body in [
        "",
        "f();",
        "f().unwrap();",
        "let assert = 1; f(assert)",
        "\"assert!(x)\";",
        "/* assert!(x) */",
        "assert!(true);",
        "assert_eq!(1, 1, \"\");",
    ] {
        assert_eq!(check(&format!("#[test]\nfn it() {{ {body} }}")), Found::RunsOnly, "{body}");
    }
    assert_eq!(check("proptest! {\n#[test]\nfn it(x: u8) { f(x); }\n}"), Found::RunsOnly);
    assert_eq!(check("#[test]\nfn other() { assert!(x); }"), Found::Nothing);
}

#[test]
fn helpers_are_followed_over_several_levels() {
    assert_eq!(check("fn it() { one() } fn one() { self::two() } fn two() { assert!(x) }"), Found::Asserts);
    assert_eq!(
        check("fn it() { xs.for_each(one) } fn one(x: u8) { assert!(x > 0) }"),
        Found::Asserts,
        "a function as a value"
    );
    assert_eq!(
        check("fn it() { Seen::of().go() } struct Seen; impl Seen { fn of() { Self::two() } fn two() { assert!(x) } }"),
        Found::Asserts
    );
    assert_eq!(
        check("fn it() { one() } fn one() { two() } fn two() { one(); it() }"),
        Found::RunsOnly,
        "a circle ends"
    );
    assert_eq!(
        check("fn it() { deep::one() } mod deep { pub fn one() { super::two() } } fn two() { assert!(x) }"),
        Found::Asserts
    );
    assert_eq!(
        check("fn it() { far::one() } mod deep { fn one() { assert!(x) } }"),
        Found::RunsOnly,
        "of another module"
    );
}

#[test]
fn a_helper_is_the_one_that_is_in_scope_and_not_another_of_its_name() {
    let lib = "pub fn shipped() { assert!(x) }\n#[cfg(test)]\nmod tests;\n#[cfg(test)]\nmod other;\n";
    let tests = "mod part;\nuse crate::shipped;\nfn check() {}\n#[test]\nfn it() { check(); shipped(); }\n#[test]\nfn far() { crate::other::check() }\n";
    let part = "use super::*;\n#[test]\nfn it() { check() }\n#[test]\nfn up() { super::super::other::check() }\n";
    let (_folder, workspace) = workspace(&[
        ("src/lib.rs", lib),
        ("src/other.rs", "pub fn check() { assert!(x) }\n"),
        ("src/tests.rs", tests),
        ("src/tests/part.rs", part),
    ]);
    let sources = Sources::of(&workspace).unwrap();
    let found = |name: &str| sources.test(name);
    assert_eq!(found("a::tests::it"), Found::RunsOnly, "an assertion of the library is none of the test");
    assert_eq!(found("a::tests::far"), Found::Asserts);
    assert_eq!(found("a::tests::part::it"), Found::RunsOnly);
    assert_eq!(found("a::tests::part::up"), Found::Asserts);
}

#[test]
fn tests_are_found_in_every_kind_of_target() {
    let files = [
        ("src/main.rs", "#[cfg(test)]\n#[path = \"elsewhere.rs\"]\nmod tests;\n"),
        ("src/elsewhere.rs", "#[test]\nfn it() { assert!(x) }\n"),
        ("tests/one_file.rs", "#[path = \"part/inner.rs\"]\nmod part;\n#[test]\nfn it() { part::check() }\n"),
        ("tests/part/inner.rs", "pub fn check() { assert!(x) }\n"),
        ("tests/folder/main.rs", "mod part;\nfn check() { assert!(x) }\n"),
        ("tests/folder/part.rs", "use super::check;\n#[test]\nfn it() { check() }\n"),
        ("far/away.rs", "#[test]\nfn it() { assert!(x) }\n"),
        ("Cargo.toml", "[package]\nname = \"a\"\n[[test]]\nname = \"away\"\npath = \"far/away.rs\"\n"),
    ];
    let (_folder, workspace) = workspace(&files);
    let sources = Sources::of(&workspace).unwrap();
    for name in ["a::tests::it", "one-file::it", "folder::part::it", "away::it"] {
        assert_eq!(sources.test(name), Found::Asserts, "{name}");
    }
    assert_eq!(sources.test("gone::it"), Found::Nothing);
    assert_eq!(sources.test("folder"), Found::Nothing);
}

#[test]
fn what_must_not_compile_is_a_test() {
    let lib = "mod part;\n";
    let part = "/// ```\n/// a::f();\n/// ```\n///\n/// ```compile_fail\n/// a::g();\n/// ```\nmod it {}\n/// ```\n/// a::f();\n/// ```\nmod other {}\n";
    let (_folder, workspace) = workspace(&[("src/lib.rs", lib), ("src/part.rs", part), ("src/lost.rs", part)]);
    let sources = Sources::of(&workspace).unwrap();
    let found = ["a::part::it", "a::part::other", "a::lost::it"].map(|name| sources.test(name));
    assert_eq!(found, [Found::Asserts, Found::RunsOnly, Found::Nothing]);
}

#[test]
fn functions_of_types_are_those_of_their_module() {
    let lib = "pub mod part { impl<T> Show for Thing<T> { fn run(&self) {} } }\n";
    let (_folder, workspace) = workspace(&[("src/lib.rs", lib)]);
    let sources = Sources::of(&workspace).unwrap();
    assert!(sources.has_function("a::part::Thing::run") && !sources.has_function("a::part::Thing::walk"));
}

/// The function that runs the corpus is a proof by this rule, too.
#[test]
fn data_driven_suites_assert_where_they_compare() {
    let workspace = Workspace::of_this_run();
    let sources = Sources::of(&workspace).unwrap();
    let name = "ptc-tests::lang::tests::every_case_of_the_corpus_answers_as_it_says";
    assert_eq!(sources.test(name), Found::Asserts);
}

#[test]
fn a_file_that_does_not_parse_is_named() {
    let (_folder, workspace) = workspace(&[("src/lib.rs", "fn it( {")]);
    let error = Sources::of(&workspace).err().unwrap().to_string();
    assert!(error.starts_with(&Path::new("crates/a/src/lib.rs").display().to_string()), "{error}");
}
