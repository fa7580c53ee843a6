//! Which names a function sees: its own locals, and captured values.

use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;

use super::ir::{Arity, CaptureSource, Function, Kind, Slot, bound};
use super::{Analyzer, Node, Reason, Span};
use crate::value::Origin;

/// The most locals of one function: the capacity of a frame.
const MAX_SLOTS: u32 = 30_000;

/// The most values that the functions of one program close over: a function closes over everything that functions
/// nested in it need.
const MAX_CAPTURES: usize = 50_000;

/// The captured values of a function, each with its name there.
#[derive(Clone, Default)]
pub(super) struct Captured {
    pub sources: Vec<CaptureSource>,
    pub names: Vec<Arc<str>>,
}

/// One function while it is being resolved.
#[derive(Default)]
pub(super) struct Scope {
    pub(super) slots: u32,
    /// The slots of each visible name, innermost last.
    visible: HashMap<Rc<str>, Vec<Slot>>,
    /// Visible names, in order of declaration.
    order: Vec<Rc<str>>,
    /// The name by which a named `fn` refers to itself.
    own: Option<String>,
    /// The names of the `letfn` group it belongs to.
    group: Option<Rc<Vec<String>>>,
    pub(super) captured: Captured,
    capture_numbers: HashMap<(CaptureSource, Rc<str>), u32>,
    /// The numbers of names that were looked up before: their outer meaning does not change while this function is
    /// resolved.
    known_captures: HashMap<Rc<str>, u32>,
    /// The locals that start as empty lists, with the places of these lists.
    lists: HashMap<Slot, Span>,
    /// Argument counts of the places `recur` may jump to, innermost last.
    pub(super) targets: Vec<usize>,
}

impl Scope {
    pub fn named(own: Option<&str>) -> Scope {
        Scope { own: own.map(str::to_owned), ..Scope::default() }
    }

    /// A member of a `letfn` group; `captured` is what the members before it captured.
    pub fn member(group: Rc<Vec<String>>, captured: Captured) -> Scope {
        let pairs = captured.sources.iter().zip(&captured.names);
        let capture_numbers =
            (0..).zip(pairs).map(|(number, (source, name))| ((*source, name.as_ref().into()), number)).collect();
        Scope { group: Some(group), captured, capture_numbers, ..Scope::default() }
    }

    /// Forget the locals of one arity before the next; captured values stay.
    pub fn next_arity(&mut self) {
        self.slots = 0;
        self.visible.clear();
        self.order.clear();
        self.lists.clear();
        self.targets.clear();
    }

    /// Note that the current meaning of `name` starts as the empty list at `begin`.
    pub fn begin_list(&mut self, name: &str, begin: Span) {
        if let Some(slot) = self.visible.get(name).and_then(|slots| slots.last()) {
            self.lists.insert(*slot, begin);
        }
    }

    /// The empty list that is the initial value of a local.
    pub fn list(&self, slot: Slot) -> Option<Span> {
        self.lists.get(&slot).copied()
    }

    /// A function without a name whose only arity was resolved here.
    pub fn into_function(
        self,
        (fixed, rest): (u32, bool),
        body: Node,
        params_text: String,
        origin: Option<Origin>,
        span: Span,
    ) -> Function {
        let arities = vec![Arity { fixed, rest, reads: Vec::new(), slots: self.slots, body }];
        let Captured { sources: captures, names: capture_names } = self.captured;
        Function {
            name: None,
            arities,
            captures,
            capture_names,
            origin,
            params_text: params_text.into(),
            calls: None,
            span,
        }
    }

    pub fn find(&self, name: &str) -> Option<CaptureSource> {
        if let Some(slot) = self.visible.get(name).and_then(|slots| slots.last()) {
            return Some(CaptureSource::Local(*slot));
        }
        if self.own.as_deref() == Some(name) {
            return Some(CaptureSource::SelfFn);
        }
        let member = self.group.as_ref()?.iter().rposition(|member| member == name)?;
        u32::try_from(member).ok().map(CaptureSource::Sibling)
    }

    /// The number of a captured value. A value with two names is captured twice: stored functions identify captured
    /// values by name.
    fn capture(&mut self, source: CaptureSource, name: &str) -> u32 {
        let next = u32::try_from(self.captured.sources.len()).unwrap_or(u32::MAX);
        *self.capture_numbers.entry((source, name.into())).or_insert_with(|| {
            self.captured.sources.push(source);
            self.captured.names.push(name.into());
            next
        })
    }

    fn names(&self) -> impl Iterator<Item = &str> {
        let group = self.group.iter().flat_map(|members| members.iter().map(String::as_str));
        self.order.iter().map(AsRef::as_ref).chain(self.own.as_deref()).chain(group)
    }
}

