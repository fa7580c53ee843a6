//! An MCP server with an authorization server, for tests: the standard library, and strict about what it is sent.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex, MutexGuard};

use serde_json::{Value as Json, json};
use sha2::{Digest, Sha256};

/// What the server does differently from what a good one does, and what it has seen.
#[derive(Default)]
pub struct State {
    pub has_no_pkce: bool,
    pub registers_nobody: bool,
    pub is_openid: bool,
    /// Clients show their secrets in a header, and not in a form.
    pub takes_only_headers: bool,
    /// It refuses all tokens that it gives.
    pub refuses_tokens: bool,
    pub challenges_only_posts: bool,
    pub issuer: Option<String>,
    pub resource: Option<String>,
    pub authorization_server: Option<String>,
    /// `iss` of redirects.
    pub told_issuer: Option<String>,
    pub gives_secret: bool,
    pub gives_no_refresh_token: bool,
    pub knows_client: Option<(&'static str, &'static str)>,
    /// Seconds that tokens live.
    pub life: Option<u64>,
    /// What the endpoints for tokens answer instead of doing what is asked.
    pub refusal: Option<(&'static str, String)>,
    pub has_revocation: bool,
    /// The token endpoint does not answer yet.
    pub keeps_waiting: bool,
    pub secrets: BTreeMap<String, String>,
    pub codes: BTreeMap<String, BTreeMap<String, String>>,
    /// Scopes by access token.
    pub tokens: BTreeMap<String, String>,
    pub refresh_token: Option<(String, String)>,
    pub used: BTreeSet<String>,
    pub refreshed: usize,
    pub count: usize,
    /// Each request: its first line, and its body.
    pub heard: Vec<(String, String)>,
}

#[derive(Clone)]
pub struct OAuthServer {
    pub base: String,
    state: Arc<Mutex<State>>,
}

struct Request {
    method: String,
    path: String,
    query: BTreeMap<String, String>,
    headers: BTreeMap<String, String>,
    body: String,
}

type Answer = (&'static str, Vec<(&'static str, String)>, String);

impl OAuthServer {
    pub fn start(state: State) -> OAuthServer {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let base = format!("http://{}", listener.local_addr().unwrap());
        let server = OAuthServer { base, state: Arc::new(Mutex::new(state)) };
        let threads = server.clone();
        std::thread::spawn(move || {
            for stream in listener.incoming().map(Result::unwrap) {
                let server = threads.clone();
                std::thread::spawn(move || server.serve(stream));
            }
        });
        server
    }

    pub fn url(&self) -> String {
        format!("{}/mcp", self.base)
    }

