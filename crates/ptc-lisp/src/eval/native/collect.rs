//! `map`, `filter` and their kin: one output from one pass.

use super::{Begin, Native, Source, Step, check_field_over_one_map, cut_endless, is_lazy};
use crate::error::{Res, Signal, type_error};
use crate::eval::context::Context;
use crate::stdlib::call::{VECTOR, elements};
use crate::stdlib::known::known;
use crate::stdlib::{Call, Family, rows};
use crate::value::{Value, Vector, release_values, room};

/// What becomes of a returned value.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum Mode {
    Map,
    Filter,
    Remove,
    Keep,
    Concat,
    /// `for`: the body may answer the skip or stop mark.
    For,
    /// An outer level of `for`: the body answers a collection.
    ForConcat,
}

/// One pass over one or more collections.
pub(crate) struct Collect {
    name: &'static str,
    mode: Mode,
    sources: Sources,
    /// The element that the running call decides about, when it comes from a generator.
    current: Value,
    pub(super) index: Option<i64>,
    out: Vec<Value>,
}

enum Sources {
    One(Source),
    Many(Vec<Source>),
}

impl Collect {
    pub fn step(&mut self, returned: &mut Option<Value>, args: &mut Vec<Value>, cx: &mut Context) -> Res<Step> {
        if let Some(value) = returned {
            if self.receive(value, cx)? {
                return self.done();
            }
            *returned = None;
        }
        if let Some(index) = &mut self.index {
            args.push(Value::Int(*index));
            *index += 1;
        }
        match &mut self.sources {
            Sources::One(source) => match source.next(cx)? {
                Some(item) => {
                    if matches!((self.mode, &source), (Mode::Filter | Mode::Remove, Source::Lazy(_))) {
                        self.current = item.clone();
                    }
                    args.push(item);
                }
                None => return self.done(),
            },
            Sources::Many(sources) => {
                if !all_have_next(sources, cx)? {
                    return self.done();
                }
                for source in sources {
                    args.extend(source.next(cx)?);
                }
            }
        }
        Ok(Step::Call)
    }

    /// Go on without calls from the element that the last step asked about, for at most `most` elements, while `answer`
    /// knows what the function says of them. Counts in `done` those that were taken in; the next step begins behind
    /// them.
    pub fn run(
        &mut self,
        most: usize,
        done: &mut usize,
        cx: &mut Context,
        mut answer: impl FnMut(&Value, &mut Context) -> Res<Option<Value>>,
    ) {
        let Sources::One(Source::Items(items, at)) = &mut self.sources else { return };
        if self.index.is_some() || !matches!(self.mode, Mode::Map | Mode::Filter | Mode::Remove | Mode::Keep) {
            return;
        }
        let start = at.saturating_sub(1);
        for item in items.iter_from(start).take(most) {
            // What fails is asked again on the slow path, which may count garbage first.
            let Ok(Some(value)) = answer(item, cx) else { break };
            if room(&mut self.out, 1, &mut cx.meter).is_err() {
                // A single step is refused in its own way.
                break;
            }
            match self.mode {
                Mode::Filter | Mode::Remove if value.is_truthy() == (self.mode == Mode::Filter) => {
                    self.out.push(item.clone())
                }
                Mode::Filter | Mode::Remove => {}
                Mode::Keep if value.is_nil() => {}
                _ => self.out.push(value),
            }
            *done += 1;
        }
        *at = start + (*done).max(1);
    }

    /// Take in a returned value; true when the pass is over.
    fn receive(&mut self, value: &mut Value, cx: &mut Context) -> Res<bool> {
        // Before anything is taken: a step that is refused memory is made again.
        room(&mut self.out, 1, &mut cx.meter)?;
        match self.mode {
            Mode::Map => self.push(std::mem::take(value), cx)?,
            Mode::Filter | Mode::Remove => {
                if value.is_truthy() == (self.mode == Mode::Filter) {
                    let current = match &self.sources {
                        Sources::One(Source::Items(items, at)) => decided(items, *at).cloned().unwrap_or_default(),
                        _ => std::mem::take(&mut self.current),
                    };
                    self.push(current, cx)?;
                }
            }
            Mode::Keep => {
                if !value.is_nil() {
                    self.push(std::mem::take(value), cx)?;
                }
            }
            Mode::For | Mode::ForConcat if matches!(value, Value::Builtin(id) if *id == known().skip) => {}
            Mode::For | Mode::ForConcat if matches!(value, Value::Builtin(id) if *id == known().stop) => {
                return Ok(true);
            }
            Mode::For => self.push(std::mem::take(value), cx)?,
            Mode::Concat | Mode::ForConcat => {
                if let Value::Generator(view) = value {
                    if !cx.cells.is_finished(*view) {
                        return Err(Box::new(Signal::Need { cell: view.cell, count: usize::MAX }));
                    }
                    cx.meter.allocate(VECTOR + size_of_val(cx.cells.realised(*view)))?;
                    let items = cx.cells.realised(*view).to_vec();
                    *value = Value::vector(items);
                }
                let Some(items) = elements(value, &mut cx.meter)? else {
                    return Err(type_error(format!(
                        "{}: the function must give collections, got {}",
                        self.name,
                        value.kind()
                    )));
                };
                cx.meter.charge(items.len())?;
                room(&mut self.out, items.len(), &mut cx.meter)?;
                self.out.extend(items.iter().cloned());
            }
        }
        Ok(false)
    }

