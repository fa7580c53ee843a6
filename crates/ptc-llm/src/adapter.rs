//! What is done for each provider: one row each, and one for servers that are named by their address.
//!
//! An adapter without a row does not compile: [`Adapter::of`] matches every kind that the `genai` crate has.

#[cfg(test)]
mod tests;

use genai::adapter::AdapterKind;

/// What is done for a provider.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Adapter {
    /// Names besides that of the adapter; the first is the one that is shown.
    pub(crate) names: &'static [&'static str],
    /// A variable with the key besides that of the adapter, as the provider's own tools call it.
    pub(crate) key: Option<&'static str>,
    /// Whether requests and answers have the shape of OpenAI's chat completions, so that fields of that shape can be
    /// replaced and read.
    pub(crate) chat_completions: bool,
    pub(crate) caching: Caching,
    /// Whether a request without marks must say that it has none on purpose: the adapter would otherwise ask newer models
    /// to cache nothing at all.
    pub(crate) says_unmarked: bool,
    pub(crate) effort: Effort,
    pub(crate) schema: Schema,
    /// The models whose schema does not apply to calls of tools as well. Others refuse a request with both, or let the model write
    /// nothing but the answer.
    pub(crate) schema_with_tools: Models,
    /// Whether thoughts are asked for without an effort; some providers refuse that for a model that does not think.
    pub(crate) asks_for_thoughts: bool,
    /// Whether thoughts go back as text with the calls after them.
    pub(crate) thoughts_back: bool,
    /// Whether a seed may be sent.
    pub(crate) seed: bool,
    /// Whether an answer that the model left empty may be repeated in the history.
    pub(crate) empty_answers: bool,
    /// Whether the name of a model is the one that the provider has, also when it ends like an effort.
    pub(crate) whole_names: bool,
    pub(crate) grammar: Grammar,
}

/// How a provider learns which part of a request is repeated.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Caching {
    /// It finds out.
    Automatic,
    /// From marks on messages, for these models; for others it finds out.
    Marks(Models),
    /// From marks that the adapter cannot write, so that the field `messages` is replaced; for these models.
    Field(Models),
}

/// How much a model should think, in the terms of its provider.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Effort {
    /// By a name.
    Name,
    /// As a budget of tokens for these models, by a name for others. `zero`: whether not to think is a budget, too.
    Budget { models: Models, zero: bool },
}

/// Which schemas of an answer are sent as they are; the decoding of others would change what they allow.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Schema {
    /// All.
    Any,
    /// Those whose objects are closed.
    Closed,
    /// Those whose objects are closed and whose fields are all required.
    Strict,
}

/// What is known about decoding by a grammar.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Grammar {
    /// The provider takes none: asking with one is an error.
    Never,
    /// An address does not say which server is there: it is sent in the fields of llama.cpp and of vLLM, and other servers ignore it.
    Sent,
}

/// Some models of a provider.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Models {
    None,
    All,
    /// Those whose name contains one of the first texts and none of the second.
    Named(&'static [&'static str], &'static [&'static str]),
    /// OpenAI's from this version on.
    Gpt(u32, u32),
}

const CLAUDE: Models = Models::Named(&["claude"], &[]);

/// A provider with the format of chat completions about which no more is known: nothing is sent that it could refuse.
const CHAT: Adapter = Adapter {
    names: &[],
    key: None,
    chat_completions: true,
    caching: Caching::Automatic,
    says_unmarked: false,
    effort: Effort::Name,
    schema: Schema::Strict,
    schema_with_tools: Models::None,
    asks_for_thoughts: true,
    thoughts_back: false,
    seed: true,
    empty_answers: true,
    whole_names: false,
    grammar: Grammar::Never,
};

/// A provider with another format.
const OTHER: Adapter = Adapter { chat_completions: false, ..CHAT };

/// A server that is named by its address.
pub(crate) const SERVER: Adapter = Adapter { says_unmarked: true, whole_names: true, grammar: Grammar::Sent, ..CHAT };

/// Ollama on this or another machine, which ignores a grammar.
pub(crate) const OLLAMA: Adapter = Adapter { grammar: Grammar::Never, ..SERVER };

const OPENAI: Adapter = Adapter {
    caching: Caching::Marks(Models::Gpt(5, 6)),
    says_unmarked: true,
    schema_with_tools: Models::All,
    whole_names: true,
    ..CHAT
};

const OPENAI_RESPONSES: Adapter =
    Adapter { schema_with_tools: Models::All, asks_for_thoughts: false, seed: false, ..OTHER };

const ANTHROPIC: Adapter = Adapter {
    names: &["anthropic", "claude"],
    caching: Caching::Marks(Models::All),
    // Later models take a name.
    effort: Effort::Budget {
        models: Models::Named(
            &["claude-3-7", "claude-haiku-4", "claude-sonnet-4", "claude-opus-4"],
            &["sonnet-4-6", "opus-4-5", "opus-4-6", "opus-4-7", "opus-4-8", "opus-4-9"],
        ),
        zero: false,
    },
    schema: Schema::Closed,
    schema_with_tools: Models::All,
    seed: false,
    empty_answers: false,
    ..OTHER
};

