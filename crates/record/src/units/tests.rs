use super::*;

#[test]
fn numbers_have_three_significant_digits() {
    for (value, text) in [
        (0.0, "0"),
        (-0.0, "0"),
        (0.000_000_12, "1.20e-7"),
        (0.000_999_4, "9.99e-4"),
        (0.000_999_6, "0.00100"),
        (0.012_34, "0.0123"),
        (0.099_96, "0.100"),
        (0.895, "0.895"),
        (0.999_6, "1.00"),
        (1.0, "1.00"),
        (9.994, "9.99"),
        (9.996, "10.0"),
        (11.08, "11.1"),
        (99.96, "100"),
        (420.9, "421"),
        (999.4, "999"),
        (999.6, "1,000"),
        (4_663.0, "4,660"),
        (9_996.0, "10,000"),
        (155_277.58, "155,000"),
        (12_345_678.0, "12,300,000"),
        (-4_663.0, "-4,660"),
        (-0.5, "-0.500"),
        (f64::NAN, "—"),
        (f64::INFINITY, "—"),
    ] {
        assert_eq!(number(value), text, "{value}");
    }
}

#[test]
fn durations_choose_their_unit() {
    for (seconds, text) in [
        (0.0, "0 s"),
        (2e-10, "0.200 ns"),
        (0.000_000_4, "400 ns"),
        (0.000_4, "400 µs"),
        (0.000_999_6, "1.00 ms"),
        (0.226, "226 ms"),
        (0.999_6, "1.00 s"),
        (90.0, "90.0 s"),
        (599.4, "599 s"),
        (600.0, "10.0 min"),
        (7_200.0, "2.00 h"),
        (f64::NAN, "—"),
        (f64::INFINITY, "—"),
    ] {
        assert_eq!(duration(seconds), text, "{seconds}");
    }
}

#[test]
fn round_durations_have_no_idle_digits() {
    for (seconds, text) in [
        (0.02, "20 ms"),
        (1.0, "1 s"),
        (0.2, "200 ms"),
        (2.5, "2.5 s"),
        (0.0, "0 s"),
    ] {
        assert_eq!(round_duration(seconds), text);
    }
    assert_eq!(round_duration(f64::NAN), "—");
}

#[test]
fn sizes_choose_their_unit() {
    for (size, text) in [
        (0.0, "0 B"),
        (194.0, "194 B"),
        (999.6, "1.00 KB"),
        (7_398.0, "7.40 KB"),
        (46_200_000.0, "46.2 MB"),
        (999_600_000.0, "1.00 GB"),
        (2.5e16, "25,000 TB"),
        (f64::NAN, "—"),
    ] {
        assert_eq!(bytes(size), text, "{size}");
    }
}

#[test]
fn ratios_carry_their_interval() {
    assert_eq!(
        ratio_within(1.881, Some((1.806, 1.952))),
        "1.88 × [1.81, 1.95]"
    );
    assert_eq!(
        ratio_within(1.003, Some((0.963, 1.038))),
        "1.00 × [0.96, 1.04]"
    );
    assert_eq!(
        ratio_within(0.9921, Some((0.9774, 1.0404))),
        "0.992 × [0.98, 1.04]"
    );
    assert_eq!(
        number_within(-0.0182, Some((-1.0, 1.0))),
        "-0.0182 [-1.00, 1.00]"
    );
    assert_eq!(
        number_within(0.512, Some((0.001, 12.0))),
        "0.512 [0.00100, 12.0]"
    );
    assert_eq!(number_within(0.512, Some((0.0, 1.5))), "0.512 [0, 1.50]");
    assert_eq!(
        ratio_within(4_663.0, Some((4_500.0, 4_800.0))),
        "4,660 × [4,500, 4,800]"
    );
    assert_eq!(ratio_within(1.081, None), "1.08 ×");
    assert_eq!(
        ratio_within(1.081, Some((f64::NAN, 2.0))),
        "1.08 × [—, 2.00]"
    );
    assert_eq!(ratio(f64::NAN), "—");
    assert_eq!(
        number_within(0.542, Some((0.511, 0.58))),
        "0.542 [0.511, 0.580]"
    );
}

#[test]
fn counts_are_exact_and_shares_are_percentages() {
    assert_eq!(count(0), "0");
    assert_eq!(count(999), "999");
    assert_eq!(count(1_000), "1,000");
    assert_eq!(count(u64::MAX), "18,446,744,073,709,551,615");
    assert_eq!(percent(0.0), "0 %");
    assert_eq!(percent(0.000_123), "0.0123 %");
    assert_eq!(percent(1.0), "100 %");
}
