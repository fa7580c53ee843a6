//! How a server is reached, and which of its tools programs get.

use std::fmt;
use std::ops::Deref;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use ptc_chat::{AddressSecrets, shown_address};
use ptc_lisp::signature::Type;

use crate::command::CommandLine;
use crate::granted::Granted;
use crate::logins::Logins;
use crate::oauth::OAuth;
use crate::reach::is_token;

/// Why other fields cannot be hidden.
pub const ONLY_UNDERSCORED: &str =
    "only fields whose names begin with `_` can be hidden; a tool that must not show others has to leave them out";

/// Default limit for a call.
const DEFAULT_TIMEOUT: Duration = Duration::from_secs(60);

/// An MCP server.
#[non_exhaustive]
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServerSpec {
    /// The prefix of its tools' names.
    pub name: String,
    /// How it is reached.
    pub access: Access,
    /// The tools that programs get, by the server's names; all without a list.
    pub allow: Option<Vec<String>>,
    /// Tools that programs do not get, even when they are allowed.
    pub deny: Vec<String>,
    /// Tools whose calls need approval, each of them.
    pub approve: Vec<String>,
    /// How long connecting may take, and how long the server may be silent during a call: 60 seconds. A call that shows
    /// signs of life ends after ten times as long.
    pub timeout: Duration,
    /// Whether a gateway asks about its tools that are new or have changed since they were reviewed.
    pub pin: bool,
    /// Whether a run or a gateway ends when it cannot be used, instead of continuing without its tools.
    pub required: bool,
    /// Whether requests of the server during a call are passed on to the [caller](crate::Caller): elicitation, sampling
    /// and roots. Otherwise nobody can be asked.
    pub forwards: bool,
    /// How texts in results are read, of all tools.
    pub results: Results,
    /// The same, of single tools, by the server's names.
    pub tool_results: Vec<(String, Results)>,
    /// Fields beginning with `_` that models do not see in results, in addition to those of secrets.
    pub hidden: Vec<String>,
    /// Where the token of the header `Authorization` is read, each time that a server with a URL is connected.
    pub token: Option<Token>,
    /// Where the login of its user is kept, whose token is sent unless there is another one.
    pub logins: Option<Logins>,
    /// How this client is known where it gets tokens for a server with a URL.
    pub oauth: OAuth,
    /// The file that configures it. Without one its texts are as they are written.
    pub source: Option<Source>,
    /// What was read for the last connection.
    pub(crate) secrets: Secrets,
    /// The token that its client has got.
    pub(crate) granted: Granted,
}

/// The file that configures a server: `${NAME}` and the like in its texts are expanded when it is connected.
#[non_exhaustive]
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    /// The file, which errors name.
    pub file: PathBuf,
    /// Where its commands run, and its relative paths start.
    pub folder: PathBuf,
    /// Whether its commands may run and its texts be expanded; otherwise connecting is refused.
    pub is_trusted: bool,
}

impl Source {
    /// A trusted file, whose commands run in this folder.
    #[must_use]
    pub fn new(file: impl Into<PathBuf>, folder: impl Into<PathBuf>) -> Source {
        Source { file: file.into(), folder: folder.into(), is_trusted: true }
    }
}

/// Where a token is read.
#[non_exhaustive]
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Token {
    /// The content of a file.
    File(PathBuf),
    /// What a command prints.
    Command(CommandLine),
}

/// What is known about a server while it is used. It is not part of what the server is, and is not shown.
#[derive(Default)]
pub(crate) struct Aside<T>(Arc<T>);

/// What no text about a server may quote, as far as it was read.
pub(crate) type Secrets = Aside<Mutex<Option<AddressSecrets>>>;

impl Secrets {
    pub(crate) fn set(&self, secrets: AddressSecrets) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(secrets);
    }

    pub(crate) fn add<'a>(&self, secrets: impl Iterator<Item = &'a str>) {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        *known = Some(secrets.fold(known.take().unwrap_or_default(), AddressSecrets::and));
    }

    fn get(&self) -> Option<AddressSecrets> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl<T> Deref for Aside<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T> Clone for Aside<T> {
    fn clone(&self) -> Aside<T> {
        Aside(self.0.clone())
    }
}

impl<T> fmt::Debug for Aside<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("…")
    }
}

