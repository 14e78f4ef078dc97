//! What `weir catalogue` understands.

use std::path::PathBuf;

use clap::{Args, Subcommand};

#[derive(Debug, Args)]
pub(crate) struct CatalogueArgs {
    #[command(subcommand)]
    pub(crate) command: Option<CatalogueCommand>,
    /// Python whose servers are searched [default: as in `weir run`]
    #[arg(long, global = true, value_name = "PATH")]
    pub(crate) python: Option<PathBuf>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum CatalogueCommand {
    /// List entries, or those that match all of these words
    List {
        /// Words to look for: `fastcgi`, `rack`, `maxconn`
        words: Vec<String>,
        /// Print a table in Markdown
        #[arg(long)]
        markdown: bool,
    },
    /// Explain an entry, or the knobs of this name in every entry that has them
    #[command(alias = "show")]
    Explain {
        /// An entry, or a part of knobs' names; with a second name, that knob of the entry
        name: String,
        /// A knob of the entry
        knob: Option<String>,
    },
    /// Search the descriptions of knobs
    Search {
        /// Words that must all match: `queue`, `keep-alive haproxy`
        #[arg(required = true)]
        words: Vec<String>,
    },
    /// Check entries: render each at both ends of every knob, serve a small app with it in every
    /// supported way, and inject faults
    Check(CheckArgs),
}

#[derive(Debug, Args)]
pub(crate) struct CheckArgs {
    /// Entries, or files of entries; all entries when none is named
    #[arg(value_name = "ENTRY|FILE")]
    pub(crate) entries: Vec<String>,
    /// Check the texts only, and serve nothing
    #[arg(long)]
    pub(crate) texts: bool,
    /// Inject faults only: kill it under load, occupy its port, give it an app that does not load
    #[arg(long, conflicts_with = "texts")]
    pub(crate) faults: bool,
    /// Treat an entry that is not installed as a problem
    #[arg(long)]
    pub(crate) all: bool,
    /// Requests per variant
    #[arg(long, default_value_t = 300, value_name = "N")]
    pub(crate) requests: u64,
}
