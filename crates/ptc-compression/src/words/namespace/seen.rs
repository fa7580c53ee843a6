//! What values have in common: examines them, records what occurs at each place, and builds a type and a profile from it.

use indexmap::IndexMap;
use ptc_lisp::signature::{Field, Type};
use ptc_lisp::text::{FormatOptions, escaped, format_within};
use ptc_lisp::{Map, Value, Vector};
use serde::Serialize;

use super::values::{self, Values};

/// Maximum entries examined of one list or map; of longer ones this many, evenly spaced.
const MAX_ENTRIES: usize = 10_000;
/// Maximum values examined in total. Values that share their parts look larger than they are.
const MAX_VALUES: usize = 2_000_000;
/// Levels of lists and maps that are examined.
const MAX_DEPTH: usize = 8;
/// A map with more entries of one type is a map from keys to values rather than one with fields.
const MANY_FIELDS: usize = 20;
/// Characters of the name of a field.
const NAME_CHARS: usize = 60;

/// A column of records: what its values are.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct ColumnProfile {
    /// The name of the field.
    pub name: String,
    /// The common type of its values, as the list of data writes it.
    #[serde(rename = "type")]
    pub ty: String,
    /// Ranges, the few different ones, gaps: `0.5..99.0 (12 nil)`.
    pub values: String,
}

/// What was found at one place, such as under one key of all maps of a list.
#[derive(Debug, Default)]
pub(super) struct ShapeSummary<'v> {
    nil: bool,
    scalars: Scalars,
    values: Values<'v>,
    list: Option<Box<ShapeSummary<'v>>>,
    map: Option<Box<MapsSummary<'v>>>,
}

#[derive(Debug, Default, Clone, Copy)]
struct Scalars {
    int: bool,
    float: bool,
    bool: bool,
    string: bool,
    keyword: bool,
    /// A value that signatures cannot express.
    other: bool,
}

/// The maps of one place.
#[derive(Debug, Default)]
struct MapsSummary<'v> {
    count: usize,
    /// In the order in which they were found.
    fields: IndexMap<FieldKey<'v>, FieldSummary<'v>>,
    /// Entries whose keys are not names of fields.
    keyed: Option<Keyed<'v>>,
    /// The first key of these.
    first_key: Option<&'v Value>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct FieldKey<'v> {
    name: &'v str,
    is_keyword: bool,
}

impl FieldKey<'_> {
    /// Whether they are equal. Maps of one list mostly share the texts of their keys.
    fn is(self, other: FieldKey<'_>) -> bool {
        std::ptr::eq(self.name, other.name) && self.is_keyword == other.is_keyword || self == other
    }
}

#[derive(Debug, Default)]
struct FieldSummary<'v> {
    /// Maps that have it.
    count: usize,
    value: ShapeSummary<'v>,
}

#[derive(Debug, Default)]
struct Keyed<'v> {
    keys: Scalars,
    values: ShapeSummary<'v>,
}

/// Examines values until it has seen enough.
#[derive(Debug)]
pub(super) struct Looker {
    left: usize,
    /// Whether something was left out.
    pub(super) is_partial: bool,
}

impl Looker {
    pub(super) fn new() -> Looker {
        Looker { left: MAX_VALUES, is_partial: false }
    }

