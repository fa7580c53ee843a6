//! Programs under a filter of the kernel: the thread that runs them may take memory, wait, look at the clock and end,
//! and any other call of the system kills this process. So what the manifests and sources promise is true of the code
//! that runs: no file, no connection, no process, no environment from the system, no thread.

#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails where it is")]

use std::collections::BTreeMap;
use std::io::Read;
use std::os::unix::process::ExitStatusExt;
use std::process::{Command, Stdio};

use ptc_lisp::{Session, SessionOptions, ToolFailure};
use ptc_tests::lang;
use seccompiler::{BpfProgram, SeccompAction, SeccompFilter, apply_filter};

/// That of the command; the one of glibc reads a file when a thread gives memory back.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Tells this program that it runs under the filter, and what it should do there.
const SEALED: &str = "PTC_TEST_SEALED";

/// What a thread that only computes asks of the system.
const ALLOWED: [i64; 17] = [
    libc::SYS_brk,
    libc::SYS_clock_gettime,
    libc::SYS_exit,
    libc::SYS_exit_group,
    libc::SYS_futex,
    libc::SYS_getrandom,
    libc::SYS_gettid,
    libc::SYS_madvise,
    libc::SYS_mmap,
    libc::SYS_mprotect,
    libc::SYS_mremap,
    libc::SYS_munmap,
    libc::SYS_rt_sigaction,
    libc::SYS_rt_sigprocmask,
    libc::SYS_sched_yield,
    libc::SYS_sigaltstack,
    // To the pipe that is open already.
    libc::SYS_write,
];

/// Run the test of this name again, in a separate process.
fn again(test: &str, what: &str) -> (String, std::process::ExitStatus) {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", test, "--nocapture", "--test-threads=1"]).env(SEALED, what);
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let mut told = String::new();
    child.stderr.take().unwrap().read_to_string(&mut told).unwrap();
    (told, child.wait().unwrap())
}

/// From here on this thread may do no more than that.
fn seal() {
    let rules: BTreeMap<i64, Vec<_>> = ALLOWED.iter().map(|call| (*call, Vec::new())).collect();
    let machine = std::env::consts::ARCH.try_into().expect("a machine that filters are known for");
    let filter = SeccompFilter::new(rules, SeccompAction::KillProcess, SeccompAction::Allow, machine).unwrap();
    let filter: BpfProgram = filter.try_into().unwrap();
    apply_filter(&filter).expect("the kernel filters calls");
}

fn corpus() -> Vec<lang::Case> {
    let files = lang::files(&lang::folder()).expect("the corpus is there");
    files.iter().flat_map(|path| lang::read(&std::fs::read_to_string(path).unwrap()).unwrap()).collect()
}

#[test]
fn the_language_corpus_needs_nothing_of_the_system() {
    const NAME: &str = "the_language_corpus_needs_nothing_of_the_system";
    if std::env::var_os(SEALED).is_none() {
        let (told, status) = again(NAME, "corpus");
        assert!(status.success(), "{status}: {told}");
        let count =
            told.lines().find_map(|line| line.strip_prefix("sealed cases: ")).unwrap_or_else(|| panic!("{told}"));
        assert!(count.parse::<usize>().unwrap() > 1_000, "{count}");
        return;
    }
    let cases = corpus();
    // The first regular expression of a process asks how many processors there are, for which the standard library
    // reads files. No program sees the number.
    Session::new(SessionOptions::default()).run("(re-find #\"a\" \"a\")", &mut |_| Err(ToolFailure::new("no tools")));
    seal();
    for case in &cases {
        // What it answers is the matter of another test; a case that measures time may differ here.
        let _differences = case.check(None, None);
    }
    eprintln!("sealed cases: {}", cases.len());
    std::process::exit(0);
}

/// The filter works: each call that a program must not make ends the process.
#[test]
fn a_file_a_connection_and_a_thread_are_noticed() {
    const NAME: &str = "a_file_a_connection_and_a_thread_are_noticed";
    let Some(what) = std::env::var_os(SEALED) else {
        for what in ["file", "connection", "process", "thread"] {
            let (told, status) = again(NAME, what);
            assert_eq!(status.signal(), Some(libc::SIGSYS), "{what}: {status}: {told}");
        }
        return;
    };
    seal();
    match what.to_str().unwrap() {
        "file" => drop(std::fs::read("/usr/share/zoneinfo/UTC")),
        "connection" => drop(std::net::TcpStream::connect(("127.0.0.1", 9))),
        "process" => drop(Command::new("true").spawn()),
        _ => drop(std::thread::Builder::new().spawn(|| {})),
    }
    std::process::exit(0);
}
