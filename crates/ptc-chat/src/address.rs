//! Addresses in texts that people and models read: without anything that may be a key.

#[cfg(test)]
mod tests;

use std::fmt;
use std::ops::Range;

/// What is shown instead of a user, a password or a query.
const HIDDEN: &str = "[hidden]";
/// Characters below which a part of an address, or a key, is too common to be searched for in texts.
const LEAST_SECRET: usize = 8;

/// The address for display: the user and password before the host and what follows `?` are `[hidden]`.
///
/// The input may lack the scheme, or be wrong in another way. A password may hold a `/`, so everything before an `@` in
/// the path is hidden, unless a segment of the path begins with the `@` and there is no colon before it. Where a
/// password cannot be distinguished from a port, only the scheme is left. What follows `#` stays, as it names a model.
///
/// ```
/// let address = "https://me:secret@llm.example/v1?key=secret#qwen3";
/// assert_eq!(ptc_chat::shown_address(address), "https://[hidden]@llm.example/v1?[hidden]#qwen3");
/// ```
#[must_use]
pub fn shown_address(address: &str) -> String {
    replaced(address, secrets(address), |_| HIDDEN.to_owned())
}

/// The text with every `SCHEME://…` in it as [`shown_address`] shows it.
#[must_use]
pub fn shown_addresses(text: &str) -> String {
    replaced(text, secrets_in(text), |_| HIDDEN.to_owned())
}

/// The same, character for character, with `*` for each hidden one: for lines with a place marked below them.
#[must_use]
pub fn masked_addresses(text: &str) -> String {
    replaced(text, secrets_in(text), |secret| secret.chars().map(|_| '*').collect())
}

fn replaced(text: &str, secrets: Vec<Range<usize>>, by: impl Fn(&str) -> String) -> String {
    let (mut shown, mut done) = (String::new(), 0);
    for secret in secrets {
        shown.push_str(text.get(done..secret.start).unwrap_or_default());
        done = secret.end;
        shown.push_str(&by(text.get(secret).unwrap_or_default()));
    }
    shown.push_str(text.get(done..).unwrap_or_default());
    shown
}

/// Where the secrets of all addresses in a text are.
fn secrets_in(text: &str) -> Vec<Range<usize>> {
    let (mut found, mut at) = (Vec::new(), 0);
    while let Some(colon) = text.get(at..).and_then(|rest| rest.find("://")).map(|colon| at + colon) {
        let is_scheme = |c: char| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.');
        let start = at + text.get(at..colon).unwrap_or_default().trim_end_matches(is_scheme).len();
        let ends = |c: char| c.is_whitespace() || c.is_control() || matches!(c, '"' | '`' | '<' | '>');
        let all = text.get(start..).unwrap_or_default().split(ends).next().unwrap_or_default();
        // Punctuation that ends a sentence is not part of the address.
        let address = all.trim_end_matches([')', ',', ';', ':', '.', '!', '\'']);
        found.extend(secrets(address).into_iter().map(|Range { start: from, end: to }| start + from..start + to));
        at = start + address.len();
    }
    found
}

/// Where the secrets of an address are: before the host, and after `?`.
fn secrets(address: &str) -> Vec<Range<usize>> {
    let Parts { scheme, user, host, path, query, .. } = parts(address);
    let start = scheme.map_or(0, |scheme| scheme.len() + "://".len());
    let after_user = start + user.len();
    let host_at =
        if address.get(after_user..).is_some_and(|rest| rest.starts_with('@')) { after_user + 1 } else { start };
    let query_at = host_at + host.len() + path.len() + "?".len();
    // A `/`, `?` or `#` in a password ends the part that is read as the host.
    let is_cut = (scheme.is_some() && !ends_in_port(host)) || (host.contains(':') && query.contains('@'));
    let found = if user.is_empty() && is_cut {
        [start..address.len(), 0..0]
    } else {
        [start..after_user, query_at..query_at + query.len()]
    };
    found.into_iter().filter(|secret| !secret.is_empty()).collect()
}

/// What no text about a server may quote: the secret parts of its address, and keys.
#[derive(Clone, Default)]
pub struct AddressSecrets {
    texts: Vec<String>,
}

