use super::*;

#[test]
fn uncertainty_is_the_wider_side_of_the_interval() {
    let of = |value, interval| figure(Metric::Throughput, &Figure { value, interval });
    assert_eq!(of(420.9, None), "421 req/s");
    assert_eq!(of(420.9, Some((410.0, 433.0))), "421 req/s ±3 %");
    assert_eq!(of(420.9, Some((419.0, 422.5))), "421 req/s ±0.5 %");
    assert_eq!(of(420.9, Some((420.9, 420.9))), "421 req/s ±<0.1 %");
    assert_eq!(of(420.9, Some((1.0, 841.0))), "421 req/s ±100 %");
    assert_eq!(of(420.9, Some((1.0, 6_000.0))), "421 req/s ±>100 %");
    let none = Figure {
        value: 0.0,
        interval: Some((0.0, 0.0)),
    };
    assert_eq!(figure(Metric::Errors, &none), "0 %");
    let broken = Figure {
        value: f64::NAN,
        interval: Some((f64::NAN, 1.0)),
    };
    assert_eq!(figure(Metric::Mean, &broken), "—");
}
