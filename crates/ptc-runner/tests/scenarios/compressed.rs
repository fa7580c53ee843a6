//! Scenarios 7 to 12: what compressed requests show.

use ptc_runner::compression::{Compression, RenderInput, SingleUserCoalesced, ViewLimits};
use ptc_runner::lisp::Memory;

use super::{agent, fail_now, play};

#[test]
fn s07_compressed_basic() {
    let program = "(def rate 89.5) (tool/quote-room {:room 1 :nights 1})";
    let played = play(agent().compression(true).max_turns(5), &[program, "(return rate)"]);
    assert_eq!(played.end(), "return 89.5");
    assert_eq!(played.requests[1].messages.len(), 1);
    // L-26: arguments are in the order of the call. A-9: what never changes comes first.
    let wanted = r#"Which bookings fit into the limit?

;; === tool/ ===
tool/quote-room(room int, nights int) -> {total float}  ; Price of a stay
;; call with named arguments, e.g. (tool/quote-room {:room … :nights …})

;; === data/ ===
data/bookings                 ; list[4] of {guest :string, nights :int}, sample: [{:guest "Ines" :nights 3} {:guest "Oto" :nights 1} {:guest "Rui" :nights 9} {:guest "Ana" :nights 2}]
data/limit                    ; integer, sample: 250

;; === user/ (your prelude) ===
rate                          ; = float, sample: 89.5

;; Tool calls made:
;   quote-room({:room 1 :nights 1})

Turns left: 4"#;
    assert_eq!(played.message(2), wanted);
}

#[test]
fn s08_compression_is_pure_and_stable() {
    let played = play(agent().compression(true), &["(def a 1)", "(foo)", "(println data/limit)", "(return 1)"]);
    let opening = |number: usize| {
        let message = played.message(number);
        let start = message.find(";; === tool/ ===").unwrap();
        let data = message.find(";; === data/ ===").unwrap();
        let end = message[data..].find("\n\n").unwrap() + data;
        message[start..end].to_owned()
    };
    assert_eq!(played.requests.len(), 4);
    assert!((2..=4).all(|number| opening(number) == opening(1)));

    let step = &played.step;
    for (done, request) in played.requests.iter().enumerate() {
        let turns = &step.turns()[..done];
        let memory = turns.last().map_or_else(Memory::default, |turn| turn.memory().clone());
        let input =
            RenderInput { tools: &step.tools, turns_left: 5 - done, ..RenderInput::new(&step.mission, &step.data) };
        assert_eq!(SingleUserCoalesced::default().to_messages(turns, &memory, &input).messages, request.messages);
    }
}

#[test]
fn s09_samples_or_output() {
    let played = play(agent().compression(true), &["(def k [1 2]) (println \"two\")", "(def m 3)", "(return 1)"]);
    assert!(played.message(3).contains("\n\n;; Output:\ntwo\n\n"), "{}", played.message(3));
    assert_eq!(played.line(3, "k "), "k                             ; = list[2]");
    assert_eq!(played.line(3, "m "), "m                             ; = integer");
    assert_eq!(played.line(3, "data/limit "), "data/limit                    ; integer, sample: 250");
}

#[test]
fn s10_limits_drop_the_oldest() {
    let strategy =
        SingleUserCoalesced::from(ViewLimits { println_limit: 3, tool_call_limit: 2, ..ViewLimits::default() });
    let program =
        "(doseq [n (range 1 6)] (println \"line\" n)) (doseq [n (range 1 5)] (tool/quote-room {:room n :nights 1}))";
    let played = play(agent().compression(strategy), &[program, "(return 1)"]);
    let message = played.message(2);
    let lines = |start: &str| message.lines().filter(|line| line.starts_with(start)).collect::<Vec<_>>();
    assert_eq!(lines("line "), ["line 3", "line 4", "line 5"]);
    assert_eq!(
        lines(";   "),
        [
            ";   (2 earlier calls not shown)",
            ";   quote-room({:room 3 :nights 1})",
            ";   quote-room({:room 4 :nights 1})"
        ]
    );
    let stats = played.step.usage.compression.as_ref().unwrap();
    assert_eq!((stats.printlns_total, stats.printlns_shown, stats.printlns_dropped), (5, 3, 2));
    assert_eq!((stats.tool_calls_total, stats.tool_calls_shown, stats.tool_calls_dropped), (4, 2, 2));
}

#[test]
fn s11_an_error_is_shown_then_collapsed() {
    let played = play(agent().compression(true), &["(foo 1)", "(bar 2)", "(println \"ok\")", "(return 1)"]);
    let third = played.message(3);
    assert!(third.contains("(bar 2)") && third.contains("\nError: undefined symbol 'bar'"), "{third}");
    assert!(!third.contains("foo"), "{third}");
    let fourth = played.message(4);
    assert!(!fourth.contains("Error:") && !fourth.contains("previous attempt") && !fourth.contains("bar"), "{fourth}");
    assert_eq!(played.step.usage.compression.as_ref().unwrap().error_turns_collapsed, 2);
}

