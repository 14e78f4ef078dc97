use rustls::crypto::ring::ALL_CIPHER_SUITES;
use rustls::{CipherSuite, SupportedCipherSuite};

use super::TlsError;

/// The suites of these names; all of them for none. No alias and no rule of OpenSSL's (`HIGH`, `!RSA`)
/// is one.
pub(super) fn chosen(names: &[String]) -> Result<Vec<SupportedCipherSuite>, TlsError> {
    if names.is_empty() {
        return Ok(ALL_CIPHER_SUITES.to_vec());
    }
    let suite = |name: &String| {
        let mut known = ALL_CIPHER_SUITES.iter();
        let suite = known.find(|suite| {
            let (openssl, iana) = (openssl(suite.suite()), iana(suite.suite()));
            name.eq_ignore_ascii_case(&openssl) || name.eq_ignore_ascii_case(&iana)
        });
        suite.copied().ok_or_else(|| TlsError::Cipher(name.clone()))
    };
    names.iter().map(suite).collect()
}

/// What can be chosen, in OpenSSL's words.
pub(super) fn names() -> String {
    let names = ALL_CIPHER_SUITES.iter();
    let names: Vec<String> = names.map(|suite| openssl(suite.suite())).collect();
    names.join(", ")
}

/// As `TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256`; rustls says `TLS13_` of those of TLS 1.3.
fn iana(suite: CipherSuite) -> String {
    format!("{suite:?}").replace("TLS13_", "TLS_")
}

/// As `ECDHE-RSA-AES128-GCM-SHA256`; those of TLS 1.3 have IANA's names.
fn openssl(suite: CipherSuite) -> String {
    let name = iana(suite);
    let Some((exchange, cipher)) = name.split_once("_WITH_") else {
        return name;
    };
    let cipher = cipher
        .replace("AES_", "AES")
        .replace("POLY1305_SHA256", "POLY1305");
    format!("{exchange}-{cipher}")
        .trim_start_matches("TLS_")
        .replace('_', "-")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn suites_have_openssls_names_and_ianas() {
        let all = [
            "TLS_AES_256_GCM_SHA384",
            "TLS_AES_128_GCM_SHA256",
            "TLS_CHACHA20_POLY1305_SHA256",
            "ECDHE-ECDSA-AES256-GCM-SHA384",
            "ECDHE-ECDSA-AES128-GCM-SHA256",
            "ECDHE-ECDSA-CHACHA20-POLY1305",
            "ECDHE-RSA-AES256-GCM-SHA384",
            "ECDHE-RSA-AES128-GCM-SHA256",
            "ECDHE-RSA-CHACHA20-POLY1305",
        ];
        assert_eq!(names(), all.join(", "));
        let iana = "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256".to_owned();
        assert_eq!(
            chosen(&[iana]),
            chosen(&["ecdhe-rsa-aes128-gcm-sha256".to_owned()])
        );
        assert_eq!(chosen(&[]).map(|all| all.len()), Ok(9));
        for wrong in ["HIGH", "AES128-SHA", ""] {
            let why = chosen(&[wrong.to_owned()]).unwrap_err();
            assert_eq!(why, TlsError::Cipher(wrong.to_owned()));
        }
    }
}
