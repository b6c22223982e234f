/* The script of pages: it sorts tables. */
#ifndef HEARTH_TOOLS_REPORT_PAGE_SCRIPT_H
#define HEARTH_TOOLS_REPORT_PAGE_SCRIPT_H

extern const char page_script[];

#endif
