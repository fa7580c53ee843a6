//! What a sealed process may and may not do. Each test runs itself again, in a process that is sealed.

#![cfg(target_os = "linux")]

use std::io::{Read, Write};
use std::os::unix::process::ExitStatusExt;
use std::process::{Command, ExitStatus, Stdio};

use ptc_runner::lisp::{Session, SessionOptions, ToolError};
use ptc_tests::lang;

/// Tells this program that it is the sealed one, and what it should try.
const TRY: &str = "PTC_TEST_SEAL";

/// Run the test of this name in a process that seals itself and tries this. Returns what it printed, and how it ended.
fn sealed(test: &str, what: &str) -> (String, ExitStatus) {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", test, "--nocapture", "--test-threads=1"]).env(TRY, what);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    // A process that ended before it received its input reads nothing: its output and how it ended say why.
    let _ = child.stdin.take().unwrap().write_all(b"given");
    let mut told = String::new();
    child.stderr.take().unwrap().read_to_string(&mut told).unwrap();
    (told, child.wait().unwrap())
}

const SIGSYS: i32 = 31;

#[test]
fn whatever_reaches_outside_ends_the_process() {
    const NAME: &str = "seal::tests::whatever_reaches_outside_ends_the_process";
    let Some(what) = std::env::var_os(TRY) else {
        for what in
            ["file", "write", "folder", "connection", "socket", "process", "thread", "signal", "control", "descriptor"]
        {
            let (told, status) = sealed(NAME, what);
            assert!(!told.contains("reached"), "{what}: {told}");
            assert_eq!(status.signal(), Some(SIGSYS), "{what}: {status}: {told}");
            assert!(!status.core_dumped(), "{what}");
        }
        return;
    };
    // Held before, but not a stream: the seal takes it away.
    let mut held = tempfile::tempfile().unwrap();
    super::seal(None).unwrap();
    match what.to_str().unwrap() {
        "file" => drop(std::fs::read("/etc/hostname")),
        "write" => drop(std::fs::write("/tmp/ptc-seal", "x")),
        "folder" => drop(std::fs::read_dir("/")),
        "connection" => drop(std::net::TcpStream::connect(("127.0.0.1", 9))),
        "socket" => drop(std::os::unix::net::UnixListener::bind("/tmp/ptc-seal.socket")),
        "process" => drop(Command::new("true").spawn()),
        "thread" => drop(std::thread::Builder::new().spawn(|| {})),
        "signal" => drop(rustix::process::kill_process(rustix::process::getpid(), rustix::process::Signal::TERM)),
        "control" => drop(rustix::process::dumpable_behavior()),
        _ => drop(held.write(b"x")),
    }
    eprintln!("reached");
    std::process::exit(0);
}

#[test]
fn streams_memory_clocks_and_waiting_are_left() {
    const NAME: &str = "seal::tests::streams_memory_clocks_and_waiting_are_left";
    if std::env::var_os(TRY).is_none() {
        let (told, status) = sealed(NAME, "all");
        assert!(status.success() && told.contains("left: given"), "{status}: {told}");
        return;
    }
    super::seal(Some(3 << 30)).unwrap();
    let began = std::time::Instant::now();
    let memory = vec![1_u8; 100 << 20];
    // Whether the kernel has such names is another question.
    let _ = rustix::process::set_virtual_memory_region_name(&memory, Some(c"memory"));
    std::thread::sleep(std::time::Duration::from_millis(1));
    let given = std::io::read_to_string(std::io::stdin()).unwrap();
    assert!(memory.iter().all(|byte| *byte == 1) && began.elapsed().as_millis() >= 1);
    eprintln!("left: {given}");
    std::process::exit(0);
}

#[test]
fn a_process_that_breaks_says_how() {
    const NAME: &str = "seal::tests::a_process_that_breaks_says_how";
    const SIGABRT: i32 = 6;
    let Some(what) = std::env::var_os(TRY) else {
        for what in ["abort", "stack"] {
            let (told, status) = sealed(NAME, what);
            assert_eq!(status.signal(), Some(SIGABRT), "{what}: {status}: {told}");
        }
        return;
    };
    fn endless(depth: u64) -> u64 {
        std::hint::black_box(if depth == u64::MAX { 0 } else { endless(depth + 1) + 1 })
    }
    super::seal(None).unwrap();
    match what.to_str().unwrap() {
        "abort" => std::process::abort(),
        _ => std::process::exit(i32::from(endless(0) == 1)),
    }
}

#[test]
fn memory_ends_at_its_bound() {
    const NAME: &str = "seal::tests::memory_ends_at_its_bound";
    if std::env::var_os(TRY).is_none() {
        let (told, status) = sealed(NAME, "all");
        assert!(status.success() && told.contains("refused"), "{status}: {told}");
        return;
    }
    super::seal(Some(2 << 30)).unwrap();
    let mut memory: Vec<u8> = Vec::new();
    assert!(memory.try_reserve_exact(100 << 20).is_ok());
    let mut more: Vec<u8> = Vec::new();
    assert!(more.try_reserve_exact(4 << 30).is_err());
    eprintln!("refused");
    std::process::exit(0);
}

fn corpus() -> Vec<lang::Case> {
    let files = lang::files(&lang::folder()).expect("the corpus is there");
    files.iter().flat_map(|path| lang::read(&std::fs::read_to_string(path).unwrap()).unwrap()).collect()
}

#[test]
fn the_language_corpus_needs_nothing_of_the_system() {
    const NAME: &str = "seal::tests::the_language_corpus_needs_nothing_of_the_system";
    if std::env::var_os(TRY).is_none() {
        let (told, status) = sealed(NAME, "corpus");
        assert!(status.success(), "{status}: {told}");
        let count =
            told.lines().find_map(|line| line.strip_prefix("sealed cases: ")).unwrap_or_else(|| panic!("{told}"));
        assert!(count.parse::<usize>().unwrap() > 1_000, "{count}");
        return;
    }
    let cases = corpus();
    // The first regular expression of a process asks for the number of processors, for which the standard library reads
    // files. No program sees the number.
    Session::new(SessionOptions::default()).run("(re-find #\"a\" \"a\")", &mut |_| Err(ToolError::new("no tools")));
    super::seal(None).expect("the kernel filters calls");
    for case in &cases {
        // Another test checks its answers; a case that measures time may differ here.
        let _differences = case.check(None, None);
    }
    eprintln!("sealed cases: {}", cases.len());
    std::process::exit(0);
}
