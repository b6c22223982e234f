#define _GNU_SOURCE /* dl_iterate_phdr */
#include "traces/base/process/build_id.h"

#include <elf.h>
#include <link.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* Notes consist of words; so do the lengths of names and descriptions. */
static size_t padded(size_t size)
{
    return (size + 3) & ~(size_t)3;
}

/* Looks for the ID among the notes from AT to END. */
static bool find_id(const uint8_t *at, const uint8_t *end, char text[BUILD_ID_TEXT])
{
    ElfW(Nhdr) note;
    while ((size_t)(end - at) >= sizeof note) {
        memcpy(&note, at, sizeof note);
        const uint8_t *name = at + sizeof note, *id = name + padded(note.n_namesz);
        if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == sizeof ELF_NOTE_GNU &&
            memcmp(name, ELF_NOTE_GNU, sizeof ELF_NOTE_GNU) == 0 &&
            2 * note.n_descsz < BUILD_ID_TEXT) {
            for (uint32_t i = 0; i < note.n_descsz; i++)
                sprintf(text + 2 * i, "%02x", id[i]);
            return true;
        }
        at = id + padded(note.n_descsz);
    }
    return false;
}

/* Whether OBJECT has this code. */
static bool is_ours(const struct dl_phdr_info *object)
{
    uintptr_t here = (uintptr_t)is_ours;
    for (int i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &object->dlpi_phdr[i];
        uintptr_t start = object->dlpi_addr + part->p_vaddr;
        if (part->p_type == PT_LOAD && here >= start && here - start < part->p_memsz)
            return true;
    }
    return false;
}

static int look(struct dl_phdr_info *object, size_t size, void *text)
{
    (void)size;
    if (!is_ours(object))
        return 0;
    for (int i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &object->dlpi_phdr[i];
        const uint8_t *notes = (const uint8_t *)(object->dlpi_addr + part->p_vaddr);
        if (part->p_type == PT_NOTE && find_id(notes, notes + part->p_memsz, text))
            break;
    }
    return 1;
}

void build_id(char text[BUILD_ID_TEXT])
{
    text[0] = '\0';
    dl_iterate_phdr(look, text);
}
