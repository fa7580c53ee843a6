//! The work of a recorded run by native tool calls instead of programs.

use ptc_chat::{Message, ToolDefinition};
use ptc_compression::Dialogue;
use ptc_compression::native::{provider_name, tool_answer, tool_definition};
use ptc_lisp::{ToolError, ToolRecord, ToolSpec, Value};
use ptc_mission::{PromptFacts, PromptOutput, SystemPrompt, SystemPromptOptions, join_sections};
use ptc_transcript::{Step, ValueForm, json_of, without_hidden};
use serde_json::{Value as Json, json};

use super::rendition::{OwnTexts, Rendition, RenditionError, turns};
use super::sources::{Source, Sources, leaves};

/// How a model that calls tools itself would have done the work of a recorded run.
///
/// The calls, their arguments and their results are those of the run, without those that a cache answered: such a model
/// has read the earlier result. Each request has the default system text for such models, the definitions of all tools as
/// this library sends them, and everything said so far; the last one gets the answer of the run. What the model would
/// have written around its calls, and which of them it would have made together, is not known: these are assumptions.
///
/// ```
/// use ptc_compression::Estimate;
/// use ptc_lisp::{ToolRecord, ToolCall, Effect, Value};
/// use ptc_trace::replay::{Comparison, NativeTools, Rendition};
/// use ptc_transcript::{EndingKind, Step, Turn, TurnFields};
///
/// let call = |seq: u64, room: i64| {
///     let args = Value::map_from([(Value::keyword("room"), Value::Int(room))]);
///     let call = ToolCall { seq, name: "price".into(), args: args.clone(), surface: args };
///     ToolRecord::new(call, &Ok(Value::Int(90)), Effect::Read, Default::default(), 0)
/// };
/// let program = "(return (+ (tool/price {:room 1}) (tool/price {:room 2})))";
/// let fields = TurnFields { tool_calls: vec![call(1, 1), call(2, 2)], ..TurnFields::new(1, program, Value::Int(180)) };
/// let mut step = Step::returned(EndingKind::Return, Value::Int(180));
/// step.turns = Some(vec![Turn::success(fields)]);
///
/// let programs = Rendition::under(&step, "none", &false.into())?;
/// let direct = NativeTools::default().rendition(&step)?;
/// let comparison = Comparison::new(&step, &[programs, direct], &Estimate, None);
/// assert_eq!(comparison.renditions[1].requests.len(), 3);
/// # Ok::<(), ptc_trace::replay::RenditionError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NativeTools {
    /// Whether calls that do not use each other's results share a request; otherwise each has one.
    pub batches: bool,
    /// Words that the model writes before the calls of a request.
    pub words: usize,
    /// Words of its closing text; without a number the answer of the run, a text as it is and anything else as JSON.
    pub answer_words: Option<usize>,
    /// Whether the first message has the data of the run, whole and as JSON. Programs read it instead.
    pub data: bool,
}

impl Default for NativeTools {
    fn default() -> Self {
        NativeTools { batches: false, words: 0, answer_words: None, data: true }
    }
}

impl NativeTools {
    /// The name in tables and on the command line.
    pub const NAME: &'static str = "native-tools";

    /// The run of this step. Cost: linear in its calls and their results; batches also search all texts for each
    /// argument.
    pub fn rendition(&self, step: &Step) -> Result<Rendition, RenditionError> {
        let data = (self.data && !step.data.is_empty())
            .then(|| json_of(&Value::Map(step.data.clone()), ValueForm::Plain))
            .map(|data| format!("Data:\n{}", without_hidden(data, &|name| name.starts_with('_'))));
        self.along(&[(join_sections([Some(step.mission.clone()), data]), step)])
    }

    /// A conversation: what the user said, and the run that followed it. The tools are those of the first run.
    ///
    /// Errors as [`Rendition::under`].
    pub fn along(&self, conversation: &[(String, &Step)]) -> Result<Rendition, RenditionError> {
        let tools = conversation.first().map(|(_, step)| step.tools.as_slice()).unwrap_or_default();
        let definitions = definitions(tools);
        let mut sources = Sources::default();
        sources.read(&definitions);
        let beginning = join_sections([system(), definitions].map(Some));
        let texts = OwnTexts { beginning, answers: Vec::new(), assumptions: self.assumptions() };
        let mut told = Conversation { texts, ..Conversation::default() };
        for (text, step) in conversation {
            told.user(text);
            sources.read(text);
            let calls = turns(step)?.iter().flat_map(|turn| turn.tool_calls()).filter(|call| was_made(call)).collect();
            let requests = if self.batches { independent(calls, &mut sources) } else { one_by_one(calls) };
            requests.iter().for_each(|calls| told.calls(self.words, calls));
            told.answered(self.closing(step));
        }
        Ok(Rendition {
            name: if self.batches { format!("{}, batches", NativeTools::NAME) } else { NativeTools::NAME.to_owned() },
            requests: told.requests,
            stats: None,
            over_ceiling: None,
            own: Some(told.texts),
        })
    }

