//! Runs for OpenTelemetry: spans by way of the `tracing` crate, and metrics.
//!
//! Names follow the conventions of OpenTelemetry for generative AI; [`conventions`] lists those in use.

#[cfg(feature = "tracing")]
mod content;
pub mod conventions;
#[cfg(feature = "opentelemetry")]
mod metrics;
mod model_parts;
#[cfg(feature = "tracing")]
mod spans;

use ptc_transcript::FailReason;

#[cfg(feature = "opentelemetry")]
pub use metrics::MetricsObserver;
#[cfg(feature = "tracing")]
pub use spans::TracingObserver;

/// The class of a failure. Reasons that programs make up are all of one class: they are text of a model, may hold
/// hidden values, and have no end.
fn class(reason: &FailReason) -> &str {
    match reason {
        FailReason::Custom(_) => conventions::OTHER_ERROR,
        known => known.as_str(),
    }
}
