//! A kit that checks a strategy against its rules on random histories.
//!
//! [`check`] renders the given number of random runs, at several points of each, and reports which [`Rule`] was broken
//! where. The runs have tools, prints, failures, hidden values, long outputs and redefined names; the same seed gives
//! the same runs on every machine.
//!
//! ```
//! use ptc_compression::{RollingWindow, testkit};
//!
//! testkit::check(&RollingWindow::default(), 100, 2026).unwrap();
//! ```
//!
//! The kit recognizes the contents of a request by the marks that a [`SampleRun`] carries. For this to work a strategy
//! must show at least the first twenty characters of a printed entry, write calls like
//! [`tool_call_line`](crate::words::tool_call_line) or only count them, list definitions below the header of `user/` or
//! after `;; Defined:`, and have limits that 200 turns fill.

mod bounds;
mod chance;
pub(crate) mod rules;
mod sample_run;

use std::fmt;

use crate::compression::{Compression, Rendered};
pub use sample_run::SampleRun;

/// The promises of a strategy.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Rule {
    /// Equal turns, memory and input give equal messages, on any thread; its renderer gives the same.
    Pure,
    /// User and assistant speak in turn; the user begins and ends.
    Roles,
    /// No message is empty, and no part that is missing leaves a gap.
    Filled,
    /// The first message begins with the mission, whole.
    Mission,
    /// The stable beginning is the same in every request of a run, and names all tools and data; nothing else is
    /// stable. Repeated parts precede changing parts.
    Prefix,
    /// The last message ends with the turns that are left.
    Ending,
    /// The last error is shown as long as it is the last turn, and no other error, except of turns shown as they were:
    /// with the whole answer as a message of a dialogue.
    LastError,
    /// What failed turns printed and called is not shown, except for the last one, those shown as they were, and the
    /// calls that took effect.
    FailedTurns,
    /// Calls that took effect in failed turns are all named, as [`whole_call_line`](crate::words::whole_call_line)
    /// writes them.
    Effects,
    /// Limits drop the oldest prints and calls; what is shown is in order.
    Newest,
    /// The counts match what is shown.
    Statistics,
    /// Everything listed as defined is defined, and a list below the header of `user/` is complete.
    Defined,
    /// Values under names with `_` are not shown.
    Hidden,
    /// The size of a request does not grow with the number of turns.
    Bounded,
}

impl Rule {
    /// The rule as a sentence.
    #[must_use]
    pub fn text(self) -> &'static str {
        match self {
            Rule::Pure => "equal turns, memory and input give equal messages",
            Rule::Roles => "user and assistant speak in turn, the user first and last",
            Rule::Filled => "no message is empty and no missing part leaves a gap",
            Rule::Mission => "the first message begins with the whole mission",
            Rule::Prefix => "the stable beginning names tools and data and is the same in every request",
            Rule::Ending => "the last message ends with the turns left",
            Rule::LastError => "the last error is shown until a turn succeeds, and no other one",
            Rule::FailedTurns => "prints and calls of failed turns are not shown among the others",
            Rule::Effects => "calls that ran in failed turns are named in notes",
            Rule::Newest => "limits drop the oldest, the rest is in order",
            Rule::Statistics => "statistics count what is shown",
            Rule::Defined => "what is defined is listed as defined, and nothing else",
            Rule::Hidden => "hidden values are not shown",
            Rule::Bounded => "requests do not grow with the number of turns",
        }
    }
}

/// A rule that a strategy broke.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Violation {
    /// The rule.
    pub rule: Rule,
    /// Name of the strategy.
    pub strategy: String,
    /// The run: [`SampleRun::random`] of this seed, or [`SampleRun::steady`] and [`SampleRun::failing`] when there is none.
    /// `check(strategy, 1, seed)` finds it again.
    pub seed: Option<u64>,
    /// Turns of the run before the request.
    pub turns: usize,
    /// What was found instead.
    pub found: String,
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Violation { rule, strategy, turns, found, .. } = self;
        let run = self.seed.map_or_else(|| "a steady run".to_owned(), |seed| format!("the run of seed {seed}"));
        write!(f, "strategy `{strategy}` breaks the rule that {}: in {run} after {turns} turns {found}", rule.text())
    }
}

impl std::error::Error for Violation {}

/// Check a strategy against all rules, on the runs of `count` seeds from `seed` on.
///
/// Ten thousand runs of a strategy like the built-in ones take about two seconds, half a minute without optimisation.
pub fn check(strategy: &dyn Compression, count: usize, seed: u64) -> Result<(), Violation> {
    let named = |(rule, turns, found): Broken, seed: Option<u64>| Violation {
        rule,
        strategy: strategy.name().to_owned(),
        seed,
        turns,
        found,
    };
    for seed in (seed..).take(count) {
        check_run(strategy, &SampleRun::random(seed), seed).map_err(|broken| named(broken, Some(seed)))?;
    }
    bounds::check(strategy).map_err(|broken| named(broken, None))
}

/// The rule, the turns before the request, and what was found.
type Broken = (Rule, usize, String);

/// The request of a run at several points, and by the renderer.
fn check_run(strategy: &dyn Compression, history: &SampleRun, seed: u64) -> Result<(), Broken> {
    let length = history.turns().len();
    // Somewhere in between, chosen by the seed.
    let between = usize::try_from(seed).unwrap_or(0) % (length + 1);
    let first = render(strategy, history, 0);
    let mut renderer = strategy.incremental();
    for seen in 0..=length {
        if [0, between, length].contains(&seen) {
            let rendered = render(strategy, history, seen);
            let at = |(rule, found): (Rule, String)| (rule, seen, found);
            rules::check(strategy.name(), history, seen, &rendered, &first).map_err(at)?;
            if seed.is_multiple_of(4) {
                same(&rendered, &render(strategy, history, seen), "a second rendering").map_err(at)?;
            }
            if seed.is_multiple_of(16) {
                let other = elsewhere(strategy, seed, seen).ok_or((
                    Rule::Pure,
                    seen,
                    "it panics on another thread".to_owned(),
                ))?;
                same(&rendered, &other, "the rendering of an equal run on another thread").map_err(at)?;
            }
            if let Some(renderer) = &renderer {
                same(&rendered, &renderer.render(&history.memory(seen), &history.input(seen)), "its renderer")
                    .map_err(at)?;
            }
        }
        if let (Some(renderer), Some(next)) = (&mut renderer, history.turns().get(seen)) {
            renderer.push(next);
        }
    }
    Ok(())
}

fn render(strategy: &dyn Compression, history: &SampleRun, seen: usize) -> Rendered {
    strategy.to_messages(history.after(seen), &history.memory(seen), &history.input(seen))
}

/// The rendering of the same run, built again, on another thread.
fn elsewhere(strategy: &dyn Compression, seed: u64, seen: usize) -> Option<Rendered> {
    std::thread::scope(|scope| scope.spawn(|| render(strategy, &SampleRun::random(seed), seen)).join().ok())
}

fn same(one: &Rendered, other: &Rendered, who: &str) -> Result<(), (Rule, String)> {
    if one == other {
        return Ok(());
    }
    let (one, other) = (rules::whole_text(one), rules::whole_text(other));
    let differs = one.lines().zip(other.lines()).find(|(one, other)| one != other);
    let found = match differs {
        Some((one, other)) => format!("{who} differs: `{one}` became `{other}`"),
        None => format!("{who} differs in length, parts or statistics"),
    };
    Err((Rule::Pure, found))
}

#[cfg(test)]
mod tests;
