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
/// its letters changed; two letters in each other's place are one change.
pub(crate) fn nearest<'k>(key: &str, known: &[&'k str]) -> Option<&'k str> {
    let habit =
        HABITS.iter().find(|(old, _)| *old == key).and_then(|(_, new)| known.iter().find(|known| *known == new));
    if let Some(new) = habit {
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

/// Letters to insert, delete, replace or swap with their neighbour to get from one to the other.
fn distance(left: &[char], right: &[char]) -> usize {
    let mut above: Vec<usize> = Vec::new();
    let mut row: Vec<usize> = (0..=right.len()).collect();
    let mut last = None;
    for (index, letter) in left.iter().enumerate() {
        let mut next = vec![index + 1];
        for (column, other) in right.iter().enumerate() {
            let at = |row: &[usize], column: usize| row.get(column).copied().unwrap_or(usize::MAX - 1);
            let replaced = at(&row, column) + usize::from(letter != other);
            let mut changes = replaced.min(at(&row, column + 1) + 1).min(at(&next, column) + 1);
            let before = column.checked_sub(1).and_then(|before| Some((before, right.get(before)?)));
            if let Some((before, _)) = before.filter(|(_, before)| last == Some(other) && *before == letter) {
                changes = changes.min(at(&above, before) + 1);
            }
            next.push(changes);
        }
        above = std::mem::replace(&mut row, next);
        last = Some(letter);
    }
    row.last().copied().unwrap_or(0)
}
