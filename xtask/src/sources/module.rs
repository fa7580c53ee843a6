//! A module: its functions, its children, its imports, and the documentation of its items.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use syn::{ImplItem, Item, ItemImpl, ItemMod, Type, UseTree};

use super::scan;
use super::target::Target;
use crate::{Failure, Workspace};

/// A function of a module, or of a type in it as `Type::function`.
#[derive(Debug, Clone)]
pub(super) struct Function {
    pub(super) name: String,
    /// Whether its body contains an assertion, or the test expects a panic.
    pub(super) asserts: bool,
    /// Paths in its body, any of which may be a function.
    pub(super) used: Vec<Vec<String>>,
    /// Whether it is compiled for tests only.
    pub(super) is_test: bool,
}

/// What is known about a module.
#[derive(Debug, Default)]
pub(super) struct Module {
    /// The file that it is in.
    file: PathBuf,
    /// Where the files of its children are.
    folder: PathBuf,
    is_test: bool,
    pub(super) functions: BTreeMap<String, Function>,
    pub(super) children: BTreeMap<String, Child>,
    /// The imports of `use`, by their local names.
    pub(super) uses: BTreeMap<String, Vec<String>>,
    /// Modules that `use` imports with a glob.
    pub(super) globs: Vec<Vec<String>>,
    /// Its own documentation.
    pub(super) docs: String,
    /// That of its items, by name or `Type::function`.
    pub(super) item_docs: BTreeMap<String, String>,
}

/// A module in a module.
#[derive(Debug)]
pub(super) enum Child {
    Inline(Rc<Module>),
    File { path: Option<String>, is_test: bool, docs: String },
}

impl Module {
    /// The root module of a target.
    pub(super) fn root(workspace: &Workspace, target: &Target) -> Result<Module, Failure> {
        let folder = target.root.parent().unwrap_or(Path::new("")).to_path_buf();
        Module::read(workspace, &target.root, folder, target.is_test)
    }

    /// The child with this name, read from its file if it has one.
    pub(super) fn child(&self, workspace: &Workspace, name: &str) -> Result<Option<Rc<Module>>, Failure> {
        let (path, is_test, docs) = match self.children.get(name) {
            None => return Ok(None),
            Some(Child::Inline(module)) => return Ok(Some(Rc::clone(module))),
            Some(Child::File { path, is_test, docs }) => (path, *is_test, docs),
        };
        let beside = self.file.parent().unwrap_or(Path::new(""));
        let files = match path {
            Some(path) => vec![beside.join(path)],
            None => vec![self.folder.join(format!("{name}.rs")), self.folder.join(name).join("mod.rs")],
        };
        let Some(file) = files.into_iter().find(|file| workspace.has(file)) else { return Ok(None) };
        let mut module = Module::read(workspace, &file, self.folder.join(name), is_test)?;
        module.docs = format!("{docs}{}", module.docs);
        Ok(Some(Rc::new(module)))
    }

    fn read(workspace: &Workspace, file: &Path, folder: PathBuf, is_test: bool) -> Result<Module, Failure> {
        let parsed = syn::parse_file(&workspace.read(file)?)
            .map_err(|error| Failure::Measurement { what: file.display().to_string(), text: error.to_string() })?;
        let mut module =
            Module { file: file.to_path_buf(), folder, is_test, docs: scan::docs(&parsed.attrs), ..Module::default() };
        module.take(&parsed.items);
        Ok(module)
    }

    fn take(&mut self, items: &[Item]) {
        for item in items {
            if let Some((name, attributes)) = scan::named(item) {
                self.item_docs.insert(name, scan::docs(attributes));
            }
            match item {
                Item::Fn(function) => {
                    self.function(&function.sig.ident.to_string(), scan::function(&function.attrs, &function.block))
                }
                Item::Impl(block) => self.methods(block),
                Item::Mod(child) => self.module(child),
                Item::Use(used) => self.bring_in(Vec::new(), &used.tree),
                Item::Macro(call) if scan::is_called(&call.mac, "proptest") => {
                    for (name, function) in scan::properties(&call.mac) {
                        self.function(&name, function);
                    }
                }
                _ => {}
            }
        }
    }

    fn function(&mut self, name: &str, scanned: scan::Scanned) {
        let is_test = self.is_test || scanned.is_test;
        let function = Function { name: name.to_owned(), asserts: scanned.asserts, used: scanned.used, is_test };
        self.functions.insert(name.to_owned(), function);
    }

    /// Functions of a type are found under `Type::function`; in them `Self` is the type.
    fn methods(&mut self, block: &ItemImpl) {
        let Type::Path(of) = &*block.self_ty else { return };
        let Some(of) = of.path.segments.last().map(|segment| segment.ident.to_string()) else { return };
        for item in &block.items {
            let ImplItem::Fn(function) = item else { continue };
            let name = format!("{of}::{}", function.sig.ident);
            let mut scanned = scan::function(&function.attrs, &function.block);
            let own = scanned.used.iter_mut().filter_map(|path| path.first_mut()).filter(|first| *first == "Self");
            own.for_each(|first| first.clone_from(&of));
            self.item_docs.insert(name.clone(), scan::docs(&function.attrs));
            self.function(&name, scanned);
        }
    }

    fn module(&mut self, child: &ItemMod) {
        let name = child.ident.to_string();
        let is_test = self.is_test || scan::is_for_tests(&child.attrs);
        let docs = scan::docs(&child.attrs);
        let child = match &child.content {
            None => Child::File { path: scan::path(&child.attrs), is_test, docs },
            Some((_, items)) => {
                let folder = self.folder.join(&name);
                let mut module = Module { file: self.file.clone(), folder, is_test, docs, ..Module::default() };
                module.take(items);
                Child::Inline(Rc::new(module))
            }
        };
        self.children.insert(name, child);
    }

    fn bring_in(&mut self, mut path: Vec<String>, tree: &UseTree) {
        match tree {
            UseTree::Path(part) => {
                path.push(part.ident.to_string());
                self.bring_in(path, &part.tree);
            }
            UseTree::Group(group) => group.items.iter().for_each(|tree| self.bring_in(path.clone(), tree)),
            UseTree::Glob(_) => self.globs.push(path),
            UseTree::Name(name) => self.name(path, &name.ident.to_string(), &name.ident.to_string()),
            UseTree::Rename(renamed) => self.name(path, &renamed.ident.to_string(), &renamed.rename.to_string()),
        }
    }

    /// `use a::b as c`, where `b` may be `self`.
    fn name(&mut self, mut path: Vec<String>, name: &str, here: &str) {
        let here = if here == "self" { path.last().cloned() } else { Some(here.to_owned()) };
        if name != "self" {
            path.push(name.to_owned());
        }
        // `use name` would mean itself.
        if let Some(here) = here.filter(|here| path != [here.as_str()]) {
            self.uses.insert(here, path);
        }
    }
}
