//! How declarations are written, and what is known of each for the test that compares with the header.

/// A struct of the API that begins with its own size in bytes.
///
/// # Safety
/// `#[repr(C)]`, its first word is its size as a `usize`, and all zeros is a valid value.
pub unsafe trait CStruct: Copy {
    /// As the header calls it.
    const NAME: &'static str;
    /// Size in bytes without what pads the end (`*_STRUCT_SIZE` of the header).
    const SIZE: usize;
}

/// Where the fields of a struct lie.
#[derive(Clone, Copy, Debug)]
pub struct Layout {
    pub name: &'static str,
    pub size: usize,
    pub fields: &'static [Field],
}

/// A field of a [`Layout`].
#[derive(Clone, Copy, Debug)]
pub struct Field {
    pub name: &'static str,
    /// As it is written here.
    pub ty: &'static str,
    pub offset: usize,
    pub size: usize,
}

impl Layout {
    /// The last byte that a field covers.
    pub const fn end(&self) -> usize {
        let mut most = 0;
        let mut i = 0;
        while i < self.fields.len() {
            let at = self.fields[i].offset + self.fields[i].size;
            most = if at > most { at } else { most };
            i += 1;
        }
        most
    }
}

/// The constants of an enumeration.
#[derive(Clone, Copy, Debug)]
pub struct Enumeration {
    pub name: &'static str,
    pub constants: &'static [(&'static str, u32)],
}

/// Declares structs, and `LAYOUTS` of all of them. A struct begins with `struct_size` and `extension_start`,
/// unless its kind says otherwise:
///
/// - `sized`: with `struct_size` only,
/// - `extension`: with `base`, the head of an extension,
/// - `plain`: with nothing, so it cannot grow,
/// - `object`: likewise, and its maker keeps more behind it, so it cannot be copied.
///
/// What stands behind `=>` is set by who is called, the rest by the caller.
macro_rules! c_structs {
    ($($(#[$meta:meta])* $name:ident $(: $kind:ident)? {
        $($(#[$doc:meta])* $field:ident: $ty:ty),* $(,)?
        $(=> $($(#[$out_doc:meta])* $out:ident: $out_ty:ty),+ $(,)?)?
    })*) => {
        $($crate::ffi::c_struct! { $($kind)? $(#[$meta])* struct $name {
            $($(#[$doc])* $field: $ty,)*
            $($(#[doc = "Out."] $(#[$out_doc])* $out: $out_ty,)+)?
        } })*

        /// Where the fields of this file's structs lie.
        pub const LAYOUTS: &[$crate::ffi::Layout] = &[$($name::LAYOUT,)*];
    };
}
pub(crate) use c_structs;

/// One struct of [`c_structs`].
macro_rules! c_struct {
    ($(#[$meta:meta])* struct $name:ident { $($fields:tt)* }) => {
        $crate::ffi::c_struct! { sized $(#[$meta])* struct $name {
            extension_start: *mut $crate::ffi::PJRT_Extension_Base,
            $($fields)*
        } }
    };
    (sized $(#[$meta:meta])* struct $name:ident { $($fields:tt)* }) => {
        $crate::ffi::c_struct! { plain $(#[$meta])* struct $name { struct_size: usize, $($fields)* } }
        $crate::ffi::c_struct! { impl $name }
    };
    (extension $(#[$meta:meta])* struct $name:ident { $($fields:tt)* }) => {
        $crate::ffi::c_struct! { plain $(#[$meta])* struct $name {
            base: $crate::ffi::PJRT_Extension_Base,
            $($fields)*
        } }
        $crate::ffi::c_struct! { impl $name }
    };
    (plain $(#[$meta:meta])* struct $name:ident { $($fields:tt)* }) => {
        $crate::ffi::c_struct! { object $(#[$meta])* #[derive(Clone, Copy)] struct $name { $($fields)* } }
    };
    (object $(#[$meta:meta])* struct $name:ident { $($(#[$doc:meta])* $field:ident: $ty:ty,)* }) => {
        $(#[$meta])*
        #[repr(C)]
        pub struct $name {
            $($(#[$doc])* pub $field: $ty,)*
        }

        impl $name {
            /// Where its fields lie.
            pub const LAYOUT: $crate::ffi::Layout = $crate::ffi::Layout {
                name: stringify!($name),
                size: size_of::<$name>(),
                fields: &[$($crate::ffi::Field {
                    name: stringify!($field),
                    ty: stringify!($ty),
                    offset: std::mem::offset_of!($name, $field),
                    size: size_of::<$ty>(),
                },)*],
            };
        }
    };
    (impl $name:ident) => {
        // SAFETY: repr(C) with the size first; its fields are integers, pointers and options of functions.
        unsafe impl $crate::ffi::CStruct for $name {
            const NAME: &'static str = stringify!($name);
            const SIZE: usize = $name::LAYOUT.end();
        }
    };
}
pub(crate) use c_struct;

/// Declares enumerations as open integers of C's size, and `ENUMS` of all of them.
macro_rules! c_enums {
    ($($(#[$meta:meta])* $name:ident { $($constant:ident = $value:expr),* $(,)? })*) => {
        $(
            $(#[$meta])*
            #[repr(transparent)]
            #[derive(Clone, Copy, Debug, PartialEq, Eq)]
            pub struct $name(pub std::ffi::c_uint);

            impl $name {
                $(pub const $constant: $name = $name($value);)*
            }
        )*

        /// The constants of this file's enumerations.
        pub const ENUMS: &[$crate::ffi::Enumeration] = &[$($crate::ffi::Enumeration {
            name: stringify!($name),
            constants: &[$((stringify!($constant), $value),)*],
        },)*];
    };
}
pub(crate) use c_enums;

/// Something of a plugin's or a client's that only its owner looks into.
macro_rules! opaque {
    ($($name:ident)*) => {
        $(
            #[repr(C)]
            pub struct $name {
                _private: [u8; 0],
            }
        )*
    };
}
pub(crate) use opaque;