impl<T> PartialEq for Aside<T> {
    fn eq(&self, _: &Aside<T>) -> bool {
        true
    }
}

impl<T> Eq for Aside<T> {}

/// How texts in results of tools are read.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Results {
    /// A text that is a JSON object or array is data, any other one a text.
    #[default]
    JsonOrText,
    /// Every text is JSON: one that is not fails the call.
    Json,
    /// No text is parsed, and a result is one text.
    Text,
}

impl Results {
    /// What configuration can say.
    pub const NAMED: [(&'static str, Results); 2] = [("json", Results::Json), ("text", Results::Text)];

    /// The type of results of a tool without a schema for them.
    pub(crate) fn ty(self) -> Type {
        match self {
            Results::JsonOrText => Type::JsonOrText,
            Results::Json => Type::Any,
            Results::Text => Type::String,
        }
    }
}

/// How a server is reached.
#[non_exhaustive]
#[derive(Clone, PartialEq, Eq)]
pub enum Access {
    /// A command that speaks over its standard input and output.
    Command(CommandLine),
    /// Streamable HTTP or, where a server refuses that, the older transport (SSE) at this address, with these headers.
    Http {
        /// The endpoint.
        url: String,
        /// Names and values of headers, such as `Authorization`.
        headers: Vec<(String, String)>,
    },
}

impl Access {
    /// The name that the protocol has for it: `stdio` or `http`.
    pub(crate) fn transport(&self) -> &'static str {
        match self {
            Access::Command(_) => "stdio",
            Access::Http { .. } => "http",
        }
    }

    /// What no text may quote: these, the keys of its address, and its headers.
    pub(crate) fn secrets(&self, known: AddressSecrets) -> AddressSecrets {
        match self {
            Access::Http { url, headers } => {
                let known = known.and_those_of(url.split('#').next().unwrap_or_default());
                let values = headers.iter().flat_map(|(_, value)| [value.as_str()].into_iter().chain(value.split(' ')));
                values.fold(known, AddressSecrets::and)
            }
            Access::Command(_) => known,
        }
    }
}

/// Headers and addresses hold keys: their values are not shown.
impl fmt::Debug for Access {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Access::Command(line) => f.debug_tuple("Command").field(line).finish(),
            Access::Http { url, headers } => {
                let names: Vec<&str> = headers.iter().map(|(name, _)| name.as_str()).collect();
                // A fragment after `#` means nothing here.
                let place = url.split('#').next().unwrap_or_default();
                f.debug_struct("Http").field("url", &shown_address(place)).field("headers", &names).finish()
            }
        }
    }
}

impl ServerSpec {
    /// A server that is reached in this way.
    pub fn new(name: impl Into<String>, access: Access) -> ServerSpec {
        ServerSpec {
            name: name.into(),
            access,
            allow: None,
            deny: Vec::new(),
            approve: Vec::new(),
            timeout: DEFAULT_TIMEOUT,
            pin: false,
            required: false,
            forwards: false,
            results: Results::default(),
            tool_results: Vec::new(),
            hidden: Vec::new(),
            token: None,
            logins: None,
            oauth: OAuth::default(),
            source: None,
            secrets: Secrets::default(),
            granted: Granted::default(),
        }
    }

    /// A command that speaks over its standard streams.
    pub fn command<A: Into<String>>(
        name: impl Into<String>,
        executable: impl Into<PathBuf>,
        args: impl IntoIterator<Item = A>,
    ) -> ServerSpec {
        let args = args.into_iter().map(Into::into).collect();
        let command = CommandLine { executable: executable.into(), args, folder: None, env: Vec::new() };
        ServerSpec::new(name, Access::Command(command))
    }

    /// A server that answers at `url` by streamable HTTP, or by the older transport (SSE).
    pub fn http(name: impl Into<String>, url: impl Into<String>) -> ServerSpec {
        ServerSpec::new(name, Access::Http { url: url.into(), headers: Vec::new() })
    }

    /// The same server, only with these tools.
    #[must_use]
    pub fn allow<T: Into<String>>(mut self, tools: impl IntoIterator<Item = T>) -> ServerSpec {
        self.allow = Some(tools.into_iter().map(Into::into).collect());
        self
    }

