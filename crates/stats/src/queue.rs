/// Little's law: how many requests are inside a system on average, waiting or served.
///
/// L = lambda W, with the throughput in requests per second and the mean response time in
/// seconds. It holds for every work-conserving or lazy, fair or unfair system, provided that what
/// entered the window also left it. (Little, "A Proof for the Queuing Formula L = lambda W",
/// Operations Research 9, 1961.)
pub fn requests_inside(throughput: f64, mean_response: f64) -> f64 {
    throughput * mean_response
}
