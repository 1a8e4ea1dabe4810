use super::*;

/// What clients really sent.
fn captured() -> Option<Vec<(String, Vec<u8>)>> {
    let shared = std::env::var_os("TPUSIM_SHARED").map_or_else(
        || std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared"),
        std::path::PathBuf::from,
    );
    let Ok(files) = std::fs::read_dir(shared.join("clients/captured")) else {
        eprintln!("SKIPPED captured compile options: no ../shared (set TPUSIM_SHARED)");
        return None;
    };
    let mut all: Vec<_> = files
        .flatten()
        .filter_map(|f| Some((f.file_name().to_str()?.strip_suffix(".options.pb")?.to_owned(), f.path())))
        .map(|(name, path)| (name, std::fs::read(path).unwrap()))
        .collect();
    all.sort();
    assert!(all.len() > 400, "{} files", all.len());
    Some(all)
}

#[test]
fn captured_options_decode() {
    let Some(all) = captured() else { return };
    let mut several = 0;
    for (name, bytes) in &all {
        let options = CompileOptions::decode(bytes).unwrap_or_else(|e| panic!("{name}: {e}"));
        assert_eq!(options.num_replicas, 1, "{name}");
        let assignment = options.device_assignment.as_ref().unwrap_or_else(|| panic!("{name}"));
        assert_eq!(DeviceAssignment::read(&assignment.write()).as_ref(), Ok(assignment));
        assert_eq!(assignment.partitions, options.num_partitions);
        several += usize::from(options.num_partitions > 1);
    }
    assert!(several > 5, "{several}");
}

#[test]
fn a_sharded_program_of_jax() {
    let Some(all) = captured() else { return };
    let (_, bytes) = all.iter().find(|(name, _)| name.starts_with("jax_d.")).unwrap();
    assert_eq!(
        CompileOptions::decode(bytes).unwrap(),
        CompileOptions {
            num_replicas: 1,
            num_partitions: 4,
            device_assignment: Some(DeviceAssignment::new(1, 4, vec![0, 1, 3, 2])),
            use_spmd_partitioning: true,
            use_auto_spmd_partitioning: false,
            use_shardy_partitioner: true,
            allow_spmd_sharding_propagation_to_parameters: vec![false],
            allow_spmd_sharding_propagation_to_output: vec![false],
            parameter_is_tupled_arguments: false,
            compile_portable_executable: false,
            alias_passthrough_params: false,
            device_memory_size: 36_507_222_016,
            optimization_level: 0,
            memory_fitting_level: 29,
            device_ordinal: -1,
            process_count: 1,
            env_option_overrides: vec![],
            argument_layouts: vec![],
            result_layout: None,
            multi_slice_config: vec![],
        }
    );
}

#[test]
fn overrides_of_torch_tpu() {
    let Some(all) = captured() else { return };
    let (_, bytes) = all.iter().find(|(name, _)| name.starts_with("tt_a.")).unwrap();
    let options = CompileOptions::decode(bytes).unwrap();
    let text = |name: &str, value: &str| (name.to_string(), value.to_string());
    assert_eq!(
        options.env_option_overrides,
        [text("xla_tpu_autofdo", "false"), text("xla_tpu_vmem_scavenging_mode", "SAFE_IFF_KERNEL_REQUIRED")]
    );
}

#[test]
fn damaged_options_are_refused() {
    let Some(all) = captured() else { return };
    let (_, bytes) = all.iter().find(|(name, _)| name.starts_with("jax_d.")).unwrap();
    for i in 0..bytes.len() {
        let _ = CompileOptions::decode(&bytes[..i]);
        for b in [0, 0x7f, 0xff] {
            let mut bytes = bytes.clone();
            bytes[i] = b;
            let _ = CompileOptions::decode(&bytes); // May mean something else, may not panic.
        }
    }
    let e = CompileOptions::decode(&[0x1a, 0x7f]).unwrap_err();
    assert!(e.message.starts_with("compile options: not a CompileOptionsProto"), "{e}");
}

