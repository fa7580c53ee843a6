//! Printed text that is too long: long texts inside values are shortened before the end is cut.
//!
//! Bounded: by the text, of which there is a copy for a moment; a program's printing announces memory and time for it.

/// Characters of a quoted text that is never shortened.
const SHORT: usize = 40;

/// The mark of a cut.
const MARK: &str = "...";

/// A text that was cut.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fitted {
    /// What is left, with `...` wherever something was left out.
    pub text: String,
    /// Characters that were left out.
    pub missing: usize,
}

/// The text in at most `most` characters and a `...` at its end; `None` when it has no more than that.
///
/// Quoted texts longer than 40 characters are shortened first, all to the same length, so that what follows them stays.
///
/// ```
/// let text = format!("{{:a \"{}\"}} {{:error \"no brake\"}}", "x".repeat(500));
/// let fitted = ptc_lisp::text::fitted(&text, 80).unwrap();
/// assert!(fitted.text.ends_with("xxx...\"} {:error \"no brake\"}"));
/// assert_eq!(fitted.missing, 450);
/// ```
#[must_use]
pub fn fitted(text: &str, most: usize) -> Option<Fitted> {
    let total = text.chars().count();
    if total <= most {
        return None;
    }
    let Shortened { text: mut shown, mut missing, marks } = with_short_quotes(text, total, most);
    if let Some((end, _)) = shown.char_indices().nth(most) {
        // A mark that is cut off was not in the text.
        let of_marks = |at: &usize| (at + MARK.len()).saturating_sub(end).min(MARK.len());
        missing += shown.get(end..).map_or(0, |rest| rest.chars().count()) - marks.iter().map(of_marks).sum::<usize>();
        shown.truncate(end);
        shown.push_str(MARK);
    }
    Some(Fitted { text: shown, missing })
}

/// The largest length such that the lengths, each cut to it, have at most `most` together.
#[must_use]
pub fn fair_share(lengths: impl IntoIterator<Item = usize>, most: usize) -> usize {
    let mut lengths: Vec<usize> = lengths.into_iter().collect();
    lengths.sort_unstable();
    let (mut left, mut texts) = (most, lengths.len());
    for length in lengths {
        let share = left.checked_div(texts).unwrap_or(0);
        if length > share {
            return share;
        }
        left -= length;
        texts -= 1;
    }
    most
}

/// A text with shorter quoted texts.
#[derive(Default)]
struct Shortened {
    text: String,
    /// Characters that were left out.
    missing: usize,
    /// The bytes at which marks are.
    marks: Vec<usize>,
}

/// The text with its long quoted texts shortened as far as that is needed.
fn with_short_quotes(text: &str, total: usize, most: usize) -> Shortened {
    let quotes = long_quotes(text);
    let quoted: usize = quotes.iter().map(|quote| quote.length).sum();
    let left = most.saturating_sub(total - quoted + MARK.len() * quotes.len());
    let share = fair_share(quotes.iter().map(|quote| quote.length), left).max(SHORT);
    let (mut shown, mut after) = (Shortened::default(), 0);
    for quote in quotes.iter().filter(|quote| quote.length > share + MARK.len()) {
        let whole = text.get(quote.start..quote.end).unwrap_or_default();
        let kept = leading(whole, share);
        shown.text.extend([text.get(after..quote.start).unwrap_or_default(), kept]);
        shown.marks.push(shown.text.len());
        shown.text.push_str(MARK);
        shown.missing += quote.length - kept.chars().count();
        after = quote.end;
    }
    shown.text.push_str(text.get(after..).unwrap_or_default());
    shown
}

/// The first characters of a quoted text; an escape is not split.
fn leading(quoted: &str, most: usize) -> &str {
    let end = quoted.char_indices().nth(most).map_or(quoted.len(), |(end, _)| end);
    let kept = quoted.get(..end).unwrap_or(quoted);
    let slashes = kept.len() - kept.trim_end_matches('\\').len();
    if slashes % 2 == 1 { kept.get(..kept.len() - 1).unwrap_or(kept) } else { kept }
}

/// Where the content of a quoted text is, in bytes, and how many characters it has.
struct Quote {
    start: usize,
    end: usize,
    length: usize,
}

/// The quoted texts that may be shortened. A quote opens after a blank or a bracket, as in a printed value.
fn long_quotes(text: &str) -> Vec<Quote> {
    let mut quotes = Vec::new();
    let mut before = ' ';
    let mut open: Option<(usize, usize)> = None;
    let mut is_escaped = false;
    for (at, c) in text.char_indices() {
        match &mut open {
            Some((start, length)) if c == '"' && !is_escaped => {
                if *length > SHORT {
                    quotes.push(Quote { start: *start, end: at, length: *length });
                }
                open = None;
            }
            Some((_, length)) => {
                is_escaped = c == '\\' && !is_escaped;
                *length += 1;
            }
            None if c == '"' && (before.is_whitespace() || "([{#".contains(before)) => open = Some((at + 1, 0)),
            None => {}
        }
        before = c;
    }
    quotes
}

#[cfg(test)]
mod tests;
