//! Journals from another author, or broken ones: reading ends in a run or one error that names the line.

use super::*;
use crate::{Turn, TurnFields};

/// A journal with a record of every kind.
fn whole() -> Vec<JournalRecord> {
    vec![
        JournalRecord::Header(Box::new(header())),
        reply(1, 1, failed()),
        reply(1, 2, said("(def a 1)")),
        start("r/1/1"),
        end(
            "r/1/1",
            CallOutcome::Result(json!({"$set": [1, {"$kw": "a"}, {"$int": "123456789012345678901234567890"}]})),
        ),
        start("r/1/2"),
        end("r/1/2", CallOutcome::Error("gone".to_owned())),
        JournalRecord::Approval(DecisionsRecord {
            ids: vec!["r/1/1".to_owned(), "r/1/2".to_owned()],
            about: None,
            decisions: vec![Decided::Approve, Decided::Edit(json!({"room": 2}))],
            tools: Vec::new(),
            asked_us: None,
            at_us: 8,
            clock: 10,
        }),
        JournalRecord::Turn(Box::new(TurnRecord::new(1, true, None))),
        reply(2, 1, said("(return a)")),
        JournalRecord::Turn(Box::new(TurnRecord::new(2, false, Some(crate::FailReason::Cancelled)))),
    ]
}

/// Its lines without their sums.
fn lines() -> Vec<String> {
    whole().iter().map(bare).collect()
}

/// Reads a journal that says the same `count` times.
fn many(count: usize, record: impl Fn(u32) -> JournalRecord) -> Recorded {
    let records: Vec<JournalRecord> = (0..u32::try_from(count).unwrap()).map(record).collect();
    read(&records).unwrap()
}

#[test]
fn no_flipped_bit_is_read() {
    let journal = summed(&lines()).into_bytes();
    for bit in 0..journal.len() * 8 {
        let mut damaged = journal.clone();
        damaged[bit / 8] ^= 1 << (bit % 8);
        assert!(Recorded::read(&damaged).is_err(), "bit {bit}");
    }
}

#[test]
fn no_line_that_is_lost_doubled_or_moved_is_read() {
    let journal = summed(&lines());
    let lines: Vec<&str> = journal.split_inclusive('\n').collect();
    let is_read = |lines: &[&str]| Recorded::read(lines.concat().as_bytes()).is_ok();
    for at in 0..lines.len() {
        let (before, after) = lines.split_at(at);
        // One without its last line ended there.
        assert_eq!(is_read(&[before, &after[1..]].concat()), at + 1 == lines.len(), "lost {at}");
        assert!(!is_read(&[before, &after[..1], after].concat()), "doubled {at}");
        let mut swapped = lines.clone();
        swapped.swap(at, (at + 1) % lines.len());
        assert!(!is_read(&swapped), "swapped {at}");
    }
}

#[test]
fn long_journals_are_read_in_linear_time() {
    const COUNT: usize = 5_000;
    let turns = many(2 * COUNT, |number| match (number / 2, number % 2) {
        (turn, 0) => reply(turn + 1, 1, said("x")),
        (turn, _) => JournalRecord::Turn(Box::new(TurnRecord::new(turn as usize + 1, true, None))),
    });
    assert_eq!((turns.replies().len(), turns.turns().len()), (COUNT, COUNT));
    // A repeated request replaces the failures that followed from it.
    let answer = |number| if number + 1 < COUNT as u32 { failed() } else { said("x") };
    let recorded = many(COUNT, |number| reply(1, COUNT as u32 - number, answer(number)));
    assert_eq!(recorded.replies().len(), 1);
    let calls = many(COUNT, |number| start(&format!("r/1/{number}")));
    assert_eq!((calls.own_calls(0).count(), calls.own_calls(COUNT - 1).count()), (COUNT, 1));
    let decided = |number: u32| {
        JournalRecord::Approval(DecisionsRecord {
            ids: vec![format!("r/1/{number}")],
            about: None,
            decisions: vec![Decided::Deny(number.to_string())],
            tools: Vec::new(),
            asked_us: None,
            at_us: 0,
            clock: 0,
        })
    };
    let recorded = many(COUNT, decided);
    assert!((0..COUNT).all(|number| recorded.decisions(&[format!("r/1/{number}")]).is_some()));
    assert!(recorded.decisions(&["none".to_owned()]).is_none());
}

#[test]
fn the_latest_decision_about_ids_counts() {
    let decided = |reason: &str, about: Option<&str>| {
        let about = about.map(str::to_owned);
        let decisions = vec![Decided::Deny(reason.to_owned())];
        JournalRecord::Approval(DecisionsRecord {
            ids: vec!["1".to_owned()],
            about,
            decisions,
            tools: Vec::new(),
            asked_us: None,
            at_us: 0,
            clock: 0,
        })
    };
    let records = [decided("a", Some("x")), decided("b", Some("y")), decided("c", None)];
    let recorded = read(&records).unwrap();
    let reason = |record: Option<&DecisionsRecord>| record.map(|record| record.decisions.clone());
    let deny = |reason: &str| Some(vec![Decided::Deny(reason.to_owned())]);
    let ids = ["1".to_owned()];
    assert_eq!(reason(recorded.decisions(&ids)), deny("c"));
    assert_eq!(reason(recorded.decisions_about(&ids, "x")), deny("a"));
    assert_eq!(reason(recorded.decisions_about(&ids, "z")), None);
}

