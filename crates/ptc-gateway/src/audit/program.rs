//! The texts of programs in the audit log: without what is written under hidden names.

use ptc_lisp::syntax::{TokenKind, tokens};

use super::HIDDEN;

/// Characters of a text in a program below which it is too common to be searched for in errors.
const LEAST_HIDDEN: usize = 8;

/// What the audit log keeps of the text of a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum AuditedPrograms {
    /// The text, without texts and numbers that are written under names to be hidden.
    #[default]
    Text,
    /// The SHA-256 of the text as its client sent it.
    Hash,
}

/// The program without texts and numbers after names that are hidden, and these texts.
pub(super) fn visible(source: &str, hides: impl Fn(&str) -> bool) -> (String, Vec<&str>) {
    let (mut shown, mut hidden, mut done) = (String::new(), Vec::new(), 0);
    let mut walk = Walk::default();
    for token in tokens(source) {
        let (start, end) = (token.span.start as usize, token.span.end as usize);
        let text = source.get(start..end).unwrap_or_default();
        if walk.is_hidden() && matches!(token.kind, TokenKind::Text | TokenKind::Number) {
            shown.push_str(source.get(done..start).unwrap_or_default());
            shown.push_str(&format!("\"{HIDDEN}\""));
            done = end;
            hidden.push(text.trim_matches('"'));
        }
        walk.pass(token.kind, names(token.kind, text).is_some_and(&hides));
    }
    shown.push_str(source.get(done..).unwrap_or_default());
    (shown, hidden)
}

/// An error about a program, without the texts that are hidden in it.
pub(super) fn visible_error(error: &str, hidden: &[&str]) -> String {
    let searched = hidden.iter().filter(|text| text.chars().count() >= LEAST_HIDDEN);
    searched.fold(error.to_owned(), |error, text| error.replace(text, HIDDEN))
}

/// The name that a token is, as a key of a map, of a definition or of a binding. `_` alone is a value that is not used.
fn names(kind: TokenKind, text: &str) -> Option<&str> {
    let name = match kind {
        TokenKind::Keyword => text.trim_start_matches(':'),
        TokenKind::Text => text.strip_prefix('"')?.strip_suffix('"')?,
        TokenKind::Name => text,
        _ => return None,
    };
    let name = name.rsplit_once('/').map_or(name, |(_, name)| name);
    (!name.is_empty() && name != "_").then_some(name)
}

/// Where a program is, with respect to the form after a hidden name.
#[derive(Default)]
struct Walk {
    depth: usize,
    /// The depth outside the hidden form that the walk is in.
    inside: Option<usize>,
    /// Whether the next form is hidden.
    is_next: bool,
}

impl Walk {
    fn is_hidden(&self) -> bool {
        self.is_next || self.inside.is_some()
    }

    fn pass(&mut self, kind: TokenKind, is_hidden_name: bool) {
        let is_form = !matches!(kind, TokenKind::Comment | TokenKind::Mark | TokenKind::Close);
        if self.is_next && kind == TokenKind::Open && self.inside.is_none() {
            self.inside = Some(self.depth);
        }
        match kind {
            TokenKind::Open => self.depth += 1,
            TokenKind::Close => self.depth = self.depth.saturating_sub(1),
            _ => {}
        }
        if kind == TokenKind::Close && self.inside.is_some_and(|outside| self.depth <= outside) {
            self.inside = None;
        }
        self.is_next = is_hidden_name || self.is_next && !is_form && kind != TokenKind::Close;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn shown(source: &str) -> String {
        visible(source, |name| name.starts_with('_') || name == "api-key").0
    }

    #[test]
    fn what_is_under_hidden_names_is_not_written() {
        for (source, expected) in [
            (r#"(tool/pay {:n 1 :_card "4711" :m 2})"#, r#"(tool/pay {:n 1 :_card "[hidden]" :m 2})"#),
            (r#"{"_pin" 1234 "pin" 1}"#, r#"{"_pin" "[hidden]" "pin" 1}"#),
            (r#"(def _key (str "ab" (f "cd"))) "open""#, r#"(def _key (str "[hidden]" (f "[hidden]"))) "open""#),
            (r#"(let [_ (tool/pay {:n 1}) api-key "x"] 2)"#, r#"(let [_ (tool/pay {:n 1}) api-key "[hidden]"] 2)"#),
            (r#"{:more [{:_a ["x" {:b 1}]} "y"]}"#, r#"{:more [{:_a ["[hidden]" {:b "[hidden]"}]} "y"]}"#),
            (r#"(fn [_a] "x")"#, r#"(fn [_a] "x")"#),
            (
                r#"{:_a ; which one
              "x"}"#,
                r#"{:_a ; which one
              "[hidden]"}"#,
            ),
            (r#"{:_a '("x") :b "y"}"#, r#"{:_a '("[hidden]") :b "y"}"#),
            (r#"{:_a :_b "x"}"#, r#"{:_a :_b "[hidden]"}"#),
            (r#"{:_a "unfinished"#, r#"{:_a "[hidden]""#),
        ] {
            assert_eq!(shown(source), expected);
        }
        let (_, hidden) = visible(r#"{:_a "secret-text" :_b 12}"#, |name| name.starts_with('_'));
        assert_eq!(visible_error("no \"secret-text\" in 12", &hidden), "no \"[hidden]\" in 12");
    }

    fn value() -> impl Strategy<Value = String> {
        let leaf = prop_oneof![Just("\"canary\"".to_owned()), Just("data/x".to_owned()), Just(":k".to_owned())];
        leaf.prop_recursive(3, 12, 3, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..3).prop_map(|items| format!("[{}]", items.join(" "))),
                prop::collection::vec(inner.clone(), 0..3).prop_map(|items| format!("(str {})", items.join(", "))),
                inner.clone().prop_map(|value| format!("{{:a {value}}}")),
                inner.prop_map(|value| format!("'{value}")),
            ]
        })
    }

    proptest! {
        #[test]
        fn no_text_of_a_hidden_value_is_written_and_all_else_is(
            value in value(), name in prop::sample::select(vec![":_pin", "\"api-key\"", ":api-key", "(def _pin"]), other: u16
        ) {
            let (open, close) = if name.starts_with('(') { ("", ")") } else { ("{", "}") };
            let source = format!("[:before-{other} {open}{name} {value}{close} {{:n \"after-{other}\"}}]");
            let text = shown(&source);
            prop_assert!(!text.contains("canary"), "{source}: {text}");
            prop_assert_eq!(text.replace("[hidden]", "canary"), source);
        }
    }
}
