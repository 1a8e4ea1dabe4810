//! Named values and element types between C and Rust.

use crate::entry::{list, text};
use crate::ffi::*;
use crate::handle::Pointer;
use backend::client::status::{Result, Status};
use backend::client::topology::{Attribute, Attributes};
use sim_core::ElementType;

/// Named values that C may read as long as this lives.
pub struct NamedValues {
    /// Backs the pointers in `values`; not touched again.
    _owned: Box<[(&'static str, Attribute)]>,
    values: Box<[PJRT_NamedValue]>,
}

// SAFETY: the pointers are into `_owned`, which moves with it and never changes.
unsafe impl Send for NamedValues {}
// SAFETY: likewise.
unsafe impl Sync for NamedValues {}

impl NamedValues {
    pub fn new(values: Attributes) -> NamedValues {
        let owned: Box<[(&'static str, Attribute)]> = values.into();
        let values = owned.iter().map(|(name, value)| named(name, value)).collect();
        NamedValues { _owned: owned, values }
    }

    pub fn as_ptr(&self) -> *const PJRT_NamedValue {
        self.values.as_ptr()
    }

    pub fn count(&self) -> usize {
        self.values.len()
    }
}

fn named(name: &str, value: &Attribute) -> PJRT_NamedValue {
    let (r#type, value, value_size) = match value {
        Attribute::String(s) => {
            (PJRT_NamedValue_Type::String, PJRT_NamedValue_Value { string_value: s.as_ptr().cast() }, s.len())
        }
        Attribute::Int(i) => (PJRT_NamedValue_Type::Int64, PJRT_NamedValue_Value { int64_value: *i }, 1),
        Attribute::Ints(l) => (
            PJRT_NamedValue_Type::Int64List,
            PJRT_NamedValue_Value { int64_array_value: l.as_ptr() },
            l.len(),
        ),
        Attribute::Float(f) => (PJRT_NamedValue_Type::Float, PJRT_NamedValue_Value { float_value: *f }, 1),
        Attribute::Bool(b) => {
            // All eight bytes are set, so that nobody reads what was never written.
            (PJRT_NamedValue_Type::Bool, PJRT_NamedValue_Value { int64_value: i64::from(*b) }, 1)
        }
    };
    PJRT_NamedValue {
        struct_size: PJRT_NamedValue::SIZE,
        extension_start: std::ptr::null_mut(),
        name: name.as_ptr().cast(),
        name_size: name.len(),
        r#type,
        value,
        value_size,
    }
}

/// What a client named.
///
/// # Errors
/// A name is no UTF-8; a type that there is not.
///
/// # Safety
/// `values` is null or points to `len` named values whose pointers hold.
pub unsafe fn read(values: *const PJRT_NamedValue, len: usize) -> Result<Vec<(String, Attribute)>> {
    // SAFETY: as the caller vouches; the member of the union is the one that the type names.
    unsafe {
        let one = |v: &PJRT_NamedValue| {
            let name = text(v.name, v.name_size)?.to_owned();
            let value = match v.r#type {
                PJRT_NamedValue_Type::String => {
                    Attribute::String(text(v.value.string_value, v.value_size)?.to_owned())
                }
                PJRT_NamedValue_Type::Int64 => Attribute::Int(v.value.int64_value),
                PJRT_NamedValue_Type::Int64List => {
                    Attribute::Ints(list(v.value.int64_array_value, v.value_size).to_vec())
                }
                PJRT_NamedValue_Type::Float => Attribute::Float(v.value.float_value),
                PJRT_NamedValue_Type::Bool => Attribute::Bool(v.value.bool_value != 0),
                other => return Err(Status::invalid(format!("the value of {name} is of type {}", other.0))),
            };
            Ok((name, value))
        };
        list(values, len).iter().map(one).collect()
    }
}

/// `(C's, ours)`
const TYPES: [(PJRT_Buffer_Type, ElementType); 31] = [
    (PJRT_Buffer_Type::PRED, ElementType::Pred),
    (PJRT_Buffer_Type::S2, ElementType::S2),
    (PJRT_Buffer_Type::S4, ElementType::S4),
    (PJRT_Buffer_Type::S8, ElementType::S8),
    (PJRT_Buffer_Type::S16, ElementType::S16),
    (PJRT_Buffer_Type::S32, ElementType::S32),
    (PJRT_Buffer_Type::S64, ElementType::S64),
    (PJRT_Buffer_Type::U2, ElementType::U2),
    (PJRT_Buffer_Type::U4, ElementType::U4),
    (PJRT_Buffer_Type::U8, ElementType::U8),
    (PJRT_Buffer_Type::U16, ElementType::U16),
    (PJRT_Buffer_Type::U32, ElementType::U32),
    (PJRT_Buffer_Type::U64, ElementType::U64),
    (PJRT_Buffer_Type::F4E2M1FN, ElementType::F4E2M1FN),
    (PJRT_Buffer_Type::F6E2M3FN, ElementType::F6E2M3FN),
    (PJRT_Buffer_Type::F6E3M2FN, ElementType::F6E3M2FN),
    (PJRT_Buffer_Type::F8E3M4, ElementType::F8E3M4),
    (PJRT_Buffer_Type::F8E4M3, ElementType::F8E4M3),
    (PJRT_Buffer_Type::F8E4M3FN, ElementType::F8E4M3FN),
    (PJRT_Buffer_Type::F8E4M3FNUZ, ElementType::F8E4M3FNUZ),
    (PJRT_Buffer_Type::F8E4M3B11FNUZ, ElementType::F8E4M3B11FNUZ),
    (PJRT_Buffer_Type::F8E5M2, ElementType::F8E5M2),
    (PJRT_Buffer_Type::F8E5M2FNUZ, ElementType::F8E5M2FNUZ),
    (PJRT_Buffer_Type::F8E8M0FNU, ElementType::F8E8M0FNU),
    (PJRT_Buffer_Type::BF16, ElementType::BF16),
    (PJRT_Buffer_Type::F16, ElementType::F16),
    (PJRT_Buffer_Type::F32, ElementType::F32),
    (PJRT_Buffer_Type::F64, ElementType::F64),
    (PJRT_Buffer_Type::C64, ElementType::C64),
    (PJRT_Buffer_Type::C128, ElementType::C128),
    // An index is stored as s64; C has no name for it.
    (PJRT_Buffer_Type::S64, ElementType::Index),
];

/// # Errors
/// A type of C's that has no counterpart.
pub fn element(ty: PJRT_Buffer_Type) -> Result<ElementType> {
    TYPES.iter().find(|t| t.0 == ty).map(|t| t.1).ok_or_else(|| {
        Status::unimplemented(format!("arrays of PJRT_Buffer_Type {} are not supported", ty.0))
    })
}

pub fn buffer_type(element: ElementType) -> PJRT_Buffer_Type {
    TYPES.iter().find(|t| t.1 == element).map_or(PJRT_Buffer_Type::INVALID, |t| t.0)
}

/// Dimensions as sizes.
///
/// # Errors
/// One is negative.
pub fn sizes(dims: &[i64]) -> Result<Vec<usize>> {
    let size = |&d: &i64| {
        usize::try_from(d).map_err(|_| Status::invalid(format!("an array of dimensions {dims:?}")))
    };
    dims.iter().map(size).collect()
}

/// Texts that C reads as a list of pointers and one of sizes.
pub struct Texts {
    _owned: Box<[Box<[u8]>]>,
    pointers: Box<[Pointer<std::ffi::c_char>]>,
    sizes: Box<[usize]>,
}

impl Texts {
    pub fn new(texts: impl IntoIterator<Item = impl Into<Vec<u8>>>) -> Texts {
        let owned: Box<[Box<[u8]>]> = texts.into_iter().map(|t| t.into().into_boxed_slice()).collect();
        let pointers = owned.iter().map(|t| Pointer(t.as_ptr().cast_mut().cast())).collect();
        let sizes = owned.iter().map(|t| t.len()).collect();
        Texts { _owned: owned, pointers, sizes }
    }

    /// As many as there are.
    pub fn pointers(&self) -> *const *const std::ffi::c_char {
        // `Pointer` is transparent.
        self.pointers.as_ptr().cast()
    }

    pub fn sizes(&self) -> *const usize {
        self.sizes.as_ptr()
    }

    pub fn count(&self) -> usize {
        self.sizes.len()
    }
}
