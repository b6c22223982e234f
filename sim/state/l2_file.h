/* The format of files with the contents of L2: l2_file.c writes them, l2_restore.c reads them.
 */
#ifndef HEARTH_SIM_STATE_L2_FILE_H
#define HEARTH_SIM_STATE_L2_FILE_H

#include "sim/simulator.h"

#define L2_FILE_MAGIC 8 /* bytes */
extern const char l2_file_magic[L2_FILE_MAGIC];

/* Versions: the first one with a seal, and what later ones have besides. */
#define L2_FILE_OLDEST     3
#define L2_FILE_WITH_L1    4
#define L2_FILE_WITH_CODE  5 /* after L2 a byte says whether L1 follows */
#define L2_FILE_WITH_PAGES 6 /* the byte says what follows before the pages */
/* Lines of code are on their way: when they arrive comes after the caches of instructions. */
#define L2_FILE_WITH_COMING 7

/* What the byte names. */
#define L2_FILE_HAS_L1    1u
#define L2_FILE_HAS_CODE  2u
#define L2_FILE_HAS_PAGES 4u /* in L2_FILE_WITH_PAGES they always follow, and it is not set */

/* The bits that the byte may have in VERSION. */
uint32_t l2_file_byte_bits(uint64_t version);

/* What must be the same for a file to fit. */
#define L2_FILE_SHAPE 5
extern const char *const l2_file_shape_names[L2_FILE_SHAPE];
void l2_file_take_shape(const struct engine *engine, uint64_t values[L2_FILE_SHAPE]);
/* The same of L1. */
#define L2_FILE_L1_SHAPE 5
extern const char *const l2_file_l1_names[L2_FILE_L1_SHAPE];
void l2_file_take_l1_shape(const struct engine *engine, uint64_t values[L2_FILE_L1_SHAPE]);

#endif
