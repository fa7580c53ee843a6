use ptc_runner::lisp::SessionOptions;

use super::*;
use crate::program::no_tool;

#[test]
fn files_that_are_not_a_memory() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("m.json");
    let of = |text: &str| {
        std::fs::write(&path, text).unwrap();
        load(&path, &Limits::default())
            .err()
            .map(|failure| failure.to_string().replace(&*path.display().to_string(), "m.json"))
            .unwrap_or_default()
    };
    insta::assert_snapshot!(of("[1]"), @"m.json: this is not the `memory` object of an answer: invalid type: sequence, expected a map at line 1 column 0; delete the file to start without definitions");
    insta::assert_snapshot!(of("{"), @"m.json: this is not the `memory` object of an answer: EOF while parsing an object at line 1 column 1; delete the file to start without definitions");
    assert!(load(&folder.path().join("none.json"), &Limits::default()).unwrap().is_empty());
}

#[test]
fn a_file_that_cannot_be_written_leaves_no_draft() {
    let folder = tempfile::tempdir().unwrap();
    // A folder of that name: nothing can be renamed to it.
    std::fs::create_dir_all(folder.path().join("m.json/full")).unwrap();
    let mut session = Session::new(SessionOptions::default());
    session.run("(def a 1)", &mut no_tool);
    assert!(save(&folder.path().join("m.json"), &mut session).is_err());
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "the draft is gone");
}

#[test]
fn a_file_that_is_longer_than_a_session_could_write_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("long.json");
    std::fs::File::create(&path).unwrap().set_len(8_001).unwrap();
    let limits = Limits { memory: 1_000, ..Limits::default() };
    let error = load(&path, &limits).unwrap_err().to_string();
    assert!(
        error.ends_with(
            "it has more than 8000 bytes, eight times what a program may hold; raise that with --limit memory=…"
        ),
        "{error}"
    );
    std::fs::write(&path, "\u{feff}{}").unwrap();
    let error = load(&path, &limits).unwrap_err().to_string();
    assert!(error.contains("this is not the `memory` object of an answer"), "{error}");
    std::fs::write(&path, b"{\xff").unwrap();
    let error = load(&path, &limits).unwrap_err().to_string();
    assert!(error.ends_with("is not UTF-8 text (byte 0xFF at offset 1); save it as UTF-8"), "{error}");
}
