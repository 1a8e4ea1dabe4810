//! The functions of the API, by family: each gets its args, asks the machine, and answers.

pub mod buffer;
pub mod client;
pub mod device;
pub mod event;
pub mod executable;
pub mod execute;
pub mod host;
pub mod loaded;
pub mod plugin;
pub mod stream;
pub mod topology;
pub mod transfer;
