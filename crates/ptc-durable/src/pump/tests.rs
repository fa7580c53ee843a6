//! A pump over a record in memory, whose process may be lost at any point.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::AtomicU64;

use futures::future::{join_all, select_all};
use futures::{FutureExt, executor};
use proptest::prelude::*;
use ptc_lisp::SplitMix64;

use super::*;

/// What an engine keeps: commands in order, and completions in order.
#[derive(Default)]
struct Journal {
    commands: Vec<Command>,
    completions: Vec<(Handle, Completion)>,
    state: BTreeMap<String, Bytes>,
}

/// A process that reads and writes it.
struct Process<'a> {
    journal: &'a mut Journal,
    random: SplitMix64,
    /// One progress in this many is the end of the process; zero means never.
    dies: u64,
    begun: usize,
    heard: usize,
    executing: BTreeSet<Handle>,
    /// What the engine will soon have on record, in any order.
    on_the_way: Vec<(Handle, Completion)>,
}

impl<'a> Process<'a> {
    fn new(journal: &'a mut Journal, seed: u64, dies: u64) -> Process<'a> {
        let random = SplitMix64::new(seed);
        Process { journal, random, dies, begun: 0, heard: 0, executing: BTreeSet::new(), on_the_way: Vec::new() }
    }

    fn draw(&mut self, below: u64) -> u64 {
        self.random.next_u64() % below.max(1)
    }
}

impl Record for Process<'_> {
    fn begin(&mut self, command: Command) -> Result<(Handle, Option<String>), RecordError> {
        let handle = Handle(u32::try_from(self.begun).expect("few commands"));
        match self.journal.commands.get(self.begun) {
            Some(known) if *known == command => {}
            Some(known) => return Err(RecordError::Diverged(format!("{command:?}, on record is {known:?}"))),
            None => {
                self.journal.commands.push(command.clone());
                match command {
                    Command::Run { .. } => {}
                    other => self.on_the_way.push((handle, Completion::Value(format!("{other:?}").into()))),
                }
            }
        }
        // Messages that a lost process did not receive go to this one.
        let is_known = self.journal.completions.iter().any(|(known, _)| *known == handle)
            || self.on_the_way.iter().any(|(known, _)| *known == handle);
        if let (false, Some(Command::Sleep { .. } | Command::AwaitPromise(_))) =
            (is_known, self.journal.commands.get(self.begun))
        {
            self.on_the_way.push((handle, Completion::Empty));
        }
        self.begun += 1;
        Ok((handle, None))
    }

    fn tell(&mut self, notice: Notice) -> Result<(), RecordError> {
        if let Notice::SetState(key, value) = notice {
            self.journal.state.insert(key, value);
        }
        Ok(())
    }

    fn is_replaying(&self) -> bool {
        self.begun < self.journal.commands.len()
    }

    fn propose(&mut self, handle: Handle, value: Bytes) -> Result<(), RecordError> {
        self.on_the_way.push((handle, Completion::Value(value)));
        Ok(())
    }

    fn poll_progress(&mut self, cx: &mut Context<'_>, open: &[Handle]) -> Poll<Result<Progress, RecordError>> {
        if self.dies > 0 && self.draw(self.dies) == 0 {
            return Poll::Ready(Err(RecordError::Gone("it was killed".to_owned())));
        }
        loop {
            while let Some((handle, completion)) = self.journal.completions.get(self.heard).cloned() {
                self.heard += 1;
                if open.contains(&handle) {
                    return Poll::Ready(Ok(Progress::Completed(handle, completion)));
                }
            }
            let is_work =
                |handle: &Handle| matches!(self.journal.commands.get(handle.0 as usize), Some(Command::Run { .. }));
            let todo: Vec<Handle> =
                open.iter().copied().filter(|handle| is_work(handle) && !self.executing.contains(handle)).collect();
            if let Some(handle) = todo.get(self.draw(todo.len() as u64) as usize) {
                self.executing.insert(*handle);
                return Poll::Ready(Ok(Progress::Execute(*handle)));
            }
            if self.on_the_way.is_empty() || self.draw(4) == 0 {
                if !self.on_the_way.is_empty() {
                    cx.waker().wake_by_ref();
                }
                return Poll::Pending;
            }
            let next = self.draw(self.on_the_way.len() as u64) as usize;
            let arrived = self.on_the_way.swap_remove(next);
            self.journal.completions.push(arrived);
        }
    }
}

