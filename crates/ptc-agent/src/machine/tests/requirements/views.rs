//! What the compressed view of a run shows.

use ptc_chat::Role;

use super::super::{agent, check};
use super::{count, line};

/// Proves: PRE-003, CHG-012.
#[test]
fn functions_show_what_they_returned_last() {
    let seen =
        check(agent().compression(true), &["(defn area [w h] (* w h))", "(area 2 3)", "(area 2.5 3)", "(return 1)"]);
    let shown: Vec<String> = (2..=4).map(|request| line(&seen.last(request), "(area")).collect();
    assert_eq!(shown, ["(area [w h])", "(area [w h]) -> integer", "(area [w h]) -> float"]);
}

/// Proves: API-004, API-005, TRN-010, TC-001, TC-002, TC-007, AMB-008.
#[test]
fn fifteen_prints_and_twenty_calls_are_shown_unless_told_otherwise() {
    // Each limit is passed in the middle of the second turn.
    let program = |rooms: &str, prints: &str| {
        format!(
            "(doseq [n (range {rooms})] (tool/quote-room {{:room n :nights 1}})) (doseq [n (range {prints})] (println (str \"print \" n)))"
        )
    };
    let seen = check(agent().compression(true), &[&program("1 16", "0 12"), &program("16 26", "12 20"), "(return 1)"]);
    let message = seen.last(3);
    let lines =
        |start: &str| message.lines().filter(|line| line.starts_with(start)).map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(lines("print "), (5..20).map(|n| format!("print {n}")).collect::<Vec<_>>());
    assert_eq!(
        lines(";   quote"),
        (6..26).map(|n| format!(";   quote-room({{:room {n} :nights 1}})")).collect::<Vec<_>>()
    );
}

/// Proves: FMT-017, AMB-008, CHG-006.
#[test]
fn calls_of_all_turns_stand_in_one_list() {
    let call = "(tool/quote-room {:room 1 :nights 2})";
    let twice = format!("{call} {call}");
    let seen = check(agent().compression(true), &[&twice, "(println 1)", call, "(println 2)", "(return 1)"]);
    let message = seen.last(5);
    assert_eq!((count(&message, ";; Tool calls made:"), count(&message, ";; Output:")), (1, 1));
    assert_eq!(count(&message, ";   quote-room({:room 1 :nights 2})"), 3, "{message}");
    assert!(message.contains(";; Output:\n1\n2\n"), "{message}");
}

/// Proves: TRN-006, TRN-007.
#[test]
fn a_print_counts_once_and_is_shown_whole() {
    let long = "y".repeat(1_900);
    let many = format!("(println \"first\") (println \"{}\") (println \"{long}\")", "l\\n".repeat(10));
    let limits = ptc_compression::ViewLimits { println_limit: 2, ..Default::default() };
    let seen = check(agent().compression(ptc_compression::SingleUserCoalesced::from(limits)), &[&many, "(return 1)"]);
    let message = seen.last(2);
    assert_eq!((count(&message, "l"), count(&message, &long), count(&message, "first")), (10, 1, 0), "{message}");
}

