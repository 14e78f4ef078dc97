use serde::Deserialize;

/// One text, or several, in what is written by hand: `"a"` or `["a", "b"]`.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged, expecting = "expected a text, or a list of texts")]
pub enum Texts {
    /// `"a"`.
    One(String),
    /// `["a", "b"]`.
    Several(Vec<String>),
}

impl Default for Texts {
    /// None.
    fn default() -> Self {
        Self::Several(Vec::new())
    }
}

impl Texts {
    /// All of them.
    pub fn all(&self) -> &[String] {
        match self {
            Self::One(text) => std::slice::from_ref(text),
            Self::Several(texts) => texts,
        }
    }
}
