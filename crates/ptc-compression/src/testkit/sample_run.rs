//! Random runs, and a steady one.

use std::sync::LazyLock;
use std::time::Duration;

use ptc_lisp::signature::Signature;
use ptc_lisp::values::{key_name, type_of};
use ptc_lisp::{Effect, Map, Memory, MemoryEntry, ToolCall, ToolRecord, ToolSpec, Value};
use ptc_transcript::{Turn, TurnFields, TurnWarning, failure_value};

use super::chance::Chance;
use crate::input::RenderInput;

/// The beginning of all hidden values.
pub(super) const CONCEALED: &str = "concealed-";

/// Retry turns.
const RETRIES: usize = 2;

const NAMES: [&str; 8] = ["rows", "total", "by-guest", "rate", "kept?", "_token", "_session", "best"];
const FUNCTIONS: [&str; 3] = ["fits?", "price-of", "top"];

static TOOLS: LazyLock<Vec<ToolSpec>> = LazyLock::new(|| {
    let tool = |name: &str, signature: &str, doc: &str| {
        let spec = ToolSpec::new(name).description(doc);
        Signature::parse(signature).map_or_else(|_| spec.clone(), |signature| spec.clone().signature(signature))
    };
    vec![
        tool("quote-room", "(room :int, nights :int) -> {total :float}", "Price of a stay"),
        tool("list-rooms", "() -> [{no :int, beds :int}]", "All rooms"),
        tool(
            "find-guest",
            "(name :string) -> {id :int, since :string}",
            "Looks a guest up; the name may be a part of it",
        ),
    ]
});

static SIGNATURES: LazyLock<Vec<Signature>> = LazyLock::new(|| {
    let texts = [":int", "(bookings [{guest :string}], limit :int) -> {kept :int, names [:string]}", "{total :float}"];
    texts.iter().filter_map(|text| Signature::parse(text).ok()).collect()
});

/// A run as a strategy gets it: an agent, its data, and turns.
///
/// What a turn printed, called and failed with begins with a mark that occurs nowhere else: `s3.0` for the first entry
/// of turn 3, if it succeeded, and `f3.0` if not.
#[derive(Debug, Clone)]
pub struct SampleRun {
    mission: String,
    tools: Vec<ToolSpec>,
    data: Map,
    signature: Option<&'static Signature>,
    notes: &'static str,
    progress: bool,
    max_turns: usize,
    turns: Vec<Turn>,
}

impl SampleRun {
    /// The run of this seed: up to ten turns, sometimes a few dozen, of every kind.
    #[must_use]
    pub fn random(seed: u64) -> SampleRun {
        let mut chance = Chance::new(seed);
        let length = if chance.once_in(40) { 30 + chance.below(40) } else { chance.below(11) };
        SampleRun::of(chance, length)
    }

    /// A run of this seed that passes the thresholds of every strategy in this crate: 90 to 120 turns of every kind.
    #[must_use]
    pub fn long(seed: u64) -> SampleRun {
        let mut chance = Chance::new(seed);
        let length = 90 + chance.below(31);
        SampleRun::of(chance, length)
    }

    fn of(mut chance: Chance, length: usize) -> SampleRun {
        let mission = match chance.below(3) {
            0 => "Which bookings fit into 250 euros?".to_owned(),
            1 => format!("Sort the guests.\n\n* by name\n* by {} nights", chance.below(100)),
            _ => "Rechne die Preise aus: Müller zahlt 10 € weniger. ".repeat(1 + chance.below(4)).trim_end().to_owned(),
        };
        let tools = TOOLS.iter().filter(|_| chance.once_in(2)).cloned().collect();
        let signature = if chance.once_in(4) { None } else { chance.pick(&SIGNATURES) };
        let data = data(&mut chance);
        let notes = if chance.once_in(4) { "Ask `llm-query` one question at a time." } else { "" };
        let progress = chance.once_in(4);
        let mut session = Session { chance, defined: Vec::new(), order: 0 };
        let turns = (1..=length).map(|number| session.turn(number)).collect();
        SampleRun {
            mission,
            tools,
            data,
            signature,
            notes,
            progress,
            max_turns: length + 1 + session.chance.below(3),
            turns,
        }
    }

    /// A run of this many turns that all do the same: redefine a name, call once and print once.
    #[must_use]
    pub fn steady(turns: usize) -> SampleRun {
        SampleRun::alike((1..=turns).map(|number| Turn::success(steady_turn(number))).collect())
    }

    /// A run of this many turns that all fail in the same way, after a call and a print.
    #[must_use]
    pub fn failing(turns: usize) -> SampleRun {
        let message = "undefined symbol 'totl'. Did you mean 'total'? ".repeat(4);
        let failed = failure_value("type_error", message.trim_end());
        let turn = |number| Turn::failure(TurnFields { result: failed.clone(), ..steady_turn(number) });
        SampleRun::alike((1..=turns).map(turn).collect())
    }

