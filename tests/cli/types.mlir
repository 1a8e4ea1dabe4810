func.func @main(%f: tensor<2x3xf32>, %h: tensor<4xbf16>, %i: tensor<3xi32>, %n: tensor<4xi4>, %p: tensor<2xi1>,
    %c: tensor<2xcomplex<f32>>, %e: tensor<3xf8E4M3FN>, %s: tensor<f64>)
    -> (tensor<2x3xf32>, tensor<4xbf16>, tensor<3xi32>, tensor<4xi4>, tensor<2xi1>, tensor<2xcomplex<f32>>,
        tensor<3xf8E4M3FN>, tensor<f64>, tensor<0x2xf32>) {
  %0 = stablehlo.constant dense<> : tensor<0x2xf32>
  return %f, %h, %i, %n, %p, %c, %e, %s, %0 : tensor<2x3xf32>, tensor<4xbf16>, tensor<3xi32>, tensor<4xi4>,
    tensor<2xi1>, tensor<2xcomplex<f32>>, tensor<3xf8E4M3FN>, tensor<f64>, tensor<0x2xf32>
}
