//! Test support: programs whose literals are wrapped in calls, names that return `:wrong`, phases one at a time, calls
//! with huge arguments.

pub(crate) mod huge;
#[cfg(feature = "testing")]
mod sabotage;
#[cfg(feature = "testing")]
mod wrap;

#[cfg(feature = "testing")]
use std::sync::Arc;

#[cfg(feature = "testing")]
use crate::analyze::Edit;
#[cfg(feature = "testing")]
use crate::optimize::Plan;
#[cfg(feature = "testing")]
use crate::session::Session;

#[cfg(feature = "testing")]
pub use crate::session::program::{Phases, ReadProgram};
#[cfg(feature = "testing")]
pub use huge::{Called, HUGE, HUGE_TOOLS, Huge, amplifiers, called, tool_calls};
#[cfg(feature = "testing")]
pub use wrap::IDENTITY_TOOL;

/// How many of `all` cases are tried that `proptest!` does not count: the share that `PROPTEST_CASES` is of 256, the cases that
/// a property has when nothing says otherwise; at least one, and all of them without the variable.
#[cfg(feature = "testing")]
#[must_use]
#[allow(clippy::disallowed_methods, reason = "the caller of the tests says how many")]
pub fn test_cases(all: u32) -> u32 {
    let given = std::env::var("PROPTEST_CASES").ok().and_then(|given| given.parse().ok());
    given.map_or(all, |given| share(all, given))
}

/// Whether the case with this number is tried, where a test goes through all of them: the same share as [`test_cases`], without a
/// pattern that follows the order of a table.
#[cfg(feature = "testing")]
#[must_use]
pub fn is_tried(at: usize) -> bool {
    let spread = (at as u32).wrapping_mul(0x9e37_79b1) >> 24;
    spread < test_cases(256)
}

#[cfg(feature = "testing")]
fn share(all: u32, given: u32) -> u32 {
    let cases = (u64::from(all) * u64::from(given)).div_ceil(256).max(1);
    u32::try_from(cases).unwrap_or(u32::MAX)
}

#[cfg(feature = "testing")]
impl Session {
    /// From now on, wrap every literal of programs in a call of the tool [`IDENTITY_TOOL`].
    pub fn wrap_literals(&mut self) {
        self.machine.edits.push(Box::new(wrap::Wrap));
    }

    /// From now on, optimize programs without the passes for which `is_off` holds. Their results must be the same.
    pub fn optimize_without(&mut self, is_off: impl Fn(&str) -> bool) {
        self.machine.plan = Arc::new(Plan::with(|pass| !is_off(pass.name)));
    }

    /// The static phases one at a time.
    pub fn phases(&self) -> Phases<'_> {
        Phases { machine: &self.machine, limits: &self.limits, fields: &self.fields, name: None }
    }

    /// From now on, make `name` of a namespace such as `clojure.string` return `:wrong` whatever its arguments: a test
    /// about it must notice. False when there is no such name.
    pub fn sabotage(&mut self, namespace: &str, name: &str) -> bool {
        let sabotage = sabotage::Sabotage::of(namespace, name);
        let is_known = sabotage.is_some();
        self.machine.edits.extend(sabotage.map(|sabotage| Box::new(sabotage) as Box<dyn Edit>));
        is_known
    }
}
