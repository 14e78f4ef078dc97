//! Values of a plan that are checked by themselves.

use record::limits;

use super::Resolver;
use crate::plan::error::PlanError;

impl Resolver<'_> {
    pub(super) fn check_blocks(&self, blocks: u32) -> Result<(), PlanError> {
        if blocks == 0 {
            let hint = "4 blocks are the fewest that give an interval";
            return Err(self.wrong("blocks", "must be at least 1", hint));
        }
        if blocks > limits::BLOCKS {
            let problem = format!("must be at most {}", limits::BLOCKS);
            return Err(self.wrong(
                "blocks",
                &problem,
                "write `blocks = 6`, or 20 for narrow intervals",
            ));
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
