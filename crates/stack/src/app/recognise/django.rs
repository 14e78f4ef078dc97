//! Django projects: `manage.py` names the settings, and the project's package has `wsgi.py`.

use record::Interface;

use super::missed::Missed;
use super::python::loaded;
use super::{Kind, Recognised, Wish, found, text};
use crate::error::Result;

pub(super) const KIND: Kind = Kind {
    signs: "`manage.py`",
    find,
};

fn find(wish: &Wish<'_>, missed: &mut Missed) -> Result<Option<Recognised>> {
    let Some(manage) = text(wish.dir, "manage.py") else {
        return Ok(None);
    };
    let Some(settings) = found(r#"DJANGO_SETTINGS_MODULE["'],\s*["']([\w.]+)["']"#, &manage) else {
        missed.holds_none("`manage.py` names no settings of Django".to_owned());
        return Ok(None);
    };
    let package = settings.split('.').next().unwrap_or(&settings);
    let module = match wish.interface {
        Some(Interface::Asgi) => "asgi",
        _ => "wsgi",
    };
    let own = |path: &str| wish.dir.join(path).join(format!("{module}.py")).is_file();
    let env = [("DJANGO_SETTINGS_MODULE".to_owned(), settings.clone())];
    let mut django = if own(package) {
        loaded(wish, &format!("{package}.{module}:application"), &env)?
    } else if own("") {
        loaded(wish, &format!("{module}:application"), &env)?
    } else {
        let maker = format!("django.core.{module}:get_{module}_application()");
        let mut made = loaded(wish, &maker, &env)?;
        made.because.push(format!("it has no `{module}.py`"));
        made
    };
    let clue = format!("`manage.py` names the settings `{settings}`");
    django.because.insert(0, clue);
    Ok(Some(django))
}
