//! Finding the one program in the answer of a model.

mod clean;
mod fence;
mod info;
pub(crate) mod json;
mod native;
mod wrapping;

use std::borrow::Cow;
use std::collections::HashSet;

use fence::{Block, Parts};
use ptc_chat::{Reply, StopReason};
use ptc_lisp::syntax::TokenKind;

/// What an answer should look like; the end of most errors.
const WANTED: &str = "Write exactly one fenced block tagged `clojure`";

/// What to write where a server does not send UTF-8.
const UNDECODED: &str = "a character there was not sent as UTF-8 and is lost. Write it as an escape, as in \"caf\\u00e9\", and U+FFFD itself as \\ufffd";

/// What decoders write for bytes that are not UTF-8.
const UNREADABLE: char = '\u{fffd}';

/// Characters that an error quotes before and after one that was lost.
const AROUND: usize = 20;

/// Why an answer holds no single program; shown to the model as it is.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ExtractError {
    /// Nothing that could be a program.
    #[error("no program was found in your answer. {WANTED}, or an answer that starts with `(`")]
    NoCode,
    /// Nothing at all.
    #[error("your answer is empty. {WANTED}")]
    Empty,
    /// Thoughts, and nothing after them.
    #[error(
        "your answer has thoughts and nothing after them. Think less, then write exactly one fenced block tagged `clojure`"
    )]
    OnlyThoughts,
    /// A block in another language.
    #[error("your answer has a block of `{0}`, but programs here are Clojure. {WANTED}")]
    OtherLanguage(String),
    /// Calls in the format of native tools.
    #[error("{}", native_calls(.tools, .programs))]
    NativeCalls {
        /// The names of the tools.
        tools: Vec<String>,
        /// The same calls as expressions of a program.
        programs: Vec<String>,
    },
    /// A program as the argument of a call in the format of native tools.
    #[error(
        "your answer has its program in a call of the native tool `{0}`, which does not exist. {WANTED} with the program itself"
    )]
    ProgramInCall(String),
    /// Several candidates.
    #[error(
        "{0} programs were found in your answer, exactly one is required. Merge the code into one `clojure` block: separate \
         blocks do not share variables"
    )]
    Multiple(usize),
    /// A character of the program was lost on its way here.
    #[error("your program has U+FFFD in `{0}`: {UNDECODED}")]
    Undecoded(String),
}

impl ExtractError {
    /// Whether the answer has no program, rather than too many or one that is damaged.
    pub(crate) fn is_missing(&self) -> bool {
        !matches!(self, ExtractError::Multiple(_) | ExtractError::Undecoded(_))
    }
}

fn native_calls(tools: &[String], programs: &[String]) -> String {
    let tools: Vec<String> = tools.iter().map(|tool| format!("`{tool}`")).collect();
    format!(
        "your answer calls {} in the format of native tools, but an answer here is a program. {WANTED}, in which such a call is {}",
        tools.join(", "),
        programs.join(" ")
    )
}

/// The program in an answer, with odd spaces and curly quotes outside of its strings fixed.
///
/// - thoughts between marks such as `<think>` and `</think>` are left out
/// - one fenced block tagged `clojure` or `lisp`, whatever it holds; blocks with the same code are one
/// - else one block of any tag that starts with `(`, perhaps after comments
/// - else the whole answer, if it starts so
/// - else one element such as `<clojure>` or `<code>` that starts so
/// - a program with U+FFFD outside of its comments is an error: it is not what the model wrote
///
/// ```
/// use ptc_agent::extract_program;
///
/// assert_eq!(extract_program("Like this:\n```clojure\n(return 1)\n```").unwrap(), "(return 1)");
/// assert!(extract_program("Sure! (return 1)").is_err());
/// ```
pub fn extract_program(answer: &str) -> Result<String, ExtractError> {
    program_of(&Reply::text(answer))
}

/// The program in a reply; the only one in its thoughts when the reply is complete and has nothing else.
pub(crate) fn program_of(reply: &Reply) -> Result<String, ExtractError> {
    let program = program_as_sent(reply)?;
    // Programs are read only when they have such a character.
    let lost = undecoded(&program).filter(|_| code(&program).any(|token| token.contains(UNREADABLE)));
    lost.map_or(Ok(program), |place| Err(ExtractError::Undecoded(place)))
}

