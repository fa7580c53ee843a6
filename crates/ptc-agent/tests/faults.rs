//! Runs where anything goes wrong, at any time: seeded schedules.
//!
//! `PROPTEST_CASES=4000 cargo test -p ptc-agent --test faults -- --nocapture` runs 9,375 of them and prints how often each
//! fault was met. `PTC_FAULTS_SEED=N` runs one alone.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "a test may panic")]

#[path = "faults/checks.rs"]
mod checks;
#[path = "faults/missions.rs"]
mod missions;
#[path = "faults/world.rs"]
mod world;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use ptc_agent::testkit::{Fault, Faults, Stop, hush, stopped};
use ptc_agent::{AgentError, CancellationToken};
use ptc_transcript::{FailReason, Journal, JournalError, Recorded, Step};

use checks::Broken;
use missions::{Ended, Kind, Mission};
use world::{Dice, World};

/// Schedules when all generated cases are tried.
const SCHEDULES: u32 = 600;
/// Processes of a mission: the last one has no faults.
const PROCESSES: usize = 4;

/// The faults and outcomes of schedules.
#[derive(Default)]
struct Met {
    faults: BTreeMap<Fault, usize>,
    endings: BTreeMap<String, usize>,
    processes: usize,
}

/// How a process was stopped from outside.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Halt {
    No,
    Drop(usize),
    Cancel(usize),
    CancelAfter(Duration),
}

/// One process of a mission: it starts from what is left of a journal.
struct Process {
    ended: Option<Result<Ended, AgentError>>,
    journal: Vec<u8>,
    tasks: usize,
}

fn process(mission: &Mission, faults: &Faults, left: &[u8], halt: Halt) -> Process {
    let recorded = Recorded::read(left).unwrap();
    let whole = recorded.as_ref().map_or(0, Recorded::whole_bytes);
    let journal = Arc::new(faults.journal(&left[..whole]));
    let cancel = CancellationToken::new();
    let options = mission
        .options()
        .cancel(cancel.clone())
        .journal(Arc::clone(&journal) as Arc<dyn Journal>)
        .resume(recorded.map(Arc::new));
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build().unwrap();
    let (ended, tasks) = runtime.block_on(async {
        let (polls, stop) = match halt {
            Halt::Drop(polls) => (polls, Stop::Drop),
            Halt::Cancel(polls) => (polls, Stop::Cancel(cancel.clone())),
            Halt::No | Halt::CancelAfter(_) => (usize::MAX, Stop::Drop),
        };
        let work = async {
            let timer = async {
                if let Halt::CancelAfter(time) = halt {
                    tokio::time::sleep(time).await;
                    cancel.cancel();
                }
                std::future::pending::<()>().await;
            };
            tokio::select! { ended = mission.run(options) => ended, () = timer => unreachable!() }
        };
        // A run without a deadline may wait forever: that is a failure.
        let work = tokio::time::timeout(Duration::from_secs(1_000_000), stopped(work, polls, stop));
        let (ended, _) = work.await.unwrap();
        // Tools that continue after their caller has given up end on their own.
        tokio::time::sleep(Duration::from_secs(3_600)).await;
        (ended, tokio::runtime::Handle::current().metrics().num_alive_tasks())
    });
    Process { ended, journal: journal.written(), tasks }
}

/// Faults of the disk that a process may have met.
fn disk_faults(faults: &Faults) -> usize {
    let disk = [Fault::DiskFull, Fault::TornWrite, Fault::SyncFailed, Fault::JournalPanic];
    disk.iter().filter_map(|fault| faults.met().get(fault).copied()).sum()
}

