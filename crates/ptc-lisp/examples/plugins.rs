//! Plugins: untrusted programs with limits, whose functions other plugins use, that can be stopped, and that stay in a file.

#![allow(clippy::disallowed_methods, clippy::disallowed_macros, reason = "an example is a host")]

use std::error::Error;
use std::fs;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use ptc_lisp::{Limits, Outcome, Progress, Session, SessionOptions, StoredMemory, no_tools, problems_text};

/// What each plugin may use.
fn options() -> SessionOptions {
    let limits = Limits { memory: 16 << 20, time: Duration::from_secs(60), ..Limits::default() };
    SessionOptions { limits, ..SessionOptions::default() }
}

fn show(title: &str, outcome: &Outcome) {
    match outcome.value() {
        Some(value) => println!("{title}: {value}"),
        None => println!("{title}: {}", problems_text(outcome.problems())),
    }
}

/// Run a program until it ends, or until somebody says stop: between slices of its work, it is asked about.
fn run_until(session: &mut Session, program: &str, stop: &AtomicBool) -> Outcome {
    session.start(program);
    loop {
        if stop.load(Ordering::Relaxed) {
            return session.interrupt([]);
        }
        match session.advance(Some(10_000)) {
            Progress::Slice => {}
            // These plugins have no tools.
            Progress::Calls(_) => return session.interrupt([]),
            Progress::Done(outcome) => return outcome,
        }
    }
}

/// A plugin defines functions; another one starts with them, and data passes between the two.
fn share() -> Result<Session, Box<dyn Error>> {
    let mut rules = Session::new(options());
    rules
        .run("(def admins #{\"root\"}) (defn allowed? [user] (contains? admins user))", &mut no_tools)
        .into_result()?;
    let mut shop = Session::new(SessionOptions { definitions: rules.definitions(), ..options() });
    show("may root", &shop.run("(map allowed? [\"root\" \"mallory\"])", &mut no_tools));

    let users = rules.run("{:users [\"ines\" \"root\"]}", &mut no_tools).into_result()?;
    shop.define("directory", users, Some("Of the other plugin"))?;
    show("found", &shop.run("(filter allowed? (:users directory))", &mut no_tools));
    // A function that came later has its code elsewhere: it is refused, and the error says what to do.
    let function = rules.run("(defn denied? [user] (not (allowed? user))) denied?", &mut no_tools).into_result()?;
    let refused = shop.define("borrowed", function, None).err();
    println!("a lone function: {}", refused.map(|error| error.message).unwrap_or_default());
    Ok(shop)
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut shop = share()?;

    // Stopped by another thread, in the middle of a loop.
    let stop = AtomicBool::new(false);
    let outcome = thread::scope(|scope| {
        let running = scope.spawn(|| run_until(&mut shop, "(def before 1) (loop [] (recur))", &stop));
        stop.store(true, Ordering::Relaxed);
        running.join()
    });
    let Ok(outcome) = outcome else { return Err("the plugin panicked".into()) };
    println!("stopped: {}", outcome.value().is_none());

    // More than it may have: the program ends, and the plugin is as before.
    show("too much", &shop.run("(loop [rows []] (recur (conj rows (vec (range 10000)))))", &mut no_tools));
    show("still there", &shop.run("(count (:users directory))", &mut no_tools));

    // What it defined, functions and atoms included, through a file.
    shop.run("(def visits (atom 0)) (defn visit! [] (swap! visits inc)) (visit!)", &mut no_tools).into_result()?;
    let (stored, left_out) = shop.store_memory();
    let path = std::env::temp_dir().join(format!("plugin-{}.json", std::process::id()));
    fs::write(&path, serde_json::to_string(&stored)?)?;
    let text = fs::read_to_string(&path)?;
    fs::remove_file(&path)?;
    let mut next = Session::new(options());
    let lost = next.restore_memory(&StoredMemory::parse(&text)?);
    println!("left out: {}", left_out.len() + lost.len());
    show("after a restart", &next.run("[(visit!) (allowed? \"root\")]", &mut no_tools));
    Ok(())
}
