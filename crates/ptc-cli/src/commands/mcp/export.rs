//! `ptc mcp export`: what a client needs to be told to use a gateway.

use std::path::Path;

use clap::ValueEnum;
use ptc_runner::config::{named, with_table};
use serde_json::{Value as Json, json};

use crate::failure::{Exit, Failure};
use crate::output;

/// The name of the gateway in clients.
const NAME: &str = "gateway";

/// An MCP client.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Client {
    ClaudeCode,
    ClaudeDesktop,
    Cline,
    Codex,
    Copilot,
    Cursor,
    Gemini,
    Vscode,
    Windsurf,
    Zed,
}

/// How a client is told.
enum Form {
    /// A line for the shell.
    Line(&'static [&'static str]),
    /// JSON with servers under this key, and further keys of each.
    Json(&'static str, &'static [(&'static str, &'static str)]),
    /// TOML with servers in tables below this one.
    Toml(&'static str),
}

impl Client {
    /// The form, and where it belongs.
    fn form(self) -> (Form, &'static str) {
        const USUAL: Form = Form::Json("mcpServers", &[]);
        match self {
            Client::ClaudeCode => (Form::Line(&["claude", "mcp", "add", NAME, "--"]), "run it in your project"),
            Client::ClaudeDesktop => (USUAL, "claude_desktop_config.json: Settings, Developer, Edit Config"),
            Client::Cline => (USUAL, "cline_mcp_settings.json: MCP Servers, Configure"),
            Client::Codex => (Form::Toml("mcp_servers"), "~/.codex/config.toml"),
            Client::Copilot => (Form::Json("mcpServers", &[("type", "local")]), "~/.copilot/mcp-config.json"),
            Client::Cursor => (USUAL, "~/.cursor/mcp.json, or .cursor/mcp.json in your project"),
            Client::Gemini => (USUAL, "~/.gemini/settings.json"),
            Client::Vscode => (Form::Json("servers", &[("type", "stdio")]), ".vscode/mcp.json in your project"),
            Client::Windsurf => (USUAL, "~/.codeium/windsurf/mcp_config.json"),
            Client::Zed => (Form::Json("context_servers", &[]), "settings.json: zed: open settings file"),
        }
    }
}

/// Print what the client needs for this gateway file.
pub(super) fn run(client: Client, file: &Path) -> Result<Exit, Failure> {
    let found = file.canonicalize().map_err(|error| format!("cannot read {}: {error}", named(file)))?;
    let executable = std::env::current_exe().map_err(|error| format!("cannot find this command: {error}"))?;
    let (form, place) = client.form();
    let text = written(&form, &executable.display().to_string(), &found.display().to_string());
    output::print(|out| writeln!(out, "{text}"))?;
    output::notes(&[format!("where it belongs: {place}")]);
    Ok(Exit::Ok)
}

fn written(form: &Form, executable: &str, file: &str) -> String {
    let command = [executable, "mcp", file];
    match form {
        Form::Line(words) => {
            let words = words.iter().copied().chain(command).map(shell_word);
            words.collect::<Vec<_>>().join(" ")
        }
        Form::Json(key, further) => {
            let mut server = json!({"command": executable, "args": ["mcp", file]});
            if let Json::Object(keys) = &mut server {
                keys.extend(further.iter().map(|(key, value)| ((*key).to_owned(), json!(value))));
            }
            format!("{:#}", json!({*key: {NAME: server}}))
        }
        Form::Toml(table) => {
            let server = json!({"command": executable, "args": ["mcp", file]});
            let server = server.as_object().map(|keys| with_table("", &[*table, NAME], keys));
            server.unwrap_or_default().trim_end().to_owned()
        }
    }
}

/// A word as shells read it.
fn shell_word(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.' | '/' | ':' | '\\');
    // Shells of Windows have another quote.
    let quote = if cfg!(windows) { '"' } else { '\'' };
    match word.chars().all(is_plain) && !word.is_empty() {
        true => word.to_owned(),
        false if cfg!(windows) => format!("{quote}{word}{quote}"),
        false => format!("{quote}{}{quote}", word.replace('\'', r"'\''")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_client_is_told_in_its_form() {
        let of = |client: Client| written(&client.form().0, "/opt/p tc/ptc", "/srv/it's.toml");
        for client in Client::value_variants() {
            let text = of(*client);
            let (command, args) = match client.form().0 {
                Form::Line(_) => {
                    assert_eq!(text, r"claude mcp add gateway -- '/opt/p tc/ptc' mcp '/srv/it'\''s.toml'");
                    continue;
                }
                Form::Json(key, further) => {
                    let json: Json = serde_json::from_str(&text).unwrap();
                    let server = &json[key][NAME];
                    further.iter().for_each(|(key, value)| assert_eq!(server[*key], *value));
                    (server["command"].clone(), server["args"].clone())
                }
                Form::Toml(table) => {
                    let toml: toml::Table = toml::from_str(&text).unwrap();
                    let server = serde_json::to_value(&toml[table][NAME]).unwrap();
                    (server["command"].clone(), server["args"].clone())
                }
            };
            assert_eq!((command, args), (json!("/opt/p tc/ptc"), json!(["mcp", "/srv/it's.toml"])), "{text}");
        }
    }
}
