//! How a data file is to be read, where it does not show that itself: one table of options for readers, editors and the
//! manual.

use std::collections::HashMap;

use serde_json::{Value as Json, json};

use super::format::{self, Format};
use crate::shape::{self, Key};

/// How to read a data file; what is not given is found out.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ReadOptions {
    /// The names of the options that were set.
    given: Vec<&'static str>,
    pub(super) format: Option<Format>,
    pub(super) columns: Option<Vec<String>>,
    pub(super) separator: Option<u8>,
    pub(super) quote: Option<u8>,
    pub(super) escape: Option<bool>,
    pub(super) header: Option<Header>,
    pub(super) skip: usize,
    pub(super) comment: Option<u8>,
    pub(super) trim: bool,
    pub(super) decimal: Option<char>,
    pub(super) thousands: Option<char>,
    pub(super) null: Option<Vec<String>>,
    pub(super) types: HashMap<String, GivenType>,
    /// Columns that are text, if they are there.
    texts: Vec<String>,
    pub(super) encoding: Option<&'static encoding_rs::Encoding>,
    pub(super) skips_bad_rows: bool,
    pub(super) file_column: Option<String>,
    pub(super) sheet: Option<String>,
    pub(super) member: Option<String>,
}

/// What names the columns.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Header {
    /// The line with this number, from 1.
    Line(usize),
    /// Nothing: columns are `column_1`, `column_2`, and so on.
    None,
    /// These names; the file has no line of names, or `skip` leaves it out.
    Names(Vec<String>),
}

/// The type that a column must have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum GivenType {
    Text,
    Int,
    Float,
    Percent,
    Bool,
    /// A date in this format, or in that of ISO 8601.
    Date(Option<String>),
    DateTime,
}

/// A row of the table of options.
pub(crate) struct ReadOption {
    pub(crate) key: Key,
    /// What a value must be.
    rule: &'static str,
    /// The formats that it is for; none stands for all.
    formats: &'static [Format],
    /// Takes the value over; `None` when it is not one.
    set: fn(&mut ReadOptions, &Json) -> Option<()>,
}

use Format::{Arrow, Csv, Json as JsonFile, JsonLines, Parquet, Sheet, Text};

const CELLS: &[Format] = &[Csv, Sheet];
const ENCODED: &[Format] = &[Csv, JsonFile, JsonLines, Text];

/// What `types` may say of a column.
const TYPES: &str =
    "`text`, `int`, `float`, `percent`, `bool`, `date`, `datetime`, or `date` with a format such as `date %d.%m.%Y`";

