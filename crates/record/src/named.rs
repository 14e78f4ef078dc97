//! Enums whose values have a word each.

/// An enum, every value of it, and a method that tells the word of each.
macro_rules! named {
    ($(#[$about:meta])* pub enum $kind:ident,
    $(#[$tells:meta])* fn $name:ident { $($(#[$doc:meta])* $one:ident = $word:literal,)+ }) => {
        $(#[$about])*
        pub enum $kind {
            $($(#[$doc])* $one,)+
        }

        impl $kind {
            /// Every one of them.
            pub const ALL: [Self; [$($word),+].len()] = [$(Self::$one),+];

            $(#[$tells])*
            pub fn $name(self) -> &'static str {
                match self {
                    $(Self::$one => $word,)+
                }
            }
        }
    };
}
pub(crate) use named;
