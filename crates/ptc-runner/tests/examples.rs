//! The examples run and say what they should.

#![allow(clippy::expect_used, reason = "a test fails where it stands")]

use std::process::Command;

/// Run an example: it must succeed, print nothing to standard error, and print this.
fn check(name: &str, wanted: &str) {
    // Cargo builds examples before tests, and puts them next to the folder of the test programs.
    let test = std::env::current_exe().expect("this program has a path");
    let profile = test.parent().and_then(|deps| deps.parent()).expect("tests lie in target/PROFILE/deps");
    let example = profile.join("examples").join(format!("{name}{}", std::env::consts::EXE_SUFFIX));
    let output = Command::new(example).output().expect("cargo test builds the examples");
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    assert_eq!(String::from_utf8_lossy(&output.stdout), wanted);
    assert!(output.status.success());
}

#[test]
fn typed_tools_finds_the_cheapest_stay() {
    check("typed_tools", "Oto pays 180.00\n");
}

#[test]
fn tickets_are_raised_by_values_of_several_kinds() {
    let lines = [
        "tool/act(kind #{:ignore :raise :answer}, ticket int?, to #{:low :high :on-fire}?, text string?) -> string  ; Does something with a ticket",
        "tool/find(text string, limit int = 20 (1 to 100)) -> [{id int, urgency #{:low :high :on-fire}, waits [string, float]}]  ; Finds tickets",
        "The answer must have the type `{done [:string], highest #{:low :high :on-fire}, remarks [:string] = []}`.",
        "turn 1 was told: tool/act [kind]: expected one of :ignore, :raise, :answer, got :rise; did you mean :raise?; it takes (kind #{:ignore :raise :answer}, ticket :int? (at least 0), to #{:low :high :on-fire}?, text :string?), e.g. (tool/act {:kind ... :ticket ... :to ... :text ...}) at line 1, column 18",
        "turn 3 was told: The returned value does not fit the signature.",
        "Wanted: {done [:string], highest #{:low :high :on-fire}, remarks [:string] = []}",
        "Got: {:done [\"1 is OnFire\" \"3 is OnFire\"] :highest :burning}",
        "Problems:",
        "- [highest]: expected one of :low, :high, :on-fire, got :burning",
        "Correct the value and return it again.",
        "[\"1 is OnFire\", \"3 is OnFire\"], OnFire, 0 remarks",
    ];
    check("tickets", &format!("{}\n", lines.join("\n")));
}

#[test]
fn tenants_stay_within_their_budgets() {
    let lines = [
        "tenant 8: all are done: true, some: true",
        "  within its budget: true",
        "  refused for lack of tokens: false",
        "tenant 9: all are done: false, some: true",
        "  within its budget: true",
        "  refused for lack of tokens: true",
    ];
    check("tenants", &format!("{}\n", lines.join("\n")));
}

#[cfg(feature = "trace")]
#[test]
fn web_streams_events_and_takes_approvals() {
    let begin = ["approved", "run.start ", "turn.start ", "llm.start "];
    let during =
        ["llm.stop ", "approval.start ", "approval.stop ", "tool.start ", "tool.stop ", "turn.stop ", "run.stop "];
    let end = ["end paid 7", "nothing waits for approval under `r1/1/1`; nothing waits at all"];
    let lines = [begin.as_slice(), &during, &end].concat();
    check("web", &format!("{}\n", lines.join("\n")));
}

#[cfg(feature = "trace")]
#[test]
fn conversation_keeps_definitions_and_counts_costs() {
    let lines = [
        r#"["Again no towels!"]"#,
        "  1 turns, 2 called agents, counted true",
        "> Who wrote the first of them?",
        r#""Ines""#,
        "  1 turns, 0 called agents, counted true",
        "> Write her one sentence.",
        r#""Ines, we are sorry.""#,
        "  1 turns, 0 called agents, counted true",
        "less than a cent together: true",
        "The user: Which notes are angry?",
        r#"You returned: ["Again no towels!"]"#,
        "The user: Who wrote the first of them?",
        "You returned: Ines",
        "The user: Write her one sentence.",
    ];
    check("conversation", &format!("{}\n", lines.join("\n")));
}

#[test]
fn approval_pays_what_the_clerk_allows() {
    let lines = [
        "payday/1/1: 40 euros to Ines",
        "payday/1/2: 100 euros to Oto (edited)",
        "tool 'pay' failed: it was not allowed: Mallory is not a customer",
    ];
    check("approval", &format!("{}\n", lines.join("\n")));
}

#[test]
fn json_extraction_corrects_a_number_in_words() {
    let lines = [
        "corrected: [0.nights]: expected int, got string",
        "Ines: 3 nights, breakfast no",
        "Oto: 1 nights, breakfast not said",
    ];
    check("json_extraction", &format!("{}\n", lines.join("\n")));
}

#[test]
fn follow_up_uses_what_the_first_run_defined() {
    let shown = r#"the model is shown: (price [stay])                ; "Euros" -> integer"#;
    let talk = ["When is breakfast? From 7 to 10.", "Every day? Yes, also on Sundays."];
    let lines = ["Ines pays 180", shown, "all pay 990", shown, "all pay 990", talk[0], talk[1]];
    check("follow_up", &format!("{}\n", lines.join("\n")));
}

