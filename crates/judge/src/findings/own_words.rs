//! What the app's own command is called where a finding names its program.

use record::Knob;

use super::facts::Facts;
use super::rule::Finding;

/// The knob that is a command line in place of the app's own.
const COMMAND: &str = "command";
/// Most characters of a command line that are told.
const LONGEST: usize = 40;

impl Finding {
    /// The same with the command that serves in place of the name of the entry that runs whatever command it is given.
    pub(super) fn in_own_words(mut self, facts: &Facts) -> Self {
        if let Some((entry, command)) = own_command(facts) {
            let (entry, command) = (format!("`{entry}`"), format!("`{command}`"));
            self.because = self.because.replace(&entry, &command);
            self.next = self.next.replace(&entry, &command);
        }
        self
    }
}

/// The app server's entry, and the first words of the command line that it runs; `None` where it is a server by itself, and where the
/// line is none that can be told within a sentence.
fn own_command<'a>(facts: &Facts<'a>) -> Option<(&'a str, String)> {
    let server = facts.app_server()?;
    let mut knobs = server.knobs.iter();
    let given = knobs.find_map(|(name, value)| match value {
        Knob::Text(text) if name == COMMAND => Some(text.as_str()),
        _ => None,
    })?;
    let line = if given.is_empty() {
        facts.app?.entry.as_str()
    } else {
        given
    };
    let is_plain = |of: char| of != '`' && (of == ' ' || of.is_ascii_graphic());
    if line.is_empty() || !line.chars().all(is_plain) {
        return None;
    }
    if line.len() <= LONGEST {
        return Some((&server.entry, line.to_owned()));
    }
    // whole words: a password that is cut in two is not found, and not masked
    let end = line[..=LONGEST].rfind(' ')?;
    Some((&server.entry, format!("{} …", line[..end].trim_end())))
}
