//! A strategy and a model that only this program has, named in a mission file, which sets an option of the strategy; the requests of
//! the run are rendered again.

use std::sync::Arc;

use ptc_runner::chat::{Part, Role};
use ptc_runner::compression::strategy_of;
use ptc_runner::compression::words::{SampleLimits, user_section};
use ptc_runner::compression::{RenderInput, Rendered, closing_parts};
use ptc_runner::config::Registry;
use ptc_runner::lisp::Memory;
use ptc_runner::mission::join_sections;
use ptc_runner::prelude::*;
use ptc_runner::trace::replay::Rendition;
use ptc_runner::transcript::{CompressionOptions, Turn};
use serde::Deserialize;

const MISSION: &str = r#"
mission = "How many nights are booked?"
llm = "clerk"
compression = { strategy = "only-definitions", samples = false }
[data]
stays = [{ nights = 2 }, { nights = 3 }]
"#;

/// Instead of the turns, the model sees what they defined.
#[derive(Deserialize)]
struct OnlyDefinitions {
    /// Whether it sees a part of their values, too.
    samples: bool,
}

impl Compression for OnlyDefinitions {
    fn name(&self) -> &str {
        "only-definitions"
    }

    fn options(&self) -> CompressionOptions {
        CompressionOptions::from_iter([("samples".to_owned(), self.samples.into())])
    }

    fn with_options(&self, options: &CompressionOptions) -> Option<Result<Arc<dyn Compression>, String>> {
        Some(strategy_of::<OnlyDefinitions>(options))
    }

    fn to_messages(&self, turns: &[Turn], memory: &Memory, input: &RenderInput<'_>) -> Rendered {
        let samples = SampleLimits::default();
        let definitions = user_section(memory, self.samples.then_some(samples));
        let changing = join_sections([definitions].into_iter().chain(closing_parts(turns, input)));
        let parts = input.opening(samples, true).into_iter().chain([Part::changing(format!("\n\n{changing}"))]);
        vec![Message::new(Role::User, parts.collect::<Vec<_>>())].into()
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let clerk = Arc::new(ScriptedLlm::replies(["(def nights (map :nights data/stays))", "(return (apply + nights))"]));
    let registry = Registry::new().llm("clerk", clerk.clone())?.strategy(OnlyDefinitions { samples: true })?;
    let mission = registry.read("mission.toml", MISSION)?;
    let agent = mission.build_agent(&mission.limits())?;
    let step = blocking::run_with(&agent, Context::from_map(mission.data_map()), mission.run_options())?;
    if let Some(message) = clerk.requests().last().and_then(|request| request.messages.last()) {
        println!("{}", message.content());
    }
    println!("-> {}", step.value::<u32>()?);
    let again = Rendition::recorded_with(&step, "again", &registry.strategies())?;
    let sent: Vec<Vec<Message>> = clerk.requests().into_iter().map(|request| request.messages).collect();
    println!("rendered again as it was sent: {}", again.requests == sent);
    Ok(())
}
