use insta::assert_snapshot;

use super::{Place, Target};

/// What a name means when these variables are set, or why it is invalid.
fn check_with(spec: &str, variables: &[(&str, &str)]) -> String {
    let environment =
        |name: &str| variables.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned());
    match Target::parse(spec, None, &environment) {
        Err(error) => error.to_string(),
        Ok(target) => show(&target),
    }
}

fn show(target: &Target) -> String {
    let Target { adapter, model, place } = target;
    match place {
        Place::Provider { key, base: None } => format!("{adapter} {model} key {key:?}"),
        Place::Provider { key, base: Some(url) } | Place::Server { url, key, .. } => {
            format!("{adapter} {model} at {url} key {key:?} local {}", target.is_local())
        }
    }
}

fn check(spec: &str) -> String {
    check_with(spec, &[])
}

#[test]
fn servers() {
    assert_snapshot!(check("http://127.0.0.1:8080/v1#qwen3"), @"OpenAI qwen3 at http://127.0.0.1:8080/v1/chat/completions key None local true");
    assert_snapshot!(check(" https://llm.example.org/v1/?version=2#org/model:7b "), @"OpenAI org/model:7b at https://llm.example.org/v1/chat/completions?version=2 key None local false");
    assert_snapshot!(check("http://[::1]:8080#m"), @"OpenAI m at http://[::1]:8080/chat/completions key None local true");
    assert_snapshot!(check_with("https://llm.example.org/v1#m", &[("PTC_LLM_KEY", "k"), ("OPENAI_API_KEY", "never")]), @r#"OpenAI m at https://llm.example.org/v1/chat/completions key Some("k") local false"#);
}

#[test]
fn ollama_follows_its_own_variable() {
    assert_snapshot!(check("ollama:qwen3:0.6b"), @"OpenAI qwen3:0.6b at http://localhost:11434/v1/chat/completions key None local true");
    assert_snapshot!(check_with("ollama:qwen3", &[("OLLAMA_HOST", "0.0.0.0")]), @"OpenAI qwen3 at http://127.0.0.1:11434/v1/chat/completions key None local true");
    assert_snapshot!(check_with("ollama:qwen3", &[("OLLAMA_HOST", "box:9000")]), @"OpenAI qwen3 at http://box:9000/v1/chat/completions key None local false");
    assert_snapshot!(check_with("ollama:qwen3", &[("OLLAMA_HOST", "https://ollama.example.org/")]), @"OpenAI qwen3 at https://ollama.example.org/v1/chat/completions key None local false");
}

#[test]
fn providers_take_the_key_from_their_variable() {
    assert_snapshot!(check_with("openai:gpt-5-mini", &[("OPENAI_API_KEY", "k1")]), @r#"OpenAI gpt-5-mini key Some("k1")"#);
    assert_snapshot!(check_with("Anthropic:claude-sonnet-4-5", &[("ANTHROPIC_API_KEY", "k2")]), @r#"Anthropic claude-sonnet-4-5 key Some("k2")"#);
    assert_snapshot!(check_with("gemini:gemini-2.5-pro", &[("GOOGLE_API_KEY", "k3")]), @r#"Gemini gemini-2.5-pro key Some("k3")"#);
    assert_snapshot!(check_with("groq:llama", &[("GROQ_API_KEY", "k4")]), @r#"Groq llama key Some("k4")"#);
    assert_snapshot!(check_with("openrouter:anthropic/claude", &[("OPENROUTER_API_KEY", "k5")]), @r#"OpenRouter anthropic/claude key Some("k5")"#);
    assert_snapshot!(check_with("open-router:x", &[("OPEN_ROUTER_API_KEY", "k6")]), @r#"OpenRouter x key Some("k6")"#);
}

#[test]
fn mistakes_say_what_to_write() {
    assert_snapshot!(check("qwen3"), @"`qwen3` does not name a model: it names no provider; write `URL#MODEL` such as `http://127.0.0.1:8080/v1#qwen3`, or `provider:MODEL` such as `ollama:qwen3`");
    assert_snapshot!(check("openai: "), @"`openai:` does not name a model: no model follows the colon; write `URL#MODEL` such as `http://127.0.0.1:8080/v1#qwen3`, or `provider:MODEL` such as `ollama:qwen3`");
    assert_snapshot!(check("http://127.0.0.1:8080/v1"), @"`http://127.0.0.1:8080/v1` does not name a model: no `#MODEL` follows the URL; write `URL#MODEL` such as `http://127.0.0.1:8080/v1#qwen3`, or `provider:MODEL` such as `ollama:qwen3`");
    assert_snapshot!(check("http://127.0.0.1:8080/v1#"), @"`http://127.0.0.1:8080/v1#` does not name a model: no model follows the `#`; write `URL#MODEL` such as `http://127.0.0.1:8080/v1#qwen3`, or `provider:MODEL` such as `ollama:qwen3`");
    assert_snapshot!(check("http://127.0.0.1:99999/v1#m"), @"`http://127.0.0.1:99999/v1` is not a usable URL: invalid port number; write `URL#MODEL` such as `http://127.0.0.1:8080/v1#qwen3`, or `provider:MODEL` such as `ollama:qwen3`");
    assert_snapshot!(check("anthropic:claude"), @"`anthropic` needs an API key: set the environment variable ANTHROPIC_API_KEY");
    let unknown = check("opneai:gpt");
    assert!(unknown.starts_with("`opneai` is not a known provider; known are aihubmix"), "{unknown}");
    assert!(["openai", "openrouter", "ollama"].iter().all(|name| unknown.contains(name)), "{unknown}");
}

#[test]
fn an_address_of_ones_own_replaces_every_other() {
    let at = |spec: &str, base: &str| {
        let moved = Target::parse(spec, Some("k"), &|_| None).unwrap().at(base);
        moved.map_or_else(|error| error.to_string(), |target| show(&target))
    };
    assert_snapshot!(at("anthropic:claude", "https://gateway.example.org/anthropic/v1"), @r#"Anthropic claude at https://gateway.example.org/anthropic/v1/ key Some("k") local false"#);
    assert_snapshot!(at("gemini:gemini-2.5-pro", "http://127.0.0.1:9/v1beta/"), @r#"Gemini gemini-2.5-pro at http://127.0.0.1:9/v1beta/ key Some("k") local true"#);
    assert_snapshot!(at("ollama:qwen3", "http://box:11434/v1"), @r#"OpenAI qwen3 at http://box:11434/v1/chat/completions key Some("k") local false"#);
    assert_snapshot!(at("openai:gpt-5-mini", "gateway"), @"`gateway` is not a usable URL: relative URL without a base; write `URL#MODEL` such as `http://127.0.0.1:8080/v1#qwen3`, or `provider:MODEL` such as `ollama:qwen3`");
}
