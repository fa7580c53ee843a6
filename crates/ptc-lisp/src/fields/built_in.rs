//! The results of builtins, by their names: first of those that go through collections.

use std::sync::Arc;

use super::look_up::{Use, at_place};
use super::rules;
use super::value::{Arguments, Callee, Known, Literal};
use super::walk::Walk;
use crate::stdlib::facts::{Callback, Uses};
use crate::stdlib::table::table;
use crate::value::{BuiltinId, Value};

impl Walk<'_> {
    /// The result of a builtin for these arguments.
    pub fn built_in(&mut self, id: BuiltinId, name: &'static str, args: &[Known]) -> Known {
        let row = table().entry(id).row;
        let facts = row.facts;
        if matches!(facts.callback, Some(Callback::Makes(_))) || row.is_stage(args.len()) {
            return Known::function(Callee::Made(id, args.into()));
        }
        if let Some(is_there) = facts.presence
            && let [arg] = args
            && name != "seq"
            && name != "not-empty"
        {
            return self.tested(name, arg, is_there);
        }
        let known = self.of_elements(name, args);
        let known = known.or_else(|| self.with_functions(name, args));
        let known = known.or_else(|| self.of_keys(name, args));
        known.or_else(|| self.of_maps(name, args)).unwrap_or_else(|| self.of_values(name, facts.uses, args))
    }

    fn tested(&mut self, name: &str, arg: &Known, is_there: bool) -> Known {
        let place = self.place(self.site);
        match () {
            () if arg.is_nil() => Known::truth(!is_there, place),
            () if !arg.may_be_nil() && matches!(name, "nil?" | "some?") => Known::truth(is_there, place),
            () => Known::scalar(),
        }
    }

    /// Builtins that look at values one by one.
    fn of_values(&mut self, name: &str, uses: Uses, args: &[Known]) -> Known {
        match (name, args) {
            ("not", [arg]) => match arg.truthy() {
                Some(truth) => Known::truth(!truth, self.place(self.site)),
                None => Known::scalar(),
            },
            ("=" | "not=" | "==" | "identical?" | "%=", args) => {
                if !args.iter().any(rules::is_plain_test) {
                    args.iter().for_each(|arg| self.used_with_parts(arg, Use::Computed));
                }
                Known::scalar()
            }
            ("count", [coll]) => {
                self.used_with_parts(coll, Use::Shown);
                Known::scalar()
            }
            ("reduced" | "unreduced" | "doall" | "%map-pattern" | "%index-pattern" | "%key-args", [arg]) => arg.clone(),
            ("identity" | "keywordize-keys" | "walk/keywordize-keys", [arg]) => arg.clone(),
            ("%coll" | "%source" | "%items", [_, arg]) => arg.clone(),
            ("%number", [_, arg]) => {
                self.used(arg, Use::Computed);
                Known::scalar()
            }
            ("fail" | "%throw", args) => {
                args.iter().for_each(|arg| self.used_with_parts(arg, Use::Shown));
                Known::nothing()
            }
            ("json/generate-string", [value]) => {
                self.used_with_parts(value, Use::Shown);
                self.escape(value);
                Known { text_of: Some(Arc::new(value.clone().read_again())), ..Known::scalar() }
            }
            ("json/parse-string", [Known { text_of: Some(value), .. }]) => Known::clone(value),
            (name, args) if computes(name, uses) => {
                args.iter().for_each(|arg| self.used(arg, Use::Computed));
                self.escape_all(args);
                Known::any().settled()
            }
            (name, args) if uses == Uses::Shows => {
                args.iter().for_each(|arg| self.used_with_parts(arg, Use::Shown));
                self.escape_all(args);
                if name == "return" { Known::nothing() } else { Known::scalar().or_nil() }
            }
            (name, args) => {
                self.escape_all(args);
                if name.ends_with('?') { Known::scalar() } else { Known::any() }
            }
        }
    }

    /// The elements of a collection. A missing one has none.
    pub fn gone_through(&mut self, coll: &Known) -> Known {
        self.used(coll, Use::Shown);
        coll.elements()
    }

    /// The same as a list.
    fn listed(&mut self, coll: &Known) -> Known {
        if coll.map.is_none() && !coll.open && !coll.scalar && coll.list.is_some() {
            return coll.clone().but_nil();
        }
        Known::list(self.gone_through(coll))
    }

    /// Builtins that return elements of a collection, or the collection in another order.
    fn of_elements(&mut self, name: &str, args: &[Known]) -> Option<Known> {
        let (first, last) = (args.first()?, args.last()?);
        Some(match (name, args.len()) {
            ("seq", 1) if first.is_nil() => first.clone().settled(),
            ("seq" | "%seq-pattern" | "rseq" | "next", 1) => {
                let list = if name == "seq" || name == "%seq-pattern" {
                    self.listed(&first.clone().settled())
                } else {
                    Known::list(first.elements())
                };
                if first.may_be_nil() || name == "next" { list.or_nil() } else { list }
            }
            ("not-empty", 1) => first.clone().settled().or_nil(),
            ("vec" | "entries", 1) => self.listed(first),
            ("rest" | "butlast" | "reverse" | "shuffle" | "cycle" | "dorun" | "pop" | "disj", _) => {
                Known::list(self.gone_through(first))
            }
            ("set" | "distinct" | "dedupe" | "sort" | "frequencies" | "sum" | "avg", 1) | ("join", _) => {
                let element = self.gone_through(last);
                self.used_with_parts(&element, Use::Computed);
                match name {
                    "frequencies" => Known::map_of(Known::scalar().since(element.origin.as_ref())),
                    "sum" | "avg" | "join" => Known::scalar().or_nil(),
                    _ => Known::list(element),
                }
            }
            ("take" | "drop" | "take-last" | "drop-last" | "take-nth" | "random-sample", 2) | ("drop-last", 1) => {
                Known::list(self.gone_through(last))
            }
            ("nthrest" | "nthnext" | "subvec", _) => Known::list(self.gone_through(first)).or_nil(),
            ("%rest", 2) => from_place(first, last),
            ("partition" | "partition-all", 2 | 3) => {
                let element = self.gone_through(last);
                Known::list(Known::list(element))
            }
            ("split-at", 2) => {
                let part = Known::list(self.gone_through(last));
                Known::tuple(vec![part.clone(), part])
            }
            ("first" | "key" | "%first-seq", 1) => element_at(first, 0),
            ("second" | "fnext" | "val", 1) => element_at(first, 1),
            ("last" | "peek" | "rand-nth", 1) => element_at(first, -1),
            ("ffirst", 1) => element_at(&element_at(first, 0), 0),
            ("nth" | "%nth", 2 | 3) => self.nth(first, args)?,
            ("list" | "vector", _) => Known::tuple(args.to_vec()),
            ("hash-set", _) => Known::list(args.iter().cloned().fold(Known::nothing(), Known::or)),
            ("concat" | "set/union" | "set/difference" | "set/intersection" | "lazy-cat", _) => {
                Known::list(args.iter().map(|arg| self.gone_through(arg)).fold(Known::nothing(), Known::or))
            }
            ("cons", 2) => {
                let rest = self.gone_through(last);
                Known::list(first.clone().or(rest))
            }
            ("list*", _) => {
                let rest = self.gone_through(last);
                Known::list(args.iter().rev().skip(1).cloned().fold(rest, Known::or))
            }
            ("flatten", 1) => {
                self.used(first, Use::Shown);
                Known::list(Known::any())
            }
            ("interleave", _) => Known::list(args.iter().map(Known::elements).fold(Known::nothing(), Known::or)),
            ("interpose", 2) => Known::list(first.clone().or(last.elements())),
            ("zip", _) => Known::list(Known::tuple(args.iter().map(|arg| arg.elements().or_nil()).collect())),
            ("repeat" | "replicate", 2) => Known::list(last.clone()),
            ("range", _) => {
                args.iter().for_each(|arg| self.used(arg, Use::Computed));
                Known::list(Known::scalar())
            }
            ("sequence" | "eduction", 1) => Known::list(self.gone_through(first)),
            ("sequence" | "eduction", 2..) => {
                let steps = args.get(..args.len() - 1).unwrap_or_default();
                steps.iter().fold(last.clone(), |coll, step| self.through(step, &coll))
            }
            _ => return None,
        })
    }

    fn nth(&mut self, coll: &Known, args: &[Known]) -> Option<Known> {
        let at = args.get(1)?;
        self.used(at, Use::Computed);
        let found = match &at.literal {
            Some(Literal { value: Value::Int(at), .. }) => element_at(coll, *at),
            _ => coll.elements().or_nil(),
        };
        Some(match args.get(2) {
            Some(default) => found.settled().or(default.clone()),
            None => found,
        })
    }

    /// A value that a function makes of another one and each element in turn.
    pub fn reduced(&mut self, function: &Known, init: Option<Known>, element: &Known) -> Known {
        if element.is_nothing() {
            self.escape(function);
            return init.unwrap_or_else(Known::any);
        }
        let start = init.unwrap_or_else(|| element.clone());
        let call = |walk: &mut Self, state| walk.call(function, Arguments::of([state, element.clone()]));
        self.again(start, call)
    }
}

