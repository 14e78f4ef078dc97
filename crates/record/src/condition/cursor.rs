use super::ExpectError;

/// Reads a text from left to right.
pub struct Cursor<'a> {
    /// The whole text.
    pub text: &'a str,
    /// How far it has been read: a byte offset.
    pub at: usize,
    /// The first number that lacked its unit.
    pub(super) unitless: Option<ExpectError>,
}

impl<'a> Cursor<'a> {
    /// At the text's beginning.
    pub fn new(text: &'a str) -> Self {
        let (at, unitless) = (0, None);
        Self { text, at, unitless }
    }

    /// A number without its unit.
    ///
    /// # Errors
    /// There is none here.
    pub fn number(&mut self) -> Result<f64, ExpectError> {
        let at = self.here();
        self.take(|c| c.is_ascii_digit());
        // the first point of `..` belongs to no number
        let fraction = self.rest().strip_prefix('.');
        if fraction.is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit())) {
            self.at += 1;
            self.take(|c| c.is_ascii_digit());
        }
        self.text[at..self.at].parse().map_err(|_| {
            self.at = at;
            self.expected(
                "a number",
                "numbers read `1.6` or `300`, with their unit: `50ms`, `0.1%`",
            )
        })
    }

    /// Skips spaces and tells where the next thing begins.
    pub fn here(&mut self) -> usize {
        let rest = self.rest();
        self.at += rest.len() - rest.trim_start().len();
        self.at
    }

    /// What has not been read yet.
    pub fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    /// Reads the characters that belong together.
    pub fn take(&mut self, belongs: impl Fn(char) -> bool) -> &'a str {
        let rest = self.rest();
        let length = rest.find(|c| !belongs(c)).unwrap_or(rest.len());
        self.at += length;
        &rest[..length]
    }

    /// Reads a symbol, if it is next.
    pub fn symbol(&mut self, symbol: &str) -> bool {
        self.here();
        let found = self.rest().starts_with(symbol);
        self.at += if found { symbol.len() } else { 0 };
        found
    }

    /// Reads a word, if it is next.
    pub fn word(&mut self, word: &str) -> bool {
        let at = self.here();
        let found = self.take(char::is_alphanumeric) == word;
        if !found {
            self.at = at;
        }
        found
    }

    /// The error of having found something else at the cursor.
    pub fn expected(&self, what: &str, hint: &str) -> ExpectError {
        let rest = self.rest();
        let found = rest.split_whitespace().next().unwrap_or_default();
        let problem = if found.is_empty() {
            format!("expected {what}, found the end")
        } else {
            format!("expected {what}, found `{}`", found.replace('`', "'"))
        };
        ExpectError::new(self.text, self.at, found.len(), problem, hint.to_owned())
    }
}