fn schedule(seed: u64, met: &mut Met) -> Result<(), Broken> {
    let world = Arc::new(World::default());
    let mut dice = Dice::new(!seed);
    // Agents are built without faults.
    let faults = Faults::new(seed).one_in(0);
    let mission = Mission::new(seed, &world, &faults);
    let mut journal = Vec::new();
    for number in 1..=PROCESSES {
        let is_last = number == PROCESSES;
        let (one_in, most) = (3 + dice.below(12), usize::try_from(1 + dice.below(12)).unwrap());
        let faults = faults.clone().one_in(if is_last { 0 } else { one_in }).at_most(most);
        let polls = |dice: &mut Dice| usize::try_from(dice.below(90)).unwrap();
        let halt = match dice.below(6) {
            _ if is_last => Halt::No,
            0 => Halt::Drop(polls(&mut dice)),
            1 => Halt::Cancel(polls(&mut dice)),
            2 => Halt::CancelAfter(Duration::from_millis(dice.below(40_000))),
            _ => Halt::No,
        };
        let (before, disk, is_fresh) = (world.seen().clone(), disk_faults(&faults), journal.is_empty());
        let process = process(&mission, &faults, &journal, halt);
        met.processes += 1;
        let is_whole = disk_faults(&faults) == disk;
        let trial = Trial { kind: mission.kind, world: &world, before, is_fresh, is_whole, halt };
        let ended = trial
            .check(&process)
            .map_err(|broken| format!("seed {seed}, process {number} {halt:?} ({:?}): {broken}", mission.kind))?;
        journal.clone_from(&process.journal);
        *met.endings.entry(ended.0).or_default() += 1;
        if ended.1 && is_whole {
            told_again(&mission, &faults, &world, &process).map_err(|broken| format!("seed {seed}: {broken}"))?;
            break;
        }
    }
    for (fault, count) in faults.met() {
        *met.faults.entry(fault).or_default() += count;
    }
    drop(mission);
    drop(faults);
    match Arc::strong_count(&world) {
        1 => Ok(()),
        count => Err(format!("seed {seed}: {} owners are left", count - 1)),
    }
}

/// A finished run returns its result again when it is resumed, and does nothing.
fn told_again(mission: &Mission, faults: &Faults, world: &World, process: &Process) -> Result<(), Broken> {
    let before = world.seen().clone();
    let again = self::process(mission, &faults.clone().one_in(0), &process.journal, Halt::No);
    let after = world.seen().clone();
    let known = |step: &Step| format!("{:?} {:?}", step.ending, step.result);
    let same = match (&process.ended, &again.ended) {
        (Some(Ok(Ended::Step(step))), Some(Ok(Ended::Step(told)))) => known(step) == known(told),
        (Some(Ok(Ended::Answer)), Some(Ok(Ended::Answer))) => true,
        _ => false,
    };
    if same && (&before.done, before.requests) == (&after.done, after.requests) {
        return Ok(());
    }
    Err("a run that is over is done again".to_owned())
}

/// What is known about a process besides its outcome.
struct Trial<'a> {
    kind: Kind,
    world: &'a World,
    /// What had happened before it.
    before: world::Seen,
    is_fresh: bool,
    /// Whether the disk worked.
    is_whole: bool,
    halt: Halt,
}

impl Trial<'_> {
    /// How it ended, and whether it is over.
    fn check(&self, process: &Process) -> Result<(String, bool), Broken> {
        let Trial { is_whole, halt, .. } = *self;
        let seen = self.world.seen().clone();
        checks::once(&seen)?;
        if process.tasks > 0 {
            return Err(format!("{} tasks are left", process.tasks));
        }
        let step = match &process.ended {
            Some(Ok(Ended::Step(step))) => Some(&**step),
            _ => None,
        };
        // The journal of a run with a given program does not have that program.
        checks::read_back(&process.journal, step.filter(|_| self.kind != Kind::Compiled), is_whole)?;
        let Some(step) = step else { return self.without_step(&process.ended) };
        if std::env::var_os("PTC_FAULTS_SEED").is_some() {
            println!("{}", checks::shown(step));
        }
        checks::full(step)?;
        if self.is_fresh {
            checks::counted(step, &seen)?;
        }
        // A stopped run may not have replayed what an earlier process did.
        let is_panic = step.fail().is_some_and(|fail| fail.reason == FailReason::InternalError);
        let mut expected = seen.done.clone();
        if halt != Halt::No || is_panic {
            for (call, count) in &mut expected {
                *count -= self.before.done.get(call).copied().unwrap_or(0);
            }
        }
        checks::told(step, &seen, &expected)?;
        let ending = step.ending.as_str();
        Ok((step.fail().map_or_else(|| ending.to_owned(), |fail| format!("{ending} {}", fail.reason)), step.is_ok()))
    }

    fn without_step(&self, ended: &Option<Result<Ended, AgentError>>) -> Result<(String, bool), Broken> {
        let (told, is_over) = match ended {
            None => ("dropped", false),
            Some(Ok(_)) => ("answer", true),
            Some(Err(AgentError::Journal(JournalError::Unwritable(_)))) if !self.is_whole => ("not begun", false),
            Some(Err(AgentError::Panicked(_))) => ("panic at the start", false),
            Some(Err(error)) => return Err(format!("it did not start: {error}")),
        };
        Ok((told.to_owned(), is_over))
    }
}