/// The options besides `file`.
pub(crate) const OPTIONS: [ReadOption; 18] = [
    ReadOption {
        key: Key("format", "The format, if the name of the file does not show it.", || shape::choice(&format::NAMES)),
        rule: "the name of a format",
        formats: &[],
        set: |options, value| {
            options.format = Some(Format::named(value.as_str()?)?);
            Some(())
        },
    },
    ReadOption {
        key: Key("separator", "The separator of cells: one character, or `tab`.", shape::text),
        rule: "one ASCII character, or `tab`",
        formats: &[Csv],
        set: |options, value| {
            options.separator = Some(character(value)?);
            Some(())
        },
    },
    ReadOption {
        key: Key("quote", "The quote character around cells with separators; `\"\"` for none.", shape::text),
        rule: "one ASCII character, or empty",
        formats: &[Csv],
        set: |options, value| {
            options.quote = Some(if value == "" { 0 } else { character(value)? });
            Some(())
        },
    },
    ReadOption {
        key: Key("escape", "Whether `\\\"` is a quote in a quoted cell, in addition to `\"\"`.", shape::flag),
        rule: "true or false",
        formats: &[Csv],
        set: |options, value| {
            options.escape = Some(value.as_bool()?);
            Some(())
        },
    },
    ReadOption {
        key: Key(
            "header",
            "The line that names the columns, by its number; `false` if there is none; or a list of names.",
            || json!({"anyOf": [shape::integer(1), {"const": false}, shape::texts()]}),
        ),
        rule: "the number of a line from 1, `false`, or a list of names",
        formats: CELLS,
        set: |options, value| {
            options.header = Some(header(value)?);
            Some(())
        },
    },
    ReadOption {
        key: Key("skip", "Number of lines to skip at the top.", || shape::integer(0)),
        rule: "a number of lines",
        formats: CELLS,
        set: |options, value| {
            options.skip = usize::try_from(value.as_u64()?).ok()?;
            Some(())
        },
    },
    ReadOption {
        key: Key("comment", "The character that begins comment lines, which are skipped.", shape::text),
        rule: "one ASCII character",
        formats: &[Csv],
        set: |options, value| {
            options.comment = Some(character(value)?);
            Some(())
        },
    },
    ReadOption {
        key: Key("trim", "Whether spaces around cells are removed.", shape::flag),
        rule: "true or false",
        formats: CELLS,
        set: |options, value| {
            options.trim = value.as_bool()?;
            Some(())
        },
    },
    ReadOption {
        key: Key("decimal", "The decimal sign of numbers.", || shape::choice(&[".", ","])),
        rule: "\".\" or \",\"",
        formats: CELLS,
        set: |options, value| {
            options.decimal = Some(one_of(value, ".,")?);
            Some(())
        },
    },
    ReadOption {
        key: Key("thousands", "The thousands separator of numbers.", || shape::choice(&[",", ".", "'", " "])),
        rule: "\",\", \".\", \"'\" or a space",
        formats: CELLS,
        set: |options, value| {
            options.thousands = Some(one_of(value, ",.' ")?);
            Some(())
        },
    },
    ReadOption {
        key: Key("null", "Texts that mean a missing value: cells, and words such as `NaN` in JSON.", shape::texts),
        rule: "a list of texts",
        formats: &[Csv, Sheet, JsonFile, JsonLines],
        set: |options, value| {
            options.null = Some(texts(value)?);
            Some(())
        },
    },
    ReadOption {
        key: Key(
            "types",
            "The types of columns, by name: `text`, `int`, `float`, `percent`, `bool`, `date`, `datetime`, or `date` with a format such as `date %d.%m.%Y`.",
            || shape::entries(shape::text()),
        ),
        rule: "a table from columns to types",
        formats: CELLS,
        set: |options, value| {
            for (column, ty) in value.as_object()? {
                options.types.insert(column.clone(), given_type(ty.as_str()?)?);
            }
            Some(())
        },
    },
    ReadOption {
        key: Key("on_error", "`skip` leaves out rows that cannot be read, and names them.", || {
            shape::choice(&["fail", "skip"])
        }),
        rule: "\"fail\" or \"skip\"",
        formats: &[Csv, Sheet, JsonLines],
        set: |options, value| {
            let skips = *value == "skip";
            (skips || *value == "fail").then(|| options.skips_bad_rows = skips)
        },
    },
    ReadOption {
        key: Key("encoding", "The encoding of the text, such as `windows-1252` or `shift_jis`.", shape::text),
        rule: "the name of an encoding, such as \"windows-1252\"",
        formats: ENCODED,
        set: |options, value| {
            options.encoding = Some(encoding_rs::Encoding::for_label(value.as_str()?.as_bytes())?);
            Some(())
        },
    },
    ReadOption {
        key: Key("file_column", "The name of an added column with the file of each row.", shape::text),
        rule: "the name of a column",
        formats: CELLS,
        set: |options, value| {
            options.file_column = Some(value.as_str()?.to_owned());
            Some(())
        },
    },
    ReadOption {
        key: Key("member", "The file of a `.zip` archive to read.", shape::text),
        rule: "the name of a file in the archive",
        formats: &[],
        set: |options, value| {
            options.member = Some(value.as_str()?.to_owned());
            Some(())
        },
    },
    ReadOption {
        key: Key("sheet", "The sheet of a workbook to read; the first one by default.", shape::text),
        rule: "the name of a sheet",
        formats: &[Sheet],
        set: |options, value| {
            options.sheet = Some(value.as_str()?.to_owned());
            Some(())
        },
    },
    ReadOption {
        key: Key("columns", "The columns to read, in this order.", shape::texts),
        rule: "a list of at least one name",
        formats: &[Parquet, Arrow],
        set: |options, value| {
            options.columns = Some(texts(value).filter(|names| !names.is_empty())?);
            Some(())
        },
    },
];

