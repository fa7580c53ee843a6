//! How many arguments a function takes, and how messages say so.

#[cfg(test)]
mod tests;

use std::fmt;

/// The argument counts that a function accepts.
#[derive(Clone, Debug, Default)]
pub(crate) struct Counts {
    /// Exact counts, ascending.
    exact: Vec<usize>,
    /// Any count from here on.
    pub from: Option<usize>,
}

impl Counts {
    /// From (fixed parameters, has a rest parameter) of each arity.
    pub fn new(arities: impl IntoIterator<Item = (usize, bool)>) -> Counts {
        let mut counts = Counts::default();
        for (fixed, rest) in arities {
            if rest {
                counts.from = Some(counts.from.map_or(fixed, |from| from.min(fixed)));
            } else {
                counts.exact.push(fixed);
            }
        }
        let from = counts.from.unwrap_or(usize::MAX);
        counts.exact.retain(|count| *count < from);
        counts.exact.sort_unstable();
        counts.exact.dedup();
        counts
    }

    /// From the parameter lists of a builtin: `"[f coll]"`, `"[f & more]"`.
    pub fn of_texts(params: &[&str]) -> Counts {
        Counts::new(params.iter().map(|text| text_arity(text)))
    }

    pub fn accepts(&self, count: usize) -> bool {
        self.exact.contains(&count) || self.from.is_some_and(|from| count >= from)
    }
}

/// `1 argument`, `1 or 2 arguments`, `2 or more arguments`
impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let least = self.exact.first().copied();
        if let Some(from) = self.from {
            let start = least.unwrap_or(from);
            if start + self.exact.len() == from {
                return write!(f, "{start} or more arguments");
            }
        }
        let mut choices: Vec<String> = self.exact.iter().map(ToString::to_string).collect();
        choices.extend(self.from.map(|from| format!("{from} or more")));
        let last = choices.pop().unwrap_or_else(|| "0".to_owned());
        let noun = if choices.is_empty() && last == "1" { "argument" } else { "arguments" };
        if choices.is_empty() {
            return write!(f, "{last} {noun}");
        }
        write!(f, "{} or {last} {noun}", choices.join(", "))
    }
}

/// Fixed parameters and whether there is a rest parameter, of a written parameter list.
fn text_arity(text: &str) -> (usize, bool) {
    let inner = text.strip_prefix('[').and_then(|text| text.strip_suffix(']')).unwrap_or(text);
    let (mut depth, mut fixed) = (0, 0);
    for word in inner.split_whitespace() {
        if depth == 0 && word == "&" {
            return (fixed, true);
        }
        fixed += usize::from(depth == 0);
        depth += word.matches(['[', '{']).count();
        depth = depth.saturating_sub(word.matches([']', '}']).count());
    }
    (fixed, false)
}
