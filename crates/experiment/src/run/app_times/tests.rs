use super::*;

#[test]
fn an_open_loop_has_the_connections_that_its_rate_needs() {
    let times = |answer| AppTimes {
        answer,
        ..AppTimes::GUESS
    };
    assert_eq!(times(0.001).pool(100.0, 10), 10);
    // 4 x 201 x 0.052 = 41.8 busy
    assert_eq!(times(0.052).pool(201.0, 10), 62);
    assert_eq!(times(10.0).pool(5_000.0, 10), 1_000);
}
