//! `pmap` and `pcalls`: branches that are under way at once, each a fiber of the run.

mod failure;

use std::collections::{BTreeMap, BTreeSet};

use super::{Begin, Native, Step, frames};
use crate::error::{Error, Exception, Reason, Res, Signal, err};
use crate::eval::context::Context;
use crate::eval::fiber::{Fiber, Left, Pending};
use crate::host::ToolCall;
use crate::meter::Meter;
use crate::outcome::{ParallelForm, ParallelRecord};
use crate::stdlib::Call;
use crate::stdlib::call::{check_field_over_one_map, whole};
use crate::value::{Value, Vector};
use failure::Failure;

/// Branches that are under way at the same time; the next one starts when one of them ends.
const ALIVE: usize = 256;

/// The branches of one `pmap` or `pcalls`.
///
/// Branches start in order and run until they wait for the host; when none can run, the calls of all of them are one
/// batch. The first failure by number counts: later branches are dropped, earlier ones go on.
pub(crate) struct Parallel {
    form: ParallelForm,
    work: Work,
    count: usize,
    started: usize,
    alive: BTreeMap<usize, (Status, Box<Fiber>)>,
    /// Which of these can go on, and how many are stalled: nobody looks through all of them for each step.
    ready: BTreeSet<usize>,
    stalled: usize,
    ended: Vec<Option<Ended>>,
    failed: Option<usize>,
    /// The branch that the machine runs.
    running: usize,
    started_micros: i64,
}

/// What the branches call.
enum Work {
    Map(Value, Vec<Vector>),
    Thunks(Vector),
}

/// Whether a branch can go on.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Status {
    Ready,
    /// For the host.
    Waiting,
    /// For a sequence or delay that another branch is computing.
    Stalled,
}

/// A branch that is over.
struct Ended {
    result: Option<Result<Value, Exception>>,
    left: Left,
}

/// What to do next.
pub(crate) enum Pick {
    Run(Box<Fiber>),
    /// A new branch that calls this.
    Start(Value, Vec<Value>),
    /// Every branch waits, one of them at least for the host.
    Wait,
    /// Every branch waits for another one.
    Stall,
    Finish,
}

impl Parallel {
    fn new(form: ParallelForm, work: Work, count: usize, started_micros: i64) -> Parallel {
        let ended = std::iter::repeat_with(|| None).take(count).collect();
        let (alive, ready) = (BTreeMap::new(), BTreeSet::new());
        Parallel {
            form,
            work,
            count,
            started: 0,
            alive,
            ready,
            stalled: 0,
            ended,
            failed: None,
            running: 0,
            started_micros,
        }
    }

    /// Choose what runs next: what can go on before what has not begun.
    pub fn pick(&mut self) -> Pick {
        if let Some(index) = self.ready.pop_first() {
            self.running = index;
            if let Some((_, fiber)) = self.alive.remove(&index) {
                return Pick::Run(fiber);
            }
        }
        if self.started < self.failed.unwrap_or(self.count) && self.alive.len() < ALIVE {
            self.running = self.started;
            self.started += 1;
            let (f, args) = self.work.call(self.running);
            return Pick::Start(f, args);
        }
        if self.alive.len() > self.stalled {
            Pick::Wait
        } else if self.alive.is_empty() {
            Pick::Finish
        } else {
            Pick::Stall
        }
    }

    /// The running branch cannot go on for now.
    pub fn park(&mut self, status: Status, fiber: Box<Fiber>) {
        match status {
            Status::Ready => _ = self.ready.insert(self.running),
            Status::Stalled => self.stalled += 1,
            Status::Waiting => {}
        }
        self.alive.insert(self.running, (status, fiber));
    }

