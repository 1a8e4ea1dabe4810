//! A client in Rust: the library as C sees it, with structs of other versions, null pointers, and bytes that mean nothing.

use std::ffi::c_void;
use tpusim::GetPjrtApi;
use tpusim::ffi::*;

fn api() -> &'static PJRT_Api {
    // SAFETY: the table lives as long as the process.
    unsafe { &*GetPjrtApi() }
}

/// A struct of args with its size set and all else zero.
fn args<T: CStruct>() -> T {
    let mut all = std::mem::MaybeUninit::<T>::zeroed();
    // SAFETY: zero is a value of every such struct, and the first word is its size.
    unsafe {
        all.as_mut_ptr().cast::<usize>().write(T::SIZE);
        all.assume_init()
    }
}

/// What a function answers, and the args after it.
fn call<T: CStruct>(f: Function<T>, set: impl FnOnce(&mut T)) -> (T, Result<(), (u32, String)>) {
    let mut a = args::<T>();
    set(&mut a);
    let f = f.expect("every function is there");
    // SAFETY: the args are of their size, and what they point to lives.
    let error = unsafe { f(&raw mut a) };
    (a, outcome(error))
}

fn outcome(error: *mut PJRT_Error) -> Result<(), (u32, String)> {
    if error.is_null() {
        return Ok(());
    }
    let mut code = args::<PJRT_Error_GetCode_Args>();
    code.error = error;
    let mut message = args::<PJRT_Error_Message_Args>();
    message.error = error;
    let mut destroy = args::<PJRT_Error_Destroy_Args>();
    destroy.error = error;
    // SAFETY: the error is ours until it is destroyed.
    let text = unsafe {
        assert!(api().PJRT_Error_GetCode.unwrap()(&raw mut code).is_null());
        api().PJRT_Error_Message.unwrap()(&raw mut message);
        let bytes = std::slice::from_raw_parts(message.message.cast::<u8>(), message.message_size);
        let text = String::from_utf8(bytes.to_vec()).expect("messages are text");
        api().PJRT_Error_Destroy.unwrap()(&raw mut destroy);
        text
    };
    Err((code.code.0, text))
}

fn client() -> *mut PJRT_Client {
    // The line on stderr is for people.
    // SAFETY: tests set nothing else, and each sets the same.
    unsafe { std::env::set_var("TPUSIM_QUIET", "1") };
    let (a, outcome) = call(api().PJRT_Client_Create, |_| {});
    outcome.expect("a client");
    a.client
}

/// Everything behind `pjrt_api_version` is a pointer to a function.
fn functions() -> Vec<*const c_void> {
    let (first, last) = (std::mem::offset_of!(PJRT_Api, PJRT_Error_Destroy), size_of::<PJRT_Api>());
    let table = std::ptr::from_ref(api()).cast::<u8>();
    // SAFETY: the offsets are those of the table's fields.
    (first..last).step_by(8).map(|at| unsafe { table.add(at).cast::<*const c_void>().read() }).collect()
}

#[test]
fn every_function_is_there_and_refuses_null() {
    let functions = functions();
    assert_eq!(functions.len(), 138);
    for (i, f) in functions.into_iter().enumerate() {
        assert!(!f.is_null(), "function {i}");
        if i < 2 {
            continue; // These give no error.
        }
        // SAFETY: all others take one pointer and return an error; null is refused before anything is read.
        let f: unsafe extern "C" fn(*mut c_void) -> *mut PJRT_Error = unsafe { std::mem::transmute(f) };
        // SAFETY: likewise.
        let (code, text) = outcome(unsafe { f(std::ptr::null_mut()) }).expect_err("null is an error");
        assert_eq!(code, 3, "function {i}: {text}");
        assert!(text.contains("is null"), "function {i}: {text}");
    }
}

#[test]
fn null_handles_are_errors() {
    for (i, f) in functions().into_iter().enumerate().skip(2) {
        let mut room = [0usize; 64];
        room[0] = 8 * room.len();
        // SAFETY: as above; every field is zero, and the room is larger than any struct.
        let f: unsafe extern "C" fn(*mut c_void) -> *mut PJRT_Error = unsafe { std::mem::transmute(f) };
        // SAFETY: likewise.
        let outcome = outcome(unsafe { f(room.as_mut_ptr().cast()) });
        if let Err((code, text)) = outcome {
            assert!(matches!(code, 3 | 12), "function {i}: {code} {text}");
        }
        assert_eq!(room[0], 8 * room.len(), "function {i}: the size is the caller's");
    }
}

