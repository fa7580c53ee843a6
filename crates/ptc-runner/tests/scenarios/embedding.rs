//! What a program that embeds the libraries gets from runs of several agents: functions that cross between them, and the
//! tokens of all of them.

use std::sync::Arc;

use ptc_runner::agent::{Conversation, Effect, SubagentOptions};
use ptc_runner::chat::Tokens;
use ptc_runner::compression::Digest;
use ptc_runner::prelude::*;
use ptc_runner::trace::replay::PriceList;
use serde_json::json;

use super::{end, run};

const RULE: &str = "(defn allowed? [user] (= user \"admin\"))";

const REFUSED: &str = "#fn[user] is a function, which stays in its session: send data, such as what it returns";

#[test]
fn a_function_of_a_called_agent_never_runs_as_another_one() {
    let rule = Agent::builder("Write a rule").description("A rule").signature("() -> :any").max_turns(1);
    let tool = rule.build().unwrap().as_tool(SubagentOptions::named("rule")).unwrap();
    let boss = Agent::builder("May mallory in?").tool(tool);
    // The first function of the caller has the place that the function of the called agent has there.
    let answers = [
        "(defn yes [user] true)\n(def allowed? (tool/rule))\n(return (allowed? \"mallory\"))".to_owned(),
        format!("{RULE}\nallowed?"),
        "(return :gave-up)".to_owned(),
    ];
    let options = RunOptions::new().llm(Arc::new(ScriptedLlm::replies(answers)));
    let step = run(boss, Context::default(), options);
    assert_eq!(end(&step), r#"return "gave-up""#);
    let told = step.turns()[0].error_message().unwrap();
    assert!(told.starts_with("tool 'rule' failed: validation_error: ") && told.contains(REFUSED), "{told}");
}

#[test]
fn a_function_of_an_earlier_agent_never_runs_as_another_one() {
    let returned = format!("{RULE}\n(return {{:rule allowed?}})");
    let used = "(defn yes [user] true)\n(return (data/rule \"mallory\"))";
    let chained = |turns, answers: &[&str]| {
        let first = Agent::builder("Write a rule").signature("{rule :any}").max_turns(turns);
        let llm = Arc::new(ScriptedLlm::replies(answers.iter().copied()));
        let options = RunOptions::new().llm(llm.clone());
        let step = run(first, Context::default(), options.clone());
        (run(Agent::builder("May mallory in?"), Context::from_step(&step), options), llm.requests().len())
    };
    let (next, asked) = chained(1, &[&returned, used]);
    assert!(end(&next).starts_with("error chained_failure: the previous agent failed: validation_error: "));
    assert!(end(&next).contains(REFUSED), "{}", end(&next));
    assert_eq!(asked, 1);
    // The model of the first agent is told, and returns data instead.
    let (next, asked) =
        chained(2, &[&returned, "(return {:rule [\"admin\"]})", "(return (contains? (set data/rule) \"mallory\"))"]);
    assert_eq!((end(&next).as_str(), asked), ("return false", 3));
}

/// Answers with how many tokens each read and wrote; half of what was read came from a cache.
fn counted<'a>(answers: impl IntoIterator<Item = (u64, u64, &'a str)>) -> Arc<ScriptedLlm> {
    let reply = |(input, output, program): (u64, u64, &str)| Reply {
        tokens: Some(Tokens { input, output, cached: input / 2, ..Tokens::default() }),
        ..Reply::text(program)
    };
    Arc::new(ScriptedLlm::replies(answers.into_iter().map(reply)))
}

const NOTES: &str = "(def toned (mapv (fn [note] (assoc note :tone (tool/tone {:text (:text note)}))) data/notes))";

#[test]
fn tokens_and_cost_of_a_conversation_have_those_of_called_agents() {
    let tone = Agent::builder("How does this sound? {{text}}").description("Tone of a text").max_turns(2);
    let tone = tone.signature("(text :string) -> #{:angry :calm}").build().unwrap();
    let tone = tone.as_tool(SubagentOptions { effect: Some(Effect::Read), ..SubagentOptions::named("tone") }).unwrap();
    let desk = || Agent::builder("You help a hotel with its notes.").tool(tone.clone()).compression(Digest::default());
    let llm = counted([
        (1_000, 60, NOTES),
        (200, 5, "(return :angry)"),
        (200, 5, "(println data/text)"),
        (300, 7, "(return :calm)"),
        (1_100, 30, "(return (map :text (filter #(= :angry (:tone %)) toned)))"),
        (1_300, 20, "(return (:guest (first toned)))"),
    ]);
    let notes = || {
        Context::new(json!({"notes": [{"guest": "Ines", "text": "No towels!"}, {"guest": "Oto", "text": "Thanks."}]}))
            .unwrap()
    };
    let options = RunOptions::new().llm(llm.clone());
    let mut said = Conversation::start("Which notes are angry?");
    let first = run(desk(), notes(), options.clone().follow_up(said.text()));
    let text = said.say(&first, "Who wrote it?").to_owned();
    let second = run(desk(), notes(), options.continuing(&first).follow_up(text));
    assert_eq!((end(&first), end(&second)), (r#"return ["No towels!"]"#.to_owned(), r#"return "Ines""#.to_owned()));

    assert_eq!((first.usage.input_tokens, first.usage.output_tokens), (Some(2_100), Some(90)));
    let all = Tokens { input: 2_800, output: 107, cached: 1_400, ..Tokens::default() };
    assert_eq!((first.child_steps.len(), first.total_tokens()), (2, all));
    let later = Tokens { input: 1_300, output: 20, cached: 650, ..Tokens::default() };
    assert_eq!((second.child_steps.len(), second.total_tokens()), (0, later));
    let list = "[[list]]\nsource = \"s\"\ndate = 2026-01-15\nmodels.own = { input = 2, cached = 0.2, write = 2, output = 10 }\n";
    let prices = PriceList::parse(list).unwrap().of("own").unwrap().clone();
    let in_millionths = |step: &Step| (prices.cost(&step.total_tokens()) * 1e6).round();
    assert_eq!((in_millionths(&first), in_millionths(&second)), (2_800.0 + 280.0 + 1_070.0, 1_300.0 + 130.0 + 200.0));

    // A message sees what the earlier ones defined and returned, not their programs.
    let last = llm.requests().pop().unwrap().messages;
    let [shown] = last.as_slice() else { panic!("{last:?}") };
    let shown = shown.content();
    for part in [
        "The user: Which notes are angry?\n\nYou returned: [\"No towels!\"]\n\nThe user: Who wrote it?\n",
        ";; === user/ (your prelude) ===\ntoned = list[2] of {guest text tone}\n",
    ] {
        assert!(shown.contains(part), "{shown}");
    }
    assert!(!shown.contains("mapv") && !shown.contains("(def "), "{shown}");
}
