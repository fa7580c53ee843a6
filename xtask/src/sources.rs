//! The functions of the workspace, read as tokens: which tests exist, whether they can fail, and what they prove.
//!
//! A test is named by its binary and its path: `ptc-agent::machine::tests::it` is a unit test of the crate, `session::it` one of
//! `tests/session.rs`. It can fail when its body has one of [`ASSERTIONS`], or uses a function of the test code of its binary that
//! has: one whose name ends in the path that is used, the nearest of several. A module whose example must not compile
//! (`compile_fail`) is a test, too.

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use ptc_lisp::text::nearest;

use crate::code::{self, ends_item};
use crate::workspace::Member;
use crate::{Failure, Workspace};

/// Macros that fail the test when their condition does not hold.
///
/// `panic` is one: it is used where a comparison was made by hand, or after `let … else`.
const ASSERTIONS: &str = "assert assert_eq assert_ne assert_snapshot assert_debug_snapshot assert_json_snapshot \
                          prop_assert prop_assert_eq prop_assert_ne panic";

/// What begins the list of requirements in a comment.
const PROVES: &str = "Proves: ";

/// Whether there is a test of some name, and whether it can fail, as far as its source shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Found {
    /// No function and no module has the name.
    Nothing,
    /// It has an assertion, or uses a function of test code that has one.
    Asserts,
    /// It exists, and nothing that it runs asserts anything.
    RunsOnly,
}

/// A function or a module of the workspace, as its source shows it.
#[derive(Debug)]
pub(crate) struct Item {
    /// Binary and path, `::` between them, without types.
    pub(crate) name: String,
    /// The file, relative to the workspace, and the line of its name.
    pub(crate) path: PathBuf,
    pub(crate) line: usize,
    pub(crate) marks: Marks,
    /// What [`used`] returns for its body.
    used: Vec<Vec<String>>,
}

/// All functions and modules of the workspace.
pub(crate) struct Sources {
    items: Vec<Item>,
    /// Places of the functions of test code, by their last name.
    helpers: BTreeMap<String, Vec<usize>>,
}

impl Sources {
    /// Reads every file that is a part of a library, a program or a test.
    pub(crate) fn of(workspace: &Workspace) -> Result<Self, Failure> {
        let mut reader = Reader { workspace, items: Vec::new() };
        for member in workspace.members()? {
            for (name, file, is_for_tests) in roots(workspace, &member)? {
                let folder = file.parent().unwrap_or(Path::new("")).to_path_buf();
                reader.file(&Place { name, file, folder, is_for_tests })?;
            }
        }
        let mut sources = Sources { items: reader.items, helpers: BTreeMap::new() };
        for (at, item) in sources.items.iter().enumerate().filter(|(_, item)| item.marks.is_for_tests) {
            sources.helpers.entry(last_of(&item.name).to_owned()).or_default().push(at);
        }
        Ok(sources)
    }

    /// What the sources show about the test of this name.
    pub(crate) fn test(&self, name: &str) -> Found {
        let found: Vec<&Item> = self.items.iter().filter(|item| item.name == name).collect();
        match found.iter().any(|item| self.asserts(item, &mut Vec::new())) {
            true => Found::Asserts,
            false if found.is_empty() => Found::Nothing,
            false => Found::RunsOnly,
        }
    }

    /// Whether there is a function with this name: `ptc-lisp::session::Session::run`.
    pub(crate) fn has_function(&self, name: &str) -> bool {
        self.items.iter().any(|item| item.name == untyped(name))
    }

    /// Names like one that does not exist: those of functions that are called the same, at most three, or the nearest.
    pub(crate) fn near(&self, name: &str) -> Vec<&str> {
        let names = || self.items.iter().filter(|item| !item.marks.is_for_tests).map(|item| item.name.as_str());
        let moved: Vec<&str> = names().filter(|known| last_of(known) == last_of(name)).take(3).collect();
        if moved.is_empty() { nearest(&untyped(name), names()).into_iter().collect() } else { moved }
    }

    /// Everything that proves requirements.
    pub(crate) fn proofs(&self) -> impl Iterator<Item = &Item> {
        self.items.iter().filter(|item| !item.marks.proves.is_empty())
    }

