//! Who is asked: the parts of a model's name that telemetry has attributes for.

use url::{Host, Url};

/// A model's name in parts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ModelParts {
    /// By its name in the conventions, where it has one.
    pub(super) provider: String,
    /// Without the provider or the address.
    pub(super) model: String,
    /// Host and port, when the name has an address.
    pub(super) server: Option<(String, u16)>,
}

impl ModelParts {
    /// Of a name in records: `anthropic:claude-sonnet-4-5`, `http://127.0.0.1:8080/v1#qwen3`, `scripted`. A name
    /// without a provider is its own provider.
    pub(super) fn of(name: &str) -> ModelParts {
        if let Some((address, model)) = name.split_once('#') {
            // These servers have the API of OpenAI.
            return ModelParts { provider: "openai".into(), model: model.into(), server: server(address) };
        }
        let (provider, model) = name.split_once(':').unwrap_or((name, name));
        ModelParts { provider: in_conventions(provider).into(), model: model.into(), server: None }
    }
}

fn server(address: &str) -> Option<(String, u16)> {
    let url = Url::parse(address).ok()?;
    let host = match url.host()? {
        Host::Ipv6(address) => address.to_string(),
        host => host.to_string(),
    };
    Some((host, url.port_or_known_default()?))
}

/// Our name of a provider in the list of the conventions; providers that it does not have keep ours.
fn in_conventions(provider: &str) -> &str {
    match provider {
        "claude" => "anthropic",
        "gemini" | "google" => "gcp.gemini",
        "vertex" => "gcp.vertex_ai",
        "xai" => "x_ai",
        "bedrock_api" | "bedrock_sigv4" => "aws.bedrock",
        "moonshot" => "moonshot_ai",
        "mistral" => "mistral_ai",
        name => name,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(provider: &str, model: &str, server: Option<(&str, u16)>) -> ModelParts {
        let server = server.map(|(host, port)| (host.to_owned(), port));
        ModelParts { provider: provider.into(), model: model.into(), server }
    }

    #[test]
    fn names_have_parts() {
        for (name, expected) in [
            ("anthropic:claude-sonnet-4-5", asked("anthropic", "claude-sonnet-4-5", None)),
            ("google:gemini-2.5-pro", asked("gcp.gemini", "gemini-2.5-pro", None)),
            ("ollama:qwen3:8b", asked("ollama", "qwen3:8b", None)),
            ("openrouter:anthropic/claude-sonnet-4.5", asked("openrouter", "anthropic/claude-sonnet-4.5", None)),
            ("http://127.0.0.1:8080/v1#qwen3", asked("openai", "qwen3", Some(("127.0.0.1", 8080)))),
            ("https://models.example.com/v1#m#2", asked("openai", "m#2", Some(("models.example.com", 443)))),
            ("http://[::1]:81/v1#m", asked("openai", "m", Some(("::1", 81)))),
            ("not an address#m", asked("openai", "m", None)),
            ("scripted", asked("scripted", "scripted", None)),
        ] {
            assert_eq!(ModelParts::of(name), expected, "{name}");
        }
    }
}