#[test]
fn old_and_new_structs() {
    let client = client();
    // A client that knows the struct only as far as `client`: nothing behind it is written.
    #[repr(C)]
    struct Longer {
        known: PJRT_Client_Devices_Args,
        unknown: [u8; 32],
    }
    let mut longer = Longer { known: args(), unknown: [0xAB; 32] };
    longer.known.struct_size = size_of::<Longer>();
    longer.known.client = client;
    // SAFETY: the args are of their size.
    let error = unsafe { api().PJRT_Client_Devices.unwrap()((&raw mut longer).cast()) };
    outcome(error).expect("longer args");
    assert_eq!((longer.known.num_devices, longer.unknown), (1, [0xAB; 32]));
    // One that was built before `num_devices` was there.
    let mut short = args::<PJRT_Client_Devices_Args>();
    short.struct_size = std::mem::offset_of!(PJRT_Client_Devices_Args, num_devices);
    (short.client, short.num_devices) = (client, 77);
    // SAFETY: likewise.
    outcome(unsafe { api().PJRT_Client_Devices.unwrap()(&raw mut short) }).expect("shorter args");
    assert_eq!(short.num_devices, 77);
    assert!(!short.devices.is_null());
    call(api().PJRT_Client_Destroy, |a| a.client = client).1.expect("the end");
}

#[test]
fn bytes_that_mean_nothing() {
    let client = client();
    let mut seed = 1u64;
    for len in 0..300usize {
        let mut bytes: Vec<u8> = (0..len)
            .map(|_| {
                seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                (seed >> 56) as u8
            })
            .collect();
        if len % 3 == 0 {
            bytes.splice(0..0, *b"ML\xefR\x0dStableHLO_v1.16.0\0");
        }
        let mut program = args::<PJRT_Program>();
        (program.code, program.code_size) = (bytes.as_mut_ptr().cast(), bytes.len());
        (program.format, program.format_size) = (c"mlir".as_ptr(), 4);
        let (_, outcome) =
            call(api().PJRT_Client_Compile, |a| (a.client, a.program) = (client, &raw const program));
        let (code, text) = outcome.expect_err("no program");
        assert!(matches!(code, 3 | 12) && !text.is_empty(), "{code}: {text}");
        let (_, outcome) = call(api().PJRT_Executable_DeserializeAndLoad, |a| {
            a.client = client;
            (a.serialized_executable, a.serialized_executable_size) = (bytes.as_ptr().cast(), bytes.len());
        });
        assert_eq!(outcome.expect_err("no executable").0, 3);
        let (_, outcome) = call(api().PJRT_TopologyDescription_Deserialize, |a| {
            (a.serialized_topology, a.serialized_topology_size) = (bytes.as_ptr().cast(), bytes.len());
        });
        assert_eq!(outcome.expect_err("no topology").0, 3);
    }
    call(api().PJRT_Client_Destroy, |a| a.client = client).1.expect("the end");
}

/// What compiling a text answers, on a thread with a small stack, as a Python's may have.
fn compile(client: *mut PJRT_Client, text: &str) -> Result<*mut PJRT_LoadedExecutable, (u32, String)> {
    struct Address(*mut PJRT_Client, Result<*mut PJRT_LoadedExecutable, (u32, String)>);
    // SAFETY: any thread may call, and what is handed back is a pointer.
    unsafe impl Send for Address {}
    let (given, mut text) = (Address(client, Ok(std::ptr::null_mut())), text.to_owned().into_bytes());
    let run = move || {
        let mut given = given;
        let mut program = args::<PJRT_Program>();
        (program.code, program.code_size) = (text.as_mut_ptr().cast(), text.len());
        (program.format, program.format_size) = (c"mlir".as_ptr(), 4);
        let (a, outcome) =
            call(api().PJRT_Client_Compile, |a| (a.client, a.program) = (given.0, &raw const program));
        given.1 = outcome.map(|()| a.executable);
        given
    };
    let thread = std::thread::Builder::new().stack_size(256 << 10).spawn(run);
    thread.expect("a thread").join().expect("no panic").1
}

