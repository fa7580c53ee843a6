//! A question instead of a mission file, and what the command line adds to either: data, tools, servers, a type.

#[cfg(test)]
mod tests;

use std::path::{Component, Path, PathBuf};

use ptc_runner::config::{ConfigError, Document, MissionFile, read_json, with_table};
use ptc_runner::lisp::Value;
use ptc_runner::signature::Signature;
use serde_json::{Map, Value as Json, json};

use super::args::MissionArgs;
use super::overrides;
use crate::data::{self, COMMAND_LINE};
use crate::failure::Failure;
use crate::files::{Format, WholeFile};
use crate::output;
use crate::output::words::shell;

/// The mission of a run; that of a question is also written into a folder to `save` it, where `force` may replace files.
pub(crate) fn mission(args: &MissionArgs, save: Option<SaveArg<'_>>) -> Result<MissionFile, Failure> {
    let added = Added::read(args)?;
    let mut mission = match question(&args.mission) {
        Some(question) => {
            MissionFile::from_text(COMMAND_LINE, &added.mission(question, args.max_turns, Path::new("")))?
        }
        None => {
            let mut mission = MissionFile::load(&args.mission).map_err(|error| not_found(&args.mission, error))?;
            added.add_to(&mut mission)?;
            mission
        }
    };
    for (name, value) in &added.values {
        mission.data.insert(name.clone(), value.clone());
    }
    if let Some(to) = save {
        keep(to, args, &added)?;
    }
    Ok(mission)
}

/// The ends of sentences, also of those that are written without spaces.
const ENDS: [char; 6] = ['?', '!', '？', '！', '。', '؟'];

/// The text of a question: of words or with the end of a sentence, and not the name of a file.
fn question(given: &Path) -> Option<&str> {
    let text = given.to_str()?;
    let is_file = given.extension().is_some_and(|ending| ending == "toml") || given.exists();
    let is_sentence = text.trim().contains(char::is_whitespace) || text.ends_with(ENDS);
    (is_sentence && !is_file).then_some(text)
}

/// The same error, with how to ask a word that could be a question.
fn not_found(given: &Path, error: ConfigError) -> Failure {
    let is_word = given.extension().is_none() && given.components().count() == 1 && !given.exists();
    match is_word {
        true => format!("{error}; a question of one word ends with a question mark").into(),
        false => error.into(),
    }
}

/// What the command line adds.
#[derive(Debug, Clone, Default)]
struct Added {
    /// Data files by name, with the keys that a mission file has for them.
    files: Vec<(String, Map<String, Json>)>,
    /// Other data.
    values: Vec<(String, Value)>,
    /// Commands of tools.
    tools: Vec<(String, Vec<String>)>,
    /// Servers.
    servers: Vec<(String, Access)>,
    /// The type of the answer.
    returns: Option<String>,
}

#[derive(Debug, Clone)]
enum Access {
    Url(String),
    Command(Vec<String>),
}

impl Added {
    fn read(args: &MissionArgs) -> Result<Added, Failure> {
        let mut added = Added { returns: args.returns.clone(), ..Added::default() };
        for given in &args.data {
            let (name, text) = match given.split_once('=').filter(|(name, _)| data::is_name(name)) {
                Some((name, text)) => (name.to_owned(), text),
                None => (data::name_of(given)?, given.as_str()),
            };
            match (read_json(text), data::table(text)) {
                (Ok(value), _) => added.values.push((name, value)),
                (Err(_), Some(table)) => added.files.push((name, table?)),
                (Err(_), None) => added.files.push((name, of_file(text))),
            }
        }
        for given in &args.tool {
            let (name, line) = pair("--tool", given, "NAME=COMMAND")?;
            added.tools.push((name.to_owned(), words("--tool", given, line)?));
        }
        for given in &args.mcp {
            let (name, line) = pair("--mcp", given, "NAME=COMMAND or NAME=URL")?;
            let is_url = line.starts_with("http://") || line.starts_with("https://");
            let access = match is_url {
                true => Access::Url(line.to_owned()),
                false => Access::Command(words("--mcp", given, line)?),
            };
            added.servers.push((name.to_owned(), access));
        }
        Ok(added)
    }

    fn is_empty(&self) -> bool {
        self.files.is_empty() && self.tools.is_empty() && self.servers.is_empty()
    }

    /// The mission file of a question, in a folder from which its file names start.
    fn mission(&self, question: &str, max_turns: Option<u32>, folder: &Path) -> String {
        let mut text = format!("mission = {}\n", json!(question));
        if let Some(returns) = &self.returns {
            text.push_str(&format!("signature = {}\n", json!(returns)));
        }
        if let Some(turns) = max_turns {
            text.push_str(&format!("max_turns = {turns}\n"));
        }
        self.tables(text, folder)
    }

