//! Modules of a crate that import each other in a circle, or a layer above theirs: a few related ones may form a
//! circle, layers may not.
//!
//! An import is a `use`, or a path that begins with `crate`, `self` or `super`; an import of a name that a module only
//! re-exports counts for the module that defines it. Tests may import anything.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use syn::visit::{self, Visit};
use syn::{Attribute, Item, ItemMod, ItemUse, Path as RustPath, UseTree, Visibility};

use super::purity::{is_for_tests, is_test, parsed};
use crate::{Failure, Problem, Workspace};

/// Crates, and the maximum number of files in a circle.
const MOST: &[(&str, usize)] = &[
    ("crates/ptc-lisp/src", 8),
    ("crates/ptc-agent/src", 3),
    ("crates/ptc-compression/src", 3),
    ("crates/ptc-trace/src", 3),
    ("crates/ptc-cli/src", 3),
    ("crates/ptc-config/src", 3),
];

/// Folders of a crate from the lowest on; none uses one above it.
const LAYERS: &[(&str, &[&str])] = &[("crates/ptc-agent/src", &["spec", "tool", "agent", "machine", "drive"])];

/// How many aliases may be followed on the way to a module.
const MOST_NAMES: usize = 8;

/// A module of the crate by its path.
type Name = Vec<String>;

/// Circles of more files than allowed.
pub(super) fn check(workspace: &Workspace) -> Result<Vec<Problem>, Failure> {
    let mut problems = Vec::new();
    for &(root, most) in MOST {
        let mut modules = BTreeMap::new();
        for path in workspace.files_ending(root, "rs")?.into_iter().filter(|path| !is_test(path)) {
            let name = name_of(root, &path);
            modules.insert(name.clone(), Module::read(&name, &path, &workspace.read(&path)?)?);
        }
        let large = circles(&modules).into_iter().filter(|circle| circle.len() > most);
        problems.extend(large.map(|circle| problem(root, most, &circle)));
        let layers = LAYERS.iter().find(|(known, _)| *known == root).map(|(_, layers)| *layers).unwrap_or_default();
        problems.extend(upwards(&modules, layers).iter().map(|(name, above)| {
            let (name, above) = (name.join("/"), above.join("/"));
            let text = format!("uses `{above}`, which is in a layer above it ({}). Take what it gives as an argument, or move one of them.", layers.join(" < "));
            Problem::whole(&Path::new(root).join(format!("{name}.rs")), text)
        }));
    }
    Ok(problems)
}

fn problem(root: &str, most: usize, circle: &[Name]) -> Problem {
    let names: Vec<String> = circle.iter().map(|name| name.join("/")).collect();
    let text = format!(
        "has a circle of {} modules that import each other, and at most {most} may: {}. Let the lower ones take what they need as an argument, or move it below them.",
        names.len(),
        names.join(", ")
    );
    Problem::whole(Path::new(root), text)
}

/// `value/map.rs` is `value::map`; the root of the crate has no name.
fn name_of(root: &str, path: &Path) -> Name {
    let inner = path.strip_prefix(root).unwrap_or(path).with_extension("");
    let parts = inner.components().map(|part| part.as_os_str().to_string_lossy().into_owned());
    parts.filter(|part| !["lib", "main"].contains(&part.as_str())).collect()
}

/// The imports and re-exports of a file.
#[derive(Default)]
pub(super) struct Module {
    name: Name,
    /// Inline modules around the one that is read.
    inside: usize,
    imports: BTreeSet<Name>,
    /// Names that it re-exports, and where they come from.
    exports: BTreeMap<String, Name>,
}

impl Module {
    pub(super) fn read(name: &[String], path: &Path, text: &str) -> Result<Module, Failure> {
        let mut module = Module { name: name.to_vec(), ..Module::default() };
        module.visit_file(&parsed(path, text)?);
        Ok(module)
    }

    /// The path from the root of the crate; none for one into another crate, or to what is in scope.
    fn absolute(&self, path: &[String]) -> Option<Name> {
        let (first, rest) = path.split_first()?;
        if first == "crate" {
            return Some(rest.to_vec());
        }
        let upwards = path.iter().take_while(|part| *part == "super").count();
        let start = self.name.len().checked_sub(upwards.saturating_sub(self.inside))?;
        let skipped = upwards + usize::from(first == "self");
        Some(self.name.iter().take(start).chain(path.iter().skip(skipped)).cloned().collect())
    }

