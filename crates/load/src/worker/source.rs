//! What a worker asks next.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng as _, SeedableRng as _};
use wire::{Ask, Session, Unsendable};

use crate::flight::{Method, Which};
use crate::traffic::{Request, RequestStream, Traffic, What, borrowed};
use crate::{Cgi, Job};

/// A request made ready, to be sent many times.
#[derive(Debug)]
pub(crate) struct Ready<R> {
    pub(crate) request: R,
    method: Method,
}

/// Makes requests ready for a protocol.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Maker<'a> {
    host: &'a str,
    keep_alive: bool,
    cgi: &'a Cgi,
}

impl<'a> Maker<'a> {
    pub(crate) fn new(job: &'a Job) -> Self {
        Self {
            host: &job.host,
            keep_alive: job.load.keep_alive,
            cgi: &job.cgi,
        }
    }

    pub(crate) fn ready<S: Session>(
        &self,
        request: &Request,
    ) -> Result<Ready<S::Request>, Unsendable> {
        let headers = borrowed(&request.headers);
        let params = borrowed(&self.cgi.params);
        let made = S::prepare(&Ask {
            method: &request.method,
            path: &request.path,
            host: self.host,
            headers: &headers,
            body: &request.body,
            keep_alive: self.keep_alive,
            cgi: wire::Cgi {
                document_root: self.cgi.document_root.as_deref(),
                params: &params,
            },
        })?;
        Ok(Ready {
            request: made,
            method: Method::of(request.method.as_bytes()),
        })
    }
}

/// Where one worker's requests come from.
pub(crate) struct Source<'a, S: Session> {
    ready: &'a [Ready<S::Request>],
    maker: Maker<'a>,
    kind: Kind,
}

enum Kind {
    One,
    /// Sums of weights up to each part, and their random numbers.
    Mix(Vec<f64>, Box<ChaCha8Rng>),
    RequestStream(Box<dyn RequestStream>),
}

impl<'a, S: Session> Source<'a, S> {
    /// # Errors
    /// In words, when the source has no stream for this worker.
    pub(crate) fn new(
        traffic: &Traffic,
        maker: Maker<'a>,
        ready: &'a [Ready<S::Request>],
        worker: usize,
        workers: usize,
        slots: usize,
    ) -> Result<Self, String> {
        let kind = match traffic {
            Traffic::Mix(parts) if parts.len() == 1 => Kind::One,
            Traffic::Mix(parts) => {
                let sums = parts.iter().scan(0.0, |sum, part| {
                    *sum += part.weight;
                    Some(*sum)
                });
                let random = ChaCha8Rng::seed_from_u64(worker as u64);
                Kind::Mix(sums.collect(), Box::new(random))
            }
            Traffic::Made(source) => Kind::RequestStream(source.stream(worker, workers, slots)?),
        };
        Ok(Self { ready, maker, kind })
    }

    #[inline]
    pub(crate) fn stream(&mut self) -> Option<&mut dyn RequestStream> {
        match &mut self.kind {
            Kind::RequestStream(stream) => Some(stream.as_mut()),
            Kind::One | Kind::Mix(..) => None,
        }
    }

    /// Whether there will be no request any more.
    #[inline]
    pub(crate) fn is_over(&self) -> bool {
        matches!(&self.kind, Kind::RequestStream(stream) if stream.is_over())
    }

    /// The next of a mix: which one, the numbers of its name and of what is expected.
    #[inline]
    pub(crate) fn pick(&mut self) -> (Which, u32, u32) {
        let number = match &mut self.kind {
            Kind::Mix(sums, random) => draw(sums, random),
            Kind::One | Kind::RequestStream(_) => 0,
        };
        (Which::Prepared(number), number, number)
    }

    #[inline]
    pub(crate) fn prepared(&self, number: u32) -> &'a S::Request {
        &self.ready[number as usize].request
    }

    #[inline]
    pub(crate) fn method(&self, which: Which) -> Method {
        match which {
            Which::Prepared(number) => self.ready[number as usize].method,
            Which::Made(method) => method,
        }
    }

    /// Makes ready what a stream asks, if it is not.
    pub(crate) fn make(&self, what: What) -> Result<(Which, Option<S::Request>), String> {
        match what {
            What::Prepared(number) if (number as usize) < self.ready.len() => {
                Ok((Which::Prepared(number), None))
            }
            What::Prepared(number) => Err(format!("there is no prepared request {number}")),
            What::Request(request) => {
                let made = self.maker.ready::<S>(&request);
                let made = made.map_err(|why| why.to_string())?;
                Ok((Which::Made(made.method), Some(made.request)))
            }
            What::Verbatim(bytes) => {
                let method = bytes.split(|byte| *byte == b' ').next();
                let method = Method::of(method.unwrap_or_default());
                let made = S::verbatim(&bytes).ok_or("this protocol has no requests as text")?;
                Ok((Which::Made(method), Some(made)))
            }
        }
    }
}

fn draw(sums: &[f64], random: &mut ChaCha8Rng) -> u32 {
    let whole = sums.last().copied().unwrap_or(0.0);
    // The upper 53 bits are a fraction of 1 that f64 holds exactly.
    let fraction = (random.next_u64() >> 11) as f64 / (1_u64 << 53) as f64;
    sums.partition_point(|sum| *sum <= fraction * whole) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_drawn_as_often_as_their_weights_say() {
        let mut random = ChaCha8Rng::seed_from_u64(7);
        let mut drawn = [0_u32; 3];
        for _ in 0..60_000 {
            drawn[draw(&[1.0, 3.0, 6.0], &mut random) as usize] += 1;
        }
        for (count, wanted) in drawn.iter().zip([10_000, 20_000, 30_000]) {
            assert!(count.abs_diff(wanted) < 500, "{drawn:?}");
        }
    }
}
