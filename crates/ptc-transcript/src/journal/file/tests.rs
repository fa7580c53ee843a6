use insta::assert_snapshot;

use super::*;
use crate::journal::undamaged::undamaged;
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
fn a_cleared_journal_begins_again() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["j", "j.gz"] {
        let path = folder.path().join(name);
        let journal = JournalFile::create(&path).unwrap();
        write(&journal, &mut JournalLines::default(), &[header(), turn(1), turn(2)]);
        journal.clear().unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"", "{name}");
        write(&journal, &mut JournalLines::default(), &[header(), turn(1)]);
        drop(journal);
        let (_, recorded) = JournalFile::resume(&path).unwrap();
        assert_eq!(recorded.unwrap().turns().len(), 1, "{name}");
    }
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

/// A packed journal with this many turns: its bytes after each line.
fn packed(folder: &tempfile::TempDir, turns: usize) -> Vec<Vec<u8>> {
    let path = folder.path().join("whole.gz");
    let journal = JournalFile::create(&path).unwrap();
    let mut lines = JournalLines::default();
    let records = std::iter::once(header()).chain((1..=turns).map(turn));
    let mut after: Vec<Vec<u8>> = records
        .map(|record| {
            write(&journal, &mut lines, &[record]);
            std::fs::read(&path).unwrap()
        })
        .collect();
    drop(journal);
    after.push(std::fs::read(&path).unwrap());
    after
}

#[test]
fn a_packed_journal_is_cut_anywhere_and_continued() {
    let folder = tempfile::tempdir().unwrap();
    let after = packed(&folder, 5);
    let path = folder.path().join("cut.gz");
    for cut in 0..=after[6].len() {
        std::fs::write(&path, &after[6][..cut]).unwrap();
        let whole = after.iter().take(6).filter(|bytes| bytes.len() <= cut).count();
        let (journal, recorded) = JournalFile::resume(&path).unwrap();
        assert_eq!(recorded.as_ref().map_or(0, |recorded| recorded.turns().len() + 1), whole, "cut at {cut}");
        let mut lines = recorded.map_or_else(JournalLines::default, |recorded| JournalLines::after(recorded.sum()));
        match whole {
            0 => write(&journal, &mut lines, &[header()]),
            _ => write(&journal, &mut lines, &[JournalRecord::Resumed {}, turn(whole)]),
        }
        drop(journal);
        let text = crate::read_record(&path).unwrap();
        let recorded = Recorded::read(&text).unwrap().unwrap();
        assert_eq!(recorded.turns().len(), whole, "continued after a cut at {cut}");
        assert_eq!(JournalFile::resume(&path).unwrap().1, Some(recorded));
    }
}

#[test]
fn a_changed_bit_of_a_packed_journal_loses_no_line() {
    let folder = tempfile::tempdir().unwrap();
    let after = packed(&folder, 3);
    let text = crate::read_record(&folder.path().join("whole.gz")).unwrap();
    for whole in &after[3..] {
        for bit in 0..whole.len() * 8 {
            let mut bytes = whole.clone();
            bytes[bit / 8] ^= 1 << (bit % 8);
            let read = Packed::read(&bytes).ok().map(|packed| packed.text);
            if let Some(Ok(recorded)) = read.map(|text| Recorded::read(&text)) {
                assert_eq!(recorded.map(|recorded| recorded.turns().len()), Some(3), "bit {bit} of {}", whole.len());
            }
            let before = after.iter().take(4).filter(|line| line.len() <= bit / 8).count();
            shows_what_is_before(bytes, (&text, before), &format!("bit {bit} of {}", whole.len()));
        }
    }
}

/// Of a file with damage, at least this many lines of the text are there, and nothing else.
fn shows_what_is_before(bytes: Vec<u8>, (text, before): (&[u8], usize), what: &str) {
    let Ok((found, damage)) = undamaged(bytes) else {
        assert_eq!(before, 0, "{what}");
        return;
    };
    if before == 0 {
        let is_told = damage.is_some() && text.starts_with(&found);
        // Without its header nothing can be shown; some bits of gzip say nothing.
        assert!(found == text || is_told || !matches!(Recorded::read(&found), Ok(Some(_))), "{what}");
        return;
    }
    let lines = found.iter().filter(|byte| **byte == b'\n').count();
    assert!(lines >= before && text.starts_with(&found), "{what}: {lines} of {before} lines");
    assert!(damage.is_some() || found == text, "{what}: it is not said");
    assert!(damage.is_none_or(|damage| damage.line == lines + 1), "{what}: it is somewhere else");
}

#[test]
fn a_changed_bit_of_a_plain_journal_hides_no_line_before_it() {
    let folder = tempfile::tempdir().unwrap();
    packed(&folder, 3);
    let text = crate::read_record(&folder.path().join("whole.gz")).unwrap();
    for bit in 0..text.len() * 8 {
        let mut bytes = text.clone();
        bytes[bit / 8] ^= 1 << (bit % 8);
        let before = text[..bit / 8].iter().filter(|byte| **byte == b'\n').count();
        shows_what_is_before(bytes, (&text, before), &format!("bit {bit}"));
    }
}

#[test]
fn a_packed_journal_is_a_gzip_file_and_says_what_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("whole.gz");
    let after = packed(&folder, 2);
    let mut text = String::new();
    flate2::read::MultiGzDecoder::new(after[3].as_slice()).read_to_string(&mut text).unwrap();
    assert_eq!(text.lines().count(), 3);
    assert_snapshot!(text_of(&folder, JournalFile::create(&path)), @"F/whole.gz holds a run already: resume it, or name another file");
    std::fs::write(&path, gzip("my notes\n")).unwrap();
    let told = r#"F/whole.gz: this is not a journal: its first line is `my notes`, not a header {"type":"header","format":"ptc-journal",…}"#;
    assert_eq!(text_of(&folder, JournalFile::create(&path)), told);
    assert_eq!(text_of(&folder, JournalFile::resume(&path).map(|(journal, _)| journal)), told);
    std::fs::write(&path, &gzip("my notes, which nobody may cut off\n")[..20]).unwrap();
    assert_snapshot!(text_of(&folder, JournalFile::resume(&path).map(|(journal, _)| journal)), @"");
}

fn text_of(folder: &tempfile::TempDir, opened: Result<JournalFile, JournalFileError>) -> String {
    opened.map_or_else(|error| text(folder, &error), |_| String::new())
}

fn gzip(text: &str) -> Vec<u8> {
    let mut packed = GzEncoder::new(Vec::new(), flate2::Compression::default());
    packed.write_all(text.as_bytes()).unwrap();
    packed.finish().unwrap()
}
