//! The language reference that models read: versioned texts by key, and compositions of them.

/// A text with its header; the header never reaches a model.
struct Source {
    key: &'static str,
    file: &'static str,
}

const BASE: Source = Source { key: "base", file: include_str!("texts/base.md") };
const ADDON_SINGLE_SHOT: Source = Source { key: "addon_single_shot", file: include_str!("texts/addon_single_shot.md") };
const ADDON_MULTI_TURN: Source = Source { key: "addon_multi_turn", file: include_str!("texts/addon_multi_turn.md") };
const ADDON_TASKS: Source = Source { key: "addon_tasks", file: include_str!("texts/addon_tasks.md") };
const MINIMAL: Source = Source { key: "minimal", file: include_str!("texts/minimal.md") };

/// Every key with the texts it is made of.
const CATALOGUE: &[(&str, &[&Source])] = &[
    ("base", &[&BASE]),
    ("addon_single_shot", &[&ADDON_SINGLE_SHOT]),
    ("addon_multi_turn", &[&ADDON_MULTI_TURN]),
    ("addon_tasks", &[&ADDON_TASKS]),
    ("single_shot", &[&BASE, &ADDON_SINGLE_SHOT]),
    ("multi_turn", &[&BASE, &ADDON_MULTI_TURN]),
    ("minimal", &[&MINIMAL]),
];

/// Lines around the function list that code generation fills in; they are not delivered.
const MARKERS: [&str; 2] = ["<!-- functions:begin -->", "<!-- functions:end -->"];

/// Access to the language reference by key.
#[derive(Debug, Clone, Copy)]
pub struct LanguageSpec;

impl LanguageSpec {
    /// The text as a model reads it, without header, marker lines and surrounding blank lines.
    ///
    /// ```
    /// # use ptc_mission::LanguageSpec;
    /// assert!(LanguageSpec::get("multi_turn").unwrap().contains("(return"));
    /// assert!(LanguageSpec::get("klingon").unwrap_err().to_string().contains("multi_turn"));
    /// ```
    pub fn get(key: &str) -> Result<String, UnknownSpec> {
        let texts: Vec<String> = sources(key)?.iter().map(|source| delivered(body(source))).collect();
        Ok(texts.join("\n\n"))
    }

    /// The examples of a text in order: one program per line with its value. Later ones use definitions of earlier ones.
    pub fn examples(key: &str) -> Result<Vec<Example>, UnknownSpec> {
        let text = LanguageSpec::get(key)?;
        let mut fenced = false;
        let lines = text.lines().filter(|line| {
            let fence = line.starts_with("```");
            fenced ^= fence;
            fenced && !fence
        });
        let examples = lines.filter_map(|line| line.rsplit_once(" ;=> "));
        Ok(examples.map(|(program, value)| Example { program: program.to_owned(), value: value.to_owned() }).collect())
    }

    /// The version: one number, or those of the parts joined by dots (`1.3`).
    pub fn version(key: &str) -> Result<String, UnknownSpec> {
        Ok(LanguageSpec::metadata(key)?.version)
    }

    /// Version, date and change note of a text; of a composition the newest date and the notes of all parts.
    pub fn metadata(key: &str) -> Result<SpecMetadata, UnknownSpec> {
        let parts = sources(key)?;
        let field = |name| parts.iter().map(move |source| header_field(source, name));
        Ok(SpecMetadata {
            key: key.to_owned(),
            version: field("version").collect::<Vec<_>>().join("."),
            date: field("date").max().unwrap_or_default().to_owned(),
            change: field("change").collect::<Vec<_>>().join(" "),
            parts: parts.iter().map(|source| source.key).collect(),
        })
    }

    /// All keys.
    pub fn list() -> Vec<&'static str> {
        CATALOGUE.iter().map(|(key, _)| *key).collect()
    }
}

/// A line of a language text that shows what a program gives.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Example {
    /// A program of one form.
    pub program: String,
    /// Its value, or what it returns, in Clojure syntax.
    pub value: String,
}

/// What the header of a text says.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
#[non_exhaustive]
pub struct SpecMetadata {
    /// The key asked for.
    pub key: String,
    /// `1`, or `1.3` for a composition of versions 1 and 3.
    pub version: String,
    /// ISO date of the newest change.
    pub date: String,
    /// What changed last.
    pub change: String,
    /// Keys of the texts that make up this one.
    pub parts: Vec<&'static str>,
}

/// A key that is not in [`LanguageSpec::list`].
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown language_spec '{key}'; available: {}", LanguageSpec::list().join(", "))]
pub struct UnknownSpec {
    /// The key asked for.
    pub key: String,
}

fn sources(key: &str) -> Result<&'static [&'static Source], UnknownSpec> {
    let found = CATALOGUE.iter().find(|(name, _)| *name == key);
    found.map(|(_, sources)| *sources).ok_or_else(|| UnknownSpec { key: key.to_owned() })
}

/// The value of `name: value` in the header, empty when there is none.
fn header_field(source: &Source, name: &str) -> &'static str {
    let lines = source.file.lines().take_while(|line| *line != "---");
    let values = lines.filter_map(|line| line.split_once(": "));
    values.filter(|(key, _)| *key == name).map(|(_, value)| value).next().unwrap_or_default()
}

/// Everything after the line `---` that ends the header.
fn body(source: &Source) -> &'static str {
    source.file.split_once("\n---\n").map_or(source.file, |(_, body)| body)
}

/// Without marker lines; where these leave several blank lines, one stays.
fn delivered(body: &str) -> String {
    let mut lines: Vec<&str> = body.lines().filter(|line| !MARKERS.contains(&line.trim())).collect();
    lines.dedup_by(|line, before| line.trim().is_empty() && before.trim().is_empty());
    lines.join("\n").trim().to_owned()
}

#[cfg(test)]
mod tests;
