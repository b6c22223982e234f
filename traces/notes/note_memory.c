/* Lines of lists that say which memory was written: "# copy", "# set" and "# written". */
#include <string.h>

#include "traces/notes.h"
#include "traces/text/scan.h"

/* What a line says. */
struct note_memory {
    uint64_t address, bytes;
    bool whole; /* it is one piece of memory: no rows, no CUDA array */
};

/* Moves *AT past WORDS. */
static bool take(const char **at, const char *words)
{
    size_t n = strlen(words);
    bool there = strncmp(*at, words, n) == 0;
    *at += there ? n : 0;
    return there;
}

/* Moves *AT past a number: decimal unless it begins with 0x. */
static bool take_number(const char **at, uint64_t *number)
{
    bool hex = (*at)[0] == '0' && (*at)[1] == 'x';
    const char *end =
        hex ? scan_hex(*at + 2, 16, number) : scan_decimal(*at, UINT64_MAX, number);
    *at = end != NULL ? end : *at;
    return end != NULL;
}

/* Moves *AT past KEY and COUNT numbers that commas separate. */
static bool take_list(const char **at, const char *key, int count)
{
    uint64_t number;
    if (!take(at, key))
        return false;
    for (int i = 0; i < count; i++)
        if ((i > 0 && !take(at, ",")) || !take_number(at, &number))
            return false;
    return true;
}

/* The bytes that MEMORY, in one piece so far, has from its address on. */
static bool take_bytes(const char **at, struct note_memory *memory)
{
    const char *start = *at + 1;
    if (!take(at, " ") || !take_number(at, &memory->bytes))
        return false;
    if (!memory->whole || memory->bytes <= UINT64_MAX - memory->address)
        return true;
    *at = start; /* beyond the last address */
    return false;
}

/* One end of a copy: an address, or an array. */
static bool take_place(const char **at, struct note_memory *memory, uint64_t *address)
{
    if (take(at, " array")) {
        memory->whole = false;
        return true;
    }
    return take(at, " ") && take_number(at, address);
}

static bool read_copy(const char **at, struct note_memory *memory)
{
    uint64_t source;
    if (!take(at, " to") || !take_place(at, memory, &memory->address) || !take(at, " from") ||
        !take_place(at, memory, &source) || !take_bytes(at, memory))
        return false;
    if (strncmp(*at, " row", 4) != 0)
        return true;
    memory->whole = false;
    return take_list(at, " row=", 1) && take_list(at, " rows=", 2) &&
           take_list(at, " pitch=", 2) && take_list(at, " plane=", 2);
}

static bool read_written(const char **at, struct note_memory *memory)
{
    return take(at, " ") && take_number(at, &memory->address) && take_bytes(at, memory);
}

static bool read_set(const char **at, struct note_memory *memory)
{
    if (!read_written(at, memory))
        return false;
    if (strncmp(*at, " row", 4) != 0)
        return true;
    memory->whole = false;
    return take_list(at, " row=", 1) && take_list(at, " rows=", 1) &&
           take_list(at, " pitch=", 1);
}

static const struct note_form {
    const char *word;
    bool (*read)(const char **at, struct note_memory *memory); /* what follows the word */
    const char *form;
} forms[] = {
    {"copy", read_copy, "# copy to <address> from <address> <bytes>"},
    {"set", read_set, "# set <address> <bytes>"},
    {"written", read_written, "# written <address> <bytes>"},
};

/* Whether what follows the word of a form can be nothing but a comment: it is there, and it has
 * no number. */
static bool is_prose(const char *rest)
{
    return *scan_blanks(rest) != '\0' && strpbrk(rest, "0123456789") == NULL;
}

/* The form that LINE should have by its first word; NULL: none. */
static const struct note_form *form_of(const char *line)
{
    const char *at = scan_blanks(line);
    if (*at != '#')
        return NULL;
    at = scan_blanks(at + 1);
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        const char *end = at;
        if (take(&end, forms[i].word) && (*end == '\0' || scan_is_blank(*end)))
            return is_prose(end) ? NULL : &forms[i];
    }
    return NULL;
}

/* Reads LINE into MEMORY. Returns where it departs from FORM; NULL: nowhere. */
static const char *read_line(const struct note_form *form, const char *line,
                             struct note_memory *memory)
{
    const char *at = line;
    *memory = (struct note_memory){.whole = true};
    if (!take(&at, "# ") || !take(&at, form->word) || !form->read(&at, memory))
        return at;
    at = scan_blanks(at);
    return *at != '\0' ? at : NULL;
}

bool trace_note_written(const char *line, uint64_t *address, uint64_t *bytes)
{
    struct note_memory memory;
    const struct note_form *form = form_of(line);
    if (form == NULL || read_line(form, line, &memory) != NULL || !memory.whole)
        return false;
    *address = memory.address;
    *bytes = memory.bytes;
    return true;
}

const char *trace_note_wrong(const char *line, const char **expected)
{
    struct note_memory memory;
    const struct note_form *form = form_of(line);
    if (form == NULL)
        return NULL;
    *expected = form->form;
    return read_line(form, line, &memory);
}
