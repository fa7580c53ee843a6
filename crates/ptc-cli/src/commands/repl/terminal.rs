//! Inputs that a person types.

use rustyline::error::ReadlineError;
use rustyline::history::FileHistory;
use rustyline::{ColorMode, CompletionType, Config, Editor};

use super::aside;
use super::commands;
use super::editing::{Typing, colored};
use super::history;
use super::state::{Next, State};
use crate::failure::{Exit, Failure};
use crate::output;

const PROMPT: &str = "ptc> ";
const PROMPT_STYLE: &str = "1;32";

/// Run inputs until the person leaves.
pub(super) fn run(state: &mut State, keeps_history: bool) -> Result<Exit, Failure> {
    greet(state);
    let has_colors = output::has_colors(&std::io::stdout());
    let mut editor: Editor<Typing, FileHistory> = Editor::with_config(config(has_colors)?)?;
    let file = keeps_history.then(history::file).flatten();
    if let Some(file) = file.as_deref().filter(|file| file.exists()) {
        editor.load_history(file).unwrap_or_else(|error| unkept(&error));
    }
    let prompt = (PROMPT, if has_colors { colored(PROMPT, PROMPT_STYLE) } else { PROMPT.to_owned() });
    let mut interrupts = 0;
    loop {
        editor.set_helper(Some(Typing::new(state.names.clone(), has_colors, commands::completed)));
        match editor.readline(&prompt) {
            Ok(text) if text.trim().is_empty() => {}
            Ok(text) => {
                interrupts = 0;
                let added = editor.add_history_entry(text.as_str()).unwrap_or(false);
                if let Some(file) = file.as_deref().filter(|_| added) {
                    editor.append_history(file).unwrap_or_else(|error| unkept(&error));
                }
                if let Some((columns, _)) = editor.dimensions() {
                    state.width = usize::from(columns);
                }
                let next = state.input(&text)?;
                if let Some(exit) = state.ended() {
                    return Ok(exit);
                }
                if next == Next::Quit {
                    return Ok(Exit::Ok);
                }
            }
            Err(ReadlineError::Interrupted) => {
                interrupts += 1;
                if interrupts > 1 {
                    aside("Ctrl-D or :quit leaves");
                }
            }
            Err(ReadlineError::Eof) => return Ok(Exit::Ok),
            Err(error) => return Err(error.into()),
        }
    }
}

fn config(has_colors: bool) -> Result<Config, ReadlineError> {
    Ok(Config::builder()
        .max_history_size(history::MAX_INPUTS)?
        .history_ignore_dups(true)?
        // As in shells: an input that begins with a blank is not kept.
        .history_ignore_space(true)
        .completion_type(CompletionType::List)
        .completion_show_all_if_ambiguous(true)
        .completion_prompt_limit(200)
        .color_mode(if has_colors { ColorMode::Forced } else { ColorMode::Disabled })
        .bracketed_paste(true)
        .tab_stop(4)
        .build())
}

fn unkept(error: &ReadlineError) {
    output::remarks(&[format!("the history is not kept: {error}; --no-history says so")]);
}

/// What is available, and that its tools have real effects.
fn greet(state: &State) {
    output::line(concat!("ptc ", env!("CARGO_PKG_VERSION"), " · Tab completes, :help lists commands, Ctrl-D leaves"));
    let (data, tools) = (state.world.data(), state.world.tools());
    let counts: Vec<String> = [
        (!data.is_empty()).then(|| format!("{} (:data)", counted(data.len(), "data entry", "data entries"))),
        (!tools.is_empty()).then(|| format!("{} (:tools)", counted(tools.len(), "tool", "tools"))),
    ]
    .into_iter()
    .flatten()
    .collect();
    let of = state.world.mission.as_deref().map(|mission| format!("{mission}: ")).unwrap_or_default();
    if !counts.is_empty() {
        output::line(&format!("{of}{}", counts.join(", ")));
    }
    if !tools.is_empty() {
        let asked = tools.iter().filter(|tool| tool.approve).map(|tool| format!("tool/{}", tool.name));
        let asked: Vec<String> = asked.collect();
        let asks =
            if asked.is_empty() { String::new() } else { format!("; you are asked before {}", asked.join(", ")) };
        output::line(&format!("Tools are really called{asks}."));
    }
}

fn counted(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}
