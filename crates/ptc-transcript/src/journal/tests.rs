//! Journals written and read back, whole and torn.

mod hostile;

use insta::assert_snapshot;
use proptest::prelude::*;
use ptc_chat::{LlmErrorKind, Message, PastRequest, Request};
use ptc_lisp::signature::Signature;
use ptc_lisp::{CachedCall, Map, Session, SessionOptions, ToolSpec, Value};
use serde_json::json;

use super::*;
use crate::TurnKind;

fn subject(mission: &str) -> JournalSubject<'_> {
    JournalSubject { mission, signature: None, max_turns: 5, retry_turns: 0, tools: &[] }
}

fn header() -> JournalHeader {
    let data = Value::map_from([(Value::keyword("limit"), Value::Int(250))]);
    let data = data.as_map().cloned().unwrap_or_default();
    JournalHeader {
        run: "r".to_owned(),
        seed: u64::MAX,
        clock: -5,
        ..JournalHeader::new(&subject("Count."), &JournalStart::new(&data)).unwrap()
    }
}

fn reply(turn: u32, attempt: u32, answer: Answer) -> JournalRecord {
    JournalRecord::Reply(ReplyRecord { turn, attempt, request: "00".to_owned(), answer, at_us: 7, clock: 9 })
}

fn said(text: &str) -> Answer {
    Answer::Reply(Reply::text(text))
}

fn failed() -> Answer {
    Answer::Error(LlmError::from_status(429, "slow down"))
}

fn start(id: &str) -> JournalRecord {
    JournalRecord::CallStart(CallStart {
        at_us: Some(1_200),
        id: id.to_owned(),
        tool: "quote".to_owned(),
        args: json!({"room": 1}),
        agent: false,
        repeatable: false,
    })
}

fn end(id: &str, outcome: CallOutcome) -> JournalRecord {
    JournalRecord::CallEnd(CallEnd {
        id: id.to_owned(),
        outcome,
        may_have_run: None,
        data: None,
        about: None,
        spent: Spent::default(),
        at_us: 8,
        clock: 10,
    })
}

fn turn(number: usize) -> JournalRecord {
    JournalRecord::Turn(Box::new(TurnRecord::new(number, false, Some("timeout".into()))))
}

/// The record as a line without its sum.
fn bare(record: &JournalRecord) -> String {
    serde_json::to_string(record).unwrap() + "\n"
}

/// Bare lines with their sums, as somebody would write them who knows how.
fn summed(bare: &[impl AsRef<str>]) -> String {
    let mut lines = JournalLines::default();
    bare.iter().map(|line| lines.summed(line.as_ref().trim_end().to_owned()).unwrap()).collect()
}

fn text(records: &[JournalRecord]) -> String {
    let mut lines = JournalLines::default();
    let header = [JournalRecord::Header(Box::new(header()))];
    header.iter().chain(records).map(|record| lines.line(None, record).unwrap()).collect()
}

fn read(records: &[JournalRecord]) -> Result<Recorded, JournalError> {
    Recorded::read(text(records).as_bytes()).map(|recorded| recorded.expect("a header"))
}

