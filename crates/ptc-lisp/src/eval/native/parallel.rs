//! `pmap` and `pcalls`: branches that run concurrently, each a fiber of the run.

mod failure;

use std::collections::{BTreeMap, VecDeque};
use std::ops::Range;

use super::{Begin, Native, Step, frames};
use crate::error::{Error, Exception, Reason, Res, Signal, err};
use crate::eval::context::Context;
use crate::eval::fiber::{AtRest, Fiber, Next, each_call, waiting_call};
use crate::eval::local::{FiberOutput, Pending};
use crate::limits::meter::Meter;
use crate::session::host::ToolCall;
use crate::session::outcome::{ParallelForm, ParallelRecord};
use crate::stdlib::Call;
use crate::stdlib::call::{check_field_over_one_map, whole};
use crate::value::{Value, Vector};
use failure::Failure;

/// The most branches that are active at the same time; the next one starts when one of them ends.
const ALIVE: usize = 256;

/// The branches of one `pmap` or `pcalls`.
///
/// Branches start in order and run until they wait for the host; when none can run, the calls of all of them form one
/// batch. The first failure by number counts: later branches are dropped, earlier ones continue.
pub(crate) struct Parallel {
    form: ParallelForm,
    work: Work,
    count: usize,
    started: usize,
    /// The active branches, by number.
    alive: VecDeque<Branch>,
    /// The index among them of the branch that the machine runs.
    running: usize,
    /// No branch before this index can continue.
    first_ready: usize,
    stalled: usize,
    /// The values by number; nil for branches without one.
    values: Vec<Value>,
    succeeded: usize,
    failed: usize,
    /// The first failure by number.
    failure: Option<(usize, Exception)>,
    /// What the first `told` branches left, in order.
    left: FiberOutput,
    told: usize,
    /// What later branches left that ended before those, by number.
    early: BTreeMap<usize, FiberOutput>,
    /// The records of the branch with the failure.
    of_failure: Range<usize>,
    started_micros: i64,
}

/// An active branch.
struct Branch {
    number: usize,
    status: Status,
    /// None while the machine runs it.
    fiber: Option<Box<Fiber>>,
}

/// What the branches call.
enum Work {
    Map(Value, Vec<Vector>),
    Thunks(Vector),
}

/// Whether a branch can continue.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Status {
    Ready,
    /// Waits for the host.
    Waiting,
    /// Waits for a sequence or delay that another branch is computing.
    Stalled,
}

/// What to do next.
pub(crate) enum Pick {
    Run(Box<Fiber>),
    /// Start a new branch with this number.
    Start(usize),
    /// Every branch waits, at least one of them for the host.
    Wait,
    /// Every branch waits for another one.
    Stall,
    Finish,
}

impl Parallel {
    fn new(form: ParallelForm, work: Work, count: usize, started_micros: i64) -> Parallel {
        Parallel {
            form,
            work,
            count,
            started: 0,
            alive: VecDeque::new(),
            running: 0,
            first_ready: 0,
            stalled: 0,
            values: std::iter::repeat_with(Value::default).take(count).collect(),
            succeeded: 0,
            failed: 0,
            failure: None,
            left: FiberOutput::default(),
            told: 0,
            early: BTreeMap::new(),
            of_failure: 0..0,
            started_micros,
        }
    }

    /// Choose what runs next: branches that can continue come before new ones.
    pub fn pick(&mut self) -> Pick {
        while let Some(branch) = self.alive.get_mut(self.first_ready) {
            self.first_ready += 1;
            if branch.status == Status::Ready
                && let Some(fiber) = branch.fiber.take()
            {
                self.running = self.first_ready - 1;
                return Pick::Run(fiber);
            }
        }
        let most = self.failure.as_ref().map_or(self.count, |(number, _)| *number);
        if self.started < most && self.alive.len() < ALIVE {
            let number = self.started;
            self.started += 1;
            self.running = self.alive.len();
            self.alive.push_back(Branch { number, status: Status::Ready, fiber: None });
            return Pick::Start(number);
        }
        if self.alive.len() > self.stalled {
            Pick::Wait
        } else if self.alive.is_empty() {
            Pick::Finish
        } else {
            Pick::Stall
        }
    }