fn program_as_sent(reply: &Reply) -> Result<String, ExtractError> {
    let answer = with_plain_line_ends(&reply.content);
    let parts = fence::parts(&answer);
    let blocks = fence::fenced_blocks(&answer);
    if let Some(program) = found(&blocks, &parts)? {
        return Ok(program);
    }
    let calls = native::calls(reply, &parts.told, &blocks);
    if let Some(call) = calls.iter().find(|call| call.has_program()) {
        return Err(ExtractError::ProgramInCall(call.tool().to_owned()));
    }
    if !calls.is_empty() {
        let tools = calls.iter().map(|call| call.tool().to_owned()).collect();
        return Err(ExtractError::NativeCalls { tools, programs: calls.iter().map(native::Call::program).collect() });
    }
    if wrapping::without_ends(&parts.told).is_empty() {
        return in_thoughts(reply, &parts);
    }
    let other = blocks.iter().find(|block| info::is_other(block.tag)).map(|block| block.tag.to_lowercase());
    let is_json = || serde_json::from_str::<serde::de::IgnoredAny>(&parts.told).is_ok_and(|_| parts.told.contains('{'));
    match other.or_else(|| is_json().then(|| "json".to_owned())) {
        Some(language) => Err(ExtractError::OtherLanguage(language)),
        None => Err(ExtractError::NoCode),
    }
}

fn with_plain_line_ends(answer: &str) -> Cow<'_, str> {
    match answer.contains('\r') {
        true => Cow::Owned(answer.replace("\r\n", "\n").replace('\r', "\n")),
        false => Cow::Borrowed(answer),
    }
}

/// The program in the blocks of an answer, else in the rest of it.
fn found(blocks: &[Block<'_>], parts: &Parts<'_>) -> Result<Option<String>, ExtractError> {
    let tagged = blocks.iter().filter(|block| block.is_tagged()).map(Block::cleaned).collect();
    if let Some(program) = single(tagged)? {
        return Ok(Some(program));
    }
    let others = blocks.iter().filter(|block| !info::is_other(block.tag)).map(Block::cleaned);
    if let Some(program) = single(others.filter(|text| begins_program(text)).collect())? {
        return Ok(Some(program));
    }
    let whole = clean::clean(wrapping::bare(&parts.told));
    if begins_program(&whole) {
        return Ok(Some(whole));
    }
    let elements = wrapping::elements(&parts.told);
    single(elements.iter().map(Block::cleaned).filter(|text| begins_program(text)).collect())
}

/// The program in the thoughts of a reply with nothing else: some servers put the answer there. Thoughts that were cut
/// may be about something else by their end.
fn in_thoughts(reply: &Reply, parts: &Parts<'_>) -> Result<String, ExtractError> {
    let Some(thoughts) = reply.reasoning.as_deref().or(parts.open_thoughts).filter(|text| !text.trim().is_empty())
    else {
        return Err(if parts.has_thoughts { ExtractError::OnlyThoughts } else { ExtractError::Empty });
    };
    if reply.stop == StopReason::Length {
        return Err(ExtractError::OnlyThoughts);
    }
    let thoughts = with_plain_line_ends(thoughts);
    let program = found(&fence::fenced_blocks(&thoughts), &fence::parts(&thoughts));
    program.ok().flatten().ok_or(ExtractError::OnlyThoughts)
}

/// Whether the first line that is neither empty nor a comment starts with `(`.
fn begins_program(text: &str) -> bool {
    code_lines(text).next().is_some_and(|line| line.starts_with('('))
}

fn code_lines(text: &str) -> impl Iterator<Item = &str> {
    text.lines().map(str::trim_start).filter(|line| !line.is_empty() && !line.starts_with(';'))
}

/// The only one of the programs that has code; those with the same code are one.
fn single(mut programs: Vec<String>) -> Result<Option<String>, ExtractError> {
    programs.retain(|program| !program.is_empty());
    if programs.iter().any(|program| code_lines(program).next().is_some()) {
        programs.retain(|program| code_lines(program).next().is_some());
    }
    let mut known = HashSet::new();
    programs.retain(|program| known.insert(code(program).map(str::to_owned).collect::<Vec<_>>()));
    match programs.len() {
        0 | 1 => Ok(programs.pop()),
        several => Err(ExtractError::Multiple(several)),
    }
}

/// The tokens of a program without its comments: models repeat one with other line ends and comments.
fn code(program: &str) -> impl Iterator<Item = &str> {
    let tokens = ptc_lisp::syntax::tokens(program).into_iter().filter(|token| token.kind != TokenKind::Comment);
    tokens.map(|token| program.get(token.span.start as usize..token.span.end as usize).unwrap_or_default())
}

/// The first character that stands for bytes that could not be read, with the word around it.
fn undecoded(text: &str) -> Option<String> {
    let (before, from) = text.split_at_checked(text.find(UNREADABLE)?)?;
    let before: Vec<char> = before.chars().rev().take_while(|c| !c.is_whitespace()).take(AROUND).collect();
    let from = from.chars().take_while(|c| !c.is_whitespace()).take(AROUND);
    Some(before.into_iter().rev().chain(from).collect())
}

#[cfg(test)]
mod tests;