    /// Whether an assertion is in the item or in one that it uses; `seen` were examined already.
    fn asserts<'s>(&'s self, item: &'s Item, seen: &mut Vec<&'s str>) -> bool {
        if item.marks.asserts || seen.contains(&item.name.as_str()) {
            return item.marks.asserts;
        }
        seen.push(&item.name);
        item.used.iter().filter_map(|path| self.helper(item, path)).any(|helper| self.asserts(helper, seen))
    }

    /// The function of test code that a path in the body of `user` means.
    fn helper(&self, user: &Item, path: &[String]) -> Option<&Item> {
        let ending = format!("::{}", path.join("::"));
        let all = self.helpers.get(path.last()?)?.iter().filter_map(|at| self.items.get(*at));
        let shared = |item: &&Item| {
            let pairs = item.name.split("::").zip(user.name.split("::"));
            pairs.take_while(|(one, other)| one == other).count()
        };
        all.filter(|item| item.name.ends_with(&ending) && shared(item) > 0).max_by_key(shared)
    }
}

/// The root files of a package, each with the name of its binary, and whether all of it is test code.
fn roots(workspace: &Workspace, member: &Member) -> Result<Vec<(String, PathBuf, bool)>, Failure> {
    let (folder, table) = (member.folder(), &member.manifest);
    let mut roots: Vec<_> =
        ["src/lib.rs", "src/main.rs"].map(|root| (member.name().to_owned(), folder.join(root), false)).into();
    for entry in ["test", "example", "bench"].iter().filter_map(|kind| table.get(*kind)?.as_array()).flatten() {
        let text = |key: &str| entry.get(key).and_then(toml::Value::as_str);
        roots.extend(text("name").zip(text("path")).map(|(name, path)| (name.to_owned(), folder.join(path), true)));
    }
    for file in workspace.files_ending(folder.join("tests"), "rs")? {
        let inside = file.strip_prefix(folder.join("tests")).unwrap_or(&file).with_extension("");
        let stem = inside.to_string_lossy().replace('_', "-");
        let name = stem.strip_suffix("/main").unwrap_or(&stem);
        if !name.contains('/') {
            roots.push((name.to_owned(), file.clone(), true));
        }
    }
    roots.retain(|(_, root, _)| workspace.has(root));
    Ok(roots)
}

/// A module.
#[derive(Clone)]
struct Place {
    name: String,
    file: PathBuf,
    /// Where the files of its children are.
    folder: PathBuf,
    is_for_tests: bool,
}

struct Reader<'w> {
    workspace: &'w Workspace,
    items: Vec<Item>,
}

impl Reader<'_> {
    fn file(&mut self, place: &Place) -> Result<(), Failure> {
        self.items(code::tokens(&place.file, &self.workspace.read(&place.file)?)?, place)
    }

    /// The items among these tokens, also in macros and in `impl` blocks, whose functions count as those of the module.
    fn items(&mut self, tokens: TokenStream, place: &Place) -> Result<(), Failure> {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        let (mut rest, mut marks) = (tokens.as_slice(), Marks::default());
        while let Some((token, after)) = rest.split_first() {
            rest = after;
            match token {
                TokenTree::Ident(word) if word == "fn" || word == "mod" => {
                    let end = rest.iter().position(ends_item).unwrap_or(rest.len());
                    if let Some(TokenTree::Ident(_)) = rest.first() {
                        self.item(word == "fn", rest.get(..=end).unwrap_or(rest), place, std::mem::take(&mut marks))?;
                        rest = rest.get(end + 1..).unwrap_or_default();
                    }
                }
                TokenTree::Group(group) if group.delimiter() == Delimiter::Bracket => marks.take(group),
                TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => {
                    let is_for_tests = place.is_for_tests || marks.is_for_tests;
                    self.items(group.stream(), &Place { is_for_tests, ..place.clone() })?;
                    marks = Marks::default();
                }
                token if ends_item(token) => marks = Marks::default(),
                _ => {}
            }
        }
        Ok(())
    }

    /// A function or a module by its tokens, from its name to its body.
    fn item(
        &mut self,
        is_function: bool,
        tokens: &[TokenTree],
        place: &Place,
        mut marks: Marks,
    ) -> Result<(), Failure> {
        let [TokenTree::Ident(name), .., last] = tokens else { return Ok(()) };
        marks.is_for_tests |= place.is_for_tests;
        let (own, file) = (place.file.parent().unwrap_or(Path::new("")), format!("{name}.rs"));
        let child = Place {
            file: marks.path.as_ref().map_or_else(|| place.folder.join(file), |path| own.join(path)),
            folder: place.folder.join(name.to_string()),
            name: format!("{}::{name}", place.name),
            is_for_tests: marks.is_for_tests,
        };
        let (line, mut names) = (name.span().start().line, Vec::new());
        let name = child.name.clone();
        match last {
            TokenTree::Group(body) if is_function => {
                marks.asserts |= asserts(body.stream());
                names = used(body.stream());
            }
            TokenTree::Group(body) => self.items(body.stream(), &Place { file: place.file.clone(), ..child })?,
            _ if !is_function && self.workspace.has(&child.file) => self.file(&child)?,
            _ => {}
        }
        self.items.push(Item { name, path: place.file.clone(), line, marks, used: names });
        Ok(())
    }
}