    fn tables(&self, text: String, folder: &Path) -> String {
        let table = |text: String, path: [&str; 2], key: &str, value: Json| {
            with_table(&text, &path, &Map::from_iter([(key.to_owned(), value)]))
        };
        let text = self.files.iter().fold(text, |text, (name, keys)| {
            let seen = |(key, value): (&String, &Json)| match value.as_str() {
                Some(path) if NAMES_A_FILE.contains(&key.as_str()) => (key.clone(), json!(seen_from(folder, path))),
                _ => (key.clone(), value.clone()),
            };
            with_table(&text, &["data", name], &keys.iter().map(seen).collect())
        });
        let text =
            self.tools.iter().fold(text, |text, (name, line)| table(text, ["tools", name], "command", json!(line)));
        self.servers.iter().fold(text, |text, (name, access)| match access {
            Access::Url(url) => table(text, ["mcp", name], "url", json!(url)),
            Access::Command(line) => table(text, ["mcp", name], "command", json!(line)),
        })
    }

    /// Add it to the mission of a file; what has the same name is replaced.
    fn add_to(&self, mission: &mut MissionFile) -> Result<(), Failure> {
        let names = self.files.iter().map(|(name, _)| name).chain(self.values.iter().map(|(name, _)| name));
        for name in names {
            overrides::input(&format!("--data {name}=…"), name, Some(mission))?;
        }
        if let Some(returns) = &self.returns {
            let wanted = Signature::parse(returns).map_err(|error| format!("--returns {returns}: {error}"))?;
            let params = mission.agent.signature.as_ref().filter(|signature| signature.declares_params());
            let params = params.map(|signature| signature.params().to_vec());
            mission.agent.signature = Some(Signature::new(params, wanted.result().clone()));
        }
        if self.is_empty() {
            return Ok(());
        }
        // Columns are read as the signature declares them.
        let signature = mission.agent.signature.as_ref().map(ToString::to_string);
        let signature = signature.map(|text| format!("signature = {}\n", json!(text))).unwrap_or_default();
        let text = self.tables(signature, Path::new(""));
        let document = Document::new(COMMAND_LINE, &text);
        let parsed = document.parse()?;
        let more = MissionFile::tools_from_section(document.section(&parsed), &[])?;
        mission.data.extend(more.data);
        mission.tools.retain(|known| more.tools.iter().all(|new| new.spec.name != known.spec.name));
        mission.tools.extend(more.tools);
        mission.servers.retain(|known| more.servers.iter().all(|new| new.name != known.name));
        mission.servers.extend(more.servers);
        output::notes(&more.notes);
        Ok(())
    }
}

/// Where the mission of a question is kept, and whether files there may be replaced.
pub(crate) struct SaveArg<'a> {
    pub(super) folder: &'a Path,
    pub(super) force: bool,
}

/// Write the mission of a question into a folder, to be run again and changed.
fn keep(to: SaveArg<'_>, args: &MissionArgs, added: &Added) -> Result<(), Failure> {
    let SaveArg { folder, force } = to;
    let Some(question) = question(&args.mission) else {
        return Err("--save writes the mission of a question; this one is in a file already".into());
    };
    if added.files.iter().any(|(_, keys)| keys.get("file").is_some_and(|path| path == "-")) {
        return Err("--save cannot keep standard input: name a file".into());
    }
    let mut kept = added.clone();
    for (name, value) in kept.values.drain(..) {
        let json = value.to_json().map_err(|error| format!("--data {name}: {}", error.message))?;
        let path = folder.join(format!("{name}.json"));
        WholeFile::at(&path, Format::SAVED_DATA, force)?.write(&format!("{json}\n"))?;
        kept.files.push((name, of_file(&path.display().to_string())));
    }
    let path = folder.join("mission.toml");
    WholeFile::at(&path, Format::SAVED, force)?.write(&kept.mission(question, args.max_turns, folder))?;
    let path = shell(&path.display().to_string());
    output::notes(&[format!("this mission is saved: ptc run {path}")]);
    Ok(())
}

/// The keys of a data entry that name a file.
const NAMES_A_FILE: [&str; 2] = ["file", "sqlite"];

/// The entry of a mission file for a data file without options.
fn of_file(path: &str) -> Map<String, Json> {
    Map::from_iter([("file".to_owned(), json!(path))])
}

/// The name of a file as it is seen from a folder.
fn seen_from(folder: &Path, path: &str) -> String {
    if folder.as_os_str().is_empty() || path == "-" {
        return path.to_owned();
    }
    let whole = |path: &Path| std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let (folder, path) = (whole(folder), whole(Path::new(path)));
    let shared = folder.components().zip(path.components()).take_while(|(a, b)| a == b).count();
    let up = folder.components().skip(shared).map(|_| Component::ParentDir);
    up.chain(path.components().skip(shared)).collect::<PathBuf>().display().to_string()
}

/// `NAME=REST` of an option.
fn pair<'t>(option: &str, given: &'t str, form: &str) -> Result<(&'t str, &'t str), Failure> {
    let parts = given.split_once('=').map(|(name, rest)| (name.trim(), rest.trim()));
    let parts = parts.filter(|(name, rest)| !name.is_empty() && !rest.is_empty());
    parts.ok_or_else(|| format!("{option} {given}: write {form}").into())
}

/// The words of a command line, with quotes as in a shell.
fn words(option: &str, given: &str, line: &str) -> Result<Vec<String>, Failure> {
    let words = shlex::split(line).filter(|words| !words.is_empty());
    words.ok_or_else(|| format!("{option} {given}: a quote is not closed, or there is no command").into())
}
