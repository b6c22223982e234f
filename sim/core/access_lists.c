#include "sim/core/access_lists.h"

#include "traces/base/process/heap.h"

bool access_lists_init(struct access_lists *lists)
{
    lists->free = ~0ull;
    lists->lists = heap_sparse(SM_LISTS * sizeof *lists->lists);
    return lists->lists != NULL;
}

void access_lists_finish(struct access_lists *lists)
{
    heap_free_sparse(lists->lists, SM_LISTS * sizeof *lists->lists);
    lists->lists = NULL;
}
