use std::sync::Arc;

use load::{Asked, Request, RequestStream, What};
use rand::SeedableRng as _;
use rand::distr::Distribution as _;
use rand::distr::weighted::WeightedIndex;
use rand_chacha::ChaCha8Rng;

use super::source::{Cursor, Drawn};
use super::{Form, Inner, Templated};

/// One thread's draws from a mix.
pub(super) struct MixStream {
    mix: Arc<Inner>,
    random: ChaCha8Rng,
    choice: WeightedIndex<f64>,
    /// One per source.
    cursors: Vec<Cursor>,
}

impl MixStream {
    pub(super) fn new(mix: Arc<Inner>, worker: usize, workers: usize) -> Result<Self, String> {
        let mut random = ChaCha8Rng::seed_from_u64(mix.seed);
        random.set_stream(worker as u64);
        let weights = mix.parts.iter().map(|part| part.weight);
        let choice = WeightedIndex::new(weights).map_err(|error| error.to_string())?;
        let sources = mix.sources.iter().enumerate();
        let cursors = sources
            .map(|(number, source)| {
                source.cursor(mix.seed.wrapping_add(number as u64), worker, workers)
            })
            .collect();
        Ok(Self {
            mix,
            random,
            choice,
            cursors,
        })
    }
}

impl RequestStream for MixStream {
    fn begin(&mut self, _connection: usize, _due: u64) -> Result<Asked, String> {
        let number = self.choice.sample(&mut self.random);
        let mix = Arc::clone(&self.mix);
        let what = match &mix.parts[number].form {
            Form::Fixed(number) => What::Prepared(*number),
            Form::Templated(template) => What::Request(Box::new(self.fill(&mix, template))),
        };
        Ok(Asked {
            what,
            name: number as u32,
            expected: number as u32,
            delay: 0,
        })
    }
}

impl MixStream {
    fn fill(&mut self, mix: &Inner, template: &Templated) -> Request {
        let sources = template.draws.iter();
        let drawn: Vec<(usize, Drawn<'_>)> = sources
            .map(|&source| {
                let cursor = &mut self.cursors[source];
                let kind = &mix.sources[source].kind;
                (source, kind.draw(cursor, &mut self.random))
            })
            .collect();
        let value = |place: &super::template::Field| {
            let of = drawn.iter().find(|(source, _)| *source == place.source);
            of.map_or("", |(_, drawn)| drawn.column(place.column))
        };
        let headers = template.headers.iter();
        Request {
            method: template.method.clone(),
            path: template.path.fill(value),
            headers: headers
                .map(|(name, text)| (name.clone(), text.fill(value)))
                .collect(),
            body: template.body.fill(value).into_bytes(),
        }
    }
}
