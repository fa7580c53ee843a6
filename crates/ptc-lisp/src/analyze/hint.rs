//! What an error about a name suggests.

#[cfg(test)]
mod tests;

use super::{Analyzer, Reason, Span, forms, namespace};
use crate::error::advice::foreign::{BARE, QUALIFIED};
use crate::error::advice::java::{CLASSES, MEMBERS, METHODS};
use crate::error::advice::words::{MISPLACED, REFUSED};
use crate::error::advice::{instead_of, nearest, nearest_ranked};
use crate::stdlib::table::namespaces;

/// The longest list of names in a message, in bytes.
const MAX_LIST: usize = 360;

/// Forms that bind names, which would all be reported as unknown in a form of another language.
const BINDING: &[&str] = &["(fn ", "(def ", "(defn ", "(let ", "(letfn ", "(doseq ", "(dotimes "];

/// Whether a name is refused with a hint; calls of it are not looked into.
pub(super) fn is_refused(name: &str) -> bool {
    instead_of(REFUSED, name).is_some()
        || instead_of(BARE, name).is_some_and(|instead| BINDING.iter().any(|form| instead.starts_with(form)))
}

/// A list of names, sorted, cut where it gets long; `None` when there are none.
pub(super) fn listed(mut names: Vec<String>) -> Option<String> {
    names.sort();
    let mut list = String::new();
    for (index, name) in names.iter().enumerate() {
        if list.len() + name.len() > MAX_LIST {
            list.push_str(&format!(", ... ({} more)", names.len() - index));
            break;
        }
        if index > 0 {
            list.push_str(", ");
        }
        list.push_str(name);
    }
    (!names.is_empty()).then_some(list)
}