#[test]
fn what_no_run_writes_is_named_with_its_line() {
    let said_of = |line: &str| {
        let text = summed(&[lines().remove(0).as_str(), line]);
        Recorded::read(text.as_bytes()).unwrap_err().to_string()
    };
    let of = |field: &str, value: &str| {
        let line = lines()[2].trim_end().to_owned();
        let mut json: serde_json::Map<String, Json> = serde_json::from_str(&line).unwrap();
        json.insert(field.to_owned(), Json::Null);
        said_of(
            &serde_json::to_string(&json)
                .unwrap()
                .replace(&format!("\"{field}\":null"), &format!("\"{field}\":{value}")),
        )
    };
    let deep = format!(
        "{{\"type\":\"call.start\",\"id\":\"r\",\"tool\":\"t\",\"args\":{}1{}}}",
        "[".repeat(100_000),
        "]".repeat(100_000)
    );
    let told: Vec<String> = vec![
        of("at_us", "-1"),
        of("at_us", "18446744073709551616"),
        of("clock", "1e400"),
        of("turn", "NaN"),
        of("turn", "\"1\""),
        said_of("{\"type\":\"turn\",\"number\":2,\"success\":true}"),
        said_of("{\"type\":\"header\"}"),
        said_of("{\"type\":\"what\"}"),
        said_of("\0"),
        said_of(&deep).chars().take(70).collect(),
    ];
    assert!(told.iter().all(|text| text.starts_with("line 2 of the journal is ")), "{told:#?}");
    let bytes = [text(&[]).as_bytes(), b"\xff\xfe\n"].concat();
    assert!(Recorded::read(&bytes).unwrap_err().to_string().starts_with("line 2 of the journal is not a record: "));
}

#[test]
fn values_that_take_long_or_much_are_refused() {
    let refused = |json: Json| value_of(&json).unwrap_err().to_string();
    assert!(
        refused(json!({"$int": "9".repeat(100_001)})).ends_with("an integer of more than 100,000 digits is not read")
    );
    assert!(refused(json!({"$int": "1e5"})).ends_with("the content does not parse"));
    assert!(refused(json!({"$regex": "(a{1000}){1000}"})).ends_with("the content does not parse"));
    for (mark, text) in
        [("$date", "9999999-99-99"), ("$year-month", "-"), ("$duration", "P999999999999999999D"), ("$zone", "\0")]
    {
        refused(json!({mark: text}));
    }
    // Everything read can be shown and written.
    for micros in [i64::MIN, -1, i64::MAX] {
        let value = value_of(&json!({"$inst": micros})).unwrap();
        assert!(!ptc_lisp::text::format(&value, &ptc_lisp::text::FormatOptions::full()).text.is_empty());
        assert_eq!(json_of(&value, ValueForm::Typed), json!({"$inst": micros}));
        json_of(&value, ValueForm::Plain);
    }
    // An integer that could not be read back is not written.
    let long = value_of(&json!({"$int": "9".repeat(99_999)})).unwrap();
    assert_eq!(json_of(&long, ValueForm::Typed)["$int"].as_str().map(str::len), Some(99_999));
}

#[test]
fn turns_share_what_they_do_not_change() {
    let large = Value::vector(vec![Value::string("x".repeat(100)); 2_000]);
    let entry = |name: &str, value: Value, order| ptc_lisp::MemoryEntry {
        name: name.to_owned(),
        label: ptc_lisp::values::type_of(&value),
        value,
        doc: None,
        returns: None,
        params: None,
        order,
    };
    let memory = ptc_lisp::Memory::new(vec![entry("large", large, 1)]);
    let turn = |number| Turn::success(TurnFields { memory: memory.clone(), ..TurnFields::new(number, "", Value::Nil) });
    let mut step = crate::Step::returned(crate::EndingKind::Value, Value::Nil);
    step.turns = Some((1..=500).map(turn).collect());
    let text = crate::StepJson::new(&step, ValueForm::Typed).to_json().to_string();
    assert!(text.len() < 500_000);
    // If each turn had its own values, this would take 300 MB.
    let step = crate::StepJson::parse(&text).unwrap().to_step().unwrap();
    let address = |number: usize| match &step.turns()[number].memory().get("large").unwrap().value {
        Value::Vector(items) => std::ptr::from_ref(items.iter().next().unwrap()) as usize,
        _ => 0,
    };
    assert_eq!(address(0), address(499));
}

