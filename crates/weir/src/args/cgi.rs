//! What app servers are told beside the request.

use clap::Args;
use load::Cgi;

/// Makes sense with fastcgi, scgi and uwsgi URLs only.
#[derive(Debug, Args)]
#[command(next_help_heading = "App servers (FastCGI, SCGI, uwsgi)")]
pub(crate) struct CgiArgs {
    /// Folder in which the path names a script, as PHP-FPM expects: sends `DOCUMENT_ROOT`,
    /// `SCRIPT_FILENAME` and `SCRIPT_NAME` as nginx does
    #[arg(long, value_name = "FOLDER")]
    pub(crate) document_root: Option<String>,
    /// Variable to send, new or in place of weir's own, as nginx's `fastcgi_param`, `scgi_param`
    /// and `uwsgi_param` do; repeatable
    #[arg(long, value_name = "NAME=VALUE", value_parser = param)]
    pub(crate) param: Vec<(String, String)>,
}

impl CgiArgs {
    pub(crate) fn cgi(&self) -> Cgi {
        let root = self.document_root.as_deref();
        Cgi {
            document_root: root.map(|root| root.trim_end_matches('/').to_owned()),
            params: self.param.clone(),
        }
    }
}

fn param(text: &str) -> Result<(String, String), String> {
    let pair = text.split_once('=').filter(|(name, _)| !name.is_empty());
    let (name, value) = pair.ok_or("give a variable as `NAME=value`")?;
    if name == "CONTENT_LENGTH" {
        return Err("the body says how long it is".to_owned());
    }
    Ok((name.to_owned(), value.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_are_read() {
        let pair = |name: &str, value: &str| Ok((name.to_owned(), value.to_owned()));
        assert_eq!(param("HTTPS=on"), pair("HTTPS", "on"));
        assert_eq!(param("A=b=c"), pair("A", "b=c"));
        assert_eq!(param("A="), pair("A", ""));
        for wrong in ["", "A", "=b", "CONTENT_LENGTH=1"] {
            assert!(param(wrong).is_err(), "{wrong}");
        }
    }
}