/// How much of the budget of a task a piece of work uses.
fn uses(polls: u64) -> u64 {
    polls % 7
}

/// Polls that end on their own after a while.
async fn a_while(polls: u64) {
    let mut left = polls;
    poll_fn(|cx| {
        if left == 0 {
            return Poll::Ready(());
        }
        left -= 1;
        cx.waker().wake_by_ref();
        Poll::Pending
    })
    .await;
}

/// What all processes did, by name of the step.
type Done = Mutex<BTreeMap<String, usize>>;

/// Branches whose steps are named by the order in which they begin, so that a different order is noticed.
async fn branches(handler: InvocationContext, seed: u64, count: u64, steps: u64, done: &Done) -> Vec<String> {
    let begun = AtomicU64::new(0);
    let branch = |branch: u64| {
        let (handler, begun) = (handler.clone(), &begun);
        async move {
            let mut random = SplitMix64::new(seed ^ branch);
            let mut seen = Vec::new();
            for step in 0..steps {
                let number = begun.fetch_add(1, Ordering::Relaxed);
                let name = format!("{number}: {branch}/{step}");
                match random.next_u64() % 5 {
                    0 => handler.sleep_until(name.clone(), 1).await?,
                    1 => {
                        handler.promise(name.clone()).await?;
                    }
                    // A program of several slices: the handler continues on its own.
                    2 => {
                        for _ in 0..random.next_u64() % 40 {
                            a_while(1).await;
                        }
                    }
                    _ => {
                        let polls = random.next_u64() % 50;
                        let work = async {
                            a_while(polls).await;
                            // Like sockets and channels: on replay nothing of it is used.
                            for _ in 0..uses(polls) {
                                tokio::task::consume_budget().await;
                            }
                            *lock(done).entry(name.clone()).or_default() += 1;
                            Bytes::from(name.clone())
                        };
                        let (value, _) = tokio::select! {
                            biased;
                            done = handler.run(name.clone(), work) => done?,
                            () = std::future::pending() => unreachable!(),
                        };
                        assert_eq!(value, name.as_bytes(), "a branch gets what its own step came to");
                    }
                }
                handler.tell(Notice::SetState(format!("{branch}"), name.clone().into()));
                seen.push(name);
            }
            Ok::<_, RecordError>(seen.join(" "))
        }
    };
    join_all((0..count).map(branch)).await.into_iter().map(|seen| seen.expect("the course on record")).collect()
}

/// Polls like tokio, which limits what a task may use at once.
fn in_a_task<T>(work: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().build().expect("a runtime").block_on(work)
}

/// Processes until one reaches the end: what it returns, how many there were, and what was done.
fn until_done(seed: u64, count: u64, steps: u64, dies: u64) -> (Vec<String>, u64, BTreeMap<String, usize>, Journal) {
    let (mut journal, done) = (Journal::default(), Done::default());
    let mut lives = 0;
    loop {
        lives += 1;
        // The longer it takes, the rarer they die.
        let dies = if dies == 0 { 0 } else { dies + lives / 10 };
        let mut process = Process::new(&mut journal, seed ^ lives, dies);
        match in_a_task(drive(&mut process, |handler| branches(handler, seed, count, steps, &done))) {
            InvocationEnd::Done(seen) => {
                let done = lock(&done).clone();
                return (seen, lives, done, journal);
            }
            InvocationEnd::Dropped => {}
            InvocationEnd::PutOff(problem) => panic!("{problem}"),
        }
    }
}

