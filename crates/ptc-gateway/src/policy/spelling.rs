//! The spellings of paths and addresses: what leads to the same place is compared as the same.
//!
//! Paths are texts from the root with `/` between their parts, on every system.

use std::fs;
use std::path::{Path, PathBuf};

use indexmap::IndexSet;
use percent_encoding::percent_decode_str;
use url::Url;

/// How often a text may be percent-encoded.
const MOST_ENCODED: usize = 4;

/// Links that are followed in one path, as Linux does.
const MOST_LINKS: usize = 40;

/// Bytes of a path that a system opens: links in longer ones are not followed.
const LONGEST: usize = 4096;

/// Where relative paths of a server begin.
#[derive(Debug, Clone)]
pub(super) struct Folder {
    path: String,
    /// The same without links.
    real: String,
}

impl Folder {
    pub fn new(path: &Path) -> Folder {
        // An empty path is that of this process.
        let path = std::path::absolute(Path::new(".").join(path)).unwrap_or_else(|_| path.to_owned());
        let path = plain(&separated(&path.to_string_lossy()));
        let real = followed("", &path);
        Folder { path, real }
    }

    /// One that is not known, as that of a server elsewhere: no path from the root leads there.
    pub fn unknown() -> Folder {
        let path = "/\0".to_owned();
        Folder { real: path.clone(), path }
    }

    /// The path from here, if it is inside.
    pub fn inside(&self, path: &str) -> Option<String> {
        [&self.path, &self.real].into_iter().find_map(|folder| {
            let rest = path.strip_prefix(folder.as_str())?;
            if rest.is_empty() { Some(String::new()) } else { rest.strip_prefix('/').map(str::to_owned) }
        })
    }
}

/// All paths that a text may lead to: decoded or not, with either separator, and with and without following links.
pub(super) fn paths(text: &str, folder: &Folder) -> Vec<String> {
    let mut found = Vec::new();
    for text in decoded(text) {
        let with_slashes = text.contains('\\').then(|| text.replace('\\', "/"));
        for text in [Some(text), with_slashes].into_iter().flatten() {
            let local = local(&text);
            let (begin, real) = if is_rooted(&local) { ("", "") } else { (folder.path.as_str(), folder.real.as_str()) };
            let plain = plain(&format!("{begin}/{local}"));
            let followed_once = if local.len() <= LONGEST { followed(real, &local) } else { plain.clone() };
            // `..` after a link leads elsewhere for a system than for a program that removes it first.
            if local.contains("..") && plain.len() <= LONGEST {
                found.push(followed("", &plain));
            }
            // Where the system ignores case, or has short names, too.
            if cfg!(any(windows, target_os = "macos")) {
                found.extend(
                    fs::canonicalize(system(&plain)).map(|path| self::plain(&separated(&path.to_string_lossy()))),
                );
            }
            // Mostly the same.
            if followed_once != plain {
                found.push(followed_once);
            }
            found.push(plain);
        }
    }
    found
}

/// All addresses that a text may be, as clients send them; none for a text that is not one.
pub(super) fn urls(text: &str) -> IndexSet<String> {
    let mut found = IndexSet::new();
    for text in decoded(text).into_iter().filter(|text| text.contains("://")) {
        let Ok(mut url) = Url::parse(text.trim()) else { continue };
        found.insert(url.to_string());
        let path = url.path().split('/').filter(|part| !part.is_empty()).collect::<Vec<_>>().join("/");
        let ends = if url.path().ends_with('/') && !path.is_empty() { "/" } else { "" };
        url.set_path(&format!("/{path}{ends}"));
        // An address without a host has no user either.
        let _unchanged = url.set_username("").and_then(|()| url.set_password(None));
        if let Some(host) = url.host_str().and_then(|host| host.strip_suffix('.')).map(str::to_owned) {
            let _unchanged = url.set_host(Some(&host));
        }
        found.insert(url.to_string());
    }
    found
}

/// Whether a text is a path from a root, of whatever system.
pub(super) fn is_rooted(text: &str) -> bool {
    let drive = matches!(text.as_bytes(), [letter, b':', b'/' | b'\\', ..] if letter.is_ascii_alphabetic());
    drive || text.starts_with(['/', '\\']) || is_file_url(text) || is_home(text)
}

