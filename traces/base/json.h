/* A small JSON writer: commas, indentation and quoting. */
#ifndef HEARTH_TRACES_BASE_JSON_H
#define HEARTH_TRACES_BASE_JSON_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct json {
    FILE *out;
    int depth;
    bool filled; /* the open object or array holds something */
    int flat;    /* depth from which all stands in one line; 0: never */
};

void json_init(struct json *json, FILE *out);

/* Opens an object ('{') or array ('['), as the member KEY of an object or,
 * with KEY NULL, as an element or the whole. */
void json_open(struct json *json, const char *key, char bracket);
/* The same, all in one line. */
void json_open_line(struct json *json, const char *key, char bracket);
void json_close(struct json *json, char bracket);

void json_text(struct json *json, const char *key, const char *text);
void json_bool(struct json *json, const char *key, bool value);
void json_count(struct json *json, const char *key, uint64_t value);
/* DIGITS after the point. */
void json_number(struct json *json, const char *key, double value, int digits);
/* TEXT is written as it is: a number made elsewhere. */
void json_raw(struct json *json, const char *key, const char *text);

#endif
