use ptc_runner::lisp::SessionOptions;

use super::*;
use crate::program::no_tool;

#[test]
fn files_that_are_no_memory() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("m.json");
    let of = |text: &str| {
        std::fs::write(&path, text).unwrap();
        load(&path)
            .err()
            .map(|failure| failure.to_string().replace(&*path.display().to_string(), "m.json"))
            .unwrap_or_default()
    };
    insta::assert_snapshot!(of("[1]"), @"m.json: this is not the `memory` object of an answer: invalid type: sequence, expected a map at line 1 column 0; delete the file to start without definitions");
    insta::assert_snapshot!(of("{"), @"m.json: this is not the `memory` object of an answer: EOF while parsing an object at line 1 column 1; delete the file to start without definitions");
    assert!(load(&folder.path().join("none.json")).unwrap().is_empty());
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
