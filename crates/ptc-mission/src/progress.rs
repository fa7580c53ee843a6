//! How far a run has come: the checklist of a plan, or the log of finished tasks.

use indexmap::IndexMap;
use ptc_lisp::{FormatOptions, Value, format_within};

use crate::expected_output::one_line;

/// Characters shown of the value of a task.
const TASK_CHARS: usize = 200;

/// The steps of a plan (ids and texts), those that have a summary ticked; summaries of other ids stand below, sorted.
///
/// ```
/// use indexmap::IndexMap;
///
/// let plan = IndexMap::from([("1".to_owned(), "Look up".to_owned()), ("2".to_owned(), "Answer".to_owned())]);
/// let done = IndexMap::from([("1".to_owned(), "two rooms".to_owned())]);
/// let text = ptc_mission::checklist(&plan, &done);
/// assert_eq!(text, "## Progress\n\n- [x] **1.** Look up — two rooms\n- [ ] **2.** Answer");
/// ```
pub fn checklist(plan: &IndexMap<String, String>, summaries: &IndexMap<String, String>) -> String {
    let mut lines = vec!["## Progress".to_owned(), String::new()];
    for (id, text) in plan {
        let text = one_line(text);
        lines.push(match summaries.get(id) {
            Some(summary) => format!("- [x] **{id}.** {text}{}", after(summary)),
            None => format!("- [ ] **{id}.** {text}"),
        });
    }
    let mut others: Vec<(&String, &String)> = summaries.iter().filter(|(id, _)| !plan.contains_key(*id)).collect();
    others.sort_unstable();
    if !others.is_empty() {
        lines.extend([String::new(), "Outside the plan:".to_owned(), String::new()]);
        lines.extend(others.iter().map(|(id, summary)| format!("- [x] **{}**{}", one_line(id), after(summary))));
    }
    lines.join("\n")
}

fn after(summary: &str) -> String {
    match one_line(summary) {
        empty if empty.is_empty() => empty,
        text => format!(" — {text}"),
    }
}

/// The log of finished tasks, in the order in which they were finished; empty without any.
pub fn mission_log<'t>(tasks: impl IntoIterator<Item = (&'t str, &'t Value)>) -> String {
    let lines: Vec<String> = tasks.into_iter().map(|(id, value)| format!("- [done] {}: {}", one_line(id), shown(value))).collect();
    if lines.is_empty() { String::new() } else { format!("## Mission Log\n\n{}", lines.join("\n")) }
}

fn shown(value: &Value) -> String {
    format_within(value, &FormatOptions { limit: Some(10), printable_limit: Some(TASK_CHARS), hide: true }, TASK_CHARS).text
}

#[cfg(test)]
mod tests;
