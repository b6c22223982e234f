#include <math.h>
#include <stdlib.h>

#include "sampling/math/draw.h"
#include "sampling/math/score.h"

struct silhouette {
    const struct matrix *rows;
    const double *weights;
    const uint32_t *labels;
    size_t k;
    size_t *chosen; /* the rows that are used */
    size_t count;
    double *sizes; /* of clusters, of the chosen rows */
    double *sums;  /* of distances from a row to each cluster */
};

static double weight_of(const struct silhouette *s, size_t row)
{
    return s->weights != NULL ? s->weights[row] : 1;
}

static void sum_distances(struct silhouette *s, size_t row)
{
    const double *at = matrix_row(s->rows, row);
    for (size_t c = 0; c < s->k; c++)
        s->sums[c] = 0;
    for (size_t j = 0; j < s->count; j++) {
        size_t other = s->chosen[j];
        s->sums[s->labels[other]] +=
            weight_of(s, other) *
            sqrt(square_distance(at, matrix_row(s->rows, other), s->rows->columns));
    }
}

static double of_row(struct silhouette *s, size_t row)
{
    uint32_t own = s->labels[row];
    if (s->sizes[own] <= 1)
        return 0;
    sum_distances(s, row);
    double a = s->sums[own] / (s->sizes[own] - 1), b = INFINITY;
    for (size_t c = 0; c < s->k; c++)
        if (c != own && s->sizes[c] > 0)
            b = fmin(b, s->sums[c] / s->sizes[c]);
    if (isinf(b) || fmax(a, b) == 0)
        return 0;
    return (b - a) / fmax(a, b);
}

static double mean_silhouette(struct silhouette *s)
{
    double sum = 0, total = 0;
    for (size_t j = 0; j < s->count; j++)
        s->sizes[s->labels[s->chosen[j]]] += weight_of(s, s->chosen[j]);
    for (size_t j = 0; j < s->count; j++) {
        double w = weight_of(s, s->chosen[j]);
        sum += w * of_row(s, s->chosen[j]);
        total += w;
    }
    return sum / total;
}

double score_silhouette(const struct matrix *rows, const double *weights,
                        const uint32_t *labels, size_t k, size_t limit, uint64_t seed)
{
    struct silhouette s = {.rows = rows,
                           .weights = weights,
                           .labels = labels,
                           .k = k,
                           .chosen = malloc((rows->rows + 1) * sizeof *s.chosen),
                           .count = rows->rows < limit ? rows->rows : limit,
                           .sizes = calloc(k, sizeof *s.sizes),
                           .sums = calloc(k, sizeof *s.sums)};
    double result = NAN;
    if (k > 1 && s.chosen != NULL && s.sizes != NULL && s.sums != NULL) {
        struct random random;
        random_init(&random, seed, 0);
        if (rows->rows > limit)
            draw_order(&random, s.chosen, rows->rows);
        for (size_t i = 0; i < rows->rows && rows->rows <= limit; i++)
            s.chosen[i] = i;
        result = mean_silhouette(&s);
    }
    free(s.chosen);
    free(s.sizes);
    free(s.sums);
    return result;
}
