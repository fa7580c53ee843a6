//! Signatures: the types of the inputs and the result of a program, a tool or an agent.
//!
//! ```
//! use ptc_lisp::signature::{Signature, Type};
//!
//! let signature = Signature::parse("(room :int, nights :int) -> {total :float, notes [:string]}")?;
//! assert_eq!(signature.params().len(), 2);
//! assert_eq!(signature.result().plain().to_string(), "{total float, notes [string]}");
//! assert_eq!(signature.result().example(), r#"{:total 3.14, :notes []}"#);
//!
//! assert_eq!(Type::parse("{:string -> :int}")?.example(), r#"{"key" 42}"#);
//!
//! let mistake = Type::parse("{total :number}").unwrap_err();
//! assert_eq!((mistake.line, mistake.column), (1, 8));
//! # Ok::<(), ptc_lisp::signature::SignatureError>(())
//! ```

pub(crate) mod contract;
mod declared;
mod error;
mod example;
mod formats;
mod parse;
mod render;
mod rule;
mod schema;
mod text_form;
mod types;

pub use contract::{
    ExtraFields, Finding, InputChecks, PathStep, coerce, declared_keys, fold_keys, respelled, validate,
};
pub use declared::Signature;
pub use error::SignatureError;
pub use render::Plain;
pub use rule::{Limit, Limits, Measure, Rule};
pub use schema::Enums;
pub(crate) use schema::MAX_DESCRIPTION;
pub(crate) use types::kind_of;
pub use types::{Field, Literal, MAX_NESTING, Type};
