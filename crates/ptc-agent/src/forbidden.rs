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
///
/// Proves: BRK-001, CLN-007, CHG-021, CHG-026.
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
///
/// Proves: CLN-008, CHG-022.
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
///
/// Proves: ARC-001, CHG-003, CHG-015.
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
///
/// Proves: ARC-001.
mod what_turns_hold_does_not_change {}

/// Templates are of the type `Template`.
///
/// ```
/// use ptc_mission::Template as _;
/// ```
///
/// ```compile_fail
/// use ptc_mission::Prompt as _;
/// ```
///
/// Proves: CLN-002.
mod templates_are_not_prompts {}

/// A literal template is written `t!`.
///
/// ```
/// let greeting = ptc_mission::t!("Hello");
/// ```
///
/// ```compile_fail
/// let greeting = ptc_mission::prompt!("Hello");
/// ```
///
/// Proves: CLN-003.
mod templates_have_no_macro_prompt {}

/// Missions are of the crate ptc-mission.
///
/// ```
/// use ptc_agent::rules as _;
/// ```
///
/// ```compile_fail
/// use ptc_agent::prompt as _;
/// ```
///
/// Proves: CLN-004.
mod agents_have_no_module_prompt {}

/// So are templates.
///
/// ```
/// use ptc_agent::rules as _;
/// ```
///
/// ```compile_fail
/// use ptc_agent::template as _;
/// ```
///
/// Proves: CLN-005.
mod agents_have_no_module_template {}

/// What models are shown of the language is a `LanguageSpec`.
///
/// ```
/// use ptc_mission::LanguageSpec as _;
/// ```
///
/// ```compile_fail
/// use ptc_mission::Prompts as _;
/// ```
///
/// Proves: CLN-006.
mod there_are_no_prompts {}

/// `t!` checks a template when the program is compiled.
///
/// ```
/// let place = ptc_mission::t!("Room {{room.no}}");
/// ```
///
/// ```compile_fail
/// let place = ptc_mission::t!("Room {{room.no");
/// ```
///
/// Proves: BRK-004.
mod broken_templates_do_not_compile {}
