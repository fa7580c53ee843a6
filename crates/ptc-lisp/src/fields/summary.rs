//! The fields of values that exist before a program runs: of data, of definitions, and as tools declare them.

use std::collections::HashMap;
use std::sync::Arc;

use super::value::{Known, Lists, MAX_DEPTH, Maps, Origin};
use crate::eval::cells::Cells;
use crate::signature::Type;
use crate::value::{Columns, FormatOptions, Map, Value, format};

/// A single map with more entries is a dictionary: its keys are data.
const MANY_FIELDS: usize = 60;
/// The same when all entries are collections.
const MANY_COLLECTIONS: usize = 20;
/// The same for all maps of a list together.
const MANY_FIELDS_OF_ALL: usize = 400;
/// Values in the observed results of a tool that are examined.
const MOST_OBSERVED: usize = 10_000;

/// What is known of a value that was examined.
#[derive(Clone, Debug)]
pub(super) struct Summary {
    pub known: Known,
    /// Some lists have elements that were not examined.
    pub is_sample: bool,
}

/// What a value is by the first `each` elements of each list. After `budget` values, which it lowers, the rest is unknown,
/// and nothing is sure.
pub(super) fn of_value(value: &Value, part: &str, cells: &Cells, budget: &mut usize, each: usize) -> Summary {
    let mut looker = Looker { each, is_sample: false, ..Looker::new(cells, *budget) };
    let mut seen = Seen::default();
    looker.value(value, &mut seen, MAX_DEPTH);
    *budget = looker.left;
    let known = seen.known(&Origin { part: part.into(), is_each: false }, !looker.is_partial);
    Summary { known, is_sample: looker.is_sample }
}

/// What a value is that probably has the same fields as some of these; without any, nothing is known.
pub(super) fn known_of_observed(values: &[Value], part: Arc<str>, cells: &Cells) -> Known {
    if values.is_empty() {
        return Known::any();
    }
    let mut looker = Looker::new(cells, MOST_OBSERVED);
    let mut seen = Seen::default();
    values.iter().for_each(|value| looker.value(value, &mut seen, MAX_DEPTH));
    seen.known(&Origin { part, is_each: false }, false)
}

/// What a value of a declared type is. Tools may send further fields, so nothing is sure.
pub(super) fn known_of_type(ty: &Type, part: &Arc<str>, is_each: bool) -> Known {
    let inner = |ty: &Type| known_of_type(ty, part, true);
    match ty {
        Type::Any | Type::JsonOrText | Type::Map => Known::any(),
        Type::Optional(ty) => known_of_type(ty, part, is_each).or_nil(),
        Type::Ruled(ty, _) => known_of_type(ty, part, is_each),
        Type::Tuple(parts) => Known::list(parts.iter().map(inner).reduce(Known::or).unwrap_or_else(Known::any)),
        Type::List(element) => Known::list(inner(element)),
        Type::MapOf(_, values) => Known::map_of(inner(values)),
        Type::Record(fields) => {
            let origin = Some(Arc::new(Origin { part: part.clone(), is_each }));
            let fields = fields.iter().map(|field| {
                let part: Arc<str> = format!("{part} :{}", field.name).into();
                (Arc::from(field.name.as_str()), known_of_type(&field.ty, &part, is_each))
            });
            Known::map(Maps { fields: fields.collect(), origin, ..Maps::default() })
        }
        Type::Union(types) => {
            let all = types.iter().map(|ty| known_of_type(ty, part, is_each));
            all.reduce(Known::or).unwrap_or_else(Known::any)
        }
        Type::String | Type::Int | Type::Float | Type::Bool | Type::Keyword | Type::OneOf(_) => Known::scalar(),
    }
}

/// The same value, which may have the fields that its declared type names.
pub(super) fn with_declared(known: Known, ty: &Type) -> Known {
    ty.required().alternatives().iter().fold(known, with_declared_of)
}

