//! The source of a test by its name, and whether it contains an assertion.
//!
//! Tests are named as `cargo xtask requirements` names them: binary and path. A test that asserts nothing cannot fail,
//! so a page that cites one proves nothing. A function asserts when its body has one of [`ASSERTIONS`], or when it uses
//! a function of the test code of its crate that does. Data-driven suites follow the same rule: their data has the
//! expected results, and the function that runs them compares.
//!
//! Names are resolved like in the compiler, as far as tests need: modules in their files or inline, `use` with other
//! names and globs, `super`, `self` and `crate`, functions of types. Methods are not followed: their types are unknown
//! here.

mod doc;
mod module;
mod scan;
mod target;
#[cfg(test)]
mod tests;

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use crate::{Failure, Workspace};
use module::{Function, Module};
pub(crate) use scan::is_for_tests;
use target::Target;

/// Macros that fail the test when their condition does not hold.
///
/// `panic!` is one: it is used where a comparison was made by hand, or after `let … else`.
pub(crate) const ASSERTIONS: &[&str] = &[
    "assert",
    "assert_eq",
    "assert_ne",
    "assert_snapshot",
    "assert_debug_snapshot",
    "assert_json_snapshot",
    "prop_assert",
    "prop_assert_eq",
    "prop_assert_ne",
    "panic",
];

/// How many aliases may be followed on the way to a function.
const MOST_NAMES: usize = 16;

/// What the source of a test shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Found {
    /// There is no such function or item.
    Nothing,
    /// It asserts.
    Asserts,
    /// It runs code and asserts nothing.
    RunsOnly,
}

/// The tests of the workspace, read on demand.
pub(crate) struct Sources<'w> {
    workspace: &'w Workspace,
    targets: BTreeMap<String, Vec<Target>>,
    modules: RefCell<BTreeMap<Place, Option<Rc<Module>>>>,
}

/// A module: the target and the path in it.
type Place = (Target, Vec<String>);

impl<'w> Sources<'w> {
    /// Those of a workspace; reads the manifests only.
    pub(crate) fn of(workspace: &'w Workspace) -> Result<Self, Failure> {
        Ok(Self { workspace, targets: target::all(workspace)?, modules: RefCell::default() })
    }

    /// The source for the name of a test: `ptc-agent::run::tests::…`, `session::…`, `ptc-mission::doc::…` or
    /// `ptc-agent::compile-fail::…`.
    pub(crate) fn test(&self, name: &str) -> Result<Found, Failure> {
        let (binary, path) = name.split_once("::").unwrap_or((name, ""));
        let path: Vec<String> = path.split("::").map(str::to_owned).collect();
        for target in self.targets.get(binary).into_iter().flatten() {
            let found = match path.split_first() {
                Some((kind, item)) if kind == doc::COMPILES || kind == doc::FAILS => {
                    self.doc_test(target, kind, item)?
                }
                _ => self.function_test(target, &path)?,
            };
            if found != Found::Nothing {
                return Ok(found);
            }
        }
        Ok(Found::Nothing)
    }

