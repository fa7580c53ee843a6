//! What must not compile. Each example has a twin that differs from it in one name and compiles, so that it cannot fail
//! for another reason.

/// Showing messages is not a separate option: they are shown under `raw`.
///
/// ```
/// let options = ptc_trace::debug::DebugOptions { raw: true, ..Default::default() };
/// ```
///
/// ```compile_fail
/// let options = ptc_trace::debug::DebugOptions { messages: true, ..Default::default() };
/// ```
///
/// Proves: BRK-009, CLN-009, CHG-020.
mod traces_have_no_messages {}

/// No turn keeps the system text.
///
/// ```
/// let options = ptc_trace::debug::DebugOptions { usage: true, ..Default::default() };
/// ```
///
/// ```compile_fail
/// let options = ptc_trace::debug::DebugOptions { system: true, ..Default::default() };
/// ```
///
/// Proves: BRK-009, CLN-010, CHG-020.
mod traces_have_no_system {}