    /// Put the callee and the arguments of branch number `number` into the first registers. Returns the number of
    /// arguments.
    pub fn call(&self, number: usize, regs: &mut Vec<Value>) -> usize {
        let arguments = self.work.arguments(number);
        let count = arguments.len();
        if regs.len() <= count {
            regs.resize_with(count + 1, Value::default);
        }
        let mut registers = regs.iter_mut();
        if let Some(callee) = registers.next() {
            callee.set(self.work.callee(number));
        }
        for (register, argument) in registers.zip(arguments) {
            register.set(argument.copy());
        }
        count
    }

    /// The running branch cannot continue for now.
    pub fn park(&mut self, status: Status, parked: Box<Fiber>) {
        self.stalled += usize::from(status == Status::Stalled);
        if let Some(branch) = self.alive.get_mut(self.running) {
            (branch.status, branch.fiber) = (status, Some(parked));
        }
    }

    /// The running branch has ended. After a failure, the branches after it are dropped.
    pub fn end(&mut self, result: Result<Value, Box<Signal>>, left: &mut FiberOutput, cx: &mut Context) {
        let Some(Branch { number, .. }) = self.alive.remove(self.running) else { return };
        self.first_ready = self.first_ready.min(self.running);
        match result {
            Ok(value) => {
                self.succeeded += 1;
                if let Some(place) = self.values.get_mut(number) {
                    *place = value;
                }
            }
            Err(signal) => {
                self.failed += 1;
                self.failure = Some((number, self.exception(*signal)));
                for branch in self.alive.split_off(self.running) {
                    self.stalled -= usize::from(branch.status == Status::Stalled);
                    if let Some(mut fiber) = branch.fiber {
                        fiber.abandon(cx);
                        // The calls of its inner branches were made.
                        fiber.gather();
                        self.put(branch.number, fiber.local.leave());
                    }
                }
            }
        }
        self.put(number, left);
        // Others may wait for what it computed.
        self.wake();
    }

    fn exception(&self, signal: Signal) -> Exception {
        match signal {
            Signal::Error(error) => error,
            Signal::Return(_) => self.not_allowed("return").into(),
            Signal::Fail(_) => self.not_allowed("fail").into(),
            Signal::Need { .. } | Signal::NeedAll(_) | Signal::Busy(_) => {
                Error::new(Reason::InternalError, "a sequence could not be realised").into()
            }
        }
    }

    fn not_allowed(&self, what: &str) -> Error {
        let name = self.form.name();
        let text = format!("{what} is not allowed inside {name}; end the branch with the value and {what} outside");
        Error::new(Reason::InvalidForm, text)
    }

    /// Keep what a branch left.
    fn put(&mut self, number: usize, left: &mut FiberOutput) {
        if number == self.told {
            self.tell(left);
            while let Some(mut left) = self.early.remove(&self.told) {
                self.tell(&mut left);
            }
        } else {
            self.early.insert(number, std::mem::take(left));
        }
    }

    /// Add what the next branch left.
    fn tell(&mut self, left: &mut FiberOutput) {
        let before = self.left.records.len();
        self.left.append(left);
        if self.failure.as_ref().is_some_and(|(number, _)| *number == self.told) {
            self.of_failure = before..self.left.records.len();
        }
        self.told += 1;
    }

    /// Let stalled branches retry.
    pub fn wake(&mut self) {
        if self.stalled == 0 {
            return;
        }
        (self.stalled, self.first_ready) = (0, 0);
        for Branch { status, fiber, .. } in &mut self.alive {
            if *status == Status::Stalled {
                *status = Status::Ready;
                fiber.iter_mut().for_each(|fiber| fiber.wake());
            }
        }
    }

    /// The first stalled branch fails with `error` when it continues: no branch can proceed otherwise.
    pub fn fail_first(&mut self, error: Box<Signal>) {
        if let Some(Branch { status, fiber: Some(fiber), .. }) = self.alive.front_mut() {
            self.stalled -= usize::from(*status == Status::Stalled);
            *status = Status::Ready;
            self.first_ready = 0;
            fiber.fail(error);
        }
    }

