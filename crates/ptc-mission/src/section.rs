//! Joining the sections of a text.

/// First line of the description of the wanted result.
pub const EXPECTED_OUTPUT_HEADER: &str = "# Expected Output";

/// The parts that are present and not empty, one blank line between them.
pub fn join_sections<I, S>(parts: I) -> String
where
    I: IntoIterator<Item = Option<S>>,
    S: AsRef<str>,
{
    let mut text = String::new();
    for part in parts.into_iter().flatten() {
        if part.as_ref().is_empty() {
            continue;
        }
        if !text.is_empty() {
            text.push_str("\n\n");
        }
        text.push_str(part.as_ref());
    }
    text
}

#[cfg(test)]
mod tests {
    use super::join_sections;

    #[test]
    fn absent_parts_leave_no_gap() {
        assert_eq!(join_sections([Some("mission"), None, Some(""), Some("data")]), "mission\n\ndata");
        assert_eq!(join_sections::<_, &str>([None, None]), "");
    }
}