    /// Examines the elements of a list, or at 10,000 of them; returns how many.
    pub(super) fn elements<'v>(&mut self, items: &'v Vector, seen: &mut ShapeSummary<'v>) -> usize {
        self.list(items, seen, 0)
    }

    /// Examines the entries of a map.
    pub(super) fn map<'v>(&mut self, map: &'v Map, seen: &mut ShapeSummary<'v>) {
        self.entries(map, seen.map.get_or_insert_default(), 0);
    }

    fn list<'v>(&mut self, items: &'v Vector, seen: &mut ShapeSummary<'v>, depth: usize) -> usize {
        let mut count = 0;
        for place in self.places(items.len()) {
            match items.get(place) {
                Some(item) if self.value(item, seen, depth + 1) => count += 1,
                _ => break,
            }
        }
        count
    }

    /// The places to examine among `len`.
    fn places(&mut self, len: usize) -> impl Iterator<Item = usize> + use<> {
        let wanted = len.min(MAX_ENTRIES);
        self.is_partial |= wanted < len;
        (0..wanted).map(move |number| number * len / wanted)
    }

    /// Examines one value; false when enough was already seen.
    fn value<'v>(&mut self, value: &'v Value, seen: &mut ShapeSummary<'v>, depth: usize) -> bool {
        if self.left == 0 {
            self.is_partial = true;
            return false;
        }
        self.left -= 1;
        seen.values.add(value);
        match value {
            Value::Nil => seen.nil = true,
            Value::Vector(items) => {
                let inner = seen.list.get_or_insert_default();
                if depth < MAX_DEPTH {
                    self.list(items, inner, depth);
                }
            }
            Value::Map(map) => {
                let maps = seen.map.get_or_insert_default();
                if depth < MAX_DEPTH {
                    self.entries(map, maps, depth);
                }
            }
            scalar => seen.scalars.add(scalar),
        }
        true
    }

    fn entries<'v>(&mut self, map: &'v Map, maps: &mut MapsSummary<'v>, depth: usize) {
        maps.count += 1;
        let is_keyed = holds_collections(map);
        let mut look = |looker: &mut Looker, place: usize, (key, value): (&'v Value, &'v Value)| {
            let field = match key {
                Value::Keyword(name) if name.is_hidden() => return true,
                Value::Str(name) if name.as_str().starts_with('_') => return true,
                _ if is_keyed => None,
                Value::Keyword(name) => maps.field(place, FieldKey { name: name.as_str(), is_keyword: true }),
                Value::Str(name) => maps.field(place, FieldKey { name: name.as_str(), is_keyword: false }),
                _ => None,
            };
            let seen = match field {
                Some(place) => maps.fields.get_index_mut(place).map(|(_, field)| &mut field.value),
                None => Some(maps.keyed(key)),
            };
            seen.is_some_and(|seen| looker.value(value, seen, depth + 1))
        };
        if map.len() <= MAX_ENTRIES {
            map.iter().enumerate().all(|(place, entry)| look(self, place, entry));
        } else {
            let mut places = self.places(map.len());
            places.all(|place| map.entry_at(place).is_some_and(|entry| look(self, place, entry)));
        }
    }
}

/// Whether the map has many entries that are collections: these are looked up by key, not named one by one.
fn holds_collections(map: &Map) -> bool {
    let is_collection = |(_, value): (&Value, &Value)| matches!(value, Value::Map(_) | Value::Vector(_) | Value::Nil);
    map.len() > MANY_FIELDS && map.iter().take(MANY_FIELDS).all(is_collection)
}

impl<'v> MapsSummary<'v> {
    /// Counts a field of a map that has it at `place`; returns its place among all. Maps of one list mostly have the
    /// same fields in the same order.
    fn field(&mut self, place: usize, key: FieldKey<'v>) -> Option<usize> {
        let is_there = self.fields.get_index(place).is_some_and(|(known, _)| known.is(key));
        let place = if is_there { place } else { self.fields.entry(key).index() };
        if place == self.fields.len() {
            self.fields.insert(key, FieldSummary::default());
        }
        self.fields.get_index_mut(place)?.1.count += 1;
        Some(place)
    }

    /// The values of all entries that are not fields.
    fn keyed(&mut self, key: &'v Value) -> &mut ShapeSummary<'v> {
        self.first_key.get_or_insert(key);
        let keyed = self.keyed.get_or_insert_default();
        keyed.keys.add(key);
        &mut keyed.values
    }

    fn ty(&self) -> Type {
        let of = |keys: Scalars, values: Type| Type::MapOf(Box::new(keys.ty()), Box::new(values));
        match &self.keyed {
            None if self.fields.is_empty() => Type::Map,
            None => match self.scalars_by_key() {
                Some((keys, values)) => of(keys, values.ty()),
                None => Type::Record(self.fields.iter().map(|(key, field)| self.record_field(*key, field)).collect()),
            },
            Some(keyed) if self.fields.is_empty() => of(keyed.keys, keyed.values.ty()),
            Some(_) => Type::MapOf(Box::new(Type::Any), Box::new(Type::Any)),
        }
    }

    /// The keys and the values of maps that have many scalars of one type and are not alike.
    fn scalars_by_key(&self) -> Option<(Scalars, ShapeSummary<'v>)> {
        let present: usize = self.fields.values().map(|field| field.count).sum();
        let are_alike = self.count > 1 && present * 2 >= self.fields.len() * self.count;
        if self.fields.len() <= MANY_FIELDS || are_alike {
            return None;
        }
        let mut keys = Scalars::default();
        let mut values = ShapeSummary::default();
        for (key, FieldSummary { value, .. }) in &self.fields {
            if value.list.is_some() || value.map.is_some() {
                return None;
            }
            keys.keyword |= key.is_keyword;
            keys.string |= !key.is_keyword;
            values.nil |= value.nil;
            values.scalars = values.scalars.and(value.scalars);
        }
        (values.scalars.ty() != Type::Any).then_some((keys, values))
    }

    fn record_field(&self, key: FieldKey<'_>, field: &FieldSummary<'_>) -> Field {
        let name = match key.is_keyword {
            true => escaped(key.name).into_owned(),
            false => format_within(&Value::string(key.name), &FormatOptions::full(), NAME_CHARS).text,
        };
        let ty = field.value.ty();
        Field::new(name, if field.count < self.count { ty.optional() } else { ty })
    }
}

/// Characters of a profile after which fields are only counted.
const PROFILE_CHARS: usize = 600;

impl MapsSummary<'_> {
    fn push_profile(&self, text: &mut String) {
        text.push('{');
        if let Some(keyed) = &self.keyed {
            let first = self.first_key.map(values::shown).unwrap_or_default();
            text.push_str(&format!("{first} … -> "));
            keyed.values.push_profile(text, 0);
        }
        for (number, (key, field)) in self.fields.iter().enumerate() {
            if text.chars().count() >= PROFILE_CHARS {
                text.push_str(&format!(" … {} more", self.fields.len() - number));
                break;
            }
            let name = match key.is_keyword {
                true => format!(":{}", escaped(key.name)),
                false => self.record_field(*key, field).name,
            };
            text.push_str(&format!("{}{name} ", if number > 0 || self.keyed.is_some() { ", " } else { "" }));
            field.value.push_profile(text, self.count - field.count);
        }
        text.push('}');
    }
}

