//! Headers that say who asks, which are in no file: a variable of the environment has them.

use record::App;

use crate::mask;

/// The variable that has the value of a header; none of a header that is no secret.
pub(super) fn variable(header: &str) -> Option<String> {
    let name = header.to_ascii_uppercase().replace('-', "_");
    mask::is_secret(header).then(|| format!("WEIR_{name}"))
}

/// The app with variables in place of the values of such headers.
pub(super) fn withheld(app: &App) -> App {
    let mut app = app.clone();
    let headers = app.routes.iter_mut().flat_map(|route| &mut route.headers);
    for (name, value) in headers {
        if let Some(variable) = variable(name) {
            *value = format!("${variable}");
        }
    }
    app
}

/// What the user of the files must know of them; none where there are none.
pub(super) fn heed(app: &App) -> Option<String> {
    let headers = app.routes.iter().flat_map(|route| route.headers.keys());
    let mut variables: Vec<String> = headers.filter_map(|name| variable(name)).collect();
    variables.sort();
    variables.dedup();
    (!variables.is_empty()).then(|| {
        let names: Vec<String> = variables.iter().map(|name| format!("${name}")).collect();
        format!(
            "The headers that say who asks are in none of these files: set {} before `app.toml` is read, as by `weir run plan.toml`.",
            record::listed(names)
        )
    })
}
