use crate::address;

/// Text with places to fill in: `{{ source }}`, `{{ source.column }}`, `{{ source | filter }}`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Template {
    pieces: Vec<Piece>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Piece {
    Text(String),
    Field(Field),
}

/// Where a value goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Field {
    /// The source's number.
    pub(super) source: usize,
    /// The column's number; 0 for a source of single values.
    pub(super) column: usize,
    filter: Filter,
}

/// How a value is written where it goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Filter {
    /// As it is.
    Raw,
    /// Percent-encoded, for paths, queries and forms.
    Url,
    /// Escaped for the inside of a JSON string.
    Json,
}

/// What is wrong with a template.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Flaw {
    pub(super) problem: String,
    pub(super) hint: String,
}

/// Knows the source and column of a name.
type Find<'a> = &'a dyn Fn(&str) -> Result<(usize, usize), Flaw>;

impl Template {
    /// Text without places, whatever it looks like.
    pub(super) fn of_text(text: &str) -> Self {
        let pieces = match text {
            "" => Vec::new(),
            _ => vec![Piece::Text(text.to_owned())],
        };
        Self { pieces }
    }

    /// Reads a template. Values are written through `filter` where none is named; `find` knows the
    /// source and column of a name.
    pub(super) fn parse(text: &str, filter: Filter, find: Find<'_>) -> Result<Self, Flaw> {
        let mut pieces = Vec::new();
        let mut rest = text;
        while let Some((before, after)) = rest.split_once("{{") {
            let (inside, after) = after.split_once("}}").ok_or_else(|| Flaw {
                problem: format!("`{{{{{}` has no end", excerpt(after)),
                hint: "write `{{ name }}`".into(),
            })?;
            if !before.is_empty() {
                pieces.push(Piece::Text(before.to_owned()));
            }
            pieces.push(Piece::Field(place(inside, filter, find)?));
            rest = after;
        }
        if !rest.is_empty() {
            pieces.push(Piece::Text(rest.to_owned()));
        }
        Ok(Self { pieces })
    }

    /// The same with its fixed text changed.
    pub(super) fn map_text(mut self, change: impl Fn(&str) -> String) -> Self {
        for piece in &mut self.pieces {
            if let Piece::Text(text) = piece {
                *text = change(text);
            }
        }
        self
    }

    /// The text, if there is nothing to fill in.
    pub(super) fn fixed(&self) -> Option<&str> {
        match self.pieces.as_slice() {
            [] => Some(""),
            [Piece::Text(text)] => Some(text),
            _ => None,
        }
    }

    pub(super) fn places(&self) -> impl Iterator<Item = &Field> {
        self.pieces.iter().filter_map(|piece| match piece {
            Piece::Field(place) => Some(place),
            Piece::Text(_) => None,
        })
    }

    /// Fills it in.
    pub(super) fn fill<'v>(&self, value: impl Fn(&Field) -> &'v str) -> String {
        let mut out = String::new();
        for piece in &self.pieces {
            match piece {
                Piece::Text(text) => out.push_str(text),
                Piece::Field(place) => place.filter.write(value(place), &mut out),
            }
        }
        out
    }
}

fn place(inside: &str, default: Filter, find: Find<'_>) -> Result<Field, Flaw> {
    let (name, filter) = match inside.split_once('|') {
        Some((name, filter)) => (name.trim(), Filter::parse(filter.trim())?),
        None => (inside.trim(), default),
    };
    let (source, column) = find(name)?;
    Ok(Field {
        source,
        column,
        filter,
    })
}

impl Filter {
    fn parse(name: &str) -> Result<Self, Flaw> {
        match name {
            "raw" => Ok(Self::Raw),
            "url" => Ok(Self::Url),
            "json" => Ok(Self::Json),
            _ => Err(Flaw {
                problem: format!("there is no filter `{}`", excerpt(name)),
                hint: "the filters are `raw`, `url` and `json`".into(),
            }),
        }
    }

    fn write(self, value: &str, out: &mut String) {
        match self {
            Self::Raw => out.push_str(value),
            Self::Url => out.push_str(&address::value(value)),
            Self::Json => {
                let quoted = serde_json::Value::from(value).to_string();
                out.push_str(&quoted[1..quoted.len() - 1]);
            }
        }
    }
}

fn excerpt(text: &str) -> String {
    text.chars().take(40).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn find(name: &str) -> Result<(usize, usize), Flaw> {
        match name {
            "a" => Ok((0, 0)),
            "u.name" => Ok((1, 2)),
            _ => Err(Flaw {
                problem: format!("unknown {name}"),
                hint: String::new(),
            }),
        }
    }

    fn filled(text: &str, filter: Filter) -> Result<String, Flaw> {
        let template = Template::parse(text, filter, &find)?;
        Ok(template.fill(|place| if place.source == 0 { "1 \"x\"" } else { "Ann" }))
    }

    #[test]
    fn values_are_written_as_their_place_needs() {
        let url = |text| filled(text, Filter::Url).unwrap();
        assert_eq!(url("/i/{{a}}/{{ u.name }}?"), "/i/1%20%22x%22/Ann?");
        assert_eq!(url("{{ a | raw }}{{a|json}}"), "1 \"x\"1 \\\"x\\\"");
        assert_eq!(filled("{{ a }}", Filter::Raw).unwrap(), "1 \"x\"");
        assert_eq!(url("no } place { here }}"), "no } place { here }}");
    }

    #[test]
    fn flaws_are_told() {
        for (text, problem) in [
            ("/{{ a", "`{{ a` has no end"),
            ("/{{ b }}", "unknown b"),
            ("/{{ a | html }}", "there is no filter `html`"),
        ] {
            assert_eq!(filled(text, Filter::Raw).unwrap_err().problem, problem);
        }
    }

    #[test]
    fn what_needs_no_filling_is_known() {
        let parse = |text| Template::parse(text, Filter::Raw, &find).unwrap();
        assert_eq!(parse("").fixed(), Some(""));
        assert_eq!(parse("/x").fixed(), Some("/x"));
        assert_eq!(parse("{{ a }}").fixed(), None);
    }

    proptest::proptest! {
        #[test]
        fn garbage_never_panics(text in ".*") {
            let _ = filled(&text, Filter::Json);
        }
    }
}
