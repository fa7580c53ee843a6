//! What an error about a name suggests.

use super::{Analyzer, Reason, Span, forms, namespace};
use crate::nearest::{nearest, nearest_ranked};

/// Names of Clojure and Java that do not exist here, and what to do instead.
const REFUSED: &[(&str, &str)] = &[
    ("slurp", "no file I/O"),
    ("spit", "no file I/O; return the text instead"),
    ("load-file", "no file I/O"),
    ("line-seq", "no file I/O; use split-lines on a string"),
    ("file-seq", "no file I/O"),
    ("with-open", "no file I/O"),
    ("read-line", "no input; the data is in data/"),
    ("sh", "no processes"),
    ("eval", "programs cannot run other programs; write a function with defn"),
    ("load-string", "programs cannot run other programs; write a function with defn"),
    ("read-string", "use parse-long, parse-double or the tools for parsing"),
    ("resolve", "names cannot be looked up at run time; use a map of functions"),
    ("ns-resolve", "names cannot be looked up at run time; use a map of functions"),
    ("find-var", "names cannot be looked up at run time; use a map of functions"),
    ("intern", "use def"),
    ("alter-var-root", "use def to redefine a name"),
    ("binding", "no dynamic variables; pass the value as an argument or use let"),
    ("with-redefs", "no dynamic variables; pass the function as an argument"),
    ("set!", "use an atom with reset! or swap!"),
    ("in-ns", "no namespaces; definitions are simply there"),
    ("refer", "no namespaces; use the prefix, for example str/join"),
    ("defmacro", "no macros; write a function with defn"),
    ("macroexpand", "no macros"),
    ("macroexpand-1", "no macros"),
    ("gensym", "no macros"),
    ("defmulti", "use case, cond or a map of functions"),
    ("defmethod", "use case, cond or a map of functions"),
    ("defprotocol", "use maps and functions"),
    ("extend-protocol", "use maps and functions"),
    ("extend-type", "use maps and functions"),
    ("defrecord", "use maps"),
    ("deftype", "use maps"),
    ("defstruct", "use maps"),
    ("reify", "use maps of functions"),
    ("proxy", "use maps of functions"),
    ("future", "use pmap or pcalls"),
    ("promise", "use pmap or pcalls"),
    ("deliver", "use pmap or pcalls"),
    ("pvalues", "use pmap or pcalls"),
    ("agent", "use an atom, or pmap and pcalls"),
    ("send", "use an atom with swap!"),
    ("send-off", "use an atom with swap!"),
    ("ref", "use an atom"),
    ("dosync", "use an atom with swap!"),
    ("alter", "use an atom with swap!"),
    ("commute", "use an atom with swap!"),
    ("ref-set", "use an atom with reset!"),
    ("locking", "no threads; use an atom"),
    ("monitor-enter", "no threads; use an atom"),
    ("monitor-exit", "no threads; use an atom"),
    ("import", "no Java classes"),
    ("class", "use type"),
    ("bean", "no Java objects"),
    ("gen-class", "no Java classes"),
    ("into-array", "no arrays; use vec"),
    ("to-array", "no arrays; use vec"),
    ("make-array", "no arrays; use vec"),
    ("aget", "no arrays; use nth"),
    ("aset", "no arrays; use assoc"),
    ("Exception.", "use (ex-info \"message\" {})"),
    ("RuntimeException.", "use (ex-info \"message\" {})"),
    ("IllegalArgumentException.", "use (ex-info \"message\" {})"),
    ("StringBuilder.", "use str and str/join"),
];

/// Words that are no names by themselves.
const MISPLACED: &[(&str, &str)] = &[
    ("data", "write data/ and a key, for example data/items"),
    ("tool", "write tool/ and a name, for example (tool/search {})"),
    ("user", "write the name of the definition itself"),
    ("memory", "definitions of earlier turns go by their own names"),
    ("catch", "catch stands inside (try ...)"),
    ("finally", "finally stands inside (try ...)"),
    ("else", "the last test of cond is :else"),
    ("None", "write nil"),
    ("null", "write nil"),
    ("undefined", "write nil"),
    ("True", "write true"),
    ("False", "write false"),
];

/// Longest list of names in a message, in bytes.
const MAX_LIST: usize = 360;

/// Whether a name is refused with a hint; calls of it are not looked into.
pub(super) fn is_refused(name: &str) -> bool {
    refusal(name).is_some()
}

fn refusal(name: &str) -> Option<&'static str> {
    REFUSED.iter().find(|(known, _)| *known == name).map(|(_, instead)| *instead)
}

