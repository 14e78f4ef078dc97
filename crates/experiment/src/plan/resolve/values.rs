//! Values of a plan that are checked by themselves.

use super::Resolver;
use crate::plan::blocks::Blocks;
use crate::plan::error::PlanError;

impl Resolver<'_> {
    pub(super) fn check_blocks(&self, blocks: Blocks) -> Result<(), PlanError> {
        if let Some((key, problem, hint)) = blocks.flaw() {
            return Err(self.wrong(&format!("blocks{key}"), &problem, hint));
        }
        Ok(())
    }

    /// A name by which every route is asked.
    pub(super) fn host(&self, host: String) -> Result<String, PlanError> {
        let unfit = |c: char| c.is_whitespace() || c.is_control() || c == '/';
        if host.is_empty() || host.contains(unfit) {
            let hint = "write a name alone: `host = \"shop.example\"`";
            return Err(self.wrong("host", "is no name", hint));
        }
        Ok(host)
    }
}
