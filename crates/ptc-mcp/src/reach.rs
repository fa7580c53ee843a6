//! How a configured server is reached right now: with the variables, files and commands of its configuration read.

#[cfg(test)]
mod tests;

use std::env;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::SystemTime;

use ptc_chat::AddressSecrets;
use ptc_lisp::text::{one_line, shortened};
use tokio::io::{AsyncRead, AsyncReadExt};

use crate::command::CommandLine;
use crate::error::McpError;
use crate::executable::find_executable;
use crate::expand::{Expander, MAX_SECRET};
use crate::oauth::{Grant, OAuth};
use crate::spec::{Access, ServerSpec, Token};

/// Characters quoted of what a command of a token wrote to standard error.
const MAX_WORDS: usize = 300;

/// The header with the token.
const AUTHORIZATION: &str = "Authorization";

/// What it has before the token.
pub(crate) const BEARER: &str = "Bearer ";

/// How a server is reached right now.
#[derive(Debug)]
pub(crate) struct Reached {
    pub access: Access,
    /// When its token has to be renewed.
    pub fresh_until: Option<SystemTime>,
}

impl ServerSpec {
    /// How the server is reached. Each connection asks again, so that a renewed token or a changed file is used. Of a
    /// login that is kept, another token than the refused one.
    ///
    /// What was read is not in texts about the server from then on.
    pub(crate) async fn reached(&self, refused: Option<&str>) -> Result<Reached, McpError> {
        let (mut access, oauth) = self.configured().await?;
        let mut fresh_until = None;
        if let Access::Http { url, headers } = &mut access
            && !headers.iter().any(is_token)
        {
            let kept = match (oauth.grant, &self.logins) {
                (Grant::ClientCredentials, _) => self.granted.usable(url, &oauth, refused).await.map(Some),
                (Grant::AuthorizationCode, Some(logins)) => logins.usable(url, &oauth, refused).await,
                (Grant::AuthorizationCode, None) => Ok(None),
            };
            if let Some(kept) = kept.map_err(|unusable| self.unconfigured(&unusable.told(self)))? {
                self.secrets.add(kept.secrets(&oauth));
                headers.extend(kept.access_token().map(|token| (AUTHORIZATION.to_owned(), format!("{BEARER}{token}"))));
                fresh_until = kept.fresh_until();
            }
        }
        Ok(Reached { access, fresh_until })
    }

    /// How its configuration says that it is reached, and how its tokens are got.
    pub(crate) async fn configured(&self) -> Result<(Access, OAuth), McpError> {
        let variable = |name: &str| env::var_os(name);
        let reached = match &self.source {
            Some(source) if !source.is_trusted => {
                // Absolute: this may be read where the gateway was not started.
                let file = std::path::absolute(&source.file).unwrap_or_else(|_| source.file.clone());
                return Err(McpError::Untrusted { server: self.name.clone(), file });
            }
            source => {
                let folder = source.as_ref().map_or(Path::new("."), |source| &source.folder);
                let mut reader = Reader {
                    is_literal: source.is_none(),
                    texts: Expander { folder, variable: &variable, secrets: AddressSecrets::default() },
                };
                let reached = reader.configured(self).await;
                self.secrets.set(reader.texts.secrets);
                reached
            }
        };
        reached.map_err(|problem| self.unconfigured(&problem))
    }

    fn unconfigured(&self, problem: &str) -> McpError {
        McpError::Config {
            server: self.name.clone(),
            file: self.source.as_ref().map(|source| source.file.clone()),
            problem: self.told(problem),
        }
    }
}

/// Whether a header has the token of requests.
pub(crate) fn is_token((name, _): &(String, String)) -> bool {
    name.eq_ignore_ascii_case(AUTHORIZATION)
}

/// Reads what a spec refers to.
struct Reader<'a> {
    /// The texts are those of a program, not of a file.
    is_literal: bool,
    texts: Expander<'a>,
}

