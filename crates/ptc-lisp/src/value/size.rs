//! The bytes of live values.
//!
//! Bounded: a count holds a cursor for each level of nesting, and for few nodes of the widest level.

mod parts;

use std::sync::Arc;

use super::function::Captures;
use super::number::big_bytes;
use super::sorted::{Sorted, chunk_bytes};
use super::trie::Part;
use super::{Closure, Entries, Map, Name, Value, Vector};
use crate::bits::Bits;
use crate::limits::Limits;
use crate::limits::machine_clock::Instant;
use crate::limits::meter::{Meter, PACE};

pub(crate) use parts::Addresses;
use parts::{Cursor, Element};

/// Bytes of a node's counters and of allocator overhead, without its contents.
const NODE: usize = 48;

/// Shorter names of program texts are ignored: the symbol limit bounds their number.
const LONG_NAME: usize = 64;

/// This many short names of a program's data are free, like those of its text.
const FREE_NAMES: usize = 1_000;

/// Number of waiting places from which the small parts of a node are counted before a large one.
const SHALLOW: usize = 64;

/// Elements of a small part.
const FEW: usize = 16;

/// The waiting places may take this fraction of the memory limit.
const SHARE: u64 = 64;

/// This many places may wait under any limit.
const ROOM: u64 = 256;

impl Value {
    /// Bytes that a changed copy of a collection or text takes, roughly.
    pub(crate) fn bytes_of_a_copy(&self) -> usize {
        match self {
            Value::Vector(items) => items.len().saturating_mul(2 * size_of::<Value>()),
            Value::Map(map) => map.len().saturating_mul(160),
            Value::Set(set) => set.len().saturating_mul(160),
            Value::Str(text) => text.len().saturating_mul(2),
            _ => 0,
        }
    }
}

/// Sums the bytes reachable from roots: each shared node once, host data not at all.
///
/// The roots must stay alive until the count is done, because nodes are identified by address. Takes about 10 ns per
/// node, and no native stack in proportion to depth. It needs memory only where large parts wait on every level, and
/// stops when that is a large part of the limit.
#[derive(Default)]
pub(crate) struct LiveCount {
    bytes: u64,
    /// When to give up.
    deadline: Option<Instant>,
    late: bool,
    /// How many places may wait, if bounded.
    room: Option<usize>,
    too_deep: bool,
    /// The places that wait in nodes of tries, all of which are found at once: their number does not depend on depth.
    in_nodes: usize,
    /// Elements seen, to look at the clock now and then.
    steps: usize,
    seen: Addresses,
    /// Short names of the program's data seen so far.
    names: usize,
    /// One bit for each number, because a count must not itself need much memory.
    cells: Bits,
    fresh_cells: Vec<u32>,
    /// The functions seen, if they are asked for.
    functions: Option<Vec<Arc<Closure>>>,
    /// The nodes that several places share, if they are asked for.
    repeated: Option<Addresses>,
}

impl LiveCount {
    pub(crate) fn new() -> LiveCount {
        LiveCount::default()
    }

    /// A count that stops at the deadline, and when it needs much memory itself: then its result is too small.
    pub(crate) fn within(meter: &Meter) -> LiveCount {
        LiveCount { deadline: meter.deadline(), ..LiveCount::within_memory(meter.limits()) }
    }

    /// A count that stops only when it needs much memory itself.
    pub(crate) fn within_memory(limits: &Limits) -> LiveCount {
        let room = ROOM + limits.memory / SHARE / size_of::<Cursor<'_>>() as u64;
        LiveCount { room: usize::try_from(room).ok(), ..LiveCount::default() }
    }

    /// A count that also collects functions.
    pub(crate) fn with_functions() -> LiveCount {
        LiveCount { functions: Some(Vec::new()), ..LiveCount::default() }
    }

    /// A count that also finds what several places share, in host data as well.
    pub(crate) fn with_repeated() -> LiveCount {
        LiveCount { repeated: Some(Addresses::default()), ..LiveCount::default() }
    }

    /// Whether the count stopped because of the time.
    pub(crate) fn is_late(&self) -> bool {
        self.late
    }

    /// Whether the count stopped because values are nested so that it would need much memory itself.
    pub(crate) fn is_too_deep(&self) -> bool {
        self.too_deep
    }