    /// See [`Native::first`](super::Native::first).
    #[inline]
    pub fn first(&mut self, args: &mut [Value]) -> bool {
        match (&mut self.sources, self.index) {
            (Sources::One(source @ Source::Items(..)), None) => source.first(args),
            _ => false,
        }
    }

    /// See [`Native::again`](super::Native::again).
    #[inline]
    pub fn again(&mut self, returned: &mut Value, args: &mut [Value]) -> bool {
        let (Sources::One(Source::Items(items, at)), None, [element, ..]) = (&mut self.sources, self.index, args)
        else {
            return false;
        };
        let (true, Some(next)) = (self.out.len() < self.out.capacity(), items.get(*at)) else { return false };
        let kept = match self.mode {
            Mode::Map => Some(std::mem::take(returned)),
            Mode::Filter | Mode::Remove if returned.is_truthy() == (self.mode == Mode::Filter) => {
                decided(items, *at).cloned()
            }
            Mode::Filter | Mode::Remove => None,
            Mode::Keep => (!returned.is_nil()).then(|| std::mem::take(returned)),
            Mode::For if !matches!(returned, Value::Builtin(_)) => Some(std::mem::take(returned)),
            _ => return false,
        };
        if let Some(kept) = kept {
            self.out.push(kept);
        }
        element.set(next.copy());
        *at += 1;
        true
    }

    fn push(&mut self, value: Value, cx: &mut Context) -> Res<()> {
        room(&mut self.out, 1, &mut cx.meter)?;
        self.out.push(value);
        Ok(())
    }

    /// Let go of what was collected.
    pub fn abandon(&mut self) {
        release_values(std::mem::take(&mut self.out));
    }

    /// Bytes of what was collected, without the values.
    pub fn own_bytes(&self) -> usize {
        self.out.capacity() * size_of::<Value>()
    }

    fn done(&mut self) -> Res<Step> {
        Ok(Step::Done(Value::Vector(Vector::from(std::mem::take(&mut self.out)))))
    }

    pub fn visit(&self, visit: &mut dyn FnMut(&Value)) {
        match &self.sources {
            Sources::One(source) => source.visit(visit),
            Sources::Many(sources) => sources.iter().for_each(|source| source.visit(visit)),
        }
        self.out.iter().for_each(visit);
    }
}

/// The element before the next one.
fn decided(items: &Vector, next: usize) -> Option<&Value> {
    items.get(next.checked_sub(1)?)
}

/// Whether each source goes on: asked before any moves, and of those first that need not run anything to know.
fn all_have_next(sources: &[Source], cx: &Context) -> Res<bool> {
    for lazy in [false, true] {
        for source in sources.iter().filter(|source| matches!(source, Source::Lazy(_)) == lazy) {
            if !source.has_next(cx)? {
                return Ok(false);
            }
        }
    }
    Ok(true)
}

/// Start a pass whose function is argument 0 and whose collections follow.
fn start(call: &mut Call<'_>, mode: Mode, indexed: bool, transducer: &'static str, lazy: &'static str) -> Res<Begin> {
    if call.len() == 1 {
        return Ok(Begin::Delegate(transducer));
    }
    if call.len() > 2 {
        cut_endless(call, 1)?;
    }
    for at in 1..call.len() {
        if is_lazy(call, at) {
            return Ok(Begin::Delegate(lazy));
        }
    }
    eager(call, mode, indexed)
}

fn eager(call: &mut Call<'_>, mode: Mode, indexed: bool) -> Res<Begin> {
    let f = call.arg(0).clone();
    if call.len() == 2 {
        check_field_over_one_map(call, &f, 1, false)?;
    }
    let sources = if call.len() == 2 {
        Sources::One(Source::of(call, 1)?)
    } else {
        Sources::Many((1..call.len()).map(|at| Source::of(call, at)).collect::<Res<_>>()?)
    };
    frame(call, f, mode, indexed, sources)
}

