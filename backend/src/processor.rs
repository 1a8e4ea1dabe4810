//! The processor that this was built for.

/// What the build assumes of the processor (x86-64-v3, `.cargo/config.toml`) and this one lacks; without a look at it the
/// first vector instruction would end the process with no explanation.
pub fn missing_feature() -> Option<&'static str> {
    #[cfg(target_arch = "x86_64")]
    {
        let have = [
            (!cfg!(target_feature = "avx2") || std::arch::is_x86_feature_detected!("avx2"), "AVX2"),
            (!cfg!(target_feature = "fma") || std::arch::is_x86_feature_detected!("fma"), "FMA"),
            (!cfg!(target_feature = "bmi2") || std::arch::is_x86_feature_detected!("bmi2"), "BMI2"),
        ];
        have.iter().find(|(there, _)| !there).map(|(_, name)| *name)
    }
    #[cfg(not(target_arch = "x86_64"))]
    None
}