fn with_declared_of(mut known: Known, ty: &Type) -> Known {
    if let (Type::List(ty), Some(list)) = (ty.shape(), known.list.take_if(|_| matches!(ty.shape(), Type::List(_)))) {
        let element = with_declared(list.element.clone(), ty);
        known.list = Some(Arc::new(Lists { element, places: None }));
    }
    let Some(maps) = known.map.take() else { return known };
    let mut maps = Arc::unwrap_or_clone(maps);
    match ty.shape() {
        Type::MapOf(_, values) => {
            for value in maps.fields.values_mut().chain(&mut maps.rest) {
                *value = with_declared(std::mem::take(value), values);
            }
        }
        Type::Record(declared) => {
            for field in declared {
                let known = maps.fields.get_mut(field.name.as_str());
                match known {
                    Some(value) => *value = with_declared(std::mem::take(value), &field.ty),
                    None => drop(maps.fields.insert(field.name.as_str().into(), Known::any())),
                }
            }
        }
        _ => {}
    }
    known.map = Some(Arc::new(maps));
    known
}

/// What was found at one place, such as under one key of all maps of a list.
#[derive(Default)]
struct Seen<'v> {
    nil: bool,
    scalar: bool,
    open: bool,
    list: Option<Box<Seen<'v>>>,
    map: Option<Box<SeenMaps<'v>>>,
}

#[derive(Default)]
struct SeenMaps<'v> {
    count: usize,
    fields: Vec<SeenField<'v>>,
    /// The places of the fields by their names.
    places: HashMap<&'v str, usize, foldhash::fast::RandomState>,
    /// The keys of the last record, and the places of its fields.
    columns: Option<(&'v Arc<Columns>, Vec<usize>)>,
    /// The values under keys that are not names.
    keyed: Option<Seen<'v>>,
}

struct SeenField<'v> {
    key: &'v Value,
    /// Maps that have it.
    count: usize,
    value: Seen<'v>,
}

struct Looker<'v> {
    cells: &'v Cells,
    left: usize,
    is_partial: bool,
    /// The most elements of each list that are examined.
    each: usize,
    /// A list has more.
    is_sample: bool,
}

impl<'v> Looker<'v> {
    fn new(cells: &'v Cells, left: usize) -> Looker<'v> {
        Looker { cells, left, is_partial: false, each: usize::MAX, is_sample: false }
    }

    #[inline]
    fn value(&mut self, value: &'v Value, seen: &mut Seen<'v>, depth: usize) {
        match value {
            Value::Nil => seen.nil = true,
            Value::Vector(_) | Value::Map(_) | Value::Set(_) => self.collection(value, seen, depth),
            Value::LazySeq(_) => self.collection(value, seen, depth),
            Value::Builtin(_) | Value::Cell(_) | Value::Var(_) | Value::Tool(_) => seen.open = true,
            Value::Function(_) | Value::Exception(_) | Value::Reduced(_) => seen.open = true,
            _ => seen.scalar = true,
        }
    }

    fn collection(&mut self, value: &'v Value, seen: &mut Seen<'v>, depth: usize) {
        let realised = match value {
            Value::LazySeq(sequence) if self.cells.is_finished(*sequence) => Some(self.cells.realised(*sequence)),
            Value::LazySeq(_) => {
                seen.open = true;
                return;
            }
            _ => None,
        };
        let size = realised.map_or_else(|| value.size().unwrap_or(0), <[Value]>::len);
        let most = if matches!(value, Value::Map(_)) { size } else { size.min(self.each) };
        self.is_sample |= most < size;
        let left = self.left.checked_sub(most + 1);
        let (Some(left), Some(depth)) = (left, depth.checked_sub(1)) else {
            self.is_partial |= left.is_none();
            seen.open = true;
            return;
        };
        self.left = left;
        match value {
            Value::Vector(items) => {
                let inner = seen.list.get_or_insert_default();
                items.iter().take(most).for_each(|item| self.value(item, inner, depth));
            }
            Value::Set(items) => {
                let inner = seen.list.get_or_insert_default();
                items.iter().take(most).for_each(|item| self.value(item, inner, depth));
            }
            Value::Map(map) => self.entries(map, seen.map.get_or_insert_default(), depth),
            _ => {
                let inner = seen.list.get_or_insert_default();
                realised.into_iter().flatten().take(most).for_each(|item| self.value(item, inner, depth));
            }
        }
    }

    fn entries(&mut self, map: &'v Map, maps: &mut SeenMaps<'v>, depth: usize) {
        maps.count += 1;
        if let Some(columns) = map.columns() {
            let places = maps.places_of(columns);
            for (place, (_, value)) in places.iter().zip(map) {
                if let Some(field) = maps.fields.get_mut(*place) {
                    field.count += 1;
                    self.value(value, &mut field.value, depth);
                }
            }
            maps.columns = Some((columns, places));
            return;
        }
        let mut next = 0;
        for (key, value) in map {
            let place = match maps.fields.get(next) {
                Some(field) if is_same_name(field.key, key) => Some(next),
                _ => maps.place(key),
            };
            let Some(place) = place else {
                self.value(value, maps.keyed.get_or_insert_default(), depth);
                continue;
            };
            next = place + 1;
            if let Some(field) = maps.fields.get_mut(place) {
                field.count += 1;
                self.value(value, &mut field.value, depth);
            }
        }
    }
}

/// Whether both are one keyword: that is a comparison of addresses. Maps of one list mostly have the same keys in the same
/// order.
fn is_same_name(one: &Value, other: &Value) -> bool {
    matches!((one, other), (Value::Keyword(one), Value::Keyword(other)) if one == other)
}

impl<'v> SeenMaps<'v> {
    /// The places of the fields of a record; those of the last one are given away.
    fn places_of(&mut self, columns: &'v Arc<Columns>) -> Vec<usize> {
        match self.columns.take() {
            Some((known, places)) if Arc::ptr_eq(known, columns) => places,
            _ => columns.keys().iter().filter_map(|key| self.place(key)).collect(),
        }
    }

