/* Lloyd's iteration with the bound of "Making k-means Even Faster" (Hamerly, 2010). Centres
 * move by known distances; a row that is still nearer to its own centre than to any other one
 * keeps its label without further checks. Distances to the own centre are always computed, and
 * bounds are lowered by more than rounding errors, so labels, centres and inertia are
 * identical to those of the plain iteration. */
#include "sampling/math/lloyd.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* More than the relative error of distances and of sums of some hundred terms. */
#define SLACK 1e-11

/* What is kept from one iteration to the next. */
struct state {
    struct matrix sums;   /* for the next centres */
    double *weights;      /* of each cluster's rows */
    double *distances;    /* of each row to its centre, squared */
    double *others;       /* for each row: all other centres are farther than this */
    double *moved;        /* how far each centre moved in the last iteration */
    struct matrix turned; /* the centres, one row per feature */
    double *to;           /* from a row to each centre, squared */
};

static void state_finish(struct state *state)
{
    matrix_finish(&state->sums);
    free(state->weights);
    free(state->distances);
    free(state->others);
    free(state->moved);
    matrix_finish(&state->turned);
    free(state->to);
}

static int state_init(struct state *state, size_t rows, size_t k, size_t columns)
{
    *state = (struct state){.weights = calloc(k, sizeof *state->weights),
                            .distances = calloc(rows, sizeof *state->distances),
                            .others = calloc(rows, sizeof *state->others),
                            .moved = calloc(k, sizeof *state->moved),
                            .to = calloc(k, sizeof *state->to)};
    if (matrix_init(&state->sums, k, columns) == 0 &&
        matrix_init(&state->turned, columns, k) == 0 && state->weights != NULL &&
        state->distances != NULL && state->others != NULL && state->moved != NULL &&
        state->to != NULL)
        return 0;
    state_finish(state);
    return -1;
}

/* Distances of ROW to all centres. The loop over features is outside, so that centres are
 * computed in parallel; each sum has the order of square_distance(). */
static void all_distances(const struct state *state, const double *row)
{
    size_t k = state->turned.columns;
    double *restrict to = state->to;
    memset(to, 0, k * sizeof *to);
    for (size_t f = 0; f < state->turned.rows; f++) {
        const double *restrict feature = matrix_row(&state->turned, f);
        double x = row[f];
        for (size_t c = 0; c < k; c++)
            to[c] += (x - feature[c]) * (x - feature[c]);
    }
}

/* The first of the nearest centres. OTHERS gets a lower bound of the distance to the
 * others. */
static uint32_t nearest_centre(const struct state *state, const double *row, double *distance,
                               double *others)
{
    uint32_t best = 0;
    double least = INFINITY, second = INFINITY;
    all_distances(state, row);
    for (uint32_t c = 0; c < state->turned.columns; c++) {
        double d = state->to[c];
        if (d < least) {
            second = least;
            least = d;
            best = c;
        } else if (d < second) {
            second = d;
        }
    }
    *distance = least;
    *others = sqrt(second) * (1 - SLACK);
    return best;
}

static void turn(struct state *state, const struct matrix *centres)
{
    for (size_t c = 0; c < centres->rows; c++)
        for (size_t f = 0; f < centres->columns; f++)
            matrix_row(&state->turned, f)[c] = matrix_row(centres, c)[f];
}

static void add_row(struct state *state, uint32_t to, const double *row, double weight)
{
    double *sum = matrix_row(&state->sums, to);
    for (size_t c = 0; c < state->sums.columns; c++)
        sum[c] += weight * row[c];
    state->weights[to] += weight;
}

/* The farthest move of a centre, and the farthest of the other centres. */
static void farthest_moves(const struct state *state, uint32_t *farthest, double *most,
                           double *next)
{
    *farthest = 0;
    *most = *next = 0;
    for (uint32_t c = 0; c < state->sums.rows; c++) {
        double moved = state->moved[c] * (1 + SLACK);
        if (moved > *most) {
            *next = *most;
            *most = moved;
            *farthest = c;
        } else if (moved > *next) {
            *next = moved;
        }
    }
}

/* Labels all rows and sums them up; returns how many changed their label. */
static size_t assign(struct kmeans *kmeans, const struct points *points, struct state *state)
{
    size_t changed = 0, n = points->rows->columns;
    uint32_t farthest;
    double most, next, inertia = 0;
    farthest_moves(state, &farthest, &most, &next);
    turn(state, &kmeans->centres);
    memset(state->sums.values, 0, state->sums.rows * n * sizeof *state->sums.values);
    memset(state->weights, 0, state->sums.rows * sizeof *state->weights);
    for (size_t i = 0; i < points->rows->rows; i++) {
        const double *row = matrix_row(points->rows, i);
        uint32_t label = kmeans->labels[i];
        double weight = point_weight(points, i);
        double d = square_distance(row, matrix_row(&kmeans->centres, label), n);
        state->others[i] -= label == farthest ? next : most;
        double others = state->others[i];
        if (!(others > 0 && d < others * others))
            label = nearest_centre(state, row, &d, &state->others[i]);
        changed += kmeans->labels[i] != label;
        kmeans->labels[i] = label;
        state->distances[i] = d;
        inertia += weight * d;
        add_row(state, label, row, weight);
    }
    kmeans->inertia = inertia;
    return changed;
}

/* Moves an empty cluster to the row that is farthest from its own centre, unless all rows are
 * centres. Returns whether it did. */
static bool fill_empty(struct kmeans *kmeans, const struct points *points, struct state *state)
{
    bool any = false;
    for (uint32_t c = 0; c < kmeans->centres.rows; c++) {
        if (state->weights[c] > 0)
            continue;
        size_t far = 0;
        for (size_t i = 1; i < points->rows->rows; i++)
            if (state->distances[i] > state->distances[far])
                far = i;
        if (state->distances[far] == 0)
            break;
        const double *row = matrix_row(points->rows, far);
        add_row(state, kmeans->labels[far], row, -point_weight(points, far));
        add_row(state, c, row, point_weight(points, far));
        kmeans->labels[far] = c;
        state->distances[far] = 0;
        state->others[far] = 0; /* unknown */
        any = true;
    }
    return any;
}

/* Moves centres to the mean of their rows; returns how far they moved. */
static double move(struct kmeans *kmeans, const struct points *points, struct state *state,
                   bool *filled)
{
    size_t n = kmeans->centres.columns;
    double all = 0;
    *filled = fill_empty(kmeans, points, state);
    for (size_t k = 0; k < state->sums.rows; k++) {
        double *centre = matrix_row(&kmeans->centres, k), *sum = matrix_row(&state->sums, k);
        double moved = 0;
        for (size_t c = 0; c < n && state->weights[k] > 0; c++) {
            double x = sum[c] / state->weights[k];
            double square = (x - centre[c]) * (x - centre[c]);
            moved += square;
            all += square;
            centre[c] = x;
        }
        state->moved[k] = sqrt(moved);
    }
    return all;
}

int lloyd(struct kmeans *kmeans, const struct points *points, unsigned iterations,
          double tolerance)
{
    struct state state;
    if (state_init(&state, points->rows->rows, kmeans->centres.rows, points->rows->columns) !=
        0)
        return -1;
    memset(kmeans->labels, 0, points->rows->rows * sizeof *kmeans->labels);
    assign(kmeans, points, &state);
    for (unsigned i = 0; i < iterations; i++) {
        bool filled;
        double moved = move(kmeans, points, &state, &filled);
        size_t changed = assign(kmeans, points, &state);
        if (!filled && (changed == 0 || moved <= tolerance))
            break;
    }
    state_finish(&state);
    return 0;
}
