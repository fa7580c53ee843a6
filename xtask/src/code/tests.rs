use std::path::Path;

use super::{has_word, is_code, paths, tokens, without_tests};

/// The paths of a text as they are called there.
fn named(text: &str) -> Vec<String> {
    let found = paths(tokens(Path::new("a.rs"), text).unwrap());
    found.into_iter().map(|path| format!("{} {}", path.parts.join("::"), path.name)).collect()
}

#[test]
fn groups_of_a_use_are_paths_with_the_same_beginning() {
    assert_eq!(
        named("use a::{b, c::{self, D as E}, f::*};"),
        ["use use", "a::b b", "a::c::self self", "a::c::D E", "a::f *"]
    );
    assert_eq!(
        named("f(crate::g::<u8>(x), y.z::<Q>(), m!(a::b))"),
        ["f f", "crate::g g", "u8 u8", "x x", "y y", "Q Q", "a::b b"]
    );
}

#[test]
fn a_path_knows_whether_it_is_imported_and_what_is_around_it() {
    let found =
        paths(tokens(Path::new("a.rs"), "pub use a::B; use c::D; mod m { pub fn f() { e::g() } } h::i();").unwrap());
    let marks = |name: &str| {
        let path = found.iter().find(|path| path.name == name).unwrap();
        (path.is_imported, path.is_public, path.inside)
    };
    assert_eq!(marks("B"), (true, true, 0));
    assert_eq!(marks("D"), (true, false, 0));
    assert_eq!(marks("g"), (false, true, 1));
    assert_eq!(marks("i"), (false, false, 0));
}

#[test]
fn items_for_tests_are_left_out() {
    let kept = |text: &str| {
        let tokens = without_tests(tokens(Path::new("a.rs"), text).unwrap());
        has_word(tokens, |word| word == "one")
    };
    for text in [
        "#[cfg(test)] mod t { one() }",
        "#[test]\n#[ignore]\nfn one() {}",
        "#[cfg(any(test, feature = \"x\"))] use one;",
    ] {
        assert!(!kept(text), "{text}");
    }
    for text in ["#[cfg(not(test))] fn one() {}", "#[cfg(test)] mod t; fn one() {}", "#[test_only] fn one() {}"] {
        assert!(kept(text), "{text}");
    }
}

#[test]
fn tests_are_not_code() {
    assert!(is_code(Path::new("a/src/b.rs")) && is_code(Path::new("a/src/contests.rs")));
    assert!(["a/src/tests.rs", "a/tests/b.rs", "a/src/b.md"].iter().all(|path| !is_code(Path::new(path))));
}
