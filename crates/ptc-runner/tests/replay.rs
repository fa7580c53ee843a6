//! The requests of a recorded run can be rendered again: under the strategy that it had they are those that were sent.

#![allow(clippy::unwrap_used, reason = "a test fails where it stands")]

use std::sync::Arc;

use proptest::prelude::*;
use ptc_runner::agent::{AgentBuilder, FormatSettings, RunOptions, blocking};
use ptc_runner::chat::ScriptedLlm;
use ptc_runner::compression::{Aggressive, CompressionConfig, PerTurnSummary, RollingWindow, SingleUserCoalesced};
use ptc_runner::prelude::*;
use ptc_runner::trace::replay::Rendition;
use ptc_runner::transcript::{StepJson, ValueForm};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

#[derive(Deserialize, JsonSchema)]
struct Stay {
    nights: i64,
}

/// What models write: definitions of all kinds, calls, output, hidden values, ticks and tasks, mistakes, a refused return.
const ANSWERS: [&str; 12] = [
    "Let me see.\n```clojure\n(def rate 89.5)\n```",
    "(defn price \"Price of a stay\" [stay] (* rate (:nights stay)))",
    "(def quotes (mapv (fn [n] (tool/price {:nights n})) [1 2 3]))",
    "(println \"the token is\" data/_token) (println (count data/stays))",
    "(def _secret \"classified text\") (def again [_secret 1])",
    "(println (apply str (repeat 900 \"x\")))",
    "(step-done \"1\" \"looked up\") (def seen #{:a \"b\"})",
    "(task \"rates\" (tool/price {:nights 7}))",
    "(tool/price {:nights 1}) (nowhere 1)",
    "I do not know.",
    "(tool/price {:nights -1})",
    "(return \"no number\")",
];

fn agent() -> AgentBuilder {
    let price = |stay: Stay| if stay.nights < 0 { Err(ToolError::new("no such stay")) } else { Ok(stay.nights * 90) };
    Agent::builder("What do {{stays}} cost?")
        .tool(Tool::new("price", "Price of a stay", price))
        .signature("(stays [:map], _token :string) -> {total :int}")
        .field_descriptions([("total", "All of them together")])
        .context_descriptions([("stays", "Newest first")])
        .format_options(FormatSettings { feedback_max_chars: 200, ..FormatSettings::default() })
        .llm_query(true)
        .max_turns(4)
        .retry_turns(3)
}

fn strategies() -> impl Strategy<Value = CompressionConfig> {
    let summary = PerTurnSummary { program_limit: 30, ..PerTurnSummary::default() };
    prop_oneof![
        Just(false.into()),
        Just(SingleUserCoalesced::default().into()),
        Just(SingleUserCoalesced { tool_results: true, println_limit: 1, ..SingleUserCoalesced::default() }.into()),
        Just(RollingWindow { window: 2, ..RollingWindow::default() }.into()),
        Just(summary.into()),
        Just(Aggressive::default().into()),
    ]
}

/// A run that leaves a value and a function.
fn earlier() -> Step {
    let agent = Agent::builder("Prepare.").build().unwrap();
    let llm = ScriptedLlm::replies([
        "(def base 12) (defn above \"Whether x is above\" [x] (> x base)) (def _kept \"another secret text\")",
        "(return 1)",
    ]);
    blocking::run(&agent, &llm, ()).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Also from the step as `ptc run --json --typed` writes it.
    #[test]
    fn the_strategy_of_the_run_gives_what_was_sent(
        strategy in strategies(),
        answers in prop::collection::vec(prop::sample::select(&ANSWERS[..]), 7),
        plans in any::<bool>(),
        keeps_tasks in any::<bool>(),
        continues in any::<bool>(),
    ) {
        let agent = if plans { agent().plan(["Look up", "Add"]) } else { agent() };
        let agent = agent.compression(strategy.clone()).build().unwrap();
        let options = RunOptions {
            llm: Some(Arc::new(ScriptedLlm::replies(answers))),
            collect_messages: true,
            tasks: keeps_tasks.then(Vec::new),
            ..RunOptions::default()
        };
        let options = if continues { options.continuing(&earlier()) } else { options };
        let data = json!({"stays": [{"nights": 2}, {"nights": 3}], "_token": "very secret token"});
        let step = blocking::run_with(&agent, Context::new(data).unwrap(), options).unwrap();
        let sent = Rendition::as_sent(&step).unwrap();
        let again = Rendition::under(&step, "as sent", &strategy).unwrap();
        prop_assert_eq!(&again.requests, &sent.requests);
        let read = StepJson::new(&step, ValueForm::Typed).to_step().unwrap();
        prop_assert_eq!(&Rendition::under(&read, "as sent", &strategy).unwrap().requests, &sent.requests);
    }
}
