#include "CTestVFS.h"
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

enum { max_files = 32, max_regions = 64, sector = 512 };

struct image { uint8_t *bytes; size_t size, room; };
struct change { int truncates; size_t offset, length; uint8_t *bytes; struct change *next; };

struct stored_file {
    char name[512];
    int used, temporary, open;
    struct image now, synced;
    struct change *first, *last;
    void *regions[max_regions];
};

struct test_disk {
    sqlite3_vfs vfs;
    char name[64];
    struct stored_file files[max_files];
    long generation, counts[3], failures, skip, every;
    int kinds, code, torn, full;
};

struct open_file {
    sqlite3_file base;
    struct test_disk *disk;
    struct stored_file *file;
    long generation;
};

static void grow(struct image *image, size_t size) {
    if (size > image->room) {
        image->room = size * 2;
        image->bytes = realloc(image->bytes, image->room);
    }
    if (size > image->size) memset(image->bytes + image->size, 0, size - image->size);
    if (size > image->size) image->size = size;
}

static void put(struct image *image, size_t offset, const uint8_t *bytes, size_t length) {
    if (length == 0) return;
    grow(image, offset + length);
    memcpy(image->bytes + offset, bytes, length);
}

static void copy(struct image *to, const struct image *from) {
    to->size = 0;
    put(to, 0, from->bytes, from->size);
}

static void forget_changes(struct stored_file *file) {
    while (file->first) {
        struct change *change = file->first;
        file->first = change->next;
        free(change->bytes);
        free(change);
    }
    file->last = NULL;
}

static void note(struct stored_file *file, int truncates, size_t offset, const void *bytes,
                 size_t length) {
    struct change *change = calloc(1, sizeof *change);
    change->truncates = truncates;
    change->offset = offset;
    change->length = length;
    if (length) {
        change->bytes = malloc(length);
        memcpy(change->bytes, bytes, length);
    }
    if (file->last) file->last->next = change;
    else file->first = change;
    file->last = change;
}

/* Dead connections may still look at them: they are never freed. */
static void forget_regions(struct stored_file *file) {
    memset(file->regions, 0, sizeof file->regions);
}

static void erase(struct stored_file *file) {
    forget_changes(file);
    forget_regions(file);
    free(file->now.bytes);
    free(file->synced.bytes);
    memset(file, 0, sizeof *file);
}

static struct stored_file *find(struct test_disk *disk, const char *name) {
    for (int i = 0; i < max_files; i++)
        if (disk->files[i].used && !disk->files[i].temporary &&
            strcmp(disk->files[i].name, name) == 0)
            return &disk->files[i];
    return NULL;
}

/* Whether this operation is one that fails. */
static int fails(struct test_disk *disk, int kind) {
    disk->counts[kind >> 1]++;
    if (!(disk->kinds & kind)) return 0;
    if (disk->skip-- > 0) return 0;
    if (disk->every > 0) disk->skip = disk->every - 1;
    else disk->kinds = 0;
    disk->failures++;
    return 1;
}

static int is_dead(struct open_file *open) { return open->generation != open->disk->generation; }

static int x_close(sqlite3_file *base) {
    struct open_file *open = (struct open_file *)base;
    if (!is_dead(open) && open->file->temporary) erase(open->file);
    return SQLITE_OK;
}

static int x_read(sqlite3_file *base, void *buffer, int length, sqlite3_int64 offset) {
    struct open_file *open = (struct open_file *)base;
    if (is_dead(open)) return SQLITE_IOERR_READ;
    if (fails(open->disk, test_disk_read)) return open->disk->code;
    struct image *image = &open->file->now;
    size_t there = (size_t)offset < image->size ? image->size - (size_t)offset : 0;
    if (there > (size_t)length) there = (size_t)length;
    if (there) memcpy(buffer, image->bytes + offset, there);
    memset((char *)buffer + there, 0, (size_t)length - there);
    return there == (size_t)length ? SQLITE_OK : SQLITE_IOERR_SHORT_READ;
}

static void write_through(struct stored_file *file, const void *bytes, size_t length,
                          size_t offset) {
    put(&file->now, offset, bytes, length);
    note(file, 0, offset, bytes, length);
}

static int x_write(sqlite3_file *base, const void *bytes, int length, sqlite3_int64 offset) {
    struct open_file *open = (struct open_file *)base;
    struct test_disk *disk = open->disk;
    if (is_dead(open)) return SQLITE_IOERR_WRITE;
    if (fails(disk, test_disk_write)) {
        if (disk->torn && length > 1)
            write_through(open->file, bytes, (size_t)length / 2, (size_t)offset);
        return disk->code;
    }
    if (disk->full && (size_t)(offset + length) > open->file->now.size) {
        disk->failures++;
        return SQLITE_FULL;
    }
    write_through(open->file, bytes, (size_t)length, (size_t)offset);
    return SQLITE_OK;
}

