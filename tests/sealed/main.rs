//! Programs in a process that is sealed (`ptc-seal`): it may allocate memory, wait, read the clock, use its open
//! streams and end, and any other system call kills it. So the code that runs keeps what the manifests and sources
//! promise: no file, no connection, no process, no environment from the system, no thread.

#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails where it is")]

use std::io::Read;
use std::process::{Command, Stdio};

use ptc_lisp::{Session, SessionOptions, ToolFailure};
use ptc_tests::lang;

/// The allocator of the command; the one of glibc reads a file when a thread returns memory.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Tells this program that it is the sealed one.
const SEALED: &str = "PTC_TEST_SEALED";

/// Run the test of this name again, in a separate process.
fn again(test: &str, what: &str) -> (String, std::process::ExitStatus) {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", test, "--nocapture", "--test-threads=1"]).env(SEALED, what);
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let mut told = String::new();
    child.stderr.take().unwrap().read_to_string(&mut told).unwrap();
    (told, child.wait().unwrap())
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
    // The first regular expression of a process asks for the number of processors, for which the standard library reads
    // files. No program sees the number.
    Session::new(SessionOptions::default()).run("(re-find #\"a\" \"a\")", &mut |_| Err(ToolFailure::new("no tools")));
    ptc_runner::seal::seal(None).expect("the kernel filters calls");
    for case in &cases {
        // Another test checks its answers; a case that measures time may differ here.
        let _differences = case.check(None, None);
    }
    eprintln!("sealed cases: {}", cases.len());
    std::process::exit(0);
}
