/**
 * Solves (A + λI) x = b in place by Cholesky: `a` is the lower triangle of a symmetric matrix, row by row with stride
 * `size`, and becomes its factor; `b` becomes x. False where the matrix is not positive definite.
 */
export const solveRidge = (a: Float64Array, b: Float64Array, size: number, lambda: number): boolean => {
  for (let i = 0; i < size; i++) {
    const rowI = i * size
    for (let j = 0; j < i; j++) {
      const rowJ = j * size
      let sum = a[rowI + j]!
      for (let k = 0; k < j; k++) sum -= a[rowI + k]! * a[rowJ + k]!
      a[rowI + j] = sum / a[rowJ + j]!
    }
    let sum = a[rowI + i]! + lambda
    for (let k = 0; k < i; k++) sum -= a[rowI + k]! ** 2
    if (!(sum > 1e-12)) return false
    a[rowI + i] = Math.sqrt(sum)
  }
  for (let i = 0; i < size; i++) {
    let sum = b[i]!
    for (let k = 0; k < i; k++) sum -= a[i * size + k]! * b[k]!
    b[i] = sum / a[i * size + i]!
  }
  for (let i = size - 1; i >= 0; i--) {
    let sum = b[i]!
    for (let k = i + 1; k < size; k++) sum -= a[k * size + i]! * b[k]!
    b[i] = sum / a[i * size + i]!
  }
  return true
}