    pub fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap()
    }

    /// The requests whose first line begins so.
    pub fn heard(&self, start: &str) -> Vec<(String, String)> {
        self.state().heard.iter().filter(|(line, _)| line.starts_with(start)).cloned().collect()
    }

    /// What a browser does whose user agrees: the address to which it is sent back.
    pub fn agree(address: &str) -> String {
        let (host, target) = address.strip_prefix("http://").unwrap().split_once('/').unwrap();
        let mut stream = TcpStream::connect(host).unwrap();
        write!(stream, "GET /{target} HTTP/1.1\r\nhost: {host}\r\n\r\n").unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        let to = answer.lines().find_map(|line| line.strip_prefix("location: "));
        to.unwrap().to_owned()
    }

    fn serve(&self, stream: TcpStream) {
        let mut reader = BufReader::new(stream.try_clone().unwrap());
        let mut lines = reader.by_ref().lines().map_while(Result::ok).take_while(|line| !line.is_empty());
        let Some(first) = lines.next() else { return };
        let headers: BTreeMap<String, String> =
            lines.filter_map(|line| line.split_once(": ").map(|(n, v)| (n.to_lowercase(), v.to_owned()))).collect();
        let mut body = vec![0; headers.get("content-length").map_or(0, |length| length.parse().unwrap())];
        reader.read_exact(&mut body).unwrap();
        let body = String::from_utf8(body).unwrap();
        let mut words = first.split(' ');
        let (method, target) = (words.next().unwrap().to_owned(), words.next().unwrap().to_owned());
        let (path, query) = target.split_once('?').unwrap_or((&target, ""));
        self.state().heard.push((first.clone(), body.clone()));
        while path == "/token" && self.state().keeps_waiting {
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
        let asked = Request { method, path: path.to_owned(), query: form(query), headers, body };
        let (status, headers, body) = self.answer(&asked);
        let headers: String = headers.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
        let length = body.len();
        let head = format!("HTTP/1.1 {status}\r\n{headers}content-length: {length}\r\nconnection: close\r\n\r\n");
        let mut stream = stream;
        let _gone = stream.write_all(format!("{head}{body}").as_bytes());
    }

    fn answer(&self, asked: &Request) -> Answer {
        let (base, mut state) = (&self.base, self.state());
        let metadata = if state.is_openid { "openid-configuration" } else { "oauth-authorization-server" };
        match (asked.method.as_str(), asked.path.trim_start_matches("/.well-known/")) {
            (_, "/mcp") => mcp(&state, base, asked),
            ("GET", "oauth-protected-resource/mcp") => {
                let resource = state.resource.clone().unwrap_or_else(|| self.url());
                let place = state.authorization_server.as_ref().unwrap_or(base);
                given(&json!({"resource": resource, "authorization_servers": [place], "scopes_supported": ["read"]}))
            }
            ("GET", known) if known == metadata => {
                let mut said = json!({
                    "issuer": state.issuer.as_ref().unwrap_or(base), "authorization_endpoint": format!("{base}/authorize"),
                    "token_endpoint": format!("{base}/token"), "registration_endpoint": format!("{base}/register"),
                    "response_types_supported": ["code"], "code_challenge_methods_supported": ["S256"],
                });
                if state.has_no_pkce {
                    said.as_object_mut().unwrap().remove("code_challenge_methods_supported");
                }
                if state.takes_only_headers {
                    said["token_endpoint_auth_methods_supported"] = json!(["client_secret_basic"]);
                }
                if state.registers_nobody {
                    said.as_object_mut().unwrap().remove("registration_endpoint");
                }
                if state.has_revocation {
                    said["revocation_endpoint"] = json!(format!("{base}/revoke"));
                }
                given(&said)
            }
            ("POST", "/register") => {
                let mut said: Json = serde_json::from_str(&asked.body).unwrap();
                let id = state.next("client");
                said["client_id"] = json!(id);
                if state.gives_secret {
                    let secret = state.next("canary-registered-secret");
                    said["client_secret"] = json!(secret);
                    state.secrets.insert(id, secret);
                }
                ("201 Created", vec![], said.to_string())
            }
            ("GET", "/authorize") => {
                assert_eq!(asked.query["code_challenge_method"], "S256");
                let code = state.next("canary-code");
                let told = [("code", code.clone()), ("state", asked.query["state"].clone())];
                let told = told.into_iter().chain(state.told_issuer.clone().map(|issuer| ("iss", issuer)));
                let told: Vec<String> = told.map(|(name, value)| format!("{name}={value}")).collect();
                let to = format!("{}?{}", asked.query["redirect_uri"], told.join("&"));
                state.codes.insert(code, asked.query.clone());
                ("302 Found", vec![("location", to)], String::new())
            }
            ("POST", "/token") => match state.refusal.clone() {
                Some((status, body)) => (status, vec![], body),
                None => token(&mut state, asked, &self.url()).unwrap_or_else(|why| {
                    ("400 Bad Request", vec![], json!({"error": "invalid_grant", "error_description": why}).to_string())
                }),
            },
            ("POST", "/revoke") => match state.refusal.clone() {
                Some((status, body)) => (status, vec![], body),
                None => {
                    state.tokens.clear();
                    given(&json!({}))
                }
            },
            _ => ("404 Not Found", vec![], String::new()),
        }
    }
}

impl State {
    fn next(&mut self, kind: &str) -> String {
        self.count += 1;
        format!("{kind}-{}", self.count)
    }
}

fn given(said: &Json) -> Answer {
    ("200 OK", vec![("content-type", "application/json".to_owned())], said.to_string())
}

