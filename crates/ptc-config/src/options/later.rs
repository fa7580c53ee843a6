//! Options whose behaviour comes with a later version: their values are checked, and refused when they ask for anything.

use crate::document::Item;
use crate::error::ConfigError;

/// Check the value of a later option; other keys pass.
pub(super) fn check(key: &'static str, item: Item<'_>) -> Result<(), ConfigError> {
    let asks = match key {
        "pmap_timeout" => item.duration(&format!("{key} must be an integer above 0")).map(|_| true)?,
        "builtin_tools" => families(item)?,
        _ => false,
    };
    if asks { Err(not_supported(key, item)) } else { Ok(()) }
}

fn not_supported(key: &'static str, item: Item<'_>) -> ConfigError {
    let instead = match key {
        "pmap_timeout" => "`timeout` bounds a program with all its branches",
        "builtin_tools" => "leave `history` out: definitions and prints are what programs see of earlier turns",
        _ => "leave it out: the model writes programs",
    };
    ConfigError::NotSupported { place: item.place(), key: key.to_owned(), instead: instead.to_owned() }
}

/// Whether a family is named that does not exist yet; unknown ones are refused when the agent is built.
fn families(item: Item<'_>) -> Result<bool, ConfigError> {
    Ok(item.texts("builtin_tools must list family names")?.iter().any(|name| name == "history"))
}
