//! The line that says how far a run is.

use backend::runtime::Executable;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::IsTerminal;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// A spinner on stderr, if that is a terminal and the run takes more than a second. Gone when dropped.
pub(super) struct ProgressDisplay {
    done: Arc<AtomicBool>,
    thread: Option<std::thread::JoinHandle<()>>,
}

impl ProgressDisplay {
    pub(super) fn start(exe: &Executable) -> ProgressDisplay {
        let done = Arc::new(AtomicBool::new(false));
        if !std::io::stderr().is_terminal() {
            return ProgressDisplay { done, thread: None };
        }
        let (stop, progress) = (done.clone(), exe.progress());
        let thread = std::thread::spawn(move || {
            let start = Instant::now();
            let mut bar: Option<ProgressBar> = None;
            while !stop.load(Ordering::Relaxed) {
                std::thread::park_timeout(Duration::from_millis(100));
                if start.elapsed() < Duration::from_secs(1) {
                    continue;
                }
                let bar = bar.get_or_insert_with(|| {
                    let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
                    if let Ok(style) = ProgressStyle::with_template("{spinner} {msg} [{elapsed}]") {
                        bar.set_style(style);
                    }
                    bar.with_elapsed(start.elapsed())
                });
                bar.set_message(format!("{} operations, now {}", progress.steps(), progress.current()));
                bar.tick();
            }
            if let Some(bar) = bar {
                bar.finish_and_clear();
            }
        });
        ProgressDisplay { done, thread: Some(thread) }
    }
}

impl Drop for ProgressDisplay {
    fn drop(&mut self) {
        self.done.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            thread.thread().unpark();
            let _ = thread.join(); // It draws only; its panic is no reason to fail.
        }
    }
}