static int x_truncate(sqlite3_file *base, sqlite3_int64 size) {
    struct open_file *open = (struct open_file *)base;
    if (is_dead(open)) return SQLITE_IOERR_TRUNCATE;
    if (fails(open->disk, test_disk_write)) return open->disk->code;
    grow(&open->file->now, (size_t)size);
    open->file->now.size = (size_t)size;
    note(open->file, 1, (size_t)size, NULL, 0);
    return SQLITE_OK;
}

static int x_sync(sqlite3_file *base, int flags) {
    struct open_file *open = (struct open_file *)base;
    (void)flags;
    if (is_dead(open)) return SQLITE_IOERR_FSYNC;
    if (fails(open->disk, test_disk_sync)) return SQLITE_IOERR_FSYNC;
    copy(&open->file->synced, &open->file->now);
    forget_changes(open->file);
    return SQLITE_OK;
}

static int x_file_size(sqlite3_file *base, sqlite3_int64 *size) {
    struct open_file *open = (struct open_file *)base;
    if (is_dead(open)) return SQLITE_IOERR_FSTAT;
    *size = (sqlite3_int64)open->file->now.size;
    return SQLITE_OK;
}

static int x_lock(sqlite3_file *base, int lock) {
    (void)lock;
    return is_dead((struct open_file *)base) ? SQLITE_IOERR_LOCK : SQLITE_OK;
}

static int x_unlock(sqlite3_file *base, int lock) { (void)base; (void)lock; return SQLITE_OK; }
static int x_check_reserved(sqlite3_file *base, int *held) { (void)base; *held = 0; return SQLITE_OK; }
static int x_control(sqlite3_file *base, int op, void *arg) {
    (void)base; (void)op; (void)arg;
    return SQLITE_NOTFOUND;
}
static int x_sector_size(sqlite3_file *base) { (void)base; return sector; }
static int x_characteristics(sqlite3_file *base) {
    (void)base;
    return SQLITE_IOCAP_POWERSAFE_OVERWRITE;
}

static int x_shm_map(sqlite3_file *base, int region, int size, int extend, void volatile **out) {
    struct open_file *open = (struct open_file *)base;
    *out = NULL;
    if (is_dead(open) || region >= max_regions) return SQLITE_IOERR_SHMMAP;
    if (!open->file->regions[region] && extend)
        open->file->regions[region] = calloc(1, (size_t)size);
    *out = open->file->regions[region];
    return SQLITE_OK;
}

static int x_shm_lock(sqlite3_file *base, int offset, int count, int flags) {
    (void)offset; (void)count; (void)flags;
    return is_dead((struct open_file *)base) ? SQLITE_IOERR_SHMLOCK : SQLITE_OK;
}

static void x_shm_barrier(sqlite3_file *base) { (void)base; }

static int x_shm_unmap(sqlite3_file *base, int deletes) {
    struct open_file *open = (struct open_file *)base;
    if (deletes && !is_dead(open)) forget_regions(open->file);
    return SQLITE_OK;
}

static const sqlite3_io_methods methods = {
    .iVersion = 2, .xClose = x_close, .xRead = x_read, .xWrite = x_write,
    .xTruncate = x_truncate, .xSync = x_sync, .xFileSize = x_file_size, .xLock = x_lock,
    .xUnlock = x_unlock, .xCheckReservedLock = x_check_reserved, .xFileControl = x_control,
    .xSectorSize = x_sector_size, .xDeviceCharacteristics = x_characteristics,
    .xShmMap = x_shm_map, .xShmLock = x_shm_lock, .xShmBarrier = x_shm_barrier,
    .xShmUnmap = x_shm_unmap,
};

static int x_open(sqlite3_vfs *vfs, const char *name, sqlite3_file *base, int flags, int *out) {
    struct test_disk *disk = vfs->pAppData;
    struct stored_file *file = name ? find(disk, name) : NULL;
    base->pMethods = NULL;
    if (!file && !(flags & SQLITE_OPEN_CREATE)) return SQLITE_CANTOPEN;
    for (int i = 0; !file && i < max_files; i++) {
        if (disk->files[i].used) continue;
        file = &disk->files[i];
        file->used = 1;
        file->temporary = name == NULL;
        if (name) strncpy(file->name, name, sizeof file->name - 1);
    }
    if (!file) return SQLITE_CANTOPEN;
    struct open_file *open = (struct open_file *)base;
    *open = (struct open_file){{&methods}, disk, file, disk->generation};
    if (out) *out = flags;
    return SQLITE_OK;
}

