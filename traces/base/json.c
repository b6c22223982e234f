#include "traces/base/json.h"

#include <string.h>

#include "traces/base/text/number_text.h"
#include "traces/base/text/utf8.h"

void json_init(struct json *json, FILE *out)
{
    json->out = out;
    json->depth = json->flat = 0;
    json->filled = false;
    json->used = 0;
}

static void flush(struct json *json)
{
    fwrite(json->buffer, 1, json->used, json->out);
    json->used = 0;
}

static void put(struct json *json, const char *text, size_t length)
{
    if (length > sizeof json->buffer - json->used)
        flush(json);
    if (length > sizeof json->buffer) {
        fwrite(text, 1, length, json->out);
        return;
    }
    memcpy(json->buffer + json->used, text, length);
    json->used += length;
}

static void put_text(struct json *json, const char *text)
{
    put(json, text, strlen(text));
}

/* How many bytes at AT need no escape. */
static size_t plain_length(const unsigned char *at)
{
    size_t length = 0;
    while (at[length] >= 0x20 && at[length] < 0x80 && at[length] != '"' && at[length] != '\\')
        length++;
    return length;
}

/* Writes what stands for the character at AT, which is LENGTH bytes long (0: invalid). */
static void put_character(struct json *json, const unsigned char *at, size_t length)
{
    char escape[8];
    if (length == 0) {
        put_text(json, "\\ufffd");
    } else if (*at == '"' || *at == '\\') {
        put(json, "\\", 1);
        put(json, (const char *)at, 1);
    } else if (*at < 0x20) {
        snprintf(escape, sizeof escape, "\\u%04x", *at);
        put_text(json, escape);
    } else {
        put(json, (const char *)at, length);
    }
}

static void quote(struct json *json, const char *text)
{
    put(json, "\"", 1);
    for (const unsigned char *at = (const unsigned char *)text;;) {
        size_t plain = plain_length(at);
        put(json, (const char *)at, plain);
        at += plain;
        if (*at == '\0')
            break;
        size_t length = utf8_length((const char *)at);
        put_character(json, at, length);
        at += length > 0 ? length : 1;
    }
    put(json, "\"", 1);
}

static void new_line(struct json *json)
{
    if (json->flat != 0 && json->depth >= json->flat)
        return;
    put(json, "\n", 1);
    for (int i = 0; i < json->depth; i++)
        put(json, "  ", 2);
}

/* Writes what comes before a member or an element. */
static void next(struct json *json)
{
    bool line = json->flat != 0 && json->depth >= json->flat;
    if (json->filled)
        put(json, ", ", line ? 2 : 1);
    if (json->depth > 0)
        new_line(json);
    json->filled = true;
}

/* Writes what comes before a value. */
static void begin(struct json *json, const char *key)
{
    next(json);
    if (key != NULL) {
        quote(json, key);
        put(json, ": ", 2);
    }
}

void json_open(struct json *json, const char *key, char bracket)
{
    begin(json, key);
    put(json, &bracket, 1);
    json->depth++;
    json->filled = false;
}

void json_open_line(struct json *json, const char *key, char bracket)
{
    json_open(json, key, bracket);
    if (json->flat == 0)
        json->flat = json->depth;
}

void json_close(struct json *json, char bracket)
{
    bool line = json->flat != 0 && json->depth >= json->flat;
    json->depth--;
    if (json->filled && !line)
        new_line(json);
    if (json->depth < json->flat)
        json->flat = 0;
    put(json, &bracket, 1);
    json->filled = true;
    if (json->depth == 0) {
        put(json, "\n", 1);
        flush(json);
    }
}

void json_text(struct json *json, const char *key, const char *text)
{
    begin(json, key);
    quote(json, text);
}

void json_bool(struct json *json, const char *key, bool value)
{
    json_raw(json, key, value ? "true" : "false");
}

void json_count(struct json *json, const char *key, uint64_t value)
{
    char text[NUMBER_TEXT];
    json_raw(json, key, number_text_count(value, text));
}

void json_number(struct json *json, const char *key, double value, int digits)
{
    char text[512];
    snprintf(text, sizeof text, "%.*f", digits, value);
    json_raw(json, key, text);
}

void json_raw(struct json *json, const char *key, const char *text)
{
    begin(json, key);
    put_text(json, text);
}

void json_key_init(struct json_key *key, const char *name)
{
    size_t length = strlen(name);
    *key = (struct json_key){.name = name};
    if (plain_length((const unsigned char *)name) == length &&
        length + sizeof ", \"\": " <= sizeof key->quoted)
        key->length = (uint8_t)snprintf(key->quoted, sizeof key->quoted, ", \"%s\": ", name);
}

static void begin_known(struct json *json, const struct json_key *key)
{
    bool follows = json->filled && json->flat != 0 && json->depth >= json->flat;
    if (key->length == 0) {
        begin(json, key->name);
    } else if (!follows) {
        next(json);
        put(json, key->quoted + 2, key->length - 2u);
    } else if (sizeof key->quoted <= sizeof json->buffer - json->used) {
        /* All of it, as a copy of a constant length is quicker. */
        memcpy(json->buffer + json->used, key->quoted, sizeof key->quoted);
        json->used += key->length;
    } else {
        put(json, key->quoted, key->length);
    }
}

void json_key_text(struct json *json, const struct json_key *key, const char *text)
{
    begin_known(json, key);
    quote(json, text);
}

void json_key_raw(struct json *json, const struct json_key *key, const char *text,
                  size_t length)
{
    begin_known(json, key);
    put(json, text, length);
}
