//! Symbols and keywords.

use super::alphabet::{excerpt, is_name_char, is_name_start};
use super::form::{FormKind, Symbol};

/// The form of a bare name: nil, a boolean or a symbol; the error is a message.
pub(super) fn symbol(text: &str) -> Result<FormKind, String> {
    Ok(match text {
        "nil" => FormKind::Nil,
        "true" => FormKind::Bool(true),
        "false" => FormKind::Bool(false),
        _ if has_stray_colon(text) => {
            let bare = text.replace("::", ":");
            let bare = bare.trim_end_matches(':');
            let shown = excerpt(text);
            return Err(if text.ends_with(':') {
                format!("invalid name '{shown}' (a keyword starts with its colon; write :{})", excerpt(bare))
            } else {
                format!("invalid name '{shown}' (a name may not hold '::')")
            });
        }
        _ => FormKind::Symbol(Symbol::new(text)),
    })
}

/// The keyword written `:text`; the error is a message. As in Clojure, `::x` is `:user/x`.
pub(super) fn keyword(text: &str) -> Result<FormKind, String> {
    if is_keyword_text(text) {
        return Ok(FormKind::Keyword(text.to_owned()));
    }
    if let Some(bare) = text.strip_prefix(':')
        && !bare.contains('/')
        && is_keyword_text(bare)
    {
        return Ok(FormKind::Keyword(format!("user/{bare}")));
    }
    let shown = excerpt(text);
    Err(if text.is_empty() {
        "':' without a name (a keyword is written :name, a map {:key value})".to_owned()
    } else if let Some(bare) = text.strip_prefix(':') {
        format!("invalid keyword '::{0}' (write :{0})", excerpt(bare))
    } else {
        format!("invalid keyword ':{shown}' (it may not end with ':', hold '::', or start or end with '/')")
    })
}

/// The var written `#'text`; the error is a message.
pub(super) fn var(text: &str) -> Result<FormKind, String> {
    let symbol = Symbol::new(text);
    if symbol.ns.is_some() {
        let (whole, name) = (excerpt(text), excerpt(&symbol.name));
        return Err(format!("a var has no namespace (write #'{name}, or {whole} for its value)"));
    }
    if !text.starts_with(is_name_start) || has_stray_colon(text) {
        return Err(format!("expected a name after #', got '{}'", excerpt(text)));
    }
    Ok(FormKind::Var(symbol.name))
}

/// Whether `:name` reads back as the one keyword with that name.
///
/// Letters of any script, digits and `+ - * < > = ? ! _ . & % $ | ' #` everywhere, `/` and `:` inside.
#[must_use]
pub fn is_keyword_name(name: &str) -> bool {
    is_keyword_text(name) && name.chars().all(is_name_char)
}

fn is_keyword_text(text: &str) -> bool {
    !(text.is_empty() || text.starts_with(['/', ':']) || text.ends_with('/') || has_stray_colon(text))
}

fn has_stray_colon(text: &str) -> bool {
    text.contains(':') && (text.ends_with(':') || text.contains("::"))
}
