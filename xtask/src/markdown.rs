//! Markdown as our pages use it: lines of prose and code, links, sections and tables.

#[cfg(test)]
mod tests;

use std::fmt::Display;

/// The lines with their numbers from 1 and their ends, and whether they are fenced code.
pub(crate) fn lines(text: &str) -> impl Iterator<Item = (usize, &str, bool)> {
    let mut is_fenced = false;
    text.split_inclusive('\n').enumerate().map(move |(place, line)| {
        let is_fence = line.trim_start().starts_with("```");
        is_fenced ^= is_fence;
        (place + 1, line, is_fenced || is_fence)
    })
}

/// Lines outside of fenced code, with their numbers.
pub(crate) fn prose(text: &str) -> impl Iterator<Item = (usize, &str)> {
    lines(text).filter(|(_, _, is_code)| !is_code).map(|(place, line, _)| (place, line.trim_end_matches(['\n', '\r'])))
}

/// The line with other targets of its links, where `change` has one; spans of code stay as they are.
pub(crate) fn with_targets(line: &str, mut change: impl FnMut(&str) -> Option<String>) -> String {
    let mut is_code = true;
    let parts = line.split('`').map(|part| {
        is_code = !is_code;
        let mut links = part.split("](");
        let mut text = links.next().filter(|_| !is_code).unwrap_or(part).to_owned();
        for link in links.filter(|_| !is_code) {
            let (target, rest) = link.split_at(link.find(')').unwrap_or(link.len()));
            text += &format!("]({}{rest}", change(target).as_deref().unwrap_or(target));
        }
        text
    });
    parts.collect::<Vec<_>>().join("`")
}

/// Path and heading of a link's target within the repository; the heading is empty, or begins with `#`.
pub(crate) fn local(target: &str) -> Option<(&str, &str)> {
    let is_address = target.contains("://") || target.starts_with("mailto:");
    (!is_address).then(|| target.split_at(target.find('#').unwrap_or(target.len())))
}

/// The numbered lines of a section, without its heading.
pub(crate) fn section<'a>(page: &'a str, heading: &'a str) -> impl Iterator<Item = (usize, &'a str)> {
    let lines = page.lines().enumerate().map(|(index, line)| (index + 1, line));
    lines.skip_while(move |(_, line)| *line != heading).skip(1).take_while(|(_, line)| !line.starts_with("## "))
}

/// The columns of a table's row, if it has this many.
pub(crate) fn cells<const N: usize>(line: &str) -> Option<[&str; N]> {
    let cells: Vec<&str> = line.strip_prefix('|')?.strip_suffix('|')?.split('|').map(str::trim).collect();
    cells.try_into().ok()
}

/// The text in backticks.
pub(crate) fn quoted(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2)
}

/// A row of a table.
pub(crate) fn row<C: Display>(cells: impl IntoIterator<Item = C>) -> String {
    let cells: Vec<String> = cells.into_iter().map(|cell| cell.to_string()).collect();
    format!("| {} |\n", cells.join(" | "))
}

/// The head of a table: a column of names, then columns of numbers.
pub(crate) fn head<C: Display>(names: &str, numbers: impl IntoIterator<Item = C>) -> String {
    let numbers: Vec<String> = numbers.into_iter().map(|label| label.to_string()).collect();
    let names = if names.is_empty() { String::new() } else { format!(" {names}") };
    format!("|{names} | {} |\n|---|{}\n", numbers.join(" | "), "--:|".repeat(numbers.len()))
}

/// The text with each `{name}` replaced by what is next to the name.
pub(crate) fn filled<T: AsRef<str>>(text: &str, parts: impl IntoIterator<Item = (&'static str, T)>) -> String {
    parts.into_iter().fold(text.to_owned(), |text, (name, part)| text.replace(&format!("{{{name}}}"), part.as_ref()))
}
