#pragma once
#include <getopt.h>

/* Swift 6 rejects C's mutable globals; these read and set them. */
static inline const char *milepost_optarg(void) { return optarg; }
static inline int milepost_optind(void) { return optind; }
static inline int milepost_optopt(void) { return optopt; }
static inline void milepost_getopt_reset(void) { optind = 0; opterr = 0; }
