//! The error of a `pmap` or `pcalls`: which branch failed, for which arguments, and what happened to the others.

use indexmap::IndexMap;

use crate::error::{Exception, Res, Signal, counted};
use crate::limits::meter::Meter;
use crate::session::host::ToolRecord;
use crate::session::outcome::{ParallelForm, ParallelRecord};
use crate::value::{FormatOptions, Value, format_within, shortened};

/// Characters of the arguments in the message.
const ARGUMENTS: usize = 120;
/// Characters of the branch's error: a message is shown up to 500, and it ends with what happened to the others.
const CAUSE: usize = 280;
/// The most tools whose calls are counted in the message.
const TOOLS: usize = 5;

/// The first failure by number, with what is known about its siblings.
pub(super) struct Failure<'p> {
    pub index: usize,
    /// The arguments of the branch.
    pub arguments: Vec<Value>,
    /// The number of branches that were started.
    pub started: usize,
    pub record: &'p ParallelRecord,
    /// The calls of the other started branches, in order.
    pub others: Vec<&'p ToolRecord>,
}

impl Failure<'_> {
    /// The signal of the form: `branch 4 of 93 (argument 1004): … (88 branches finished, 4 were not started)`.
    ///
    /// `ex-data` has `:branch` and `:argument` (`:arguments` of several), and `:data` of a tool that gave some, unless
    /// the program threw its own data.
    pub fn signal(&self, mut error: Exception, meter: &mut Meter) -> Box<Signal> {
        if error.attached.data.is_none() || error.tool.is_some() {
            match self.data(&error, meter) {
                Ok(data) => error.attached.data = Some(data),
                Err(signal) => return signal,
            }
        }
        let cause = shortened(&error.message, CAUSE);
        let mut message =
            format!("branch {} of {}{}: {cause}", self.index + 1, self.record.count, self.arguments_text());
        let fate = self.fate();
        if !fate.is_empty() {
            message.push_str(&format!(" ({fate})"));
        }
        error.reason = self.record.form.reason();
        error.message = message;
        Box::new(Signal::Error(error))
    }

    fn data(&self, error: &Exception, meter: &mut Meter) -> Res {
        let mut map = error.known_as(self.record.form.reason(), meter)?;
        let told = Value::keyword("data");
        if let Some(fields) = error.data().and_then(Value::as_map)
            && let Some(data) = fields.get(&told, meter)?.cloned()
        {
            map.insert(told, data, meter)?;
        }
        map.insert(Value::keyword("branch"), Value::from(self.index + 1), meter)?;
        match (self.record.form, self.arguments.as_slice()) {
            (ParallelForm::Pcalls, _) | (_, []) => {}
            (_, [argument]) => _ = map.insert(Value::keyword("argument"), argument.clone(), meter)?,
            (_, several) => _ = map.insert(Value::keyword("arguments"), Value::vector(several.to_vec()), meter)?,
        }
        Ok(Value::Map(map))
    }

    /// ` (argument 1004)`; empty for `pcalls`.
    fn arguments_text(&self) -> String {
        let options = FormatOptions { limit: Some(30), printable_limit: Some(ARGUMENTS), ..FormatOptions::printed() };
        let shown: Vec<String> =
            self.arguments.iter().map(|argument| format_within(argument, &options, ARGUMENTS + 1).text).collect();
        match shown.as_slice() {
            [] => String::new(),
            [one] => format!(" (argument {})", shortened(one, ARGUMENTS)),
            several => format!(" (arguments {})", shortened(&several.join(", "), ARGUMENTS)),
        }
    }

    /// `88 branches finished, 2 were stopped, 4 were not started; their calls that worked: pay × 3`
    fn fate(&self) -> String {
        let ParallelRecord { count, succeeded, failed, .. } = self.record;
        let stopped = self.started.saturating_sub(succeeded + failed);
        let parts = [
            (*succeeded, "finished"),
            (failed.saturating_sub(1), "failed, too"),
            (stopped, if stopped == 1 { "was stopped" } else { "were stopped" }),
            (count - self.started, if count - self.started == 1 { "was not started" } else { "were not started" }),
        ];
        let mut told: Vec<String> = Vec::new();
        for (number, what) in parts.into_iter().filter(|(number, _)| *number > 0) {
            told.push(if told.is_empty() {
                format!("{} {what}", branches(number))
            } else {
                format!("{number} {what}")
            });
        }
        let fate = told.join(", ");
        match self.calls() {
            calls if calls.is_empty() => fate,
            calls => format!("{fate}; their calls that worked: {calls}"),
        }
    }

    /// The successful calls of the other branches, by tool: `pay × 3, look × 6`.
    fn calls(&self) -> String {
        let mut counts: IndexMap<&str, usize> = IndexMap::new();
        for record in self.others.iter().filter(|record| record.error.is_none() && !record.cached) {
            *counts.entry(&*record.name).or_default() += 1;
        }
        let mut told: Vec<String> =
            counts.iter().take(TOOLS).map(|(name, count)| format!("{name} × {count}")).collect();
        if counts.len() > TOOLS {
            told.push(counted(counts.len() - TOOLS, "more tool"));
        }
        told.join(", ")
    }
}

fn branches(count: usize) -> String {
    if count == 1 { "1 branch".to_owned() } else { format!("{count} branches") }
}
