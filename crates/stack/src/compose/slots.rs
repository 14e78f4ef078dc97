use crate::compose::composition::Composition;
use crate::compose::render::meaning;
use crate::error::Result;

/// Requests that the app server of a stack works on at once, its instances together. `None` where nothing bounds
/// them, where its entry does not say, and where no app server is.
///
/// # Errors
/// A role of an entry that does not evaluate.
pub fn slots(composition: &Composition) -> Result<Option<f64>> {
    let Some(server) = composition.app_server() else {
        return Ok(None);
    };
    let of_each = meaning(composition, server)?.slots;
    Ok(of_each.map(|slots| slots * f64::from(server.instances)))
}
