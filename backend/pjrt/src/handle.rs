//! What stands behind the pointers that C holds.

use backend::client::status::{Result, Status};

/// A Rust value that C knows by a pointer of type `C`.
///
/// # Safety
/// Pointers of type `*mut C` come from nowhere but [`Handle::into_raw`] and [`Handle::as_raw`] of this type.
pub unsafe trait Handle: Sized + Send + Sync {
    type C;
    /// For messages: what it is.
    const WHAT: &'static str;

    /// Gives it to C, which destroys it.
    fn into_raw(self) -> *mut Self::C {
        Box::into_raw(Box::new(self)).cast()
    }

    /// Shows it to C; it stays where it is.
    fn as_raw(&self) -> *mut Self::C {
        (&raw const *self).cast_mut().cast()
    }

    /// # Errors
    /// Null.
    ///
    /// # Safety
    /// Null, or a pointer of this type that C has not destroyed, nor will during `'a`.
    unsafe fn borrow<'a>(pointer: *const Self::C) -> Result<&'a Self> {
        // SAFETY: by the contract of the trait and of this function.
        unsafe { pointer.cast::<Self>().as_ref() }
            .ok_or_else(|| Status::invalid(format!("{} is null", Self::WHAT)))
    }

    /// Takes it back from C. Null does nothing.
    ///
    /// # Safety
    /// Null, or from `into_raw` and not destroyed before.
    unsafe fn destroy(pointer: *mut Self::C) {
        if !pointer.is_null() {
            // SAFETY: by the contract of the trait and of this function.
            drop(unsafe { Box::from_raw(pointer.cast::<Self>()) });
        }
    }
}

/// A pointer for C that may go from thread to thread: whoever uses it vouches for what it points to.
#[repr(transparent)]
pub struct Pointer<T>(pub *mut T);

impl<T> Clone for Pointer<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Pointer<T> {}

// SAFETY: it is only a number here; each use has its own reason.
unsafe impl<T> Send for Pointer<T> {}
// SAFETY: likewise.
unsafe impl<T> Sync for Pointer<T> {}

/// Bytes that C reads until it calls their deleter.
pub struct Bytes(pub Box<[u8]>);

impl Bytes {
    /// Data, size, and the owner to give to [`delete_bytes`].
    pub fn give<Owner>(bytes: Vec<u8>) -> (*const std::ffi::c_char, usize, *mut Owner) {
        let owner = Box::new(Bytes(bytes.into()));
        let (data, size) = (owner.0.as_ptr().cast(), owner.0.len());
        (data, size, Box::into_raw(owner).cast())
    }
}

/// # Safety
/// `owner` is null, or from [`Bytes::give`] and not deleted before.
pub unsafe extern "C" fn delete_bytes<Owner>(owner: *mut Owner) {
    if !owner.is_null() {
        // SAFETY: as the caller vouches.
        drop(unsafe { Box::from_raw(owner.cast::<Bytes>()) });
    }
}
