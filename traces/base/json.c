#include "traces/base/json.h"

#include <inttypes.h>

void json_init(struct json *json, FILE *out)
{
    *json = (struct json){.out = out};
}

/* The length of the UTF-8 character at AT; 0 if it is invalid. */
static int utf8_length(const unsigned char *at)
{
    int length = at[0] < 0x80                    ? 1
                 : at[0] >= 0xc2 && at[0] < 0xe0 ? 2
                 : at[0] >= 0xe0 && at[0] < 0xf0 ? 3
                 : at[0] >= 0xf0 && at[0] < 0xf5 ? 4
                                                 : 0;
    for (int i = 1; i < length; i++)
        if ((at[i] & 0xc0) != 0x80)
            return 0;
    return length;
}

/* How many bytes at AT need no escape. */
static size_t plain_length(const unsigned char *at)
{
    size_t length = 0;
    while (at[length] >= 0x20 && at[length] < 0x80 && at[length] != '"' && at[length] != '\\')
        length++;
    return length;
}

static void quote(FILE *out, const char *text)
{
    putc('"', out);
    for (const unsigned char *at = (const unsigned char *)text;;) {
        size_t plain = plain_length(at);
        fwrite(at, 1, plain, out);
        at += plain;
        if (*at == '\0')
            break;
        int length = utf8_length(at);
        if (length == 0)
            fputs("\\ufffd", out);
        else if (*at == '"' || *at == '\\')
            fprintf(out, "\\%c", *at);
        else if (*at < 0x20)
            fprintf(out, "\\u%04x", *at);
        else
            fwrite(at, 1, (size_t)length, out);
        at += length > 0 ? length : 1;
    }
    putc('"', out);
}

static void new_line(struct json *json)
{
    if (json->flat != 0 && json->depth >= json->flat)
        return;
    putc('\n', json->out);
    for (int i = 0; i < json->depth; i++)
        fputs("  ", json->out);
}

/* Writes what comes before a value. */
static void begin(struct json *json, const char *key)
{
    bool line = json->flat != 0 && json->depth >= json->flat;
    if (json->filled)
        fputs(line ? ", " : ",", json->out);
    if (json->depth > 0)
        new_line(json);
    if (key != NULL) {
        quote(json->out, key);
        fputs(": ", json->out);
    }
    json->filled = true;
}

void json_open(struct json *json, const char *key, char bracket)
{
    begin(json, key);
    putc(bracket, json->out);
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
    putc(bracket, json->out);
    json->filled = true;
    if (json->depth == 0)
        putc('\n', json->out);
}

void json_text(struct json *json, const char *key, const char *text)
{
    begin(json, key);
    quote(json->out, text);
}

void json_bool(struct json *json, const char *key, bool value)
{
    json_raw(json, key, value ? "true" : "false");
}

void json_count(struct json *json, const char *key, uint64_t value)
{
    begin(json, key);
    fprintf(json->out, "%" PRIu64, value);
}

void json_number(struct json *json, const char *key, double value, int digits)
{
    begin(json, key);
    fprintf(json->out, "%.*f", digits, value);
}

void json_raw(struct json *json, const char *key, const char *text)
{
    begin(json, key);
    fputs(text, json->out);
}