#[test]
fn custom_strategy_shows_an_outline() {
    let lines = [
        "How many nights are booked?",
        "",
        ";; === data/ ===",
        "data/stays                    ; list[2] of {nights :int}, sample: [{:nights 2} {:nights 3}]",
        "",
        ";; === user/ (your prelude) ===",
        "nights                        ; = list[2], sample: [2 3]",
        "",
        ";; Turn 1: ok",
        ";; Turn 2: failed with undefined_symbol",
        "",
        "---",
        "Your previous attempt:",
        "```clojure",
        "(sum-up nights)",
        "```",
        "",
        "Error: undefined symbol 'sum-up' at line 1, column 2",
        "---",
        "",
        "Turns left: 3",
        "-> 5",
    ];
    check("custom_strategy", &format!("{}\n", lines.join("\n")));
}

#[cfg(all(feature = "config", feature = "trace"))]
#[test]
fn own_strategy_is_named_in_a_mission() {
    let lines = [
        "How many nights are booked?",
        "",
        ";; === data/ ===",
        "data/stays                    ; list[2] of {nights :int}, sample: [{:nights 2} {:nights 3}]",
        "",
        ";; === user/ (your prelude) ===",
        "nights                        ; = list[2]",
        "",
        "Turns left: 4",
        "-> 5",
        "rendered again as it was sent: true",
    ];
    check("own_strategy", &format!("{}\n", lines.join("\n")));
}

#[cfg(feature = "config")]
#[test]
fn approval_journal_does_everything_once() {
    let lines = [
        "waits: invoice-7/2/1",
        r#"the run ended with error: cancelled: the run was cancelled; done: ["prepared 7"]"#,
        r#"prepared 7, paid 7; done: ["prepared 7", "paid 7"]"#,
        r#"prepared 7, paid 7; done: ["prepared 7", "paid 7"]"#,
    ];
    check("approval_journal", &format!("{}\n", lines.join("\n")));
}

#[test]
fn chaining_hands_answers_on() {
    let lines = [
        "Dear Oto, thank you for 540.0 euros!",
        "data/nights                   ; int, sample: 9 -- of the longest stay",
        "agent run failed (no-stays): nobody is booked, 4 requests",
    ];
    check("chaining", &format!("{}\n", lines.join("\n")));
}

#[test]
fn map_reduce_reads_all_chunks() {
    check("map_reduce", "too cold: rooms [7, 27, 47]\ntoo loud: rooms [20, 40, 60]\nread by 4 workers\n");
}

#[test]
fn recursive_finds_every_needle() {
    check("recursive", "5 lost keys in 400 lines, counted by 15 runs\n");
}

#[test]
fn compiled_runs_without_a_model() {
    let lines = [
        "(def rate (tool/vat-rate {:country (:country data/order)}))",
        "(return (/ (Math/round (* 100 (:net data/order) (+ 1 rate))) 100.0))",
        "100 in Germany: 119.00",
        "19.99 in Denmark: 24.99",
        "5 in Atlantis: the run ended with error: tool_error: tool 'vat-rate' failed: no rate for Atlantis at line 1, column 11",
        "asked the model 1 time",
    ];
    check("compiled", &format!("{}\n", lines.join("\n")));
}

#[cfg(feature = "mcp")]
#[test]
fn mcp_tools_calls_a_server() {
    check("mcp_tools", "90 euros\n");
}

#[test]
fn own_tool_hands_out_rooms() {
    check("own_tool", "rooms [2, 1]\n");
}

#[test]
fn own_provider_answers_by_rules() {
    let lines = [
        "What is the sum of all prices? 270 (108 tokens)",
        "Give the count of prices. 3 (108 tokens)",
        "Which price is odd? the run ended with error: llm_error: the LLM call failed: config_error: these rules know sums and counts only",
    ];
    check("own_provider", &format!("{}\n", lines.join("\n")));
}

#[test]
fn streaming_terminal_shows_programs_and_calls() {
    let lines = [
        "run r1: up to 5 turns\n",
        "turn 1, scripted writes",
        "(def night (tool/rate))",
        "(println \"a night:\" night)",
        "  rate {} -> 90",
        "  a night: 90\n",
        "turn 2, scripted writes",
        "(return (* 3 night))\n",
        "270",
    ];
    check("streaming_terminal", &format!("{}\n", lines.join("\n")));
}

#[cfg(all(feature = "tracing", feature = "opentelemetry"))]
#[test]
fn telemetry_arrives_at_the_collector() {
    let lines = [
        "the answer: 180",
        "invoke_agent clerk",
        "  turn 1 \"tool_error\"",
        "    chat claude-sonnet-4-5 \"900\"",
        "    execute_tool rate \"tool_error\"",
        "  turn 2",
        "    chat claude-sonnet-4-5 \"1000\"",
        "    execute_tool rate",
        "gen_ai.client.token.usage in \"{token}\": 2 series",
        "gen_ai.client.operation.duration in \"s\": 1 series",
        "gen_ai.invoke_agent.duration in \"s\": 1 series",
        "gen_ai.execute_tool.duration in \"s\": 2 series",
        "ptc.client.cost in \"USD\": 1 series",
    ];
    check("telemetry", &format!("{}\n", lines.join("\n")));
}