    /// The running branch is over. After a failure the branches behind it are dropped.
    pub fn end(&mut self, result: Result<Value, Box<Signal>>, left: Left, cx: &mut Context) {
        let result = result.map_err(|signal| match *signal {
            Signal::Error(error) => error,
            Signal::Return(_) => self.not_allowed("return").into(),
            Signal::Fail(_) => self.not_allowed("fail").into(),
            Signal::Need { .. } | Signal::NeedAll(_) | Signal::Busy(_) => {
                Error::new(Reason::InternalError, "a sequence could not be realised").into()
            }
        });
        if result.is_err() {
            self.failed = Some(self.running);
            for (index, (_, mut fiber)) in self.alive.split_off(&self.running) {
                fiber.abandon(cx);
                self.put(index, Ended { result: None, left: fiber.leave() });
            }
            self.ready.retain(|index| self.alive.contains_key(index));
            self.stalled = self.alive.values().filter(|(status, _)| *status == Status::Stalled).count();
        }
        self.put(self.running, Ended { result: Some(result), left });
        // What it computed may be what others wait for.
        self.wake();
    }

    fn put(&mut self, index: usize, ended: Ended) {
        if let Some(place) = self.ended.get_mut(index) {
            *place = Some(ended);
        }
    }

    fn not_allowed(&self, what: &str) -> Error {
        let name = self.form.name();
        Error::new(
            Reason::InvalidForm,
            format!("{what} is not allowed inside {name}; give the value back and {what} outside"),
        )
    }

    /// Let stalled branches try again.
    pub fn wake(&mut self) {
        if self.stalled == 0 {
            return;
        }
        self.stalled = 0;
        for (index, (status, fiber)) in &mut self.alive {
            if *status == Status::Stalled {
                *status = Status::Ready;
                self.ready.insert(*index);
                fiber.wake();
            }
        }
    }

    /// The first stalled branch fails with `error` when it goes on: nothing else can.
    pub fn fail_first(&mut self, error: Box<Signal>) {
        if let Some((index, (status, fiber))) = self.alive.iter_mut().next() {
            self.stalled -= usize::from(*status == Status::Stalled);
            *status = Status::Ready;
            self.ready.insert(*index);
            fiber.fail(error);
        }
    }

    /// Show the calls that wait for the host, in branch order.
    pub fn each_call(&self, show: &mut dyn FnMut(&ToolCall)) {
        self.alive.values().for_each(|(_, fiber)| fiber.each_call(show));
    }

    /// The waiting call of this number.
    pub fn pending_call(&mut self, seq: u64) -> Option<&mut Pending> {
        self.alive.values_mut().find_map(|(_, fiber)| fiber.pending_call(seq))
    }

    /// The branches that wait, in the order of [`Parallel::each_call`]; all can go on afterwards.
    pub fn answer(&mut self, deliver: &mut dyn FnMut(&mut Fiber)) {
        for (index, (status, fiber)) in &mut self.alive {
            if *status == Status::Waiting {
                fiber.answer(deliver);
                *status = Status::Ready;
                self.ready.insert(*index);
            }
        }
        self.wake();
    }

    /// What all branches printed and recorded so far, in branch order; `running` is what the running one left.
    pub fn outputs(&mut self, running: Option<Left>) -> Vec<Left> {
        if let Some(left) = running {
            self.put(self.running, Ended { result: None, left });
        }
        (self.ready, self.stalled) = (BTreeSet::new(), 0);
        for (index, (_, mut fiber)) in std::mem::take(&mut self.alive) {
            fiber.gather();
            self.put(index, Ended { result: None, left: fiber.leave() });
        }
        self.ended.iter_mut().flatten().map(|ended| std::mem::take(&mut ended.left)).collect()
    }

