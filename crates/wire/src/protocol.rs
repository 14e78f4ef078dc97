//! The words for a protocol, and the session that speaks it.

use std::fmt;

use crate::{AtOnce, Protocol, Session};

/// A word of links and URLs, and the port that a URL means when it gives none.
pub(crate) type Scheme = (&'static str, &'static [u16]);

/// What is written of a protocol, wherever it is named.
pub(crate) struct Words {
    pub(crate) name: &'static str,
    pub(crate) title: &'static str,
    /// One at most, bare and inside TLS.
    pub(crate) schemes: [&'static [Scheme]; 2],
    pub(crate) also: &'static [&'static str],
}

/// Makes [`Protocol`] of its table. A row of it is
///
/// ```text
/// Variant: name, title, (scheme, port; session), (scheme, port; session inside TLS), [other words]
/// ```
///
/// The name stands in entries and in what is stored, the title in what people read, a scheme in links and URLs.
/// Where weir does not speak it there is no session, where no link names it there is no scheme.
macro_rules! protocols {
    ($($(#[$note:meta])* $protocol:ident: $name:literal, $title:literal,
        ($($bare:literal $(, $port:literal)? $(; $session:ty)?)?),
        ($($secret:literal, $secret_port:literal; $inside:ty)?),
        [$($also:literal),*];
    )*) => {
        /// What is spoken over a connection.
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
        #[derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
        pub enum Protocol {
            $(
                $(#[$note])*
                #[serde(rename = $name)]
                $(#[serde(alias = $bare)])?
                $(#[serde(alias = $also)])*
                $protocol,
            )*
        }

        impl Protocol {
            /// Every one, in the order of the table.
            pub const ALL: &[Self] = &[$(Self::$protocol),*];

            const fn table(self) -> &'static $crate::protocol::Words {
                match self {
                    $(Self::$protocol => &$crate::protocol::Words {
                        name: $name,
                        title: $title,
                        schemes: [&[$(($bare, &[$($port)?]))?], &[$(($secret, &[$secret_port]))?]],
                        also: &[$($also),*],
                    },)*
                }
            }

            /// Hands the type of its session to the visitor, inside [`Tls`] where that is asked for.
            ///
            /// # Errors
            /// When weir does not speak it as a client, or not inside TLS.
            pub fn dispatch<V: Visitor>(self, tls: bool, visitor: V) -> Result<V::Output, Unspoken> {
                match (self, tls) {
                    $(
                        $($((Self::$protocol, false) => Ok(visitor.visit::<$session>()),)?)?
                        $((Self::$protocol, true) => Ok(visitor.visit::<$inside>()),)?
                    )*
                    _ => Err(Unspoken { protocol: self, tls }),
                }
            }
        }
    };
}
pub(crate) use protocols;

/// What is done with a session of whichever type speaks a protocol.
pub trait Visitor {
    /// What comes of it.
    type Output;

    /// Does it with this type.
    fn visit<S: Session + Send>(self) -> Self::Output;
}

/// weir does not speak this as a client.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unspoken {
    /// The protocol.
    pub protocol: Protocol,
    /// Whether it was to be spoken inside TLS.
    pub tls: bool,
}

impl fmt::Display for Unspoken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let tls = self.tls && self.protocol.is_spoken(false);
        let inside = if tls { " inside TLS" } else { "" };
        write!(f, "weir does not speak {}{inside}", self.protocol.words())
    }
}

impl std::error::Error for Unspoken {}

impl Protocol {
    /// Its name in entries of the catalogue and in what is stored.
    pub fn name(self) -> &'static str {
        self.table().name
    }

    /// The protocol as a person says it.
    pub fn words(self) -> &'static str {
        self.table().title
    }

    /// Its word in links and URLs, bare or inside TLS, if it has one.
    pub fn scheme(self, tls: bool) -> Option<&'static str> {
        self.schemes(tls).map(|(word, _)| *word)
    }

    /// The TCP port that a URL means when it gives none.
    pub fn port(self, tls: bool) -> Option<u16> {
        self.schemes(tls)?.1.first().copied()
    }

    fn schemes(self, tls: bool) -> Option<&'static Scheme> {
        self.table().schemes[usize::from(tls)].first()
    }

    /// What this word means, and whether inside TLS: a name, a scheme, or another word for it.
    pub fn of_word(word: &str) -> Option<(Self, bool)> {
        Self::with_tls().find(|(protocol, tls)| {
            let own = protocol.table();
            let bare = own.name == word || own.also.contains(&word);
            protocol.scheme(*tls) == Some(word) || (!tls && bare)
        })
    }

    /// Each protocol, bare and inside TLS.
    pub fn with_tls() -> impl Iterator<Item = (Self, bool)> {
        let both = |protocol: &Self| [(*protocol, false), (*protocol, true)];
        Self::ALL.iter().flat_map(both)
    }

    /// Whether the server opens the connections, and the front end waits for them; in every other protocol it
    /// is the other way round.
    pub fn dials_in(self) -> bool {
        self == Self::Swiftiply
    }

    /// Whether weir speaks it as a client.
    pub fn is_spoken(self, tls: bool) -> bool {
        self.dispatch(tls, Traits).is_ok()
    }

    /// How requests share a connection.
    pub fn at_once(self) -> AtOnce {
        self.dispatch(false, Traits)
            .map_or(AtOnce::One, |(at_once, _)| at_once)
    }

    /// Whether requests carry CGI variables, which a front end may choose.
    pub fn has_variables(self) -> bool {
        self.dispatch(false, Traits)
            .is_ok_and(|(_, variables)| variables)
    }
}

/// What a session says of itself.
struct Traits;

impl Visitor for Traits {
    type Output = (AtOnce, bool);

    fn visit<S: Session + Send>(self) -> Self::Output {
        (S::AT_ONCE, S::VARIABLES)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_word_means_two_things() {
        for (protocol, tls) in Protocol::with_tls() {
            let own = protocol.table();
            let bare = [&[own.name], own.also].concat();
            let bare = bare.into_iter().filter(|_| !tls);
            for word in bare.chain(protocol.scheme(tls)) {
                assert_eq!(Protocol::of_word(word), Some((protocol, tls)), "`{word}`");
            }
        }
        assert_eq!(Protocol::of_word("ftp"), None);
    }

    #[test]
    fn what_weir_does_not_speak_is_said() {
        let said =
            |protocol: Protocol, tls| protocol.dispatch(tls, Traits).unwrap_err().to_string();
        assert_eq!(
            said(Protocol::Scgi, true),
            "weir does not speak SCGI inside TLS"
        );
        assert_eq!(
            said(Protocol::Swiftiply, true),
            "weir does not speak Swiftiply"
        );
    }
}
