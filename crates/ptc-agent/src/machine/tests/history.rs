//! What the model is shown (scenarios 4–12, 29, 40).

use insta::assert_snapshot;
use ptc_chat::Request;
use ptc_compression::{
    Aggressive, AppendOnly, Ceiling, CompressionConfig, Digest, O200k, PerTurnSummary, RenderInput, RequestCounter,
    RollingWindow, SingleUserCoalesced, ViewLimits,
};
use serde_json::json;

use super::{agent, bookings, check, check_raw};
use crate::{Agent, FnTool, RunOptions, ToolError};

#[test]
fn only_prints_are_fed_back() {
    let seen = check(agent(), &["(+ 1 2)", "(println \"n\" 4)", "(return 4)"]);
    assert!(!seen.last(2).contains('3'), "{}", seen.last(2));
    assert!(seen.last(3).contains("n 4"));
}

#[test]
fn stored_names_are_listed() {
    let seen = check(agent(), &["(def b 2) (def a 1)", "(return a)"]);
    assert_snapshot!(seen.last(2), @r"
    Stored names: a, b

    Turn 2 of 5 (4 remaining)
    ");
}

/// Proves: SS-002.
#[test]
fn turn_lines_count_down() {
    let seen = check(agent(), &["1", "2", "3", "4", "(return 5)"]);
    assert_snapshot!((2..=5).map(|n| seen.last_line(n)).collect::<Vec<_>>().join("\n"), @r"
    Turn 2 of 5 (4 remaining)
    Turn 3 of 5 (3 remaining)
    Turn 4 of 5 (2 remaining). The turn after this one is the last: prepare the return.
    FINAL TURN - you must call (return result) or (fail reason) now.
    ");
    assert_eq!(seen.step.usage.turns, 5);
    assert!(seen.requests[4].tool_names.is_empty() && !seen.requests[3].tool_names.is_empty());
}

/// Proves: API-001, ARC-009, NS-011, SAM-001, TC-004, MSG-002, MSG-004, CHG-009, CHG-010, CHG-016, CHG-034.
#[test]
fn compressed_history_replaces_the_dialogue() {
    let program = "(def rate 89.5) (tool/quote-room {:nights 1 :room 1})";
    let seen = check(agent().compression(true), &[program, "(return rate)"]);
    assert_eq!(seen.requests[1].messages.len(), 1);
    assert_snapshot!(seen.last(2), @r#"
    Which bookings fit into the limit?

    ;; === tool/ ===
    tool/fail-now() -> nil  ; Always fails
    tool/quote-room(room int, nights int) -> {total float}  ; Price of a stay
    ;; call with named arguments, e.g. (tool/quote-room {:room … :nights …})

    ;; === data/ ===
    data/bookings                 ; list[4] of {guest :string, nights :int}, sample: [{:guest "Ines" :nights 3} {:guest "Oto" :nights 1} {:guest "Rui" :nights 9} {:guest "Ada" :nights 2}]
    data/limit                    ; integer, sample: 250

    ;; === user/ (your prelude) ===
    rate                          ; = float, sample: 89.5

    ;; Tool calls made:
    ;   quote-room({:nights 1 :room 1})

    Turns left: 4
    "#);
}

/// Proves: ARC-011, NS-012, MSG-006, CHG-011, CHG-028.
#[test]
fn the_stable_prefix_never_changes() {
    for compression in [true, false] {
        let seen =
            check(agent().compression(compression), &["(def a 1)", "(foo)", "(println data/limit)", "(return 1)"]);
        let prefix = |n: usize| {
            let first = &seen.requests[n].messages[0];
            first.content()[..first.stable_bytes()].to_owned()
        };
        assert!(prefix(0).contains(";; === tool/ ===") && prefix(0).contains(";; === data/ ==="));
        assert!((1..4).all(|n| prefix(n) == prefix(0) && seen.requests[n].system == seen.requests[0].system));
    }
}

#[test]
fn requests_can_be_rendered_again_from_the_step() {
    let seen = check(agent().compression(true), &["(def a 1)", "(foo)", "(println data/limit)", "(return 1)"]);
    let strategy = CompressionConfig::from(SingleUserCoalesced::default()).strategy().expect("a strategy");
    for (done, request) in seen.requests.iter().enumerate() {
        let turns = &seen.step.turns()[..done];
        let memory = turns.last().map(|turn| turn.memory().clone()).unwrap_or_default();
        let input = RenderInput {
            tools: &seen.step.tools,
            turns_left: 5 - done,
            ..RenderInput::new(&seen.step.mission, &seen.step.data)
        };
        assert_eq!(strategy.to_messages(turns, &memory, &input).messages, request.messages);
    }
}

#[test]
fn without_samples_no_value_is_shown_that_no_program_prints() {
    let ways: [CompressionConfig; 9] = [
        false.into(),
        true.into(),
        SingleUserCoalesced::default().into(),
        RollingWindow::default().into(),
        PerTurnSummary::default().into(),
        Aggressive::default().into(),
        AppendOnly::default().into(),
        Digest::default().into(),
        CompressionConfig::from(Digest::default()).with_ceiling(Ceiling::new(1_400, O200k)),
    ];
    let programs = [
        "(def kept (first data/people)) (def names (mapv :name data/people)) (def best (:name kept)) (def total (+ 90000 817))",
        "(foo)",
        "(def best (str best \"-again\")) (defn f [x] x) (def seen (atom kept))",
        "(println \"printed\" (:city kept))",
        "(return 1)",
    ];
    let canaries = ["Ines-canary", "Oto-canary", "90817"];
    for way in ways {
        let seen = |samples: bool| {
            let agent = Agent::builder("Who is the oldest?").compression(way.clone()).samples(samples);
            let people = json!([{"name": "Ines-canary", "city": "Faro"}, {"name": "Oto-canary", "city": "Beja"}]);
            let answers = programs.iter().map(|program| Ok(format!("```clojure\n{program}\n```").into()));
            check_raw(agent, answers.collect(), json!({"people": people, "code": "90817"}), RunOptions::default())
        };
        let whole = |request: &Request| request.messages.iter().map(|message| message.content()).collect::<String>();
        let requests: Vec<String> = seen(false).requests.iter().map(whole).collect();
        for canary in canaries {
            assert!(requests.iter().all(|request| !request.contains(canary)), "{way:?} {canary}: {requests:#?}");
        }
        assert!(requests[4].contains("printed Faro"), "{way:?}: {}", requests[4]);
        assert!(requests[0].contains("list[2]"), "{way:?}: {}", requests[0]);
        let shows = whole(&seen(true).requests[0]).contains("Ines-canary");
        assert_eq!(shows, way.to_record() != CompressionConfig::from(Aggressive::default()).to_record(), "{way:?}");
    }
}

/// Proves: SAM-002.
#[test]
fn output_hides_samples_of_definitions() {
    let seen = check(agent().compression(true), &["(def k [1 2]) (println \"two\")", "(def m 3)", "(return 1)"]);
    let message = seen.last(3);
    assert!(message.contains(";; Output:\ntwo"), "{message}");
    let line = |name: &str| message.lines().find(|line| line.starts_with(name)).unwrap_or_default().to_owned();
    assert_snapshot!(line("k "), @"k                             ; = list[2]");
    assert_snapshot!(line("m "), @"m                             ; = integer");
    assert_snapshot!(line("data/limit"), @"data/limit                    ; integer, sample: 250");
}

/// Proves: CMP-002, ERR-001, ERR-002, ERR-003, AMB-011, CHG-017.
#[test]
fn errors_are_shown_once_and_then_collapse() {
    let seen = check(agent().compression(true), &["(foo 1)", "(bar 2)", "(println \"ok\")", "(return 1)"]);
    assert!(seen.last(3).contains("(bar 2)") && !seen.last(3).contains("(foo 1)"));
    assert!(!seen.last(4).contains("(bar 2)") && !seen.last(4).contains("Error:"));
    let stats = seen.step.usage.compression.clone().expect("statistics");
    assert_eq!((stats.error_turns_collapsed, stats.turns_compressed), (2, 3));
}

/// Proves: ERR-005.
#[test]
fn what_worked_survives_an_error() {
    let seen = check(agent().compression(true), &["(tool/quote-room {:room 1 :nights 2})", "(foo)", "(return 1)"]);
    assert!(seen.last(3).contains(";   quote-room({:room 1 :nights 2})"));
    assert!(seen.last(3).contains("Your previous attempt:"));
}

#[test]
fn hidden_data_is_in_no_request() {
    let secret = "s3cret-canary";
    let whisper = FnTool::new("whisper", "Gives a secret back", |_: super::Nothing| {
        Ok::<_, ToolError>(json!({"_x": "tool-canary-1", "y": 1}))
    });
    for compression in [true, false] {
        let agent = agent().tool(whisper.clone()).compression(compression);
        let programs = [
            "(println data/_api_key (:y (tool/whisper {}))) (println {:_x data/_api_key})",
            "(def copy (:_x (tool/whisper {}))) (println copy)",
            "(return (count data/_api_key))",
        ];
        let answers = programs.map(|program| Ok(program.into())).to_vec();
        let seen = check_raw(agent, answers, json!({"_api_key": secret}), RunOptions::default());
        assert_eq!(seen.end(), "return 13");
        let sent = serde_json::to_string(&seen.requests).expect("JSON");
        assert!(!sent.contains(secret) && !sent.contains("tool-canary-1"), "{sent}");
        assert!(seen.last(1).contains("[Hidden] [Firewalled]"), "{}", seen.last(1));
    }
}

/// Proves: ARC-008, ARC-009, ARC-011, ARC-012, MSG-002, MSG-006, CHG-016, CHG-028, CHG-034.
#[test]
fn the_system_text_depends_on_nothing_that_changes() {
    let systems = [agent().build(), agent().compression(true).build(), Agent::builder("Something else").build()];
    let texts = systems.map(|agent| agent.expect("an agent").system_prompt().expect("a text").text);
    assert!(texts.iter().all(|text| *text == texts[0] && !text.contains("quote-room")));

    let preview = agent().compression(true).build().expect("an agent").preview_prompt(bookings()).expect("a preview");
    let seen = check(agent().compression(true), &["(return 1)"]);
    assert_eq!((&*preview.system, preview.messages), (&*seen.requests[0].system, seen.requests[0].messages.clone()));
    assert_eq!(&*preview.system, texts[0], "what is sent is what was made of the options alone");
}

/// Proves: PRE-001, ARC-007.
#[test]
fn messages_are_collected_on_request() {
    let options = RunOptions::new().collect_messages(true);
    let answers = vec![Ok("Hm.\n```clojure\n(println 1)\n```".into()), Ok("(return 1)".into())];
    let seen = check_raw(agent(), answers.clone(), bookings(), options.clone());
    let messages = seen.step.messages.clone().expect("messages");
    let texts: Vec<_> = messages.iter().map(|message| message.content()).collect();
    assert_eq!(texts[1..], ["```clojure\n(println 1)\n```", "1\n\nTurn 2 of 5 (4 remaining)", "(return 1)"]);
    // What a strategy wrote is not a dialogue: the messages are those of the last request.
    let seen = check_raw(agent().compression(true), answers, bookings(), options);
    assert_eq!(seen.step.messages.as_deref(), Some(seen.requests[1].messages.as_slice()));
    assert_eq!(seen.turn(2).messages(), Some(seen.requests[1].messages.as_slice()));
}

/// Proves: BRK-001, CHG-021.
#[test]
fn placeholders_show_values_or_references() {
    let agent = Agent::builder("At most {{limit}} for {{bookings}}, key {{_key}}, not {{other}}.");
    let data = json!({"limit": 250, "bookings": [1, 2], "_key": "0123456789"});
    let seen = check_raw(agent, vec![Ok("(return 1)".into())], data, RunOptions::default());
    assert_snapshot!(seen.step.mission, @"At most 250 for ~{data/bookings}, key ~{data/_key}, not {{other}}.");
}

/// Proves: API-002, TC-007, CHG-002.
#[test]
fn limits_keep_the_newest() {
    let calls: String = (1..=4).map(|n| format!("(println {n}) (tool/quote-room {{:room {n} :nights 1}}) ")).collect();
    let strategy =
        SingleUserCoalesced::from(ViewLimits { println_limit: 3, tool_call_limit: 2, ..ViewLimits::default() });
    let seen = check(agent().compression(strategy), &[&format!("{calls}(println 5)"), "(return 1)"]);
    let message = seen.last(2);
    let tail = message.split(";; Tool calls made:").nth(1).unwrap_or_default();
    assert_snapshot!(tail.trim(), @r#"
    ;   (2 earlier calls not shown)
    ;   quote-room({:room 3 :nights 1})
    ;   quote-room({:room 4 :nights 1})

    ;; Output:
    ;; (2 earlier prints not shown)
    3
    4
    5

    ;; Note: of 5 printed entries the newest 3 are shown; print one joined text: (println (str/join "\n" lines))

    Turns left: 4
    "#);
    let stats = seen.step.usage.compression.clone().expect("statistics");
    assert_eq!((stats.printlns_total, stats.printlns_shown, stats.printlns_dropped), (5, 3, 2));
    assert_eq!((stats.tool_calls_total, stats.tool_calls_shown, stats.tool_calls_dropped), (4, 2, 2));
}

/// The system text alone has some thousands of tokens.
fn system_tokens() -> usize {
    let system = agent().build().unwrap().system_prompt().unwrap().text;
    RequestCounter::new(O200k, system).tokens(&[])
}

#[test]
fn no_request_exceeds_its_ceiling() {
    let max_tokens = system_tokens() + 260;
    let loud = "(def long (vec (range 300))) (println (apply str (repeat 40 \"all work and no play \"))) (tool/quote-room {:room 1 :nights 2})";
    let ceiling = CompressionConfig::from(RollingWindow::default()).with_ceiling(Ceiling::new(max_tokens, O200k));
    let seen = check(agent().max_turns(6).compression(ceiling), &[loud, loud, loud, "(broken", loud, "(return 1)"]);
    assert_eq!(seen.end(), "return 1");
    let counted: Vec<usize> = seen
        .requests
        .iter()
        .map(|request| RequestCounter::new(O200k, &*request.system).tokens(&request.messages))
        .collect();
    assert!(counted.iter().all(|tokens| *tokens <= max_tokens), "{counted:?} above {max_tokens}");
    let estimated: Vec<usize> = seen.step.usage.estimates.iter().map(|estimate| estimate.total() as usize).collect();
    assert_eq!(estimated, counted);
    assert!(seen.step.usage.compression.unwrap().ceiling_step > Some(0));
}

#[test]
fn requests_are_estimated_by_their_characters() {
    let seen = check(agent().compression(true), &["(println 1)", "(return 1)"]);
    let estimates = seen.step.usage.estimates;
    let quarter = |text: &str| text.chars().count() as u64 / 4;
    for (place, (estimate, request)) in estimates.iter().zip(&seen.requests).enumerate() {
        let [stable, changing] = &*request.messages[0].parts else { panic!("two parts") };
        let prefix = 3 + (4 + quarter(&request.system)) + (4 + quarter(&stable.text));
        assert_eq!((estimate.turn, estimate.prefix, estimate.history), (place + 1, prefix, quarter(&changing.text)));
    }
    assert_eq!((estimates.len(), estimates[0].prefix), (2, estimates[1].prefix));
}

#[test]
fn a_run_ends_before_a_request_that_cannot_fit() {
    let max_tokens = system_tokens() + 150;
    let data = json!({"text": "x", "names": "n"}).as_object().cloned().unwrap();
    let many = (0..200).fold(data, |mut data, number| {
        data.insert(format!("key-{number}"), json!(number));
        data
    });
    let agent = agent().compression(CompressionConfig::from(true).with_ceiling(Ceiling::new(max_tokens, O200k)));
    let seen = check_raw(agent, Vec::new(), many.into(), RunOptions::default());
    assert_eq!((seen.requests.len(), seen.step.usage.llm_requests), (0, None));
    let end = seen.end();
    let figures = format!(
        "tokens (counted in o200k), and max_tokens is {max_tokens}: raise it, or shorten the mission and its data"
    );
    assert!(
        end.starts_with("limit context_limit: the request of turn 1 has at least ") && end.ends_with(&figures),
        "{end}"
    );
}

#[test]
fn the_plain_dialogue_ends_at_its_ceiling() {
    let max_tokens = system_tokens() + 1_000;
    let long = "(println (apply str (repeat 400 \"word \")))";
    let seen = check(agent().compression(Ceiling::new(max_tokens, O200k)), &[long, long, long, "(return 1)"]);
    let sent: Vec<usize> = seen
        .requests
        .iter()
        .map(|request| RequestCounter::new(O200k, &*request.system).tokens(&request.messages))
        .collect();
    assert!(sent.len() > 1 && sent.iter().all(|tokens| *tokens <= max_tokens), "{sent:?} above {max_tokens}");
    let turn = sent.len() + 1;
    let end = seen.end();
    assert!(end.starts_with(&format!("limit context_limit: the request of turn {turn} has at least ")), "{end}");
    let advice = "raise it, or choose a compression, which shows less of the history";
    assert!(end.ends_with(&format!("max_tokens is {max_tokens}: {advice}")), "{end}");
}

#[test]
fn a_ceiling_below_what_is_known_is_an_error_of_the_agent() {
    assert!(agent().compression(Ceiling::new(100, O200k)).build().is_err());
    let refused = agent()
        .compression(CompressionConfig::from(true).with_ceiling(Ceiling::new(100, O200k)))
        .build()
        .unwrap_err()
        .to_string();
    assert!(refused.starts_with("even without history, the request has "), "{refused}");
    assert!(refused.ends_with(" tokens (counted in o200k), and max_tokens is 100"), "{refused}");
}

#[test]
fn a_list_of_tools_above_its_limit_is_an_index() {
    for (tokens, line) in
        [(2_000, "tool/weigh() -> int  ; Weighs a parcel\n"), (0, "(apropos \"word\") finds tools\ntool/weigh\n")]
    {
        let weigh = FnTool::new("weigh", "Weighs a parcel", |_: super::Nothing| Ok::<_, ToolError>(1));
        let seen = check(Agent::builder("Go.").tool(weigh).tool_tokens(tokens), &["(println 1)", "(return 1)"]);
        for request in &seen.requests {
            let text = request.messages.iter().map(|message| message.content()).collect::<String>();
            assert!(text.contains(line), "{text}");
        }
        assert_eq!(seen.step.tool_tokens, (tokens != 2_000).then_some(tokens));
    }
}
