#include "traces/base/process/stop.h"

#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int caught; /* workers read it while a handler writes it */

static void note_signal(int number)
{
    caught = number;
    signal(SIGINT, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
}

void stop_init(void)
{
    struct sigaction action = {.sa_handler = note_signal};
    if (caught != 0)
        return;
    sigemptyset(&action.sa_mask); /* one handler at a time */
    sigaddset(&action.sa_mask, SIGINT);
    sigaddset(&action.sa_mask, SIGTERM);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    /* A full disk or closed pipe is an error of the write, not the end. */
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
}

int stop_signal(void)
{
    return caught;
}

const char *stop_name(void)
{
    return caught == SIGINT ? "SIGINT" : "SIGTERM";
}

int stop_code(void)
{
    return 128 + caught;
}
