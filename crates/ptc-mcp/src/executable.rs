//! The file that a command starts, and whether it can be started.

#[cfg(test)]
#[cfg(unix)]
mod tests;

use std::path::{Path, PathBuf};

use ptc_lisp::text::{escaped, shortened};

/// The file of a command: a path relative to `folder`, or a name on the search path. Errors say why it could not be
/// started, and what to do.
pub fn find_executable(command: &str, folder: &Path) -> Result<PathBuf, String> {
    if !command.contains(['/', std::path::MAIN_SEPARATOR]) {
        return match on_search_path(command) {
            Some(path) => startable(path, command),
            None if folder.join(command).is_file() => Err(format!(
                "there is no command `{command}` on the search path; write `./{command}` for the file next to the mission"
            )),
            None => Err(missing(command, folder)),
        };
    }
    match std::path::absolute(folder.join(command)) {
        Ok(path) if is_executable(&path) => startable(path, command),
        Ok(path) if path.is_file() => {
            Err(format!("`{command}` is not executable: run `chmod +x {}`{}", named(&path), instead(command)))
        }
        _ => Err(missing(command, folder)),
    }
}

fn named(path: &Path) -> String {
    shortened(&escaped(&path.to_string_lossy()), 300).into_owned()
}

fn missing(command: &str, folder: &Path) -> String {
    let folder = named(folder);
    format!("there is no command `{command}`; install it, or name an executable file, relative to {folder}")
}

/// How to start a script that the system cannot start directly.
fn instead(command: &str) -> String {
    let interpreter = match Path::new(command).extension().and_then(|ending| ending.to_str()) {
        Some("py") => "python3",
        Some("js" | "mjs") => "node",
        Some("rb") => "ruby",
        Some("sh") => "sh",
        _ => return String::new(),
    };
    format!(", or write command = [\"{interpreter}\", \"{command}\"]")
}

fn on_search_path(name: &str) -> Option<PathBuf> {
    let paths = std::env::var_os("PATH")?;
    let endings = if cfg!(windows) { [".exe", ".cmd", ".bat", ""].as_slice() } else { [""].as_slice() };
    std::env::split_paths(&paths)
        .flat_map(|path| endings.iter().map(move |ending| path.join(format!("{name}{ending}"))))
        .find(|path| is_executable(path))
}

/// The executable, unless its first line says that it cannot be started.
#[cfg(unix)]
fn startable(path: PathBuf, command: &str) -> Result<PathBuf, String> {
    let Some(begin) = begin_of(&path) else { return Ok(path) };
    let Some(line) = begin.strip_prefix(b"#!") else {
        return if is_text(&begin) { Err(no_interpreter(command)) } else { Ok(path) };
    };
    let line = String::from_utf8_lossy(line.split(|byte| *byte == b'\n').next().unwrap_or_default()).into_owned();
    let told = |interpreter: &str| match interpreter.strip_suffix('\r') {
        Some(_) => {
            format!("`{command}` has Windows line endings, so its interpreter is not found: save it with those of Unix")
        }
        None => format!(
            "the first line of `{command}` names `{interpreter}`, which is not there: install it, or name another one"
        ),
    };
    let mut words = line.split([' ', '\t']).filter(|word| !word.is_empty());
    match words.next() {
        None => Err(no_interpreter(command)),
        Some(interpreter) if interpreter.starts_with('/') && !Path::new(interpreter).exists() => Err(told(interpreter)),
        Some(interpreter) if interpreter.ends_with("/env") => {
            // Options and variables of `env` precede the name.
            match words.find(|word| !word.starts_with('-') && !word.contains('=')) {
                Some(name) if !name.contains('/') && on_search_path(name).is_none() => Err(told(name)),
                _ => Ok(path),
            }
        }
        Some(_) => Ok(path),
    }
}

#[cfg(not(unix))]
fn startable(path: PathBuf, _: &str) -> Result<PathBuf, String> {
    Ok(path)
}

#[cfg(unix)]
fn no_interpreter(command: &str) -> String {
    let interpreter = if command.ends_with(".py") { "#!/usr/bin/env python3" } else { "#!/bin/sh" };
    let way = instead(command);
    format!(
        "`{command}` is a text that does not say what runs it: begin the file with a line such as `{interpreter}`{way}"
    )
}

/// The first bytes of a readable file.
#[cfg(unix)]
fn begin_of(path: &Path) -> Option<Vec<u8>> {
    use std::io::Read;
    let mut begin = Vec::new();
    std::fs::File::open(path).ok()?.take(256).read_to_end(&mut begin).ok()?;
    Some(begin)
}

/// Whether no program that the system starts directly begins like this.
#[cfg(unix)]
fn is_text(begin: &[u8]) -> bool {
    let is_whole = std::str::from_utf8(begin).map_or_else(|error| error.error_len().is_none(), |_| true);
    is_whole && begin.iter().all(|byte| !byte.is_ascii_control() || byte.is_ascii_whitespace())
}

#[cfg(unix)]
fn is_executable(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    path.metadata().is_ok_and(|found| found.is_file() && found.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_executable(path: &Path) -> bool {
    path.is_file()
}