    fn assumptions(&self) -> Vec<String> {
        let calls = if self.batches {
            "calls that do not use each other's results share a request"
        } else {
            "each call has a request"
        };
        let closing = match self.answer_words {
            None => "the closing text is the answer of the run".to_owned(),
            Some(count) => format!("the closing text has {count} words"),
        };
        let data = if self.data { "the data is in the first message, whole" } else { "the data is not sent" };
        let between = format!("{} words before the calls of a request", self.words);
        vec![calls.to_owned(), between, closing, data.to_owned()]
    }

    fn closing(&self, step: &Step) -> String {
        match (self.answer_words, &step.result) {
            (Some(count), _) => words(count),
            (None, Ok(Value::Nil)) => String::new(),
            (None, Ok(answer)) => match visible(step, answer) {
                Json::String(text) => text,
                json => json.to_string(),
            },
            (None, Err(fail)) => fail.message.clone(),
        }
    }
}

/// The answer of a run without its hidden entries.
fn visible(step: &Step, answer: &Value) -> Json {
    without_hidden(json_of(answer, ValueForm::Plain), &|name| step.memory.shown_names().hides(name))
}

/// The dialogue so far, and the requests of it.
#[derive(Default)]
struct Conversation {
    messages: Vec<Message>,
    requests: Vec<Vec<Message>>,
    texts: OwnTexts,
}

impl Conversation {
    fn user(&mut self, text: &str) {
        self.messages = Dialogue::after(std::mem::take(&mut self.messages), text).messages().to_vec();
    }

    /// A request, what the model writes, and what it gets.
    fn calls(&mut self, count: usize, calls: &[&ToolRecord]) {
        let lines = calls.iter().map(|call| call_text(call));
        let before = Some(words(count)).filter(|text| !text.is_empty());
        let text = before.into_iter().chain(lines).collect::<Vec<_>>().join("\n");
        self.answered(text);
        for (number, call) in calls.iter().enumerate() {
            self.messages.push(Message::tool(number.to_string(), answer_text(call)).repeated());
        }
    }

    fn answered(&mut self, text: String) {
        self.requests.push(self.messages.clone());
        self.messages.push(Message::assistant(text.as_str()).repeated());
        self.texts.answers.push(text);
    }
}

/// The default system text for models that write text. It always exists: only named language texts can be unknown.
fn system() -> String {
    let facts = PromptFacts { output: PromptOutput::Text, multi_turn: true, ..PromptFacts::default() };
    SystemPrompt::render(&SystemPromptOptions::Default, &facts).map(|prompt| prompt.text).unwrap_or_default()
}

/// The tools as they are sent, a line of JSON each.
fn definitions(tools: &[ToolSpec]) -> String {
    let definition = |spec: &ToolSpec| {
        let ToolDefinition { name, description, parameters } = tool_definition(spec);
        json!({"name": name, "description": description, "parameters": parameters}).to_string()
    };
    tools.iter().map(definition).collect::<Vec<_>>().join("\n")
}

/// Each call in a request.
fn one_by_one(calls: Vec<&ToolRecord>) -> Vec<Vec<&ToolRecord>> {
    calls.into_iter().map(|call| vec![call]).collect()
}

/// Calls in their order, those together that do not use what others of the same request return.
fn independent<'c>(calls: Vec<&'c ToolRecord>, sources: &mut Sources) -> Vec<Vec<&'c ToolRecord>> {
    let mut requests: Vec<Vec<&ToolRecord>> = Vec::new();
    for call in calls {
        let args = call.args.to_json().unwrap_or_default();
        let is_unread = |leaf| matches!(sources.of(leaf), Source::Value { .. } | Source::Within { .. });
        let uses_unread = leaves(&args).into_iter().any(is_unread);
        match requests.last_mut().filter(|_| !uses_unread) {
            Some(request) => request.push(call),
            None => {
                requests.last().into_iter().flatten().for_each(|earlier| sources.read(&answer_text(earlier)));
                requests.push(vec![call]);
            }
        }
        sources.returned(call.result.to_json().unwrap_or_default());
    }
    requests.last().into_iter().flatten().for_each(|call| sources.read(&answer_text(call)));
    requests
}

/// Whether the tool was called, and not an earlier answer used again.
fn was_made(call: &ToolRecord) -> bool {
    !call.cached && !call.from_failed_turn
}

/// A call as the model writes it: with the arguments that the program wrote, before they were converted.
fn call_text(call: &ToolRecord) -> String {
    let args = call.surface.to_json().unwrap_or(Json::Null);
    json!({"name": provider_name(&call.name), "arguments": args}).to_string()
}

/// What the model reads about a result: a text as it is, as most hosts send it, which costs less than as JSON.
fn answer_text(call: &ToolRecord) -> String {
    match &call.error {
        Some(error) => tool_answer(&Err(ToolError::new(error.clone())), &call.hidden_fields),
        None => match call.result.to_json() {
            Ok(Json::String(text)) => text,
            _ => tool_answer(&Ok(call.result.clone()), &call.hidden_fields),
        },
    }
}

/// A text of this many words, each of which is a token in usual vocabularies.
fn words(count: usize) -> String {
    vec!["word"; count].join(" ")
}

#[cfg(test)]
mod tests;
