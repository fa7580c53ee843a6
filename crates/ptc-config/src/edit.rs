//! Changes of files by commands: a table is added or removed, and everything else stays as its author wrote it.

#[cfg(test)]
mod tests;

use std::ops::Range;

use serde_json::{Map, Value as Json};
use toml::de::{DeTable, DeValue};

/// The TOML with one more table, such as `[mcp.NAME]`, at its end. Values are texts, lists of texts or maps of texts.
///
/// ```
/// let table = serde_json::json!({"url": "http://127.0.0.1:8000/mcp"});
/// let text = ptc_config::with_table("# mine\n", &["mcp", "web"], table.as_object().unwrap());
/// assert_eq!(text, "# mine\n\n[mcp.web]\nurl = \"http://127.0.0.1:8000/mcp\"\n");
/// assert_eq!(ptc_config::without_server(&text, "web").unwrap(), "# mine\n");
/// ```
#[must_use]
pub fn with_table(text: &str, path: &[&str], entries: &Map<String, Json>) -> String {
    let end = if text.is_empty() || text.ends_with('\n') { "" } else { "\n" };
    let gap = if text.is_empty() { "" } else { "\n" };
    let lines: String =
        entries.iter().map(|(key, value)| format!("{} = {}\n", self::key(key), written(value))).collect();
    let header = path.iter().map(|name| key(name)).collect::<Vec<_>>().join(".");
    format!("{text}{end}{gap}[{header}]\n{lines}")
}

/// The TOML without the table `[mcp.NAME]` and the tables in it. None when the server is not written as such a table, or
/// the text is not TOML.
#[must_use]
pub fn without_server(text: &str, name: &str) -> Option<String> {
    let parsed = DeTable::parse(text).ok()?;
    let mut values = Vec::new();
    spans(parsed.get_ref(), &mut values);
    let is_inside = |at: usize| values.iter().any(|value| value.start < at && at < value.end);
    let (mut kept, mut at, mut is_removing, mut is_found) = (String::new(), 0, false, false);
    // Comments and blank lines that may belong to the next table.
    let mut waiting = String::new();
    for line in text.split_inclusive('\n') {
        let plain = line.trim();
        if plain.starts_with('[') && !is_inside(at) {
            is_removing = is_of(plain, name);
            if is_removing && !is_found {
                // The blank line that separated it.
                let before = kept.len();
                if kept.ends_with("\n\n") {
                    kept.truncate(before - 1);
                }
            }
            if is_removing {
                waiting.clear();
            }
            is_found |= is_removing;
        }
        at += line.len();
        if !is_removing {
            kept.push_str(&std::mem::take(&mut waiting));
            kept.push_str(line);
        } else if plain.is_empty() || plain.starts_with('#') {
            waiting.push_str(line);
        } else {
            waiting.clear();
        }
    }
    kept.push_str(&waiting);
    is_found.then_some(kept)
}

/// Where the values are that are not tables.
fn spans(table: &DeTable<'_>, found: &mut Vec<Range<usize>>) {
    for value in table.values() {
        match value.get_ref() {
            DeValue::Table(inner) => spans(inner, found),
            DeValue::Array(items) => {
                found.push(value.span());
                items.iter().filter_map(|item| item.get_ref().as_table()).for_each(|inner| spans(inner, found));
            }
            _ => found.push(value.span()),
        }
    }
}

/// Whether a header is `[mcp.NAME]`, or one of a table in it.
fn is_of(header: &str, name: &str) -> bool {
    let parsed = DeTable::parse(header);
    let servers = parsed.as_ref().ok().and_then(|header| header.get_ref().get("mcp")?.get_ref().as_table());
    servers.is_some_and(|servers| servers.contains_key(name))
}

/// A key: bare where it can be.
fn key(name: &str) -> String {
    let is_bare = !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_'));
    if is_bare { name.to_owned() } else { quoted(name) }
}

fn written(value: &Json) -> String {
    match value {
        Json::Array(items) => format!("[{}]", items.iter().map(written).collect::<Vec<_>>().join(", ")),
        Json::Object(entries) => {
            let entries: Vec<String> =
                entries.iter().map(|(name, value)| format!("{} = {}", key(name), written(value))).collect();
            format!("{{ {} }}", entries.join(", "))
        }
        Json::String(text) => quoted(text),
        other => other.to_string(),
    }
}

/// A text: JSON escapes as TOML does, but leaves one control character.
fn quoted(text: &str) -> String {
    Json::from(text).to_string().replace('\u{7f}', "\\u007F")
}