/// Open files of this process, where the system reports them.
fn open_files() -> usize {
    std::fs::read_dir("/proc/self/fd").map_or(0, Iterator::count)
}

#[test]
fn random_schedules_end_in_full_steps_and_nothing_happens_twice() {
    let seeds = match std::env::var("PTC_FAULTS_SEED") {
        Ok(seed) => seed.parse().map(|seed: u64| seed..seed + 1).unwrap(),
        Err(_) => 0..ptc_lisp::testing::test_cases(SCHEDULES).into(),
    };
    let (count, files) = (seeds.end - seeds.start, open_files());
    hush();
    let mut met = Met::default();
    let mut broken = Vec::new();
    for seed in seeds {
        match std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| schedule(seed, &mut met))) {
            Ok(Ok(())) => {}
            Ok(Err(problem)) => broken.push(problem),
            Err(_) => broken.push(format!("seed {seed}: a panic got out")),
        }
    }
    println!("{count} schedules, {} processes", met.processes);
    println!("faults {:#?}\nendings {:#?}", met.faults, met.endings);
    assert_eq!(open_files(), files, "files are left open");
    assert!(broken.is_empty(), "{} of {count} broke:\n{}", broken.len(), broken[..broken.len().min(12)].join("\n"));
}

/// Missions of these seeds are stopped at each point where they wait: dropped, and cancelled.
const STOPPED: [u64; 6] = [3, 12, 0, 5, 29, 31];

fn stopped_everywhere(seed: u64, met: &mut Met) -> Result<usize, Broken> {
    let mut points = 0;
    loop {
        for cancels in [false, true] {
            let world = Arc::new(World::default());
            let faults = Faults::new(seed).one_in(0);
            let mission = Mission::new(seed, &world, &faults);
            let halt = if cancels { Halt::Cancel(points) } else { Halt::Drop(points) };
            let at = |broken: Broken| format!("mission {seed} {halt:?}: {broken}");
            let trial = |before: &world::Seen, is_fresh, halt| Trial {
                kind: mission.kind,
                world: &world,
                before: before.clone(),
                is_fresh,
                is_whole: true,
                halt,
            };
            let first = process(&mission, &faults, &[], halt);
            trial(&world::Seen::default(), true, halt).check(&first).map_err(at)?;
            let before = world.seen().clone();
            let last = process(&mission, &faults, &first.journal, Halt::No);
            trial(&before, false, Halt::No).check(&last).map_err(at)?;
            met.processes += 2;
            if !cancels && first.ended.is_some() {
                return Ok(points);
            }
        }
        points += 1;
    }
}

#[test]
fn a_run_may_be_stopped_wherever_it_waits() {
    hush();
    let mut met = Met::default();
    let missions = ptc_lisp::testing::test_cases(STOPPED.len() as u32) as usize;
    let points: Vec<usize> =
        STOPPED.iter().take(missions).map(|seed| stopped_everywhere(*seed, &mut met).unwrap()).collect();
    println!("{} processes, points {points:?}", met.processes);
    assert!(points.iter().all(|points| *points > 5), "{points:?}");
}