pub(super) fn is_file_url(text: &str) -> bool {
    text.get(.."file:".len()).is_some_and(|scheme| scheme.eq_ignore_ascii_case("file:"))
}

fn is_home(text: &str) -> bool {
    text == "~" || text.starts_with("~/") || text.starts_with("~\\")
}

/// A pattern from the root, as paths are compared with it.
pub(super) fn rooted(pattern: &str) -> String {
    let pattern = if is_file_url(pattern) { decoded(pattern).pop().unwrap_or_default() } else { pattern.to_owned() };
    plain(&separated(&local(&pattern)))
}

/// A pattern in the folder of a server.
pub(super) fn relative(pattern: &str) -> String {
    plain(&separated(pattern)).trim_start_matches('/').to_owned()
}

/// A path that begins where the beginning of a pattern leads, with that beginning as it is written.
pub(super) fn as_written(path: &str, begin: &str) -> Option<String> {
    // Without a `*` the whole pattern is a path.
    let (folder, end) = begin.rsplit_once('/').unwrap_or((begin, ""));
    let whole = followed("", begin);
    if !end.is_empty() && whole == path {
        return Some(begin.to_owned());
    }
    let rest = path.strip_prefix(followed("", folder).trim_end_matches('/'))?;
    rest.starts_with('/').then(|| format!("{folder}{rest}"))
}

/// The text, and what it is once decoded, until nothing is encoded any more.
fn decoded(text: &str) -> Vec<String> {
    let mut found = vec![text.to_owned()];
    for _ in 0..MOST_ENCODED {
        let Some(last) = found.last().filter(|last| last.contains('%')) else { break };
        let next = percent_decode_str(last).decode_utf8_lossy().into_owned();
        if next == *last {
            break;
        }
        found.push(next);
    }
    found
}

/// A path without `file:` and its host, and without `~`.
fn local(text: &str) -> String {
    if is_file_url(text) {
        let rest = text.get("file:".len()..).unwrap_or_default();
        let path =
            rest.strip_prefix("//").map_or(rest, |rest| rest.find('/').and_then(|at| rest.get(at..)).unwrap_or("/"));
        return if path.starts_with('/') { path.to_owned() } else { format!("/{path}") };
    }
    let home = if is_home(text) { std::env::home_dir() } else { None };
    home.map_or_else(
        || text.to_owned(),
        |home| format!("{}{}", separated(&home.to_string_lossy()), text.get(1..).unwrap_or_default()),
    )
}

/// The same with `/` where it is a path of Windows.
fn separated(path: &str) -> String {
    let path = path.strip_prefix(r"\\?\").unwrap_or(path);
    let is_of_windows = path.contains('\\') && (cfg!(windows) || is_rooted(path) && !path.starts_with('/'));
    if is_of_windows { path.replace('\\', "/") } else { path.to_owned() }
}

/// A path from the root without empty parts, `.` and `..`.
fn plain(path: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    format!("/{}", parts.join("/"))
}

/// Where a path leads from a folder without links when the system follows its links, also one that leads to nothing yet.
fn followed(folder: &str, path: &str) -> String {
    let mut at = folder.trim_end_matches('/').to_owned();
    // The targets of links, which are followed before what comes after the links.
    let (mut open, mut links) = (vec![path.to_owned()], 0);
    while let Some(rest) = open.pop() {
        let (part, after) = rest.split_once('/').unwrap_or((rest.as_str(), ""));
        if !after.is_empty() {
            open.push(after.to_owned());
        }
        match part {
            "" | "." => continue,
            ".." => {
                at.truncate(at.rfind('/').unwrap_or(0));
                continue;
            }
            part => at = format!("{at}/{part}"),
        }
        let Ok(target) = fs::read_link(system(&at)) else { continue };
        links += 1;
        if links > MOST_LINKS {
            continue;
        }
        let target = separated(&target.to_string_lossy());
        at.truncate(if is_rooted(&target) { 0 } else { at.rfind('/').unwrap_or(0) });
        open.push(target);
    }
    if at.is_empty() { "/".to_owned() } else { at }
}

/// A path as the system takes it.
fn system(path: &str) -> PathBuf {
    let drive = path.strip_prefix('/').filter(|path| is_rooted(path) && cfg!(windows));
    PathBuf::from(drive.unwrap_or(path))
}