    /// The number of looks at the clock so far.
    #[cfg(test)]
    pub(crate) fn looks(&self) -> usize {
        self.steps / PACE
    }

    /// Count one more element; returns whether the count continues.
    #[inline]
    #[allow(clippy::disallowed_methods, reason = "a limit looks at how much time has passed")]
    fn goes_on(&mut self) -> bool {
        self.steps += 1;
        if self.steps.is_multiple_of(PACE) {
            self.late |= self.deadline.is_some_and(|deadline| Instant::now() > deadline);
        }
        !(self.late || self.too_deep)
    }

    /// Count what is reachable from `root` and not counted yet.
    pub(crate) fn add(&mut self, root: &Value) {
        if !self.goes_on() {
            return;
        }
        let mut open = Vec::new();
        self.visit(root, &mut open);
        while let Some(mut cursor) = open.pop() {
            if !self.goes_on() {
                return;
            }
            self.in_nodes -= usize::from(cursor.is_node());
            let Some(element) = cursor.next() else { continue };
            let place = open.len();
            self.element(element, &mut open);
            if place >= SHALLOW && open.len() > place {
                self.pass(&mut cursor);
            }
            // A place waits only while it has more elements, so long chains stay flat.
            self.wait(cursor, place, &mut open);
            self.too_deep |= self.room.is_some_and(|room| open.len() - self.in_nodes > room);
        }
    }

