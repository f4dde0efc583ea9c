#pragma once
#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <systemd/sd-daemon.h>
#include <systemd/sd-event.h>
#include <systemd/sd-id128.h>
#include <systemd/sd-journal.h>

/* What Swift cannot import: macros, unions, and what glibc shows under _GNU_SOURCE only. */

enum {
    shim_epoll_in = 0x001,
    shim_epoll_out = 0x004,
    shim_epoll_err = 0x008,
    shim_epoll_hup = 0x010,
    shim_epoll_rdhup = 0x2000,
};

static inline int shim_child_exited(const siginfo_t *info) {
    return info->si_code == CLD_EXITED;
}

static inline int shim_child_status(const siginfo_t *info) {
    return info->si_status;
}

static inline int shim_mode_is_fifo(unsigned mode) {
    return (mode & 0170000) == 0010000;
}

extern int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int from);
extern int posix_spawn_file_actions_addchdir_np(
    posix_spawn_file_actions_t *actions, const char *path);
extern int pidfd_open(pid_t pid, unsigned flags);
extern int memfd_create(const char *name, unsigned flags);
extern int pipe2(int descriptors[2], int flags);

enum {
    shim_memfd_cloexec = 0x1,
    shim_memfd_allow_sealing = 0x2,
    shim_f_add_seals = 1033,
    shim_seal_all = 0xf, /* seal, shrink, grow, write */
};

static inline int shim_add_seals(int descriptor, int seals) {
    return fcntl(descriptor, shim_f_add_seals, seals);
}
