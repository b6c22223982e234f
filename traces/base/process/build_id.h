/* Which build of the program this is. */
#ifndef HEARTH_TRACES_BASE_PROCESS_BUILD_ID_H
#define HEARTH_TRACES_BASE_PROCESS_BUILD_ID_H

#define BUILD_ID_TEXT 65

/* The linker's build ID of the program or library that has this code, in hexadecimal: equal for
 * equal contents, wherever it lies. "" if it was linked without one. Source: the note
 * NT_GNU_BUILD_ID of ELF files. */
void build_id(char text[BUILD_ID_TEXT]);

#endif
