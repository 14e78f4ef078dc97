/// The value of a header, as it came; of several lines the first.
pub(super) fn value<'a>(fields: &'a [u8], name: &str) -> Option<&'a str> {
    values(fields, name).next()
}

/// The values of all of a header's lines.
pub(super) fn values<'a>(fields: &'a [u8], name: &str) -> impl Iterator<Item = &'a str> {
    fields.split(|&byte| byte == b'\n').filter_map(move |line| {
        let line = std::str::from_utf8(line).ok()?;
        let (key, value) = line.split_once(':')?;
        key.eq_ignore_ascii_case(name).then(|| value.trim())
    })
}