const GEMINI: Adapter = Adapter {
    names: &["gemini", "google"],
    key: Some("GOOGLE_API_KEY"),
    effort: Effort::Budget { models: Models::Named(&["gemini-2.5"], &[]), zero: true },
    schema: Schema::Any,
    schema_with_tools: Models::Named(&["gemini-3"], &[]),
    asks_for_thoughts: false,
    empty_answers: false,
    ..OTHER
};

const GEMINI_INTERACTIONS: Adapter =
    Adapter { names: &[], effort: Effort::Name, schema_with_tools: Models::None, ..GEMINI };

const VERTEX: Adapter =
    Adapter { caching: Caching::Marks(CLAUDE), asks_for_thoughts: false, empty_answers: false, ..OTHER };

const OPEN_ROUTER: Adapter = Adapter {
    names: &["openrouter"],
    key: Some("OPENROUTER_API_KEY"),
    caching: Caching::Field(CLAUDE),
    whole_names: true,
    ..CHAT
};

/// Providers that want the thoughts before a call back with it.
const THOUGHTFUL: Adapter = Adapter { thoughts_back: true, ..CHAT };

/// Providers that have models with a name like `qwen3-max`.
const WHOLE_NAMES: Adapter = Adapter { whole_names: true, ..CHAT };

impl Adapter {
    /// The row of an adapter.
    pub(crate) const fn of(kind: AdapterKind) -> &'static Adapter {
        match kind {
            AdapterKind::OpenAI => &OPENAI,
            AdapterKind::OpenAIResp => &OPENAI_RESPONSES,
            AdapterKind::Gemini => &GEMINI,
            AdapterKind::GeminiIx => &GEMINI_INTERACTIONS,
            AdapterKind::Anthropic => &ANTHROPIC,
            AdapterKind::Vertex => &VERTEX,
            AdapterKind::OpenRouter => &OPEN_ROUTER,
            AdapterKind::DeepSeek | AdapterKind::Kimi | AdapterKind::Moonshot => &THOUGHTFUL,
            AdapterKind::Requesty | AdapterKind::Aliyun | AdapterKind::QwenCloud => &WHOLE_NAMES,
            AdapterKind::BedrockApi
            | AdapterKind::Cohere
            | AdapterKind::GithubCopilot
            | AdapterKind::Ollama
            | AdapterKind::OllamaCloud
            | AdapterKind::OpenCodeGo => &OTHER,
            AdapterKind::Fireworks
            | AdapterKind::Together
            | AdapterKind::Groq
            | AdapterKind::Aihubmix
            | AdapterKind::Mimo
            | AdapterKind::Nebius
            | AdapterKind::Xai
            | AdapterKind::Mistral
            | AdapterKind::Zai
            | AdapterKind::BigModel
            | AdapterKind::Baidu
            | AdapterKind::Omlx
            | AdapterKind::AtlasCloud
            | AdapterKind::ApiRoute
            | AdapterKind::Heabsy
            | AdapterKind::Runcrate
            | AdapterKind::CloudGpu
            | AdapterKind::MiniMax
            | AdapterKind::Custom(_) => &CHAT,
        }
    }

    /// The adapter that a user names, in lower case with `_`.
    pub(crate) fn named(name: &str) -> Option<AdapterKind> {
        let also = AdapterKind::all().iter().find(|kind| Adapter::of(**kind).names.contains(&name));
        also.copied().or_else(|| AdapterKind::from_lower_str(name))
    }

    /// The name under which an adapter is shown.
    pub(crate) fn name(kind: AdapterKind) -> &'static str {
        Adapter::of(kind).names.first().copied().unwrap_or_else(|| kind.as_lower_str())
    }
}

impl Effort {
    /// The terms for one model.
    pub(crate) fn of(self, model: &str) -> Effort {
        match self {
            Effort::Budget { models, .. } if models.include(model) => self,
            _ => Effort::Name,
        }
    }
}

impl Models {
    /// Whether a model is one of them.
    pub(crate) fn include(self, model: &str) -> bool {
        let has = |parts: &[&str]| parts.iter().any(|part| model.contains(part));
        match self {
            Models::None => false,
            Models::All => true,
            Models::Named(parts, except) => has(parts) && !has(except),
            Models::Gpt(major, minor) => version(model).is_some_and(|version| version >= (major, minor)),
        }
    }
}

/// The version of one of OpenAI's models: `gpt-5.6-mini` has 5 and 6.
fn version(model: &str) -> Option<(u32, u32)> {
    let mut numbers = model.strip_prefix("gpt-")?.split('-').next().unwrap_or_default().split('.');
    let major = numbers.next()?.parse().ok()?;
    Some((major, numbers.next().map_or(Some(0), |minor| minor.parse().ok())?))
}
