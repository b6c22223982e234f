/* A library to preload (LD_PRELOAD) that lets allocations of a program fail, as if memory had
 * run out. Variables of the environment say which:
 *
 *     FAIL_AT=N   the N-th one that counts fails, from 1
 *     FAIL_FROM=N the N-th one that counts and all later ones fail
 *     KILL_AT=N   the program is killed there instead
 *     FAIL_ALL=1  those of all libraries count, not only of the program and of libc
 *     FAIL_LOG=F  F gets 32-bit numbers: the count, then for each allocation one of its place:
 *                 the call in the program and those that led to it */
#define _GNU_SOURCE /* dl_iterate_phdr */
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <link.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define LOGGED (1 << 22) /* most allocations in a log */
#define FRAMES 24        /* calls looked at, */
#define PLACE  3         /* and those of the program that are told apart */

/* glibc's own allocator, which needs no search for symbols. */
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *old, size_t size);
void *__libc_memalign(size_t alignment, size_t size);

struct region {
    uintptr_t begin, end;
};

static struct region program, libc;
static atomic_uint counted;
static uint32_t *logged;
static unsigned fail_at, fail_from, kill_at;
static bool counts, counts_all;

static bool contains(struct region region, uintptr_t address)
{
    return address >= region.begin && address < region.end;
}

static int find_regions(struct dl_phdr_info *info, size_t size, void *data)
{
    struct region found = {UINTPTR_MAX, 0};
    for (unsigned i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *header = &info->dlpi_phdr[i];
        uintptr_t begin = info->dlpi_addr + header->p_vaddr;
        if (header->p_type != PT_LOAD)
            continue;
        found.begin = begin < found.begin ? begin : found.begin;
        found.end = begin + header->p_memsz > found.end ? begin + header->p_memsz : found.end;
    }
    if (program.end == 0) /* it comes first */
        program = found;
    if (contains(found, (uintptr_t)&strtol))
        libc = found;
    return 0;
}

static unsigned number_in(const char *variable)
{
    const char *text = getenv(variable);
    return text != NULL ? (unsigned)strtoul(text, NULL, 10) : 0;
}

__attribute__((constructor)) static void begin(void)
{
    const char *log = getenv("FAIL_LOG");
    dl_iterate_phdr(find_regions, NULL);
    fail_at = number_in("FAIL_AT");
    fail_from = number_in("FAIL_FROM");
    kill_at = number_in("KILL_AT");
    counts_all = number_in("FAIL_ALL") != 0;
    if (log != NULL) {
        void *first;
        backtrace(&first, 1); /* loads what it needs */
        size_t bytes = (LOGGED + 1) * sizeof *logged;
        int file = open(log, O_RDWR | O_CREAT | O_TRUNC, 0666);
        if (file < 0 || ftruncate(file, (off_t)bytes) != 0)
            abort();
        logged = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
        close(file);
    }
    unsetenv("LD_PRELOAD"); /* programs that it starts are not tested */
    counts = true;
}

/* A number for the innermost calls in the program. */
static uint32_t place(void)
{
    void *frames[FRAMES];
    uint32_t hash = 0;
    int count = backtrace(frames, FRAMES);
    for (int i = 0, left = PLACE; i < count && left > 0; i++)
        if (contains(program, (uintptr_t)frames[i])) {
            hash = hash * 31 + (uint32_t)((uintptr_t)frames[i] - program.begin);
            left--;
        }
    return hash;
}

/* Whether the allocation asked for by the code at CALLER is to fail. */
static bool fails(const void *caller)
{
    uintptr_t address = (uintptr_t)caller;
    if (!counts || !(counts_all || contains(program, address) || contains(libc, address)))
        return false;
    unsigned number = atomic_fetch_add(&counted, 1) + 1;
    if (logged != NULL && number <= LOGGED) {
        counts = false;
        logged[number] = place();
        counts = true;
        logged[0] = number;
    }
    if (number == kill_at)
        raise(SIGKILL);
    bool failing = number == fail_at || (fail_from != 0 && number >= fail_from);
    if (failing)
        errno = ENOMEM;
    return failing;
}

#define FAILS() fails(__builtin_return_address(0))

#pragma GCC visibility push(default) /* they take the place of libc's */

/* Nobody pulls the plug: tests do not wait for disks. */
int fsync(int fd)
{
    return fcntl(fd, F_GETFD) < 0 ? -1 : 0;
}

int fdatasync(int fd)
{
    return fsync(fd);
}

void *malloc(size_t size)
{
    return FAILS() ? NULL : __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
    return FAILS() ? NULL : __libc_calloc(count, size);
}

void *realloc(void *old, size_t size)
{
    return FAILS() ? NULL : __libc_realloc(old, size);
}

void *reallocarray(void *old, size_t count, size_t size)
{
    return FAILS() ? NULL : __libc_realloc(old, count * size);
}

void *aligned_alloc(size_t alignment, size_t size)
{
    return FAILS() ? NULL : __libc_memalign(alignment, size);
}