#[test]
fn every_record_is_one_line() {
    let refused = Reply { stop: StopReason::Refusal, ..Reply::text("no\nnever") };
    let records = [
        reply(1, 1, failed()),
        reply(1, 2, Answer::Reply(refused)),
        start("r/1/1"),
        end("r/1/1", CallOutcome::Result(json!({"$kw": "a"}))),
        turn(1),
    ];
    assert_snapshot!(text(&records), @r#"
    {"type":"header","format":"ptc-journal","version":2,"run":"r","mission_hash":"c431133bf794e9e4","data_hash":"302d66ac194d3d5b","seed":18446744073709551615,"clock":-5,"mission":"Count.","max_turns":5,"retry_turns":0,"tools":[],"data":{"limit":250},"sum":"fe808f5968f6f44f"}
    {"type":"reply","turn":1,"attempt":1,"request":"00","error":{"kind":"rate_limit","status":429,"message":"slow down"},"at_us":7,"clock":9,"sum":"3e411257947c53a5"}
    {"type":"reply","turn":1,"attempt":2,"request":"00","reply":{"content":"no\nnever","stop":"refusal"},"at_us":7,"clock":9,"sum":"586c9f1fab245c75"}
    {"type":"call.start","id":"r/1/1","tool":"quote","args":{"room":1},"at_us":1200,"sum":"85d37210ffc62a94"}
    {"type":"call.end","id":"r/1/1","result":{"$kw":"a"},"at_us":8,"clock":10,"sum":"bca5aa7f8bd75a9c"}
    {"type":"turn","number":1,"success":false,"reason":"timeout","sum":"6aacc6c23eb10a09"}
    "#);
}

#[test]
fn an_attempt_that_is_asked_again_replaces_what_came_of_it() {
    let recorded =
        read(&[reply(1, 1, said("a")), turn(1), reply(2, 1, failed()), reply(2, 2, failed()), reply(2, 1, said("b"))])
            .unwrap();
    let answers: Vec<_> =
        recorded.replies().iter().map(|reply| (reply.turn, reply.attempt, reply.answer.is_useful())).collect();
    assert_eq!(answers, [(1, 1, true), (2, 1, true)]);
}

#[test]
fn everything_that_was_asked_is_known() {
    let spent = Spent { requests: 3, ..Spent::default() };
    let of_agent = |id: &str| match end(id, CallOutcome::Result(Json::Null)) {
        JournalRecord::CallEnd(end) => JournalRecord::CallEnd(CallEnd { spent, ..end }),
        other => other,
    };
    let records = [
        reply(1, 1, said("a")),
        start("r/1/1"),
        of_agent("r/1/1"),
        start("r/1/2"),
        end("r/1/2", CallOutcome::Result(Json::Null)),
        turn(1),
    ];
    let again = [reply(2, 1, failed()), reply(2, 1, said("b")), turn(2), reply(3, 1, failed())];
    let answer = |answer: Answer| PastRequest::Answer(answer.to_result());
    let below = PastRequest::Below { agent: "quote".to_owned(), requests: 3 };
    let asked = [answer(said("a")), below, answer(failed()), answer(said("b")), answer(failed())];
    assert_eq!(read(&[&records[..], &again].concat()).unwrap().asked(), asked);
}

#[test]
fn models_take_the_time_from_requests_to_their_answers() {
    let mut lines = JournalLines::default();
    let request = |lines: &mut JournalLines, turn, attempt, at_us| {
        let asked = Request { turn, attempt, ..Request::default() };
        let record = lines.request(None, "m", TurnKind::default(), &asked, at_us);
        lines.line(None, &record).unwrap()
    };
    let replied = |lines: &mut JournalLines, turn, attempt, answer, at_us| {
        let record = ReplyRecord { turn, attempt, request: "00".to_owned(), answer, at_us, clock: 9 };
        lines.line(None, &JournalRecord::Reply(record)).unwrap()
    };
    let header = lines.line(None, &JournalRecord::Header(Box::new(header()))).unwrap();
    let text = [
        header,
        request(&mut lines, 1, 1, 10),
        replied(&mut lines, 1, 1, failed(), 110),
        // The wait before the second attempt is not the model's.
        request(&mut lines, 1, 2, 5_000),
        replied(&mut lines, 1, 2, said("a"), 5_040),
        lines.line(None, &turn(1)).unwrap(),
        // Interrupted, and sent again.
        request(&mut lines, 2, 1, 6_000),
        lines.line(None, &JournalRecord::Resumed {}).unwrap(),
        request(&mut lines, 2, 1, 7_000),
        replied(&mut lines, 2, 1, said("b"), 7_003),
        lines.line(None, &turn(2)).unwrap(),
        request(&mut lines, 3, 1, 9_000),
    ];
    let recorded = Recorded::read(text.concat().as_bytes()).unwrap().unwrap();
    let times: Vec<_> = recorded.model_times().into_iter().map(|(turn, took)| (turn, took.as_micros())).collect();
    assert_eq!(times, [(1, 140), (2, 3)]);
}

#[test]
fn failures_at_the_end_are_asked_again() {
    let refused = Answer::Reply(Reply { stop: StopReason::Refusal, ..Reply::text("no") });
    let recorded =
        read(&[reply(1, 1, failed()), reply(1, 2, said("a")), turn(1), reply(2, 1, failed()), reply(2, 2, refused)])
            .unwrap();
    assert_eq!(recorded.replies().len(), 2, "the failure before an answer stays");
    assert_eq!(recorded.replies()[0].answer.to_result().unwrap_err().kind, LlmErrorKind::RateLimit);
}

#[test]
fn a_repeated_call_is_open_until_its_end() {
    let open = read(&[start("r/1/1"), start("r/1/1")]).unwrap();
    assert!(open.call("r/1/1").unwrap().end.is_none() && open.own_calls(0).count() == 1);
    assert!(open.call("r/1/2").is_none());
}

/// The error of a journal whose last line is this record.
fn refused(records: &[JournalRecord]) -> String {
    read(records).unwrap_err().to_string()
}

#[test]
fn records_of_another_run_are_refused() {
    let decided = |id: &str| {
        let (ids, decisions) = (vec!["r/1/1".to_owned(), id.to_owned()], vec![Decided::Approve; 2]);
        JournalRecord::Approval(DecisionsRecord {
            ids,
            about: None,
            decisions,
            tools: Vec::new(),
            asked_us: None,
            at_us: 0,
            clock: 0,
        })
    };
    assert_snapshot!(refused(&[reply(1, 1, said("a")), start("x/1/1")]), @"line 3 of the journal belongs to another run: it has the id `x/1/1`, and the ids of this run begin with `r/`, as the first line says; the file was damaged, edited, or joined from two; nothing was done: resume with the journal as it was written");
    for id in ["", "s/1/1", "1/1", "rr/1/1", "/1/1", "R/1/1"] {
        for record in [start(id), end(id, CallOutcome::Result(Json::Null)), decided(id)] {
            assert!(refused(&[record]).starts_with("line 2 of the journal belongs to another run: "), "{id}");
        }
    }
    for id in ["r/1", "r/1/", "r/1/a", "r//1", "r/1/1/1", "r/-1/1"] {
        assert!(refused(&[start(id)]).contains(&format!("its id `{id}` is not run/turn/number")), "{id}");
    }
}

#[test]
fn a_last_record_that_is_whole_is_not_torn() {
    let text = text(&[reply(1, 1, said("a")), start("r/1/1")]);
    let line = text.trim_end();
    for (end, calls) in [("\n", 1), ("", 0)] {
        let recorded = Recorded::read(format!("{line}{end}").as_bytes()).unwrap().unwrap();
        assert_eq!(recorded.calls().count(), calls);
    }
    for end in ["*", "J", "\u{b}", " ", "\0", "{\"type\":"] {
        let error = Recorded::read(format!("{line}{end}").as_bytes()).unwrap_err().to_string();
        assert!(
            error.starts_with("line 3 of the journal is out of place: other characters than a line break follow"),
            "{error}"
        );
    }
}

#[test]
fn records_that_cannot_follow_are_refused() {
    let agent = |id: &str| match start(id) {
        JournalRecord::CallStart(start) => JournalRecord::CallStart(CallStart { agent: true, ..start }),
        other => other,
    };
    let ended = |id: &str| end(id, CallOutcome::Result(Json::Null));
    let other_args = match start("r/1/1") {
        JournalRecord::CallStart(start) => JournalRecord::CallStart(CallStart { args: json!({"room": 2}), ..start }),
        other => other,
    };
    let shown = |from_turn| {
        let compression = crate::CompressionRecord::default();
        JournalRecord::Compression(CompressionUse { from_turn, compression })
    };
    assert!(read(&[agent("r/1/1"), start("r/1/1/1/1"), ended("r/1/1"), turn(1), start("r/2/1")]).is_ok());
    assert!(read(&[reply(1, 1, said("a")), turn(1), reply(2, 1, failed()), shown(2), shown(2)]).is_ok());
    let told: Vec<String> = [
        vec![start("r/2/1")],
        vec![turn(1), start("r/1/1")],
        vec![turn(1), reply(1, 1, said("a"))],
        vec![reply(1, 1, said("a")), reply(1, 1, said("b"))],
        vec![start("r/1/1"), start("r/1/1/1/1")],
        vec![agent("r/1/1"), start("r/1/2/1/1")],
        vec![agent("r/1/1"), ended("r/1/1"), start("r/1/1/1/1")],
        vec![start("r/1/1"), ended("r/1/1"), start("r/1/1")],
        vec![start("r/1/1"), ended("r/1/1"), ended("r/1/1")],
        vec![start("r/1/1"), other_args],
        vec![shown(2)],
    ]
    .iter()
    .map(|records| refused(records).split("; the file was").next().unwrap_or_default().to_owned())
    .collect();
    assert_snapshot!(told.join("\n"), @r"
    line 2 of the journal is out of place: `r/2/1` is of turn 2 while turn 1 is open
    line 3 of the journal is out of place: `r/1/1` is of turn 1 while turn 2 is open
    line 3 of the journal is out of place: it answers turn 1 while turn 2 is open
    line 3 of the journal is out of place: it answers turn 1, which has an answer
    line 3 of the journal is out of place: `r/1/1/1/1` is of an agent, and no agent answers a call `r/1/1` then
    line 3 of the journal is out of place: `r/1/2/1/1` is of an agent, and no agent answers a call `r/1/2` then
    line 4 of the journal is out of place: `r/1/1/1/1` is of an agent, and no agent answers a call `r/1/1` then
    line 4 of the journal is out of place: it starts call `r/1/1`, which has ended
    line 4 of the journal is out of place: it ends call `r/1/1`, which has ended
    line 3 of the journal is out of place: it starts call `r/1/1` with another tool or other arguments
    line 2 of the journal is out of place: it shows history otherwise from turn 2 on, turn 1 is next
    ");
}

#[test]
fn what_is_no_journal_says_so() {
    let problem = |text: &str| Recorded::read(text.as_bytes()).unwrap_err().to_string();
    assert_snapshot!(problem("{\"content\":\"a\"}\n"), @r#"this is not a journal: its first line is `{"content":"a"}`, not a header {"type":"header","format":"ptc-journal",…}"#);
    assert_snapshot!(problem("{\"type\":\"header\",\"format\":\"ptc-journal\",\"version\":3}\n"), @"this journal has version 3, this release reads up to 2: resume it with a newer release");
    let begun = [JournalRecord::Header(Box::new(header())), start("r/1/1")].map(|record| bare(&record));
    let bad = |line: &str| problem(&summed(&[begun[0].as_str(), begun[1].as_str(), line]));
    let torn = format!("{}{{\"type\":\"turn\",\"num\n", text(&[start("r/1/1")]));
    assert_snapshot!(problem(&torn), @r#"line 3 of the journal is not a record: it has no sum at its end: `{"type":"turn","num`"#);
    let changed = text(&[start("r/1/1")]).replace("\"room\":1", "\"room\":2");
    assert_snapshot!(problem(&changed), @r#"line 2 of the journal is not a record: its sum is not that of this line after the one before it: `{"type":"call.start","id":"r/1/1","tool":"quote","args":{"ro...`"#);
    assert_snapshot!(bad(&begun[0]), @"line 3 of the journal is out of place: it is a second header; the file was damaged, edited, or joined from two; nothing was done: resume with the journal as it was written");
    assert_snapshot!(bad(&bare(&turn(2))), @"line 3 of the journal is out of place: turn 2 ends after turn 0; the file was damaged, edited, or joined from two; nothing was done: resume with the journal as it was written");
    assert_snapshot!(bad(&bare(&end("r/1/9", CallOutcome::Result(Json::Null)))), @"line 3 of the journal is out of place: it ends call `r/1/9`, which has not started; the file was damaged, edited, or joined from two; nothing was done: resume with the journal as it was written");
}

#[test]
fn another_mission_or_other_data_is_refused() {
    let signature: Signature = "() -> :int".parse().unwrap();
    let tools = [ToolSpec::new("quote")];
    let limit = header();
    let data = value_of(&limit.data).unwrap().as_map().cloned().unwrap();
    let refusal = |about: JournalSubject<'_>, data: &Map| match limit
        .allows(&JournalHeader::new(&about, &JournalStart::new(data)).unwrap())
    {
        Err(JournalError::OtherMission { part, .. }) => part,
        Err(JournalError::OtherData { .. }) => "data",
        other => panic!("{other:?}"),
    };
    let begun = JournalStart::new(&data);
    let from = |start: JournalStart<'_>| limit.allows(&JournalHeader::new(&subject("Count."), &start).unwrap());
    assert!(from(begun).is_ok());
    let mut session = Session::new(SessionOptions::default());
    session.define("a", Value::Int(1), None).unwrap();
    let definitions = session.definitions();
    let known = CachedCall { name: "quote".into(), args: Value::Nil, result: Value::Int(1) };
    let other_starts = [
        JournalStart { tasks: Some(&[("a".to_owned(), Value::Int(1))]), ..begun },
        JournalStart { tool_cache: &[known], ..begun },
        JournalStart { definitions: Some(&definitions), ..begun },
        JournalStart { said: &[Message::user("Hello")], ..begun },
    ];
    for start in other_starts {
        assert!(matches!(from(start), Err(JournalError::OtherData { .. })), "{start:?}");
    }
    assert_eq!(refusal(subject("Sum."), &data), "mission text");
    assert_eq!(refusal(JournalSubject { signature: Some(&signature), ..subject("Count.") }, &data), "signature");
    assert_eq!(refusal(JournalSubject { max_turns: 6, ..subject("Count.") }, &data), "number of turns");
    assert_eq!(refusal(JournalSubject { tools: &tools, ..subject("Count.") }, &data), "list of tools");
    assert_eq!(refusal(subject("Count."), &Map::new()), "data");
    let error = JournalError::OtherMission { part: "signature", recorded: "00".to_owned(), found: "01".to_owned() };
    assert_snapshot!(error, @"the journal belongs to another mission: its signature differs (fingerprints 00 and 01); resume with the mission as it was, or start a new journal");
}

#[test]
fn what_has_changed_is_told() {
    let setting = |recorded: Json, found: Json| ChangedSetting { name: "format".to_owned(), recorded, found };
    let long = |end: &str| json!({ "text": format!("{}{end}", "x".repeat(80)) });
    let changed = vec![
        setting(Json::Null, json!("a")),
        setting(json!({"a": [1]}), json!({"a": []})),
        setting(long("a"), long("b")),
    ];
    let told = |changed: Vec<ChangedSetting>| {
        JournalError::OtherRequest {
            turn: 2,
            recorded: "00".to_owned(),
            found: "01".to_owned(),
            changed: changed.into(),
        }
        .to_string()
    };
    assert_snapshot!(told(changed), @r#"turn 2 sends another request than the recorded run (fingerprints 00 and 01): format is a, in the journal none; format is {"a":[]}, in the journal {"a":[1]}; format is another one; undo that and resume, or start a new journal"#);
    assert_snapshot!(told(Vec::new()), @"turn 2 sends another request than the recorded run (fingerprints 00 and 01): an option (also one of the compression), the system text or the release has changed, or a program ran differently; undo that and resume, or start a new journal");
}

#[test]
fn what_a_journal_cannot_hold_is_a_failure() {
    let deep = (0..120).fold(Value::Int(1), |value, _| Value::vector(vec![value]));
    let outcome = CallOutcome::new(&Ok(deep));
    assert_snapshot!(outcome.to_result().unwrap().unwrap_err(), @"its result holds a function or more than 100 levels, which the journal cannot keep");
    assert_eq!(CallOutcome::new(&Ok(Value::keyword("$fn"))), CallOutcome::Result(json!({"$kw": "$fn"})));
}

/// The result as a resumed run gets it, through a line of the journal.
fn told_again(result: &ToolResult) -> ToolResult {
    let end = JournalRecord::CallEnd(CallEnd::new("r/1/1", result, Spent::default(), (8, 10)));
    let read = read(&[start("r/1/1"), end]).unwrap();
    read.call("r/1/1").and_then(|call| call.end.as_ref()).expect("an end").to_result().unwrap()
}

#[test]
fn a_result_that_cannot_be_kept_is_of_a_call_that_was_done() {
    assert!(told_again(&Ok(Value::keyword("a"))).is_ok());
    let deep = (0..120).fold(Value::Int(1), |value, _| Value::vector(vec![value]));
    assert!(told_again(&Ok(deep)).unwrap_err().may_have_run);
}

#[test]
fn what_else_a_failure_says_is_kept() {
    let data =
        Value::map_from([(Value::keyword("code"), Value::Int(7)), (Value::keyword("at"), Value::keyword("desk"))]);
    let failure = ToolError::new("no room").data(Some(data));
    assert_eq!(told_again(&Err(failure.clone())).unwrap_err(), failure);
}

#[test]
fn failures_of_older_journals_say_what_their_texts_say() {
    let end = |text: &str| -> CallEnd {
        serde_json::from_value(json!({"id": "r/1/1", "error": text, "at_us": 8, "clock": 10})).unwrap()
    };
    let is_open = |text: &str| end(text).to_result().unwrap().unwrap_err().may_have_run;
    assert_eq!((is_open("504 gateway timeout"), is_open("no room")), (true, false));
}

fn any_record() -> impl Strategy<Value = JournalRecord> {
    let id = "r/[1-3]/[1-3]";
    prop_oneof![
        (1..5u32, 1..3u32, ".{0,12}").prop_map(|(turn, attempt, text)| reply(turn, attempt, said(&text))),
        (1..5u32, 1..3u32).prop_map(|(turn, attempt)| reply(turn, attempt, failed())),
        id.prop_map(|id| start(&id)),
        (id, ".{0,12}", any::<f64>()).prop_map(|(id, text, number)| {
            let value = Value::vector(vec![Value::string(text), Value::Float(number), Value::Nil, Value::keyword("k")]);
            end(&id, CallOutcome::new(&Ok(value)))
        }),
    ]
}

proptest! {
    #[test]
    fn records_survive_their_lines(record in any_record()) {
        let line = JournalLines::default().line(None, &record).unwrap();
        prop_assert_eq!(line.matches('\n').count(), 1);
        prop_assert_eq!(serde_json::from_str::<JournalRecord>(&line).unwrap(), record);
    }

    #[test]
    fn failures_come_back_as_they_were(text in prop_oneof![".{0,20}", "50[0-9] busy", "timeout"], perhaps in any::<bool>()) {
        let failure = ToolError::new(text).may_have_run(perhaps);
        prop_assert_eq!(told_again(&Err(failure.clone())).unwrap_err(), failure);
    }

    /// A journal that was cut anywhere reads as the one with its whole lines.
    #[test]
    fn a_torn_line_is_as_good_as_none(records in prop::collection::vec(any_record(), 0..20), cut in any::<prop::sample::Index>()) {
        let mut possible = Vec::new();
        for record in records {
            possible.push(record);
            if read(&possible).is_err() {
                possible.pop();
            }
        }
        let text = text(&possible);
        let cut = &text.as_bytes()[..cut.index(text.len() + 1)];
        let whole = cut.iter().rposition(|byte| *byte == b'\n').map_or(0, |last| last + 1);
        let read = Recorded::read(cut).unwrap();
        prop_assert_eq!(&read, &Recorded::read(&cut[..whole]).unwrap());
        prop_assert_eq!(read.map_or(0, |read| read.whole_bytes()), whole);
    }
}