    /// The branches at rest.
    fn fibers(&self) -> impl Iterator<Item = &Fiber> {
        self.alive.iter().filter_map(|branch| branch.fiber.as_deref())
    }

    /// Show the calls that wait for the host, in branch order.
    pub fn each_call(&self, show: &mut dyn FnMut(&ToolCall)) {
        self.fibers().for_each(|fiber| each_call(&fiber.natives, &fiber.local, show));
    }

    /// The waiting call with this number.
    pub fn waiting_call(&mut self, seq: u64) -> Option<&mut Pending> {
        let mut fibers = self.alive.iter_mut().filter_map(|branch| branch.fiber.as_deref_mut());
        fibers.find_map(|Fiber { natives, local, .. }| waiting_call(natives, local, seq))
    }

    /// Answer the waiting branches, in the order of [`Parallel::each_call`]; all can continue afterwards.
    pub fn answer(&mut self, deliver: &mut dyn FnMut(AtRest<'_>) -> Option<Next>) {
        for Branch { status, fiber, .. } in &mut self.alive {
            if *status == Status::Waiting {
                *status = Status::Ready;
                fiber.iter_mut().for_each(|fiber| fiber.answer(deliver));
            }
        }
        self.first_ready = 0;
        self.wake();
    }

    /// What all branches printed and recorded so far, in branch order: none of them continues.
    pub fn outputs(&mut self) -> FiberOutput {
        (self.stalled, self.first_ready) = (0, 0);
        for branch in std::mem::take(&mut self.alive) {
            if let Some(mut fiber) = branch.fiber {
                fiber.gather();
                self.put(branch.number, fiber.local.leave());
            }
        }
        std::mem::take(&mut self.left)
    }

    /// Like [`Parallel::outputs`], when the running branch has ended with this.
    pub fn outputs_with(&mut self, running: &mut FiberOutput) -> FiberOutput {
        if let Some(Branch { number, .. }) = self.alive.remove(self.running) {
            self.put(number, running);
        }
        self.outputs()
    }

    /// The values of all branches, or the failure of the first failed one, and the record of the form; `left` is the
    /// result of [`Parallel::outputs`].
    pub fn finish(self, left: &FiberOutput, now_micros: i64, meter: &mut Meter) -> (Res<Vec<Value>>, ParallelRecord) {
        let record = ParallelRecord {
            form: self.form,
            count: self.count,
            succeeded: self.succeeded,
            failed: self.failed,
            started_micros: self.started_micros,
            duration: std::time::Duration::from_micros(
                u64::try_from(now_micros.saturating_sub(self.started_micros)).unwrap_or(0),
            ),
        };
        let Some((index, error)) = self.failure else { return (Ok(self.values), record) };
        let records = left.records.iter().enumerate();
        let failure = Failure {
            index,
            arguments: self.work.arguments(index).cloned().collect(),
            started: self.started,
            record: &record,
            others: records.filter(|(at, _)| !self.of_failure.contains(at)).map(|(_, record)| record).collect(),
        };
        (Err(failure.signal(error, meter)), record)
    }

    /// Give up: leave shared cells as they were.
    pub fn abandon(&mut self, cx: &mut Context) {
        for branch in &mut self.alive {
            branch.fiber.iter_mut().for_each(|fiber| fiber.abandon(cx));
        }
    }

    /// Values that only the branches hold.
    pub fn visit(&self, visit: &mut dyn FnMut(&Value)) {
        match &self.work {
            Work::Map(f, collections) => {
                visit(f);
                collections.iter().for_each(|items| visit(&Value::Vector(items.clone())));
            }
            Work::Thunks(thunks) => visit(&Value::Vector(thunks.clone())),
        }
        self.fibers().for_each(|fiber| fiber.visit(visit));
        self.values.iter().for_each(&mut *visit);
        self.failure.iter().flat_map(|(_, error)| error.attached.values()).for_each(&mut *visit);
        self.early.values().chain([&self.left]).for_each(|left| left.visit(visit));
    }

    /// Bytes of printed text and records that the branches keep.
    pub fn own_bytes(&self) -> usize {
        let left = self.early.values().chain([&self.left]).map(FiberOutput::own_bytes);
        self.fibers().map(Fiber::own_bytes).chain(left).sum::<usize>() + self.values.len() * size_of::<Value>()
    }
}

impl Work {
    /// The callee of branch number `index`.
    fn callee(&self, index: usize) -> Value {
        match self {
            Work::Map(f, _) => f.clone(),
            Work::Thunks(thunks) => thunks.get(index).cloned().unwrap_or_default(),
        }
    }

