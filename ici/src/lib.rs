//! ici