/// The names of all options.
pub(crate) fn names() -> Vec<&'static str> {
    shape::names(OPTIONS.iter().map(|option| &option.key))
}

/// The entries of `[data]`: values, files, and queries.
pub(crate) fn shape() -> Json {
    let property = |option: &ReadOption| {
        let doc = format!("{}{}", option.key.1, option.scope());
        (option.key.0.to_owned(), shape::described((option.key.2)(), &doc))
    };
    let file = ("file", "The file, a pattern such as `logs/*.csv`, or `-` for standard input.");
    let file = (file.0.to_owned(), shape::described(shape::text(), file.1));
    let properties = std::iter::once(file).chain(OPTIONS.iter().map(property)).collect();
    let query = shape::properties(&QUERY);
    let value = shape::properties(&[Key("value", "Data, whatever it looks like.", shape::any)]);
    let kinds = [
        shape::table(properties, &["file"]),
        shape::table(query, &["sqlite", "sql"]),
        shape::table(value, &["value"]),
        shape::any(),
    ];
    shape::entries(json!({"anyOf": kinds}))
}

/// The keys of a query.
const QUERY: [Key; 3] = [
    Key("sqlite", "A database file.", shape::text),
    Key("sql", "The query, which changes nothing.", shape::text),
    Key("params", "The values of `?1`, `?2`, and so on.", || json!({"type": "array"})),
];

impl ReadOption {
    /// What it is for, unless it is for all formats.
    fn scope(&self) -> String {
        let titles: Vec<&str> = self.formats.iter().map(|format| format.row().plural).collect();
        match titles.as_slice() {
            [] => String::new(),
            [only] => format!(" For {only}."),
            [all @ .., last] => format!(" For {} and {last}.", all.join(", ")),
        }
    }
}

impl ReadOptions {
    /// Set an option by its name.
    ///
    /// Errors with what its value must be, or with the known names.
    ///
    /// ```
    /// let mut options = ptc_config::ReadOptions::default();
    /// options.set("separator", &"tab".into())?;
    /// assert_eq!(options.set("decimal", &";".into()).unwrap_err(), "decimal must be \".\" or \",\"");
    /// # Ok::<(), String>(())
    /// ```
    pub fn set(&mut self, name: &str, value: &Json) -> Result<(), String> {
        let Some(option) = OPTIONS.iter().find(|option| option.key.0 == name) else {
            return Err(format!("unknown option `{name}`; known: {}", names().join(", ")));
        };
        if (option.set)(self, value).is_some() {
            self.given.push(option.key.0);
            return Ok(());
        }
        let is_bad = |ty: &Json| ty.as_str().and_then(given_type).is_none();
        Err(
            match value.as_object().filter(|_| name == "types").and_then(|types| types.iter().find(|it| is_bad(it.1))) {
                Some((column, ty)) => format!("the type of `{column}` must be {TYPES}, not {ty}"),
                None => format!("{name} must be {}", option.rule),
            },
        )
    }

    /// Columns of these names are text where `types` does not say otherwise.
    pub(crate) fn with_texts(mut self, texts: Vec<String>) -> ReadOptions {
        self.texts = texts;
        self
    }

    /// The type that a column must have.
    pub(super) fn type_of(&self, column: &str) -> Option<GivenType> {
        let is_text = || self.texts.iter().any(|name| name == column);
        self.types.get(column).cloned().or_else(|| is_text().then_some(GivenType::Text))
    }

    /// Whether the header is where a reader would look for it, not below a given number of lines.
    pub(super) fn begins_at_top(&self) -> bool {
        self.skip == 0 && !matches!(self.header, Some(Header::Line(_)))
    }