    /// Put `cursor` at this place of the stack, if it has more elements.
    fn wait<'v>(&mut self, cursor: Cursor<'v>, place: usize, open: &mut Vec<Cursor<'v>>) {
        if cursor.is_done() {
            return;
        }
        if open.len() == open.capacity() {
            // Grow by little, because a count must not itself need much memory.
            open.reserve_exact(4 + open.len() / 4);
        }
        self.in_nodes += usize::from(cursor.is_node());
        open.insert(place, cursor);
    }

    /// Count the next elements of `cursor` as long as they are small.
    fn pass<'v>(&mut self, cursor: &mut Cursor<'v>) {
        let mut parts = Vec::new();
        loop {
            let mut ahead = cursor.clone();
            let Some(element @ (key, value)) = ahead.next() else { return };
            let both_small = self.is_small(value) && key.is_none_or(|key| self.is_small(key));
            if !both_small || !self.goes_on() {
                return;
            }
            *cursor = ahead;
            self.element(element, &mut parts);
            while let Some(mut part) = parts.pop() {
                while let Some(element) = part.next() {
                    // It holds nothing, so nothing is added to the parts.
                    self.element(element, &mut parts);
                }
            }
        }
    }

    /// Whether it is already counted, or holds at most a few values that hold nothing.
    fn is_small(&self, value: &Value) -> bool {
        match value {
            Value::Vector(items) => {
                let is_plain = items.len() <= FEW && items.whole().is_none() && items.trie().is_none();
                items.is_external()
                    || self.is_known(items.is_unique(), items.address())
                    || (is_plain && items.iter().all(holds_nothing))
            }
            Value::Map(map) => self.is_small_map(map),
            Value::Set(set) => self.is_small_map(set.as_map()),
            value => holds_nothing(value),
        }
    }

    fn is_small_map(&self, map: &Map) -> bool {
        let is_plain = map.len() <= FEW && map.as_sorted().is_none() && map.trie().is_none();
        map.is_external()
            || self.is_known(map.is_unique(), map.address())
            || (is_plain && map.iter().all(|(key, value)| holds_nothing(key) && holds_nothing(value)))
    }

    fn is_known(&self, is_unique: bool, address: usize) -> bool {
        !is_unique && self.seen.has(address)
    }

    /// The sum so far.
    pub(crate) fn bytes(&self) -> u64 {
        self.bytes
    }

    /// The cells that were found.
    pub(crate) fn into_cells(self) -> Bits {
        self.cells
    }

    /// Cells (atoms, delays, generators) found since the last call; add their contents to continue.
    pub(crate) fn take_cells(&mut self) -> Vec<u32> {
        std::mem::take(&mut self.fresh_cells)
    }

    /// The functions that were found, if they were asked for, each once.
    pub(crate) fn take_functions(&mut self) -> Vec<Arc<Closure>> {
        self.functions.take().unwrap_or_default()
    }

    /// The nodes that were met several times, and perhaps others.
    pub(crate) fn into_repeated(self) -> Addresses {
        self.repeated.unwrap_or_default()
    }

    fn element<'v>(&mut self, (key, value): Element<'v>, open: &mut Vec<Cursor<'v>>) {
        self.visit(value, open);
        if let Some(key) = key {
            self.visit(key, open);
        }
    }

    fn visit<'v>(&mut self, value: &'v Value, open: &mut Vec<Cursor<'v>>) {
        match value {
            Value::Vector(items) => self.vector(items, open),
            Value::Map(map) => self.map(map, open),
            Value::Set(set) => self.map(set.as_map(), open),
            Value::Str(text) | Value::Uuid(text) if self.first(text.is_shared(), text.address()) => {
                self.count(own_bytes(value))
            }
            Value::Keyword(name) | Value::Symbol(name) | Value::Var(name) => self.name(name),
            Value::Big(n) if self.first_of(n) => self.count(own_bytes(value)),
            Value::Function(function) => self.function(function, open),
            Value::Temporal(temporal) if self.first_of(temporal) => self.count(own_bytes(value)),
            Value::Regex(regex) if self.first_of(regex) => self.count(own_bytes(value)),
            Value::Exception(exception) if self.first_of(exception) => {
                self.count(exception.bytes());
                open.extend(exception.attached.values().map(Cursor::one));
            }
            Value::Reduced(inner) if self.first_of(inner) => {
                self.count(NODE);
                open.push(Cursor::one(inner.get()));
            }
            Value::Cell(cell) => self.cell(cell.id),
            Value::LazySeq(generator) => self.cell(generator.cell),
            _ => {}
        }
    }

    #[inline]
    fn name(&mut self, name: &Name) {
        if is_counted(name) && self.first(true, name.address()) {
            let bytes = name_bytes(name, &mut self.names);
            self.count(bytes);
        }
    }

    fn vector<'v>(&mut self, items: &'v Vector, open: &mut Vec<Cursor<'v>>) {
        if self.skips(items.is_external()) || !self.first(!items.is_unique(), items.address()) {
            return;
        }
        self.count(vector_bytes(items));
        if let Some(whole) = items.whole() {
            if let Some(items) = whole.side_by_side().filter(|_| !whole.is_unique()) {
                self.repeat_all(whole.address(), Cursor::Items(items.iter()));
            }
            return self.vector(whole, open);
        }
        let side_by_side = items.side_by_side().map(|items| Cursor::Items(items.iter()));
        // A trie may also hold the same elements.
        let nodes_only = side_by_side.is_some();
        open.extend(side_by_side);
        if let Some(trie) = items.trie() {
            trie.parts(&mut |part| self.part(&part, nodes_only, Cursor::Node, open));
        }
    }

    fn map<'v>(&mut self, map: &'v Map, open: &mut Vec<Cursor<'v>>) {
        if self.skips(map.is_external()) || !self.first(!map.is_unique(), map.address()) {
            return;
        }
        self.count(map.bytes());
        if let Some(columns) = map.columns()
            && self.first_of(columns)
        {
            self.count(columns.bytes());
        }
        if let Some(table) = map.as_sorted() {
            return self.sorted(table, open);
        }
        let in_table = map.is_table();
        if in_table {
            open.push(Cursor::Entries(map.iter()));
        }
        if let Some(trie) = map.trie() {
            trie.parts(&mut |part| self.part(&part, in_table, Cursor::Slots, open));
        }
    }

    /// Chunks may be shared with other maps; the comparator is live like the keys.
    fn sorted<'v>(&mut self, table: &'v Sorted, open: &mut Vec<Cursor<'v>>) {
        open.extend(table.order().function().map(Cursor::one));
        for chunk in table.chunks() {
            let cursor = Cursor::Entries(Entries::Flat(chunk.iter()));
            let address = Arc::as_ptr(chunk) as usize;
            if self.first(Arc::strong_count(chunk) > 1, address) {
                self.count(chunk_bytes(chunk));
                open.push(cursor);
            } else {
                self.repeat_all(address, cursor);
            }
        }
    }

    /// Count a node of a trie and, unless it is `nodes_only`, continue with its elements; returns whether the node is
    /// new. Versions of a collection share most nodes.
    fn part<'v, T>(
        &mut self,
        part: &Part<'v, T>,
        nodes_only: bool,
        cursor: fn(std::slice::Iter<'v, T>) -> Cursor<'v>,
        open: &mut Vec<Cursor<'v>>,
    ) -> bool {
        let fresh = self.first(part.shared, part.address);
        if !fresh {
            self.repeat_all(part.address, cursor(part.items.iter()));
        } else {
            self.count(part.bytes);
            if !nodes_only {
                let mut cursor = cursor(part.items.iter());
                // A collection can have so many nodes that their places would take much memory.
                self.pass(&mut cursor);
                self.wait(cursor, open.len(), open);
            }
        }
        fresh
    }

    fn function<'v>(&mut self, function: &'v Arc<Closure>, open: &mut Vec<Cursor<'v>>) {
        if !self.first_of(function) {
            return;
        }
        self.functions.iter_mut().for_each(|functions| functions.push(function.clone()));
        self.count(NODE + size_of::<Closure>());
        if let Captures::Group(group) = &function.captures
            && !self.first_of(group)
        {
            return;
        }
        let captured = function.captured();
        self.count(size_of_val(captured));
        open.push(Cursor::Items(captured.iter()));
    }

    fn cell(&mut self, id: u32) {
        if self.cells.add(id) {
            self.fresh_cells.push(id);
        }
    }

    /// Whether this node is seen for the first time; one with a single holder always is.
    #[inline]
    fn first(&mut self, shared: bool, address: usize) -> bool {
        let fresh = !shared || self.seen.insert(address);
        if !fresh && let Some(repeated) = &mut self.repeated {
            repeated.insert(address);
        }
        fresh
    }

    /// Whether a collection is left out because it is host data.
    fn skips(&self, external: bool) -> bool {
        external && self.repeated.is_none()
    }

    /// Note that several places share this node; returns whether that is news.
    fn repeat(&mut self, address: usize) -> bool {
        self.repeated.as_mut().is_some_and(|repeated| repeated.insert(address))
    }

    /// Several collections share a part of their tables, so they share its elements, which are visited once.
    fn repeat_all(&mut self, part: usize, mut elements: Cursor<'_>) {
        // A bit next to that of the node, which is at least sixteen bytes long.
        if !self.repeat(part + 8) {
            return;
        }
        while let Some((key, value)) = elements.next() {
            for node in key.into_iter().chain([value]).filter_map(Value::node) {
                self.repeat(node);
            }
        }
    }

    fn first_of<T>(&mut self, node: &Arc<T>) -> bool {
        self.first(Arc::strong_count(node) > 1, Arc::as_ptr(node) as usize)
    }

    fn count(&mut self, bytes: usize) {
        self.bytes += bytes as u64;
    }
}

