/* A small JSON writer: commas, indentation and quotes. */
#ifndef HEARTH_TRACES_BASE_JSON_H
#define HEARTH_TRACES_BASE_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct json {
    FILE *out;
    int depth;
    bool filled; /* the open object or array is not empty */
    int flat;    /* depth from which everything is written in one line; 0: none */
    size_t used; /* bytes in `buffer`: written when the document ends */
    char buffer[4096];
};

/* A key that many objects have, quoted once. */
struct json_key {
    const char *name;
    uint8_t length;  /* of `quoted`; 0: the name is too long or has characters to escape */
    char quoted[63]; /* with the comma before it */
};

void json_init(struct json *json, FILE *out);

/* Opens an object ('{') or array ('['): the member KEY of an object; with KEY NULL, an element
 * of an array or the whole document. */
void json_open(struct json *json, const char *key, char bracket);
/* The same, written in one line. */
void json_open_line(struct json *json, const char *key, char bracket);
void json_close(struct json *json, char bracket);

void json_text(struct json *json, const char *key, const char *text);
void json_bool(struct json *json, const char *key, bool value);
void json_count(struct json *json, const char *key, uint64_t value);
/* Writes DIGITS digits after the point. */
void json_number(struct json *json, const char *key, double value, int digits);
/* Writes TEXT as it is, for example a formatted number. */
void json_raw(struct json *json, const char *key, const char *text);

/* NAME stays the caller's. */
void json_key_init(struct json_key *key, const char *name);
/* As json_text() and json_raw(); a raw TEXT has LENGTH bytes. */
void json_key_text(struct json *json, const struct json_key *key, const char *text);
void json_key_raw(struct json *json, const struct json_key *key, const char *text,
                  size_t length);

#endif
