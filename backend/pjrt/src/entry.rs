//! The border to C: args come in at any size, errors and panics go out as `PJRT_Error`.

use crate::error;
use crate::ffi::{CStruct, PJRT_Error};
use backend::client::status::{Result, Status};
use std::ffi::c_char;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Runs `body` on a copy of `args`, as far as caller and plugin both know the struct, and copies it back. What the
/// caller does not know is zero for `body`, and is never written.
///
/// # Safety
/// `args` is null, or points to as many bytes as its first word says, which nobody else uses during the call.
pub unsafe fn call<T: CStruct>(args: *mut T, body: impl FnOnce(&mut T) -> Result<()>) -> *mut PJRT_Error {
    let outcome = caught(|| {
        // SAFETY: as the caller vouches.
        let mut local = unsafe { read(args) }?;
        body(&mut local)?;
        // SAFETY: likewise; `read` would have failed on null.
        unsafe { write(args, &local) };
        Ok(())
    });
    error::raise(outcome)
}

/// A panic is a bug of ours, and must not unwind into C.
pub fn caught<T>(body: impl FnOnce() -> Result<T>) -> Result<T> {
    catch_unwind(AssertUnwindSafe(body))
        .unwrap_or_else(|panic| Err(sim_core::Diagnostic::internal(&*panic).into()))
}

/// A copy of a caller's struct; fields that it does not have are zero.
///
/// # Errors
/// Null, or too short to hold its own size.
///
/// # Safety
/// `args` is null, or points to as many bytes as its first word says.
pub unsafe fn read<T: CStruct>(args: *const T) -> Result<T> {
    if args.is_null() {
        return Err(Status::invalid(format!("{} is null", T::NAME)));
    }
    // SAFETY: not null, and it begins with its size.
    let size = unsafe { args.cast::<usize>().read_unaligned() };
    if size < size_of::<usize>() {
        return Err(Status::invalid(format!("{}.struct_size is {size}", T::NAME)));
    }
    let mut local = std::mem::MaybeUninit::<T>::zeroed();
    // SAFETY: both sides have that many bytes, and they do not overlap; all zeros is a value of T, and so is
    // anything that a client puts in its fields.
    unsafe {
        std::ptr::copy_nonoverlapping(
            args.cast::<u8>(),
            local.as_mut_ptr().cast::<u8>(),
            size.min(size_of::<T>()),
        );
        Ok(local.assume_init())
    }
}

/// A copy of a struct inside of others, whose size clients do not set (jaxlib 0.12 leaves that of
/// `PJRT_Buffer_MemoryLayout` as it finds it), and which is the same in all versions.
///
/// # Errors
/// Null.
///
/// # Safety
/// `inner` is null, or points to a whole `T`.
pub unsafe fn read_whole<T: CStruct>(inner: *const T) -> Result<T> {
    match inner.is_null() {
        true => Err(Status::invalid(format!("{} is null", T::NAME))),
        // SAFETY: as the caller vouches.
        false => Ok(unsafe { inner.read_unaligned() }),
    }
}

/// Back to the caller, as far as it knows the struct.
///
/// # Safety
/// As for [`read`], and `args` is not null.
unsafe fn write<T: CStruct>(args: *mut T, local: &T) {
    // SAFETY: as the caller vouches.
    unsafe {
        let size = args.cast::<usize>().read_unaligned().min(size_of::<T>());
        std::ptr::copy_nonoverlapping((&raw const *local).cast::<u8>(), args.cast::<u8>(), size);
    }
}

/// A caller's list; null is the empty one.
///
/// # Safety
/// `data` is null, or points to `len` values that live and stay as they are for `'a`.
pub unsafe fn list<'a, T>(data: *const T, len: usize) -> &'a [T] {
    match data.is_null() || len == 0 {
        true => &[],
        // SAFETY: as the caller vouches.
        false => unsafe { std::slice::from_raw_parts(data, len) },
    }
}

/// A caller's bytes of text.
///
/// # Errors
/// It is no UTF-8.
///
/// # Safety
/// As for [`list`].
pub unsafe fn text<'a>(data: *const c_char, len: usize) -> Result<&'a str> {
    // SAFETY: as the caller vouches.
    std::str::from_utf8(unsafe { list(data.cast::<u8>(), len) })
        .map_err(|e| Status::invalid(format!("a name is no UTF-8: {e}")))
}

/// Defines functions of the API: each body sees its args as a struct of its own, and may fail with a `Status`.
macro_rules! functions {
    ($($(#[$meta:meta])* fn $name:ident($args:ident: $ty:ty) $body:block)*) => {
        $(
            $(#[$meta])*
            /// # Safety
            /// `args` is as the header of the API says: of its size, with pointers that are null or hold.
            pub unsafe extern "C" fn $name(args: *mut $ty) -> *mut $crate::ffi::PJRT_Error {
                // SAFETY: as the caller vouches.
                unsafe {
                    $crate::entry::call(args, |$args: &mut $ty| {
                        // A body may be nothing but a refusal.
                        #[allow(unreachable_code)]
                        {
                            $body
                            Ok(())
                        }
                    })
                }
            }
        )*
    };
}
pub(crate) use functions;
