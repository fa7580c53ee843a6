//! The requests of a recorded run can be rendered again: under its original strategy they equal those that were sent.

#![allow(clippy::unwrap_used, reason = "a test fails where it stands")]

use std::collections::BTreeSet;
use std::sync::{Arc, LazyLock};

use proptest::prelude::*;
use ptc_runner::agent::{AgentBuilder, FormatSettings, RunOptions, blocking};
use ptc_runner::chat::ScriptedLlm;
use ptc_runner::compression::{
    Aggressive, AppendOnly, ByteBound, Ceiling, CompressionConfig, Digest, NextRequest, PerTurnSummary, RollingWindow,
    SingleUserCoalesced, Strategy as Ways, ViewLimits,
};
use ptc_runner::lisp::SplitMix64;
use ptc_runner::prelude::*;
use ptc_runner::trace::replay::{Rendition, next_request};
use ptc_runner::transcript::{FailReason, StepJson, ValueForm};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

#[derive(Deserialize, JsonSchema)]
struct Stay {
    nights: i64,
}

/// What models write: definitions of all kinds, calls, output, hidden values, ticks and tasks, mistakes, a refused
/// return.
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
        .tool(FnTool::new("price", "Price of a stay", price))
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
        Just(
            SingleUserCoalesced::from(ViewLimits { tool_results: true, println_limit: 1, ..ViewLimits::default() })
                .into()
        ),
        Just(RollingWindow { window: 2, ..RollingWindow::default() }.into()),
        Just(summary.into()),
        Just(Digest::default().into()),
        Just(Aggressive::default().into()),
        Just(AppendOnly { append_bytes: 700, ..AppendOnly::default() }.into()),
        (0..3_000_usize).prop_map(|room| Ceiling::new(beginning() + room, ByteBound).into()),
        (0..3_000_usize)
            .prop_map(|room| CompressionConfig::from(true).with_ceiling(Ceiling::new(beginning() + room, ByteBound))),
    ]
}

/// About the bytes of the first request of an agent with a plan.
fn beginning() -> usize {
    static BYTES: LazyLock<usize> =
        LazyLock::new(|| agent().plan(["Look up"]).build().unwrap().system_prompt().unwrap().text.len() + 800);
    *BYTES
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

    /// Also from the step as `ptc mission result --json --typed` writes it.
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
        let options = RunOptions::new().llm(Arc::new(ScriptedLlm::replies(answers))).collect_messages(true).tasks(keeps_tasks.then(Vec::new));
        let options = if continues { options.continuing(&earlier()) } else { options };
        let data = json!({"stays": [{"nights": 2}, {"nights": 3}], "_token": "very secret token"});
        let step = blocking::run_with(&agent, Context::new(data).unwrap(), options).unwrap();
        let Some(sent) = Rendition::as_sent(&step) else {
            // Not even the first request fits.
            prop_assert_eq!(&step.fail().unwrap().reason, &FailReason::ContextLimit);
            return Ok(());
        };
        let read = StepJson::new(&step, ValueForm::Typed).to_step().unwrap();
        for step in [&step, &read] {
            prop_assert_eq!(&Rendition::under(step, "as sent", &strategy).unwrap().requests, &sent.requests);
        }
        prop_assert_eq!(&Rendition::recorded(&read, "as sent").unwrap().requests, &sent.requests);
        // What the last turn added to a checklist is in no step.
        if !plans && !keeps_tasks {
            let next: Vec<_> = next_requests(&read).into_iter().map(|next| next.messages).collect();
            prop_assert_eq!(&next, &sent.requests);
        }
    }
}

/// What would follow each prefix of a run.
fn next_requests(step: &Step) -> Vec<NextRequest> {
    let behind = |done: usize| {
        let (turns, mut cut) = (step.turns().get(..done).unwrap(), step.clone());
        cut.turns = Some(turns.to_vec());
        cut.memory = turns.last().map_or(&step.memory_at_start, |turn| turn.memory()).clone();
        next_request(&cut).unwrap()
    };
    (0..step.turns().len()).map(behind).collect()
}

