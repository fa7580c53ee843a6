//! One error for all that the libraries return.

/// What can go wrong from building an agent to reading its answer, so that `?` is enough in a program that handles all of
/// it alike. Each variant has the error of the library, unchanged.
///
/// ```
/// use ptc_runner::agent::blocking;
/// use ptc_runner::chat::ScriptedLlm;
/// use ptc_runner::{Agent, Error};
///
/// fn ask(program: &str) -> Result<u32, Error> {
///     let agent = Agent::builder("One?").returns::<u32>().max_turns(1).build()?;
///     let step = blocking::run(&agent, &ScriptedLlm::replies([program]), ())?;
///     Ok(step.value()?)
/// }
///
/// assert_eq!(ask("(return 1)")?, 1);
/// assert!(matches!(ask("(fail :none)"), Err(Error::Run(_))));
/// # Ok::<(), Error>(())
/// ```
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// An agent that cannot be built, or a run that cannot start.
    #[error(transparent)]
    Agent(#[from] ptc_agent::AgentError),
    /// A run without an answer, or with one of another type.
    #[error(transparent)]
    Run(#[from] ptc_transcript::RunFailure),
    /// A call of a model.
    #[error(transparent)]
    Llm(#[from] ptc_chat::LlmError),
    /// The name of a model.
    #[cfg(feature = "llm")]
    #[error(transparent)]
    Model(#[from] ptc_llm::LlmSpecError),
    /// A mission file, or the data that it names.
    #[cfg(feature = "config")]
    #[error(transparent)]
    Config(#[from] ptc_config::ConfigError),
    /// A signature.
    #[error(transparent)]
    Signature(#[from] ptc_lisp::signature::SignatureError),
    /// A program of the language alone.
    #[error(transparent)]
    Program(#[from] ptc_lisp::ProgramError),
    /// A value that does not convert, or that a session does not take.
    #[error(transparent)]
    Value(#[from] ptc_lisp::Error),
}
