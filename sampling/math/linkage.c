#include "sampling/math/linkage.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sampling/math/chain.h"
#include "sampling/math/parts.h"

/* How often boxes may be halved. */
#define HALVINGS 30
#define MARGIN   (1 - 1e-9)

/* The clusters so far, of distinct rows. */
struct linkage_work {
    const struct matrix *rows;
    double threshold;
    size_t limit;
    uint32_t *labels, next;
    size_t coarse;
};

/* ---- boxes ------------------------------------------------------------- */

static void boxes_finish(struct boxes *boxes)
{
    matrix_finish(&boxes->low);
    matrix_finish(&boxes->high);
}

/* The bounding boxes of the rows of each group; OF is the group of each row. */
static int boxes_init(struct boxes *boxes, const struct matrix *rows, const uint32_t *of,
                      size_t groups)
{
    *boxes = (struct boxes){0};
    if (matrix_init(&boxes->low, groups, rows->columns) != 0 ||
        matrix_init(&boxes->high, groups, rows->columns) != 0) {
        boxes_finish(boxes);
        return -1;
    }
    for (size_t i = 0; i < groups * rows->columns; i++) {
        boxes->low.values[i] = INFINITY;
        boxes->high.values[i] = -INFINITY;
    }
    for (size_t i = 0; i < rows->rows; i++)
        for (size_t c = 0; c < rows->columns; c++) {
            double x = matrix_row(rows, i)[c];
            double *low = &matrix_row(&boxes->low, of[i])[c];
            double *high = &matrix_row(&boxes->high, of[i])[c];
            *low = fmin(*low, x);
            *high = fmax(*high, x);
        }
    return 0;
}

/* Assigns each row to a box. Boxes are the smallest ones that number at most LIMIT, or else
 * the widest that the threshold allows. */
static int find_boxes(struct distinct *groups, const struct matrix *rows, double threshold,
                      size_t limit)
{
    double edge = threshold / sqrt((double)rows->columns) * MARGIN;
    struct matrix places;
    if (cells_init(groups, &places, rows, rows->columns, edge) != 0)
        return -1;
    matrix_finish(&places);
    for (int i = 0; i < HALVINGS && groups->count <= limit; i++) {
        struct distinct finer;
        edge /= 2;
        if (cells_init(&finer, &places, rows, rows->columns, edge) != 0) {
            distinct_finish(groups);
            return -1;
        }
        matrix_finish(&places);
        if (finer.count > limit) {
            distinct_finish(&finer);
            break;
        }
        distinct_finish(groups);
        *groups = finer;
    }
    return 0;
}

/* ---- parts ------------------------------------------------------------- */

static int copy_rows(struct matrix *out, const struct linkage_work *work,
                     const uint32_t *members, size_t count)
{
    if (matrix_init(out, count, work->rows->columns) != 0)
        return -1;
    for (size_t i = 0; i < count; i++)
        memcpy(matrix_row(out, i), matrix_row(work->rows, members[i]),
               out->columns * sizeof *out->values);
    return 0;
}

static int cluster_exactly(struct linkage_work *work, const uint32_t *members, size_t count)
{
    struct boxes boxes = {0};
    uint32_t *labels = malloc(count * sizeof *labels);
    int status = labels == NULL || copy_rows(&boxes.low, work, members, count) != 0 ? -1 : 0;
    boxes.high = boxes.low;
    if (status == 0)
        status = chain_cluster(&boxes, 0, count, work->threshold, labels);
    for (size_t i = 0; i < count && status == 0; i++)
        work->labels[members[i]] = work->next + labels[i];
    work->next += (uint32_t)count;
    matrix_finish(&boxes.low);
    free(labels);
    return status;
}

/* A box, for sorting by the first feature, then the second, and so on. */
struct ordered_box {
    const double *at;
    size_t columns;
    uint32_t number;
};

static int by_place(const void *left, const void *right)
{
    const struct ordered_box *a = left, *b = right;
    for (size_t c = 0; c < a->columns; c++)
        if (a->at[c] != b->at[c])
            return a->at[c] < b->at[c] ? -1 : 1;
    return a->number < b->number ? -1 : 1;
}

/* Renumbers the groups of ROWS by their place. */
static int order_groups(struct distinct *groups, const struct matrix *rows)
{
    struct ordered_box *order = malloc(groups->count * sizeof *order);
    uint32_t *rank = malloc(groups->count * sizeof *rank);
    if (order == NULL || rank == NULL) {
        free(order);
        free(rank);
        return -1;
    }
    for (uint32_t i = 0; i < groups->count; i++)
        order[i] = (struct ordered_box){matrix_row(rows, groups->first[i]), rows->columns, i};
    qsort(order, groups->count, sizeof *order, by_place);
    for (uint32_t i = 0; i < groups->count; i++)
        rank[order[i].number] = i;
    for (size_t i = 0; i < rows->rows; i++)
        groups->of[i] = rank[groups->of[i]];
    free(order);
    free(rank);
    return 0;
}