impl AddressSecrets {
    /// The parts of an address that [`shown_address`] hides, those of at least 8 characters: as written, and without
    /// percent-encoding, as clients and servers read them.
    #[must_use]
    pub fn of(address: &str) -> AddressSecrets {
        let Parts { user, query, .. } = parts(address);
        let (name, password) = user.split_once(':').unwrap_or((user, ""));
        let values = query.split('&').map(|pair| pair.split_once('=').map_or(pair, |(_, value)| value));
        let written = [user, name, password, query].into_iter().chain(values);
        // In a query `+` may be a space.
        let all = written.flat_map(|part| [part.to_owned(), decoded(part), decoded(&part.replace('+', " "))]);
        all.fold(AddressSecrets::default(), |known, text| known.and(&text))
    }

    /// The same plus a key, if it has at least 8 characters.
    #[must_use]
    pub fn and(mut self, key: &str) -> AddressSecrets {
        if key.chars().nth(LEAST_SECRET - 1).is_some() && !self.texts.iter().any(|text| text == key) {
            self.texts.push(key.to_owned());
            // The longest first: others may be parts of it.
            self.texts.sort_by_key(|text| std::cmp::Reverse(text.len()));
        }
        self
    }

    /// The same plus the secret parts of another address, as [`AddressSecrets::of`] finds them.
    #[must_use]
    pub fn and_those_of(self, address: &str) -> AddressSecrets {
        AddressSecrets::of(address).texts.iter().fold(self, |known, text| known.and(text))
    }

    /// The text with `[hidden]` where it quotes one of them, and with other addresses as [`shown_address`] shows them.
    #[must_use]
    pub fn hidden_in(&self, text: &str) -> String {
        self.texts.iter().fold(shown_addresses(text), |text, secret| text.replace(secret, HIDDEN))
    }
}

/// The text with each `%XX` replaced by its byte.
fn decoded(part: &str) -> String {
    let mut pieces = part.split('%');
    let mut bytes = pieces.next().unwrap_or_default().as_bytes().to_vec();
    for piece in pieces {
        let byte = piece.get(..2).and_then(|digits| u8::from_str_radix(digits, 16).ok());
        bytes.push(byte.unwrap_or(b'%'));
        bytes.extend(piece.bytes().skip(if byte.is_some() { 2 } else { 0 }));
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

impl fmt::Debug for AddressSecrets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AddressSecrets").field("count", &self.texts.len()).finish()
    }
}

struct Parts<'a> {
    scheme: Option<&'a str>,
    user: &'a str,
    /// Includes the port.
    host: &'a str,
    path: &'a str,
    query: &'a str,
}

fn parts(address: &str) -> Parts<'_> {
    let (scheme, rest) = address.split_once("://").map_or((None, address), |(scheme, rest)| (Some(scheme), rest));
    let rest = rest.split('#').next().unwrap_or_default();
    let (rest, query) = rest.split_once('?').unwrap_or((rest, ""));
    let authority = rest.split(['/', '\\']).next().unwrap_or_default();
    let first = authority.rfind('@');
    let host = authority.get(first.map_or(0, |at| at + 1)..).unwrap_or_default();
    // A password may hold a `/`. A segment of a path may begin with `@`, if what is before it has no colon.
    let is_late = |at: &usize| {
        *at > authority.len() && (host.contains(':') || !rest.get(..*at).unwrap_or_default().ends_with('/'))
    };
    let last = rest.rmatch_indices('@').map(|(at, _)| at).find(is_late).or(first);
    let (user, rest) = last.and_then(|at| Some((rest.get(..at)?, rest.get(at + 1..)?))).unwrap_or(("", rest));
    let (host, path) = rest.split_at(rest.find(['/', '\\']).unwrap_or(rest.len()));
    Parts { scheme, user, host, path, query }
}

/// Whether what follows the last colon can be a port; else it may be a password that holds a `/`.
fn ends_in_port(host: &str) -> bool {
    let after_brackets = host.rsplit_once(']').map_or(host, |(_, after)| after);
    after_brackets.split_once(':').is_none_or(|(_, port)| port.bytes().all(|byte| byte.is_ascii_digit()))
}