impl Analyzer<'_> {
    /// An unused slot.
    pub(super) fn fresh(&mut self, span: Span) -> Slot {
        let Some(scope) = self.scopes.last_mut() else { return 0 };
        let slot = scope.slots;
        if slot < MAX_SLOTS {
            scope.slots += 1;
            return slot;
        }
        let text = format!("more than {MAX_SLOTS} local names in one function; use a vector or a map");
        self.problem(Reason::InvalidForm, text, span);
        slot
    }

    /// Make `name` mean `slot` from here on.
    pub(super) fn declare(&mut self, name: &str, slot: Slot) {
        if let Some(scope) = self.scopes.last_mut() {
            let name: Rc<str> = name.into();
            scope.visible.entry(name.clone()).or_default().push(slot);
            scope.order.push(name);
        }
    }

    /// A new slot for `name`, which means it from here on.
    pub(super) fn fresh_named(&mut self, name: &str, span: Span) -> Slot {
        let slot = self.fresh(span);
        self.declare(name, slot);
        slot
    }

    /// A local that no program can name; for values that rewritten forms mention.
    pub(super) fn made_up(&mut self, slot: Slot) -> String {
        self.made_up += 1;
        let name = format!("\u{0}{}", self.made_up);
        self.declare(&name, slot);
        name
    }

    /// How many names are visible now, for [`Analyzer::forget`].
    pub(super) fn mark(&self) -> usize {
        self.scopes.last().map_or(0, |scope| scope.order.len())
    }

    /// End the scope of every name declared since `mark`.
    pub(super) fn forget(&mut self, mark: usize) {
        let Some(scope) = self.scopes.last_mut() else { return };
        while scope.order.len() > mark {
            let Some(name) = scope.order.pop() else { break };
            if let Some(slots) = scope.visible.get_mut(&name) {
                slots.pop();
                if slots.is_empty() {
                    scope.visible.remove(&name);
                }
            }
        }
    }

    pub(super) fn is_local(&self, name: &str) -> bool {
        self.scopes.iter().any(|scope| scope.find(name).is_some())
    }

    /// Whether the functions of the program close over more than they may: then `lookup` finds and closes over nothing.
    pub(super) fn captures_too_much(&self) -> bool {
        self.captures > MAX_CAPTURES
    }

    /// The message for a program whose functions close over more than they may.
    pub(super) fn too_many_captures() -> String {
        format!(
            "the functions of this program close over more than {MAX_CAPTURES} values, counted in each function around their use; pass them in a map"
        )
    }

    /// The local `name` as the current function sees it; captures it where it belongs to an outer one.
    pub(super) fn lookup(&mut self, name: &str) -> Option<Kind> {
        let innermost = self.scopes.last()?;
        if let Some(number) = innermost.known_captures.get(name)
            && innermost.find(name).is_none()
        {
            return Some(Kind::Capture(*number));
        }
        let (level, mut source) =
            self.scopes.iter().enumerate().rev().find_map(|(level, scope)| Some((level, scope.find(name)?)))?;
        let around = self.scopes.len() - (level + 1);
        self.captures += around;
        if self.captures_too_much() {
            return None;
        }
        for scope in self.scopes.iter_mut().skip(level + 1) {
            source = CaptureSource::Capture(scope.capture(source, name));
        }
        if let (CaptureSource::Capture(number), Some(innermost)) =
            (source, self.scopes.last_mut().filter(|_| around > 0))
        {
            innermost.known_captures.insert(name.into(), number);
        }
        Some(match source {
            CaptureSource::Local(slot) => Kind::Local { slot, last: false },
            CaptureSource::Capture(number) => Kind::Capture(number),
            CaptureSource::SelfFn => Kind::SelfFn,
            CaptureSource::Sibling(number) => Kind::Sibling(number),
        })
    }

    /// Every visible local that a program wrote.
    pub(super) fn local_names(&self) -> Vec<String> {
        self.scopes.iter().flat_map(Scope::names).filter(|name| !name.starts_with('\u{0}')).map(str::to_owned).collect()
    }

    /// The result of `build`, under the bindings that it adds; the names that it declares go out of scope afterwards.
    pub(super) fn within(&mut self, build: impl FnOnce(&mut Self, &mut Vec<(Slot, Node)>) -> Node) -> Node {
        let mark = self.mark();
        let mut bindings = Vec::new();
        let node = build(self, &mut bindings);
        self.forget(mark);
        bound(bindings, node)
    }

    /// Bind `node` to a fresh slot without a name.
    pub(super) fn hold(&mut self, node: Node, bindings: &mut Vec<(Slot, Node)>) -> Slot {
        let slot = self.fresh(node.span);
        bindings.push((slot, node));
        slot
    }
}
