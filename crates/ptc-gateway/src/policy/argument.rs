//! What rules say about arguments: values are compared in all spellings that lead to the same path or address.

use std::collections::HashSet;

use ptc_config::{ConfigError, Item};
use regex::Regex;
use serde_json::Value as Json;

use super::spelling::{self, Folder};
use crate::audit::plain_name;

/// An argument, and what its value must be.
#[derive(Debug, Clone)]
pub(super) struct Argument {
    /// Its name without the differences that do not count; `*` stands for anything.
    name: Regex,
    form: Form,
}

/// A pattern for values, compiled for the ruling of its rule.
#[derive(Debug, Clone)]
struct Form {
    /// The text as written.
    text: Regex,
    /// Another spelling of it: what denies or asks ignores case here, as some file systems do.
    other: Regex,
    place: Place,
    /// Whether all spellings must fit: what allows is fooled by one that does not, what denies by one that does.
    must_all_fit: bool,
}

/// What the other spellings of a value are.
#[derive(Debug, Clone)]
enum Place {
    /// Paths from the root; the beginning of the pattern up to the first `*` may be a link itself.
    Rooted(String),
    /// Paths in the folder of the server.
    InFolder,
    /// Any paths: the pattern begins with `*`.
    Anywhere,
    /// Addresses.
    Url,
}

impl Argument {
    /// Read `NAME = "PATTERN"` of a rule that allows, or of another one.
    pub fn read(name: &str, item: Item<'_>, allows: bool) -> Result<Argument, ConfigError> {
        let text = item.text("the pattern of an argument must be text; `*` stands for anything")?;
        let compiled = |text: &str| compiled(text, false, false).map_err(|problem| item.refused(problem));
        Ok(Argument { name: compiled(&plain_name(name))?, form: Form::read(text, item, allows)? })
    }

    /// Whether the arguments of a call have this one, at any depth, with such a value.
    pub fn fits(&self, args: &Json, folder: &Folder) -> bool {
        let values = self.values(args);
        let fits = |value: &&Json| self.form.fits(value, folder);
        match self.form.must_all_fit {
            true => !values.is_empty() && values.iter().all(fits),
            false => values.iter().any(fits),
        }
    }

    /// The values of this name. What is inside one of them belongs to it.
    fn values<'j>(&self, args: &'j Json) -> Vec<&'j Json> {
        let (mut found, mut open) = (Vec::new(), vec![args]);
        while let Some(value) = open.pop() {
            match value {
                Json::Object(fields) => {
                    for (name, value) in fields {
                        let to = if self.name.is_match(&plain_name(name)) { &mut found } else { &mut open };
                        to.push(value);
                    }
                }
                Json::Array(items) => open.extend(items),
                _ => {}
            }
        }
        found
    }
}

impl Form {
    fn read(text: &str, item: Item<'_>, allows: bool) -> Result<Form, ConfigError> {
        let refused = |problem: String| item.refused(problem);
        if text.starts_with("../") || text.starts_with("..\\") {
            return Err(refused(
                "a path above the folder of a server has no fixed place: write it from the root".to_owned(),
            ));
        }
        let (place, other) = match () {
            () if text.contains("://") && !spelling::is_file_url(text) => (Place::Url, text.to_owned()),
            () if text.starts_with('*') => (Place::Anywhere, text.to_owned()),
            () if spelling::is_rooted(text) => {
                let path = spelling::rooted(text);
                (Place::Rooted(path.split('*').next().unwrap_or_default().to_owned()), path)
            }
            () => (Place::InFolder, spelling::relative(text)),
        };
        Ok(Form {
            text: compiled(text, false, false).map_err(refused)?,
            other: compiled(&other, !allows, !allows).map_err(refused)?,
            place,
            must_all_fit: allows,
        })
    }

    /// Whether a value fits: for a list or a map, whether all texts in it do, also keys; to deny or to ask, one is enough.
    fn fits(&self, value: &Json, folder: &Folder) -> bool {
        if !self.must_all_fit && !value.is_string() && self.text.is_match(&value.to_string()) {
            return true;
        }
        let (mut open, mut seen) = (vec![value], false);
        // Rows of a table repeat keys and values.
        let mut judged: HashSet<&str> = HashSet::new();
        while let Some(value) = open.pop() {
            let mut texts: Vec<&str> = Vec::new();
            match value {
                Json::Array(items) => open.extend(items),
                Json::Object(fields) => {
                    texts.extend(fields.keys().map(String::as_str));
                    open.extend(fields.values());
                }
                Json::String(text) => texts.push(text),
                // A number is not a path.
                scalar => {
                    seen = true;
                    if self.text.is_match(&scalar.to_string()) != self.must_all_fit {
                        return !self.must_all_fit;
                    }
                }
            }
            for text in texts.into_iter().filter(|text| judged.insert(text)) {
                seen = true;
                if self.fits_text(text, folder) != self.must_all_fit {
                    return !self.must_all_fit;
                }
            }
        }
        seen && self.must_all_fit
    }

    fn fits_text(&self, text: &str, folder: &Folder) -> bool {
        if !self.must_all_fit {
            return self.text.is_match(text)
                || spelling::paths(text, folder).iter().any(|path| self.fits_path(path, folder))
                || spelling::urls(text).iter().any(|url| self.other.is_match(url));
        }
        if !self.text.is_match(text) && !self.other.is_match(text) {
            return false;
        }
        match self.place {
            Place::Url => {
                let urls = spelling::urls(text);
                !urls.is_empty() && urls.iter().all(|url| self.other.is_match(url))
            }
            _ => spelling::paths(text, folder).iter().all(|path| self.fits_path(path, folder)),
        }
    }

    fn fits_path(&self, path: &str, folder: &Folder) -> bool {
        match &self.place {
            Place::Url => false,
            Place::Anywhere => self.other.is_match(path),
            Place::InFolder => folder.inside(path).is_some_and(|rest| self.other.is_match(&rest)),
            Place::Rooted(begin) => {
                self.other.is_match(path)
                    || spelling::as_written(path, begin).is_some_and(|path| self.other.is_match(&path))
            }
        }
    }
}

/// A text with `*` for any characters; `with_folder` lets what ends in `/*` fit the folder itself, too.
pub(super) fn compiled(text: &str, ignores_case: bool, with_folder: bool) -> Result<Regex, String> {
    let (text, end) = match text.strip_suffix("/*") {
        Some(folder) if with_folder => (folder, "(?:/.*)?"),
        _ => (text, ""),
    };
    let parts: Vec<String> = text.split('*').map(regex::escape).collect();
    let flags = if ignores_case { "si" } else { "s" };
    let whole = Regex::new(&format!("(?{flags})^{}{end}$", parts.join(".*")));
    whole.map_err(|error| format!("this pattern cannot be used: {error}"))
}
