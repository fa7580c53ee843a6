//! `system_prompt`: a text, a file, or a table of parts.

use ptc_mission::{LanguageChoice, LanguageSpec, PromptParts, SystemPromptOptions};
use serde_json::{Value as Json, json};

use crate::document::{Item, Section};
use crate::error::ConfigError;
use crate::place::named;
use crate::shape::{self, Key};

const PARTS: [Key; 4] = [
    Key("prefix", "A text before the system text.", text_or_file),
    Key("suffix", "A text after the system text.", text_or_file),
    Key("language_spec", "The key of a language text, or a text instead of it.", text_or_file),
    Key("output_format", "A text instead of the part on what to answer.", text_or_file),
];
const FILE: Key = Key("file", "The name of a file with the text, from the folder of the mission file.", shape::text);
const RULE: &str = "system_prompt must be text, `{ file = \"…\" }` or a map of `prefix`, `suffix`, `language_spec` and `output_format`";

fn text_or_file() -> Json {
    json!({"anyOf": [shape::text(), shape::table(shape::properties([&FILE]), &["file"])]})
}

/// The schema of the option.
pub(super) fn shape() -> Json {
    json!({"anyOf": [text_or_file(), shape::table(shape::properties(&PARTS), &[])]})
}

/// The option as a mission file writes it.
pub(super) fn system_prompt(item: Item<'_>) -> Result<SystemPromptOptions, ConfigError> {
    if let Some(text) = item.value.get_ref().as_str() {
        return Ok(SystemPromptOptions::Text(text.to_owned()));
    }
    let table = item.section(RULE)?;
    table.only("`system_prompt`", &shape::names(PARTS.iter().chain([&FILE])))?;
    if let Some(file) = table.get("file") {
        return whole(table, file).map(SystemPromptOptions::Text);
    }
    let part = |key: &str| table.get(key).map(|item| text(item, key)).transpose();
    Ok(SystemPromptOptions::Parts(PromptParts {
        prefix: part("prefix")?,
        suffix: part("suffix")?,
        language_spec: table.get("language_spec").map(language).transpose()?,
        output_format: part("output_format")?,
    }))
}

/// The text of a file that replaces everything, so that other parts would be lost.
fn whole(table: Section<'_>, file: Item<'_>) -> Result<String, ConfigError> {
    match PARTS.iter().find_map(|Key(key, ..)| table.get(key).map(|item| (key, item))) {
        Some((key, item)) => Err(item
            .refused(format!("`file` is the whole system text; write the {key} into that file, or leave `file` out"))),
        None => read(file),
    }
}

/// A key is checked here, where its place is known. The content of a file is a text, however short.
fn language(item: Item<'_>) -> Result<LanguageChoice, ConfigError> {
    let given = text(item, "language_spec")?;
    if item.value.get_ref().as_str().is_none() {
        return Ok(LanguageChoice::Text(given));
    }
    let choice = LanguageChoice::from(given.as_str());
    if let LanguageChoice::Key(key) = &choice {
        LanguageSpec::get(key).map_err(|unknown| item.refused(unknown.to_string()))?;
    }
    Ok(choice)
}

/// Text, or `{ file = "…" }`.
fn text(item: Item<'_>, key: &str) -> Result<String, ConfigError> {
    let rule = format!("{key} must be text or `{{ file = \"…\" }}`");
    if let Some(text) = item.value.get_ref().as_str() {
        return Ok(text.to_owned());
    }
    let table = item.section(&rule)?;
    table.only(&format!("`{key}`"), &shape::names([&FILE]))?;
    read(table.get("file").ok_or_else(|| item.bad(rule))?)
}

/// The text of a file that is named relative to the folder of the mission file, without line breaks at its end.
fn read(name: Item<'_>) -> Result<String, ConfigError> {
    let (path, text) = name.file()?;
    let text = text.trim_end();
    if text.trim().is_empty() {
        return Err(name.refused(format!("{} is empty; write the text for the model into it", named(&path))));
    }
    Ok(text.to_owned())
}
