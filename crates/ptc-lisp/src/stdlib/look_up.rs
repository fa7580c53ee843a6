//! Looking up names from within a program: `doc`, `source`, `dir`, `apropos`. They print, since only prints are shown.
//!
//! The analyzer (`analyze/look_up.rs`), which knows definitions, tools and data, looks up a name that is written in the
//! call. The functions here work on values: a function, or a name as a string or symbol.
//!
//! Bounded: by the rows, which are ours.

use std::sync::Arc;

use super::output::emit;
use super::parameters::parameter_lists;
use super::registry::{Language, Table, short_alias};
use super::{Call, Family, rows};
use crate::error::advice::foreign::BARE;
use crate::error::{Res, Signal};
use crate::reference::entry::ReferenceEntry;
use crate::value::{Pattern, Value, shown};

pub(crate) const FAMILY: Family = rows! {
    "Looking up names";
    "doc" "[name]" lazy effect = doc,
        "Print how a function, definition, tool or data key is used; nil."
        "(doc map)" => "nil", r#"(doc "str/join")"# => "nil";
    "source" "[name]" lazy effect = source,
        "Print the source of a definition of the program or of an earlier one; nil."
        "(do (defn area [w h] (* w h)) (source area))" => "nil";
    "dir" "[namespace]" lazy effect = dir,
        "Print the names of a namespace, such as `str`, `tool` or `user`; nil." "(dir str)" => "nil";
    "apropos" "[text]" lazy effect = apropos,
        "Print the tools, data and names of the language with the words of `text`, or a match of a regex, in name or description; nil."
        r#"(apropos "date")"# => "nil", r#"(apropos #"^re-")"# => "nil";
    "%apropos" "[text provided]" lazy effect = apropos;
};

/// Whether the builtin `name` looks up names: it takes the name written in the call, and data with the same name as the
/// builtin takes precedence over it.
pub(crate) fn looks_up(name: &str) -> bool {
    FAMILY.rows.iter().any(|row| row.name == name)
}

/// What `doc` prints for a name of the language.
pub(crate) fn entry_text(entry: &ReferenceEntry) -> String {
    let mut text = entry.calls.join("  ");
    text.push_str(&format!("\n{}", entry.doc));
    for (program, value) in entry.examples {
        text.push_str(&format!("\n{program} => {value}"));
    }
    text
}

/// What `doc` prints for an unknown name; `nearest` is a sentence or empty.
pub(crate) fn unknown_text(name: &str, nearest: &str) -> String {
    let bare = name.rsplit_once('/').map_or(name, |(_, bare)| bare);
    format!("nothing is called {name}{nearest}; (apropos \"{bare}\") looks in names and descriptions")
}

/// What `dir` prints for a namespace of the language, by its short alias.
pub(crate) fn members_text(builtins: &Table, alias: &str) -> String {
    match alias {
        "core" => {
            "clojure.core has the names that are written bare; (apropos \"part of a name\") looks for some of them"
                .to_owned()
        }
        "Math" => members_text(builtins, "math"),
        alias => format!("{alias}/: {}", builtins.members(alias).join(" ")),
    }
}

/// What `dir` prints for an unknown namespace.
pub(crate) fn no_namespace_text(name: &str) -> String {
    format!(
        "there is no namespace {name}; there are user tool data core str set walk math json regex, and classes such as LocalDate"
    )
}

fn say(call: &mut Call<'_>, text: &str) -> Res {
    call.charge(text.len() / 8)?;
    emit(call.cx, text, true)?;
    Ok(Value::Nil)
}

fn unfit(call: &Call<'_>, what: &str) -> Box<Signal> {
    let got = call.arg(0);
    call.mismatch(format_args!("expected {what}, got {} ({})", got.kind(), shown(got)))
}

fn doc(call: &mut Call<'_>) -> Res {
    let language = call.cx.language;
    let text = match call.arg(0) {
        Value::Builtin(id) => of_language(language, language.builtins.entry(*id).row.name),
        Value::Function(closure) => {
            let lists = parameter_lists(call.arg(0), language.builtins).unwrap_or_default();
            call_texts(closure.name().unwrap_or("fn"), &lists)
        }
        Value::Tool(name) => format!("tool/{name}; (doc tool/{name}) prints its signature"),
        Value::Str(name) => of_language(language, name.as_str()),
        Value::Symbol(name) => of_language(language, name.as_str()),
        _ => return Err(unfit(call, "a name such as (doc map)")),
    };
    call.charge(500)?;
    say(call, &text)
}

/// `(area w)  (area w h)`
pub(crate) fn call_texts(name: &str, lists: &[String]) -> String {
    lists.iter().map(|params| call_text(name, params)).collect::<Vec<_>>().join("  ")
}

/// `(area w h)`
pub(crate) fn call_text(name: &str, params: &str) -> String {
    if params.is_empty() { format!("({name})") } else { format!("({name} {params})") }
}

fn of_language(language: Language, name: &str) -> String {
    match (language.look_up)(name) {
        Ok(entry) => entry_text(&entry),
        Err(unknown) => {
            unknown_text(name, &unknown.nearest.map(|name| format!("; did you mean {name}?")).unwrap_or_default())
        }
    }
}

