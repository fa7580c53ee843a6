//! Sessions that older releases stored, and files from other authors.

use ptc_lisp::{Map, Session as Lisp};

use super::*;
use crate::session::Session;

const ID: &str = "0123456789abcdef";

/// A store with one session of these files.
fn store(files: &[(&str, &[u8])]) -> (tempfile::TempDir, Store) {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path()).unwrap();
    fs::create_dir(store.session(ID)).unwrap();
    files.iter().for_each(|(name, bytes)| fs::write(store.session(ID).join(name), bytes).unwrap());
    (folder, store)
}

/// The session of a folder in `tests/formats`.
fn of_format(name: &str) -> (tempfile::TempDir, Store) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/formats").join(name);
    let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let files: Vec<(String, Vec<u8>)> =
        files.map(|path| (path.file_name().unwrap().to_str().unwrap().to_owned(), fs::read(&path).unwrap())).collect();
    let files: Vec<(&str, &[u8])> = files.iter().map(|(name, bytes)| (name.as_str(), bytes.as_slice())).collect();
    store(&files)
}

#[test]
fn sessions_of_every_release_are_read() {
    for (name, programs, answer) in [("gateway-1-first", 1, 0), ("gateway-1", 2, 4)] {
        let (_folder, store) = of_format(name);
        let session = Session::load(&store, ID).unwrap();
        assert_eq!(session.programs, programs);
        assert!(session.data(&Map::new()).get_named("last").unwrap().as_map().is_some());
        let definitions = session.definitions.clone();
        let mut lisp = Lisp::new(ptc_lisp::SessionOptions { definitions, ..ptc_lisp::SessionOptions::default() });
        assert_eq!(lisp.left_out(), []);
        let program = if answer > 0 { "(f (inc n))" } else { "(dec n)" };
        let outcome = lisp.run(program, &mut |_| unreachable!());
        assert!(
            matches!(outcome.value(), Some(ptc_lisp::Value::Int(found)) if *found == answer),
            "{:?}",
            outcome.problems()
        );
    }
    let (_folder, store) = of_format("gateway-1");
    assert_eq!(Session::load(&store, ID).unwrap().kept.unwrap().effects.as_deref(), Some("pay (done)"));
    assert_eq!(store.question(ID).unwrap().unwrap().waiting.id(), "0123456789abcdef-22cc33");
    assert_eq!(store.decision(ID).unwrap().unwrap().answer.by, "command line");
    assert_eq!(store.program(ID, 3).unwrap().as_deref(), Some("(tool/pay {:n 4})\n"));
    assert!(store.is_heard(ID, 2).unwrap());
}

#[test]
fn damaged_sessions_say_so_and_keep_no_other_from_being_read() {
    let deep = format!("{{\"programs\":1,\"last\":{}1{}}}", "[".repeat(10_000), "]".repeat(10_000));
    let damaged: [&[u8]; 9] = [
        b"",
        b"{",
        b"\xff\xfe",
        b"{\"programs\":4294967295}",
        b"{\"programs\":-1}",
        b"{\"programs\":1e400}",
        b"[]",
        b"{\"programs\":1,\"notes\":[1]}",
        deep.as_bytes(),
    ];
    for bytes in damaged {
        let (_folder, store) = store(&[("state.json", bytes)]);
        let Err(error) = Session::load(&store, ID) else { panic!("{}", String::from_utf8_lossy(bytes)) };
        assert!(error.to_string().contains("state.json"), "{error}");
        assert_eq!(store.sessions().unwrap(), [ID]);
        let other = store.create().unwrap();
        assert!(Session::load(&store, &other).is_ok());
        assert!(store.prune(&KeptSessions::default()).is_ok() && store.has(ID));
    }
    let (_folder, store) = store(&[("0001.clj", b"\xff"), ("question.json", b"{}"), ("heard", b"\xff")]);
    assert!(store.program(ID, 1).is_err() && store.question(ID).is_err() && store.is_heard(ID, 1).is_err());
}