/// Long enough for every layout: prints and calls exceed all limits, and below a ceiling all steps are taken.
#[test]
fn a_long_run_is_rendered_again_as_it_was_sent() {
    let below = |room: usize| CompressionConfig::from(true).with_ceiling(Ceiling::new(beginning() + room, ByteBound));
    let strategies = Ways::all().into_iter().map(CompressionConfig::from);
    let ceilings = (0..4_000).step_by(250).map(below);
    let mut steps = BTreeSet::new();
    for compression in strategies.chain(ceilings).chain([false.into()]) {
        let mut random = SplitMix64::new(2026);
        // As long as nothing is printed, samples of definitions are shown.
        let quiet = (0..8).map(|n| format!("(def part-{n} (vec (repeat 9 \"all work and no play {n}\")))"));
        let answers = (0..90).map(|_| ANSWERS.get(random.next_u64() as usize % ANSWERS.len()).unwrap().to_string());
        let agent = agent().max_turns(99).compression(compression.clone()).build().unwrap();
        let llm = ScriptedLlm::replies(quiet.chain(answers).chain(["(return {:total 1})".to_owned()]));
        let options = RunOptions::new().llm(Arc::new(llm)).collect_messages(true);
        let data = json!({"stays": [{"nights": 2}, {"nights": 3}], "_token": "very secret token"});
        let step = blocking::run_with(&agent, Context::new(data).unwrap(), options).unwrap();
        let sent = Rendition::as_sent(&step).unwrap();
        let again = Rendition::under(&step, "as sent", &compression).unwrap();
        assert_eq!(again.requests, sent.requests, "{compression:?}");
        let next = next_requests(&step);
        assert_eq!(
            next.iter().map(|next| &next.estimate).collect::<Vec<_>>(),
            step.usage.estimates.iter().collect::<Vec<_>>()
        );
        steps.extend(next.iter().filter_map(|next| next.stats.as_ref()?.ceiling_step));
        assert!(next.iter().map(|next| &next.messages).eq(&sent.requests), "{compression:?}");
        let Some(shown) = &step.usage.compression else { continue };
        assert_eq!(again.stats.as_ref(), Some(shown));
        assert!(shown.printlns_total > 15 && shown.tool_calls_total > 20, "{shown:?}");
    }
    assert_eq!(steps, (0..=10).collect());
}

/// What the run of the guide answers, turn by turn; the guide shows its last request under each strategy.
const GUIDE_RUN: [&str; 4] = [
    "First the prices.\n```clojure\n(def prices (mapv (fn [stay] (tool/price {:nights (:nights stay)})) data/stays))\n(println \"prices\" prices)\n```",
    "```clojure\n(def total (totl prices))\n```",
    "```clojure\n(def total (reduce + prices))\n(defn dear? \"More than 200\" [price] (> price 200))\n(println \"total\" total)\n```",
    "```clojure\n(return (count (filter dear? prices)))\n```",
];

/// The messages of the last request of that run, without the stable beginning of the first one.
fn shown_in_the_guide(compression: CompressionConfig) -> String {
    let price = |stay: Stay| Ok::<_, ToolError>(stay.nights * 90);
    let agent = Agent::builder("How many stays cost more than 200 euros?")
        .tool(FnTool::new("price", "Price of a stay", price))
        .compression(compression);
    let llm = Arc::new(ScriptedLlm::replies(GUIDE_RUN));
    let options = RunOptions::new().llm(llm.clone());
    let stays =
        Context::new(json!({"stays": [{"guest": "Ines", "nights": 2}, {"guest": "Oto", "nights": 9}]})).unwrap();
    let step = blocking::run_with(&agent.build().unwrap(), stays, options).unwrap();
    assert_eq!(step.value::<u32>().unwrap(), 1);
    let messages = llm.requests().pop().unwrap().messages;
    let shown = messages.iter().map(|message| {
        let content = message.content();
        let changing = content.get(message.stable_bytes()..).unwrap_or_default().trim_start_matches('\n');
        let changing = if changing.is_empty() { "(opening only)" } else { changing };
        format!("[{}]\n{changing}", format!("{:?}", message.role).to_lowercase())
    });
    shown.collect::<Vec<_>>().join("\n\n")
}

#[test]
fn the_guide_shows_what_is_sent() {
    let guide = include_str!("../../../docs/guide/compression.md");
    let ways: [(&str, CompressionConfig); 6] = [
        ("none", false.into()),
        (SingleUserCoalesced::NAME, SingleUserCoalesced::default().into()),
        (RollingWindow::NAME, RollingWindow { window: 1, ..RollingWindow::default() }.into()),
        (PerTurnSummary::NAME, PerTurnSummary::default().into()),
        (Aggressive::NAME, Aggressive::default().into()),
        (AppendOnly::NAME, AppendOnly::default().into()),
    ];
    let missing = ways.into_iter().filter_map(|(name, compression)| {
        let shown = format!("**{name}**\n\n````text\n{}\n````", shown_in_the_guide(compression));
        (!guide.contains(&shown)).then_some(shown)
    });
    let missing: Vec<String> = missing.collect();
    assert!(missing.is_empty(), "the guide does not show these requests:\n\n{}", missing.join("\n\n"));
}
