//! `${NAME}` in the texts of configured servers.

#[cfg(test)]
mod tests;

use std::ffi::OsString;
use std::io;
use std::path::{MAIN_SEPARATOR_STR, Path};

use ptc_chat::{AddressSecrets, read_file};

use crate::command::is_harmless;

/// Bytes of a file whose content is part of a text.
pub(crate) const MAX_SECRET: u64 = 64 << 10;

/// A text that cannot be expanded.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ExpandError {
    /// A variable without a value and without a default.
    #[error("`${{{0}}}` is not set: set the environment variable `{0}`, or write a default, `${{{0}:-…}}`")]
    Unset(String),
    /// A variable whose value is not UTF-8.
    #[error("the environment variable `{0}` is not UTF-8 text")]
    NotText(String),
    /// No `}` follows.
    #[error("a `${{` is not closed by `}}`; write `$${{` for the text `${{`")]
    Unclosed,
    /// An input of an editor.
    #[error(
        "`${{input:{0}}}` asks the user of an editor, which is not possible here: put the value into an environment variable and write `${{NAME}}`, or into a file and write `${{file:PATH}}`"
    )]
    Input(String),
    /// Another form.
    #[error(
        "`${{{0}}}` is not known; write `${{NAME}}`, `${{NAME:-default}}`, `${{env:NAME}}` or `${{file:PATH}}`, or `$${{` for the text `${{`"
    )]
    Unknown(String),
    /// A file that cannot be read.
    #[error("the file `{path}` cannot be read: {error}")]
    File {
        /// As it was written.
        path: String,
        /// The system's message.
        error: io::Error,
    },
}

/// A piece of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Piece<'t> {
    /// As it is.
    Text(&'t str),
    /// An environment variable, and what replaces it when it is unset or empty.
    Variable { name: &'t str, default: Option<&'t str> },
    /// The content of a file, without blank space at its end.
    File(&'t str),
    /// What editors know of a project.
    Project(Project),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Project {
    Folder,
    Name,
    Home,
    Separator,
}

/// Names that editors define.
const PROJECT: [(&str, Project); 5] = [
    ("workspaceFolder", Project::Folder),
    ("workspaceFolderBasename", Project::Name),
    ("userHome", Project::Home),
    ("pathSeparator", Project::Separator),
    ("/", Project::Separator),
];

/// What is wrong with the references in a text of a configured server, whatever the environment is.
///
/// ```
/// assert!(ptc_mcp::check_references("Bearer ${TOKEN}").is_ok());
/// assert!(ptc_mcp::check_references("Bearer ${TOKEN").is_err());
/// ```
pub fn check_references(text: &str) -> Result<(), ExpandError> {
    pieces(text).map(drop)
}

fn pieces(text: &str) -> Result<Vec<Piece<'_>>, ExpandError> {
    let (mut pieces, mut rest) = (Vec::new(), text);
    while let Some((before, after)) = rest.split_once("${") {
        if let Some(before) = before.strip_suffix('$') {
            pieces.extend([Piece::Text(before), Piece::Text("${")]);
            rest = after;
        } else {
            let (inner, after) = after.split_once('}').ok_or(ExpandError::Unclosed)?;
            pieces.extend([Piece::Text(before), reference(inner)?]);
            rest = after;
        }
    }
    pieces.push(Piece::Text(rest));
    Ok(pieces)
}

/// What the text between `${` and `}` refers to.
fn reference(inner: &str) -> Result<Piece<'_>, ExpandError> {
    if let Some((_, project)) = PROJECT.iter().find(|(name, _)| *name == inner) {
        return Ok(Piece::Project(*project));
    }
    match inner.split_once(':') {
        Some(("file", path)) if !path.is_empty() => Ok(Piece::File(path)),
        Some(("input", id)) => Err(ExpandError::Input(id.to_owned())),
        Some(("env", variable)) => named(inner, variable),
        _ => named(inner, inner),
    }
}

