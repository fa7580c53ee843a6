//! Full disks. A limit on the size of files acts like one, so that a line may be torn anywhere.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::{Value as Json, json};

use super::ptc;

/// The command where no file grows above this many blocks of half a kilobyte.
fn full(folder: &Path, blocks: usize, args: &[&str]) -> Output {
    let mut command = Command::new("sh");
    command.args(["-c", "trap '' XFSZ; ulimit -f \"$1\"; shift; exec \"$@\"", "sh", &blocks.to_string()]);
    command.arg(env!("CARGO_BIN_EXE_ptc")).args(args).current_dir(folder).env("NO_COLOR", "1").env_remove("PTC_LLM");
    command.output().unwrap()
}

/// A mission that pays five times.
fn mission() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let mission = "mission = \"Pay.\"\nreplay = \"a.jsonl\"\nmax_turns = 8\n[tools.pay]\nsignature = \"(n :int) -> {paid :int}\"\ncommand = [\"sh\", \"pay.sh\"]\n";
    let pay = "read line\necho \"$line\" >> effects.log\necho \"$line\" | sed s/n/paid/\n";
    let turn = |n: usize| {
        let program = format!("(def x{n} (try (:paid (tool/pay {{:n {n}}})) (catch Exception e :unknown)))");
        format!("{}\n", json!({ "content": program }))
    };
    let last = format!("{}\n", json!({"content": "(return [x1 x2 x3 x4 x5])"}));
    let answers: String = (1..=5).map(turn).chain([last]).collect();
    for (name, text) in [("m.toml", mission), ("pay.sh", pay), ("a.jsonl", &answers)] {
        fs::write(folder.path().join(name), text).unwrap();
    }
    folder
}

/// How often each effect happened.
fn effects(folder: &Path) -> BTreeMap<String, usize> {
    let mut effects = BTreeMap::new();
    for line in fs::read_to_string(folder.join("effects.log")).unwrap_or_default().lines() {
        *effects.entry(line.to_owned()).or_default() += 1;
    }
    effects
}

#[test]
fn a_run_on_a_full_disk_goes_on_later_and_pays_nothing_twice() {
    let whole = mission();
    assert!(ptc(whole.path(), &["run", "-q", "m.toml", "--no-keep", "--record", "j"]).status.success());
    let journal = fs::read(whole.path().join("j")).unwrap();
    let header = journal.iter().position(|byte| *byte == b'\n').unwrap() + 1;
    let mut told = Vec::new();
    for blocks in header / 512..=journal.len() / 512 {
        let folder = mission();
        let args = ["run", "-q", "m.toml", "--no-keep", "--record", "j"];
        let output = full(folder.path(), blocks, &args);
        if output.status.success() {
            // Only the end of the last turn did not fit: the answer is there.
            break;
        }
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(error.contains("cannot write the journal: File too large"), "{blocks}: {error}");
        assert_eq!(output.status.code(), Some(if error.starts_with("error[journal_error]") { 1 } else { 2 }));
        let advice = if error.starts_with("error[journal_error]") {
            "note: this run can be resumed, once its record can be written: ptc run m.toml"
        } else {
            "; make space for j, or name another file with --record"
        };
        assert!(error.contains(advice), "{blocks}: {error}");
        let before = effects(folder.path());

        let output = ptc(folder.path(), &[&args[..], &["--resume", "--json"]].concat());
        assert!(output.status.success(), "{blocks}: {}", String::from_utf8_lossy(&output.stderr));
        let step: Json = serde_json::from_slice(&output.stdout).unwrap();
        let after = effects(folder.path());
        assert!(after.values().all(|count| *count == 1), "{after:?}");
        for (index, paid) in step["return"].as_array().unwrap().iter().enumerate() {
            let effect = json!({ "n": index + 1 }).to_string();
            // Of a payment with an unknown outcome it is only known that this process did not make it.
            let is_known = *paid == json!(index + 1);
            assert!(is_known || *paid == json!("unknown"), "{paid}");
            assert!(!is_known || after.contains_key(&effect), "{effect} of {after:?}");
            assert!(is_known || before.get(&effect) == after.get(&effect), "{effect} of {after:?}");
        }
        told.push(before.len());
    }
    assert!(told.len() > 3 && told.last() > told.first(), "{told:?}");
}

#[test]
fn a_run_that_is_only_kept_continues_on_a_full_disk() {
    let whole = mission();
    assert!(ptc(whole.path(), &["run", "-q", "m.toml"]).status.success());
    let kept = |folder: &Path| {
        let mut runs: Vec<_> = fs::read_dir(folder.join(".ptc/runs")).unwrap().map(|run| run.unwrap().path()).collect();
        assert!(runs.len() <= 1);
        runs.pop()
    };
    let blocks = fs::metadata(kept(whole.path()).unwrap()).unwrap().len() / 512;
    let mut given_up = 0;
    for blocks in 2..=usize::try_from(blocks).unwrap() {
        let folder = mission();
        let output = full(folder.path(), blocks, &["run", "-q", "m.toml"]);
        let remarks = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.success() && output.stdout.starts_with(b"[1 2 3 4 5]"), "{blocks}: {remarks}");
        assert!(effects(folder.path()).values().all(|count| *count == 1));
        if remarks.is_empty() {
            continue;
        }
        given_up += 1;
        assert!(
            remarks.starts_with("note: cannot write .ptc/runs/")
                && remarks.contains("the run continues without a record and cannot be resumed"),
            "{blocks}: {remarks}"
        );
        assert_eq!(kept(folder.path()), None, "nothing can be resumed from a part");
    }
    assert!(given_up > 3, "{given_up}");
}

#[test]
fn definitions_that_do_not_fit_leave_those_that_were_there() {
    let folder = tempfile::tempdir().unwrap();
    let eval = |program: &str| ["eval", "--memory", "m.json", "-e", program].map(str::to_owned);
    assert!(ptc(folder.path(), &eval("(def a 1)").each_ref().map(String::as_str)).status.success());
    let before = fs::read(folder.path().join("m.json")).unwrap();
    let output = full(folder.path(), 2, &eval("(def b (vec (range 3000))) :ok").each_ref().map(String::as_str));
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!output.status.success() && error.contains("cannot write m.json: File too large"), "{error}");
    assert_eq!(fs::read(folder.path().join("m.json")).unwrap(), before);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "no draft is left");
}
