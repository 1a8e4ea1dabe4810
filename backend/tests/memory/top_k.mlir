// XLA:CPU arguments=16777216 outputs=65552 temporaries=0 aliased=0 total=16842768
// Bytes of compiled.memory_analysis(), jax 0.12.0.1, jaxlib 0.12.0.1;
// made by `cargo xtask bench --memory --record`.
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<1024x4096xf32>) -> (tensor<1024x8xf32> {jax.result_info = "result[0]"}, tensor<1024x8xi32> {jax.result_info = "result[1]"}) {
    %values, %indices = chlo.top_k(%arg0, k = 8) : tensor<1024x4096xf32> -> (tensor<1024x8xf32>, tensor<1024x8xi32>)
    return %values, %indices : tensor<1024x8xf32>, tensor<1024x8xi32>
  }
}
