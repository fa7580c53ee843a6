//! The list of a server's tools, which may change while it is connected.

use std::sync::{Arc, MutexGuard, PoisonError};

use ptc_lisp::ToolNotice;
use rmcp::model::Tool;

use crate::error::McpError;
use crate::server::{Link, Service};

/// The tools that programs get, as the server last listed them.
#[derive(Default)]
pub(crate) struct Listed {
    tools: Arc<[Tool]>,
    /// Whether the server was already asked.
    is_known: bool,
    /// How often the list changed.
    changes: u64,
    /// Whether the server's list may have changed.
    is_stale: bool,
    /// Names that were added or removed since the last report.
    untold: (Vec<String>, Vec<String>),
}

impl Link {
    /// The tools that programs get.
    pub fn tools(&self) -> Arc<[Tool]> {
        self.listed().tools.clone()
    }

    /// How often the list changed.
    pub fn changes(&self) -> u64 {
        self.listed().changes
    }

    /// Whether the server still has this tool, as far as known.
    pub fn offers(&self, tool: &str) -> bool {
        self.listed().tools.iter().any(|known| known.name == tool)
    }

    /// The server has, or may have, another list: it is asked in the background, or by the next call if that comes
    /// first.
    pub fn list_changed(self: &Arc<Link>) {
        let mut listed = self.listed();
        listed.is_stale = true;
        if !listed.is_known {
            // The connecting task is about to ask.
            return;
        }
        drop(listed);
        let link = self.clone();
        self.runtime.spawn(async move {
            // It stays stale, so that the next call asks again.
            let _refused = link.list_again().await;
        });
    }

    /// Ask for the list if it may have changed, unless another task did so meanwhile.
    pub async fn list_again(self: &Arc<Link>) -> Result<(), McpError> {
        let _alone = self.listing.lock().await;
        if !self.listed().is_stale {
            return Ok(());
        }
        let service = self.service().await?;
        self.list_alone(&service, false).await
    }

    /// Ask for the list. `is_first`: the names in `allow`, `deny`, `approve` and `results` must be in it.
    pub async fn list(&self, service: &Service, is_first: bool) -> Result<(), McpError> {
        let _alone = self.listing.lock().await;
        self.list_alone(service, is_first).await
    }

    /// The list stays as it is when the server returns none.
    async fn list_alone(&self, service: &Service, is_first: bool) -> Result<(), McpError> {
        let was_stale = std::mem::take(&mut self.listed().is_stale);
        let listed = self.ask_for_list(service, is_first).await;
        let mut known = self.listed();
        match listed {
            Ok(tools) => {
                let (before, now) = (self.names(&known.tools), self.names(&tools));
                if !is_first {
                    known.untold.0.extend(now.iter().filter(|name| !before.contains(name)).cloned());
                    known.untold.1.extend(before.iter().filter(|name| !now.contains(name)).cloned());
                }
                let differs = *known.tools != *tools;
                (known.tools, known.is_known) = (tools.into(), true);
                known.changes += u64::from(differs);
                Ok(())
            }
            Err(error) => {
                known.is_stale |= was_stale;
                Err(error)
            }
        }
    }

    async fn ask_for_list(&self, service: &Service, is_first: bool) -> Result<Vec<Tool>, McpError> {
        let asked = tokio::time::timeout(self.spec.timeout, service.list_all_tools()).await;
        let tools = asked.map_err(|_| self.too_late())?.map_err(|error| self.refused(&error.to_string()))?;
        if is_first {
            self.knows_all_names(&tools)?;
        }
        self.admitted(tools)
    }

    /// What changed since the last call of this.
    pub fn news(&self) -> Option<ToolNotice> {
        let (added, gone) = std::mem::take(&mut self.listed().untold);
        // What was added and removed again, or the other way round, is unchanged.
        let only = |names: &[String], others: &[String]| -> Vec<String> {
            names.iter().filter(|name| !others.contains(name)).cloned().collect()
        };
        let (added, gone) = (only(&added, &gone), only(&gone, &added));
        (!added.is_empty() || !gone.is_empty()).then_some(ToolNotice::ToolsChanged { added, gone })
    }

    fn names(&self, tools: &[Tool]) -> Vec<String> {
        tools.iter().map(|tool| self.spec.name_of(&tool.name)).collect()
    }

    pub(crate) fn listed(&self) -> MutexGuard<'_, Listed> {
        self.listed.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Listed {
    /// Whether there was a list before, so that a new connection may have another one.
    pub fn may_differ(&mut self) {
        self.is_stale |= self.is_known;
    }
}
