//! tensorcore
pub mod xlu;
