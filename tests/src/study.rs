//! What `bench/study` measures of the missions in `study`, scripted and live, for `cargo xtask study`.

use std::ops::AddAssign;

use serde::{Deserialize, Serialize};

/// The plain dialogue, which is the reference of all comparisons.
pub const NONE: &str = "none";

/// The plain dialogue under the longest system text, which used to be the default; every other way has the default
/// text.
pub const NONE_FULL: &str = "none, full text";

/// The strategy for caches, which the default one is compared with.
pub const DIGEST: &str = "digest";

/// Everything that is measured.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Study {
    /// How tokens were counted.
    pub counter: String,
    /// The ways of showing history, `none` first; figures of missions are in this order.
    pub ways: Vec<String>,
    /// The strategy that `compression = true` means.
    pub default: String,
    /// What costs consist of.
    pub prices: Vec<Price>,
    /// The scripted missions, in the order of their names.
    pub missions: Vec<Mission>,
    /// The missions whose answers a model wrote, in the order of their names.
    pub live: Vec<Mission>,
    /// The mission that is drawn.
    pub drawn: String,
    /// Its tokens turn by turn, as SVG.
    pub picture: String,
}

/// List prices of one model, in USD for a million tokens.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Price {
    /// The model and the date of the list.
    pub name: String,
    /// Input that is not cached.
    pub input: f64,
    /// Input that is cached.
    pub cached: f64,
    /// Input that is written to the cache.
    pub write: f64,
    /// Output.
    pub output: f64,
}

/// One mission.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Mission {
    /// Its folder below that of all scripted or all live missions.
    pub name: String,
    /// Its turns, each with one request.
    pub turns: usize,
    /// Turns before the last request, which are its history.
    pub past: usize,
    /// Of these, how many failed.
    pub failed: usize,
    /// Bytes of the program and the error of the turn before each request; 0 when it succeeded.
    pub attempt_bytes: Vec<u64>,
    /// Definitions alive at each request.
    pub definitions: Vec<usize>,
    /// The system text, in tokens; it is in each request.
    pub system: u64,
    /// Tokens of all answers.
    pub output: u64,
    /// The figures of each way.
    pub ways: Vec<Figures>,
}

/// One mission shown in one way.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Figures {
    /// Input tokens of each request.
    pub input: Vec<u64>,
    /// Of these, the tokens after the common prefix with the previous request.
    pub fresh: Vec<u64>,
    /// Tokens of each request after its stable beginning.
    pub history: Vec<u64>,
    /// The same in bytes, without the `user/` section.
    pub history_bytes: Vec<u64>,
    /// Bytes of the `user/` section of each request.
    pub user_bytes: Vec<u64>,
    /// In USD, for each of the prices.
    pub costs: Vec<Cost>,
    /// What the last request still shows of the run.
    pub shown: Shown,
}

/// The cost of a run in USD, output included.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Cost {
    /// All input at full price.
    pub uncached: f64,
    /// Where the provider caches what requests have in common.
    pub cached: f64,
}

impl AddAssign for Cost {
    fn add_assign(&mut self, other: Cost) {
        self.uncached += other.uncached;
        self.cached += other.cached;
    }
}

/// Parts of the run that the last request shows, each with its total.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shown {
    /// Programs that it contains whole.
    pub programs: [usize; 2],
    /// Printed entries of good turns.
    pub prints: [usize; 2],
    /// Tool calls of good turns: listed, or in a program that it contains.
    pub calls: [usize; 2],
    /// Messages of failed turns, their first line.
    pub errors: [usize; 2],
}

/// Costs relative to those of another way, at each of the prices.
#[derive(Debug, Clone, PartialEq)]
pub struct Ratios {
    /// With caching.
    pub cached: Vec<f64>,
    /// Without.
    pub uncached: Vec<f64>,
}

impl Study {
    /// The cost of `way` relative to that of `against`, all these missions together; `None` when one of the ways was
    /// not measured.
    #[must_use]
    pub fn ratios<'m>(
        &self,
        missions: impl IntoIterator<Item = &'m Mission> + Clone,
        way: &str,
        against: &str,
    ) -> Option<Ratios> {
        let (ours, against) = (self.costs(missions.clone(), way)?, self.costs(missions, against)?);
        let of = |part: fn(&Cost) -> f64| {
            ours.iter().zip(&against).map(|(ours, against)| part(ours) / part(against)).collect()
        };
        Some(Ratios { cached: of(|cost| cost.cached), uncached: of(|cost| cost.uncached) })
    }

    /// What a way costs in all these missions, at each of the prices.
    fn costs<'m>(&self, missions: impl IntoIterator<Item = &'m Mission>, way: &str) -> Option<Vec<Cost>> {
        let place = self.ways.iter().position(|known| known == way)?;
        let mut sum = vec![Cost::default(); self.prices.len()];
        for mission in missions {
            sum.iter_mut().zip(&mission.ways.get(place)?.costs).for_each(|(sum, cost)| *sum += *cost);
        }
        Some(sum)
    }
}
