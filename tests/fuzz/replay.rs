//! The inputs that fuzzing kept, in every run of the tests: what was found once stays found.
//!
//! `corpus/NAME.tar.gz` holds inputs that reach as much code of a target as all inputs together did, and `found/NAME/`
//! those that once broke it. Programs begin with those of the language corpus, which are not stored twice.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test may panic")]

mod targets;

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use flate2::read::GzDecoder;
use ptc_tests::lang;
use targets::{TARGETS, look};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz")
}

/// The inputs kept for a target, each with its name.
fn corpus(name: &str) -> Vec<(String, Vec<u8>)> {
    let path = folder().join("corpus").join(format!("{name}.tar.gz"));
    let archive = File::open(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let mut inputs = Vec::new();
    for entry in tar::Archive::new(GzDecoder::new(archive)).entries().unwrap() {
        let (mut entry, mut bytes) = (entry.unwrap(), Vec::new());
        entry.read_to_end(&mut bytes).unwrap();
        inputs.push((format!("{name}.tar.gz: {}", entry.path().unwrap().display()), bytes));
    }
    inputs
}

/// Those that once broke it, in order; most targets have none.
fn found(name: &str) -> Vec<(String, Vec<u8>)> {
    let Ok(files) = std::fs::read_dir(folder().join("found").join(name)) else { return Vec::new() };
    let mut paths: Vec<PathBuf> = files.map(|file| file.unwrap().path()).collect();
    paths.sort();
    paths.iter().map(|path| (path.display().to_string(), std::fs::read(path).unwrap())).collect()
}

/// The programs of the language corpus.
fn programs() -> Vec<(String, Vec<u8>)> {
    let mut programs = Vec::new();
    for path in lang::files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("lang")).unwrap() {
        for case in lang::read(&std::fs::read_to_string(&path).unwrap()).unwrap() {
            let place = format!("{}:{}", path.display(), case.line);
            programs.extend(case.turns.into_iter().map(|turn| (place.clone(), turn.source.into_bytes())));
        }
    }
    programs
}

/// Run the inputs of a target, and report which one broke it: those that broke it before, and of the others a share.
fn replay(name: &str) {
    let target = TARGETS.iter().find(|target| target.name == name).unwrap();
    let mut inputs = corpus(name);
    if target.takes_programs {
        inputs.extend(programs());
    }
    assert!(inputs.len() >= 10, "{name}: {} inputs", inputs.len());
    let each = inputs.len().div_ceil(ptc_lisp::testing::test_cases(inputs.len() as u32) as usize);
    let inputs: Vec<(String, Vec<u8>)> = found(name).into_iter().chain(inputs.into_iter().step_by(each)).collect();
    // Most time goes into few targets: each has all processors.
    let workers = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    std::thread::scope(|scope| {
        for worker in 0..workers {
            let inputs = inputs.iter().skip(worker).step_by(workers);
            scope.spawn(move || {
                for (place, bytes) in inputs {
                    let ended = std::panic::catch_unwind(|| look(name, bytes));
                    assert!(ended.is_ok(), "{} does not hold for {place}", target.about);
                }
            });
        }
    });
}

/// The inputs that fuzzing of a target starts with, as files: what `tests/fuzz/run` asks for.
#[test]
fn writes_what_fuzzing_begins_with() {
    let programs = programs();
    assert!(programs.len() > 1_000, "{} programs", programs.len());
    let Some(folder) = std::env::var_os("PTC_FUZZ_SEEDS").map(PathBuf::from) else { return };
    std::fs::create_dir_all(&folder).unwrap();
    for (number, (_, program)) in programs.into_iter().enumerate() {
        std::fs::write(folder.join(format!("{number:05}")), program).unwrap();
    }
}

#[test]
fn reader() {
    replay("reader");
}

#[test]
fn program() {
    replay("program");
}

#[test]
fn shortcuts() {
    replay("shortcuts");
}

#[test]
fn values() {
    replay("values");
}

#[test]
fn memory() {
    replay("memory");
}

#[test]
fn signature() {
    replay("signature");
}

#[test]
fn template() {
    replay("template");
}

#[test]
fn reply() {
    replay("reply");
}

#[test]
fn data() {
    replay("data");
}

#[test]
fn journal() {
    replay("journal");
}

#[test]
fn step() {
    replay("step");
}

#[test]
fn trace() {
    replay("trace");
}

#[test]
fn answers() {
    replay("answers");
}

#[test]
fn mission() {
    replay("mission");
}

#[test]
fn policy() {
    replay("policy");
}

#[test]
fn mcp() {
    replay("mcp");
}

#[test]
fn what_was_found_is_of_a_target() {
    let folders = std::fs::read_dir(folder().join("found")).unwrap();
    let names: Vec<String> = folders.map(|folder| folder.unwrap().file_name().into_string().unwrap()).collect();
    assert!(names.iter().all(|name| TARGETS.iter().any(|target| target.name == name)), "{names:?}");
    assert!(names.iter().map(|name| found(name).len()).sum::<usize>() >= 9, "{names:?}");
}

#[test]
fn every_target_is_replayed() {
    let source = include_str!("replay.rs");
    for target in TARGETS {
        let test = format!("fn {0}() {{\n    replay(\"{0}\");\n}}", target.name);
        assert!(source.contains(&test), "{} has no test here", target.name);
    }
}
