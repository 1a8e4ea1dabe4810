//! tensorcore
