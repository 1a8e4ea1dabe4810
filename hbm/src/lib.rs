//! hbm
