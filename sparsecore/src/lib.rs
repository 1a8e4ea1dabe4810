//! sparsecore