    fn tree(&mut self, mut path: Name, tree: &UseTree, is_public: bool) {
        match tree {
            UseTree::Path(part) => {
                path.push(part.ident.to_string());
                self.tree(path, &part.tree, is_public);
            }
            UseTree::Group(group) => {
                group.items.iter().for_each(|tree| self.tree(path.clone(), tree, is_public));
            }
            UseTree::Name(name) => {
                path.push(name.ident.to_string());
                self.name(path, &name.ident.to_string(), is_public);
            }
            UseTree::Rename(name) => {
                path.push(name.ident.to_string());
                self.name(path, &name.rename.to_string(), is_public);
            }
            UseTree::Glob(_) => self.name(path, "*", false),
        }
    }

    fn name(&mut self, path: Name, here: &str, is_public: bool) {
        let Some(path) = self.absolute(&path) else { return };
        if is_public {
            self.exports.insert(here.to_owned(), path);
        } else {
            self.imports.insert(path);
        }
    }
}

impl<'a> Visit<'a> for Module {
    fn visit_item(&mut self, item: &'a Item) {
        if !is_for_tests(attributes(item)) {
            visit::visit_item(self, item);
        }
    }

    fn visit_item_mod(&mut self, item: &'a ItemMod) {
        self.inside += 1;
        visit::visit_item_mod(self, item);
        self.inside -= 1;
    }

    fn visit_item_use(&mut self, item: &'a ItemUse) {
        self.tree(Vec::new(), &item.tree, !matches!(item.vis, Visibility::Inherited));
    }

    fn visit_path(&mut self, path: &'a RustPath) {
        let parts: Name = path.segments.iter().map(|segment| segment.ident.to_string()).collect();
        if parts.len() > 1 && parts.first().is_some_and(|first| ["crate", "super", "self"].contains(&first.as_str())) {
            self.name(parts, "", false);
        }
        visit::visit_path(self, path);
    }
}

/// The attributes of an item that may exist for tests only.
pub(super) fn attributes(item: &Item) -> &[Attribute] {
    match item {
        Item::Mod(item) => &item.attrs,
        Item::Use(item) => &item.attrs,
        Item::Fn(item) => &item.attrs,
        Item::Impl(item) => &item.attrs,
        _ => &[],
    }
}

/// The module that defines what this path from the root means.
fn owner(modules: &BTreeMap<Name, Module>, path: &[String], names: usize) -> Option<Name> {
    let length = (0..=path.len()).rev().find(|length| modules.contains_key(path.get(..*length).unwrap_or_default()))?;
    let (module, rest) = path.split_at(length);
    let export = rest.first().and_then(|name| modules.get(module)?.exports.get(name));
    match export.filter(|_| names < MOST_NAMES) {
        Some(path) => owner(modules, path, names + 1),
        None => Some(module.to_vec()),
    }
}

/// The imports of each module.
fn imports(modules: &BTreeMap<Name, Module>) -> BTreeMap<&Name, BTreeSet<Name>> {
    modules
        .iter()
        .map(|(name, module)| {
            let owners = module.imports.iter().filter_map(|path| owner(modules, path, 0));
            (name, owners.filter(|owner| owner != name && !owner.is_empty()).collect())
        })
        .collect()
}

/// Modules in one of the layers, with each that they import from a later one.
pub(super) fn upwards(modules: &BTreeMap<Name, Module>, layers: &[&str]) -> Vec<(Name, Name)> {
    let layer = |name: &Name| layers.iter().position(|layer| name.first().is_some_and(|first| first == layer));
    let all = imports(modules).into_iter().flat_map(|(name, used)| used.into_iter().map(|used| (name.clone(), used)));
    all.filter(|(name, used)| layer(name).zip(layer(used)).is_some_and(|(own, used)| own < used)).collect()
}

/// Modules that reach each other over imports, in groups of at least two.
pub(super) fn circles(modules: &BTreeMap<Name, Module>) -> Vec<Vec<Name>> {
    let imports = imports(modules);
    let reached: BTreeMap<&Name, BTreeSet<&Name>> =
        imports.keys().map(|name| (*name, reached(name, &imports))).collect();
    let mut seen = BTreeSet::new();
    let mut found = Vec::new();
    for (name, far) in &reached {
        let circle: Vec<Name> = far
            .iter()
            .filter(|other| reached.get(*other).is_some_and(|back| back.contains(name)))
            .map(|other| (*other).clone())
            .collect();
        if circle.len() > 1 && seen.insert(circle.clone()) {
            found.push(circle);
        }
    }
    found
}

/// All modules that imports lead to from this one.
fn reached<'m>(from: &Name, imports: &'m BTreeMap<&Name, BTreeSet<Name>>) -> BTreeSet<&'m Name> {
    let mut open: Vec<&Name> = imports.get(from).into_iter().flatten().collect();
    let mut reached = BTreeSet::new();
    while let Some(name) = open.pop() {
        if reached.insert(name) {
            open.extend(imports.get(name).into_iter().flatten());
        }
    }
    reached
}
