//! The known key that a mistyped one was probably meant to be.

/// Keys that people write out of habit, and their names here.
const HABITS: [(&str, &str); 25] = [
    ("constrain", "grammar"),
    ("prompt", "mission"),
    ("task", "mission"),
    ("goal", "mission"),
    ("messages", "mission"),
    ("system", "system_prompt"),
    ("instructions", "system_prompt"),
    ("max_iterations", "max_turns"),
    ("max_steps", "max_turns"),
    ("model", "llm"),
    ("llm", "model"),
    ("approvals", "approve"),
    ("journal", "tasks"),
    ("trace", "keep_turns"),
    ("budget", "token_limit"),
    ("retries", "retry_turns"),
    ("temperature", "model_options"),
    ("max_tokens", "max_output_tokens"),
    ("max_tokens", "model_options"),
    ("top_p", "extra"),
    ("top_k", "extra"),
    ("frequency_penalty", "extra"),
    ("presence_penalty", "extra"),
    ("cmd", "command"),
    ("context", "data"),
];

/// The key of `known` that `key` is closest to: a habit, the same letters in another spelling, or the nearest by the
/// rules for names in programs.
pub(crate) fn nearest<'k>(key: &str, known: &[&'k str]) -> Option<&'k str> {
    let habit = HABITS.iter().find(|(old, new)| *old == key && known.contains(new)).map(|(_, new)| *new);
    let (plain, folded) = (folded(key), known.iter().map(|known| folded(known)).collect::<Vec<_>>());
    let place = known
        .iter()
        .position(|known| Some(*known) == habit)
        .or_else(|| folded.iter().position(|known| *known == plain))
        .or_else(|| {
            let like = ptc_lisp::text::nearest(&plain, folded.iter().map(String::as_str))?;
            folded.iter().position(|known| known == like)
        });
    known.get(place?).copied()
}

/// In lower case, however words are joined.
fn folded(key: &str) -> String {
    key.chars().filter(|c| !matches!(c, '-' | '_')).flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(key: &str) -> &'static str {
        nearest(key, &["mission", "max_turns", "retry_turns", "timeout", "llm", "tools"]).unwrap_or("-")
    }

    #[test]
    fn habits_and_slips() {
        assert_eq!(check("prompt"), "mission");
        assert_eq!(check("model"), "llm");
        assert_eq!(check("max_steps"), "max_turns");
        assert_eq!(check("maxTurns"), "max_turns");
        assert_eq!(check("max-turns"), "max_turns");
        assert_eq!(check("mision"), "mission");
        assert_eq!(check("time_out"), "timeout");
        assert_eq!(check("tool"), "tools");
    }

    #[test]
    fn nothing_alike() {
        assert_eq!(check("flavour"), "-");
        assert_eq!(check("x"), "-");
    }

    #[test]
    fn a_habit_counts_only_where_its_new_name_is_known() {
        assert_eq!(nearest("prompt", &["file", "value"]), None);
    }
}