proptest! {
    #[test]
    fn a_handler_takes_the_course_on_record_whenever_it_is_driven(
        seed in any::<u64>(), count in 1_u64..6, steps in 0_u64..7, dies in 0_u64..30,
    ) {
        let (seen, lives, done, journal) = until_done(seed, count, steps, dies);
        prop_assert!(dies > 0 || lives == 1);
        // Each work was done at least once, and never again once it was on record: a process does it at most once.
        let works = journal.commands.iter().filter_map(|command| match command {
            Command::Run { name } => Some(name.clone()),
            _ => None,
        });
        prop_assert_eq!(done.keys().cloned().collect::<BTreeSet<_>>(), works.collect::<BTreeSet<_>>());
        prop_assert!(done.values().all(|times| *times as u64 <= lives));
        // A process that only replays returns the same and does nothing.
        let (mut journal, idle) = (journal, Done::default());
        let commands = journal.commands.len();
        let mut process = Process::new(&mut journal, !seed, 0);
        let again = in_a_task(drive(&mut process, |handler| branches(handler, seed, count, steps, &idle)));
        prop_assert!(matches!(again, InvocationEnd::Done(again) if again == seen));
        prop_assert!(lock(&idle).is_empty());
        prop_assert_eq!(journal.commands.len(), commands);
    }
}

#[test]
fn hundreds_of_branches_take_the_course_on_record() {
    for seed in 0..6 {
        let (seen, lives, ..) = until_done(seed, 300, 3, 400);
        assert!(lives > 1 && seen.len() == 300, "{lives} processes");
    }
}

#[test]
fn what_is_on_record_is_given_and_not_done_again() {
    let mut journal = Journal::default();
    let work =
        |handler: InvocationContext| async move { handler.run("pay".to_owned(), async { Bytes::from("paid") }).await };
    let first = executor::block_on(drive(&mut Process::new(&mut journal, 1, 0), work));
    assert!(matches!(first, InvocationEnd::Done(Ok((value, true))) if value == "paid"));
    let again = |handler: InvocationContext| async move {
        handler.run("pay".to_owned(), async { panic!("it is done already") }).await
    };
    let second = executor::block_on(drive(&mut Process::new(&mut journal, 1, 0), again));
    assert!(matches!(second, InvocationEnd::Done(Ok((value, false))) if value == "paid"));
}

#[test]
fn another_course_is_told_to_all_branches_and_the_handler_ends_by_itself() {
    let mut journal = Journal::default();
    let course = |last: &'static str| {
        move |handler: InvocationContext| async move {
            let one = handler.run("one".to_owned(), async { Bytes::new() }).await.map(|_| ());
            let two = [last, "side"].map(|name| handler.run(name.to_owned(), async { Bytes::new() }).boxed());
            let (two, _, rest) = select_all(two).await;
            let three = handler.sleep_until("three".to_owned(), 1).await;
            drop(rest);
            [one, two.map(|_| ()), three].map(|done| done.map_err(|error| error.to_string()))
        }
    };
    let first = executor::block_on(drive(&mut Process::new(&mut journal, 1, 0), course("two")));
    assert!(matches!(first, InvocationEnd::Done(done) if done.iter().all(Result::is_ok)));
    let InvocationEnd::Done([one, two, three]) =
        executor::block_on(drive(&mut Process::new(&mut journal, 1, 0), course("other")))
    else {
        panic!("it ends by itself")
    };
    assert_eq!(one, Ok(()));
    let told = r#"Run { name: "other" }, on record is Run { name: "two" }"#;
    assert_eq!((two, three), (Err(told.to_owned()), Err(told.to_owned())));
}

#[test]
fn what_is_put_off_ends_without_an_answer() {
    let mut journal = Journal::default();
    let work = |handler: InvocationContext| async move { handler.put_off::<()>("no store".to_owned()).await };
    let ended = executor::block_on(drive(&mut Process::new(&mut journal, 1, 0), work));
    assert!(matches!(ended, InvocationEnd::PutOff(problem) if problem == "no store"));
}
