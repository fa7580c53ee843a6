//! Lookups of fields: what they give, and what happens to the nil of those that give nothing.

use std::sync::Arc;

use super::value::{Known, Literal, Maps, Origin, Place};
use super::walk::Walk;
use crate::parse::span::Span;
use crate::value::{FormatOptions, Value, format};

/// The number of a lookup.
pub(crate) type LookUpId = u32;

/// What happens to the nil of a lookup. Tests of presence are none of it.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Use {
    /// It is returned, printed, kept, sent to a tool, or gone through as a collection: the program works, and may mean it.
    Shown,
    /// It is compared, added up, sorted or grouped by: the result is wrong, or an error.
    Computed,
}

/// A key that some text looks up in one place, possibly several times.
#[derive(Debug)]
pub(super) struct LookUp {
    pub key: Value,
    /// The place in the program: that of the key, or of the call that leads to it.
    pub span: Span,
    /// The function of an earlier program whose text has the key.
    pub inside: Option<Arc<str>>,
    /// Some map that reaches the place has the key, or may have it.
    pub is_found: bool,
    /// All maps without it are known.
    pub is_sure: bool,
    /// What the maps have, and where they come from, at the first time.
    pub maps: Option<(Arc<Maps>, Arc<Origin>)>,
    pub used: Option<Use>,
    /// It is used in the body of a `try`: the program says what happens where that fails.
    pub is_caught: bool,
}

/// The name of a key under which both spellings find it.
pub(super) fn key_text(key: &Value) -> Option<&str> {
    match key {
        Value::Keyword(name) => Some(name.as_str()),
        Value::Str(text) => Some(text.as_str()),
        _ => None,
    }
}