fn token(state: &mut State, asked: &Request, resource: &str) -> Result<Answer, String> {
    let form = form(&asked.body);
    if form["resource"] != *resource {
        return Err("the resource is another one".to_owned());
    }
    let shown = asked.headers.get("authorization").and_then(|value| value.strip_prefix("Basic "));
    let shown = shown.map(|text| text.trim_end_matches('=').replace('+', "-").replace('/', "_"));
    let in_form = form.get("client_id").zip(form.get("client_secret")).filter(|_| !state.takes_only_headers);
    let in_form = in_form.filter(|_| form["grant_type"] == "client_credentials");
    let shown = shown.or_else(|| in_form.map(|(id, secret)| base64_url(format!("{id}:{secret}").as_bytes())));
    let known = state.secrets.iter().map(|(id, secret)| (id.as_str(), secret.as_str())).chain(state.knows_client);
    let known: Vec<String> = known.map(|(id, secret)| base64_url(format!("{id}:{secret}").as_bytes())).collect();
    if !known.is_empty() && !shown.is_some_and(|shown| known.contains(&shown)) {
        return Err("the client shows no secret".to_owned());
    }
    let scope = match form["grant_type"].as_str() {
        "authorization_code" => {
            let code = state.codes.remove(&form["code"]).ok_or(format!("no such code: {}", form["code"]))?;
            let challenge = base64_url(&Sha256::digest(&form["code_verifier"]));
            if challenge != code["code_challenge"] || form["redirect_uri"] != code["redirect_uri"] {
                return Err(format!("another verifier: {}", form["code_verifier"]));
            }
            code.get("scope").cloned().unwrap_or_default()
        }
        "client_credentials" => form.get("scope").cloned().unwrap_or_default(),
        _ => {
            let (known, scope) = state.refresh_token.clone().unwrap_or_default();
            if known != form["refresh_token"] {
                // One that was used before was stolen: the other one is worth nothing, too.
                if state.used.contains(&form["refresh_token"]) {
                    state.refresh_token = None;
                    state.tokens.clear();
                }
                return Err(format!("no such token: {}", form["refresh_token"]));
            }
            state.used.insert(known);
            state.refreshed += 1;
            scope
        }
    };
    let (access, refresh) = (state.next("canary-access"), state.next("canary-refresh"));
    state.tokens.insert(access.clone(), scope.clone());
    state.refresh_token = Some((refresh.clone(), scope.clone()));
    let mut said = json!({"access_token": access, "token_type": "Bearer", "refresh_token": refresh, "scope": scope});
    if state.gives_no_refresh_token {
        said.as_object_mut().unwrap().remove("refresh_token");
    }
    if let Some(life) = state.life {
        said["expires_in"] = json!(life);
    }
    Ok(given(&said))
}

fn mcp(state: &State, base: &str, asked: &Request) -> Answer {
    let token = asked.headers.get("authorization").and_then(|value| value.strip_prefix("Bearer "));
    let place = format!("resource_metadata=\"{base}/.well-known/oauth-protected-resource/mcp\"");
    let Some(scope) = token.and_then(|token| state.tokens.get(token)).filter(|_| !state.refuses_tokens) else {
        let is_told = asked.method == "POST" || !state.challenges_only_posts;
        let challenge = is_told.then(|| ("www-authenticate", format!("Bearer scope=\"read\", {place}")));
        return ("401 Unauthorized", challenge.into_iter().collect(), String::new());
    };
    let said: Json = serde_json::from_str(&asked.body).unwrap_or_default();
    let result = match said["method"].as_str() {
        Some("initialize") => {
            json!({"protocolVersion": "2025-11-25", "capabilities": {"tools": {}}, "serverInfo": {"name": "w", "version": "1"}})
        }
        Some("tools/list") => {
            json!({"tools": [{"name": "read", "inputSchema": {"type": "object"}}, {"name": "write", "inputSchema": {"type": "object"}}]})
        }
        Some("tools/call") if said["params"]["name"] == "write" && !scope.split(' ').any(|scope| scope == "write") => {
            let challenge = format!("Bearer error=\"insufficient_scope\", scope=\"read write\", {place}");
            return ("403 Forbidden", vec![("www-authenticate", challenge)], String::new());
        }
        Some("tools/call") => json!({"content": [{"type": "text", "text": "done"}]}),
        _ if said.get("id").is_none() => return ("202 Accepted", vec![], String::new()),
        _ => return ("404 Not Found", vec![], String::new()),
    };
    given(&json!({"jsonrpc": "2.0", "id": said["id"], "result": result}))
}

fn form(text: &str) -> BTreeMap<String, String> {
    text.split('&')
        .filter_map(|pair| pair.split_once('='))
        .map(|(name, value)| (name.to_owned(), decoded(value)))
        .collect()
}

fn decoded(text: &str) -> String {
    let mut pieces = text.split('%');
    let mut bytes = pieces.next().unwrap().replace('+', " ").into_bytes();
    for piece in pieces {
        bytes.push(u8::from_str_radix(&piece[..2], 16).unwrap());
        bytes.extend(piece[2..].replace('+', " ").bytes());
    }
    String::from_utf8(bytes).unwrap()
}

fn base64_url(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    let bits = bytes.iter().fold(String::new(), |bits, byte| bits + &format!("{byte:08b}"));
    let digit = |six: &[u8]| {
        let six = format!("{:0<6}", std::str::from_utf8(six).unwrap());
        DIGITS[usize::from_str_radix(&six, 2).unwrap()] as char
    };
    bits.as_bytes().chunks(6).map(digit).collect()
}
