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
    let (name, rest) = text.split_at(text.find(',').unwrap_or(text.len()));
    let (name, options) = (quoted(name.trim()), options(text, rest)?);
    let line = format!("compression = {{ strategy = {name}{options} }}");
    let document = Document { file: PathBuf::from(FILE), text: &line };
    let table = document.parse()?;
    let section = Section { document: &document, table: table.get_ref() };
    section.only("", &["compression"])?;
    let missing = || ConfigError::Syntax { place: document.place(0..0), problem: "this is no strategy with options".to_owned() };
    let Item { document, value } = section.get("compression").ok_or_else(missing)?;
    read(Item { document, value })
}

/// The options at the end of `given`, each behind a comma, as they stand behind the name in a table.
fn options(given: &str, options: &str) -> Result<String, ConfigError> {
    let mut at = given.len() - options.len();
    let mut line = String::new();
    for option in options.split(',').skip(1) {
        let place = at + 1..at + 1 + option.len();
        at = place.end;
        let Some((key, value)) = option.split_once('=') else {
            let problem = format!("the option `{}` has no value; write NAME=VALUE, such as window=2", option.trim());
            let document = Document { file: PathBuf::from(FILE), text: given };
            return Err(ConfigError::Syntax { place: document.place(place), problem });
        };
        let value = if is_word(value.trim()) { quoted(value.trim()).to_string() } else { value.to_owned() };
        line += &format!(", {key}={value}");
    }
    Ok(line)
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
