//! Functions of several shapes as one kind of handler.

use std::any::TypeId;
use std::collections::HashMap;
use std::fmt;
use std::sync::{LazyLock, Mutex, PoisonError};

use ptc_lisp::signature::{Enums, Signature};
use ptc_lisp::{BoxFuture, Import, ToolError, ToolResult};
use ptc_transcript::typed_json;
use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::context::ToolContext;

/// A function that can be a tool: sync or async, with or without state, with or without [`ToolContext`]. `M` only
/// distinguishes these.
#[diagnostic::on_unimplemented(
    message = "this function cannot be a tool",
    note = "a tool takes its state, if any, one argument struct (Deserialize + JsonSchema), if any, and a ToolContext, if it wants one; it gives Result<T, E> with T: Serialize + JsonSchema and E: Display"
)]
pub trait Handler<S, M>: Send + Sync + 'static {
    /// The signature from the types, with their comments.
    fn signature() -> Signature;

    /// Run one call with these JSON arguments.
    fn call(&self, state: S, args: serde_json::Value) -> BoxFuture<'static, ToolResult>;
}

/// Marks sync functions.
pub struct SyncKind;
/// Marks async functions.
pub struct AsyncKind;
/// Marks functions that take a [`ToolContext`].
pub struct InContext;

/// Implements [`Handler`] for one shape of function: its mark, its state, its future if async, the type of its
/// arguments if any, its parameters and result, and how it is called.
macro_rules! handler {
    ($mark:ty, [$($state:ident)?] $given:ty, [$($future:ident)?], [$($arg:ident)?] $takes:ty, ($($param:ty),*) -> $gives:ty,
     |$function:ident, $first:pat_param, $args:ident| $call:expr) => {
        impl<$($state,)? F, $($arg,)? $($future,)? T, E> Handler<$given, $mark> for F
        where
            F: Fn($($param),*) -> $gives + Clone + Send + Sync + 'static,
            $($state: Send + 'static,)?
            $($future: Future<Output = Result<T, E>> + Send + 'static,)?
            $($arg: DeserializeOwned + JsonSchema + Send + 'static,)?
            T: Serialize + JsonSchema + Send + 'static,
            E: fmt::Display + Send + 'static,
        {
            fn signature() -> Signature {
                signature_of::<$takes, T>()
            }

            fn call(&self, $first: $given, $args: serde_json::Value) -> BoxFuture<'static, ToolResult> {
                let $function = self.clone();
                Box::pin(async move { $call })
            }
        }
    };
}

handler!((SyncKind, fn() -> (T, E)), [] (), [], [] (), () -> Result<T, E>, |function, (), args| {
    off_thread(move || read::<()>(args).and_then(|()| finished(function()))).await
});
handler!((AsyncKind, fn() -> (R, T, E)), [] (), [R], [] (), () -> R, |function, (), args| {
    read::<()>(args)?;
    finished(function().await)
});
handler!((SyncKind, fn(A) -> (T, E)), [] (), [], [A] A, (A) -> Result<T, E>, |function, (), args| {
    off_thread(move || finished(function(read(args)?))).await
});
handler!((SyncKind, fn(S, A) -> (T, E)), [S] S, [], [A] A, (S, A) -> Result<T, E>, |function, state, args| {
    off_thread(move || finished(function(state, read(args)?))).await
});
handler!((SyncKind, InContext, fn(A) -> (T, E)), [] (), [], [A] A, (A, ToolContext) -> Result<T, E>, |function, (), args| {
    let (context, _open) = ToolContext::guarded();
    off_thread(move || finished(function(read(args)?, context))).await
});
handler!((SyncKind, InContext, fn(S, A) -> (T, E)), [S] S, [], [A] A, (S, A, ToolContext) -> Result<T, E>, |function, state, args| {
    let (context, _open) = ToolContext::guarded();
    off_thread(move || finished(function(state, read(args)?, context))).await
});
handler!((AsyncKind, fn(A) -> (R, T, E)), [] (), [R], [A] A, (A) -> R, |function, (), args| finished(function(read(args)?).await));
handler!((AsyncKind, fn(S, A) -> (R, T, E)), [S] S, [R], [A] A, (S, A) -> R, |function, state, args| {
    finished(function(state, read(args)?).await)
});
handler!((AsyncKind, InContext, fn(A) -> (R, T, E)), [] (), [R], [A] A, (A, ToolContext) -> R, |function, (), args| {
    let (context, _open) = ToolContext::guarded();
    finished(function(read(args)?, context).await)
});
handler!((AsyncKind, InContext, fn(S, A) -> (R, T, E)), [S] S, [R], [A] A, (S, A, ToolContext) -> R, |function, state, args| {
    let (context, _open) = ToolContext::guarded();
    finished(function(state, read(args)?, context).await)
});

/// What the types say, with the comments on them.
fn signature_of<A: JsonSchema + 'static, T: JsonSchema>() -> Signature {
    let args = match (is_unit::<A>(), is_value::<A>()) {
        (true, _) => serde_json::json!({"type": "object", "properties": {}, "additionalProperties": false}),
        (_, true) => {
            let mut schema = schemars::schema_for!(A).to_value();
            let types = schema.as_object_mut().and_then(|schema| schema.remove("$defs"));
            serde_json::json!({"type": "object", "properties": {VALUE: schema}, "required": [VALUE], "$defs": types})
        }
        _ => schemars::schema_for!(A).to_value(),
    };
    Signature::from_json_schemas(Some(args), Some(schemars::schema_for!(T).to_value()), Enums::Keyword)
}

fn read<A: DeserializeOwned + JsonSchema + 'static>(args: serde_json::Value) -> Result<A, ToolError> {
    // A call without arguments brings an empty map, and `()` is read from nothing.
    let args = match args {
        serde_json::Value::Object(fields) if is_unit::<A>() && fields.is_empty() => serde_json::Value::Null,
        serde_json::Value::Object(mut fields) if is_value::<A>() => fields.remove(VALUE).unwrap_or_default(),
        args => args,
    };
    typed_json(args).map_err(|error| ToolError::new(format!("the arguments do not fit: {error}")))
}

