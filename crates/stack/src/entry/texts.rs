//! Every template and condition of an entry.

use super::{Argument, Entry, OwnTest};

/// A template, or a condition, with the key that it stands under.
pub(super) enum Text<'a> {
    Condition(&'static str, &'a str),
    Template(&'static str, &'a str),
}

use Text::{Condition, Template};

fn templates<'a>(
    place: &'static str,
    texts: impl IntoIterator<Item = &'a String>,
) -> impl Iterator<Item = Text<'a>> {
    texts.into_iter().map(move |text| Template(place, text))
}

fn arguments<'a>(
    place: &'static str,
    list: impl IntoIterator<Item = &'a Argument>,
) -> impl Iterator<Item = Text<'a>> {
    let each = move |argument: &'a Argument| match argument {
        Argument::Always(text) => vec![Template(place, text)],
        Argument::When(some) => std::iter::once(Condition(place, &some.when))
            .chain(templates(place, &some.argv))
            .collect(),
    };
    list.into_iter().flat_map(each)
}

impl Entry {
    pub(super) fn texts(&self) -> Vec<Text<'_>> {
        let mut texts: Vec<_> = arguments("argv", &self.argv).collect();
        for command in &self.prepare {
            texts.push(Condition("prepare", &command.when));
            texts.extend(arguments("prepare", &command.argv));
        }
        texts.extend(arguments("ready", self.ready.iter().flatten()));
        texts.extend(templates("gives", self.gives.values()));
        texts.extend(templates("env", self.env.values()));
        texts.extend(templates("params", self.params.values()));
        for file in &self.files {
            texts.push(Condition("files", &file.when));
            texts.push(Template("files", &file.template));
        }
        if let Some(OwnTest::Command(command)) = &self.check {
            texts.extend(templates("check", command));
        }
        texts.extend(templates("install", self.install.values()));
        texts.extend(templates("find", &self.find.version.argv));
        let asked = self.ask.iter().flat_map(|ask| &ask.argv);
        texts.extend(templates("ask", asked));
        if let Some(counters) = &self.counters {
            texts.push(Condition("counters", &counters.when));
            texts.extend(templates(
                "counters",
                [&counters.at, &counters.get, &counters.send]
                    .into_iter()
                    .flatten(),
            ));
            texts.extend(arguments("counters", counters.run.iter().flatten()));
        }
        if let Some(noted) = &self.noted {
            texts.push(Condition("noted", &noted.when));
            texts.push(Template("noted", &noted.file));
        }
        for need in &self.needs {
            texts.push(Condition("needs", &need.when));
            texts.extend(templates("needs", &need.check));
            texts.push(Template("needs", &need.install));
        }
        let today = self.today.as_ref().and_then(|today| today.command());
        texts.extend(today.map(|text| Template("today", text)));
        texts.extend(self.roles.each().map(|(key, text)| Condition(key, text)));
        for refusal in &self.refuse {
            texts.push(Condition("refuse", &refusal.when));
            texts.extend(templates("refuse", [&refusal.why, &refusal.hint]));
        }
        texts
    }
}
