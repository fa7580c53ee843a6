//! A strategy that only this program has: the kit finds its mistakes, its options are set from outside, and its recorded
//! runs are rendered again.

use std::sync::Arc;

use ptc_runner::chat::{Part, Role};
use ptc_runner::compression::testkit::{Rule, check};
use ptc_runner::compression::words::{SampleLimits, error_text, output_section, user_section};
use ptc_runner::compression::{RenderInput, Rendered, closing_parts, strategy_of};
use ptc_runner::lisp::Memory;
use ptc_runner::mission::join_sections;
use ptc_runner::prelude::*;
use ptc_runner::transcript::{CompressionOptions, Turn};
use serde::Deserialize;

/// The newest failed turns, and the last prints of the others.
#[derive(Clone, Copy, Deserialize)]
struct Failures {
    failures: usize,
    prints: usize,
    /// Shows what failed instead of why: a mistake.
    messages: bool,
}

impl Compression for Failures {
    fn name(&self) -> &'static str {
        "failures"
    }

    fn options(&self) -> CompressionOptions {
        let options =
            [("failures", self.failures.into()), ("prints", self.prints.into()), ("messages", self.messages.into())];
        options.into_iter().map(|(key, value)| (key.to_owned(), value)).collect()
    }

    fn with_options(&self, options: &CompressionOptions) -> Option<Result<Arc<dyn Compression>, String>> {
        Some(strategy_of::<Failures>(options))
    }

    fn to_messages(&self, turns: &[Turn], memory: &Memory, input: &RenderInput<'_>) -> Rendered {
        let samples = SampleLimits::default();
        let earlier = turns.split_last().map_or(turns, |(_, earlier)| earlier);
        let line = |turn: &Turn| {
            let why = match (turn.error_message(), turn.error_reason()) {
                (Some(message), _) if self.messages => error_text(&message),
                (_, reason) => reason.map_or("failed".to_owned(), |reason| reason.to_string()),
            };
            format!(";; Turn {} failed: {why}", turn.number())
        };
        let failed: Vec<&Turn> = earlier.iter().filter(|turn| !turn.is_success()).collect();
        let newest = &failed[failed.len().saturating_sub(self.failures)..];
        let failed = newest.iter().map(|turn| line(turn)).collect::<Vec<_>>().join("\n");
        let good = turns.iter().filter(|turn| turn.is_success());
        let all: Vec<&str> = good.flat_map(Turn::prints).map(String::as_str).collect();
        let newest = all.iter().skip(all.len().saturating_sub(self.prints.min(input.caps.prints)));
        let prints = output_section(newest.copied(), all.len());
        let history = [user_section(memory, Some(samples)), (!failed.is_empty()).then_some(failed), prints];
        let changing = join_sections(history.into_iter().chain(closing_parts(turns, input)));
        let parts = input.opening(samples, true).into_iter().chain([Part::changing(format!("\n\n{changing}"))]);
        vec![Message::new(Role::User, parts.collect::<Vec<_>>())].into()
    }
}

const GOOD: Failures = Failures { failures: 5, prints: 2, messages: false };

#[test]
fn the_kit_finds_what_is_wrong_with_a_strategy() {
    let found = |strategy: Failures| check(&strategy, 100, 2026).err().map(|found| (found.rule, found.to_string()));
    assert_eq!(found(GOOD), None);
    let (rule, text) = found(Failures { messages: true, ..GOOD }).unwrap();
    assert_eq!(rule, Rule::LastError);
    assert!(
        text.contains(": in the run of seed ") && text.ends_with(", which failed before, is still shown"),
        "{text}"
    );
    // A line for each failed turn, short as it is, is a history that grows.
    let (rule, text) = found(Failures { failures: usize::MAX, ..GOOD }).unwrap();
    assert_eq!(rule, Rule::Bounded);
    assert!(
        text.contains("in a steady run after 600 turns a request has ") && text.contains(" turns that all failed had "),
        "{text}"
    );
}

#[cfg(feature = "config")]
mod configured {
    use ptc_runner::agent::recorded_step;
    use ptc_runner::chat::Tokens;
    use ptc_runner::compression::{ByteBound, CompressionConfig, Digest, one_line};
    use ptc_runner::config::{Registry, StrategyChoice};
    use ptc_runner::trace::replay::{Comparison, PriceList, Rendition, Totals};
    use ptc_runner::transcript::JournalFile;

    use super::*;

    const MISSION: &str = r#"
mission = "What are the prices?"
llm = "clerk"
compression = { strategy = "failures", prints = 1 }
max_turns = 8
[data]
stays = [{ nights = 2 }, { nights = 9 }]
"#;

    const ANSWERS: [&str; 6] = [
        "(def n (mapv :nights data/stays))\n(println \"nights\" n)",
        "(println \"sum\" (totl n))",
        "(println \"max\" (apply max n))",
        "(first 7)",
        "(def prices (mapv #(* 90 %) n))\n(println \"prices\" prices)",
        "(return prices)",
    ];

