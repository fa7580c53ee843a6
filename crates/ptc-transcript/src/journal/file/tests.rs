use insta::assert_snapshot;

use super::*;
use crate::journal::{JournalHeader, JournalLines, JournalRecord, JournalStart, JournalSubject, TurnRecord};

fn header() -> JournalRecord {
    let about = JournalSubject { mission: "Count.", signature: None, max_turns: 5, retry_turns: 0, tools: &[] };
    JournalRecord::Header(Box::new(JournalHeader::new(&about, &JournalStart::new(&ptc_lisp::Map::new())).unwrap()))
}

fn turn(number: usize) -> JournalRecord {
    JournalRecord::Turn(Box::new(TurnRecord::new(number, true, None)))
}

/// Write these records.
fn write(journal: &JournalFile, lines: &mut JournalLines, records: &[JournalRecord]) {
    records.iter().for_each(|record| journal.write(&lines.line(None, record).unwrap()).unwrap());
}

/// The message of an error, without the folder.
fn text(folder: &tempfile::TempDir, error: &JournalFileError) -> String {
    error.to_string().replace(&folder.path().display().to_string(), "F")
}

#[test]
fn a_torn_line_is_cut_off_before_anything_is_appended() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("j");
    let journal = JournalFile::create(&path).unwrap();
    let mut lines = JournalLines::default();
    write(&journal, &mut lines, &[header(), turn(1)]);
    drop(journal);
    let whole = std::fs::read(&path).unwrap();
    std::fs::write(&path, [&whole, b"{\"type\":\"tu\xc3".as_slice()].concat()).unwrap();

    let (journal, recorded) = JournalFile::resume(&path).unwrap();
    assert_eq!(recorded.unwrap().turns().len(), 1);
    assert_eq!(std::fs::read(&path).unwrap(), whole);
    write(&journal, &mut lines, &[turn(2)]);
    journal.sync().unwrap();
    drop(journal);
    let (_, recorded) = JournalFile::resume(&path).unwrap();
    assert_eq!(recorded.unwrap().turns().len(), 2);
}

#[test]
fn a_file_without_a_whole_line_is_a_new_journal() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("j");
    assert!(JournalFile::resume(&path).unwrap().1.is_none());
    std::fs::write(&path, "{\"type\":\"head").unwrap();
    assert!(JournalFile::resume(&path).unwrap().1.is_none());
    assert_eq!(std::fs::read(&path).unwrap(), b"");
}

#[test]
fn files_that_cannot_be_used_say_why() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("j");
    let journal = JournalFile::create(&path).unwrap();
    write(&journal, &mut JournalLines::default(), &[header()]);
    assert_snapshot!(text(&folder, &JournalFile::resume(&path).unwrap_err()), @"the journal F/j is in use: wait until the run that writes it has ended");
    drop(journal);
    assert_snapshot!(text(&folder, &JournalFile::create(&path).unwrap_err()), @"F/j holds a run already: resume it, or name another file");
    assert_snapshot!(text(&folder, &JournalFile::create(path.join("j")).unwrap_err()), @"cannot open the journal F/j/j: File exists (os error 17)");
    std::fs::write(&path, "{\"content\":\"(return 1)\"}\n").unwrap();
    assert_snapshot!(text(&folder, &JournalFile::resume(&path).unwrap_err()), @r#"F/j: this is not a journal: its first line is `{"content":"(return 1)"}`, not a header {"type":"header","format":"ptc-journal",…}"#);
    assert_eq!(
        std::fs::read(&path).unwrap(),
        b"{\"content\":\"(return 1)\"}\n",
        "what is not a journal stays as it is"
    );
}

#[test]
fn a_text_of_somebody_is_no_journal() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("notes.txt");
    for content in ["my notes", "my notes\nand more\n"] {
        std::fs::write(&path, content).unwrap();
        let told = "F/notes.txt: this is not a journal: its first line is `my notes`, not a header {\"type\":\"header\",\"format\":\"ptc-journal\",…}";
        assert_eq!(text(&folder, &JournalFile::create(&path).unwrap_err()), told);
        assert_eq!(text(&folder, &JournalFile::resume(&path).unwrap_err()), told);
        assert_eq!(std::fs::read_to_string(&path).unwrap(), content, "nothing is cut off");
    }
}

#[test]
fn folders_on_the_way_to_a_journal_are_made() {
    let folder = tempfile::tempdir().unwrap();
    let journal = JournalFile::create(folder.path().join("new/deep/j")).unwrap();
    write(&journal, &mut JournalLines::default(), &[header()]);
    drop(journal);
    assert!(JournalFile::resume(folder.path().join("new/deep/j")).unwrap().1.is_some());
}
