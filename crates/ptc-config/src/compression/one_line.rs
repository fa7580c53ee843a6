//! A strategy in one line, as command lines take it.

use std::path::PathBuf;

use super::{RequestLimit, Strategy, read};
use crate::document::{Document, Item, Section};
use crate::error::ConfigError;

/// The file that errors name.
const FILE: &str = "--compression";

/// `none`, the name of a strategy, or a name and its options as in mission files: `rolling-window,window=2`.
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
    let (name, options) = text.split_once(',').map_or((text, String::new()), |(name, rest)| (name, format!(", {rest}")));
    // A text in JSON is one in TOML.
    let name = serde_json::Value::from(name.trim());
    let line = format!("compression = {{ strategy = {name}{options} }}");
    let document = Document { file: PathBuf::from(FILE), text: &line };
    let table = document.parse()?;
    let section = Section { document: &document, table: table.get_ref() };
    section.only("", &["compression"])?;
    let missing = || ConfigError::Syntax { place: document.place(0..0), problem: "this is no strategy with options".to_owned() };
    let Item { document, value } = section.get("compression").ok_or_else(missing)?;
    read(Item { document, value })
}