fn named<'t>(inner: &str, variable: &'t str) -> Result<Piece<'t>, ExpandError> {
    let (name, default) = match variable.split_once(":-") {
        Some((name, default)) => (name, Some(default)),
        None => (variable, None),
    };
    let begins = |c: char| c.is_ascii_alphabetic() || c == '_';
    let is_name = name.starts_with(begins) && name.chars().all(|c| begins(c) || c.is_ascii_digit());
    // A default ends at the first `}`, so it cannot have a reference.
    if is_name && !default.is_some_and(|default| default.contains("${")) {
        Ok(Piece::Variable { name, default })
    } else {
        Err(ExpandError::Unknown(inner.to_owned()))
    }
}

/// Expands the texts of one server, and collects what no text about it may quote.
pub(crate) struct Expander<'a> {
    /// Relative paths start here.
    pub(crate) folder: &'a Path,
    /// The environment.
    pub(crate) variable: &'a (dyn Fn(&str) -> Option<OsString> + Sync),
    /// What was read so far.
    pub(crate) secrets: AddressSecrets,
}

impl Expander<'_> {
    /// The text with the value of each reference in it.
    pub(crate) fn text(&mut self, text: &str) -> Result<String, ExpandError> {
        pieces(text)?.into_iter().map(|piece| self.piece(piece)).collect()
    }

    fn piece(&mut self, piece: Piece<'_>) -> Result<String, ExpandError> {
        match piece {
            Piece::Text(text) => Ok(text.to_owned()),
            Piece::Variable { name, default } => {
                let value = self.variable(name)?.filter(|value| default.is_none() || !value.is_empty());
                let value = value.or_else(|| default.map(str::to_owned));
                value.ok_or_else(|| ExpandError::Unset(name.to_owned()))
            }
            Piece::File(path) => self.file(path),
            Piece::Project(Project::Folder) => Ok(absolute(self.folder)),
            Piece::Project(Project::Name) => {
                let folder = absolute(self.folder);
                let name = Path::new(&folder).file_name().map(|name| name.to_string_lossy().into_owned());
                Ok(name.unwrap_or_default())
            }
            Piece::Project(Project::Home) => {
                let home = if cfg!(windows) { "USERPROFILE" } else { "HOME" };
                self.variable(home)?.ok_or_else(|| ExpandError::Unset(home.to_owned()))
            }
            Piece::Project(Project::Separator) => Ok(MAIN_SEPARATOR_STR.to_owned()),
        }
    }

    /// The value of an environment variable.
    pub(crate) fn variable(&mut self, name: &str) -> Result<Option<String>, ExpandError> {
        let Some(value) = (self.variable)(name) else { return Ok(None) };
        let value = value.into_string().map_err(|_| ExpandError::NotText(name.to_owned()))?;
        if !is_harmless(name) {
            self.keep(&value);
        }
        Ok(Some(value))
    }

    /// The content of a small file, without blank space at its end.
    pub(crate) fn file(&mut self, path: &str) -> Result<String, ExpandError> {
        let told = |error| ExpandError::File { path: path.to_owned(), error };
        let bytes = read_file(self.folder.join(path), MAX_SECRET).map_err(told)?;
        let text = String::from_utf8(bytes)
            .map_err(|_| told(io::Error::new(io::ErrorKind::InvalidData, "it is not UTF-8 text")))?;
        self.keep(text.trim_end());
        Ok(text.trim_end().to_owned())
    }

    /// Never show this value: it may be a key. The name of a file that exists may be shown, and most of an address.
    pub(crate) fn keep(&mut self, value: &str) {
        let path = Path::new(value);
        if path.is_absolute() && path.exists() {
            return;
        }
        let known = std::mem::take(&mut self.secrets);
        self.secrets = if value.contains("://") { known.and_those_of(value) } else { known.and(value) };
    }
}

fn absolute(folder: &Path) -> String {
    std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned()).display().to_string()
}
