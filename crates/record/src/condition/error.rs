/// Why a text is not a condition.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{problem} (column {})", self.column())]
pub struct ExpectError {
    text: String,
    at: usize,
    width: usize,
    problem: String,
    hint: String,
}

impl ExpectError {
    /// `at` and `width` are byte offsets on character boundaries, or the text's end.
    pub fn new(text: &str, at: usize, width: usize, problem: String, hint: String) -> Self {
        Self {
            text: text.to_owned(),
            at,
            width,
            problem,
            hint,
        }
    }

    /// Where it went wrong, counted in characters from 1.
    pub fn column(&self) -> usize {
        self.text[..self.at].chars().count() + 1
    }

    /// The text, and under it carets below what is wrong.
    pub fn pointed(&self) -> String {
        let before = " ".repeat(self.column() - 1);
        let wrong = self.text[self.at..].get(..self.width).unwrap_or_default();
        let carets = "^".repeat(wrong.chars().count().max(1));
        format!("{}\n{before}{carets}", self.text)
    }

    /// What to write instead, under the text with carets.
    pub fn hint(&self) -> Option<String> {
        Some(format!("{}\n{}", self.hint, self.pointed()))
    }
}