    /// Whether there is a function with this name: `ptc-lisp::parse::parse`, `ptc-lisp::session::Session::run`.
    pub(crate) fn has_function(&self, name: &str) -> Result<bool, Failure> {
        let (crate_name, path) = name.split_once("::").unwrap_or((name, ""));
        let path: Vec<String> = path.split("::").map(str::to_owned).collect();
        for target in self.targets.get(crate_name).into_iter().flatten() {
            for length in 0..path.len() {
                let (module, function) = path.split_at(length);
                let module = self.module(&(target.clone(), module.to_vec()))?;
                if module.is_some_and(|module| module.functions.contains_key(&function.join("::"))) {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    fn function_test(&self, target: &Target, path: &[String]) -> Result<Found, Failure> {
        let Some((name, module)) = path.split_last() else { return Ok(Found::Nothing) };
        let place = (target.clone(), module.to_vec());
        let Some(function) = self.module(&place)?.and_then(|module| module.functions.get(name).cloned()) else {
            return Ok(Found::Nothing);
        };
        let asserts = self.asserts(&place, &function, &mut BTreeSet::new())?;
        Ok(if asserts { Found::Asserts } else { Found::RunsOnly })
    }

    /// Whether an assertion is in the function or in one that it uses; `seen` are those that were already examined.
    fn asserts(
        &self,
        place: &Place,
        function: &Function,
        seen: &mut BTreeSet<(Vec<String>, String)>,
    ) -> Result<bool, Failure> {
        if function.asserts {
            return Ok(true);
        }
        for path in &function.used {
            let Some((at, helper)) = self.resolve(place, path, 0)? else { continue };
            let is_new = seen.insert((at.1.clone(), helper.name.clone()));
            if is_new && helper.is_test && self.asserts(&at, &helper, seen)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The function that `path` means in the module at `from`.
    fn resolve(&self, from: &Place, path: &[String], names: usize) -> Result<Option<(Place, Function)>, Failure> {
        let (Some((first, rest)), Some(module)) = (path.split_first(), self.module(from)?) else { return Ok(None) };
        if names > MOST_NAMES {
            return Ok(None);
        }
        if let Some(start) = beginning(from, first) {
            return self.resolve(&start, rest, names + 1);
        }
        if let Some(function) = module.functions.get(&path.join("::")) {
            return Ok(Some((from.clone(), function.clone())));
        }
        if !rest.is_empty() && module.children.contains_key(first) {
            return self.resolve(&within(from, first), rest, names + 1);
        }
        let named = module.uses.get(first).map(|used| [used.as_slice(), rest].concat());
        let globs = module.globs.iter().map(|glob| [glob.as_slice(), path].concat());
        for path in named.into_iter().chain(globs) {
            if let Some(found) = self.resolve(from, &path, names + 1)? {
                return Ok(Some(found));
            }
        }
        Ok(None)
    }

    /// The module at a place, if there is one.
    fn module(&self, place: &Place) -> Result<Option<Rc<Module>>, Failure> {
        if let Some(known) = self.modules.borrow().get(place) {
            return Ok(known.clone());
        }
        let module = match place.1.split_last() {
            None => Some(Rc::new(Module::root(self.workspace, &place.0)?)),
            Some((name, above)) => match self.module(&(place.0.clone(), above.to_vec()))? {
                Some(above) => above.child(self.workspace, name)?,
                None => None,
            },
        };
        self.modules.borrow_mut().insert(place.clone(), module.clone());
        Ok(module)
    }

    /// The doc tests of an item that compile, or those that must not.
    fn doc_test(&self, target: &Target, kind: &str, item: &[String]) -> Result<Found, Failure> {
        let Some(text) = self.docs(target, item)? else { return Ok(Found::Nothing) };
        Ok(doc::found(&text, kind))
    }

    /// The documentation of an item: of a module, or of something in the innermost module of the path.
    fn docs(&self, target: &Target, item: &[String]) -> Result<Option<String>, Failure> {
        for length in (0..=item.len()).rev() {
            let (module, inside) = item.split_at(length);
            let Some(module) = self.module(&(target.clone(), module.to_vec()))? else { continue };
            return Ok(if inside.is_empty() {
                Some(module.docs.clone())
            } else {
                module.item_docs.get(&inside.join("::")).cloned()
            });
        }
        Ok(None)
    }
}

/// The module where a path starts that begins with a keyword.
fn beginning(from: &Place, first: &str) -> Option<Place> {
    let (target, module) = from;
    match first {
        "crate" => Some((target.clone(), Vec::new())),
        "self" => Some(from.clone()),
        "super" => Some((target.clone(), module.split_last().map(|(_, above)| above.to_vec()).unwrap_or_default())),
        _ => None,
    }
}

fn within(from: &Place, child: &str) -> Place {
    let (target, module) = from;
    (target.clone(), module.iter().cloned().chain([child.to_owned()]).collect())
}
