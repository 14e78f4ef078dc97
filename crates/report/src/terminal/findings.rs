use super::paragraph::Page;
use crate::view::Explained;
use crate::view::findings::tell;

/// What `weir explain` prints: every finding about each of these variants.
pub fn findings(of: &[Explained], width: usize) -> String {
    let mut page = Page::new(width);
    tell(&mut page, of);
    page.into_text()
}