impl Analyzer<'_> {
    /// Report a name that nothing defines, with at most one hint.
    pub(super) fn undefined(&mut self, name: &str, span: Span) {
        if !self.is_news(Reason::UndefinedSymbol, name) {
            return;
        }
        let shown = if name.chars().count() > 80 {
            name.chars().take(77).chain("...".chars()).collect()
        } else {
            name.to_owned()
        };
        let hint = self.hint(name).map(|hint| format!(". {hint}")).unwrap_or_default();
        self.problem(Reason::UndefinedSymbol, format!("undefined symbol '{shown}'{hint}"), span);
    }

    pub(super) fn hint(&self, name: &str) -> Option<String> {
        let write = |instead: &str| format!("Hint: write {instead}");
        let class = || name.strip_suffix('.').and_then(|class| instead_of(CLASSES, without_package(class)));
        let is_own = || self.bindings_under_way.iter().any(|known| known == name);
        word(name)
            .or_else(|| {
                is_own().then(|| format!("Hint: a let binding cannot see itself; write (fn {name} [...] ...) or defn"))
            })
            .or_else(|| number_or_field(name).as_deref().map(write))
            .or_else(|| self.method(name))
            .or_else(|| instead_of(BARE, name).filter(|_| !self.is_given(name)).map(write))
            .or_else(|| class().map(|instead| format!("Not available: {instead}")))
            .or_else(|| self.dotted(name))
            .or_else(|| self.in_a_namespace(name))
            .or_else(|| self.similar(name))
    }

    /// What to write for a `.method`.
    fn method(&self, name: &str) -> Option<String> {
        let function = name.strip_prefix('.').filter(|function| !function.is_empty())?;
        if let Some(instead) = instead_of(METHODS, function).or_else(|| instead_of(BARE, function)) {
            return Some(format!("Hint: write {instead}"));
        }
        if self.names.builtin(None, function).is_some() {
            return Some(did_you_mean(function));
        }
        let mut methods: Vec<String> = self.names.builtin_names().into_iter().map(str::to_owned).collect();
        methods.retain(|method| method.starts_with('.') && method.len() > 1);
        match nearest(name, methods.iter().map(String::as_str)) {
            Some(near) => Some(did_you_mean(near)),
            None => listed(methods).map(|list| format!("Available methods: {list}")),
        }
    }

    /// The name that was meant, apart from style or a typing mistake.
    fn similar(&self, name: &str) -> Option<String> {
        let hyphenated = name.replace('_', "-");
        if hyphenated != name && self.resolves(&hyphenated) {
            return Some(did_you_mean(&hyphenated));
        }
        let folded = fold(name);
        let data = self.names.data_names().into_iter().map(|known| ("data", known));
        let tools = self.names.tools().into_iter().map(|known| ("tool", known));
        if let Some((namespace, known)) = data.chain(tools).find(|(_, known)| fold(known) == folded) {
            return Some(did_you_mean(&format!("{namespace}/{known}")));
        }
        let mut candidates = self.candidates();
        candidates.retain(|(_, known)| {
            known != "call" && !known.starts_with('.') && (!is_ending(known) || is_slip_of(name, known))
        });
        nearest_ranked(name, candidates.iter().map(|(rank, known)| (*rank, known.as_str()))).map(did_you_mean)
    }

    /// Whether something in the program or from the host has this name, apart from style and a plural: then that was
    /// meant.
    fn is_given(&self, name: &str) -> bool {
        let folded = fold(name);
        let given = self.names.data_names().into_iter().chain(self.names.tools());
        let own = self.local_names().into_iter().chain(self.defined_names());
        given.chain(own).any(|known| fold(&known).trim_end_matches('s') == folded.trim_end_matches('s'))
    }

    /// `str.join`, `data.rows`, `rows.length`: the object before a dot.
    fn dotted(&self, name: &str) -> Option<String> {
        let (object, member) =
            name.split_once('.').filter(|(object, member)| !object.is_empty() && !member.is_empty())?;
        let known = match object {
            "data" => self.names.has_data(member),
            "tool" | "tools" => self.names.tool(member).is_some(),
            _ => self.namespace(object).is_some_and(|namespace| self.names.builtin(Some(namespace), member).is_some()),
        };
        if known {
            return Some(did_you_mean(&format!("{}/{member}", if object == "tools" { "tool" } else { object })));
        }
        if let Some(instead) = self.instead_of_member(object, member) {
            return Some(format!("Hint: {instead}"));
        }
        if !self.is_value(object) {
            return None;
        }
        Some(match instead_of(BARE, member) {
            Some(instead) => format!("Hint: write {instead}, the object goes inside"),
            None if member.contains('.') => {
                format!("Hint: a path is written (get-in {object} [:{}])", member.replace('.', " :"))
            }
            None => format!("Hint: a field is written (:{member} {object})"),
        })
    }

    /// A function that needs its namespace: `math/log` for `log`.
    fn in_a_namespace(&self, name: &str) -> Option<String> {
        let known = |namespace: &&&str| self.names.builtin(Some(namespace), name).is_some();
        ["math", "str", "set", "walk", "json"]
            .iter()
            .find(known)
            .map(|namespace| did_you_mean(&format!("{namespace}/{name}")))
    }

    /// What to write instead of a function that a namespace does not have.
    pub(super) fn instead_of_member(&self, prefix: &str, name: &str) -> Option<String> {
        let short = without_package(prefix);
        let member = |prefix: &str| {
            let whole = format!("{prefix}/{name}");
            instead_of(QUALIFIED, &whole).or_else(|| instead_of(MEMBERS, &whole))
        };
        let is_clojure = prefix.starts_with("clojure.") || matches!(short, "str" | "string" | "core" | "math" | "Math");
        let bare = || is_clojure.then(|| instead_of(BARE, name)).flatten();
        let found = member(prefix).or_else(|| member(short)).or_else(bare);
        let refused = || {
            let bare = || is_clojure.then(|| instead_of(REFUSED, name)).flatten();
            instead_of(REFUSED, &format!("{short}/{name}")).or_else(bare)
        };
        let class = || instead_of(CLASSES, prefix).or_else(|| instead_of(CLASSES, short));
        found.map(|instead| format!("write {instead}")).or_else(|| refused().or_else(class).map(str::to_owned))
    }

    /// What to use instead of a library that does not exist here.
    pub(super) fn instead_of_library(name: &str) -> Option<&'static str> {
        instead_of(CLASSES, name)
    }

    /// The definitions of the program and those before it.
    pub(super) fn defined_names(&self) -> impl Iterator<Item = String> {
        self.survey.definitions.keys().cloned().chain(self.names.definitions())
    }

    fn is_value(&self, name: &str) -> bool {
        self.is_local(name) || self.is_definition(name) || self.names.has_data(name)
    }

    fn resolves(&self, name: &str) -> bool {
        self.is_local(name)
            || self.is_definition(name)
            || self.names.tool(name).is_some()
            || self.names.has_data(name)
            || self.names.builtin(None, name).is_some()
    }

    /// Every name that the program could have meant: first its own, then those of the host, then those of the language.
    fn candidates(&self) -> Vec<(u8, String)> {
        let locals = self.local_names();
        let own = self.defined_names();
        let given = self.names.tools().into_iter().chain(self.names.data_names());
        let builtins = self.names.builtin_names().into_iter().filter(|name| !name.starts_with('%')).map(str::to_owned);
        let language = builtins.chain(forms::names().map(str::to_owned));
        let ranked = |rank| move |name| (rank, name);
        locals
            .into_iter()
            .map(ranked(0))
            .chain(own.map(ranked(1)))
            .chain(given.map(ranked(2)))
            .chain(language.map(ranked(3)))
            .collect()
    }

    /// `. Did you mean 'tool/search'?` for the nearest of the names in a namespace; empty when none is near.
    pub(super) fn nearest_in(&self, namespace: &str, name: &str, known: &[String]) -> String {
        let found = nearest(name, known.iter().map(String::as_str));
        found.map(|known| format!(". {}", did_you_mean(&format!("{namespace}/{known}")))).unwrap_or_default()
    }

    /// `. Did you mean 'data/items'?` for the nearest namespace; a namespace of the language counts only if it has this
    /// name.
    pub(super) fn nearest_namespace(&self, prefix: &str, name: &str) -> String {
        let has_it = |known: &str| self.namespace(known).is_some_and(|known| namespace::members(known).contains(&name));
        let meant = prefix.strip_prefix("clojure.").filter(|short| has_it(short));
        let mut known: Vec<(u8, &str)> = ["data", "tool", "user"].map(|known| (0, known)).to_vec();
        known.extend(self.required.aliases.keys().map(|known| (0, known.as_str())).filter(|(_, known)| has_it(known)));
        known.extend(namespaces().map(|known| (1, known.prefix)).filter(|(_, known)| has_it(known)));
        let found = meant.or_else(|| nearest_ranked(prefix, known));
        let found = found.map(|known| format!("{known}/{name}"));
        let bare = || self.names.builtin(None, name).map(|_| name.to_owned());
        found.or_else(bare).map(|name| format!(". {}", did_you_mean(&name))).unwrap_or_default()
    }

    fn has_member(&self, prefix: &str, name: &str) -> bool {
        self.names.builtin(Some(prefix), name).is_some()
            || self.names.constant(&namespace::constant_name(prefix, name)).is_some()
    }

    /// `no string function named capwords; available: blank?, …`
    pub(super) fn unknown_member(&self, prefix: &str, name: &str) -> String {
        let title = namespace::title(prefix);
        if let Some(hint) = self.instead_of_member(prefix, name) {
            return format!("no {title} function named {name}; {hint}");
        }
        if self.names.builtin(None, name).is_some() {
            return format!("no {title} function named {name}. {}", did_you_mean(name));
        }
        let members = namespace::members(prefix).into_iter();
        let known: Vec<String> = members.filter(|member| self.has_member(prefix, member)).map(str::to_owned).collect();
        let rest = listed(known).map(|list| format!("; available: {list}"));
        let rest = rest.or_else(|| self.hint(name).map(|hint| format!(". {hint}"))).unwrap_or_default();
        format!("no {title} function named {name}{rest}")
    }
}

