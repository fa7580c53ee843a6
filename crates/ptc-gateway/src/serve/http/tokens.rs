//! Tokens: which clients may use a gateway over HTTP.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::{fmt, fs, io};

use hyper::HeaderMap;
use hyper::header;
use ptc_config::{ConfigError, read_text};

use crate::code::{same, sha256};

/// Characters of a token: a shorter one might be guessed.
const LEAST: usize = 16;

/// How a token is made, for those who need one.
const MAKE_ONE: &str = "make one with `openssl rand -hex 32`";

/// The clients that may use a gateway over HTTP, by the tokens that they send as `Authorization: Bearer TOKEN`.
#[derive(Clone)]
pub struct Tokens {
    path: PathBuf,
    clients: Vec<Client>,
}

#[derive(Clone)]
struct Client {
    name: String,
    /// Of its token.
    digest: String,
}

/// Why a file of tokens cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TokensError {
    /// It cannot be read.
    #[error(transparent)]
    File(#[from] ConfigError),
    /// A line has another shape. The line may be a token, so it is not shown.
    #[error("{}:{line}: {problem}: write `NAME: TOKEN`; {MAKE_ONE}", .path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// What is wrong with it.
        problem: String,
    },
    /// It has no token, so that nothing could use the gateway.
    #[error("{} has no token: write a line `NAME: TOKEN` for each client; {MAKE_ONE}", .0.display())]
    Empty(PathBuf),
}

impl Tokens {
    /// Read a file with a line `NAME: TOKEN` for each client, or `TOKEN` alone; empty lines and those that begin with `#`
    /// are left out. A name may have several tokens, so that one can replace another.
    pub fn load(path: impl AsRef<Path>) -> Result<Tokens, TokensError> {
        let path = path.as_ref();
        Tokens::from_text(path, &read_text(path)?)
    }

    /// Read `text` as if it were the file `path`.
    ///
    /// ```
    /// use ptc_gateway::Tokens;
    ///
    /// let tokens = Tokens::from_text("tokens", "# of the team\nci: 5f1c0d2e9a7b6c53aa02\n5f1c0d2e9a7b6c53aa03\n")?;
    /// assert_eq!(tokens.names(), ["ci", "the client of line 3"]);
    ///
    /// let mistake = Tokens::from_text("tokens", "ci: hunter2\n").err().unwrap().to_string();
    /// assert!(mistake.starts_with("tokens:1: a token has at least 16 characters"));
    /// # Ok::<(), ptc_gateway::TokensError>(())
    /// ```
    pub fn from_text(path: impl AsRef<Path>, text: &str) -> Result<Tokens, TokensError> {
        let path = path.as_ref().to_owned();
        let mut clients: Vec<Client> = Vec::new();
        for (line, text) in (1..).zip(text.lines()) {
            let text = text.trim();
            if text.is_empty() || text.starts_with('#') {
                continue;
            }
            let refused = |problem: &str| TokensError::Line { path: path.clone(), line, problem: problem.to_owned() };
            let (name, token) = match text.rsplit_once(':') {
                Some((name, token)) => (name.trim().to_owned(), token.trim()),
                None => (format!("the client of line {line}"), text),
            };
            if let Some(problem) = problem_of(&name, token) {
                return Err(refused(problem));
            }
            let digest = sha256(token);
            if clients.iter().any(|client| client.digest == digest) {
                return Err(refused("this token is in an earlier line, too"));
            }
            clients.push(Client { name: ptc_lisp::text::one_line(&name), digest });
        }
        if clients.is_empty() { Err(TokensError::Empty(path)) } else { Ok(Tokens { path, clients }) }
    }

    /// The names of the clients, in the order of the file.
    #[must_use]
    pub fn names(&self) -> Vec<&str> {
        self.clients.iter().map(|client| client.name.as_str()).collect()
    }

    /// Whether other users of this machine can read the file.
    #[must_use]
    pub fn is_exposed(&self) -> bool {
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            fs::metadata(&self.path).is_ok_and(|file| file.permissions().mode() & 0o077 != 0)
        }
        #[cfg(not(unix))]
        {
            let _access_lists_decide = fs::metadata(&self.path);
            false
        }
    }

    /// The client that sends these headers. All tokens are compared, each in constant time.
    pub(super) fn client(&self, headers: &HeaderMap) -> Option<&str> {
        let mut given = headers.get_all(header::AUTHORIZATION).iter();
        let (Some(given), None) = (given.next(), given.next()) else { return None };
        let (scheme, token) = given.to_str().ok()?.split_once(' ')?;
        if !scheme.eq_ignore_ascii_case("bearer") {
            return None;
        }
        let digest = sha256(token.trim());
        let known = |found: Option<usize>, (at, client): (usize, &Client)| {
            if same(&client.digest, &digest) { Some(at) } else { found }
        };
        let found = self.clients.iter().enumerate().fold(None, known)?;
        self.clients.get(found).map(|client| client.name.as_str())
    }
}

/// What is wrong with a line of the file.
fn problem_of(name: &str, token: &str) -> Option<&'static str> {
    // The characters that the header may have (RFC 6750).
    let may_send = |c: char| c.is_ascii_alphanumeric() || "-._~+/=".contains(c);
    match () {
        () if name.is_empty() => Some("there is no name before the colon"),
        () if !token.chars().all(may_send) => Some("a token has letters, digits and -._~+/= only"),
        () if token.len() < LEAST => Some("a token has at least 16 characters"),
        () => None,
    }
}

/// Tokens are secrets, and digests of weak ones lead to them.
impl fmt::Debug for Tokens {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tokens").field("path", &self.path).field("names", &self.names()).finish()
    }
}

/// Whether a gateway may be served at this address: where other machines reach it, only with tokens.
pub fn check_http_address(address: SocketAddr, has_tokens: bool) -> io::Result<()> {
    if address.ip().to_canonical().is_loopback() || has_tokens {
        return Ok(());
    }
    let problem = format!(
        "other machines can reach {address}, and any client there could run programs: write `--token-file FILE`, with a \
         line `NAME: TOKEN` for each client, or an address of this machine such as 127.0.0.1:{}",
        address.port()
    );
    Err(io::Error::new(io::ErrorKind::InvalidInput, problem))
}

#[cfg(test)]
mod tests;
