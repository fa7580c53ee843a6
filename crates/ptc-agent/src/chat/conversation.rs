//! What was said before a later text of the user, for agents that write programs.

use ptc_lisp::Value;
use ptc_lisp::text::{FormatOptions, format_with, shortened_counted};
use ptc_transcript::Step;

/// Characters shown of an answer, of the prints before it, and of a failure.
const MAX_ANSWER: usize = 500;

/// What precedes the texts after a mission. Everything is only appended, so that the text before it stays cached.
const AFTER_MISSION: &str = "The mission above is done, and the user has said more since. What earlier programs defined is still \
                       there. Do now what the user said last.";

/// The same where the mission says who the agent is, rather than what to do first.
const AFTER_ROLE: &str = "The mission above says who you are, and the user talks with you. What your earlier programs defined is \
                          still there. Do now what the user said last.";

/// A conversation with an agent that writes programs: the texts of the user, each with the answer before it. It is the
/// [`follow_up`](crate::RunOptions::follow_up) of a run that continues from the last step.
///
/// The default one has the texts after a mission that was the first of them; [`Conversation::start`] is for a mission that
/// says who the agent is.
///
/// ```
/// use std::sync::Arc;
/// use ptc_agent::{Agent, Conversation, RunOptions};
/// use ptc_chat::ScriptedLlm;
///
/// # tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap().block_on(async {
/// let agent = Agent::builder("You count the stays of a small hotel.").build()?;
/// let llm = Arc::new(ScriptedLlm::replies(["(def long (filter #(> % 2) data/nights))\n(return (count long))", "(return (apply max long))"]));
/// let (options, data) = (RunOptions::new().llm(llm), serde_json::json!({"nights": [1, 4, 7]}));
///
/// let mut conversation = Conversation::start("How many are above two nights?");
/// let step = agent.run_with(data.clone(), options.clone().follow_up(conversation.text())).await?;
/// let said = conversation.say(&step, "And the longest of them?");
/// let step = agent.continue_from(&step, data, options.follow_up(said)).await?;
/// assert_eq!(step.value::<u32>().unwrap(), 7);
/// # Ok::<(), ptc_agent::AgentError>(()) }).unwrap();
/// ```
#[derive(Debug, Clone)]
pub struct Conversation(String);

impl Default for Conversation {
    fn default() -> Self {
        Conversation(AFTER_MISSION.to_owned())
    }
}

impl Conversation {
    /// The first text of the user, where the mission says who the agent is.
    #[must_use]
    pub fn start(text: &str) -> Conversation {
        Conversation(format!("{AFTER_ROLE}\n\nThe user: {}", text.trim()))
    }

    /// All of the conversation so far.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.0
    }

    /// The user says `text` after this step; returns all of the conversation. Of the answer, or of the failure, 500
    /// characters are shown, and as many of what the last program printed, which no request of its run has.
    pub fn say(&mut self, step: &Step, text: &str) -> &str {
        let prints = step.turns().last().map(|turn| turn.prints().join("\n")).unwrap_or_default();
        let printed = Some(prints).filter(|prints| !prints.is_empty()).map(|prints| ("You printed", prints));
        let ended = match &step.result {
            Ok(answer) => ("You returned", shown(answer, step)),
            Err(fail) => ("You failed", fail.to_string()),
        };
        for (what, text) in printed.into_iter().chain([ended]) {
            self.0.push_str(&format!("\n\n{what}: {}", shortened_counted(&text, MAX_ANSWER)));
        }
        self.0.push_str(&format!("\n\nThe user: {}", text.trim()));
        &self.0
    }
}

/// An answer as the model reads it: a text as it is, anything else as programs write it, without hidden entries.
fn shown(answer: &Value, step: &Step) -> String {
    let whole = || format_with(answer, &FormatOptions::full(), step.memory.shown_names()).text;
    answer.as_str().map_or_else(whole, str::to_owned)
}
