//! What a program could do before it runs: which tools it can reach, and how often it may call each of them.
//!
//! A walk over the analyzed tree, which looks at the bodies of functions where they are called ([`walk`]). It knows
//! which functions a value may be, and how many elements it has at most ([`value`]). A table says what builtins do with
//! both ([`rules`]). A function that escapes (into a collection, a cell, a lazy sequence or an unknown function) is
//! paid for at that moment: every tool that it could ever reach ([`reach`]) then counts as called without bound. So
//! nothing that comes back from there needs a look, and what is not understood makes a summary coarse but never wrong.

mod body;
mod bound;
mod call;
mod cost;
mod field;
mod program;
mod reach;
mod rounds;
mod stored;
mod value;
mod walk;

#[cfg(test)]
mod tests;

pub use bound::CallBound;

use crate::analyze::ir::Function;
use crate::eval::globals::Globals;
use crate::session::Session;
use crate::session::host::Effect;
use crate::session::outcome::Problem;
use crate::session::program::Phases;
use crate::value::Name;
use program::Program;
use reach::Reach;
use walk::Walk;

/// What a program could do to the outside world.
#[non_exhaustive]
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EffectSummary {
    /// The tools that it can reach, by name. It calls no others.
    pub tools: Vec<ToolReach>,
}

/// A tool that a program can reach.
#[non_exhaustive]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToolReach {
    /// The name after `tool/`.
    pub name: String,
    /// Whether its calls may change something outside the run.
    pub effect: Effect,
    /// The most calls that the program makes to it.
    pub at_most: CallBound,
}

impl Session {
    /// What a program could do if it ran now: the tools that it can reach, and how often it may call each of them.
    /// Nothing runs, and a running program is left alone.
    ///
    /// Whatever the program does, it calls no tool that is not in the summary, and none more often than the summary
    /// says; answers from the cache do not count as calls. Definitions of earlier programs are included. The summary
    /// holds for the current data, definitions and tools of the session, as long as tools answer with data, not with
    /// functions. What cannot be determined is [unbounded](CallBound::limit).
    ///
    /// Cost: linear in the program and in the definitions that it refers to; functions are analyzed once for each place
    /// that calls them, up to 200,000 expressions. Beyond that, the summary names only the tools.
    ///
    /// Errors with up to five problems, as [`Session::check`] does.
    ///
    /// ```
    /// use ptc_lisp::{Session, SessionOptions, ToolSpec, Value};
    ///
    /// let Ok(Value::Map(data)) = Value::from_json_str(r#"{"orders": [{"id": 1}, {"id": 2}]}"#) else { panic!("a map") };
    /// let tools = vec![ToolSpec::new("pay"), ToolSpec::new("note")];
    /// let session = Session::new(SessionOptions { data, tools, ..SessionOptions::default() });
    /// let summary = session.effects("(doseq [o data/orders] (tool/pay {:id (:id o)}))").unwrap();
    /// let [pay] = summary.tools.as_slice() else { panic!("one tool") };
    /// assert_eq!(pay.name, "pay");
    /// assert_eq!(pay.at_most.to_string(), "≤ count(data/orders)");
    /// assert_eq!(pay.at_most.limit(), Some(2));
    /// ```
    pub fn effects(&self, source: &str) -> Result<EffectSummary, Vec<Problem>> {
        let phases = Phases { machine: &self.machine, limits: &self.limits, fields: &self.fields, name: None };
        let look = |main: &Function, globals: &Globals| summary(&phases, main, globals);
        phases.prepare_with(source.into(), &phases.machine.plan, look).map(|(_, summary)| summary)
    }
}

fn summary(phases: &Phases<'_>, main: &Function, globals: &Globals) -> EffectSummary {
    let Some(main) = main.arities.first() else { return EffectSummary::default() };
    let program = Program::new(phases.machine, phases.limits, globals, &main.body);
    let mut walk = Walk::new(&program);
    walk.main();
    let called: Vec<(Name, CallBound)> = if walk.gave_up {
        let tools = Reach::new(&program, &|_| None).of_node(&main.body).tools;
        tools.into_iter().map(|tool| (tool, CallBound::UNBOUNDED)).collect()
    } else {
        walk.cost.into_tools().collect()
    };
    // A tool that the session does not have cannot be called.
    let known = called.into_iter().filter_map(|(name, at_most)| {
        let effect = phases.machine.tools.get(name.as_str())?.effect;
        Some(ToolReach { name: name.to_string(), effect, at_most })
    });
    EffectSummary { tools: known.collect() }
}
