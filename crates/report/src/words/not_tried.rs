use record::NotTried;

/// `waitress-4, granian-2: no time for them in a budget of 40 s (`--all` tries them too)`.
pub(crate) fn not_tried(of: &NotTried) -> String {
    let how = of.how.as_ref().map(|how| format!(" ({how})"));
    format!("{}: {}{}", of.listed(), of.why, how.unwrap_or_default())
}
