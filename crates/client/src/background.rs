use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;

/// Work in a thread of its own, that is asked to end and then says what it came to. It ends when this is dropped, too.
#[derive(Debug)]
pub(crate) struct Background<T> {
    over: Arc<AtomicBool>,
    thread: Option<JoinHandle<T>>,
}

impl<T: Send + 'static> Background<T> {
    /// Begins this work, which looks now and then whether it is over.
    ///
    /// # Errors
    /// The system has no thread for it.
    pub(crate) fn start(
        name: &str,
        work: impl FnOnce(&AtomicBool) -> T + Send + 'static,
    ) -> io::Result<Self> {
        let over = Arc::new(AtomicBool::new(false));
        let heard = Arc::clone(&over);
        let thread = std::thread::Builder::new().name(name.to_owned());
        Ok(Self {
            over,
            thread: Some(thread.spawn(move || work(&heard))?),
        })
    }

    /// What it came to, once it has heard that it is over.
    ///
    /// # Panics
    /// When its thread did.
    pub(crate) fn end(mut self) -> T {
        self.over.store(true, Ordering::Relaxed);
        let thread = self.thread.take().expect("it ends once");
        thread
            .join()
            .expect("what is in the background does not panic")
    }
}

impl<T> Drop for Background<T> {
    fn drop(&mut self) {
        self.over.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}