impl MapsSummary<'_> {
    /// A line for each field.
    fn columns(&self) -> Vec<ColumnProfile> {
        let column = |(key, field): (&FieldKey<'_>, &FieldSummary<'_>)| {
            let mut values = String::new();
            field.value.push_profile(&mut values, self.count - field.count);
            ColumnProfile { name: key.name.to_owned(), ty: field.value.ty().plain().to_string(), values }
        };
        self.fields.iter().map(column).collect()
    }
}

impl ShapeSummary<'_> {
    /// The fields of records; none where these are not all records.
    pub(super) fn columns(&self) -> Vec<ColumnProfile> {
        let is_records = !self.scalars.any() && self.list.is_none();
        self.map.as_ref().filter(|_| is_records).map(|maps| maps.columns()).unwrap_or_default()
    }

    /// What the values are: `{:id 1..500, :city "Bonn" 300 | "Ulm" 200, :km 0.5..99.0 (12 nil)}`.
    pub(super) fn profile(&self) -> String {
        let mut text = String::new();
        self.push_profile(&mut text, 0);
        text
    }

    /// Append what the values at this place are; `absent` maps do not have it.
    fn push_profile(&self, text: &mut String, absent: usize) {
        if self.list.is_none() && self.map.is_none() && self.values.is_nil() {
            text.push_str("nil");
            return;
        }
        text.push_str(&self.values.kinds().join(" or "));
        if let Some(maps) = &self.map {
            text.push_str(if self.scalars.any() { " or " } else { "" });
            maps.push_profile(text);
        }
        if let Some(element) = &self.list {
            text.push_str(if self.scalars.any() || self.map.is_some() { " or [" } else { "[" });
            element.push_profile(text, 0);
            text.push(']');
        }
        text.push_str(&self.values.gaps(absent));
    }

    /// The type of everything that was found; `:any` for several kinds, or for nothing but nil.
    pub(super) fn ty(&self) -> Type {
        let scalar = self.scalars.any().then(|| self.scalars.ty());
        let list = self.list.as_ref().map(|element| Type::List(Box::new(element.ty())));
        let map = self.map.as_ref().map(|maps| maps.ty());
        let mut kinds = [scalar, list, map].into_iter().flatten();
        match (kinds.next(), kinds.next()) {
            (Some(Type::Any), _) | (None, _) | (_, Some(_)) => Type::Any,
            (Some(ty), None) if self.nil => ty.optional(),
            (Some(ty), None) => ty,
        }
    }
}

impl Scalars {
    fn add(&mut self, value: &Value) {
        match value {
            Value::Int(_) | Value::Big(_) => self.int = true,
            Value::Float(_) => self.float = true,
            Value::Bool(_) => self.bool = true,
            Value::Str(_) => self.string = true,
            Value::Keyword(_) => self.keyword = true,
            _ => self.other = true,
        }
    }

    fn and(self, more: Scalars) -> Scalars {
        Scalars {
            int: self.int | more.int,
            float: self.float | more.float,
            bool: self.bool | more.bool,
            string: self.string | more.string,
            keyword: self.keyword | more.keyword,
            other: self.other | more.other,
        }
    }

    fn any(self) -> bool {
        self.int || self.float || self.bool || self.string || self.keyword || self.other
    }

    /// The type of all; integers among floats are floats.
    fn ty(self) -> Type {
        match (self.int || self.float, self.bool, self.string, self.keyword, self.other) {
            (true, false, false, false, false) if self.float => Type::Float,
            (true, false, false, false, false) => Type::Int,
            (false, true, false, false, false) => Type::Bool,
            (false, false, true, false, false) => Type::String,
            (false, false, false, true, false) => Type::Keyword,
            _ => Type::Any,
        }
    }
}