fn is_unit<A: 'static>() -> bool {
    TypeId::of::<A>() == TypeId::of::<()>()
}

/// The name of the only parameter of a function that takes no struct.
const VALUE: &str = "value";

/// Whether a type is a text, a number, a list or the like: not fields, which would be parameters.
fn is_value<A: JsonSchema + 'static>() -> bool {
    static KNOWN: LazyLock<Mutex<HashMap<TypeId, bool>>> = LazyLock::new(Mutex::default);
    let find = || {
        let schema = schemars::schema_for!(A).to_value();
        is_of_value(&schema)
    };
    *KNOWN.lock().unwrap_or_else(PoisonError::into_inner).entry(TypeId::of::<A>()).or_insert_with(find)
}

/// Whether values of a schema, or of a case of it, are not objects.
fn is_of_value(schema: &serde_json::Value) -> bool {
    let cases = ["anyOf", "oneOf"].into_iter().filter_map(|key| schema.get(key)?.as_array()).flatten();
    match schema.get("type") {
        Some(serde_json::Value::Array(types)) => types.iter().all(|ty| ty != "object"),
        Some(ty) => ty != "object",
        None => cases.into_iter().any(is_of_value),
    }
}

fn finished<T: Serialize, E: fmt::Display + 'static>(result: Result<T, E>) -> ToolResult {
    let value = result.map_err(|error| ToolError::of(&error))?;
    // It has answered, so it was done.
    let made = Import::counted().serialized(&value);
    made.map_err(|error| ToolError::new(format!("the result cannot be written as JSON: {error}")).may_have_run(true))
}

/// Run work that may block where it blocks nothing else; without a runtime, right here.
async fn off_thread(work: impl FnOnce() -> ToolResult + Send + 'static) -> ToolResult {
    let Ok(runtime) = tokio::runtime::Handle::try_current() else { return work() };
    match runtime.spawn_blocking(work).await {
        Ok(result) => result,
        Err(stopped) => match stopped.try_into_panic() {
            Ok(panic) => std::panic::resume_unwind(panic),
            Err(_) => Err(ToolError::new("the call was cancelled")),
        },
    }
}
