//! The most calls to each tool.

use std::collections::BTreeMap;

use super::bound::CallBound;
use crate::value::Name;

/// Bounds by tool; a tool that is missing is not called.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Cost(BTreeMap<Name, CallBound>);

impl Cost {
    /// More calls of a tool.
    pub fn add(&mut self, tool: &Name, times: &CallBound) {
        let known = self.0.remove(tool).unwrap_or_else(|| CallBound::of(0));
        self.0.insert(tool.clone(), known.plus(times));
    }

    /// Add what happens after this.
    pub fn then(&mut self, next: &Cost) {
        next.0.iter().for_each(|(tool, times)| self.add(tool, times));
    }

    /// Combine with what may happen instead of this.
    pub fn or(&mut self, other: Cost) {
        for (tool, times) in other.0 {
            let joined = self.0.get(&tool).map_or_else(|| times.clone(), |known| known.or(&times));
            self.0.insert(tool, joined);
        }
    }

    /// The cost of doing this `count` times.
    pub fn times(mut self, count: &CallBound) -> Cost {
        self.0.values_mut().for_each(|times| *times = times.times(count));
        self
    }

    /// The tools that may be called, by name.
    pub fn into_tools(self) -> impl Iterator<Item = (Name, CallBound)> {
        self.0.into_iter().filter(|(_, times)| !times.is_never())
    }
}
