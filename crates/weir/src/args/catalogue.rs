//! What `weir catalogue` understands.

use std::path::PathBuf;

use clap::{Args, Subcommand};

#[derive(Debug, Args)]
pub(crate) struct CatalogueArgs {
    #[command(subcommand)]
    pub(crate) command: Option<CatalogueCommand>,
    /// The Python whose servers are looked for [default: as `weir run` chooses it]
    #[arg(long, global = true, value_name = "PATH")]
    pub(crate) python: Option<PathBuf>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum CatalogueCommand {
    /// List entries, those with all of these words where words are given
    List {
        /// Words to look for: `fastcgi`, `rack`, `maxconn`
        words: Vec<String>,
        /// Print a table in Markdown
        #[arg(long)]
        markdown: bool,
    },
    /// Say what an entry is, or what knobs of a name do in every entry that has them
    Explain {
        /// An entry, or a part of knobs' names; with a second name, that knob of the entry
        name: String,
        /// A knob of the entry
        knob: Option<String>,
    },
    /// Look for knobs by words in what is said of them
    Search {
        /// Words that must all be there: `queue`, `keep-alive haproxy`
        #[arg(required = true)]
        words: Vec<String>,
    },
    /// Try entries: render each at both ends of every knob, serve a small app in every way it offers, and
    /// let accidents happen to it
    Check(CheckArgs),
}

#[derive(Debug, Args)]
pub(crate) struct CheckArgs {
    /// Entries, or files of entries; all entries when none is named
    #[arg(value_name = "ENTRY|FILE")]
    pub(crate) entries: Vec<String>,
    /// Serve nothing: look at the texts only
    #[arg(long)]
    pub(crate) texts: bool,
    /// Only let accidents happen: kill it under load, take its port, give it an app that does not load
    #[arg(long, conflicts_with = "texts")]
    pub(crate) accidents: bool,
    /// An entry that is not installed is a problem
    #[arg(long)]
    pub(crate) all: bool,
    /// Requests that each way is loaded with
    #[arg(long, default_value_t = 300, value_name = "N")]
    pub(crate) requests: u64,
}