/// The element at this place, -1 for the last one; nil where there is none. It is missing where the collection is.
pub(super) fn element_at(coll: &Known, at: i64) -> Known {
    let places = coll.list.as_ref().and_then(|list| list.places.as_deref());
    let is_list = coll.map.is_none() && !coll.open && !coll.scalar;
    let at = match (places, at) {
        (Some(places), -1) => places.len() as i64 - 1,
        (_, at) => at,
    };
    let known = if is_list && places.is_some() { at_place(places, at) } else { None };
    let mut element = known.unwrap_or_else(|| coll.elements().or_nil());
    element.missing.extend(&coll.missing);
    element.nil |= coll.nil;
    element.since(coll.origin.as_ref())
}

/// The elements from a place on.
fn from_place(coll: &Known, at: &Known) -> Known {
    let places = coll.list.as_ref().and_then(|list| list.places.as_deref());
    match (places, &at.literal) {
        (Some(places), Some(Literal { value: Value::Int(at), .. })) if coll.map.is_none() && !coll.open => {
            let rest = usize::try_from(*at).ok().and_then(|at| places.get(at..)).unwrap_or_default();
            if rest.is_empty() { Known::nil() } else { Known::tuple(rest.to_vec()) }
        }
        _ => Known::list(coll.elements()).or_nil(),
    }
}

/// Whether it computes with each argument. Functions of namespaces and methods do.
fn computes(name: &str, uses: Uses) -> bool {
    let is_of_namespace = name.len() > 1 && (name.contains('/') || name.starts_with('.'));
    uses == Uses::Computes || is_of_namespace && uses == Uses::Any
}
