#include "traces/text/scan.h"

/* Ten digits, then what lies between '9' and 'A' and so on. */
#define NO4  16, 16, 16, 16
#define NO16 NO4, NO4, NO4, NO4
#define NO64 NO16, NO16, NO16, NO16
#define AF   16, 10, 11, 12, 13, 14, 15, 16, NO4, NO4

const uint8_t scan_hex_digit[256] = {
    NO16, NO16, NO16,                                      /* 00-2f */
    0,    1,    2,    3,    4, 5, 6, 7, 8, 9, 16, 16, NO4, /* 30-3f */
    AF,   NO16, AF,   NO16,                                /* 40-7f */
    NO64, NO64,
};
