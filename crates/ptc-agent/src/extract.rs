//! Finding the one program in the answer of a model.

mod clean;
mod fence;
pub(crate) mod json;

use std::borrow::Cow;

use fence::{Block, fenced_blocks, tagged_elements};

/// Why an answer holds no single program; shown to the model as it is.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ExtractError {
    /// Nothing that could be a program.
    #[error(
        "no program was found in your answer. Write exactly one fenced block tagged `clojure`, or an answer that starts with `(`"
    )]
    NoCode,
    /// Several candidates.
    #[error(
        "{0} programs were found in your answer, exactly one is required. Merge the code into one `clojure` block: separate \
         blocks do not share variables"
    )]
    Multiple(usize),
}

/// The program in an answer, with odd spaces and curly quotes outside of its strings fixed.
///
/// - one fenced block tagged `clojure` or `lisp`, whatever it holds
/// - else one block of any tag, or one `<clojure>` or `<lisp>` element, that starts with `(`, perhaps after comments
/// - else the whole answer, if it starts so
///
/// ```
/// use ptc_agent::extract_program;
///
/// assert_eq!(extract_program("Like this:\n```clojure\n(return 1)\n```").unwrap(), "(return 1)");
/// assert!(extract_program("Sure! (return 1)").is_err());
/// ```
pub fn extract_program(answer: &str) -> Result<String, ExtractError> {
    let answer = match answer.contains('\r') {
        true => Cow::Owned(answer.replace("\r\n", "\n").replace('\r', "\n")),
        false => Cow::Borrowed(answer),
    };
    let blocks = fenced_blocks(&answer);
    let tagged = blocks.iter().filter(|block| block.is_tagged()).map(Block::cleaned).collect();
    if let Some(program) = single(tagged)? {
        return Ok(program);
    }
    let others = if blocks.is_empty() { tagged_elements(&answer) } else { blocks };
    let programs = others.iter().map(Block::cleaned).filter(|text| begins_program(text)).collect();
    if let Some(program) = single(programs)? {
        return Ok(program);
    }
    let whole = clean::clean(&answer);
    if begins_program(&whole) { Ok(whole) } else { Err(ExtractError::NoCode) }
}

/// Whether the first line that is neither empty nor a comment starts with `(`.
fn begins_program(text: &str) -> bool {
    let mut lines = text.lines().map(str::trim_start);
    lines.find(|line| !line.is_empty() && !line.starts_with(';')).is_some_and(|line| line.starts_with('('))
}

fn single(mut programs: Vec<String>) -> Result<Option<String>, ExtractError> {
    match programs.len() {
        0 | 1 => Ok(programs.pop()),
        several => Err(ExtractError::Multiple(several)),
    }
}

#[cfg(test)]
mod tests;
