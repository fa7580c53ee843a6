//! The results of builtins that call a function for the elements of a collection.

use super::look_up::Use;
use super::value::{Arguments, Known};
use super::walk::Walk;

/// The longest list whose elements are followed one by one.
const MOST_PLACES: usize = 24;

impl Walk<'_> {
    /// Builtins whose first argument, or second one, is a function for elements.
    pub(super) fn with_functions(&mut self, name: &str, args: &[Known]) -> Option<Known> {
        Some(match (name, args) {
            ("map" | "mapv" | "pmap", [function, coll]) => self.one_by_one(function, coll),
            ("%for", [coll, function]) => self.one_by_one(function, coll),
            ("map" | "mapv" | "pmap", [function, colls @ ..]) if !colls.is_empty() => {
                let value = self.each(function, colls);
                Known::list(value)
            }
            ("mapcat", [function, colls @ ..]) if !colls.is_empty() => {
                let value = self.each(function, colls);
                Known::list(self.gone_through(&value))
            }
            ("%for-cat", [coll, function]) => {
                let value = self.each(function, std::slice::from_ref(coll));
                Known::list(value.elements())
            }
            ("keep", [function, coll]) => {
                let value = self.each(function, std::slice::from_ref(coll));
                let value = Known { nil: false, ..value.settled() };
                Known::list(if value.open { value } else { value.but_nil() })
            }
            ("run!" | "%doseq", [one, other]) => {
                let (function, coll) = if name == "run!" { (one, other) } else { (other, one) };
                self.one_by_one(function, coll);
                Known::nil()
            }
            ("map-indexed" | "keep-indexed", [function, coll]) => {
                let element = self.gone_through(coll);
                let value = self.called_for(function, vec![Known::scalar(), element]);
                Known::list(if name == "map-indexed" { value } else { value.but_nil() })
            }
            ("filter" | "filterv" | "remove" | "take-while" | "drop-while" | "set/select", [test, coll]) => {
                let element = self.gone_through(coll);
                self.filtered(name, test, element)
            }
            ("every?" | "not-any?" | "not-every?", [test, coll]) => {
                self.each(test, std::slice::from_ref(coll));
                Known::scalar()
            }
            ("some", [test, coll]) => self.each(test, std::slice::from_ref(coll)).settled().or_nil(),
            ("find", [test, coll]) if !test.functions.is_empty() => {
                let element = self.gone_through(coll);
                self.called_for(test, vec![element.clone()]);
                element.or_nil()
            }
            ("split-with", [test, coll]) => {
                let element = self.gone_through(coll);
                self.called_for(test, vec![element.clone()]);
                Known::tuple(vec![Known::list(element.clone()), Known::list(element)])
            }
            ("sort", [compare, coll]) => {
                let element = self.gone_through(coll);
                self.called_for(compare, vec![element.clone(), element.clone()]);
                Known::list(element)
            }
            _ => return self.folded(name, args),
        })
    }

    /// Builtins that call a function with what it returned before, or with given arguments.
    fn folded(&mut self, name: &str, args: &[Known]) -> Option<Known> {
        Some(match (name, args) {
            ("reduce", [function, coll]) => {
                let element = self.gone_through(coll);
                self.reduced(function, None, &element).or_nil()
            }
            ("reduce", [function, init, coll]) => {
                let element = self.gone_through(coll);
                self.reduced(function, Some(init.clone()), &element)
            }
            ("swap!" | "vswap!" | "swap-vals!", [cell, function, rest @ ..]) => {
                self.escape(cell);
                let args = [&[Known::any()], rest].concat();
                self.call(function, Arguments::of(args));
                Known::any()
            }
            ("reductions", [function, rest @ .., coll]) => {
                let element = self.gone_through(coll);
                Known::list(self.reduced(function, rest.first().cloned(), &element))
            }
            ("reduce-kv", [function, init, map]) => {
                self.used(map, Use::Shown);
                let values = map.map.as_ref().map_or_else(|| map.elements(), |maps| maps.values());
                let step = |walk: &mut Self, state: Known| {
                    walk.call(function, Arguments::of([state, Known::scalar(), values.clone()]))
                };
                if values.is_nothing() { init.clone() } else { self.again(init.clone(), step) }
            }
            ("transduce", [transducer, function, rest @ .., coll]) => {
                let element = self.through(transducer, coll).elements();
                self.reduced(function, rest.first().cloned(), &element)
            }
            ("apply", [function, known @ .., last]) => self.applied(function, known, last),
            ("iterate", [function, init]) => {
                Known::list(self.again(init.clone(), |walk, state| walk.call(function, Arguments::of([state]))))
            }
            ("repeatedly", [.., function]) => Known::list(self.call(function, Arguments::default())),
            ("tree-seq", [branch, children, root]) => {
                let node = self.again(root.clone(), |walk, node| {
                    walk.call(branch, Arguments::of([node.clone()]));
                    walk.call(children, Arguments::of([node])).settled().elements()
                });
                Known::list(node)
            }
            _ => return None,
        })
    }

    /// The list of the results of a function for each element. Those of a short literal are followed one by one.
    fn one_by_one(&mut self, function: &Known, coll: &Known) -> Known {
        let is_list = coll.map.is_none() && !coll.open && !coll.may_be_nil();
        let places = coll.list.as_ref().and_then(|list| list.places.as_ref()).filter(|_| is_list);
        match places.filter(|places| places.len() <= MOST_PLACES) {
            Some(places) => {
                let results: Vec<Known> =
                    places.iter().map(|place| self.called_for(function, vec![place.clone()])).collect();
                // Some elements may be skipped.
                if results.iter().any(Known::is_nothing) {
                    return Known::list(results.into_iter().fold(Known::nothing(), Known::or));
                }
                Known::tuple(results)
            }
            None => Known::list(self.each(function, std::slice::from_ref(coll))),
        }
    }

    /// A call of a function for each element of the collections.
    fn each(&mut self, function: &Known, colls: &[Known]) -> Known {
        let elements: Vec<Known> = colls.iter().map(|coll| self.gone_through(coll)).collect();
        self.called_for(function, elements)
    }

    /// The same, which is not called where there are no elements.
    pub(super) fn called_for(&mut self, function: &Known, elements: Vec<Known>) -> Known {
        if elements.iter().any(Known::is_nothing) {
            return Known::nothing();
        }
        self.call(function, Arguments::of(elements))
    }

    fn filtered(&mut self, name: &str, test: &Known, element: Known) -> Known {
        let truth = self.called_for(test, vec![element.clone()]);
        let keeps = name != "remove" && name != "drop-while";
        if truth.is_nil() && keeps {
            return Known::list(Known::nothing());
        }
        Known::list(element)
    }

    fn applied(&mut self, function: &Known, known: &[Known], last: &Known) -> Known {
        let places = last.list.as_ref().and_then(|list| list.places.clone());
        let is_exact = last.map.is_none() && !last.open && !last.nil && last.missing.is_empty();
        match places.filter(|_| is_exact) {
            Some(places) => self.call(function, Arguments::of([known, &places].concat())),
            None => {
                let more = self.gone_through(last);
                let more = if more.is_nothing() { Known::any() } else { more };
                self.call(function, Arguments { known: known.to_vec(), more: Some(more) })
            }
        }
    }
}
