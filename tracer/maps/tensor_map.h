/* tensor_map: what the bytes of a tensor map (CUtensorMap) say. Libraries such as cuBLAS make
 * their maps themselves, so that no call tells what is in them. NVIDIA does not document the
 * format: it was found with maps that a driver made from known arguments, and in parameters of
 * cuBLAS. */
#ifndef HEARTH_TRACER_MAPS_TENSOR_MAP_H
#define HEARTH_TRACER_MAPS_TENSOR_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus /* the tool is C++ */
extern "C" {
#endif

#define TENSOR_MAP_BYTES 128
/* The first ones describe the tensor. In maps that the driver makes, the others repeat some of
 * that; cuBLAS's maps have only the first, and the next map or other parameters follow. */
#define TENSOR_MAP_SHORT 64

struct tensor_map_note {
    uint8_t bytes[TENSOR_MAP_BYTES]; /* of the map; of a short one with zeros at its end */
    char text[1024]; /* the line of the list, as for a call that makes the map */
};

/* Fills NOTE from the SIZE bytes at BYTES, of which those after a map are passed over. Returns
 * false if they do not begin with a map that the driver or cuBLAS could have made. */
bool tensor_map_decode(const void *bytes, size_t size, struct tensor_map_note *note);

#ifdef __cplusplus
}
#endif

#endif
