//! `ptc init`: a mission with data and recorded answers that runs at once.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use clap::Args;
use ptc_runner::config::{mission_schema, named};
use ptc_runner::lisp::text::escaped;

use crate::failure::{Exit, Failure, FileFailure};
use crate::files::{self, Readers};
use crate::output;
use crate::output::words::shell;

const EXAMPLES: &str = "\
Examples:
  ptc init shop                 # a mission, 52 orders as CSV, and recorded answers, in the folder `shop`
  ptc init shop --with-tool     # the mission also calls a script
  ptc init --name returns       # `returns.toml` in the current folder

No file is replaced without --force.";

/// Write a mission with data and recorded answers that runs at once.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct InitArgs {
    /// The folder; it is created if it does not exist.
    #[arg(value_name = "DIR", default_value = ".")]
    folder: PathBuf,
    /// Add two tools: a script, in Python where `python3` runs, else in `sh`, and a program in PTC-Lisp.
    #[arg(long)]
    with_tool: bool,
    /// Name of the mission file, without `.toml`.
    #[arg(long, value_name = "NAME", default_value = "mission", value_parser = file_name)]
    name: String,
    /// Overwrite existing files, and name each of them.
    #[arg(long)]
    force: bool,
}

/// Run the command.
pub(crate) fn run(args: &InitArgs) -> Result<Exit, Failure> {
    if args.folder.is_file() {
        return Err(format!("{} is a file: name a folder, which may be new", named(&args.folder)).into());
    }
    let script = args.with_tool.then(Script::choose).transpose()?;
    let files = files(&args.name, script);
    let there = |file: &&(String, String)| {
        let found = fs::read(args.folder.join(&file.0));
        // A file that would stay the same does no harm.
        !matches!(&found, Err(error) if error.kind() == io::ErrorKind::NotFound)
            && found.is_ok_and(|found| found != file.1.as_bytes())
    };
    let there: Vec<&str> = files.iter().filter(there).map(|(name, _)| name.as_str()).collect();
    if !there.is_empty() && !args.force {
        let (folder, names) = (folder_name(&args.folder), there.join(", "));
        return Err(format!(
            "{folder} has {names} already, and nothing was written: name another folder, or add --force to replace what is there"
        )
        .into());
    }
    for (name, text) in &files {
        write(&args.folder.join(name), text)?;
    }
    ignore_runs(&args.folder)?;
    output::notes(&there.iter().map(|name| format!("{name} was replaced")).collect::<Vec<_>>());
    if script == Some(Script::Shell) {
        output::notes(&["python3 does not run here, so the tool is written in sh"]);
    }
    output::print(|out| next_steps(args, &files, out))?;
    Ok(Exit::Ok)
}

/// The language of the tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Script {
    Python,
    Shell,
}

impl Script {
    /// What runs on this machine: a command of this name may exist and fail, as placeholders of package managers do.
    fn choose() -> Result<Script, Failure> {
        let runs = |command: &str, nothing: &str| {
            let mut command = Command::new(command);
            command.args(["-c", nothing]).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
            command.status().is_ok_and(|status| status.success())
        };
        match (runs("python3", "pass"), runs("sh", ":")) {
            (true, _) => Ok(Script::Python),
            (false, true) => Ok(Script::Shell),
            _ => {
                Err("--with-tool needs `python3` or `sh`, and neither runs here: install one, or leave --with-tool out"
                    .into())
            }
        }
    }

    /// The command, the file that it runs, and what is in it.
    fn parts(self) -> (&'static str, &'static str, &'static str) {
        match self {
            Script::Python => ("python3", "tools/stock.py", include_str!("init/stock.py")),
            Script::Shell => ("sh", "tools/stock.sh", include_str!("init/stock.sh")),
        }
    }
}

/// The files with their texts; names start from the folder.
fn files(name: &str, script: Option<Script>) -> Vec<(String, String)> {
    let mission = match script.map(Script::parts) {
        None => include_str!("init/mission.toml").to_owned(),
        Some((interpreter, file, _)) => {
            include_str!("init/mission-with-tool.toml").replace("@INTERPRETER@", interpreter).replace("@SCRIPT@", file)
        }
    };
    let answers = match script {
        None => include_str!("init/answers.jsonl"),
        Some(_) => include_str!("init/answers-with-tool.jsonl"),
    };
    let mut files = vec![
        (format!("{name}.toml"), mission),
        ("orders.csv".to_owned(), include_str!("init/orders.csv").to_owned()),
        ("answers.jsonl".to_owned(), answers.to_owned()),
        ("mission.schema.json".to_owned(), format!("{:#}\n", mission_schema())),
    ];
    files.extend(script.map(Script::parts).map(|(_, file, text)| (file.to_owned(), text.to_owned())));
    files
}

fn write(path: &Path, text: &str) -> Result<(), FileFailure> {
    let unwritable = |source| FileFailure::Unwritable { path: path.to_owned(), source };
    path.parent().map_or(Ok(()), fs::create_dir_all).map_err(unwritable)?;
    files::replace(path, text.as_bytes(), Readers::AsUsual).map_err(unwritable)
}

/// Keep runs, which hold data, out of version control; an existing list of ignored files stays as it is.
fn ignore_runs(folder: &Path) -> Result<(), FileFailure> {
    let path = folder.join(".gitignore");
    if path.exists() { Ok(()) } else { write(&path, ".ptc/\n") }
}

/// What was written, and how to use it.
fn next_steps(args: &InitArgs, files: &[(String, String)], out: &mut dyn Write) -> io::Result<()> {
    let names: Vec<&str> = files.iter().map(|(name, _)| name.as_str()).collect();
    let mission = args.folder.join(format!("{}.toml", args.name));
    let mission = mission.strip_prefix(".").unwrap_or(&mission).display().to_string();
    let mission = shell(&mission);
    writeln!(out, "wrote {} in {}", names.join(", "), escaped(&folder_name(&args.folder)))?;
    writeln!(out, "next:")?;
    let steps = [
        (format!("ptc run {mission}"), "answers are recorded ones, no model is asked"),
        (format!("ptc check {mission}"), "after each change: all that is wrong with it"),
        (format!("ptc run {mission} --llm ollama:qwen3"), "a model is asked; `ptc run --help` names others"),
    ];
    let width = steps.iter().map(|(command, _)| command.chars().count()).max().unwrap_or(0);
    steps.iter().try_for_each(|(command, what)| writeln!(out, "  {command:width$}   # {what}"))
}

/// The folder as people write it.
fn folder_name(folder: &Path) -> String {
    if folder == Path::new(".") { "this folder".to_owned() } else { folder.display().to_string() }
}

/// A name that is a single part of a path.
fn file_name(text: &str) -> Result<String, String> {
    let name = text.strip_suffix(".toml").unwrap_or(text);
    let is_plain = name.chars().all(|c| c.is_alphanumeric() || matches!(c, '-' | '_' | '.'));
    if is_plain && !name.trim_matches('.').is_empty() {
        Ok(name.to_owned())
    } else {
        Err("a name has letters, digits, `-` and `_`, such as `returns`; the folder is a separate argument".to_owned())
    }
}
