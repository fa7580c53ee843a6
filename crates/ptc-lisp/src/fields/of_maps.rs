//! The results of builtins that read maps and make others of them.

use std::sync::Arc;

use super::look_up::{Use, key_text, steps};
use super::value::{Arguments, Known, Literal, Maps};
use super::walk::Walk;
use crate::value::Value;

impl Walk<'_> {
    pub(super) fn of_maps(&mut self, name: &str, args: &[Known]) -> Option<Known> {
        Some(match (name, args) {
            ("get" | "%get", [map, key]) => self.look_up(map, key, None),
            ("get", [map, key, default]) => self.look_up(map, key, Some(default.clone())),
            ("get-in", [map, path]) => self.look_along(map, path, None),
            ("get-in", [map, path, default]) => self.look_along(map, path, Some(default.clone())),
            ("contains?" | "%has" | "%has?", [map, key]) => {
                let place = self.place(self.site);
                self.has_key(map, key, place)
            }
            ("find", [map, key]) => {
                let value = self.look_up(map, key, Some(Known::nil()));
                Known::tuple(vec![key.clone(), value]).or_nil()
            }
            ("keys", [map]) => {
                self.used(map, Use::Shown);
                Known::list(Known::scalar()).or_nil().since(map.origin.as_ref())
            }
            ("vals", [map]) => Known::list(self.values_of(map)).or_nil(),
            ("assoc" | "%assoc" | "assoc!", [map, pairs @ ..]) => self.with_pairs(map, pairs),
            ("assoc-in", [map, path, value]) => self.changed_along(map, path, |_, _| value.clone()),
            ("update", [map, key, function, more @ ..]) => {
                let value = self.look_up(map, key, None);
                let value = self.call(function, Arguments::of([&[value], more].concat()));
                self.with_pairs(map, &[key.clone(), value])
            }
            ("update-in", [map, path, function, more @ ..]) => self
                .changed_along(map, path, |walk, value| walk.call(function, Arguments::of([&[value], more].concat()))),
            ("dissoc" | "dissoc!", [map, keys @ ..]) => without(map, keys),
            ("select-keys", [map, keys]) => self.selected(map, keys),
            ("set/project", [rows, keys]) => {
                let row = self.gone_through(rows);
                Known::list(self.selected(&row, keys))
            }
            ("merge", [first, rest @ ..]) => rest.iter().fold(first.clone(), merged),
            ("merge-with", [function, maps @ ..]) => {
                let values: Vec<Known> = maps.iter().map(|map| self.values_of(map)).collect();
                let value = values.into_iter().fold(Known::nothing(), Known::or);
                if !value.is_nothing() {
                    self.call(function, Arguments::of([value.clone(), value]));
                }
                Known::map_of(Known::any()).or_nil()
            }
            ("conj" | "conj!", [coll, items @ ..]) => {
                let item = items.iter().cloned().fold(Known::nothing(), Known::or);
                self.with_items(coll, &item)
            }
            ("into", [coll, items]) => {
                let item = self.gone_through(items);
                self.with_items(coll, &item)
            }
            ("into", [coll, transducer, items]) => {
                let item = self.through(transducer, items).elements();
                self.with_items(coll, &item)
            }
            ("zipmap", [keys, values]) => {
                let value = self.gone_through(values);
                match steps(keys) {
                    Some(keys) => {
                        let pairs: Vec<Known> = keys.into_iter().flat_map(|key| [key, value.clone()]).collect();
                        self.map_of_pairs(&pairs)
                    }
                    None => {
                        let key = self.gone_through(keys);
                        self.used(&key, Use::Computed);
                        Known::map_of(value)
                    }
                }
            }
            ("hash-map" | "array-map", pairs) => self.map_of_pairs(pairs),
            ("set/rename-keys", [map, names]) => renamed(map, names),
            ("set/rename", [rows, names]) => Known::list(renamed(&self.gone_through(rows), names)),
            ("set/join", [one, other, ..]) => {
                let (one, other) = (self.gone_through(one), self.gone_through(other));
                Known::list(merged(one, &other))
            }
            _ => return None,
        })
    }

    /// A map or vector with these keys and values in turn.
    fn with_pairs(&mut self, map: &Known, pairs: &[Known]) -> Known {
        let mut maps = maps_of(map);
        let values = pairs.iter().skip(1).step_by(2);
        maps.origin = maps.origin.take().or_else(|| values.clone().find_map(|value| value.origin.clone()));
        for pair in pairs.chunks(2) {
            let [key, value] = pair else { continue };
            self.put(&mut maps, key, value.clone());
        }
        let mut result = Known::map(maps);
        if let Some(list) = &map.list {
            let element = values.cloned().fold(list.element.clone(), Known::or);
            let list = Known::list(element);
            result = if map.map.is_none() && !map.open && !map.may_be_nil() { list } else { result.or(list) };
        }
        result
    }

    /// A map in which the value along a path is another one.
    fn changed_along(&mut self, map: &Known, path: &Known, change: impl FnOnce(&mut Self, Known) -> Known) -> Known {
        let Some((key, rest)) = steps(path).and_then(|mut steps| (!steps.is_empty()).then(|| (steps.remove(0), steps)))
        else {
            change(self, Known::any());
            return Known::map(maps_of(map).opened(Known::any()));
        };
        let value = self.look_up(map, &key, None);
        if rest.is_empty() {
            let value = change(self, value);
            return self.with_pairs(map, &[key, value]);
        }
        // What is missing on the way is made.
        let inner = self.changed_along(&value.settled(), &Known::tuple(rest), change);
        self.with_pairs(map, &[key, inner])
    }

    fn selected(&mut self, map: &Known, keys: &Known) -> Known {
        self.used(map, Use::Shown);
        let Some(steps) = steps(keys) else {
            let mut maps = maps_of(map);
            maps.fields.values_mut().for_each(|value| value.nil = true);
            return Known::map(maps);
        };
        let mut maps = Maps { is_sure: true, is_derived: true, origin: map.origin.clone(), ..Maps::default() };
        for key in &steps {
            let value = self.look_up(map, key, None);
            self.used(&value, Use::Shown);
            if value.is_nil() {
                continue;
            }
            self.put(&mut maps, key, value.settled());
        }
        Known::map(maps)
    }

    /// A collection with further items: entries or maps where it is a map.
    fn with_items(&mut self, coll: &Known, item: &Known) -> Known {
        let mut result = Known::nothing();
        if coll.open {
            result = Known::any();
        }
        if coll.list.is_some() || coll.may_be_nil() {
            let element = coll.list.as_ref().map(|list| list.element.clone()).unwrap_or_default();
            result = result.or(Known::list(element.or(item.clone())));
        }
        if coll.map.is_some() {
            result = result.or(self.with_entries(coll, item));
        }
        result.since(item.origin.as_ref())
    }

    fn with_entries(&mut self, coll: &Known, item: &Known) -> Known {
        let mut maps = maps_of(coll);
        maps.origin = maps.origin.or_else(|| item.origin.clone());
        if let Some(list) = &item.list {
            match list.places.as_deref() {
                Some([key, value]) => self.put(&mut maps, key, value.clone()),
                _ => maps = maps.opened(list.element.clone()),
            }
        }
        if item.open {
            maps = maps.opened(Known::any());
        }
        let maps = Known::map(maps);
        if item.map.is_some() { merged(maps, &Known { list: None, ..item.clone() }) } else { maps }
    }
}

