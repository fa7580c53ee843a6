//! Runs for OpenTelemetry: spans by way of the `tracing` crate, and metrics.
//!
//! Names follow the conventions of OpenTelemetry for generative AI; [`conventions`] lists those in use.

mod asked;
#[cfg(feature = "tracing")]
mod content;
pub mod conventions;
#[cfg(feature = "opentelemetry")]
mod metrics;
#[cfg(feature = "tracing")]
mod spans;

#[cfg(feature = "opentelemetry")]
pub use metrics::MetricsObserver;
#[cfg(feature = "tracing")]
pub use spans::TracingObserver;
