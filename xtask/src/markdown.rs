//! Markdown as our pages use it: lines of prose and code, links, sections and tables.

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

#[cfg(test)]
mod tests {
    use super::{cells, filled, head, lines, local, prose, row, section, with_targets};

    #[test]
    fn targets_change_outside_of_code() {
        let upper = |line: &str| with_targets(line, |target| target.starts_with('a').then(|| target.to_uppercase()));
        assert_eq!(upper("[`x`](a) `[y](a)` [z](b) [w](a"), "[`x`](A) `[y](a)` [z](b) [w](A");
        assert_eq!(upper("no links"), "no links");
    }

    #[test]
    fn fences_and_what_is_in_them_are_code() {
        let text = "a\n```sh\nb\n```\nc";
        assert_eq!(lines(text).map(|(_, _, is_code)| is_code).collect::<Vec<_>>(), [false, true, true, true, false]);
        assert_eq!(prose(text).collect::<Vec<_>>(), [(1, "a"), (5, "c")]);
    }

    #[test]
    fn addresses_are_not_local() {
        assert_eq!(local("a.md#b"), Some(("a.md", "#b")));
        assert_eq!(local("a.md"), Some(("a.md", "")));
        assert_eq!((local("https://a.example#b"), local("mailto:a@b.example")), (None, None));
    }

    #[test]
    fn tables_are_written_as_they_are_read() {
        let table = head("", ["a", "b"]) + &row(["x", "1", "2"]);
        assert_eq!(table, "| | a | b |\n|---|--:|--:|\n| x | 1 | 2 |\n");
        let page = format!("# P\n\n## T\n\n{table}\n## U\n");
        let rows = section(&page, "## T").filter_map(|(line, text)| Some((line, cells::<3>(text)?)));
        assert_eq!(rows.last(), Some((7, ["x", "1", "2"])));
    }

    #[test]
    fn gaps_are_filled_by_name() {
        assert_eq!(filled("{a} is {b c}, {a} {d}", [("a", "1"), ("b c", "2")]), "1 is 2, 1 {d}");
    }
}
