//! The stream through which a program gets what it receives from the host.

use crate::calls::event::EventHandle;
use crate::entry::{functions, list};
use crate::ffi::*;
use crate::handle::Handle;
use backend::client::event::Event;
use backend::client::status::{Result, Status};
use std::sync::{Arc, Mutex, MutexGuard};

/// Bytes that come in chunks, until there are as many as were asked for. Clones share them.
#[derive(Clone)]
pub struct Stream(Arc<Inner>);

struct Inner {
    total: usize,
    data: Mutex<Vec<u8>>,
    full: Event,
}

// SAFETY: only `Stream`s are given out as this type.
unsafe impl Handle for Stream {
    type C = PJRT_CopyToDeviceStream;
    const WHAT: &'static str = "the stream";
}

impl Stream {
    pub fn new(total: usize) -> Stream {
        let full = if total == 0 { Event::done(Ok(())) } else { Event::new() };
        Stream(Arc::new(Inner { total, data: Mutex::default(), full }))
    }

    fn data(&self) -> MutexGuard<'_, Vec<u8>> {
        self.0.data.lock().unwrap_or_else(|e| e.into_inner())
    }

    /// Waits until all bytes are there.
    pub fn wait(&self) -> Result<Vec<u8>> {
        self.0.full.wait()?;
        Ok(std::mem::take(&mut *self.data()))
    }

    /// Nobody will add anything more.
    pub fn abandon(&self) {
        let missing = self.0.total - self.data().len().min(self.0.total);
        if missing > 0 {
            self.0.full.set(Err(Status::invalid(format!(
                "the host ended its answer {missing} bytes before the end of {}",
                self.0.total
            ))));
        }
    }

    fn add(&self, chunk: &[u8]) -> Result<()> {
        let mut data = self.data();
        let after = data.len() + chunk.len();
        if after > self.0.total {
            return Err(Status::invalid(format!(
                "the host answers with {after} bytes or more, and the program receives {}",
                self.0.total
            )));
        }
        data.extend_from_slice(chunk);
        drop(data);
        if after == self.0.total {
            self.0.full.set(Ok(()));
        }
        Ok(())
    }
}

functions! {
    fn PJRT_CopyToDeviceStream_Destroy(args: PJRT_CopyToDeviceStream_Destroy_Args) {
        if let Ok(stream) = Stream::borrow(args.stream) {
            stream.abandon();
        }
        Stream::destroy(args.stream);
    }

    fn PJRT_CopyToDeviceStream_AddChunk(args: PJRT_CopyToDeviceStream_AddChunk_Args) {
        let stream = Stream::borrow(args.stream)?;
        let chunk = args.chunk.as_ref().ok_or_else(|| Status::invalid("the chunk is null"))?;
        let outcome = stream.add(list(chunk.data.cast::<u8>(), chunk.size));
        if let Some(deleter) = chunk.deleter {
            deleter(chunk.data, chunk.deleter_arg);
        }
        args.transfer_complete = EventHandle(Event::done(outcome)).into_raw();
    }

    fn PJRT_CopyToDeviceStream_TotalBytes(args: PJRT_CopyToDeviceStream_TotalBytes_Args) {
        args.total_bytes = Stream::borrow(args.stream)?.0.total as i64;
    }

    fn PJRT_CopyToDeviceStream_GranuleSize(args: PJRT_CopyToDeviceStream_GranuleSize_Args) {
        Stream::borrow(args.stream)?;
        args.granule_size_in_bytes = 1;
    }

    fn PJRT_CopyToDeviceStream_CurrentBytes(args: PJRT_CopyToDeviceStream_CurrentBytes_Args) {
        args.current_bytes = Stream::borrow(args.stream)?.data().len() as i64;
    }
}