    /// The same server without these tools.
    #[must_use]
    pub fn deny<T: Into<String>>(mut self, tools: impl IntoIterator<Item = T>) -> ServerSpec {
        self.deny = tools.into_iter().map(Into::into).collect();
        self
    }

    /// The same server, where each call of these tools needs approval.
    #[must_use]
    pub fn approve<T: Into<String>>(mut self, tools: impl IntoIterator<Item = T>) -> ServerSpec {
        self.approve = tools.into_iter().map(Into::into).collect();
        self
    }

    /// The same server with this much time for connecting and for each call.
    #[must_use]
    pub fn timeout(mut self, limit: Duration) -> ServerSpec {
        self.timeout = limit;
        self
    }

    /// The same server, without which nothing continues.
    #[must_use]
    pub fn required(mut self) -> ServerSpec {
        self.required = true;
        self
    }

    /// The same server, whose requests during a call are passed on to its [caller](crate::Caller).
    #[must_use]
    pub fn forwards(mut self) -> ServerSpec {
        self.forwards = true;
        self
    }

    /// The same server, where texts in results are read so.
    #[must_use]
    pub fn results(mut self, results: Results) -> ServerSpec {
        self.results = results;
        self
    }

    /// The same server, where texts in results of this tool are read so.
    #[must_use]
    pub fn results_of(mut self, tool: impl Into<String>, results: Results) -> ServerSpec {
        self.tool_results.push((tool.into(), results));
        self
    }

    /// The same server, where models do not see these fields of results, which begin with `_`.
    #[must_use]
    pub fn hidden<F: Into<String>>(mut self, fields: impl IntoIterator<Item = F>) -> ServerSpec {
        self.hidden = fields.into_iter().map(Into::into).collect();
        self
    }

    /// How texts in results of this tool are read.
    pub(crate) fn reads(&self, tool: &str) -> Results {
        let own = self.tool_results.iter().rev().find(|(name, _)| name == tool);
        own.map_or(self.results, |(_, results)| *results)
    }

    /// The name of the tool in programs: letters, digits, `-` and `_` stay, others become `-`.
    pub(crate) fn name_of(&self, tool: &str) -> String {
        let kept = |c: char| if c.is_ascii_alphanumeric() || c == '-' || c == '_' { c } else { '-' };
        format!("{}-{tool}", self.name).chars().map(kept).collect()
    }

    /// The same server, with a token that is read when it is connected.
    #[must_use]
    pub fn token(mut self, token: Token) -> ServerSpec {
        self.token = Some(token);
        self
    }

    /// The same server, with the login that is kept there, if there is one.
    #[must_use]
    pub fn logins(mut self, logins: Logins) -> ServerSpec {
        self.logins = Some(logins);
        self
    }

    /// The same server, configured by this file.
    #[must_use]
    pub fn source(mut self, source: Source) -> ServerSpec {
        self.source = Some(source);
        self
    }

    /// Whether it is configured with a token.
    pub(crate) fn has_token(&self) -> bool {
        self.token.is_some() || matches!(&self.access, Access::Http { headers, .. } if headers.iter().any(is_token))
    }

    /// The command that logs in to it, also elsewhere than where this runs.
    pub(crate) fn login_command(&self, scopes: &str) -> String {
        let file = self.source.as_ref().map(|source| {
            let file = std::path::absolute(&source.file).unwrap_or_else(|_| source.file.clone());
            format!(" --file {}", file.display())
        });
        // A server names them: only words that no shell takes for anything else.
        let is_plain = |scope: &&str| scope.chars().all(|c| c.is_ascii_alphanumeric() || "-_.:/+@".contains(c));
        let scopes = scopes.split_whitespace().filter(is_plain);
        let scopes: String = scopes.map(|scope| format!(" --scope {scope}")).collect();
        format!("ptc mcp login {}{}{scopes}", self.name, file.unwrap_or_default())
    }

    /// A message about the server, without the keys in its address, its headers and what was read for it.
    pub(crate) fn told(&self, problem: &str) -> String {
        self.secrets.get().unwrap_or_else(|| self.access.secrets(AddressSecrets::default())).hidden_in(problem)
    }

    /// Whether programs get this tool.
    pub(crate) fn admits(&self, tool: &str) -> bool {
        let is_in = |list: &[String]| list.iter().any(|known| known == tool);
        self.allow.as_deref().is_none_or(is_in) && !is_in(&self.deny)
    }
}