/// Proves: DEF-001, DEF-002.
#[test]
fn definitions_are_shown_as_they_are_now() {
    let seen = check(agent().compression(true), &["(def x 1) (def x 2)", "(def x 3)", "(return 1)"]);
    let shown = |request: usize| {
        seen.last(request).lines().filter(|line| line.starts_with("x ")).map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(shown(2), ["x                             ; = integer, sample: 2"]);
    assert_eq!(shown(3), ["x                             ; = integer, sample: 3"]);
}

/// Proves: DEF-008.
#[test]
fn all_definitions_of_all_turns_are_shown() {
    let define = |from: usize| (from..from + 40).map(|n| format!("(def d{n} {n})")).collect::<String>();
    let seen = check(agent().compression(true), &[&define(100), &define(200), "(return 1)"]);
    assert_eq!(seen.last(3).lines().filter(|line| line.starts_with("d1") || line.starts_with("d2")).count(), 80);
}

/// Proves: TC-005.
#[test]
fn a_result_that_is_defined_shows_its_type() {
    let seen = check(agent().compression(true), &["(def r (tool/quote-room {:room 1 :nights 2}))", "(return 1)"]);
    assert!(
        line(&seen.last(2), "r ").starts_with("r                             ; = map[1], sample: {"),
        "{}",
        seen.last(2)
    );
}

/// Proves: MSG-001, MSG-002, CMP-001, CHG-019.
#[test]
fn earlier_turns_are_one_message_without_their_programs() {
    let first = "(def one (+ 1 0)) (tool/quote-room {:room 1 :nights 2})";
    let seen = check(
        agent().compression(true),
        &[first, "(def two (+ 1 1))", "(println \"three\")", "(def four 4)", "(return 5)"],
    );
    let roles: Vec<Role> = seen.requests[4].messages.iter().map(|message| message.role).collect();
    assert_eq!(roles, [Role::User]);
    let message = seen.last(5);
    assert!(["one ", "two ", "four "].iter().all(|name| !line(&message, name).is_empty()), "{message}");
    assert_eq!((count(&message, ";   quote-room({:room 1 :nights 2})"), count(&message, "three")), (1, 1), "{message}");
    assert!(["(+ 1 0)", "(+ 1 1)", "(println \"three", "```"].iter().all(|code| !message.contains(code)), "{message}");
}

/// Proves: TRN-002.
#[test]
fn long_strings_are_cut_in_samples() {
    let seen = check(
        agent().compression(true),
        &["(def s80 (apply str (repeat 80 \"a\"))) (def s81 (apply str (repeat 81 \"a\")))", "(return 1)"],
    );
    let message = seen.last(2);
    assert!(line(&message, "s80").ends_with(&format!("sample: \"{}\"", "a".repeat(80))), "{message}");
    assert!(line(&message, "s81").ends_with(&format!("sample: \"{}...\"", "a".repeat(80))), "{message}");
}

#[test]
fn a_name_that_a_failed_program_defined_says_so() {
    let programs = ["(def all [1 2]) (+ 1 nil)", "(count all)", "(def all [1]) (return 1)"];
    for compression in [false, true] {
        let seen = check(agent().compression(compression), &programs);
        let wanted =
            "Error: undefined symbol 'all'. Turn 1 defined it, but failed, so it is gone: define it again at line 1";
        assert!(seen.last(3).contains(wanted), "{}", seen.last(3));
    }
    let seen = check(agent(), &["(+ 1 nil)", "(count all)", "(return 1)"]);
    assert!(seen.last(3).contains("Hint: write (every? pred coll)"), "{}", seen.last(3));
}

#[test]
fn an_agent_with_digest_has_the_history_and_does_not_list_it() {
    let digest = || agent().compression(ptc_compression::Digest::new());
    let seen = check(digest(), &["(println 7)", "(return (count (:prints (tool/history {:turn 1}))))"]);
    assert_eq!(seen.step.value::<i64>().unwrap(), 1);
    assert!(!seen.last(1).contains("history"), "{}", seen.last(1));
    let lists = check(digest().builtin_tools(["history"]), &["(return 1)"]);
    assert!(lists.last(1).contains("tool/history("), "{}", lists.last(1));
}

#[test]
fn retries_are_counted() {
    let agent = || agent().max_turns(2).retry_turns(3).signature("{n :int}");
    let programs =
        ["(def a 1)", "(return {:n \"x\"})", "(return {:n \"y\"})", "(return {:n \"z\"})", "(return {:n 1})"];
    let seen = check(agent().compression(true), &programs);
    let lines: Vec<String> = (1..=5).map(|request| seen.last_line(request)).collect();
    let last = "FINAL TURN - you must call (return result) or (fail reason) now.";
    assert_eq!(lines, ["Turns left: 2", last, "Retries left: 3", "Retries left: 2", last]);
}
