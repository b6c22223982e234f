#include "sampling/math/pca.h"

#include <math.h>
#include <stdlib.h>

#include "sampling/math/eigen.h"

/* Numbers this close count as equal: their last digits are rounding errors. */
#define EQUALLY_LARGE (1 - 1e-9)

static double find_means(double *means, const struct matrix *rows, const double *weights)
{
    double total = 0;
    for (size_t i = 0; i < rows->rows; i++) {
        double w = weights != NULL ? weights[i] : 1;
        total += w;
        for (size_t c = 0; c < rows->columns; c++)
            means[c] += w * (matrix_row(rows, i)[c] - means[c]) / total;
    }
    return total;
}

static void add_outer(double *covariance, const double *row, const double *means,
                      size_t columns, double w)
{
    for (size_t a = 0; a < columns; a++)
        for (size_t b = a; b < columns; b++)
            covariance[b * columns + a] = covariance[a * columns + b] +=
                w * (row[a] - means[a]) * (row[b] - means[b]);
}

/* Changes the sign of COMPONENT so that its largest number is positive. */
static void fix_sign(double *component, size_t columns)
{
    double largest = 0;
    for (size_t c = 0; c < columns; c++)
        largest = fmax(largest, fabs(component[c]));
    size_t first = 0;
    while (first + 1 < columns && fabs(component[first]) < EQUALLY_LARGE * largest)
        first++;
    if (component[first] < 0)
        for (size_t c = 0; c < columns; c++)
            component[c] = -component[c];
}

/* Takes the eigenvectors, columns of VECTORS, by falling variance, the diagonal of
 * VARIANCES. */
static void take_components(struct pca *pca, const double *vectors, double *variances)
{
    size_t n = pca->components.columns;
    double total = 0;
    for (size_t i = 0; i < n; i++)
        total += fmax(variances[i * n + i], 0);
    for (size_t i = 0; i < n; i++) {
        size_t from = 0;
        for (size_t k = 1; k < n; k++)
            if (variances[k * n + k] > variances[from * n + from])
                from = k;
        pca->ratios[i] = total > 0 ? fmax(variances[from * n + from], 0) / total : 0;
        variances[from * n + from] = -INFINITY; /* taken */
        for (size_t c = 0; c < n; c++)
            matrix_row(&pca->components, i)[c] = vectors[c * n + from];
        fix_sign(matrix_row(&pca->components, i), n);
    }
}

static size_t count_kept(const double *ratios, size_t n, double keep)
{
    double sum = ratios[0];
    size_t kept = 1;
    if (sum == 0)
        return 1;
    while (kept < n && (sum <= keep || keep >= 1))
        sum += ratios[kept++];
    return kept;
}

static void find_covariance(double *covariance, const struct pca *pca,
                            const struct matrix *rows, const double *weights, double total)
{
    for (size_t i = 0; i < rows->rows; i++)
        add_outer(covariance, matrix_row(rows, i), pca->means, rows->columns,
                  (weights != NULL ? weights[i] : 1) / total);
}

int pca_init(struct pca *pca, const struct matrix *rows, const double *weights, double keep)
{
    size_t n = rows->columns;
    *pca = (struct pca){.means = calloc(n, sizeof *pca->means),
                        .ratios = calloc(n, sizeof *pca->ratios)};
    double *covariance = calloc(2 * n * n, sizeof *covariance);
    if (matrix_init(&pca->components, n, n) != 0 || pca->means == NULL || pca->ratios == NULL ||
        covariance == NULL) {
        free(covariance);
        pca_finish(pca);
        return -1;
    }
    find_covariance(covariance, pca, rows, weights, find_means(pca->means, rows, weights));
    double *vectors = covariance + n * n;
    eigen_symmetric(covariance, vectors, n);
    take_components(pca, vectors, covariance);
    pca->kept = count_kept(pca->ratios, n, keep);
    free(covariance);
    return 0;
}

void pca_finish(struct pca *pca)
{
    matrix_finish(&pca->components);
    free(pca->means);
    free(pca->ratios);
    *pca = (struct pca){0};
}

int pca_project(const struct pca *pca, const struct matrix *rows, struct matrix *out)
{
    if (matrix_init(out, rows->rows, pca->kept) != 0)
        return -1;
    for (size_t i = 0; i < rows->rows; i++)
        for (size_t k = 0; k < pca->kept; k++)
            for (size_t c = 0; c < rows->columns; c++)
                matrix_row(out, i)[k] += matrix_row(&pca->components, k)[c] *
                                         (matrix_row(rows, i)[c] - pca->means[c]);
    return 0;
}