#[test]
fn programs_that_break_a_rule_are_refused_before_they_run() {
    let client = client();
    for (part, text) in [
        (
            "expected",
            "func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> { %0 = stablehlo.add %a, : tensor<2xf32> return %0 : tensor<2xf32> }",
        ),
        (
            "stablehlo.add",
            r#"func.func @main(%a: tensor<2xf32>, %b: tensor<3xf32>) -> tensor<2xf32> {
                 %0 = "stablehlo.add"(%a, %b) : (tensor<2xf32>, tensor<3xf32>) -> tensor<2xf32>
                 return %0 : tensor<2xf32>
               }"#,
        ),
        (
            "no feeds",
            r#"func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {
                 %t = stablehlo.create_token : !stablehlo.token
                 %0 = "stablehlo.outfeed"(%a, %t) <{outfeed_config = ""}> : (tensor<2xf32>, !stablehlo.token) -> !stablehlo.token
                 return %a : tensor<2xf32>
               }"#,
        ),
        (
            "tpu_custom_call",
            "func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> { %0 = stablehlo.custom_call @tpu_custom_call(%a) : (tensor<2xf32>) -> tensor<2xf32> return %0 : tensor<2xf32> }",
        ),
    ] {
        let (code, text) = compile(client, text).expect_err(part);
        assert!(matches!(code, 3 | 12) && text.contains(part), "{part}: {code} {text}");
    }
    call(api().PJRT_Client_Destroy, |a| a.client = client).1.expect("the end");
}

#[test]
fn deep_programs_need_no_deep_stack_of_the_client() {
    let client = client();
    const DEPTH: usize = 200;
    let mut text = String::from("func.func @main(%p: tensor<i1>, %a: tensor<2xf32>) -> tensor<2xf32> {\n");
    for i in 0..DEPTH {
        text += &format!("%{i} = \"stablehlo.if\"(%p) ({{\n");
    }
    text += "stablehlo.return %a : tensor<2xf32>\n";
    for i in (0..DEPTH).rev() {
        text += "}, { stablehlo.return %a : tensor<2xf32> }) : (tensor<i1>) -> tensor<2xf32>\n";
        text += &match i {
            0 => "return %0 : tensor<2xf32>\n}".to_owned(),
            _ => format!("stablehlo.return %{i} : tensor<2xf32>\n"),
        };
    }
    let loaded = compile(client, &text).unwrap_or_else(|(_, text)| panic!("{text}"));
    let executable =
        call(api().PJRT_LoadedExecutable_GetExecutable, |a| a.loaded_executable = loaded).0.executable;
    let mut program = args::<PJRT_Program>();
    let ask = |a: &mut PJRT_Executable_OptimizedProgram_Args| {
        (a.executable, a.program) = (executable, &raw mut program);
    };
    call(api().PJRT_Executable_OptimizedProgram, ask).1.expect("HLO");
    assert!(program.code_size > 0);
    call(api().PJRT_Executable_Destroy, |a| a.executable = executable).1.unwrap();
    call(api().PJRT_LoadedExecutable_Destroy, |a| a.executable = loaded).1.unwrap();
    call(api().PJRT_Client_Destroy, |a| a.client = client).1.expect("the end");
}

#[test]
fn arrays_of_nonsense_are_refused() {
    let client = client();
    let data = [0u8; 64];
    let device = call(api().PJRT_Client_LookupDevice, |a| (a.client, a.id) = (client, 0)).0.device;
    let put = |dims: &[i64], strides: &[i64], ty: u32| {
        let (a, outcome) = call(api().PJRT_Client_BufferFromHostBuffer, |a| {
            (a.client, a.data, a.device) = (client, data.as_ptr().cast(), device);
            a.r#type = PJRT_Buffer_Type(ty);
            (a.dims, a.num_dims) = (dims.as_ptr(), dims.len());
            (a.byte_strides, a.num_byte_strides) = (strides.as_ptr(), strides.len());
        });
        if outcome.is_ok() {
            call(api().PJRT_Event_Destroy, |e| e.event = a.done_with_host_buffer).1.unwrap();
            call(api().PJRT_Buffer_Destroy, |e| e.buffer = a.buffer).1.unwrap();
        }
        outcome.map_err(|e| e.0)
    };
    let f32 = PJRT_Buffer_Type::F32.0;
    assert_eq!(put(&[4, 4], &[], f32), Ok(()));
    assert_eq!(put(&[2, 2], &[8, 4], f32), Ok(()));
    assert_eq!(put(&[0, 9], &[], f32), Ok(()));
    assert_eq!(put(&[-1], &[], f32), Err(3));
    assert_eq!(put(&[4], &[4, 4], f32), Err(3));
    assert_eq!(put(&[i64::MAX, i64::MAX], &[], f32), Err(3));
    assert_eq!(put(&[4], &[i64::MIN], f32), Err(3));
    assert_eq!(put(&[4], &[], 0), Err(12));
    assert_eq!(put(&[4], &[], 9999), Err(12));
    assert_eq!(call(api().PJRT_Client_LookupDevice, |a| (a.client, a.id) = (client, 99)).1.unwrap_err().0, 3);
    call(api().PJRT_Client_Destroy, |a| a.client = client).1.expect("the end");
}
