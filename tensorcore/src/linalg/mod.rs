//! Dense linear algebra and Fourier transforms: `cholesky`, `triangular_solve`, `fft`.