#[test]
fn s12_what_worked_survives_a_failure() {
    let agent = agent().tool(fail_now()).compression(true);
    let played = play(agent, &["(tool/quote-room {:room 1 :nights 2})", "(foo)", "(return 1)"]);
    let third = played.message(3);
    assert!(third.contains(";; Tool calls made:\n;   quote-room({:room 1 :nights 2})\n"), "{third}");
    assert!(
        third.contains("Your previous attempt:\n```clojure\n(foo)\n```\n\nError: undefined symbol 'foo'"),
        "{third}"
    );
}

/// Prints and calls as many as the numbers say, the prints about 60 characters long.
fn busy(prints: usize, calls: usize) -> String {
    let print =
        "(doseq [n (range PRINTS)] (println \"printed line\" n \"of a table that is some fifty characters wide\"))";
    let call = "(doseq [n (range CALLS)] (tool/quote-room {:room n :nights 1}))";
    format!("{print}\n{call}").replace("PRINTS", &prints.to_string()).replace("CALLS", &calls.to_string())
}

/// Fifteen prints and twenty calls twice; the first prints are so long that the others would once have been appended to
/// them.
fn busy_twice() -> [String; 2] {
    let long = busy(15, 20).replace("fifty characters wide", &"two hundred characters wide, ".repeat(8));
    [long, busy(15, 20).replace("of a table that is some fifty characters wide", "")]
}

/// What the last request lists: output lines, calls, and headers of both.
fn listed(message: &str) -> [usize; 4] {
    let lines = |start: &str| message.lines().filter(|line| line.starts_with(start)).count();
    [lines("printed line"), lines(";   quote-room("), lines(";; Output:"), lines(";; Tool calls made:")]
}

/// Proves: API-004.
#[test]
fn two_turns_of_fifteen_prints_show_fifteen() {
    let [first, second] = busy_twice();
    let played = play(agent().compression(true), &[&first, &second, "(return 1)"]);
    let [prints, _, headers, _] = listed(&played.message(3));
    assert_eq!((prints, headers), (15, 1));
    let stats = played.step.usage.compression.as_ref().unwrap();
    assert_eq!((stats.printlns_total, stats.printlns_shown, stats.printlns_dropped), (30, 15, 15));
}

/// Proves: API-005.
#[test]
fn two_turns_of_twenty_calls_show_twenty() {
    let [first, second] = busy_twice();
    let played = play(agent().compression(true), &[&first, &second, "(return 1)"]);
    let [_, calls, _, headers] = listed(&played.message(3));
    assert_eq!((calls, headers), (20, 1));
    let stats = played.step.usage.compression.as_ref().unwrap();
    assert_eq!((stats.tool_calls_total, stats.tool_calls_shown, stats.tool_calls_dropped), (40, 20, 20));
}

/// Proves: DEF-002.
#[test]
fn a_name_that_is_redefined_in_two_turns_has_one_line() {
    let programs = [
        busy(15, 20) + "(def total 1)",
        busy(1, 0) + "(def total [1 2])",
        busy(1, 0) + "(def total {:sum 3})",
        "(return 1)".into(),
    ];
    let played = play(agent().compression(true), &programs.each_ref().map(String::as_str));
    let message = played.message(4);
    let lines: Vec<&str> = message.lines().filter(|line| line.starts_with("total ")).collect();
    assert_eq!(lines, ["total                         ; = map[1]"]);
}

/// Nine turns with 25 calls, 18 prints and two errors: what the usage of the run reports about its last request.
fn nine_turns() -> String {
    let work = [
        busy(3, 4),
        busy(3, 4),
        "(totl 1)".into(),
        busy(3, 4),
        busy(3, 5),
        "(foo)".into(),
        busy(3, 4),
        busy(3, 4),
        "(return 1)".into(),
    ];
    let played = play(agent().compression(true).max_turns(10), &work.each_ref().map(String::as_str));
    assert_eq!((played.end().as_str(), played.step.turns().len()), ("return 1", 9));
    let options = ptc_runner::debug::DebugOptions { usage: true, ..Default::default() };
    ptc_runner::debug::format_trace(&played.step, options)
}

/// Proves: TC-007.
#[test]
fn nine_turns_report_twenty_of_twenty_five_calls() {
    let usage = nine_turns();
    assert!(usage.contains("|   Tool calls:   20/25 shown (5 dropped)\n"), "{usage}");
    assert!(usage.contains("|   Errors:       2 turn(s) collapsed\n"), "{usage}");
}

#[test]
fn nine_turns_report_fifteen_of_eighteen_prints() {
    let usage = nine_turns();
    assert!(usage.contains("|   Printlns:     15/18 shown (3 dropped)\n"), "{usage}");
}