    fn alike(turns: Vec<Turn>) -> SampleRun {
        SampleRun {
            mission: "Add the prices.".to_owned(),
            tools: TOOLS.clone(),
            data: Map::new(),
            signature: None,
            notes: "",
            progress: false,
            // The line of turns left is the same in all turns.
            max_turns: 0,
            turns,
        }
    }

    /// All turns.
    #[must_use]
    pub fn turns(&self) -> &[Turn] {
        &self.turns
    }

    /// The first `seen` turns.
    #[must_use]
    pub fn after(&self, seen: usize) -> &[Turn] {
        self.turns.get(..seen).unwrap_or(&self.turns)
    }

    /// The definitions after this many turns.
    #[must_use]
    pub fn memory(&self, seen: usize) -> Memory {
        self.after(seen).last().map(|turn| turn.memory().clone()).unwrap_or_default()
    }

    /// What a strategy may know about the run after this many turns.
    #[must_use]
    pub fn input(&self, seen: usize) -> RenderInput<'_> {
        RenderInput {
            tools: &self.tools,
            signature: self.signature,
            notes: self.notes,
            progress: if self.progress { "- [x] **1.** Look\n- [ ] **2.** Add" } else { "" },
            turns_left: self.max_turns.saturating_sub(seen),
            retries_left: if self.max_turns == 0 {
                0
            } else {
                (self.max_turns + RETRIES).saturating_sub(seen).min(RETRIES)
            },
            ..RenderInput::new(&self.mission, &self.data)
        }
    }

    /// Names of the tools and of the data, as programs write them.
    pub(super) fn names(&self) -> impl Iterator<Item = String> {
        let tools = self.tools.iter().map(|tool| format!("tool/{}", tool.name));
        let data = self.data.iter().filter_map(|(key, _)| Some(format!("data/{}", key_name(key)?)));
        tools.chain(data)
    }

    /// The mark that identifies a call in a text.
    pub(crate) fn mark(call: &ToolRecord) -> String {
        let at = call.surface.as_map().and_then(|arguments| arguments.get_named("at"));
        at.and_then(|at| at.as_str()).map(|at| at.to_owned()).unwrap_or_default()
    }

    pub(super) fn mission(&self) -> &str {
        &self.mission
    }
}

fn steady_turn(number: usize) -> TurnFields {
    TurnFields {
        program: Some("(def total (:total (tool/quote-room {:nights 3})))\n(println total)".to_owned()),
        prints: vec!["a line of output that is as long as all others, and fills limits of characters soon; ".repeat(2)],
        tool_calls: vec![call("quote-room", [("nights", Value::Int(3))])],
        memory: Memory::new(vec![entry("total", Value::Int(1_000_000), number as u64)]),
        ..TurnFields::new(number, "(the answer)", Value::Nil)
    }
}

fn concealed(chance: &mut Chance) -> Value {
    let text = Value::string(format!("{CONCEALED}{}", chance.below(1_000_000)));
    match chance.below(3) {
        0 => text,
        1 => Value::vector(vec![text]),
        _ => map([("inner", text)]),
    }
}

fn map<const N: usize>(entries: [(&str, Value); N]) -> Value {
    Value::map_from(entries.map(|(name, value)| (Value::keyword(name), value)))
}

fn data(chance: &mut Chance) -> Map {
    let guest = |name: &str, nights: i64| map([("guest", Value::string(name)), ("nights", Value::Int(nights))]);
    let rows = (0..chance.below(6)).map(|row| guest("Ines", row as i64)).collect();
    let mut entries = vec![("limit", Value::Int(250)), ("bookings", Value::vector(rows))];
    if chance.once_in(2) {
        entries.push(("_key", concealed(chance)));
    }
    if chance.once_in(3) {
        entries.push(("text", Value::string("All work and no play. ".repeat(20))));
    }
    if chance.once_in(3) {
        entries.push(("customer", map([("name", Value::string("Oto")), ("_card", concealed(chance))])));
    }
    let data = Value::map_from(entries.into_iter().map(|(name, value)| (Value::keyword(name), value)));
    data.as_map().cloned().unwrap_or_default()
}

fn call<const N: usize>(name: &str, arguments: [(&str, Value); N]) -> ToolRecord {
    let surface = map(arguments);
    let call = ToolCall { seq: 0, name: name.into(), args: surface.clone(), surface };
    ToolRecord::new(call, &Ok(map([("total", Value::Int(267))])), Effect::Write, Duration::ZERO, 0)
}

fn entry(name: &str, value: Value, order: u64) -> MemoryEntry {
    let label = type_of(&value);
    MemoryEntry { name: name.to_owned(), value, doc: None, returns: None, params: None, order, label }
}

