//! Every template and condition of an entry.

use super::{Argument, Entry};

/// A template, or a condition.
pub(super) struct Text<'a> {
    /// The key that it stands under.
    pub(super) place: &'static str,
    pub(super) written: &'a str,
    pub(super) condition: bool,
}

fn condition<'a>(place: &'static str, text: &'a str) -> Text<'a> {
    Text {
        place,
        written: text,
        condition: true,
    }
}

fn template<'a>(place: &'static str, text: &'a str) -> Text<'a> {
    Text {
        place,
        written: text,
        condition: false,
    }
}

fn templates<'a>(
    place: &'static str,
    texts: impl IntoIterator<Item = &'a String>,
) -> impl Iterator<Item = Text<'a>> {
    texts.into_iter().map(move |text| template(place, text))
}

fn arguments<'a>(
    place: &'static str,
    list: impl IntoIterator<Item = &'a Argument>,
) -> impl Iterator<Item = Text<'a>> {
    let each = move |argument: &'a Argument| match argument {
        Argument::Always(text) => vec![template(place, text)],
        Argument::When(some) => std::iter::once(condition(place, &some.when))
            .chain(templates(place, &some.argv))
            .collect(),
    };
    list.into_iter().flat_map(each)
}

impl Entry {
    pub(super) fn texts(&self) -> Vec<Text<'_>> {
        let mut texts: Vec<_> = arguments("argv", &self.argv).collect();
        for command in &self.prepare {
            texts.push(condition("prepare", &command.when));
            texts.extend(arguments("prepare", &command.argv));
        }
        texts.extend(arguments("ready", self.ready.iter().flatten()));
        texts.extend(templates("gives", self.gives.values()));
        texts.extend(templates("env", self.env.values()));
        let files = self.files.iter().map(|file| &file.template);
        texts.extend(templates("files", files));
        texts.extend(templates("check", self.check.iter().flatten()));
        texts.extend(templates("install", self.install.values()));
        texts.extend(templates("find", &self.find.version.argv));
        let asked = self.ask.iter().flat_map(|ask| &ask.argv);
        texts.extend(templates("ask", asked));
        if let Some(counters) = &self.counters {
            texts.push(condition("counters", &counters.when));
            texts.push(template("counters", &counters.at));
            texts.push(template("counters", counters.asked()));
        }
        for need in &self.needs {
            texts.push(condition("needs", &need.when));
            texts.extend(templates("needs", &need.check));
            texts.push(template("needs", &need.install));
        }
        let today = self.today.as_ref().and_then(|today| today.command());
        texts.extend(today.map(|text| template("today", text)));
        texts.extend(self.roles.each().map(|(key, text)| condition(key, text)));
        for refusal in &self.refuse {
            texts.push(condition("refuse", &refusal.when));
            texts.extend(templates("refuse", [&refusal.why, &refusal.hint]));
        }
        texts
    }
}