static int cluster_boxes(const struct linkage_work *work, const struct boxes *boxes,
                         uint32_t *labels)
{
    size_t count = boxes->low.rows;
    for (size_t from = 0; from < count; from += work->limit) {
        size_t n = count - from < work->limit ? count - from : work->limit;
        if (chain_cluster(boxes, from, n, work->threshold, labels + from) != 0)
            return -1;
        for (size_t i = from; i < from + n; i++)
            labels[i] += (uint32_t)from;
    }
    return 0;
}

static int cluster_coarsely(struct linkage_work *work, const uint32_t *members, size_t count)
{
    struct matrix rows = {0};
    struct distinct groups = {0};
    struct boxes boxes = {0};
    uint32_t *labels = NULL;
    int status = -1;
    if (copy_rows(&rows, work, members, count) == 0 &&
        find_boxes(&groups, &rows, work->threshold, work->limit) == 0 &&
        order_groups(&groups, &rows) == 0 &&
        boxes_init(&boxes, &rows, groups.of, groups.count) == 0 &&
        (labels = malloc(groups.count * sizeof *labels)) != NULL)
        status = cluster_boxes(work, &boxes, labels);
    for (size_t i = 0; i < count && status == 0; i++)
        work->labels[members[i]] = work->next + labels[groups.of[i]];
    work->next += (uint32_t)groups.count;
    work->coarse += count;
    matrix_finish(&rows);
    distinct_finish(&groups);
    boxes_finish(&boxes);
    free(labels);
    return status;
}

static int cluster_parts(struct linkage_work *work)
{
    struct parts parts;
    if (parts_init(&parts, work->rows, work->threshold) != 0)
        return -1;
    int status = 0;
    for (size_t p = 0; p < parts.count && status == 0; p++) {
        const uint32_t *members = parts.rows + parts.starts[p];
        size_t count = parts.starts[p + 1] - parts.starts[p];
        status = count <= work->limit ? cluster_exactly(work, members, count)
                                      : cluster_coarsely(work, members, count);
    }
    parts_finish(&parts);
    return status;
}

/* ---- all rows ---------------------------------------------------------- */

/* Numbers clusters by their first row. */
static int renumber(struct linkage *linkage, const struct linkage_work *work,
                    const struct distinct *distinct, size_t rows)
{
    uint32_t *number = malloc(((size_t)work->next + 1) * sizeof *number);
    if (number == NULL)
        return -1;
    memset(number, 0xff, ((size_t)work->next + 1) * sizeof *number);
    for (size_t i = 0; i < rows; i++) {
        uint32_t *to = &number[work->labels[distinct->of[i]]];
        if (*to == UINT32_MAX)
            *to = (uint32_t)linkage->count++;
        linkage->labels[i] = *to;
        linkage->coarse = work->coarse;
    }
    free(number);
    return 0;
}

static int cluster(struct linkage_work *work)
{
    if (work->threshold > 0 && work->rows->rows > 0)
        return cluster_parts(work);
    for (uint32_t i = 0; i < work->rows->rows; i++)
        work->labels[i] = work->next++;
    return 0;
}

int linkage_init(struct linkage *linkage, const struct matrix *rows, double threshold,
                 size_t limit)
{
    struct distinct distinct;
    struct matrix different = {0};
    *linkage = (struct linkage){.labels = calloc(rows->rows + 1, sizeof *linkage->labels)};
    if (linkage->labels == NULL || distinct_init(&distinct, rows) != 0) {
        linkage_finish(linkage);
        return -1;
    }
    struct linkage_work work = {.rows = &different,
                                .threshold = threshold,
                                .limit = limit > 0 ? limit : LINKAGE_LIMIT,
                                .labels = calloc(distinct.count + 1, sizeof *work.labels)};
    int status = -1;
    if (work.labels != NULL && distinct_rows(&distinct, rows, &different) == 0 &&
        cluster(&work) == 0)
        status = renumber(linkage, &work, &distinct, rows->rows);
    free(work.labels);
    matrix_finish(&different);
    distinct_finish(&distinct);
    if (status != 0)
        linkage_finish(linkage);
    return status;
}

void linkage_finish(struct linkage *linkage)
{
    free(linkage->labels);
    *linkage = (struct linkage){0};
}