/// What turns leave to later ones.
struct Session {
    chance: Chance,
    defined: Vec<MemoryEntry>,
    order: u64,
}

impl Session {
    fn turn(&mut self, number: usize) -> Turn {
        let success = !self.chance.once_in(3);
        let mark = format!("{}{number}", if success { 's' } else { 'f' });
        // A refused answer has run, and its definitions stay.
        if success || self.chance.once_in(4) {
            (0..self.chance.below(3)).for_each(|_| self.define());
        }
        if self.chance.once_in(4)
            && let Some(function) = self.defined.iter_mut().find(|entry| entry.is_function())
        {
            function.returns = Some(format!("list[{number}]"));
        }
        let fields = TurnFields {
            program: (success || !self.chance.once_in(4)).then(|| self.program(&mark)),
            prints: (0..self.chance.below(4)).map(|place| self.print(&mark, place)).collect(),
            tool_calls: (0..self.few_or_many()).map(|place| self.call(&mark, place)).collect(),
            memory: Memory::new(self.defined.clone()),
            warnings: self.warnings(),
            ..TurnFields::new(number, format!("Well.\n```clojure\n(answer {mark})\n```"), Value::Nil)
        };
        match success {
            true => Turn::success(fields),
            false => Turn::failure(TurnFields { result: self.failure(&mark), ..fields }),
        }
    }

    /// Calls in a turn: occasionally more than a note about them names.
    fn few_or_many(&mut self) -> usize {
        if self.chance.once_in(12) { 6 + self.chance.below(3) } else { self.chance.below(4) }
    }

    fn program(&mut self, mark: &str) -> String {
        match self.chance.below(3) {
            0 => format!("(program {mark})"),
            1 => format!("(program {mark})\n(println total)\n(tool/list-rooms)"),
            _ => format!("(def rows [{mark} {}])", "\"a long literal\" ".repeat(1 + self.chance.below(20))),
        }
    }

    fn print(&mut self, mark: &str, place: usize) -> String {
        match self.chance.below(8) {
            0 => format!("{mark}.{place} {}", "long output ".repeat(40)),
            1 => format!("{mark}.{place} line one\nline two"),
            _ => format!("{mark}.{place} printed"),
        }
    }

    fn call(&mut self, mark: &str, place: usize) -> ToolRecord {
        let name = self.chance.pick(&TOOLS).map_or("quote-room", |tool| tool.name.as_str());
        let at = ("at", Value::string(format!("{mark}.{place}")));
        let mut record = match self.chance.below(4) {
            0 => call(name, [at, ("_key", concealed(&mut self.chance))]),
            _ => call(name, [at, ("nights", Value::Int(3))]),
        };
        match self.chance.below(6) {
            0 => record.error = Some("no such room\nat all".to_owned()),
            1 => record.result = map([("_session", concealed(&mut self.chance))]),
            _ => {}
        }
        record
    }

    fn define(&mut self) {
        self.order += 1;
        let new = match self.chance.below(4) {
            0 => {
                let name = self.chance.pick(&FUNCTIONS).copied().unwrap_or("top");
                let function = entry(name, Value::Nil, self.order);
                let doc = self.chance.once_in(2).then(|| "Whether a booking fits".to_owned());
                MemoryEntry { params: Some("booking limit".to_owned()), doc, ..function }
            }
            _ => {
                let name = self.chance.pick(&NAMES).copied().unwrap_or("rows");
                let value = if name.starts_with('_') { concealed(&mut self.chance) } else { self.value() };
                entry(name, value, self.order)
            }
        };
        self.defined.retain(|known| known.name != new.name);
        self.defined.push(new);
    }

    fn value(&mut self) -> Value {
        match self.chance.below(5) {
            0 => Value::Int(self.chance.below(1000) as i64),
            1 => Value::string("a text of some length, to be cut in samples, ".repeat(3)),
            2 => Value::vector(Vec::new()),
            3 => Value::vector((0..self.chance.below(9)).map(|item| Value::Int(item as i64)).collect()),
            _ => map([("guest", Value::string("Ines")), ("_card", concealed(&mut self.chance))]),
        }
    }

    fn warnings(&mut self) -> Vec<TurnWarning> {
        let warning =
            || TurnWarning { code: "list-order".into(), message: "works at the\nend".into(), line: 1, column: 1 };
        self.chance.once_in(5).then(warning).into_iter().collect()
    }

    fn failure(&mut self, mark: &str) -> Value {
        let message = match self.chance.below(3) {
            0 => format!("error of {mark}: undefined symbol\n  at line 1"),
            1 => format!("error of {mark}: {}", "a long story ".repeat(30)),
            _ => format!("error of {mark}: expected int"),
        };
        if self.chance.once_in(6) { Value::string(message) } else { failure_value("type_error", &message) }
    }
}
