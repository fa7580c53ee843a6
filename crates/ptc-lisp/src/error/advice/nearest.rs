//! The known name that an unknown one was probably meant to be.

#[cfg(test)]
mod tests;

/// Longest name, in characters, that is compared.
const MAX_CHARS: usize = 48;

/// The candidate most like `name`, if one is similar enough.
///
/// - a single typing mistake beats everything else: a letter doubled, two swapped, one missing, added or replaced, in
///   this order
/// - otherwise by Jaro similarity, plus 0.3 when the letters are the same, minus 0.05 for each letter more or less;
///   similar enough means a score above 0.8 or a similarity above 0.85
/// - ties go to the first in alphabetical order
/// - cost: quadratic in the length of the names, which is bounded
///
/// ```
/// assert_eq!(ptc_lisp::text::nearest("max_turn", ["max_turns", "timeout"]), Some("max_turns"));
/// ```
#[must_use]
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    nearest_ranked(name, candidates.into_iter().map(|candidate| (0, candidate)))
}

/// Like [`nearest`], but ties go to the candidate of the lowest rank first.
pub(crate) fn nearest_ranked<'a>(name: &str, candidates: impl IntoIterator<Item = (u8, &'a str)>) -> Option<&'a str> {
    let wanted: Vec<char> = name.chars().take(MAX_CHARS + 1).collect();
    if wanted.len() > MAX_CHARS {
        return None;
    }
    let letters = sorted(&wanted);
    let mut best: Option<(f64, u8, &str)> = None;
    for (rank, candidate) in candidates {
        let Some(score) = score(&wanted, &letters, candidate) else { continue };
        let better = best.is_none_or(|(top, best_rank, known)| {
            score > top || (score == top && (rank, candidate) < (best_rank, known))
        });
        if better && candidate != name {
            best = Some((score, rank, candidate));
        }
    }
    best.map(|(.., candidate)| candidate)
}

/// How similar the names are; `None` when not similar enough to suggest one for the other.
fn score(wanted: &[char], letters: &[char], candidate: &str) -> Option<f64> {
    if candidate.len() > MAX_CHARS * 4 {
        return None;
    }
    let candidate: Vec<char> = candidate.chars().collect();
    let difference = wanted.len().abs_diff(candidate.len());
    if candidate.len() > MAX_CHARS || difference > 8 {
        return None;
    }
    if let Some(slip) = slip(wanted, &candidate) {
        return Some(slip);
    }
    let alike = jaro(wanted, &candidate);
    let bonus = if sorted(&candidate) == letters { 0.3 } else { 0.0 };
    let score = alike + bonus - 0.05 * difference as f64;
    (score > 0.8 || alike > 0.85).then_some(score)
}

/// The score of a candidate that one typing mistake turns into the name; it is above any similarity. A mistake that
/// leaves fewer than two letters, or replaces one of two, does not count.
fn slip(wanted: &[char], candidate: &[char]) -> Option<f64> {
    let start = wanted.iter().zip(candidate).take_while(|(one, other)| one == other).count();
    let (typed, meant) = (wanted.get(start..)?, candidate.get(start..)?);
    let is_rest = |left: usize, right: usize| typed.get(left..).is_some_and(|rest| meant.get(right..) == Some(rest));
    if wanted.len() < 2 || candidate.len() < 2 {
        return None;
    }
    match (typed, meant) {
        _ if is_rest(1, 0) => {
            let doubled = start > 0 && wanted.get(start - 1) == typed.first();
            Some(if doubled { 2.5 } else { 2.2 })
        }
        ([a, b, ..], [c, d, ..]) if a == d && b == c && is_rest(2, 2) => Some(2.4),
        _ if is_rest(0, 1) => Some(2.3),
        _ if is_rest(1, 1) && wanted.len() > 2 => Some(2.1),
        _ => None,
    }
}

fn sorted(letters: &[char]) -> Vec<char> {
    let mut letters = letters.to_vec();
    letters.sort_unstable();
    letters
}

/// The Jaro similarity: 1 for the same text, 0 for nothing in common.
fn jaro(left: &[char], right: &[char]) -> f64 {
    if left.is_empty() || right.is_empty() {
        return if left.len() == right.len() { 1.0 } else { 0.0 };
    }
    let window = (left.len().max(right.len()) / 2).saturating_sub(1);
    let mut taken = vec![false; right.len()];
    let mut matched = Vec::new();
    for (index, letter) in left.iter().enumerate() {
        let from = index.saturating_sub(window);
        let near = right.iter().zip(taken.iter_mut()).skip(from).take(index + window + 1 - from);
        if let Some((_, slot)) = near.into_iter().find(|(other, used)| *other == letter && !**used) {
            *slot = true;
            matched.push(*letter);
        }
    }
    if matched.is_empty() {
        return 0.0;
    }
    let others = right.iter().zip(&taken).filter(|(_, used)| **used).map(|(letter, _)| letter);
    let moved = matched.iter().zip(others).filter(|(one, other)| one != other).count();
    let count = matched.len() as f64;
    (count / left.len() as f64 + count / right.len() as f64 + (count - (moved / 2) as f64) / count) / 3.0
}
