/* Makes the n-th change to files below one folder fail, as a full or broken disk would.
 *
 * Preloaded (LD_PRELOAD) into a command, also into what it starts. KAG_FAULT_STATE names a file of four 64-bit
 * numbers that all these processes share: calls counted so far, the call that fails (0: none), whether those behind it
 * fail too, and whether it was reached. KAG_FAULT_ROOT is the folder. What is counted: creating and truncating files,
 * write, pwrite, writev, fallocate, ftruncate, fsync, rename, link, mkdir. Removing is neither counted nor stopped:
 * a full disk lets one remove. A failed call does nothing; a failed write says that the disk is full, a failed
 * fsync that it is broken.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

static volatile int64_t *state;
static const char *root;

__attribute__((constructor)) static void begin(void) {
    const char *file = getenv("KAG_FAULT_STATE");
    root = getenv("KAG_FAULT_ROOT");
    if (!file || !root) return;
    int (*real)(const char *, int, ...) = dlsym(RTLD_NEXT, "open");
    int fd = real(file, O_RDWR | O_CLOEXEC);
    if (fd < 0) return;
    void *shared = mmap(NULL, 4 * sizeof(int64_t), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    close(fd);
    if (shared != MAP_FAILED) state = shared;
}

static int below(const char *path) {
    char whole[PATH_MAX];
    if (!path) return 0;
    if (path[0] != '/') {
        if (!getcwd(whole, sizeof whole)) return 0;
        strncat(whole, "/", sizeof whole - strlen(whole) - 1);
        strncat(whole, path, sizeof whole - strlen(whole) - 1);
        path = whole;
    }
    size_t length = strlen(root);
    return strncmp(path, root, length) == 0 && (path[length] == '/' || path[length] == 0);
}

static int fails(int error) {
    int64_t count = __sync_add_and_fetch(&state[0], 1);
    if (state[1] == 0 || count < state[1] || (count > state[1] && !state[2])) return 0;
    state[3] = 1;
    errno = error;
    return 1;
}

static int path_fails(const char *path, int error) { return state && below(path) && fails(error); }

static int at_fails(int at, const char *path, int error) {
    char where[64], whole[PATH_MAX];
    if (!state || !path) return 0;
    if (path[0] == '/' || at == AT_FDCWD) return path_fails(path, error);
    snprintf(where, sizeof where, "/proc/self/fd/%d", at);
    ssize_t length = readlink(where, whole, sizeof whole - 1);
    if (length < 0) return 0;
    whole[length] = 0;
    return below(whole) && fails(error);
}

static int fd_fails(int fd, int error) {
    char where[64], path[PATH_MAX];
    if (!state) return 0;
    snprintf(where, sizeof where, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(where, path, sizeof path - 1);
    if (length < 0) return 0;
    path[length] = 0;
    return below(path) && fails(error);
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))
#define MAKES(flags) ((flags) & (O_CREAT | O_TRUNC))

#define OPEN(name)                                                                  \
    int name(const char *path, int flags, ...) {                                    \
        va_list rest; va_start(rest, flags); int mode = va_arg(rest, int); va_end(rest); \
        if (MAKES(flags) && path_fails(path, ENOSPC)) return -1;                    \
        return REAL(name)(path, flags, mode);                                       \
    }
#define OPENAT(name)                                                                \
    int name(int at, const char *path, int flags, ...) {                            \
        va_list rest; va_start(rest, flags); int mode = va_arg(rest, int); va_end(rest); \
        if (MAKES(flags) && at_fails(at, path, ENOSPC)) return -1;                  \
        return REAL(name)(at, path, flags, mode);                                   \
    }
OPEN(open)
OPEN(open64)
OPENAT(openat)
OPENAT(openat64)
FILE *fopen(const char *path, const char *mode) {
    if (mode && strpbrk(mode, "wa") && path_fails(path, ENOSPC)) return NULL;
    return REAL(fopen)(path, mode);
}
FILE *fopen64(const char *path, const char *mode) {
    if (mode && strpbrk(mode, "wa") && path_fails(path, ENOSPC)) return NULL;
    return REAL(fopen64)(path, mode);
}
ssize_t write(int fd, const void *data, size_t size) {
    return fd_fails(fd, ENOSPC) ? -1 : REAL(write)(fd, data, size);
}
ssize_t pwrite(int fd, const void *data, size_t size, off_t at) {
    return fd_fails(fd, ENOSPC) ? -1 : REAL(pwrite)(fd, data, size, at);
}
ssize_t pwrite64(int fd, const void *data, size_t size, off64_t at) {
    return fd_fails(fd, ENOSPC) ? -1 : REAL(pwrite64)(fd, data, size, at);
}
ssize_t writev(int fd, const struct iovec *parts, int count) {
    return fd_fails(fd, ENOSPC) ? -1 : REAL(writev)(fd, parts, count);
}
int fallocate(int fd, int mode, off_t at, off_t size) {
    return fd_fails(fd, ENOSPC) ? -1 : REAL(fallocate)(fd, mode, at, size);
}
int fallocate64(int fd, int mode, off64_t at, off64_t size) {
    return fd_fails(fd, ENOSPC) ? -1 : REAL(fallocate64)(fd, mode, at, size);
}
int ftruncate(int fd, off_t size) { return fd_fails(fd, ENOSPC) ? -1 : REAL(ftruncate)(fd, size); }
int ftruncate64(int fd, off64_t size) { return fd_fails(fd, ENOSPC) ? -1 : REAL(ftruncate64)(fd, size); }
int fsync(int fd) { return fd_fails(fd, EIO) ? -1 : REAL(fsync)(fd); }
int fdatasync(int fd) { return fd_fails(fd, EIO) ? -1 : REAL(fdatasync)(fd); }
int rename(const char *from, const char *to) { return path_fails(to, ENOSPC) ? -1 : REAL(rename)(from, to); }
int renameat(int a, const char *from, int b, const char *to) {
    return at_fails(b, to, ENOSPC) ? -1 : REAL(renameat)(a, from, b, to);
}
int renameat2(int a, const char *from, int b, const char *to, unsigned int flags) {
    return at_fails(b, to, ENOSPC) ? -1 : REAL(renameat2)(a, from, b, to, flags);
}
int link(const char *from, const char *to) { return path_fails(to, ENOSPC) ? -1 : REAL(link)(from, to); }
int linkat(int a, const char *from, int b, const char *to, int flags) {
    return at_fails(b, to, ENOSPC) ? -1 : REAL(linkat)(a, from, b, to, flags);
}
int mkdir(const char *path, mode_t mode) { return path_fails(path, ENOSPC) ? -1 : REAL(mkdir)(path, mode); }
int mkdirat(int at, const char *path, mode_t mode) {
    return at_fails(at, path, ENOSPC) ? -1 : REAL(mkdirat)(at, path, mode);
}
