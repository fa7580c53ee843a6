//! Tagged JSON back to values, from its text: no tree is built, and everything is charged before it is created.

mod tables;

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use super::pieces::{fields, items, string};
use super::scalars::SCALARS;
use super::shared::{Kinds, Parts};
use super::{Restore, TaggedError, TaggedFunction};
use crate::error::{Error, ErrorClass, Exception, Reason};
use crate::limits::meter::Meter;
use crate::value::{CellKind, Name, Value, is_counted, name_bytes, own_bytes, push, time_from_tag};

/// Bytes of text for one unit of fuel: each level of a value is scanned once more.
const LOOKED_THROUGH: usize = 16;
/// Bytes of an exception, a function or a text without its contents, at most.
const NODE: usize = 64;
/// Bytes of a vector without its elements, at most.
const VECTOR: usize = 160;
/// Bytes of the longest text of a number of 64 bits.
const DIGITS: usize = 25;
/// Units of fuel for each byte of the text of a function.
const ANALYSIS: usize = 16;

/// Whether a part was read, or what is wrong with it.
type Done = Result<(), TaggedError>;

/// Reads values that are charged to one meter.
pub(crate) struct TaggedReader<'m> {
    meter: &'m mut Meter,
    levels: usize,
    /// Addresses of the names that were met.
    names: HashSet<usize>,
    /// How many of them are short.
    short_names: usize,
    kinds: Kinds,
    parts: Parts,
}

/// The fields of an object by these names, as written; `None` for one that is null or missing.
fn named<'t, const N: usize>(text: &'t str, names: [&str; N]) -> Option<[Option<&'t str>; N]> {
    let mut found = [None; N];
    for (name, value) in fields(text)?.filter(|(_, value)| *value != "null") {
        if let Some(place) = names.iter().zip(&mut found).find_map(|(known, place)| (*known == name).then_some(place)) {
            *place = Some(value);
        }
    }
    Some(found)
}

/// The content of a field that is a string.
fn text(field: Option<&str>) -> Option<Cow<'_, str>> {
    string(field?)
}

impl<'m> TaggedReader<'m> {
    /// Reads values of at most `levels`.
    pub fn new(meter: &'m mut Meter, levels: usize) -> TaggedReader<'m> {
        let (kinds, parts) = (Kinds::default(), Parts::default());
        TaggedReader { meter, levels, names: HashSet::new(), short_names: 0, kinds, parts }
    }

    /// The value of this text, which is JSON. An error in one part does not withhold the cells in other parts from
    /// `restore`.
    ///
    /// Errors with the first mistake, or with the limit that was reached. Cost: a unit of fuel for each value and for
    /// each 16 bytes of each level, 16 for each byte of the text of a function, and more for long integers and regular
    /// expressions.
    pub fn value(&mut self, text: &str, restore: &mut dyn Restore) -> Result<Value, TaggedError> {
        Reader { with: self, restore }.value(text, 0)
    }

    /// Start the next definition: parts that several values share may be those of earlier ones.
    pub fn begin(&mut self) {
        self.parts.begin();
    }

    /// Forget the parts that only the last definition had, because it could not be read.
    pub fn undo(&mut self) {
        self.parts.undo();
    }

    /// The meter that is charged.
    pub fn meter(&mut self) -> &mut Meter {
        self.meter
    }
}

struct Reader<'r, 'm> {
    with: &'r mut TaggedReader<'m>,
    restore: &'r mut dyn Restore,
}

impl Reader<'_, '_> {
    fn value(&mut self, tagged: &str, depth: usize) -> Result<Value, TaggedError> {
        if depth >= self.with.levels {
            return Err(self.too_deep());
        }
        self.charge(tagged.len() / LOOKED_THROUGH + 1)?;
        if let Some(plain) = self.plain(tagged)? {
            return Ok(plain);
        }
        let names = ["t", "v", "sorted", "keys", "id", "same"];
        let [kind, payload, sorted, keys, id, same] = named(tagged, names).unwrap_or_default();
        if let Some(same) = same {
            return self.same(same);
        }
        let kind = text(kind).ok_or_else(|| TaggedError::NotTagged { found: excerpt(tagged) })?;
        // The number of a cell is that of its place.
        let id = id.filter(|_| CellKind::of_name(&kind).is_none()).and_then(|id| id.parse().ok());
        match id {
            Some(id) => self.numbered(id, &kind, tagged, [payload, sorted, keys], depth),
            None => self.of_kind(&kind, tagged, [payload, sorted, keys], depth),
        }
    }

