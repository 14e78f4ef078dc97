use std::borrow::Cow;
use std::fmt::{self, Write as _};
use std::ops::Deref;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Bytes that are mostly text: a body. Serialised as a string where they are UTF-8, else as
/// `{ "base64": "…" }` (RFC 4648, section 4).
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Bytes(pub Vec<u8>);

#[derive(JsonSchema, Serialize, Deserialize)]
#[serde(untagged)]
enum Form {
    Text(String),
    Binary { base64: String },
}

impl Bytes {
    /// What base64 (RFC 4648, section 4, padded) says; `None` if it is not that.
    pub fn from_base64(text: &str) -> Option<Self> {
        STANDARD.decode(text).ok().map(Self)
    }
}

impl Deref for Bytes {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.0
    }
}

impl From<&str> for Bytes {
    fn from(text: &str) -> Self {
        Self(text.into())
    }
}

impl fmt::Debug for Bytes {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "b\"{}\"", self.escape_ascii())
    }
}

impl Serialize for Bytes {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let form = match std::str::from_utf8(self) {
            Ok(text) => Form::Text(text.to_owned()),
            Err(_) => Form::Binary {
                base64: STANDARD.encode(&self.0),
            },
        };
        form.serialize(serializer)
    }
}

impl schemars::JsonSchema for Bytes {
    fn schema_name() -> Cow<'static, str> {
        "Bytes".into()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        Form::json_schema(generator)
    }
}

impl<'de> Deserialize<'de> for Bytes {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match Form::deserialize(deserializer)? {
            Form::Text(text) => Ok(Self(text.into())),
            Form::Binary { base64 } => {
                Self::from_base64(&base64).ok_or_else(|| serde::de::Error::custom("not base64"))
            }
        }
    }
}

/// Bytes in hexadecimal, two small digits each.
pub fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}"); // a String takes everything
        text
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_byte_has_two_digits() {
        assert_eq!(hexadecimal(&[0x00, 0x0a, 0xff]), "000aff");
    }

    #[test]
    fn bytes_come_back_from_json_as_they_were() {
        for (bytes, json) in [
            (Bytes::default(), r#""""#),
            (Bytes::from("a=1&b=ü"), r#""a=1&b=ü""#),
            (Bytes(vec![0x82, 0xa6, 0]), r#"{"base64":"gqYA"}"#),
        ] {
            assert_eq!(serde_json::to_string(&bytes).unwrap(), json);
            assert_eq!(serde_json::from_str::<Bytes>(json).unwrap(), bytes);
        }
        assert!(serde_json::from_str::<Bytes>(r#"{"base64":"?"}"#).is_err());
    }
}
