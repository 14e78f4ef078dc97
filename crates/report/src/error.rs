/// Why an export could not be read.
#[derive(Debug, thiserror::Error)]
pub enum ReportError {
    /// Not JSON, or not of the export's shape.
    #[error("not a run exported by weir: {0}")]
    Json(#[from] serde_json::Error),
    /// An export of another version.
    #[error("the export says schema `{0}`, this weir reads `{SCHEMA}`", SCHEMA = crate::json::SCHEMA)]
    Schema(String),
}

impl ReportError {
    /// What the user should do next.
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::Json(_) => Some("`weir report RUN` writes such an export".to_owned()),
            Self::Schema(_) => Some("read it with the version of weir that wrote it".to_owned()),
        }
    }
}