    /// The part with this number: what was read under it before, else what is here.
    fn numbered(
        &mut self,
        id: u64,
        kind: &str,
        tagged: &str,
        fields: [Option<&str>; 3],
        depth: usize,
    ) -> Result<Value, TaggedError> {
        if let Some(known) = self.with.parts.get(id) {
            return Ok(known.clone());
        }
        let value = self.of_kind(kind, tagged, fields, depth)?;
        self.with.parts.add(id, value.clone());
        Ok(value)
    }

    /// Not in the function that calls it: its temporaries would be on the stack for each level.
    fn of_kind(
        &mut self,
        kind: &str,
        tagged: &str,
        [payload, sorted, keys]: [Option<&str>; 3],
        depth: usize,
    ) -> Result<Value, TaggedError> {
        match kind {
            "seq" => self.seq(payload, depth),
            "rows" => self.rows(keys, payload, depth),
            "set" => self.set(sorted, payload, depth),
            "map" => self.map(sorted, payload, depth),
            "error" => self.exception(payload, depth),
            "fn" => self.function(tagged, depth),
            kind => match CellKind::of_name(kind) {
                Some(kind) => self.cell(kind, tagged, depth),
                None => self.scalar(kind, payload),
            },
        }
    }

    /// The part with this number, which was read before.
    fn same(&self, number: &str) -> Result<Value, TaggedError> {
        let known = number.parse().ok().and_then(|number| self.with.parts.get(number));
        // Bounded: 40 characters.
        let why = || format!("nothing before it has the id {}", number.chars().take(40).collect::<String>());
        known.cloned().ok_or_else(|| TaggedError::NotRestorable { kind: "same", why: why() })
    }

    /// A scalar that is plain JSON; `None` for other JSON.
    fn plain(&mut self, json: &str) -> Result<Option<Value>, TaggedError> {
        let kind = match json.as_bytes().first() {
            Some(b'n') => return Ok(Some(Value::Nil)),
            Some(b't' | b'f') => return Ok(Some(Value::Bool(json == "true"))),
            Some(b'"') => "str",
            Some(b'-' | b'0'..=b'9') if json.contains(['.', 'e', 'E']) => "float",
            Some(b'-' | b'0'..=b'9') => "int",
            _ => return Ok(None),
        };
        self.text_of_kind(kind, Some(json), if kind == "str" { string(json) } else { Some(Cow::Borrowed(json)) })
    }

    fn scalar(&mut self, kind: &str, payload: Option<&str>) -> Result<Value, TaggedError> {
        match (kind, payload) {
            ("nil", _) => return Ok(Value::Nil),
            ("bool", Some("true")) => return Ok(Value::Bool(true)),
            ("bool", Some("false")) => return Ok(Value::Bool(false)),
            ("bool", _) => return Err(wrong("bool", "true or false", payload)),
            _ => {}
        }
        if let Some(value) = self.text_of_kind(kind, payload, text(payload))? {
            return Ok(value);
        }
        let found = text(payload);
        match crate::calendar::TAGS.iter().find(|row| row.0 == kind) {
            Some((kind, wanted)) => {
                found.and_then(|found| time_from_tag(kind, &found)).ok_or_else(|| wrong(kind, wanted, payload))
            }
            // Bounded: 40 characters.
            None => Err(TaggedError::UnknownKind { kind: kind.chars().take(40).collect() }),
        }
    }

