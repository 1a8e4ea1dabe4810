//! Events.

use crate::entry::functions;
use crate::error;
use crate::ffi::*;
use crate::handle::{Handle, Pointer};
use backend::client::event::Event;
use backend::client::status::Status;

/// What C holds of an event.
pub struct EventHandle(pub Event);

// SAFETY: only `EventHandle`s are given out as this type.
unsafe impl Handle for EventHandle {
    type C = PJRT_Event;
    const WHAT: &'static str = "the event";
}

functions! {
    fn PJRT_Event_Destroy(args: PJRT_Event_Destroy_Args) {
        EventHandle::destroy(args.event);
    }

    fn PJRT_Event_IsReady(args: PJRT_Event_IsReady_Args) {
        args.is_ready = EventHandle::borrow(args.event)?.0.is_ready().into();
    }

    /// Returns the event's own error.
    fn PJRT_Event_Error(args: PJRT_Event_Error_Args) {
        match EventHandle::borrow(args.event)?.0.outcome() {
            Some(outcome) => outcome.clone()?,
            None => return Err(Status::invalid("the event is not ready")),
        }
    }

    /// Returns the event's own error.
    fn PJRT_Event_Await(args: PJRT_Event_Await_Args) {
        EventHandle::borrow(args.event)?.0.wait()?;
    }

    fn PJRT_Event_OnReady(args: PJRT_Event_OnReady_Args) {
        let event = EventHandle::borrow(args.event)?;
        let callback = args.callback.ok_or_else(|| Status::invalid("PJRT_Event_OnReady: callback is null"))?;
        let user = Pointer(args.user_arg);
        event.0.on_ready(Box::new(move |outcome| {
            let user = user;
            callback(error::raise(outcome.clone()), user.0);
        }));
    }

    fn PJRT_Event_Create(args: PJRT_Event_Create_Args) {
        args.event = EventHandle(Event::new()).into_raw();
    }

    fn PJRT_Event_Set(args: PJRT_Event_Set_Args) {
        let outcome = error::outcome(args.error_code, args.error_message, args.error_message_size);
        if !EventHandle::borrow(args.event)?.0.set(outcome) {
            return Err(Status::invalid("the event is set already"));
        }
    }
}
