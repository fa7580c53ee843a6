//! The compile-time twin of the parser: accepts exactly the texts that `Template::parse` accepts.

use super::DEFAULT_MAX_DEPTH;

/// Stop the compilation when `text` is not a template; the workhorse of [`t!`](crate::t).
///
/// # Panics
///
/// When `text` does not parse as a template, which inside a `const` is a compile error.
#[allow(clippy::panic, reason = "evaluated in a const, where a panic is the compile error")]
#[allow(clippy::indexing_slicing, reason = "const code has no iterators; every index is bounded by the loop condition")]
pub const fn check_template(text: &str) {
    let bytes = text.as_bytes();
    let mut open = [(0, 0); DEFAULT_MAX_DEPTH];
    let mut depth = 0;
    let mut at = 0;
    while at + 1 < bytes.len() {
        if !(bytes[at] == b'{' && bytes[at + 1] == b'{') {
            at += 1;
            continue;
        }
        let end = tag_end(bytes, at + 2);
        let (from, to) = trimmed(bytes, at + 2, end);
        let sigil = if from < to { bytes[from] } else { 0 };
        match sigil {
            0 if from == to => panic!("template: a tag has no name"),
            b'!' => {}
            b'#' | b'^' => {
                let name = trimmed(bytes, from + 1, to);
                if name.0 == name.1 {
                    panic!("template: a section has no name");
                }
                if depth == DEFAULT_MAX_DEPTH {
                    panic!("template: sections are nested more than 20 deep");
                }
                open[depth] = name;
                depth += 1;
            }
            b'/' => {
                if depth == 0 {
                    panic!("template: a closing tag is outside every section");
                }
                depth -= 1;
                if !same(bytes, open[depth], trimmed(bytes, from + 1, to)) {
                    panic!("template: a closing tag names another section than the open one");
                }
            }
            _ => {}
        }
        at = end + 2;
    }
    if depth > 0 {
        panic!("template: a section is never closed");
    }
}

/// Offset of the first `}}` at or after `at`.
#[allow(clippy::panic, reason = "evaluated in a const, where a panic is the compile error")]
#[allow(clippy::indexing_slicing, reason = "const code has no iterators; every index is bounded by the loop condition")]
const fn tag_end(bytes: &[u8], mut at: usize) -> usize {
    while at + 1 < bytes.len() {
        if bytes[at] == b'}' && bytes[at + 1] == b'}' {
            return at;
        }
        at += 1;
    }
    panic!("template: a tag is never closed")
}

/// `from..to` without spaces at both ends.
#[allow(clippy::indexing_slicing, reason = "const code has no iterators; every index is bounded by the loop condition")]
const fn trimmed(bytes: &[u8], mut from: usize, mut to: usize) -> (usize, usize) {
    while from < to && is_blank(bytes[from]) {
        from += 1;
    }
    while from < to && is_blank(bytes[to - 1]) {
        to -= 1;
    }
    (from, to)
}

const fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r')
}

#[allow(clippy::indexing_slicing, reason = "const code has no iterators; both ranges lie inside the text")]
const fn same(bytes: &[u8], a: (usize, usize), b: (usize, usize)) -> bool {
    if a.1 - a.0 != b.1 - b.0 {
        return false;
    }
    let mut i = 0;
    while i < a.1 - a.0 {
        if bytes[a.0 + i] != bytes[b.0 + i] {
            return false;
        }
        i += 1;
    }
    true
}