    /// The scalar of this kind with this text; `None` for a kind that is not one of [`SCALARS`].
    fn text_of_kind(
        &mut self,
        kind: &str,
        payload: Option<&str>,
        found: Option<Cow<'_, str>>,
    ) -> Result<Option<Value>, TaggedError> {
        // A number that is in the value itself takes nothing else.
        let takes = |text: &Cow<'_, str>| {
            if matches!(kind, "int" | "float") && text.len() <= DIGITS { 0 } else { NODE + text.len() }
        };
        let before = self.with.meter.charged;
        self.allocate(found.as_ref().map_or(0, takes))?;
        let Some((kind, wanted, read)) = SCALARS.iter().find(|row| row.0 == kind) else { return Ok(None) };
        let value = found.map_or(Ok(None), |text| read(&text, self.with.meter)).map_err(|error| limit(&error))?;
        let value = value.ok_or_else(|| wrong(kind, wanted, payload))?;
        self.with.meter.charged = before;
        self.allocate(own_bytes(&value))?;
        if let Value::Keyword(name) | Value::Symbol(name) | Value::Var(name) = &value
            && is_counted(name)
            && self.with.names.insert(name.address())
        {
            let bytes = name_bytes(name, &mut self.with.short_names);
            self.allocate(bytes)?;
        }
        Ok(Some(value))
    }

    /// The number of elements of an array, so that room for them is made once.
    fn count(&mut self, array: Option<&str>) -> Result<usize, TaggedError> {
        self.charge(array.map_or(0, str::len) / LOOKED_THROUGH)?;
        Ok(array.and_then(items).map_or(0, Iterator::count))
    }

    /// A vector with room for the elements of an array, and what was charged for it.
    fn room(&mut self, array: Option<&str>) -> Result<(Vec<Value>, usize), TaggedError> {
        let count = self.count(array)?;
        let paid = VECTOR + count * size_of::<Value>();
        self.allocate(paid)?;
        // Bounded: it was charged.
        Ok((Vec::with_capacity(count), paid))
    }

    fn seq(&mut self, payload: Option<&str>, depth: usize) -> Result<Value, TaggedError> {
        let (mut made, paid) = self.room(payload)?;
        self.each("seq", payload, &mut |reader, item| {
            let item = reader.value(item, depth + 1)?;
            reader.push(&mut made, item)
        })?;
        self.settled(Value::vector(made), paid)
    }

    /// The value for which this much was charged, which takes less.
    fn settled(&mut self, value: Value, paid: usize) -> Result<Value, TaggedError> {
        let meter = &mut *self.with.meter;
        meter.charged = meter.charged.saturating_sub(paid as u64);
        self.allocate(own_bytes(&value))?;
        Ok(value)
    }

    fn function(&mut self, tagged: &str, depth: usize) -> Result<Value, TaggedError> {
        const NAMES: [&str; 7] = ["captures", "globals", "aliases", "refers", "source", "name", "core"];
        let [captured, globals, aliases, refers, source, name, core] = named(tagged, NAMES).unwrap_or_default();
        let mut captures = Vec::new();
        self.each_field(captured, &mut |reader, name, value| {
            let value = reader.value(value, depth + 1)?;
            reader.allocate(name.len())?;
            reader.push(&mut captures, (name.into_owned(), value))
        })?;
        self.allocate(NODE)?;
        let function = TaggedFunction {
            source: text(source).map(Cow::into_owned),
            name: text(name).map(Cow::into_owned),
            core: core == Some("true"),
            globals: globals.map(|names| self.names(names)).transpose()?,
            aliases: self.texts(aliases)?,
            refers: self.texts(refers)?,
        };
        self.charge(ANALYSIS.saturating_mul(function.source.as_deref().map_or(0, str::len)))?;
        self.restore.function(&function, captures)
    }

    /// The elements of an array of strings.
    fn names(&mut self, array: &str) -> Result<HashSet<String>, TaggedError> {
        let mut names = HashSet::new();
        self.each("fn", Some(array), &mut |reader, name| {
            let Some(name) = string(name) else { return Ok(()) };
            reader.allocate(NODE + name.len())?;
            names.insert(name.into_owned());
            Ok(())
        })?;
        Ok(names)
    }

    /// The fields of an object of strings.
    fn texts(&mut self, object: Option<&str>) -> Result<HashMap<String, String>, TaggedError> {
        let mut texts = HashMap::new();
        self.each_field(object, &mut |reader, name, text| {
            let Some(text) = string(text) else { return Ok(()) };
            // The function gets copies of them.
            reader.allocate(2 * (3 * NODE + name.len() + text.len()))?;
            texts.insert(name.into_owned(), text.into_owned());
            Ok(())
        })?;
        Ok(texts)
    }

