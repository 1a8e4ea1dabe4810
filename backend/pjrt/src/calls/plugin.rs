//! The plugin as a whole.

use crate::entry::functions;
use crate::ffi::*;
use crate::values::NamedValues;
use backend::client::status::Status;
use backend::client::topology::Attribute;
use std::sync::LazyLock;

/// The version of StableHLO in which clients hand over programs: theirs of today, at most. Raised deliberately, when
/// the frontend has been held against the newer one.
const STABLEHLO: [i64; 3] = [1, 16, 3];
/// The oldest that the frontend reads.
const STABLEHLO_MIN: [i64; 3] = [0, 9, 0];

static ATTRIBUTES: LazyLock<NamedValues> = LazyLock::new(|| {
    NamedValues::new(vec![
        ("xla_version", Attribute::Int(2)),
        ("stablehlo_current_version", Attribute::Ints(STABLEHLO.to_vec())),
        ("stablehlo_minimum_version", Attribute::Ints(STABLEHLO_MIN.to_vec())),
    ])
});

functions! {
    fn PJRT_Plugin_Initialize(_args: PJRT_Plugin_Initialize_Args) {
        if let Some(missing) = backend::processor::missing_feature() {
            return Err(Status::unimplemented(format!(
                "this build of libtpusim needs a processor with {missing}: build it for this machine with \
                 RUSTFLAGS=\"-C target-cpu=native\" cargo build --release -p pjrt"
            )));
        }
    }

    fn PJRT_Plugin_Attributes(args: PJRT_Plugin_Attributes_Args) {
        args.attributes = ATTRIBUTES.as_ptr();
        args.num_attributes = ATTRIBUTES.count();
    }
}
