#pragma once
#include <sqlite3.h>

/* What Swift cannot import: the SQLITE_TRANSIENT cast and variadic functions. */

static inline int shim_bind_text(sqlite3_stmt *statement, int place, const void *text, int length) {
    return sqlite3_bind_text(statement, place, length ? text : "", length, SQLITE_TRANSIENT);
}

static inline int shim_bind_blob(sqlite3_stmt *statement, int place, const void *bytes, int length) {
    return length ? sqlite3_bind_blob(statement, place, bytes, length, SQLITE_TRANSIENT)
                  : sqlite3_bind_zeroblob(statement, place, 0);
}

/* Closing leaves the write-ahead log and the database file as they are. */
static inline int shim_no_checkpoint_on_close(sqlite3 *database) {
    return sqlite3_db_config(database, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, (int *)0);
}
