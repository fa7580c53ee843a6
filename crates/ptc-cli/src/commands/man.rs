//! `ptc man`: manual pages.

use std::fs;
use std::io;
use std::path::PathBuf;

use clap::{Args, Command};
use clap_mangen::Man;
use clap_mangen::roff::{Roff, roman};

use crate::failure::{Exit, Failure, FileFailure};
use crate::output;

const EXAMPLES: &str = "\
Examples:
  ptc man > ptc.1 && man ./ptc.1
  ptc man --out ~/.local/share/man/man1       # a page for each command: man ptc-run";

/// Print the manual page of ptc, or write a page for each command.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct ManArgs {
    /// Write `ptc.1`, `ptc-run.1` and so on into this folder, overwriting existing pages.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

/// Run the command; `all` has every command with its options.
pub(crate) fn run(args: &ManArgs, all: Command) -> Result<Exit, Failure> {
    let mut all = all.disable_help_subcommand(true);
    all.build();
    let Some(folder) = &args.out else {
        let page = page(all)?.1;
        output::print(|out| out.write_all(&page))?;
        return Ok(Exit::Ok);
    };
    let mut pages = Vec::new();
    collect(all, &mut pages)?;
    let unwritable = |path: PathBuf| |source| FileFailure::Unwritable { path, source };
    fs::create_dir_all(folder).map_err(unwritable(folder.clone()))?;
    for (name, page) in &pages {
        let path = folder.join(name);
        fs::write(&path, page).map_err(unwritable(path))?;
    }
    output::print(|out| writeln!(out, "wrote {} into {}", output::counted(pages.len(), "page"), folder.display()))?;
    Ok(Exit::Ok)
}

/// The pages of a command and its subcommands.
fn collect(command: Command, pages: &mut Vec<(String, Vec<u8>)>) -> io::Result<()> {
    let below: Vec<Command> = command.get_subcommands().filter(|below| !below.is_hide_set()).cloned().collect();
    pages.push(page(command)?);
    below.into_iter().try_for_each(|command| collect(command, pages))
}

/// The page of one command and the name of its file. The examples keep their lines, which `Man::render` would reflow.
fn page(command: Command) -> io::Result<(String, Vec<u8>)> {
    let after = command.get_after_help().map(ToString::to_string).unwrap_or_default();
    let has_commands = command.has_subcommands();
    let man = Man::new(command);
    let mut page = Vec::new();
    man.render_title(&mut page)?;
    man.render_name_section(&mut page)?;
    man.render_synopsis_section(&mut page)?;
    man.render_description_section(&mut page)?;
    man.render_options_section(&mut page)?;
    if has_commands {
        man.render_subcommands_section(&mut page)?;
    }
    if !after.is_empty() {
        let mut roff = Roff::new();
        roff.control("SH", ["EXAMPLES"]).control("nf", []);
        after.lines().filter(|line| *line != "Examples:").for_each(|line| {
            roff.text([roman(line)]);
        });
        roff.control("fi", []).to_writer(&mut page)?;
    }
    Ok((man.get_filename(), page))
}
