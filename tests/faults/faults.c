/* Faults at a chosen one of a program's changes to files.
 *
 * Loaded before the C library (LD_PRELOAD), it counts the calls that change something below the
 * folders of FAULT_UNDER, and at the one whose number FAULT_AT gives it does what FAULT_DO says:
 *
 *   kill           ends the process at once; of a write, the first half is done before
 *   error=N        the call fails with errno N, and all others go on
 *   full           from here on whatever needs room fails as on a full disk
 *   readonly       from here on whatever changes anything fails as on a read-only file system
 *   vanish=PATH    PATH is moved away before the call
 *   change=PATH    a line is added to the file PATH before the call
 *
 * FAULT_COUNT names a file that gets the number of calls when the program ends by itself.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

static atomic_long calls;
static atomic_int failing;

#define REAL(name) \
    static __typeof__(name) *real; \
    if (!real) real = (__typeof__(name) *)dlsym(RTLD_NEXT, #name)

static int below(const char *path) {
    const char *list = getenv("FAULT_UNDER");
    while (list && *list) {
        size_t length = strcspn(list, ":");
        if (length && !strncmp(path, list, length) && (path[length] == '/' || !path[length]))
            return 1;
        list += length + (list[length] == ':');
    }
    return 0;
}

/* The absolute path of `path` as seen from the folder `fd`. */
static int counts_at(int fd, const char *path) {
    char full[8192], link[64], folder[4096];
    if (path && path[0] == '/') return below(path);
    if (fd == AT_FDCWD) {
        if (!getcwd(folder, sizeof folder)) return 0;
    } else {
        snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
        long length = syscall(SYS_readlink, link, folder, sizeof folder - 1);
        if (length < 0) return 0;
        folder[length] = 0;
    }
    if (!path || !*path) return below(folder);
    snprintf(full, sizeof full, "%s/%s", folder, path);
    return below(full);
}

static int counts_fd(int fd) { return counts_at(fd, NULL); }

enum need { ROOM, CHANGE };

static void vanish(const char *path) {
    char to[4096];
    snprintf(to, sizeof to, "%s.vanished", path);
    syscall(SYS_renameat2, AT_FDCWD, path, AT_FDCWD, to, 0);
}

static void change(const char *path) {
    long fd = syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_APPEND, 0);
    if (fd >= 0) {
        syscall(SYS_write, fd, "// changed\n", 11L);
        syscall(SYS_close, fd);
    }
}

/* Whether this call fails, with errno set. `half` does the first half of a write. */
static int fails(enum need need, void (*half)(void *), void *data) {
    long number = atomic_fetch_add(&calls, 1) + 1;
    const char *at = getenv("FAULT_AT"), *act = getenv("FAULT_DO");
    if (!at || !act) return 0;
    if (number == atol(at)) {
        if (!strcmp(act, "kill")) {
            if (half) half(data);
            syscall(SYS_kill, getpid(), SIGKILL);
        }
        if (!strncmp(act, "error=", 6)) {
            errno = atoi(act + 6);
            return 1;
        }
        if (!strncmp(act, "vanish=", 7)) vanish(act + 7);
        if (!strncmp(act, "change=", 7)) change(act + 7);
        if (!strcmp(act, "full")) atomic_store(&failing, ENOSPC);
        if (!strcmp(act, "readonly")) atomic_store(&failing, EROFS);
    }
    int error = atomic_load(&failing);
    if (error == EROFS || (error == ENOSPC && need == ROOM)) {
        errno = error;
        return 1;
    }
    return 0;
}

__attribute__((destructor)) static void tell(void) {
    const char *path = getenv("FAULT_COUNT");
    if (!path) return;
    char text[32];
    int length = snprintf(text, sizeof text, "%ld", atomic_load(&calls));
    long fd = syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_TRUNC, 0644);
    if (fd >= 0) {
        syscall(SYS_write, fd, text, (long)length);
        syscall(SYS_close, fd);
    }
}

#define CHANGES(flags) (((flags) & (O_CREAT | O_TRUNC)) || ((flags) & O_ACCMODE) != O_RDONLY)

#define OPEN(name) \
    int name(const char *path, int flags, ...) { \
        REAL(name); \
        va_list rest; \
        va_start(rest, flags); \
        mode_t mode = (flags & (O_CREAT | O_TMPFILE)) ? va_arg(rest, mode_t) : 0; \
        va_end(rest); \
        if (CHANGES(flags) && counts_at(AT_FDCWD, path) && fails(ROOM, NULL, NULL)) return -1; \
        return real(path, flags, mode); \
    }
OPEN(open)
OPEN(open64)

#define OPENAT(name) \
    int name(int fd, const char *path, int flags, ...) { \
        REAL(name); \
        va_list rest; \
        va_start(rest, flags); \
        mode_t mode = (flags & (O_CREAT | O_TMPFILE)) ? va_arg(rest, mode_t) : 0; \
        va_end(rest); \
        if (CHANGES(flags) && counts_at(fd, path) && fails(ROOM, NULL, NULL)) return -1; \
        return real(fd, path, flags, mode); \
    }
