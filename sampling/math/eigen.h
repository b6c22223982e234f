/* Eigenvalues and eigenvectors of small symmetric matrices, by Jacobi's method with cyclic
 * rotations: "Matrix Computations" (Golub, Van Loan, 2013), section 8.5. */
#ifndef HEARTH_SAMPLING_MATH_EIGEN_H
#define HEARTH_SAMPLING_MATH_EIGEN_H

#include <stddef.h>

/* Leaves the eigenvalues of MATRIX (symmetric, N rows of N) on its diagonal, unsorted, and
 * zeros elsewhere. VECTORS (N rows of N) gets the eigenvectors as columns, each of length
 * 1. */
void eigen_symmetric(double *matrix, double *vectors, size_t n);

#endif
