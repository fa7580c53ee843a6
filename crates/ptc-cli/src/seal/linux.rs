//! The seal on Linux: resource limits, and a filter of system calls.

use std::collections::BTreeMap;

use rustix::process::{Resource, Rlimit, Signal, getrlimit, set_parent_process_death_signal, setrlimit};
use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter, SeccompRule,
    apply_filter_all_threads,
};

use super::SealError;

pub(super) const IS_SUPPORTED: bool = true;

/// System calls of a process that only computes, whatever their arguments.
const ANY: [i64; 21] = [
    libc::SYS_brk,
    libc::SYS_clock_gettime,
    libc::SYS_clock_nanosleep,
    libc::SYS_exit,
    libc::SYS_exit_group,
    libc::SYS_futex,
    libc::SYS_getcpu,
    libc::SYS_getpid,
    libc::SYS_getrandom,
    libc::SYS_gettid,
    libc::SYS_madvise,
    libc::SYS_mmap,
    libc::SYS_mprotect,
    libc::SYS_mremap,
    libc::SYS_munmap,
    libc::SYS_restart_syscall,
    libc::SYS_rt_sigaction,
    libc::SYS_rt_sigprocmask,
    libc::SYS_rt_sigreturn,
    libc::SYS_sched_yield,
    libc::SYS_sigaltstack,
];

/// Calls on the streams that are already open, by the descriptors they may name.
const STREAMS: [(i64, &[u64]); 3] = [(libc::SYS_read, &[0]), (libc::SYS_write, &[1, 2]), (libc::SYS_writev, &[1, 2])];

/// What `ioctl` may ask: whether a stream is a terminal, and how wide.
const TERMINAL: [u64; 2] = [libc::TCGETS, libc::TIOCGWINSZ];

pub(super) fn bound(memory: u64) -> Result<(), SealError> {
    limit(Resource::Core, 0)?;
    limit(Resource::Data, memory)
}

pub(super) fn allow_files(wanted: u64) {
    let known = getrlimit(Resource::Nofile);
    let wanted = known.maximum.map_or(wanted, |most| most.min(wanted));
    if known.current.is_some_and(|current| current < wanted) {
        // Where that is refused, opening one file too many says so.
        let _ = setrlimit(Resource::Nofile, Rlimit { current: Some(wanted), ..known });
    }
}

pub(super) fn end_with_parent() -> Result<(), SealError> {
    set_parent_process_death_signal(Some(Signal::KILL)).map_err(|error| SealError::Bound(error.into()))
}

/// Lower a limit; one that is lower already stays.
fn limit(resource: Resource, most: u64) -> Result<(), SealError> {
    let most = getrlimit(resource).maximum.map_or(most, |known| known.min(most));
    let limit = Rlimit { current: Some(most), maximum: Some(most) };
    setrlimit(resource, limit).map_err(|error| SealError::Bound(error.into()))
}

pub(super) fn seal(memory: Option<u64>) -> Result<(), SealError> {
    limit(Resource::Core, 0)?;
    if let Some(memory) = memory {
        bound(memory)?;
    }
    let filter = filter().map_err(|error| SealError::Filter(error.into()))?;
    apply_filter_all_threads(&filter).map_err(|error| SealError::Filter(error.into()))
}

fn filter() -> Result<BpfProgram, seccompiler::BackendError> {
    let mut rules: BTreeMap<i64, Vec<SeccompRule>> = ANY.into_iter().map(|call| (call, Vec::new())).collect();
    for (call, streams) in STREAMS {
        rules.insert(call, streams.iter().map(|stream| argument(0, *stream)).collect::<Result<_, _>>()?);
    }
    // A panic, or a stack overflow, ends as it does elsewhere.
    rules.insert(libc::SYS_tgkill, vec![argument(0, std::process::id().into())?]);
    // Allocators name the memory that they map. Other uses of `prctl` are left out.
    rules.insert(libc::SYS_prctl, vec![argument(0, libc::PR_SET_VMA.unsigned_abs().into())?]);
    rules.insert(libc::SYS_ioctl, TERMINAL.iter().map(|asked| argument(1, *asked)).collect::<Result<_, _>>()?);
    let machine = std::env::consts::ARCH.try_into()?;
    SeccompFilter::new(rules, SeccompAction::KillProcess, SeccompAction::Allow, machine)?.try_into()
}

/// Calls whose argument at this place is this number.
fn argument(place: u8, number: u64) -> Result<SeccompRule, seccompiler::BackendError> {
    SeccompRule::new(vec![SeccompCondition::new(place, SeccompCmpArgLen::Dword, SeccompCmpOp::Eq, number)?])
}