OPENAT(openat)
OPENAT(openat64)

struct bytes { int fd; const void *data; size_t size; };

static void half(void *data) {
    struct bytes *bytes = data;
    syscall(SYS_write, bytes->fd, bytes->data, bytes->size / 2);
}

ssize_t write(int fd, const void *data, size_t size) {
    REAL(write);
    struct bytes bytes = {fd, data, size};
    if (counts_fd(fd) && fails(ROOM, half, &bytes)) return -1;
    return real(fd, data, size);
}

ssize_t writev(int fd, const struct iovec *parts, int count) {
    REAL(writev);
    if (counts_fd(fd) && fails(ROOM, NULL, NULL)) return -1;
    return real(fd, parts, count);
}

ssize_t pwrite64(int fd, const void *data, size_t size, off64_t at) {
    REAL(pwrite64);
    if (counts_fd(fd) && fails(ROOM, NULL, NULL)) return -1;
    return real(fd, data, size, at);
}

ssize_t copy_file_range(int in, off64_t *from, int out, off64_t *to, size_t size, unsigned flags) {
    REAL(copy_file_range);
    if (counts_fd(out) && fails(ROOM, NULL, NULL)) return -1;
    return real(in, from, out, to, size, flags);
}

ssize_t sendfile64(int out, int in, off64_t *from, size_t size) {
    REAL(sendfile64);
    if (counts_fd(out) && fails(ROOM, NULL, NULL)) return -1;
    return real(out, in, from, size);
}

ssize_t sendfile(int out, int in, off_t *from, size_t size) {
    REAL(sendfile);
    if (counts_fd(out) && fails(ROOM, NULL, NULL)) return -1;
    return real(out, in, from, size);
}

#define ON_FD(name, need, parameters, arguments) \
    int name parameters { \
        REAL(name); \
        if (counts_fd(fd) && fails(need, NULL, NULL)) return -1; \
        return real arguments; \
    }
/* What the system has outlives the process: there is no need to wait for the disk. */
#define SYNC(name) \
    int name(int fd) { return counts_fd(fd) && fails(ROOM, NULL, NULL) ? -1 : 0; }
SYNC(fsync)
SYNC(fdatasync)
ON_FD(ftruncate, ROOM, (int fd, off_t size), (fd, size))
ON_FD(ftruncate64, ROOM, (int fd, off64_t size), (fd, size))
ON_FD(fchmod, CHANGE, (int fd, mode_t mode), (fd, mode))
ON_FD(fchown, CHANGE, (int fd, uid_t user, gid_t group), (fd, user, group))

#define ON_PATH(name, need, where, parameters, arguments) \
    int name parameters { \
        REAL(name); \
        if ((where) && fails(need, NULL, NULL)) return -1; \
        return real arguments; \
    }
ON_PATH(mkdir, ROOM, counts_at(AT_FDCWD, path), (const char *path, mode_t mode), (path, mode))
ON_PATH(mkdirat, ROOM, counts_at(fd, path), (int fd, const char *path, mode_t mode), (fd, path, mode))
ON_PATH(rmdir, CHANGE, counts_at(AT_FDCWD, path), (const char *path), (path))
ON_PATH(unlink, CHANGE, counts_at(AT_FDCWD, path), (const char *path), (path))
ON_PATH(unlinkat, CHANGE, counts_at(fd, path), (int fd, const char *path, int flags), (fd, path, flags))
ON_PATH(chmod, CHANGE, counts_at(AT_FDCWD, path), (const char *path, mode_t mode), (path, mode))
ON_PATH(fchmodat, CHANGE, counts_at(fd, path), (int fd, const char *path, mode_t mode, int flags),
        (fd, path, mode, flags))
ON_PATH(rename, CHANGE, counts_at(AT_FDCWD, from) || counts_at(AT_FDCWD, to),
        (const char *from, const char *to), (from, to))
ON_PATH(renameat, CHANGE, counts_at(a, from) || counts_at(b, to),
        (int a, const char *from, int b, const char *to), (a, from, b, to))
ON_PATH(renameat2, CHANGE, counts_at(a, from) || counts_at(b, to),
        (int a, const char *from, int b, const char *to, unsigned flags), (a, from, b, to, flags))
ON_PATH(link, ROOM, counts_at(AT_FDCWD, to), (const char *from, const char *to), (from, to))
ON_PATH(linkat, ROOM, counts_at(b, to),
        (int a, const char *from, int b, const char *to, int flags), (a, from, b, to, flags))
ON_PATH(symlink, ROOM, counts_at(AT_FDCWD, to), (const char *from, const char *to), (from, to))
ON_PATH(symlinkat, ROOM, counts_at(fd, to), (const char *from, int fd, const char *to), (from, fd, to))