/// Bytes of a value itself, without those of its parts: what a count adds for it.
pub(crate) fn own_bytes(value: &Value) -> usize {
    let of_map = |map: &Map| {
        let chunks = map.as_sorted().into_iter().flat_map(|table| table.chunks());
        map.bytes() + chunks.map(chunk_bytes).sum::<usize>()
    };
    match value {
        Value::Vector(items) => vector_bytes(items),
        Value::Map(map) => of_map(map),
        Value::Set(set) => of_map(set.as_map()),
        Value::Str(text) | Value::Uuid(text) => text.bytes(),
        Value::Big(n) => big_bytes(n),
        Value::Temporal(temporal) => temporal.bytes(),
        Value::Regex(regex) => NODE + regex.bytes(),
        _ => 0,
    }
}

fn vector_bytes(items: &Vector) -> usize {
    NODE + items.bytes()
}

/// Whether a name can count: short ones of program texts are free.
pub(crate) fn is_counted(name: &Name) -> bool {
    name.as_str().len() >= LONG_NAME || name.is_made()
}

/// Bytes of a name that counts and was not met before, after so many short ones.
pub(crate) fn name_bytes(name: &Name, short: &mut usize) -> usize {
    let length = name.as_str().len();
    *short += usize::from(length < LONG_NAME);
    if length >= LONG_NAME || *short > FREE_NAMES { Name::bytes(length) } else { 0 }
}

/// Whether a count can skip it.
fn holds_nothing(value: &Value) -> bool {
    !matches!(
        value,
        Value::Vector(_) | Value::Map(_) | Value::Set(_) | Value::Function(_) | Value::Exception(_) | Value::Reduced(_)
    )
}
