use serde::Deserialize;

/// What an entry's knobs mean to its neighbours, as expressions over the words of its templates, or as what they
/// give. An expression that gives `none` says that there is no such thing with these knobs.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
pub(crate) struct Roles<T = String> {
    /// Requests that one instance works on at once.
    pub(crate) slots: Option<T>,
    /// Connections that may wait to be accepted.
    pub(crate) backlog: Option<T>,
    /// Seconds for which a connection without a request is kept.
    pub(crate) idle: Option<T>,
    /// Seconds after which it gives up a request that it works on.
    pub(crate) gives_up: Option<T>,
    /// A front end's connections to each server behind it, at most.
    pub(crate) upstream_limit: Option<T>,
    /// Seconds for which it keeps a connection to a server behind it that has no request; `none` when it
    /// opens one for each request.
    pub(crate) upstream_idle: Option<T>,
    /// Seconds for which a request waits in the front end's own queue.
    pub(crate) queue_timeout: Option<T>,
}

impl Roles {
    /// Every expression that is there, with its key.
    pub(crate) fn each(&self) -> impl Iterator<Item = (&'static str, &str)> {
        let all = [
            ("roles.slots", &self.slots),
            ("roles.backlog", &self.backlog),
            ("roles.idle", &self.idle),
            ("roles.gives-up", &self.gives_up),
            ("roles.upstream-limit", &self.upstream_limit),
            ("roles.upstream-idle", &self.upstream_idle),
            ("roles.queue-timeout", &self.queue_timeout),
        ];
        all.into_iter()
            .filter_map(|(key, text)| Some((key, text.as_deref()?)))
    }
}
