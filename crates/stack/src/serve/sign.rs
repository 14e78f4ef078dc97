//! The response by which a server shows that it is ready.

use record::Route;

use crate::compose::Composition;

/// A request that is repeated until its response is the right one.
#[derive(Clone, Debug)]
pub(crate) struct Sign {
    pub(crate) route: Route,
    /// Whether any response of the app will do: nobody has logged in yet, so that none of its pages need be right.
    any: bool,
}

impl Sign {
    /// The page that is loaded; of an app with a login the page that asks for it.
    pub(crate) fn of(composition: &Composition) -> Self {
        let login = composition.app.login.as_ref();
        match login.filter(|_| composition.app_server().is_some()) {
            Some(login) => Self {
                route: Route::get(&login.path),
                any: true,
            },
            None => Self {
                route: composition.route.clone(),
                any: false,
            },
        }
    }

    /// Whether a response of this status is it.
    pub(crate) fn shown_by(&self, status: u16) -> bool {
        status == self.route.status || (self.any && status < 500)
    }
}
