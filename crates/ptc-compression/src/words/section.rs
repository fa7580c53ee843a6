//! The fixed lines of the message sections: headers, padding and joining.

/// First line of the list of tools.
pub const TOOL_HEADER: &str = ";; === tool/ ===";
/// The beginning of a line before the tools: `;; Below, [A] stands for: …`.
pub(crate) const SHARED_BEGINNING: &str = ";; Below, [";
/// After tools whose descriptions are not whole.
pub(crate) const SHORTENED: &str = ";; ... marks what a line leaves out; (doc tool/NAME) prints all of a tool";
/// After tools that describe their parameters, which lines do not show; the second one where [`SHORTENED`] is not there.
pub(crate) const DESCRIBED: [&str; 2] =
    [" and describes its parameters", ";; (doc tool/NAME) describes the parameters"];
/// After tools of whose results nothing is known.
pub(crate) const UNKNOWN_RESULTS: &str =
    ";; any, json or text: def one result and print a part of it first: (println (subs (str r) 0 500))";
/// Before tools without their signatures.
pub(crate) const INDEX_OF_TOOLS: &str =
    ";; This is an index: (doc tool/NAME) prints how a tool is called, (apropos \"word\") finds tools";
/// First line of the list of input data.
pub const DATA_HEADER: &str = ";; === data/ ===";
/// First line of the list of definitions that earlier turns left.
pub const USER_HEADER: &str = ";; === user/ (your prelude) ===";
/// First line of the list of definitions of one turn.
pub const DEFINED_HEADER: &str = ";; Defined:";
/// First line of the list of tool calls of the run so far.
pub const TOOL_CALLS_HEADER: &str = ";; Tool calls made:";
/// Replaces the list of tool calls when there are none.
pub const NO_TOOL_CALLS: &str = ";; No tool calls made";
/// First line of the printed output.
pub const OUTPUT_HEADER: &str = ";; Output:";

/// First line of the progress of a plan.
pub(crate) const PROGRESS_HEADER: &str = "## Progress";
/// First line of the list of finished tasks.
pub(crate) const TASKS_HEADER: &str = "## Mission Log";
/// The line before and after the report on a failed attempt.
pub const RULE: &str = "---";
/// Precedes the program of a failed attempt.
pub const PREVIOUS_ATTEMPT: &str = "Your previous attempt:";
/// First line of what a failed program printed.
pub const OUTPUT_BEFORE_ERROR: &str = "Output before the error:";
/// The beginning of lines of calls.
pub const CALL_INDENT: &str = ";   ";
/// The beginning of our other lines below a header.
pub(crate) const COMMENT: &str = ";; ";
/// Precedes the names of all definitions.
pub const STORED_NAMES: &str = "Stored names: ";

/// Width in characters to which the left part of an entry line is filled.
const COLUMN: usize = 30;

/// Fill `left` with spaces to 30 characters, or add one space if it is already that long; a comment may follow.
pub fn pad(left: &str) -> String {
    let missing = COLUMN.saturating_sub(left.chars().count()).max(1);
    let mut padded = String::with_capacity(left.len() + missing);
    padded.push_str(left);
    padded.extend(std::iter::repeat_n(' ', missing));
    padded
}

/// A header and its entry lines; `None` when there are no entries, because empty sections are left out.
pub fn section<I>(header: &str, lines: I) -> Option<String>
where
    I: IntoIterator,
    I::Item: AsRef<str>,
{
    let mut lines = lines.into_iter().peekable();
    lines.peek()?;
    let mut text = header.to_owned();
    for line in lines {
        text.push('\n');
        text.push_str(line.as_ref());
    }
    Some(text)
}

#[cfg(test)]
mod tests {
    //! Padding of sections.

    use super::{DATA_HEADER, pad, section};

    #[test]
    fn short_names_fill_the_column() {
        assert_eq!(pad("data/bookings") + "; int", "data/bookings                 ; int");
        assert_eq!(pad("").len(), 30);
        assert_eq!(pad(&"x".repeat(29)).len(), 30);
    }

    #[test]
    fn long_names_get_one_blank() {
        assert_eq!(pad(&"x".repeat(30)).len(), 31);
        assert_eq!(pad(&"x".repeat(44)).len(), 45);
    }

    #[test]
    fn width_counts_characters_not_bytes() {
        assert_eq!(pad("größe").chars().count(), 30);
    }

    #[test]
    fn sections_without_entries_vanish() {
        assert_eq!(section(DATA_HEADER, Vec::<String>::new()), None);
        assert_eq!(section(DATA_HEADER, ["data/a", "data/b"]).unwrap(), ";; === data/ ===\ndata/a\ndata/b");
    }
}