/// Names in a row, sorted, cut where the list gets long; `None` when there are none.
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
        let shown = if name.chars().count() > 80 { name.chars().take(77).chain("...".chars()).collect() } else { name.to_owned() };
        let text = match self.hint(name) {
            Some(hint) => format!("undefined symbol '{shown}'. {hint}"),
            None => format!("undefined symbol '{shown}'"),
        };
        self.problem(Reason::UndefinedSymbol, text, span);
    }

    fn hint(&self, name: &str) -> Option<String> {
        if forms::find(name).is_some() {
            return Some(format!("Hint: '{name}' is a special form, write ({name} ...)"));
        }
        if let Some(instead) = refusal(name) {
            return Some(format!("Not available: {instead}"));
        }
        if let Some((_, instead)) = MISPLACED.iter().find(|(known, _)| *known == name) {
            return Some(format!("Hint: {instead}"));
        }
        if name.starts_with('.') && name.len() > 1 {
            let mut methods: Vec<String> = self.names.builtin_names().into_iter().map(str::to_owned).collect();
            methods.retain(|method| method.starts_with('.') && method.len() > 1);
            return listed(methods).map(|list| format!("Available methods: {list}"));
        }
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
        let candidates = self.candidates();
        nearest_ranked(name, candidates.iter().map(|(rank, known)| (*rank, known.as_str()))).map(did_you_mean)
    }

    fn resolves(&self, name: &str) -> bool {
        self.is_local(name)
            || self.is_definition(name)
            || self.names.tool(name).is_some()
            || self.names.has_data(name)
            || self.names.builtin(None, name).is_some()
    }

    /// Every name that the program could have meant: its own first, then what it was given, then the language's.
    fn candidates(&self) -> Vec<(u8, String)> {
        let locals = self.local_names();
        let own = self.survey.definitions.keys().cloned().chain(self.names.definitions());
        let given = self.names.tools().into_iter().chain(self.names.data_names());
        let builtins = self.names.builtin_names().into_iter().filter(|name| !name.starts_with('%')).map(str::to_owned);
        let language = builtins.chain(forms::names().map(str::to_owned));
        let ranked = |rank| move |name| (rank, name);
        locals.into_iter().map(ranked(0)).chain(own.map(ranked(1))).chain(given.map(ranked(2))).chain(language.map(ranked(3))).collect()
    }

    /// `. Did you mean 'tool/search'?` for the nearest of the names in a namespace; empty when none is near.
    pub(super) fn nearest_in(&self, namespace: &str, name: &str, known: &[String]) -> String {
        let found = nearest(name, known.iter().map(String::as_str));
        found.map(|known| format!(". {}", did_you_mean(&format!("{namespace}/{known}")))).unwrap_or_default()
    }

    /// `. Did you mean 'data/items'?` for the nearest namespace; of equally near ones, one that has this name.
    pub(super) fn nearest_namespace(&self, prefix: &str, name: &str) -> String {
        let mut known: Vec<(u8, &str)> = ["data", "tool", "user"].map(|known| (0, known)).to_vec();
        known.extend(self.aliases.keys().map(|known| (0, known.as_str())));
        let has_it = |known| namespace::members(namespace::title(known)).contains(&name);
        known.extend(namespace::prefixes().map(|known| (if has_it(known) { 1 } else { 2 }, known)));
        let found = nearest_ranked(prefix, known);
        found.map(|known| format!(". {}", did_you_mean(&format!("{known}/{name}")))).unwrap_or_default()
    }

    /// `no string function named capwords; available: blank?, …`
    pub(super) fn unknown_member(&self, prefix: &str, name: &str) -> String {
        let title = namespace::title(prefix);
        let members = namespace::members(title).into_iter();
        let known: Vec<String> = members
            .filter(|member| {
                self.names.builtin(Some(prefix), member).is_some()
                    || self.names.constant(&namespace::constant_name(prefix, member)).is_some()
            })
            .map(str::to_owned)
            .collect();
        match listed(known) {
            Some(list) => format!("no {title} function named {name}; available: {list}"),
            None => match self.hint(name) {
                Some(hint) => format!("no {title} function named {name}. {hint}"),
                None => format!("no {title} function named {name}"),
            },
        }
    }
}

fn did_you_mean(name: &str) -> String {
    format!("Did you mean '{name}'?")
}

/// The name without hyphen, underscore and case.
fn fold(name: &str) -> String {
    name.chars().filter(|character| !matches!(character, '-' | '_')).flat_map(char::to_lowercase).collect()
}