    /// The first given option that is not for files of this format, and the formats that it is for.
    pub(super) fn misplaced(&self, format: Format) -> Option<(&'static str, Vec<&'static str>)> {
        let foreign = |option: &&ReadOption| !option.formats.is_empty() && !option.formats.contains(&format);
        let found = OPTIONS.iter().filter(foreign).find(|option| self.given.contains(&option.key.0))?;
        Some((found.key.0, found.formats.iter().map(|format| format.row().plural).collect()))
    }
}

fn character(value: &Json) -> Option<u8> {
    match value.as_str()? {
        "tab" | "\\t" => Some(b'\t'),
        text => text
            .as_bytes()
            .first()
            .copied()
            .filter(|byte| text.len() == 1 && byte.is_ascii() && !b"\n\r".contains(byte)),
    }
}

fn one_of(value: &Json, known: &str) -> Option<char> {
    let mut chars = value.as_str()?.chars();
    chars.next().filter(|c| known.contains(*c) && chars.next().is_none())
}

fn texts(value: &Json) -> Option<Vec<String>> {
    value.as_array()?.iter().map(|item| item.as_str().map(str::to_owned)).collect()
}

fn header(value: &Json) -> Option<Header> {
    match value {
        Json::Bool(false) => Some(Header::None),
        Json::Array(_) => texts(value).filter(|names| !names.is_empty()).map(Header::Names),
        _ => value.as_u64().filter(|line| *line > 0).and_then(|line| usize::try_from(line).ok()).map(Header::Line),
    }
}

fn given_type(name: &str) -> Option<GivenType> {
    Some(match name {
        "text" => GivenType::Text,
        "int" => GivenType::Int,
        "float" => GivenType::Float,
        "percent" => GivenType::Percent,
        "bool" => GivenType::Bool,
        "date" => GivenType::Date(None),
        "datetime" => GivenType::DateTime,
        _ => GivenType::Date(Some(name.strip_prefix("date ").filter(|format| format.contains('%'))?.to_owned())),
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// What is wrong with a value.
    fn check(name: &str, value: Json) -> String {
        ReadOptions::default().set(name, &value).err().unwrap_or_default()
    }

    #[test]
    fn values_of_each_option() {
        for (name, value) in [
            ("format", json!("csv")),
            ("separator", json!("tab")),
            ("quote", json!("")),
            ("escape", json!(true)),
            ("header", json!(3)),
            ("header", json!(false)),
            ("header", json!(["a"])),
            ("skip", json!(0)),
            ("comment", json!("#")),
            ("trim", json!(true)),
            ("decimal", json!(",")),
            ("thousands", json!(" ")),
            ("null", json!([])),
            ("types", json!({"a": "date %d.%m.%Y", "b": "int"})),
            ("on_error", json!("skip")),
            ("encoding", json!("latin1")),
            ("file_column", json!("file")),
            ("member", json!("a.csv")),
            ("sheet", json!("Q1")),
            ("columns", json!(["a"])),
        ] {
            assert_eq!(check(name, value), "", "{name}");
        }
        for option in &OPTIONS {
            assert_ne!(check(option.key.0, json!({"a": 1.5})), "", "{}", option.key.0);
        }
    }

    #[test]
    fn wrong_values_say_what_they_must_be() {
        insta::assert_snapshot!(check("separator", json!("--")), @"separator must be one ASCII character, or `tab`");
        insta::assert_snapshot!(check("header", json!(true)), @"header must be the number of a line from 1, `false`, or a list of names");
        insta::assert_snapshot!(check("types", json!({"a": "int", "b": "money"})), @r#"the type of `b` must be `text`, `int`, `float`, `percent`, `bool`, `date`, `datetime`, or `date` with a format such as `date %d.%m.%Y`, not "money""#);
        insta::assert_snapshot!(check("seperator", json!(";")), @"unknown option `seperator`; known: format, separator, quote, escape, header, skip, comment, trim, decimal, thousands, null, types, on_error, encoding, file_column, member, sheet, columns");
    }
}