    fn cell(&mut self, kind: CellKind, tagged: &str, depth: usize) -> Result<Value, TaggedError> {
        let [id, content, body] = named(tagged, ["id", "v", "body"]).unwrap_or_default();
        let id = id.and_then(|id| id.parse().ok());
        if let Some(body) = body.filter(|_| kind == CellKind::Delay) {
            let body = self.value(body, depth + 1)?;
            return self.restore.delay(id, body);
        }
        let content = content.map(|content| self.value(content, depth + 1)).transpose()?;
        self.restore.cell(kind, id, content)
    }

    fn exception(&mut self, payload: Option<&str>, depth: usize) -> Result<Value, TaggedError> {
        const NAMES: [&str; 6] = ["reason", "message", "class", "tool", "data", "cause"];
        let wanted = || wrong("error", "{\"reason\":\"…\",\"message\":\"…\"}", payload);
        let fields = payload.and_then(|payload| named(payload, NAMES));
        let [reason, message, class, tool, data, cause] = fields.ok_or_else(wanted)?;
        let mut held = |held: Option<&str>| held.map(|held| self.value(held, depth + 1)).transpose();
        let (data, cause) = (held(data), held(cause));
        let (data, cause) = (data?, cause?);
        let reason = text(reason).and_then(|name| Reason::of_name(&name)).filter(|reason| !reason.is_limit());
        let (Some(reason), Some(message)) = (reason, text(message)) else { return Err(wanted()) };
        self.allocate(size_of::<Exception>() + message.len())?;
        let mut error = Error::new(reason, message);
        error.class = text(class).and_then(|name| ErrorClass::named(&name));
        error.tool = text(tool).map(|name| Name::made(&name));
        let mut exception = Exception::new(error);
        (exception.attached.data, exception.attached.cause) = (data, cause);
        Ok(Value::Exception(exception.into()))
    }

    /// Do this for each element of an array, also after an element with an error: there may be cells to which others
    /// refer.
    ///
    /// Errors with the first mistake, and stops at a limit.
    fn each(&mut self, kind: &'static str, array: Option<&str>, work: &mut dyn FnMut(&mut Self, &str) -> Done) -> Done {
        let mut first = Ok(());
        for item in array.and_then(items).ok_or_else(|| wrong(kind, "an array", array))? {
            match work(self, item) {
                Err(error @ TaggedError::Limit { .. }) => return Err(error),
                result => first = first.and(result),
            }
        }
        first
    }

    /// The same for each field of an object; `None` when it is not an object.
    fn each_field(
        &mut self,
        object: Option<&str>,
        work: &mut dyn FnMut(&mut Self, Cow<'_, str>, &str) -> Done,
    ) -> Done {
        let mut first = Ok(());
        for (name, value) in object.and_then(fields).into_iter().flatten() {
            match work(self, name, value) {
                Err(error @ TaggedError::Limit { .. }) => return Err(error),
                result => first = first.and(result),
            }
        }
        first
    }

    fn too_deep(&self) -> TaggedError {
        TaggedError::TooDeep { levels: self.with.levels }
    }

    fn charge(&mut self, units: usize) -> Result<(), TaggedError> {
        self.with.meter.charge(units).map_err(|error| limit(&error))
    }

    fn allocate(&mut self, bytes: usize) -> Done {
        self.with.meter.allocate(bytes).map_err(|error| limit(&error))
    }

    fn push<T>(&mut self, items: &mut Vec<T>, item: T) -> Done {
        push(items, item, self.with.meter).map_err(|error| limit(&error))
    }
}

fn limit(error: &Error) -> TaggedError {
    TaggedError::Limit { why: error.message.clone() }
}

fn wrong(kind: &'static str, wanted: &'static str, found: Option<&str>) -> TaggedError {
    TaggedError::Payload { kind, wanted, found: found.map_or_else(|| "nothing".to_owned(), excerpt) }
}

fn excerpt(text: &str) -> String {
    match text.chars().next() {
        Some('[') => "an array".to_owned(),
        Some('{') => "an object".to_owned(),
        // Bounded: 40 characters.
        _ => text.chars().take(40).collect(),
    }
}
