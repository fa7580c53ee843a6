//! The language reference that models read: versioned texts, and compositions of them by key.

/// A text with its header; the header never reaches a model.
struct Source {
    key: &'static str,
    file: &'static str,
}

const CORE: Source = Source { key: "core", file: include_str!("texts/core.md") };
const DETAILS: Source = Source { key: "details", file: include_str!("texts/details.md") };
const TURNS: Source = Source { key: "turns", file: include_str!("texts/turns.md") };
const PRACTICE: Source = Source { key: "practice", file: include_str!("texts/practice.md") };
const ONE_TURN: Source = Source { key: "one_turn", file: include_str!("texts/one_turn.md") };
const TASKS: Source = Source { key: "tasks", file: include_str!("texts/tasks.md") };
const PLAN: Source = Source { key: "plan", file: include_str!("texts/plan.md") };
const MINIMAL: Source = Source { key: "minimal", file: include_str!("texts/minimal.md") };
const MINIMAL_TURNS: Source = Source { key: "minimal_turns", file: include_str!("texts/minimal_turns.md") };
const BRIEF: Source = Source { key: "brief", file: include_str!("texts/brief.md") };
const BRIEF_TURNS: Source = Source { key: "brief_turns", file: include_str!("texts/brief_turns.md") };

/// Every key with its texts. A statement is in one text only, so that sizes never contradict each other.
const CATALOGUE: &[(&str, &[&Source])] = &[
    ("lean", &[&CORE, &TURNS]),
    ("full", &[&CORE, &DETAILS, &TURNS, &PRACTICE]),
    ("minimal", &[&MINIMAL, &MINIMAL_TURNS]),
    ("brief", &[&BRIEF, &BRIEF_TURNS]),
    ("lean_single_shot", &[&CORE, &ONE_TURN]),
    ("single_shot", &[&CORE, &DETAILS, &ONE_TURN]),
    ("minimal_single_shot", &[&MINIMAL, &ONE_TURN]),
    ("brief_single_shot", &[&BRIEF, &ONE_TURN]),
    ("multi_turn", &[&CORE, &DETAILS, &TURNS, &PRACTICE]),
    ("base", &[&CORE, &DETAILS]),
    ("addon_single_shot", &[&ONE_TURN]),
    ("addon_multi_turn", &[&TURNS, &PRACTICE]),
    ("addon_tasks", &[&TASKS]),
    ("addon_plan", &[&PLAN]),
];

/// The sizes, each with the key that an agent with a single turn gets instead.
const SIZES: [(&str, &str); 4] = [
    ("lean", "lean_single_shot"),
    ("full", "single_shot"),
    ("minimal", "minimal_single_shot"),
    ("brief", "brief_single_shot"),
];

/// Lines around the function list that code generation fills in; they are not delivered.
const MARKERS: [&str; 2] = ["<!-- functions:begin -->", "<!-- functions:end -->"];

/// Access to the language reference by key.
#[derive(Debug, Clone, Copy)]
pub struct LanguageSpec;

impl LanguageSpec {
    /// The size that agents read by default.
    pub const DEFAULT: &str = "lean";

    /// The text as a model reads it, without header, marker lines and surrounding blank lines.
    ///
    /// ```
    /// # use ptc_mission::LanguageSpec;
    /// assert!(LanguageSpec::get("lean").unwrap().contains("(return"));
    /// assert!(LanguageSpec::get("klingon").unwrap_err().to_string().contains("lean, full, minimal"));
    /// ```
    pub fn get(key: &str) -> Result<String, UnknownSpec> {
        let texts: Vec<String> = sources(key)?.iter().map(|source| delivered(body(source))).collect();
        Ok(texts.join("\n\n"))
    }

    /// The text for an agent: a size (`lean`, `full`, `brief`, `minimal`) has a variant for a single turn, any other key gives
    /// the same text to every agent.
    ///
    /// ```
    /// # use ptc_mission::LanguageSpec;
    /// let text = |multi_turn| LanguageSpec::for_turns("lean", multi_turn).unwrap();
    /// assert_eq!(text(true), LanguageSpec::get("lean").unwrap());
    /// assert!(text(false).contains("single turn"));
    /// ```
    pub fn for_turns(key: &str, multi_turn: bool) -> Result<String, UnknownSpec> {
        let single = SIZES.iter().find(|(size, _)| *size == key).map(|(_, single)| *single);
        LanguageSpec::get(single.filter(|_| !multi_turn).unwrap_or(key))
    }

    /// Whether a key names a size: a whole reference that suits every agent.
    pub fn is_size(key: &str) -> bool {
        SIZES.iter().any(|(size, _)| *size == key)
    }

    /// The examples of a text in order: one program per line with its value. Later ones use definitions of earlier
    /// ones.
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

    /// The version: one number, or those of the parts joined by dots (`1.2`).
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

/// A line of a language text that shows the result of a program.
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
    /// `1`, or `1.2` for a composition of versions 1 and 2.
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

/// Without marker lines; where these leave several blank lines, one is kept.
fn delivered(body: &str) -> String {
    let mut lines: Vec<&str> = body.lines().filter(|line| !MARKERS.contains(&line.trim())).collect();
    lines.dedup_by(|line, before| line.trim().is_empty() && before.trim().is_empty());
    lines.join("\n").trim().to_owned()
}

#[cfg(test)]
mod tests;
