//! What must not compile. Each example has a twin that differs from it in one name and compiles, so that it cannot fail
//! for another reason.

/// The task of an agent is its mission.
///
/// ```
/// let agent = ptc_agent::Agent::builder("Count").name("x");
/// ```
///
/// ```compile_fail
/// let agent = ptc_agent::Agent::builder("Count").prompt("x");
/// ```
mod agents_have_no_prompt {}

/// Raw answers are always kept.
///
/// ```
/// let agent = ptc_agent::Agent::builder("Count").thinking(true);
/// ```
///
/// ```compile_fail
/// let agent = ptc_agent::Agent::builder("Count").debug(true);
/// ```
mod agents_have_no_debug {}

/// A recorded turn never changes; its fields can be set until then.
///
/// ```
/// fn change(record: &mut ptc_transcript::TurnFields) {
///     record.number = 2;
/// }
/// ```
///
/// ```compile_fail
/// fn change(record: &mut ptc_transcript::Turn) {
///     record.number = 2;
/// }
/// ```
mod turns_do_not_change {}

/// The contents of a turn are lent for reading only.
///
/// ```
/// fn change(record: &mut ptc_transcript::TurnFields) {
///     let prints: &mut [String] = &mut record.prints;
/// }
/// ```
///
/// ```compile_fail
/// fn change(record: &mut ptc_transcript::Turn) {
///     let prints: &mut [String] = &mut record.prints;
/// }
/// ```
mod what_turns_hold_does_not_change {}
