//! Who a call is made for.

use std::sync::Arc;

use serde_json::Value as Json;

tokio::task_local! {
    static CALLER: Arc<dyn Caller>;
}

/// Who calls of tools are made for, such as the client of a gateway.
pub trait Caller: Send + Sync {
    /// Keep a block of a result that a program sees as a map without its bytes. The text names it, in the field `ref` of
    /// that map.
    fn keep(&self, block: Json) -> String;
}

/// Make a call for somebody: without this, calls are made for nobody.
pub async fn call_for<T>(caller: Arc<dyn Caller>, call: impl Future<Output = T>) -> T {
    CALLER.scope(caller, call).await
}

/// Who the running call is made for.
pub(crate) fn caller() -> Option<Arc<dyn Caller>> {
    CALLER.try_with(Arc::clone).ok()
}