fn source(call: &mut Call<'_>) -> Res {
    let text = match call.arg(0) {
        Value::Function(closure) => {
            let source = closure.proto.source.as_ref().filter(|_| !closure.is_derived());
            let text = source.and_then(|source| source.text(closure.name().unwrap_or("f")));
            text.unwrap_or_else(|| "the source of this function is not kept: another function made it".to_owned())
        }
        Value::Builtin(id) => built_in_text(call.cx.language.builtins.entry(*id).row.name),
        _ => return Err(unfit(call, "the name of a definition")),
    };
    say(call, &text)
}

/// What `source` prints for a function of the language.
pub(crate) fn built_in_text(name: &str) -> String {
    format!("{name} is built in; (doc {name}) prints how it is used")
}

fn dir(call: &mut Call<'_>) -> Res {
    let name = match call.arg(0) {
        Value::Str(name) => name.as_str().to_owned(),
        Value::Symbol(name) => name.to_string(),
        _ => return Err(unfit(call, "a namespace such as (dir str)")),
    };
    let text = short_alias(&name)
        .map_or_else(|| no_namespace_text(&name), |alias| members_text(call.cx.language.builtins, alias));
    call.charge(500)?;
    say(call, &text)
}

/// The most bytes of a text that `apropos` searches for.
const LONGEST: usize = 1_000;

/// A tool or an entry of the input, as `apropos` finds it.
pub(crate) struct Provided {
    pub name: String,
    /// What is printed.
    pub line: String,
    /// What is searched besides the name.
    pub text: String,
}

impl From<Provided> for Value {
    fn from(Provided { name, line, text }: Provided) -> Value {
        Value::vector([name, line, text].map(Value::string).to_vec())
    }
}

impl Provided {
    fn of(value: &Value) -> Option<Provided> {
        let text = |at| Some(value.as_vector()?.get(at)?.as_str()?.to_owned());
        Some(Provided { name: text(0)?, line: text(1)?, text: text(2)? })
    }
}

impl From<&ReferenceEntry> for Provided {
    fn from(entry: &ReferenceEntry) -> Provided {
        let call = entry.calls.first().map_or(entry.name, String::as_str);
        let text = format!("{} {}", entry.doc, names_elsewhere(entry.name));
        Provided { name: entry.name.to_owned(), line: format!("{call}  {}", entry.doc), text }
    }
}

/// What other languages call it: `mean average` for `avg`.
fn names_elsewhere(name: &str) -> String {
    let is_it = |form: &str| {
        form.strip_prefix('(').and_then(|form| form.strip_prefix(name)).is_some_and(|rest| rest.starts_with([' ', ')']))
    };
    let names: Vec<&str> = BARE.iter().filter(|(_, form)| is_it(form)).map(|(names, _)| *names).collect();
    names.join(" ")
}

/// What `apropos` searches for.
enum Wanted {
    Words(Vec<String>),
    Match(Arc<Pattern>),
}

impl Wanted {
    fn is_in(&self, text: &str) -> bool {
        match self {
            Wanted::Match(regex) => regex.is_match(text),
            Wanted::Words(words) => {
                let text = text.to_lowercase();
                words.iter().all(|word| text.contains(word))
            }
        }
    }
}

fn apropos(call: &mut Call<'_>) -> Res {
    call.name = "apropos";
    let wanted = match call.arg(0) {
        Value::Regex(regex) => Wanted::Match(regex.clone()),
        // No description is longer than this.
        Value::Str(text) if text.as_str().len() > LONGEST => Wanted::Words(vec![text.as_str().to_owned()]),
        Value::Str(text) => Wanted::Words(text.as_str().to_lowercase().split_whitespace().map(str::to_owned).collect()),
        other => return Err(call.wrong("a string or a regex", other)),
    };
    let language = (call.cx.language.reference)();
    let provided = call.args.get(1).and_then(Value::as_vector).map(|known| known.iter().cloned().collect::<Vec<_>>());
    let provided = provided.unwrap_or_default();
    let known = provided.iter().filter_map(Provided::of).chain(language.iter().map(Provided::from));
    let (mut found, mut by_text) = (Vec::new(), Vec::new());
    for entry in known {
        call.charge(1)?;
        // One match may take a while.
        call.meter().look_at_clock()?;
        if wanted.is_in(&entry.name) {
            found.push(entry);
        } else if wanted.is_in(&format!("{} {}", entry.name, entry.text)) {
            by_text.push(entry);
        }
    }
    found.append(&mut by_text);
    // A printed line is cut after this many characters.
    let most = call.cx.meter.limits().print_chars.saturating_sub(200);
    let text = found_text(call.arg(0), &found, most);
    say(call, &text)
}

/// A line for each entry while they fit, then only the names of the others.
fn found_text(wanted: &Value, found: &[Provided], most: usize) -> String {
    if found.is_empty() {
        return format!("no name or description has {}", shown(wanted));
    }
    let mut lines: Vec<&str> = Vec::new();
    let mut length = 0;
    for Provided { line, .. } in found {
        length += line.chars().count() + 1;
        if length > most {
            break;
        }
        lines.push(line);
    }
    let mut text = lines.join("\n");
    if let Some(others @ [_, ..]) = found.get(lines.len()..) {
        let names: Vec<&str> = others.iter().map(|entry| entry.name.as_str()).take(8).collect();
        let dots = if names.len() < others.len() { " ..." } else { "" };
        let gap = if text.is_empty() { "" } else { "\n" };
        text.push_str(&format!("{gap}{} more: {}{dots}", others.len(), names.join(" ")));
    }
    text
}
