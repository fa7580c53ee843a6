//! What is known about a name of the language.

use crate::named::named;

named! {
    /// What a name of the language is.
    #[non_exhaustive]
    #[derive(Copy, Clone, Debug, PartialEq, Eq)]
    pub enum ReferenceKind {
        /// A function: it can be passed as a value.
        Function = "function",
        /// A form that is rewritten; a local may take its name.
        Macro = "macro",
        /// A form whose name always means the form.
        SpecialForm = "special form",
        /// A value with a name.
        Constant = "constant",
    }

    /// `function`, `macro`, `special form` or `constant`.
    fn as_str
}

/// One name with everything known about it.
#[derive(Clone, Debug)]
pub struct ReferenceEntry {
    /// The name that programs use, with the short alias of its namespace where that is needed: `str/reverse`.
    pub name: &'static str,
    /// What it is.
    pub kind: ReferenceKind,
    /// Its heading.
    pub family: &'static str,
    /// The namespaces it can be reached through, by short alias; `core` for every bare name.
    pub namespaces: Vec<&'static str>,
    /// Parameter lists: `[coll]`, `[separator coll]`; none for a constant.
    pub params: Vec<String>,
    /// A call, one for each parameter list: `(join separator coll)`.
    pub calls: Vec<String>,
    /// One line: what it returns.
    pub doc: String,
    /// Programs and the text of their values.
    pub examples: &'static [(&'static str, &'static str)],
}

/// Nothing has this name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no function or special form named {name}{}", remedy(.instead, .nearest.as_deref()))]
pub struct UnknownName {
    /// What was looked for.
    pub name: String,
    /// How that is written here, where it is a name of other languages: `(avg coll)` for `average`.
    pub instead: Option<&'static str>,
    /// The known name most like it.
    pub nearest: Option<String>,
}

fn remedy(instead: &Option<&'static str>, nearest: Option<&str>) -> String {
    match (instead, nearest) {
        (Some(form), _) => format!("; write {form}"),
        (None, Some(name)) => format!("; did you mean {name}?"),
        (None, None) => String::new(),
    }
}