/// A word of the language in the wrong place, or one of another language.
fn word(name: &str) -> Option<String> {
    if matches!(name, "and" | "or") {
        let over_all = if name == "and" { "every?" } else { "some" };
        return Some(format!(
            "Hint: '{name}' is a special form; as a function write #({name} %1 %2), or use ({over_all} pred coll)"
        ));
    }
    // Programs of Python begin so; the form itself does nothing.
    if name == "import" {
        return Some(
            "Hint: nothing is imported; what there is goes by its name, for example (str/join \", \" coll)".to_owned(),
        );
    }
    if forms::find(name).is_some() {
        return Some(format!("Hint: '{name}' is a special form, write ({name} ...)"));
    }
    let refused = instead_of(REFUSED, name).map(|instead| format!("Not available: {instead}"));
    refused.or_else(|| instead_of(MISPLACED, name).map(|instead| format!("Hint: {instead}")))
}

/// `0.5` for `.5`, `(:name m)` for `.-name`.
fn number_or_field(name: &str) -> Option<String> {
    if let Some(field) = name.strip_prefix(".-").filter(|field| !field.is_empty()) {
        return Some(format!("(:{field} m)"));
    }
    let (sign, digits) = match name.strip_prefix('-') {
        Some(rest) => ("-", rest),
        None => ("", name),
    };
    let digits = digits.strip_prefix('.').filter(|digits| digits.starts_with(|c: char| c.is_ascii_digit()))?;
    Some(format!("{sign}0.{digits}"))
}

/// Whether calling this ends the program: it is not suggested for mere similarity.
fn is_ending(name: &str) -> bool {
    matches!(name, "return" | "fail")
}

/// Whether `name` has the letters of `meant` and starts with the same one: `retrun`, `fail!`.
fn is_slip_of(name: &str, meant: &str) -> bool {
    let letters = |text: &str| {
        let mut letters: Vec<char> = text.chars().filter(|c| c.is_alphabetic()).collect();
        letters.sort_unstable();
        letters
    };
    name.chars().next() == meant.chars().next() && letters(name) == letters(meant)
}

/// `ArrayList` for `java.util.ArrayList`.
fn without_package(class: &str) -> &str {
    class.rsplit_once('.').map_or(class, |(_, short)| short)
}

fn did_you_mean(name: &str) -> String {
    format!("Did you mean '{name}'?")
}

/// The name without hyphens, underscores and case.
fn fold(name: &str) -> String {
    name.chars().filter(|character| !matches!(character, '-' | '_')).flat_map(char::to_lowercase).collect()
}