fn frame(call: &mut Call<'_>, f: Value, mode: Mode, indexed: bool, sources: Sources) -> Res<Begin> {
    let room = match (&sources, mode) {
        (Sources::One(source), Mode::Map | Mode::For) => source.size_hint(),
        _ => 0,
    };
    // Room beyond a page is taken as it fills.
    call.allocate(64 + room.min(4_096) * 16)?;
    let collect = Collect {
        name: call.name,
        mode,
        sources,
        current: Value::Nil,
        index: indexed.then_some(0),
        out: Vec::with_capacity(room.min(4_096)),
    };
    Ok(Begin::Frame(Native::Collect(collect), f))
}

fn start_for(call: &mut Call<'_>, mode: Mode, lazy: &'static str) -> Res<Begin> {
    if is_lazy(call, 0) {
        return Ok(Begin::Delegate(lazy));
    }
    let f = call.arg(1).clone();
    if !matches!(
        call.arg(0),
        Value::Nil | Value::Vector(_) | Value::Str(_) | Value::Map(_) | Value::Set(_) | Value::Generator(_)
    ) {
        return Err(type_error(format!("for: expected a collection, got {}", call.arg(0).kind())));
    }
    let source = Source::of(call, 0)?;
    frame(call, f, mode, false, Sources::One(source))
}

macro_rules! collector {
    ($name:ident, $mode:expr, $indexed:expr, $transducer:expr, $lazy:expr) => {
        fn $name(call: &mut Call<'_>) -> Res<Begin> {
            start(call, $mode, $indexed, $transducer, $lazy)
        }
    };
}

collector!(map, Mode::Map, false, "%map-xf", "%lazy-map");
collector!(filter, Mode::Filter, false, "%filter-xf", "%lazy-filter");
collector!(remove, Mode::Remove, false, "%remove-xf", "%lazy-remove");
collector!(keep, Mode::Keep, false, "%keep-xf", "%lazy-keep");
collector!(mapcat, Mode::Concat, false, "%mapcat-xf", "%lazy-mapcat");
collector!(map_indexed, Mode::Map, true, "%map-indexed-xf", "%lazy-map-indexed");
collector!(keep_indexed, Mode::Keep, true, "%keep-indexed-xf", "%lazy-keep-indexed");

fn mapv(call: &mut Call<'_>) -> Res<Begin> {
    if call.len() == 2 {
        super::whole(call, 1)?;
    } else {
        cut_endless(call, 1)?;
    }
    eager(call, Mode::Map, false)
}

fn filterv(call: &mut Call<'_>) -> Res<Begin> {
    super::whole(call, 1)?;
    eager(call, Mode::Filter, false)
}

fn for_items(call: &mut Call<'_>) -> Res<Begin> {
    start_for(call, Mode::For, "%lazy-for")
}

fn for_concat(call: &mut Call<'_>) -> Res<Begin> {
    start_for(call, Mode::ForConcat, "%lazy-for-cat")
}

pub(crate) const FAMILY: Family = rows! {
    "Passes over collections";
    "map" "[f]" "[f & colls]" native map
        "`f` of each element; several collections stop at the shortest."
        "(map inc [1 2])" => "[2 3]", "(map + [1 2 3] [10 20])" => "[11 22]";
    "mapv" "[f coll & colls]" native mapv
        "Like `map`, always a vector." "(mapv str [1 2])" => r#"["1" "2"]"#;
    "filter" "[pred]" "[pred coll]" native filter
        "The elements for which `pred` is truthy." "(filter odd? [1 2 3])" => "[1 3]";
    "filterv" "[pred coll]" native filterv
        "Like `filter`, always a vector." "(filterv even? [1 2 3])" => "[2]";
    "remove" "[pred]" "[pred coll]" native remove
        "The elements for which `pred` is falsy." "(remove odd? [1 2 3])" => "[2]";
    "keep" "[f]" "[f coll]" native keep
        "The results of `f` that are not nil." "(keep :a [{:a 1} {} {:a false}])" => "[1 false]";
    "mapcat" "[f]" "[f & colls]" native mapcat
        "The collections that `f` gives, joined." "(mapcat :t [{:t [1 2]} {} {:t [3]}])" => "[1 2 3]";
    "map-indexed" "[f]" "[f coll]" native map_indexed
        "`(f index element)` of each element." r#"(map-indexed vector "hi")"# => r#"[[0 "h"] [1 "i"]]"#;
    "keep-indexed" "[f]" "[f coll]" native keep_indexed
        "The results of `(f index element)` that are not nil."
        "(keep-indexed #(if (odd? %1) %2) [:a :b :c :d])" => "[:b :d]";
    "%for" "[coll f]" native for_items;
    "%for-cat" "[coll f]" native for_concat;
};
