//! The known key that a mistyped one was probably meant to be.

#[cfg(test)]
mod tests;

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