    /// Its arguments: as many elements as there are collections, since `index` is below their lengths.
    fn arguments(&self, index: usize) -> impl ExactSizeIterator<Item = &Value> {
        let collections = match self {
            Work::Map(_, collections) => collections.as_slice(),
            Work::Thunks(_) => &[],
        };
        collections.iter().map(move |items| items.get(index).unwrap_or(&Value::Nil))
    }
}

/// A plain call whose value is the result: of a branch, for `apply`, or of a comparator.
pub(crate) struct OneCall {
    args: Option<Vec<Value>>,
}

impl OneCall {
    pub fn new(args: Vec<Value>) -> OneCall {
        OneCall { args: Some(args) }
    }

    /// A call that has started.
    pub fn begun() -> OneCall {
        OneCall { args: None }
    }

    pub fn step(&mut self, returned: &mut Option<Value>, args: &mut Vec<Value>) -> Step {
        match self.args.take() {
            Some(given) => {
                *args = given;
                Step::Call
            }
            None => Step::Done(returned.take().unwrap_or_default()),
        }
    }

    /// Bytes of the list of arguments.
    pub fn own_bytes(&self) -> usize {
        self.args.as_ref().map_or(0, |args| args.capacity() * size_of::<Value>())
    }

    pub fn visit(&self, visit: &mut dyn FnMut(&Value)) {
        self.args.iter().flatten().for_each(visit);
    }
}

fn pmap(call: &mut Call<'_>) -> Res<Begin> {
    let f = call.arg(0).clone();
    if call.len() == 2 {
        check_field_over_one_map(call, &f, 1, false)?;
    }
    let collections = (1..call.len()).map(|at| whole(call, at)).collect::<Res<Vec<_>>>()?;
    let count = collections.iter().map(Vector::len).min().unwrap_or(0);
    begin(call, ParallelForm::Pmap, Work::Map(f, collections), count)
}

fn pcalls(call: &mut Call<'_>) -> Res<Begin> {
    let thunks: Vector = (0..call.len()).map(|at| call.take(at)).collect();
    for thunk in &thunks {
        let takes_nothing = match thunk {
            Value::Function(closure) => closure.proto.select(0).is_some(),
            Value::Builtin(id) => call.cx.language.builtins.entry(*id).accepts(0),
            Value::Tool(_) | Value::Var(_) => true,
            _ => false,
        };
        if !takes_nothing {
            let (shown, kind) = (crate::value::shown(thunk), thunk.kind());
            let text = format!("pcalls: expected functions without arguments, got {shown} ({kind}); write #(f x)");
            return Err(err(Reason::PcallsError, text));
        }
    }
    let count = thunks.len();
    begin(call, ParallelForm::Pcalls, Work::Thunks(thunks), count)
}

fn begin(call: &mut Call<'_>, form: ParallelForm, work: Work, count: usize) -> Res<Begin> {
    if count == 0 {
        return Ok(Begin::Value(Value::vector(Vec::new())));
    }
    call.allocate(count * size_of::<Value>())?;
    let parallel = Parallel::new(form, work, count, call.cx.clock.now_micros());
    Ok(Begin::Frame(Native::Parallel(Box::new(parallel)), Value::Nil))
}

frames! {
    "Parallel calls";
    "pmap" "[f & colls]" frame callback(Callback::Rows) size(Size::Shortest(1)) = pmap,
        "As `map`, with the tool calls of all branches in flight at once." "(pmap inc [1 2])" => "[2 3]";
    "pcalls" "[& thunks]" frame callback(Callback::All) size(Size::Arguments) = pcalls,
        "The results of calling all thunks, with their tool calls in flight at once."
        "(pcalls (fn [] 1) (fn [] 2))" => "[1 2]";
}
