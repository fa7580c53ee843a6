//! The known key that a mistyped one was probably meant to be.

#[cfg(test)]
mod tests;

/// Keys that people write out of habit, and what they are called here.
const HABITS: [(&str, &str); 12] = [
    ("prompt", "mission"),
    ("task", "mission"),
    ("goal", "mission"),
    ("model", "llm"),
    ("journal", "tasks"),
    ("trace", "keep_turns"),
    ("budget", "token_limit"),
    ("retries", "retry_turns"),
    ("temperature", "model_options"),
    ("max_tokens", "model_options"),
    ("cmd", "command"),
    ("context", "data"),
];

/// The key of `known` that `key` is closest to: a habit, the same letters in another spelling, or at most a third of
/// its letters changed.
pub(crate) fn nearest(key: &str, known: &[&'static str]) -> Option<&'static str> {
    let habit = HABITS.iter().find(|(old, _)| *old == key).map(|(_, new)| *new);
    if let Some(new) = habit.filter(|new| known.contains(new)) {
        return Some(new);
    }
    let plain = folded(key);
    let scored = known.iter().map(|known| (distance(&plain, &folded(known)), *known));
    let (changes, best) = scored.min_by_key(|(changes, _)| *changes)?;
    (changes * 3 <= plain.len().max(3)).then_some(best)
}

fn folded(key: &str) -> Vec<char> {
    key.chars().take(64).filter(|c| !matches!(c, '-' | '_')).flat_map(char::to_lowercase).collect()
}

/// Letters to insert, delete or replace to get from one to the other.
fn distance(left: &[char], right: &[char]) -> usize {
    let mut row: Vec<usize> = (0..=right.len()).collect();
    for (index, letter) in left.iter().enumerate() {
        let mut corner = index;
        let mut before = index + 1;
        let mut next = vec![before];
        for (above, other) in row.iter().skip(1).zip(right) {
            let replaced = corner + usize::from(letter != other);
            before = replaced.min(above + 1).min(before + 1);
            corner = *above;
            next.push(before);
        }
        row = next;
    }
    row.last().copied().unwrap_or(0)
}