    /// The values of all branches, or the failure of the first that failed, and the record of the form; `outputs` are
    /// those of [`Parallel::outputs`].
    pub fn finish(
        self: Box<Parallel>,
        outputs: &[Left],
        now_micros: i64,
        meter: &mut Meter,
    ) -> (Res<Vec<Value>>, ParallelRecord) {
        let mut parallel = self;
        let mut values = Vec::with_capacity(parallel.count);
        let mut failure = None;
        let mut errors = 0;
        for (index, ended) in std::mem::take(&mut parallel.ended).into_iter().flatten().enumerate() {
            match ended.result {
                Some(Ok(value)) => values.push(value),
                Some(Err(error)) => {
                    errors += 1;
                    failure.get_or_insert((index, error));
                }
                None => {}
            }
        }
        let record = ParallelRecord {
            form: parallel.form,
            count: parallel.count,
            succeeded: values.len(),
            failed: errors,
            started_micros: parallel.started_micros,
            duration: std::time::Duration::from_micros(
                u64::try_from(now_micros - parallel.started_micros).unwrap_or(0),
            ),
        };
        match failure {
            None => (Ok(values), record),
            Some((index, error)) => {
                let arguments = parallel.work.call(index).1;
                let failure = Failure { index, arguments, started: parallel.started, record: &record, outputs };
                (Err(failure.signal(error, meter)), record)
            }
        }
    }

    /// Give up: leave shared cells as they were.
    pub fn abandon(&mut self, cx: &mut Context) {
        for (_, fiber) in self.alive.values_mut() {
            fiber.abandon(cx);
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
        self.alive.values().for_each(|(_, fiber)| fiber.visit(visit));
        for ended in self.ended.iter().flatten() {
            match &ended.result {
                Some(Ok(value)) => visit(value),
                Some(Err(error)) => error.attached.values().for_each(&mut *visit),
                None => {}
            }
            ended.left.visit(visit);
        }
    }

    /// Bytes of printed text that the branches keep.
    pub fn own_bytes(&self) -> usize {
        self.alive.values().map(|(_, fiber)| fiber.own_bytes()).sum::<usize>()
            + self.ended.iter().flatten().map(|ended| ended.left.own_bytes()).sum::<usize>()
    }
}

impl Work {
    /// What branch number `index` calls.
    fn call(&self, index: usize) -> (Value, Vec<Value>) {
        match self {
            Work::Map(f, collections) => {
                (f.clone(), collections.iter().map(|items| items.get(index).cloned().unwrap_or_default()).collect())
            }
            Work::Thunks(thunks) => (thunks.get(index).cloned().unwrap_or_default(), Vec::new()),
        }
    }
}

/// A call that is made as it is, and whose value is the answer: of a branch, for `apply`, or of a comparator.
pub(crate) struct OneCall {
    args: Option<Vec<Value>>,
}

impl OneCall {
    pub fn new(args: Vec<Value>) -> OneCall {
        OneCall { args: Some(args) }
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
            let shown = crate::value::shown(thunk);
            return Err(err(
                Reason::PcallsError,
                format!("pcalls: expected functions without arguments, got {shown} ({}); write #(f x)", thunk.kind()),
            ));
        }
    }
    let count = thunks.len();
    begin(call, ParallelForm::Pcalls, Work::Thunks(thunks), count)
}

fn begin(call: &mut Call<'_>, form: ParallelForm, work: Work, count: usize) -> Res<Begin> {
    if count == 0 {
        return Ok(Begin::Value(Value::vector(Vec::new())));
    }
    call.allocate(count * size_of::<Option<Ended>>())?;
    let parallel = Parallel::new(form, work, count, call.cx.clock.now_micros());
    Ok(Begin::Frame(Native::Parallel(Box::new(parallel)), Value::Nil))
}

frames! {
    "Branches under way at once";
    "pmap" "[f & colls]" frame = pmap,
        "As `map`, with the tool calls of all branches under way at once." "(pmap inc [1 2])" => "[2 3]";
    "pcalls" "[& thunks]" frame = pcalls,
        "The results of calling all thunks, with their tool calls under way at once."
        "(pcalls (fn [] 1) (fn [] 2))" => "[1 2]";
}
