//! Django projects: `manage.py` names the settings, and the project's package has `wsgi.py`.

use record::Interface;

use super::missed::Missed;
use super::python::loaded;
use super::{Kind, Recognised, Wish, found, text};
use crate::error::{Result, log};

pub(super) const KIND: Kind = Kind {
    signs: "`manage.py`",
    find,
};

/// What names the settings to Django.
const VARIABLE: &str = "DJANGO_SETTINGS_MODULE";
/// How a file sets it: unless it is set already, or in any case.
const SETS: &str = r#"DJANGO_SETTINGS_MODULE["'](?:,|\]\s*=)\s*["']([\w.]+)["']"#;

fn find(wish: &Wish<'_>, missed: &mut Missed) -> Result<Option<Recognised>> {
    let Some(manage) = text(wish.dir, "manage.py") else {
        return Ok(None);
    };
    let Some(settings) = found(SETS, &manage) else {
        missed.holds_none("`manage.py` names no settings of Django".to_owned());
        return Ok(None);
    };
    let package = settings.split('.').next().unwrap_or(&settings);
    let module = match wish.interface {
        Some(Interface::Asgi) => "asgi",
        _ => "wsgi",
    };
    let places = [
        (
            format!("{package}/{module}.py"),
            format!("{package}.{module}"),
        ),
        (format!("{module}.py"), module.to_owned()),
    ];
    let own = places
        .into_iter()
        .find(|(file, _)| wish.dir.join(file).is_file());
    let written = own.as_ref().map(|(file, _)| {
        let text = text(wish.dir, file).unwrap_or_default();
        (file.as_str(), text)
    });
    let given = std::env::var(VARIABLE).ok().filter(|it| !it.is_empty());
    let (env, clue) = told(given.as_deref(), written, &settings);
    let env: Vec<_> = env.into_iter().collect();
    let mut django = if let Some((_, name)) = &own {
        loaded(wish, &format!("{name}:application"), &env)?
    } else {
        let maker = format!("django.core.{module}:get_{module}_application()");
        let mut made = loaded(wish, &maker, &env)?;
        made.because.push(format!("it has no `{module}.py`"));
        made
    };
    django.because.insert(0, clue);
    Ok(Some(django))
}

/// What tells servers the settings, as it will where the app is deployed: a variable that is `given` to weir, or the
/// file that they load, or else weir, with those that `manage.py` has for the commands of a developer.
fn told(
    given: Option<&str>,
    written: Option<(&str, String)>,
    manages: &str,
) -> (Option<(String, String)>, String) {
    if let Some(given) = given {
        let given = log::as_line(given);
        return (
            None,
            format!("{VARIABLE} in your environment names the settings `{given}`"),
        );
    }
    let named = written.and_then(|(file, text)| Some((file, found(SETS, &text)?)));
    if let Some((file, name)) = named {
        let other = if name == manages {
            String::new()
        } else {
            format!(", as servers take them, and `manage.py` names `{manages}`")
        };
        return (None, format!("`{file}` names the settings `{name}`{other}"));
    }
    let variable = (VARIABLE.to_owned(), manages.to_owned());
    (
        Some(variable),
        format!("`manage.py` names the settings `{manages}`"),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_settings_are_those_with_which_it_is_deployed() {
        let sets = |name: &str| {
            let text = format!("os.environ.setdefault('{VARIABLE}', '{name}')\n");
            Some(("shop/wsgi.py", text))
        };
        let (env, clue) = told(Some("shop.test"), sets("shop.live"), "shop.dev");
        assert_eq!(env, None);
        assert!(clue.contains("in your environment") && clue.contains("`shop.test`"));
        let (env, clue) = told(None, sets("shop.live"), "shop.dev");
        assert_eq!(env, None);
        assert_eq!(
            clue,
            "`shop/wsgi.py` names the settings `shop.live`, as servers take them, and `manage.py` names `shop.dev`"
        );
        let (_, clue) = told(None, sets("shop.dev"), "shop.dev");
        assert_eq!(clue, "`shop/wsgi.py` names the settings `shop.dev`");
        for written in [Some(("wsgi.py", String::new())), None] {
            let (env, clue) = told(None, written, "shop.dev");
            assert_eq!(env, Some((VARIABLE.to_owned(), "shop.dev".to_owned())));
            assert_eq!(clue, "`manage.py` names the settings `shop.dev`");
        }
    }
}
