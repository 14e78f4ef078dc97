/// What differs besides what is compared, in one sentence; nothing where nothing does.
pub fn with_care(differences: &[String]) -> Option<String> {
    let told = || format!("{}; read the ratios with care", super::list(differences));
    (!differences.is_empty()).then(told)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_differs_besides_is_told_once() {
        assert_eq!(with_care(&[]), None);
        let both = ["the load differs", "the kernel differs"].map(str::to_owned);
        let told = "the load differs and the kernel differs; read the ratios with care";
        assert_eq!(with_care(&both).as_deref(), Some(told));
    }
}