impl Reader<'_> {
    async fn configured(&mut self, spec: &ServerSpec) -> Result<(Access, OAuth), String> {
        let mut oauth = spec.oauth.clone();
        for text in [&mut oauth.client_id, &mut oauth.client_secret].into_iter().flatten() {
            *text = self.text(text)?;
        }
        if let Some(secret) = &oauth.client_secret {
            self.texts.keep(secret);
        }
        Ok((self.access(spec).await?, oauth))
    }

    async fn access(&mut self, spec: &ServerSpec) -> Result<Access, String> {
        let access = match &spec.access {
            Access::Command(line) => {
                let line = self.line(line)?;
                for (name, text) in &line.env {
                    match text {
                        Some(text) => self.texts.keep(text),
                        None => drop(self.texts.variable(name).map_err(told)?),
                    }
                }
                Access::Command(line)
            }
            Access::Http { url, headers } => {
                let url = self.text(url)?;
                let header = |(name, value): &(String, String)| Ok((name.clone(), self.text(value)?));
                let mut headers = headers.iter().map(header).collect::<Result<Vec<_>, String>>()?;
                if let Some(token) = &spec.token {
                    headers.push((AUTHORIZATION.to_owned(), format!("{BEARER}{}", self.token(token).await?)));
                }
                Access::Http { url, headers }
            }
        };
        let known = std::mem::take(&mut self.texts.secrets);
        self.texts.secrets = access.secrets(known);
        Ok(access)
    }

    fn text(&mut self, text: &str) -> Result<String, String> {
        if self.is_literal { Ok(text.to_owned()) } else { self.texts.text(text).map_err(told) }
    }

    /// The command with its texts expanded, and the file that it starts.
    fn line(&mut self, line: &CommandLine) -> Result<CommandLine, String> {
        if self.is_literal {
            return Ok(line.clone());
        }
        let folder = match &line.folder {
            Some(folder) => self.texts.folder.join(self.text(&folder.to_string_lossy())?),
            None => self.texts.folder.to_owned(),
        };
        let args = line.args.iter().map(|arg| self.text(arg)).collect::<Result<_, _>>()?;
        let value = |(name, value): &(String, Option<String>)| {
            Ok((name.clone(), value.as_ref().map(|value| self.text(value)).transpose()?))
        };
        let env = line.env.iter().map(value).collect::<Result<Vec<_>, String>>()?;
        let command = self.text(&line.executable.to_string_lossy())?;
        // Another search path is searched by the system.
        let is_elsewhere = env.iter().any(|(name, value)| name == "PATH" && value.is_some());
        let is_name = !command.contains(['/', std::path::MAIN_SEPARATOR]);
        let executable =
            if is_elsewhere && is_name { PathBuf::from(command) } else { find_executable(&command, &folder)? };
        Ok(CommandLine { executable, args, folder: Some(folder), env })
    }

    /// The token as it is now.
    async fn token(&mut self, token: &Token) -> Result<String, String> {
        let (text, whence) = match token {
            Token::File(path) => {
                let path = self.text(&path.to_string_lossy())?;
                (self.texts.file(&path).map_err(told)?, format!("the file `{path}`"))
            }
            Token::Command(line) => {
                let line = self.line(line)?;
                let shown = line.executable.display().to_string();
                let printed = printed(&line).await.map_err(|problem| format!("the command `{shown}`: {problem}"))?;
                (printed, format!("what `{shown}` prints"))
            }
        };
        let text = text.trim();
        self.texts.keep(text);
        if text.is_empty() || !text.chars().all(|c| c.is_ascii_graphic()) {
            let found = if text.is_empty() { "nothing" } else { "blank space or other characters that no token has" };
            return Err(format!("a token is one word, but {whence} has {found} in it"));
        }
        Ok(text.to_owned())
    }
}

fn told(error: impl ToString) -> String {
    error.to_string()
}

/// What the command prints, when it succeeds. The connection's time limit ends it.
async fn printed(line: &CommandLine) -> Result<String, String> {
    let mut command = line.command();
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).kill_on_drop(true);
    let mut child = command.spawn().map_err(told)?;
    let (out, err) = (child.stdout.take(), child.stderr.take());
    let (out, err) = tokio::try_join!(limited(out), limited(err))?;
    let status = child.wait().await.map_err(told)?;
    if !status.success() {
        let err = String::from_utf8_lossy(&err);
        let last = err.lines().rev().map(str::trim).find(|line| !line.is_empty());
        let said = last.map(|line| format!("; it said: {}", one_line(&shortened(line, MAX_WORDS))));
        return Err(format!("{status}{}", said.unwrap_or_default()));
    }
    String::from_utf8(out).map_err(|_| "it printed something other than text".to_owned())
}

async fn limited(pipe: Option<impl AsyncRead + Unpin>) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    if let Some(pipe) = pipe {
        pipe.take(MAX_SECRET + 1).read_to_end(&mut bytes).await.map_err(told)?;
    }
    let is_short = u64::try_from(bytes.len()).is_ok_and(|length| length <= MAX_SECRET);
    if is_short { Ok(bytes) } else { Err(format!("it printed more than {} kB", MAX_SECRET >> 10)) }
}