static int x_delete(sqlite3_vfs *vfs, const char *name, int sync) {
    struct test_disk *disk = vfs->pAppData;
    struct stored_file *file = find(disk, name);
    (void)sync;
    if (!file) return SQLITE_IOERR_DELETE_NOENT;
    erase(file);
    return SQLITE_OK;
}

static int x_access(sqlite3_vfs *vfs, const char *name, int flags, int *result) {
    (void)flags;
    *result = find(vfs->pAppData, name) != NULL;
    return SQLITE_OK;
}

static int x_full_path(sqlite3_vfs *vfs, const char *name, int room, char *out) {
    (void)vfs;
    strncpy(out, name, (size_t)room - 1);
    out[room - 1] = 0;
    return SQLITE_OK;
}

static int x_randomness(sqlite3_vfs *vfs, int length, char *out) {
    sqlite3_vfs *system = sqlite3_vfs_find(NULL);
    (void)vfs;
    return system->xRandomness(system, length, out);
}

static int x_sleep(sqlite3_vfs *vfs, int microseconds) { (void)vfs; return microseconds; }
static int x_last_error(sqlite3_vfs *vfs, int length, char *out) {
    (void)vfs; (void)length; (void)out;
    return 0;
}

static int x_time(sqlite3_vfs *vfs, double *day) { (void)vfs; *day = 2461375.5; return SQLITE_OK; }

test_disk *test_disk_new(const char *name) {
    test_disk *disk = calloc(1, sizeof *disk);
    strncpy(disk->name, name, sizeof disk->name - 1);
    disk->vfs = (sqlite3_vfs){
        .iVersion = 1, .szOsFile = sizeof(struct open_file), .mxPathname = 511,
        .zName = disk->name, .pAppData = disk, .xOpen = x_open, .xDelete = x_delete,
        .xAccess = x_access, .xFullPathname = x_full_path, .xRandomness = x_randomness,
        .xSleep = x_sleep, .xCurrentTime = x_time, .xGetLastError = x_last_error,
    };
    sqlite3_vfs_register(&disk->vfs, 0);
    return disk;
}

void test_disk_fail(test_disk *disk, int kinds, long skip, long every, int code, int torn) {
    disk->kinds = kinds;
    disk->skip = skip;
    disk->every = every;
    disk->code = code;
    disk->torn = torn;
}

void test_disk_heal(test_disk *disk) { disk->kinds = 0; }
void test_disk_set_full(test_disk *disk, int full) { disk->full = full; }

/* splitmix64 */
static uint64_t random_next(uint64_t *state) {
    uint64_t z = (*state += 0x9E3779B97F4A7C15u);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

static void cut_file(struct stored_file *file, uint64_t *random, int kept_percent) {
    if (kept_percent == 100) return;
    for (struct change *change = file->first; change; change = change->next) {
        int kept = (int)(random_next(random) % 100) < kept_percent;
        if (change->truncates) {
            if (!kept) continue;
            grow(&file->synced, change->offset);
            file->synced.size = change->offset;
            continue;
        }
        size_t length = change->length;
        if (!kept)
            length = kept_percent ? random_next(random) % (length / sector + 1) * sector : 0;
        put(&file->synced, change->offset, change->bytes, length);
    }
    forget_changes(file);
    copy(&file->now, &file->synced);
}

void test_disk_cut(test_disk *disk, uint64_t seed, int kept_percent) {
    uint64_t random = seed;
    for (int i = 0; i < max_files; i++) {
        struct stored_file *file = &disk->files[i];
        if (!file->used) continue;
        forget_regions(file);
        if (file->temporary) erase(file);
        else cut_file(file, &random, kept_percent);
    }
    disk->generation++;
}

long test_disk_count(const test_disk *disk, int kind) { return disk->counts[kind >> 1]; }
long test_disk_failures(const test_disk *disk) { return disk->failures; }

long test_disk_unsynced(const test_disk *disk) {
    long count = 0;
    for (int i = 0; i < max_files; i++)
        for (struct change *change = disk->files[i].first; change; change = change->next) count++;
    return count;
}

int test_disk_scribble(test_disk *disk, const char *name, long offset, long length) {
    struct stored_file *file = find(disk, name);
    if (!file || (size_t)(offset + length) > file->now.size) return -1;
    memset(file->now.bytes + offset, 0xA5, (size_t)length);
    if ((size_t)(offset + length) <= file->synced.size)
        memset(file->synced.bytes + offset, 0xA5, (size_t)length);
    return 0;
}