impl Walk<'_> {
    /// What a value has under a key. With a default, nil is expected.
    pub fn look_up(&mut self, target: &Known, key: &Known, default: Option<Known>) -> Known {
        let Some(literal) = key.literal.clone().filter(|_| !key.open) else {
            return self.under_any_key(target, key, default);
        };
        let mut result = Known { open: target.open, nil: target.nil || target.scalar, ..Known::nothing() };
        result.missing.clone_from(&target.missing);
        let mut is_found = target.open;
        if let (Some(list), Value::Int(at)) = (&target.list, &literal.value) {
            result = result.or(at_place(list.places.as_deref(), *at).unwrap_or_else(|| list.element.clone().or_nil()));
            is_found = true;
        } else if target.list.is_some() {
            result.nil = true;
        }
        let mut absent = None;
        if let Some(maps) = &target.map {
            let text = key_text(&literal.value);
            match text.and_then(|text| maps.fields.get(text)).or(maps.rest.as_ref()) {
                Some(value) => {
                    let may_lack = maps.rest.is_some();
                    self.is_doubtful |= value.is_empty_data() || may_lack && !maps.is_derived;
                    let value = if may_lack { value.clone().or_nil() } else { value.clone() };
                    result = result.or(value);
                    is_found = true;
                }
                None => absent = maps.origin.clone().filter(|_| text.is_some()).map(|origin| (maps.clone(), origin)),
            }
            result.nil |= maps.origin.is_none() || text.is_none();
        }
        // What the program itself made lacks it in any data.
        self.is_doubtful |= !is_found && target.origin.is_some();
        let result = self.noted(result, &literal, is_found, absent.filter(|_| default.is_none()));
        match default {
            Some(default) => result.settled().or(default),
            None => result,
        }
        .since(target.origin.as_ref())
    }

    /// Note what a lookup found.
    fn noted(
        &mut self,
        mut result: Known,
        literal: &Literal,
        is_found: bool,
        absent: Option<(Arc<Maps>, Arc<Origin>)>,
    ) -> Known {
        if !is_found && absent.is_none() {
            return result;
        }
        let id = self.look_up_at(literal);
        let Some(look_up) = self.look_ups.get_mut(id as usize) else { return result };
        look_up.is_found |= is_found;
        if let Some((maps, origin)) = absent {
            look_up.is_sure &= maps.is_sure;
            result.open |= !maps.is_sure;
            result.missing.push(id);
            look_up.maps.get_or_insert((maps, origin));
        }
        result
    }

    fn look_up_at(&mut self, literal: &Literal) -> LookUpId {
        let key = format(&literal.value, &FormatOptions::full()).text;
        let (place, next) = (literal.place, self.look_ups.len() as LookUpId);
        let id = *self.places.entry((place, key)).or_insert(next);
        if id == next {
            self.look_ups.push(LookUp {
                key: literal.value.clone(),
                span: if place.text == 0 { place.span } else { self.site },
                inside: self.texts.get(place.text as usize).cloned().flatten(),
                is_found: false,
                is_sure: true,
                maps: None,
                used: None,
                is_caught: false,
            });
        }
        id
    }

    fn under_any_key(&mut self, target: &Known, key: &Known, default: Option<Known>) -> Known {
        // A missing value as a key is one that nothing has.
        self.used_with_parts(key, Use::Computed);
        let mut result = Known { open: target.open, ..Known::nil() };
        if let Some(maps) = &target.map {
            result = result.or(maps.values());
        }
        if let Some(list) = &target.list {
            result = result.or(list.element.clone());
        }
        match default {
            Some(default) => result.settled().or(default),
            None => result,
        }
        .since(target.origin.as_ref())
    }

    /// Along a path of keys.
    pub fn look_along(&mut self, target: &Known, path: &Known, default: Option<Known>) -> Known {
        let Some(steps) = steps(path) else { return Known::any().since(target.origin.as_ref()) };
        let may_lack = default.is_some();
        let found =
            steps.iter().fold(target.clone(), |target, step| self.look_up(&target, step, may_lack.then(Known::nil)));
        match default {
            Some(default) => found.or(default),
            None => found,
        }
    }

    /// Whether a map has a key: a test, which looks at no value.
    pub fn has_key(&mut self, target: &Known, key: &Known, place: Place) -> Known {
        let Some(text) = key.literal.as_ref().and_then(|literal| key_text(&literal.value)) else {
            self.used(key, Use::Computed);
            return Known::scalar();
        };
        match &target.map {
            Some(maps) if maps.is_closed() && maps.is_sure && !target.open && target.list.is_none() => {
                if maps.fields.contains_key(text) {
                    return Known::scalar();
                }
                self.is_doubtful = true;
                Known::truth(false, place)
            }
            _ => Known::scalar(),
        }
    }

    /// The nil of missing fields is used like this.
    pub fn used(&mut self, value: &Known, how: Use) {
        for id in &value.missing {
            if let Some(look_up) = self.look_ups.get_mut(*id as usize) {
                look_up.used = look_up.used.max(Some(how));
                look_up.is_caught |= self.catching > 0;
            }
        }
    }

    /// The same for all its parts.
    pub fn used_with_parts(&mut self, value: &Known, how: Use) {
        self.parts_used(value, how, super::value::MAX_DEPTH);
    }

    fn parts_used(&mut self, value: &Known, how: Use, depth: usize) {
        self.used(value, how);
        let Some(depth) = depth.checked_sub(1) else { return };
        if let Some(list) = &value.list {
            self.parts_used(&list.element, how, depth);
            list.places.iter().flatten().for_each(|place| self.parts_used(place, how, depth));
        }
        // The fields of data miss nothing.
        if let Some(maps) = value.map.as_ref().filter(|maps| maps.is_derived) {
            maps.fields.values().chain(&maps.rest).for_each(|value| self.parts_used(value, how, depth));
        }
    }
}

/// The element at this place of lists of one length.
pub(super) fn at_place(places: Option<&[Known]>, at: i64) -> Option<Known> {
    let places = places?;
    Some(usize::try_from(at).ok().and_then(|at| places.get(at)).cloned().unwrap_or_else(Known::nil))
}

/// The keys of a literal path, each with its place.
pub(super) fn steps(path: &Known) -> Option<Vec<Known>> {
    if let Some(Literal { value: Value::Vector(keys), place }) = &path.literal {
        let step =
            |key: &Value| Known { literal: Some(Literal { value: key.clone(), place: *place }), ..Known::scalar() };
        return Some(keys.iter().map(step).collect());
    }
    path.list.as_ref()?.places.clone()
}
