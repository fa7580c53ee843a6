//! Modules of a crate that import each other in a circle, or a layer above theirs: a few related ones may form a
//! circle, layers may not.
//!
//! An import is a `use`, or a path that begins with `crate`, `self` or `super`; an import of a name that a module only
//! re-exports counts for the module that defines it. Tests may import anything.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use crate::code::{self, Named};
use crate::{Failure, Problem, Workspace};

/// Crates, the maximum number of files in a circle, and folders from the lowest on: none uses one above it.
const CRATES: &[(&str, usize, &[&str])] = &[
    ("crates/ptc-lisp/src", 8, &[]),
    ("crates/ptc-agent/src", 3, &["spec", "tool", "agent", "machine", "drive"]),
    ("crates/ptc-compression/src", 3, &[]),
    ("crates/ptc-trace/src", 3, &[]),
    ("crates/ptc-cli/src", 3, &[]),
    ("crates/ptc-config/src", 3, &[]),
];

/// How many aliases may be followed on the way to a module.
const MOST_NAMES: usize = 8;

/// A module of the crate: `value/map`; the root has no name.
type Name = String;

/// Circles of more files than allowed.
pub(super) fn check(workspace: &Workspace) -> Result<Vec<Problem>, Failure> {
    let mut problems = Vec::new();
    for &(root, most, layers) in CRATES {
        let mut modules = BTreeMap::new();
        for path in workspace.files(root)?.into_iter().filter(|path| code::is_code(path)) {
            let name = name_of(root, &path);
            modules.insert(name.clone(), Module::read(&name, &path, &workspace.read(&path)?)?);
        }
        for circle in circles(&modules).into_iter().filter(|circle| circle.len() > most) {
            let text = format!(
                "has a circle of {} modules that import each other, and at most {most} may: {}. Let the lower ones take what they need as an argument, or move it below them.",
                circle.len(),
                circle.join(", ")
            );
            problems.push(Problem::whole(root, text));
        }
        for (name, above) in upwards(&modules, layers) {
            let layers = layers.join(" < ");
            let text = format!(
                "uses `{above}`, which is in a layer above it ({layers}). Take what it gives as an argument, or move one of them."
            );
            problems.push(Problem::whole(format!("{root}/{name}.rs"), text));
        }
    }
    Ok(problems)
}

fn name_of(root: &str, path: &Path) -> Name {
    let name = path.strip_prefix(root).unwrap_or(path).with_extension("").to_string_lossy().into_owned();
    if ["lib", "main"].contains(&name.as_str()) { String::new() } else { name }
}

/// The imports and re-exports of a file.
#[derive(Default)]
pub(super) struct Module {
    imports: BTreeSet<Name>,
    /// Names that it re-exports, and where they come from.
    exports: BTreeMap<String, Name>,
}

impl Module {
    pub(super) fn read(name: &str, path: &Path, text: &str) -> Result<Module, Failure> {
        let mut module = Module::default();
        for named in code::paths(code::without_tests(code::tokens(path, text)?)) {
            let Some(path) = absolute(name, &named) else { continue };
            if named.is_imported && named.is_public && named.name != "*" {
                module.exports.insert(named.name, path);
            } else {
                module.imports.insert(path);
            }
        }
        Ok(module)
    }
}

/// The path from the root of the crate, as the module of this name writes it; none for a name that is in scope.
fn absolute(module: &str, named: &Named) -> Option<Name> {
    let (first, rest) = named.parts.split_first()?;
    if !named.is_imported && (rest.is_empty() || !["crate", "self", "super"].contains(&first.as_str())) {
        return None;
    }
    if first == "crate" {
        return Some(rest.join("/"));
    }
    let own: Vec<&str> = module.split('/').filter(|part| !part.is_empty()).collect();
    let upwards = named.parts.iter().take_while(|part| *part == "super").count();
    let start = own.len().checked_sub(upwards.saturating_sub(named.inside))?;
    let rest = named.parts.iter().skip(upwards + usize::from(first == "self")).map(String::as_str);
    Some(own.into_iter().take(start).chain(rest).collect::<Vec<_>>().join("/"))
}

/// The module that defines what this path from the root means.
fn owner(modules: &BTreeMap<Name, Module>, path: &str, names: usize) -> Name {
    let mut module = path;
    while !module.is_empty() && !modules.contains_key(module) {
        module = module.rsplit_once('/').map_or("", |(above, _)| above);
    }
    let rest = path.strip_prefix(module).unwrap_or_default().trim_start_matches('/').split('/').next();
    let export = rest.and_then(|name| modules.get(module)?.exports.get(name));
    match export.filter(|_| names < MOST_NAMES) {
        Some(path) => owner(modules, path, names + 1),
        None => module.to_owned(),
    }
}

/// The imports of each module.
fn imports(modules: &BTreeMap<Name, Module>) -> BTreeMap<&Name, BTreeSet<Name>> {
    let of = |(name, module): (_, &Module)| {
        let owners = module.imports.iter().map(|path| owner(modules, path, 0));
        (name, owners.filter(|owner| owner != name && !owner.is_empty()).collect())
    };
    modules.iter().map(of).collect()
}

/// Modules in one of the layers, with each that they import from a later one.
pub(super) fn upwards(modules: &BTreeMap<Name, Module>, layers: &[&str]) -> Vec<(Name, Name)> {
    let layer = |name: &Name| layers.iter().position(|layer| name.split('/').next() == Some(layer));
    let all = imports(modules).into_iter().flat_map(|(name, used)| used.into_iter().map(|used| (name.clone(), used)));
    all.filter(|(name, used)| layer(name).zip(layer(used)).is_some_and(|(own, used)| own < used)).collect()
}

/// Modules that reach each other over imports, in groups of at least two.
pub(super) fn circles(modules: &BTreeMap<Name, Module>) -> BTreeSet<Vec<Name>> {
    let imports = imports(modules);
    let reached: BTreeMap<&Name, BTreeSet<&Name>> =
        imports.keys().map(|name| (*name, reached(name, &imports))).collect();
    let circle = |(name, far): (&&Name, &BTreeSet<&Name>)| -> Vec<Name> {
        let leads_back = |other: &&&Name| reached.get(*other).is_some_and(|back| back.contains(name));
        far.iter().filter(leads_back).map(|other| (*other).clone()).collect()
    };
    reached.iter().map(circle).filter(|circle| circle.len() > 1).collect()
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
