//! The fenced examples of the documentation, for the tests that run them: those of ptc-cli, and the doctests of this
//! package.

pub mod shell;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Pages without examples to run: what was written for a release, how decisions were made, and the page of functions,
/// whose examples are those of the function table and run with it.
const LEFT_OUT: [&str; 3] = ["docs/changelog.md", "docs/decisions/", "docs/reference/functions.md"];

/// A fenced block of a page.
#[derive(Debug, Clone)]
pub struct Fence {
    /// The page, from the root of the repository.
    pub page: String,
    /// The line of its first fence, from 1.
    pub line: usize,
    /// The first word of its info string: its language.
    pub kind: String,
    /// The further words of its info string.
    pub notes: Vec<String>,
    /// What is inside, without the indentation of the fence.
    pub text: String,
}

impl Fence {
    /// Where it is, as compilers write it.
    pub fn place(&self) -> String {
        format!("{}:{}", self.page, self.line)
    }

    /// Whether its info string has this further word.
    pub fn is(&self, note: &str) -> bool {
        self.notes.iter().any(|word| word == note)
    }
}

/// The folder of the repository.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The README, the page for models, and every page below docs/ with examples to run, in the order of their names.
///
/// Errors when a page cannot be read.
pub fn pages() -> io::Result<Vec<(String, String)>> {
    let root = root();
    let mut names = vec!["README.md".to_owned(), "docs/llms.txt".to_owned()];
    let mut folders = vec!["docs".to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(root.join(&folder))? {
            let entry = entry?;
            let name = format!("{folder}/{}", entry.file_name().to_string_lossy());
            match entry.file_type()?.is_dir() {
                true => folders.push(name),
                false => names.extend(name.ends_with(".md").then_some(name)),
            }
        }
    }
    names.retain(|name| !LEFT_OUT.iter().any(|left_out| name.starts_with(left_out)));
    names.sort();
    names
        .into_iter()
        .map(|name| Ok((name.clone(), fs::read_to_string(root.join(&name))?.replace("\r\n", "\n"))))
        .collect()
}

/// The fenced blocks of all pages.
///
/// Errors when a page cannot be read.
pub fn all() -> io::Result<Vec<Fence>> {
    Ok(pages()?.iter().flat_map(|(page, text)| of(page, text)).collect())
}

/// The fenced blocks of a page, in order. A block that is never closed reaches to the end of the page.
pub fn of(page: &str, text: &str) -> Vec<Fence> {
    let mut fences = Vec::new();
    let mut lines = text.lines().enumerate();
    while let Some((at, line)) = lines.next() {
        let (indent, rest) = line.split_at(line.len() - line.trim_start().len());
        let marks = &rest[..rest.len() - rest.trim_start_matches('`').len()];
        if marks.len() < 3 {
            continue;
        }
        let mut words = rest[marks.len()..].split([',', ' ']).filter(|word| !word.is_empty()).map(str::to_owned);
        let mut fence = Fence {
            page: page.to_owned(),
            line: at + 1,
            kind: words.next().unwrap_or_default(),
            notes: words.collect(),
            text: String::new(),
        };
        for (_, line) in lines.by_ref().take_while(|(_, line)| line.trim() != marks) {
            fence.text.push_str(line.strip_prefix(indent).unwrap_or(line));
            fence.text.push('\n');
        }
        fences.push(fence);
    }
    fences
}

#[cfg(test)]
mod tests {
    use super::{of, shell};

    #[test]
    fn fences_have_their_line_kind_notes_and_text() {
        let page = "# A\n\n```sh,example\nls\n```\n\n* b\n\n  ````text\n  ```\n    c\n  ````\n";
        let fences = of("a.md", page);
        let seen: Vec<_> =
            fences.iter().map(|fence| (fence.place(), &*fence.kind, fence.is("example"), &*fence.text)).collect();
        assert_eq!(seen, [("a.md:3".into(), "sh", true, "ls\n"), ("a.md:9".into(), "text", false, "```\n  c\n")]);
    }

    #[test]
    fn commands_are_words_without_what_only_a_shell_reads() {
        let commands = shell::commands(
            "# all\nA=1 ptc run m.toml \\\n  --set 'x=a b' > out.json  # why\ncat < in | jq \".a\" && b#c\n",
        );
        let words: Vec<Vec<&str>> = commands.iter().map(|words| words.iter().map(String::as_str).collect()).collect();
        assert_eq!(words, [vec!["ptc", "run", "m.toml", "--set", "x=a b"], vec!["cat"], vec!["jq", ".a"], vec!["b#c"]]);
    }
}
