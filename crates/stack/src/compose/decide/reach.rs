//! How a program is reached: in what its caller speaks, it offers, and the plan asks for.

use record::Link;

use super::Deciding;
use crate::entry::{
    Entry, Kind, Offers, Spoken,
    offers::{common, for_clients, or_none, ways, words},
};
use crate::error::{Result, StackError};

impl Deciding<'_> {
    /// The first way in which the program listens, its caller speaks, and the plan asks for; who can dial in to its
    /// caller does so.
    pub(super) fn spoken(
        &self,
        entry: &Entry,
        asked: Link,
        listens: &Offers,
        caller: Option<&Entry>,
    ) -> Result<Spoken> {
        let offers = match caller {
            None => for_clients(listens),
            Some(caller) => common(listens, &caller.speaks),
        };
        let calls = |way: &Spoken| !way.protocol.dials_in();
        let Some(spoken) = ways(&offers, asked).min_by_key(calls) else {
            return Err(self.no_way(entry, asked, listens, &offers, caller));
        };
        let secret = caller.is_none() && entry.tls.has(spoken.protocol, spoken.transport);
        if !asked.tls || secret {
            return Ok(spoken);
        }
        let (name, tls) = (&entry.name, false);
        let bare = Spoken { tls, ..spoken }.words();
        Err(match caller {
            Some(caller) => self.refuse(
                format!(
                    "`{}` does not speak TLS to the server behind it",
                    caller.name
                ),
                "give the `link` of the front end that clients speak to, as in `link = \"https\"`",
            ),
            None => self.refuse(
                format!("`{name}` does not speak {bare} inside TLS"),
                "put a front end before it, with `link = \"https\"`",
            ),
        })
    }

    fn no_way(
        &self,
        entry: &Entry,
        asked: Link,
        listens: &Offers,
        offers: &Offers,
        caller: Option<&Entry>,
    ) -> StackError {
        let dials = |offers: &Offers| offers.keys().any(|protocol| protocol.dials_in());
        let wants_to_dial = match asked.protocol {
            Some(protocol) => protocol.dials_in(),
            None => dials(listens) && for_clients(listens).is_empty(),
        };
        if wants_to_dial && dials(listens) {
            return self.nobody_to_dial(entry, listens, caller);
        }
        let wish = match asked.to_string() {
            link if link.is_empty() => String::new(),
            link => format!(", and the plan asks for `{link}`"),
        };
        let (name, listens) = (&entry.name, words(listens));
        let Some(caller) = caller else {
            let offers = words(offers);
            return self.refuse(
                format!("`{name}` listens to {offers}{wish}"),
                format!("choose a `link` of these: {offers}"),
            );
        };
        let (front, speaks) = (&caller.name, words(&caller.speaks));
        self.refuse(
            format!("`{name}` listens to {listens}; `{front}` speaks {speaks}{wish}"),
            if offers.is_empty() {
                "they have nothing in common: choose another front end or app server".to_owned()
            } else {
                format!("they have in common: {}", words(offers))
            },
        )
    }

    /// A server that opens the connections itself needs a front end that waits for them.
    fn nobody_to_dial(
        &self,
        entry: &Entry,
        listens: &Offers,
        caller: Option<&Entry>,
    ) -> StackError {
        let fronts = self.catalogue.entries().filter(|other| {
            let both = common(listens, &other.speaks);
            other.kind == Kind::FrontEnd && both.keys().any(|protocol| protocol.dials_in())
        });
        let fronts: Vec<_> = fronts.map(|front| front.name.as_str()).collect();
        let name = &entry.name;
        let why = match caller {
            Some(caller) => format!("`{}` cannot be dialled, and `{name}` dials in", caller.name),
            None => format!("`{name}` dials in to a front end, and there is none"),
        };
        let hint = format!("front ends that can be dialled: {}", or_none(&fronts));
        self.refuse(why, hint)
    }
}
