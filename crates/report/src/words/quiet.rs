use record::{OtherProgram, Others};

use crate::units;

/// Share of the machine from which other programs are better ended before something is measured.
const LOUD: f64 = 0.02;

/// How quiet the machine is.
pub fn quiet(others: &Others) -> String {
    let whole = units::percent(others.share);
    if others.share < LOUD {
        return format!("The machine is quiet: other programs take {whole} of its CPU time.");
    }
    let each = others.each(OtherProgram::located).into_iter();
    let each = each.map(|(name, seconds)| {
        let share = others.share * seconds / others.seconds;
        format!("{name} {}", units::percent(share))
    });
    let each: Vec<String> = each.collect();
    format!(
        "The machine is not quiet. Other programs take {whole} of its CPU time: {}. End them before you measure, or add \
         `--shared`, which counts trials beside them.",
        each.join(", ")
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_weir_cannot_see_is_told_beside_what_it_can() {
        let others = Others {
            seconds: 1.0,
            share: 0.4,
            programs: vec![OtherProgram {
                name: "cc1".to_owned(),
                seconds: 0.25,
                processes: 1,
                pid: Some(4711),
            }],
            unseen: 0.75,
        };
        let words = ": programs that weir cannot see 30.0 %, `cc1` (PID 4711) 10.0 %. End them";
        assert!(quiet(&others).contains(words), "{}", quiet(&others));
    }
}
