//! The results of builtins that take a key of each element: sums, groups, sorting.

use super::look_up::Use;
use super::value::{Arguments, Known};
use super::walk::Walk;

impl Walk<'_> {
    pub(super) fn of_keys(&mut self, name: &str, args: &[Known]) -> Option<Known> {
        Some(match (name, args) {
            ("sort-by", [key, .., coll]) => {
                let (element, key) = self.keyed(key, coll);
                if let [_, compare, _] = args {
                    self.called_for(compare, vec![key.clone(), key]);
                }
                Known::list(element)
            }
            ("group-by", [key, coll]) => {
                let (element, _) = self.keyed(key, coll);
                Known::map_of(Known::list(element))
            }
            ("partition-by", [key, coll]) => {
                let (element, _) = self.keyed(key, coll);
                Known::list(Known::list(element))
            }
            ("distinct-by", [key, coll]) => Known::list(self.keyed(key, coll).0),
            ("sum-by" | "avg-by", [key, coll]) => {
                let (element, _) = self.keyed(key, coll);
                Known::scalar().since(element.origin.as_ref())
            }
            ("min-by" | "max-by", [key, coll]) => self.keyed(key, coll).0.or_nil(),
            ("min-key" | "max-key" | "min-by" | "max-by", [key, items @ ..]) if !items.is_empty() => {
                let element = items.iter().cloned().fold(Known::nothing(), Known::or);
                let value = self.called_for(key, vec![element.clone()]);
                self.used(&value, Use::Computed);
                element
            }
            ("pluck", [key, coll]) => {
                let element = self.gone_through(coll);
                let value = if element.is_nothing() { element } else { self.call_key(key, &element) };
                Known::list(value)
            }
            ("update-vals", [map, function]) => {
                let values = self.values_of(map);
                let origin = map.origin.clone();
                let value = self.called_for(function, vec![values]);
                let value = if value.is_nothing() { Known::any() } else { value };
                Known::map_of(value.since(origin.as_ref()))
            }
            ("update-keys", [map, function]) => {
                let values = self.values_of(map);
                self.call(function, Arguments::of([Known::scalar()]));
                Known::map_of(values)
            }
            _ => return None,
        })
    }

    /// The values of a map.
    pub(super) fn values_of(&mut self, map: &Known) -> Known {
        self.used(map, Use::Shown);
        let open = if map.open { Known::any() } else { Known::nothing() };
        map.map.as_ref().map_or(open.clone(), |maps| maps.values().or(open))
    }

    /// The elements of a collection and their keys, by which something is computed.
    fn keyed(&mut self, key: &Known, coll: &Known) -> (Known, Known) {
        let element = self.gone_through(coll);
        if element.is_nothing() {
            self.escape(key);
            return (element, Known::any());
        }
        let value = self.call_key(key, &element);
        self.used_with_parts(&value, Use::Computed);
        (element, value.settled())
    }
}