    /// The place of a field; `None` for a key that is not the name of one.
    fn place(&mut self, key: &'v Value) -> Option<usize> {
        let name = super::look_up::key_text(key)?;
        let next = self.fields.len();
        let place = *self.places.entry(name).or_insert(next);
        if place == next {
            self.fields.push(SeenField { key, count: 0, value: Seen::default() });
        }
        Some(place)
    }

    /// Whether its keys are data: many, or the texts of a single map.
    fn is_dictionary(&self) -> bool {
        let count = self.fields.len();
        if self.count > 1 {
            return count > MANY_FIELDS_OF_ALL;
        }
        let is_collection = |field: &SeenField<'_>| !field.value.scalar && !field.value.nil;
        count > MANY_FIELDS
            || count > MANY_COLLECTIONS && self.fields.iter().all(is_collection)
            || self.fields.iter().any(|field| matches!(field.key, Value::Str(_)))
    }

    fn maps(self, origin: &Origin, is_sure: bool) -> Maps {
        let is_keyed = self.is_dictionary();
        let mut maps = Maps { is_sure, origin: Some(Arc::new(origin.clone())), ..Maps::default() };
        let mut rest = self.keyed.map(|values| values.known(origin, is_sure));
        for SeenField { key, count, value } in self.fields {
            let name = super::look_up::key_text(key).unwrap_or_default();
            let key = format(&Value::keyword(name), &FormatOptions::full()).text;
            let part = format!("{} {key}", origin.part).into();
            let value = value.known(&Origin { part, ..*origin }, is_sure);
            if is_keyed {
                rest = Some(rest.unwrap_or_default().or(value));
            } else {
                maps.fields.insert(name.into(), if count < self.count { value.or_nil() } else { value });
            }
        }
        maps.rest = rest;
        maps
    }
}

impl Seen<'_> {
    fn known(self, origin: &Origin, is_sure: bool) -> Known {
        let Seen { nil, scalar, open, list, map } = self;
        let list = list.map(|element| {
            let element = element.known(&Origin { is_each: true, part: origin.part.clone() }, is_sure);
            Arc::new(Lists { element, places: None })
        });
        let map = map.map(|maps| Arc::new(maps.maps(origin, is_sure)));
        Known { nil, scalar, open, list, map, origin: Some(Arc::new(origin.clone())), ..Known::nothing() }
    }
}