    fn registry(clerk: &Arc<ScriptedLlm>) -> Registry {
        Registry::new().llm("clerk", Arc::clone(clerk) as Arc<dyn Llm>).unwrap().strategy(GOOD).unwrap()
    }

    /// A run of the mission and what was sent; the step is read from its journal.
    fn recorded() -> (Registry, Step, Vec<Vec<Message>>) {
        let clerk = Arc::new(ScriptedLlm::replies(ANSWERS));
        let registry = registry(&clerk);
        let mission = registry.read("mission.toml", MISSION).unwrap();
        let agent = mission.build_agent(&mission.limits()).unwrap();
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("run.jsonl");
        let options = mission.run_options().journal(Arc::new(JournalFile::create(&path).unwrap()));
        let step = blocking::run_with(&agent, Context::from_map(mission.data_map()), options).unwrap();
        assert_eq!(step.value::<Vec<u32>>().unwrap(), [180, 810]);
        let (_, recorded) = JournalFile::resume(&path).unwrap();
        let sent = clerk.requests().into_iter().map(|request| request.messages).collect();
        (registry, recorded_step(recorded.unwrap()).unwrap(), sent)
    }

    #[test]
    fn options_are_set_in_a_file_and_on_a_command_line() {
        let registry = registry(&Arc::new(ScriptedLlm::replies(ANSWERS)));
        let choose = |text: &str| match StrategyChoice::parse_with(&registry, "--compression", text) {
            Ok(choice) => one_line(&choice.to_config().to_record()),
            Err(error) => error.to_string(),
        };
        assert_eq!(choose("failures"), "failures,failures=5,prints=2,messages=false");
        assert_eq!(
            choose("failures,prints=4,max_tokens=8000,token_counter=bytes"),
            "failures,failures=5,prints=4,messages=false,max_tokens=8000,token_counter=bytes"
        );
        let misspelt = "--compression:1:10: unknown key `print` in the options of `failures`; use `prints`";
        assert_eq!(choose("failures,print=4"), misspelt);
        assert_eq!(choose("failures,prints=-1"), "--compression:1:17: prints must be an integer, 0 or more (got -1)");
        let unknown =
            "--compression:1:1: there is no compression strategy `failrues`; registered: failures; built in: ";
        assert!(choose("failrues").starts_with(unknown), "{}", choose("failrues"));
        // The file asks for one print.
        let (_, _, sent) = recorded();
        let last = sent.last().unwrap()[0].content().into_owned();
        let shown = ";; Turn 2 failed: undefined_symbol\n;; Turn 4 failed: type_error\n\n;; Output:\n;; (2 earlier prints not shown)\nprices [180 810]\n\nTurns left: 3";
        assert!(last.ends_with(shown), "{last}");
    }

    #[test]
    fn a_recorded_run_is_rendered_again_and_compared() {
        let (registry, step, sent) = recorded();
        let alone = Rendition::recorded(&step, "own").unwrap_err().to_string();
        assert!(alone.starts_with("the strategy `failures` is not one of this release ("), "{alone}");
        assert!(alone.ends_with("): it is a custom one or newer"), "{alone}");
        let own = Rendition::recorded_with(&step, "own", &registry.strategies()).unwrap();
        assert_eq!(own.requests, sent);
        let under = |name: &str, config: CompressionConfig| Rendition::under(&step, name, &config).unwrap();
        assert_eq!(under("again", Failures { prints: 1, ..GOOD }.into()).requests, sent);
        assert_ne!(under("two prints", GOOD.into()).requests, sent);
        let renditions = [
            own,
            under("none", false.into()),
            under("coalesced", SingleUserCoalesced::new().into()),
            under("digest", Digest::default().into()),
        ];
        let prices = PriceList::builtin().of("gpt-5-mini").unwrap();
        let comparison = Comparison::new(&step, &renditions, &ByteBound, Some(prices.clone()));
        let names: Vec<&str> = comparison.renditions.iter().map(|measured| &*measured.name).collect();
        assert_eq!(names, ["own", "none", "coalesced", "digest"]);
        for measured in &comparison.renditions {
            let Totals { input, shared, output, ref cost, .. } = measured.totals;
            let cost = cost.as_ref().unwrap();
            let uncached = Tokens { input, output, ..Tokens::default() };
            assert!((cost.uncached - prices.cost(&uncached)).abs() < 1e-9, "{}: {cost:?}", measured.name);
            assert!(shared < input && cost.cached < cost.uncached, "{}", measured.name);
            assert_eq!(measured.requests.len(), ANSWERS.len(), "{}", measured.name);
            assert_eq!(measured.difference.is_some(), measured.name != "own", "{}", measured.name);
        }
    }
}
