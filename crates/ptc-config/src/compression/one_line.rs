//! A strategy in one line, as command lines take it.

use std::path::PathBuf;

use super::{RequestLimit, Strategy, read};
use crate::document::{Document, Item, Section};
use crate::error::ConfigError;

/// The file that errors name.
const FILE: &str = "--compression";

/// `none`, the name of a strategy, or a name and its options as in mission files: `rolling-window,window=2`. Words need no quotes:
/// `single-user-coalesced,layout=merged`.
///
/// ```
/// use ptc_config::{Strategy, parse_strategy};
///
/// let (Some(Strategy::RollingWindow(rolling)), None) = parse_strategy("rolling-window,window=2,println_limit=5")? else { unreachable!() };
/// assert_eq!((rolling.window, rolling.limits.println_limit), (2, 5));
/// assert_eq!(parse_strategy("none")?, (None, None));
/// # Ok::<(), ptc_config::ConfigError>(())
/// ```
pub fn parse_strategy(text: &str) -> Result<(Option<Strategy>, Option<RequestLimit>), ConfigError> {
    if text == "none" {
        return Ok((None, None));
    }
    let (name, options) = text.split_once(',').map_or((text, String::new()), |(name, rest)| (name, options(rest)));
    let name = quoted(name.trim());
    let line = format!("compression = {{ strategy = {name}{options} }}");
    let document = Document { file: PathBuf::from(FILE), text: &line };
    let table = document.parse()?;
    let section = Section { document: &document, table: table.get_ref() };
    section.only("", &["compression"])?;
    let missing = || ConfigError::Syntax { place: document.place(0..0), problem: "this is no strategy with options".to_owned() };
    let Item { document, value } = section.get("compression").ok_or_else(missing)?;
    read(Item { document, value })
}

/// The options as they stand behind the name in a table.
fn options(text: &str) -> String {
    let with_quotes = |option: &str| match option.split_once('=') {
        Some((key, value)) if is_word(value.trim()) => format!(", {key}={}", quoted(value.trim())),
        _ => format!(", {option}"),
    };
    text.split(',').map(with_quotes).collect()
}

/// Whether a value is a text that was written without quotes.
fn is_word(value: &str) -> bool {
    let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
    value.starts_with(|c: char| c.is_ascii_alphabetic()) && value.chars().all(is_part) && !["true", "false"].contains(&value)
}

/// A text in JSON is one in TOML.
fn quoted(text: &str) -> serde_json::Value {
    serde_json::Value::from(text)
}