/// What the attributes of an item say, and whether it can fail.
#[derive(Debug, Default)]
pub(crate) struct Marks {
    /// IDs of the requirements that it proves, from `/// Proves: ARC-001, ARC-002.`
    pub(crate) proves: Vec<String>,
    /// Whether it is skipped by default.
    pub(crate) is_ignored: bool,
    path: Option<String>,
    /// Whether it is compiled for tests only.
    is_for_tests: bool,
    /// Whether it has an assertion, expects a panic, or has an example that must not compile.
    asserts: bool,
}

impl Marks {
    fn take(&mut self, attribute: &Group) {
        let text = attribute.stream().to_string();
        let (name, rest) = text.split_once(['=', '(']).unwrap_or((&text, ""));
        match name.trim() {
            "doc" => {
                let ids = rest.split_once(PROVES).map_or("", |(_, ids)| ids).split([',', '.', '"']).map(str::trim);
                self.proves.extend(ids.filter(|id| !id.is_empty()).map(str::to_owned));
                self.asserts |= rest.contains("```compile_fail");
            }
            "path" => self.path = rest.split('"').nth(1).map(str::to_owned),
            "cfg" => self.is_for_tests |= rest.split(|c: char| !c.is_alphanumeric()).any(|word| word == "test"),
            "ignore" => self.is_ignored = true,
            "should_panic" => self.asserts = true,
            name => self.is_for_tests |= name.rsplit([':', ' ']).next() == Some("test"),
        }
    }
}

/// Whether one of [`ASSERTIONS`] is among the tokens, of more than literals: what is said of literals alone is always true.
fn asserts(body: TokenStream) -> bool {
    let tokens: Vec<TokenTree> = body.into_iter().collect();
    let is_assertion = |three: &[TokenTree]| match three {
        [TokenTree::Ident(name), sign, TokenTree::Group(arguments)] => {
            let is_known = ASSERTIONS.split(' ').any(|known| name == known);
            let says_something = || code::has_word(arguments.stream(), |word| word != "true" && word != "false");
            is_known && code::is_sign(Some(sign), '!') && (name == "panic" || says_something())
        }
        _ => false,
    };
    let is_inside = |token: &TokenTree| matches!(token, TokenTree::Group(group) if asserts(group.stream()));
    tokens.windows(3).any(is_assertion) || tokens.iter().any(is_inside)
}

/// The paths in a body, any of which may be a function, without types, `crate`, `self` and `super`.
fn used(body: TokenStream) -> Vec<Vec<String>> {
    let is_name = |word: &String| is_no_type(word) && !["crate", "self", "super"].contains(&word.as_str());
    code::paths(body).into_iter().map(|path| path.parts.into_iter().filter(is_name).collect()).collect()
}

fn last_of(name: &str) -> &str {
    name.rsplit("::").next().unwrap_or_default()
}

/// The name without the parts that are types.
fn untyped(name: &str) -> String {
    name.split("::").filter(|part| is_no_type(part)).collect::<Vec<_>>().join("::")
}

/// Functions and modules begin with small letters.
fn is_no_type(name: &str) -> bool {
    !name.starts_with(char::is_uppercase)
}
