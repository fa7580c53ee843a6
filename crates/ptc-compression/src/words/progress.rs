//! The progress of a run: the checklist of a plan, or the log of finished tasks.

use indexmap::IndexMap;
use ptc_lisp::Value;
use ptc_lisp::text::{FormatOptions, format_within, one_line, shortened};

use crate::words::apart::line;
use crate::words::section::{PROGRESS_HEADER, TASKS_HEADER};

/// Characters shown of the value of a task, and of a summary.
const TASK_CHARS: usize = 200;

/// Maximum finished tasks listed, and finished steps outside of the plan: the newest.
const NEWEST: usize = 20;

/// The steps of a plan (ids and texts), those that have a summary ticked; summaries of other ids are listed below, the
/// newest 20, sorted. Summaries are cut at 200 characters, so that the list is as long as the plan, however many turns
/// there are.
///
/// ```
/// use indexmap::IndexMap;
///
/// let plan = IndexMap::from([("1".to_owned(), "Look up".to_owned()), ("2".to_owned(), "Answer".to_owned())]);
/// let done = IndexMap::from([("1".to_owned(), "two rooms".to_owned())]);
/// let text = ptc_compression::words::checklist(&plan, &done);
/// assert_eq!(text, "## Progress\n\n- [x] **1.** Look up — two rooms\n- [ ] **2.** Answer");
/// ```
pub fn checklist(plan: &IndexMap<String, String>, summaries: &IndexMap<String, String>) -> String {
    let mut lines = vec![PROGRESS_HEADER.to_owned(), String::new()];
    for (id, text) in plan {
        let text = one_line(text);
        lines.push(line(match summaries.get(id) {
            Some(summary) => format!("- [x] **{id}.** {text}{}", after(summary)),
            None => format!("- [ ] **{id}.** {text}"),
        }));
    }
    let mut others: Vec<(&String, &String)> = summaries.iter().filter(|(id, _)| !plan.contains_key(*id)).collect();
    let earlier = others.len().saturating_sub(NEWEST);
    others.drain(..earlier);
    others.sort_unstable();
    if !others.is_empty() {
        lines.extend([String::new(), format!("Outside the plan{}:", left_out(earlier)), String::new()]);
        lines.extend(others.iter().map(|(id, summary)| {
            line(format!("- [x] **{}**{}", shortened(&one_line(id), TASK_CHARS), after(summary)))
        }));
    }
    lines.join("\n")
}

fn after(summary: &str) -> String {
    match one_line(summary) {
        empty if empty.is_empty() => empty,
        text => format!(" — {}", shortened(&text, TASK_CHARS)),
    }
}

fn left_out(earlier: usize) -> String {
    if earlier > 0 { format!(" (+{earlier} earlier)") } else { String::new() }
}

/// The log of finished tasks, the newest 20 in the order in which they were finished; empty without any. Ids and values
/// are cut at 200 characters, so that it does not grow with the turns.
pub fn mission_log<'t>(tasks: impl IntoIterator<Item = (&'t str, &'t Value)>) -> String {
    let tasks: Vec<(&str, &Value)> = tasks.into_iter().collect();
    let earlier = tasks.len().saturating_sub(NEWEST);
    let lines = tasks
        .iter()
        .skip(earlier)
        .map(|(id, value)| line(format!("- [done] {}: {}", shortened(&one_line(id), TASK_CHARS), shown(value))));
    let lines: Vec<String> = lines.collect();
    if lines.is_empty() {
        String::new()
    } else {
        format!("{TASKS_HEADER}{}\n\n{}", left_out(earlier), lines.join("\n"))
    }
}

fn shown(value: &Value) -> String {
    format_within(
        value,
        &FormatOptions { limit: Some(10), printable_limit: Some(TASK_CHARS), ..FormatOptions::printed() },
        TASK_CHARS,
    )
    .text
}

#[cfg(test)]
mod tests;