/// The maps that a value may be, for one that is made of them.
fn maps_of(value: &Known) -> Maps {
    let known = value.map.as_deref().cloned();
    let mut maps = known.unwrap_or_else(|| Maps { is_sure: true, origin: value.origin.clone(), ..Maps::default() });
    maps.is_derived = true;
    if value.open {
        maps = maps.opened(Known::any());
    }
    if value.may_be_nil() {
        maps.fields.values_mut().for_each(|value| value.nil = true);
    }
    maps
}

/// The entries of both maps.
fn merged(one: Known, other: &Known) -> Known {
    if other.is_nil() {
        return one;
    }
    if one.is_nil() {
        return other.clone().or_nil();
    }
    let (mut maps, more) = (maps_of(&one), maps_of(other));
    for (key, value) in more.fields {
        let known = maps.fields.get(&key).cloned();
        maps.fields.insert(key, known.unwrap_or_default().or(value));
    }
    if let Some(values) = more.rest {
        maps = maps.opened(values);
    }
    maps.is_sure &= more.is_sure;
    maps.origin = maps.origin.or(more.origin);
    let result = Known::map(maps);
    if one.may_be_nil() && other.may_be_nil() { result.or_nil() } else { result }
}

fn without(map: &Known, keys: &[Known]) -> Known {
    let mut maps = maps_of(map);
    let texts: Option<Vec<&str>> =
        keys.iter().map(|key| key.literal.as_ref().and_then(|literal| key_text(&literal.value))).collect();
    match texts {
        Some(texts) => maps.fields.retain(|key, _| !texts.contains(&&**key)),
        None => maps.fields.values_mut().for_each(|value| value.nil = true),
    }
    let result = Known::map(maps);
    if map.may_be_nil() { result.or_nil() } else { result }
}

/// A map with other names for its keys.
fn renamed(map: &Known, names: &Known) -> Known {
    let mut maps = maps_of(map);
    let Some(Literal { value: Value::Map(names), .. }) = &names.literal else {
        return Known::map(maps.opened(Known::any()));
    };
    for (old, new) in names {
        let (Some(old), Some(new)) = (key_text(old), key_text(new)) else { continue };
        if let Some(value) = maps.fields.shift_remove(old) {
            maps.fields.insert(Arc::from(new), value);
        }
    }
    Known::map(maps)
}