#[test]
fn turns_with_too_many_definitions_are_refused() {
    let entries: Vec<String> =
        (0..300).map(|n| format!("\"x{n}\":{{\"value\":1,\"order\":{n},\"label\":\"integer\"}}")).collect();
    let turn = |memory: &str, number: usize| {
        format!(
            "{{\"version\":1,\"values\":\"typed\",\"number\":{number},\"success\":true,\"raw_response\":\"\",\"memory\":{{{memory}}},\"memory_from_previous\":true}}"
        )
    };
    let turns: Vec<String> =
        (0..400).map(|n| turn(if n == 0 { entries.join(",") } else { entries[n % 300].clone() }.as_str(), n)).collect();
    let text = format!("{{\"version\":1,\"values\":\"typed\",\"ending\":\"value\",\"turns\":[{}]}}", turns.join(","));
    let error = crate::StepJson::parse(&text).unwrap().to_step().unwrap_err();
    assert_snapshot!(error, @"this step cannot be read: its turns have more than 100000 definitions together");
}

/// A change of some lines.
#[derive(Debug, Clone)]
enum Change {
    Flip(prop::sample::Index, u8),
    Cut(prop::sample::Index),
    Drop(prop::sample::Index),
    Repeat(prop::sample::Index),
    Swap(prop::sample::Index, prop::sample::Index),
    Replace(prop::sample::Index, prop::sample::Index, Json),
}

fn change() -> impl Strategy<Value = Change> {
    let place = any::<prop::sample::Index>;
    let values = vec![
        json!(null),
        json!(-1),
        json!(u64::MAX),
        json!(1e308),
        json!(""),
        json!([]),
        json!({}),
        json!({"$int": "x"}),
        json!(["r/1/1"]),
    ];
    prop_oneof![
        (place(), any::<u8>()).prop_map(|(at, byte)| Change::Flip(at, byte)),
        place().prop_map(Change::Cut),
        place().prop_map(Change::Drop),
        place().prop_map(Change::Repeat),
        (place(), place()).prop_map(|(one, other)| Change::Swap(one, other)),
        (place(), place(), prop::sample::select(values))
            .prop_map(|(line, field, value)| Change::Replace(line, field, value)),
    ]
}

fn changed(lines: &[String], changes: &[Change]) -> Vec<u8> {
    let mut lines = lines.to_vec();
    let mut bytes_at: Vec<(prop::sample::Index, Option<u8>)> = Vec::new();
    for change in changes {
        match change {
            Change::Flip(at, byte) => bytes_at.push((*at, Some(*byte))),
            Change::Cut(at) => bytes_at.push((*at, None)),
            Change::Drop(at) if lines.len() > 1 => drop(lines.remove(at.index(lines.len()))),
            Change::Drop(_) => {}
            Change::Repeat(at) => lines.insert(at.index(lines.len()), lines[at.index(lines.len())].clone()),
            Change::Swap(one, other) => {
                let count = lines.len();
                lines.swap(one.index(count), other.index(count));
            }
            Change::Replace(line, field, value) => {
                let place = line.index(lines.len());
                let mut record: serde_json::Map<String, Json> = serde_json::from_str(&lines[place]).unwrap();
                let name = record.keys().nth(field.index(record.len())).unwrap().clone();
                record.insert(name, value.clone());
                lines[place] = serde_json::to_string(&record).unwrap() + "\n";
            }
        }
    }
    // Half of those who change a journal know of its sums.
    let mut bytes = summed(&lines).into_bytes();
    for (at, byte) in bytes_at {
        match byte {
            Some(byte) if !bytes.is_empty() => {
                let at = at.index(bytes.len());
                bytes[at] = byte;
            }
            None if !bytes.is_empty() => bytes.truncate(at.index(bytes.len())),
            _ => {}
        }
    }
    bytes
}

proptest! {
    #[test]
    fn a_changed_journal_ends_in_a_run_or_one_clear_error(changes in prop::collection::vec(change(), 1..4)) {
        let bytes = changed(&lines(), &changes);
        match Recorded::read(&bytes) {
            Err(error) => {
                let text = error.to_string();
                let names_place = text.starts_with("line ") || text.starts_with("this journal") || text.starts_with("this is not a journal") || text.contains("header");
                prop_assert!(names_place && text.len() < 1_000, "{}", text);
            }
            Ok(None) => prop_assert!(!bytes.contains(&b'\n')),
            Ok(Some(recorded)) => {
                prop_assert!(recorded.whole_bytes() <= bytes.len());
                for call in recorded.calls() {
                    // A result is a value, a failure, or an error that says what is unreadable.
                    if let Some(Err(error)) = call.end.as_ref().map(CallEnd::to_result) {
                        prop_assert!(error.to_string().starts_with("the journal holds a result that cannot be read"), "{}", error);
                    }
                }
                let _ = recorded.header().to_definitions();
                // Replies are in order, turns too.
                prop_assert!(recorded.replies().windows(2).all(|two| (two[0].turn, two[0].attempt) < (two[1].turn, two[1].attempt)));
                prop_assert!(recorded.turns().iter().enumerate().all(|(place, turn)| turn.number == place + 1));
            }
        }
    }
}