fn options(build: ExecutableBuildOptionsProto) -> Result<CompileOptions> {
    let proto = CompileOptionsProto { executable_build_options: Some(build), ..Default::default() };
    CompileOptions::decode(&proto.encode_to_vec())
}

#[test]
fn numbers_belong_together() {
    let none = CompileOptions::decode(&[]).unwrap();
    assert_eq!((none.num_replicas, none.num_partitions, none.devices().ids()), (1, 1, &[0][..]));
    let assignment = DeviceAssignment::new(2, 3, vec![5, 4, 3, 2, 1, 0]);
    assert_eq!((assignment.device(0, 2), assignment.device(1, 0)), (3, 2));
    assert_eq!((assignment.logical(1), assignment.logical(6)), (Some((1, 1)), None));
    let build = |num_replicas, num_partitions, a: &DeviceAssignment| ExecutableBuildOptionsProto {
        num_replicas,
        num_partitions,
        device_assignment: Some(a.write()),
        ..Default::default()
    };
    assert_eq!(options(build(2, 3, &assignment)).unwrap().devices(), assignment);
    let says = |b| options(b).unwrap_err().message;
    assert_eq!(
        says(build(3, 2, &assignment)),
        "compile options: the device assignment is for 2 replicas of 3 partitions, the program has 3 of 2"
    );
    for (replicas, partitions) in [(i64::MAX, 3), (1 << 11, 1 << 11), (1, i64::MAX)] {
        let message = says(ExecutableBuildOptionsProto {
            device_assignment: None,
            ..build(replicas, partitions, &assignment)
        });
        assert!(message.contains("more devices than there can be"), "{message}");
    }
    let twice = DeviceAssignment::new(1, 2, vec![1, 1]);
    assert!(says(build(1, 2, &twice)).contains("device 1 is there twice"));
    let mut proto = assignment.write();
    proto.computation_devices.pop();
    assert!(DeviceAssignment::read(&proto).is_err());
    proto.computation_count = -1;
    assert!(DeviceAssignment::read(&proto).is_err());
    assert_eq!(DeviceAssignmentProto::decode(&assignment.encode()[..]).unwrap(), assignment.write());
}

#[test]
fn overrides_are_text() {
    let entry = |key: &str, value: Option<OptionValue>| OptionOverride {
        key: key.into(),
        value: value.map(|v| OptionOverrideProto { value: Some(v) }),
    };
    let proto = CompileOptionsProto {
        env_option_overrides: vec![
            entry("xla_d", Some(OptionValue::Double(0.25))),
            entry("xla_a", Some(OptionValue::Int(-1))),
            entry("xla_b", Some(OptionValue::Bool(true))),
            entry("xla_c", None),
            entry("xla_a", Some(OptionValue::String("x y".into()))),
        ],
        ..Default::default()
    };
    let options = CompileOptions::decode(&proto.encode_to_vec()).unwrap();
    let pairs: Vec<(&str, &str)> = options.env_option_overrides.iter().map(|(k, v)| (&**k, &**v)).collect();
    assert_eq!(pairs, [("xla_a", "x y"), ("xla_b", "true"), ("xla_c", ""), ("xla_d", "0.25")]);
    let unknown = CompileOptionsProto {
        env_option_overrides: vec![entry("no_such_option", None)],
        ..Default::default()
    };
    let error = CompileOptions::decode(&unknown.encode_to_vec()).unwrap_err();
    assert_eq!(error.message, "No such compile option: 'no_such_option'");
}

#[test]
fn a_module_with_its_configuration() {
    let config =
        HloModuleConfigProto::new(&CompileOptions::decode(&[]).unwrap(), ProgramShapeProto::default());
    let with = HloModuleProtoWithConfig {
        hlo_module: Some(HloModuleProto { name: "m".into(), ..Default::default() }),
        config: Some(config),
    };
    let bytes = with.encode_to_vec();
    // Fields 1 of both messages, the empty program shape included.
    assert_eq!(bytes[..5], [0x0a, 3, 0x0a, 1, b'm']);
    assert_eq!(bytes[5..][..4], [0x12, 11, 0x0a, 0]);
    assert_eq!(HloModuleProtoWithConfig::decode(&bytes[..]).unwrap(), with);
}
