#pragma once
#include <stdint.h>

/*
 * A disk in memory behind an sqlite3_vfs. It remembers what was written and not synced, and loses
 * it at a power cut; it fills up, and fails at chosen operations. One thread.
 */
typedef struct test_disk test_disk;

/* Registered with SQLite under this name, for ever: connections may outlive a test's interest. */
test_disk *test_disk_new(const char *name);

enum { test_disk_write = 1, test_disk_sync = 2, test_disk_read = 4 };

/*
 * Of the operations of these kinds from now on, the first `skip` succeed, the next fails, and then
 * every `every`th (0: no more). `torn`: half of a write that fails is on the disk.
 */
void test_disk_fail(test_disk *disk, int kinds, long skip, long every, int code, int torn);
void test_disk_heal(test_disk *disk);

/* While full, no file grows: SQLITE_FULL. */
void test_disk_set_full(test_disk *disk, int full);

/*
 * The power goes. Each write since its file's last sync stays with this probability, 0 to 100;
 * of the others a random beginning may be there, in sectors, unless it is 0. 100 is a kill: the
 * system lives on. Connections that are open now are dead.
 */
void test_disk_cut(test_disk *disk, uint64_t seed, int kept_percent);

long test_disk_count(const test_disk *disk, int kind);
long test_disk_failures(const test_disk *disk);
/* Writes that a power cut would take. */
long test_disk_unsynced(const test_disk *disk);
/* Overwrites bytes of a file, unasked. Returns 0, or -1 where there is no such place. */
int test_disk_scribble(test_disk *disk, const char *file, long offset, long length);
