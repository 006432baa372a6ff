/* Preloaded into a program: lets one system call on the files under one directory fail, or kills the program there.

   FAULT_ROOT      the directory, a real path
   FAULT_COUNTERS  a file of (CALLS + 1) 64-bit numbers, mapped and shared: calls made, by kind; last, 1 once the fault came
   FAULT_CALL      the kind of call, as below
   FAULT_NUMBER    which of them, from 1
   FAULT_KIND      an error number; kill: before the call; killed: after it; half: after half of a write; short: half of a
                   write is done, and said so */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { OPEN, WRITE, PWRITE, FSYNC, FDATASYNC, RENAME, LINK, UNLINK, FTRUNCATE, MKDIR, PREAD, CALLS };
static const char *const names[CALLS] = {"openat", "write",  "pwrite64",  "fsync", "fdatasync", "rename",
                                         "link",   "unlink", "ftruncate", "mkdir", "pread64"};

static const char *root;
static const char *kind;
static int wanted = -1;
static uint64_t number;
static uint64_t *counters;

__attribute__((constructor)) static void begin(void) {
  root = getenv("FAULT_ROOT");
  kind = getenv("FAULT_KIND");
  const char *call = getenv("FAULT_CALL"), *nth = getenv("FAULT_NUMBER"), *path = getenv("FAULT_COUNTERS");
  if (!root || !path) return;
  int (*real_open)(const char *, int, ...) = dlsym(RTLD_NEXT, "open");
  int fd = real_open(path, O_RDWR | O_CLOEXEC);
  if (fd < 0) _exit(70);
  void *map = mmap(0, (CALLS + 1) * sizeof *counters, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  close(fd);
  if (map == MAP_FAILED) _exit(70);
  counters = map;
  number = nth ? strtoull(nth, 0, 10) : 0;
  for (int i = 0; call && i < CALLS; i++)
    if (!strcmp(call, names[i])) wanted = i;
}

static int is_ours(const char *path) {
  size_t length = root ? strlen(root) : 0;
  return counters && path && !strncmp(path, root, length) && (path[length] == '/' || !path[length]);
}

static int is_our_file(int fd) {
  char link[32], path[PATH_MAX];
  if (!counters) return 0;
  int before = errno;
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, sizeof path - 1);
  errno = before;
  if (length < 0) return 0;
  path[length] = 0;
  return is_ours(path);
}

static void end(void) { kill(getpid(), SIGKILL); for (;;) pause(); }

enum fate { GO, FAIL, AFTER, HALF, SHORT };

/* Counts a call, and says what is to become of it. */
static enum fate meet(int call) {
  uint64_t n = __atomic_add_fetch(&counters[call], 1, __ATOMIC_SEQ_CST);
  if (call != wanted || n != number || !kind) return GO;
  counters[CALLS] = 1;
  if (!strcmp(kind, "kill")) end();
  if (!strcmp(kind, "killed")) return AFTER;
  if (!strcmp(kind, "half")) return HALF;
  if (!strcmp(kind, "short")) return SHORT;
  errno = atoi(kind);
  return FAIL;
}

#define REAL(name) __typeof__(name) *real = (__typeof__(name) *)dlsym(RTLD_NEXT, #name)
#define SIMPLE(call, ours, invocation)              \
  enum fate fate = (ours) ? meet(call) : GO;        \
  if (fate == FAIL) return -1;                      \
  __auto_type result = invocation;                  \
  if (fate != GO) end();                            \
  return result

#define OPENER(name)                                                       \
  int name(const char *path, int flags, ...) {                             \
    REAL(name);                                                            \
    va_list list;                                                          \
    va_start(list, flags);                                                 \
    mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(list, mode_t) : 0; \
    va_end(list);                                                          \
    SIMPLE(OPEN, is_ours(path), real(path, flags, mode));                  \
  }
OPENER(open)
OPENER(open64)

#define OPENER_AT(name)                                                    \
  int name(int at, const char *path, int flags, ...) {                     \
    REAL(name);                                                            \
    va_list list;                                                          \
    va_start(list, flags);                                                 \
    mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(list, mode_t) : 0; \
    va_end(list);                                                          \
    SIMPLE(OPEN, is_ours(path), real(at, path, flags, mode));              \
  }
OPENER_AT(openat)
OPENER_AT(openat64)

/* The C library opens the directory itself, past `openat` above. */
DIR *opendir(const char *path) {
  REAL(opendir);
  enum fate fate = is_ours(path) ? meet(OPEN) : GO;
  if (fate == FAIL) return 0;
  DIR *result = real(path);
  if (fate != GO) end();
  return result;
}

ssize_t write(int fd, const void *bytes, size_t count) {
  REAL(write);
  enum fate fate = is_our_file(fd) ? meet(WRITE) : GO;
  if (fate == FAIL) return -1;
  ssize_t result = real(fd, bytes, fate == HALF || fate == SHORT ? (count + 1) / 2 : count);
  if (fate != GO && fate != SHORT) end();
  return result;
}

#define PWRITER(name, offset_type)                                                                     \
  ssize_t name(int fd, const void *bytes, size_t count, offset_type offset) {                          \
    REAL(name);                                                                                        \
    enum fate fate = is_our_file(fd) ? meet(PWRITE) : GO;                                              \
    if (fate == FAIL) return -1;                                                                       \
    ssize_t result = real(fd, bytes, fate == HALF || fate == SHORT ? (count + 1) / 2 : count, offset); \
    if (fate != GO && fate != SHORT) end();                                                            \
    return result;                                                                                     \
  }
PWRITER(pwrite, off_t)
PWRITER(pwrite64, off64_t)

#define PREADER(name, offset_type)                                          \
  ssize_t name(int fd, void *bytes, size_t count, offset_type offset) {     \
    REAL(name);                                                             \
    SIMPLE(PREAD, is_our_file(fd), real(fd, bytes, count, offset));         \
  }
PREADER(pread, off_t)
PREADER(pread64, off64_t)

int fsync(int fd) { REAL(fsync); SIMPLE(FSYNC, is_our_file(fd), real(fd)); }
int fdatasync(int fd) { REAL(fdatasync); SIMPLE(FDATASYNC, is_our_file(fd), real(fd)); }
int ftruncate(int fd, off_t size) { REAL(ftruncate); SIMPLE(FTRUNCATE, is_our_file(fd), real(fd, size)); }
int ftruncate64(int fd, off64_t size) { REAL(ftruncate64); SIMPLE(FTRUNCATE, is_our_file(fd), real(fd, size)); }
int rename(const char *from, const char *to) { REAL(rename); SIMPLE(RENAME, is_ours(from), real(from, to)); }
int renameat(int a, const char *from, int b, const char *to) {
  REAL(renameat);
  SIMPLE(RENAME, is_ours(from), real(a, from, b, to));
}
int renameat2(int a, const char *from, int b, const char *to, unsigned flags) {
  REAL(renameat2);
  SIMPLE(RENAME, is_ours(from), real(a, from, b, to, flags));
}
int link(const char *from, const char *to) { REAL(link); SIMPLE(LINK, is_ours(from), real(from, to)); }
int linkat(int a, const char *from, int b, const char *to, int flags) {
  REAL(linkat);
  SIMPLE(LINK, is_ours(from), real(a, from, b, to, flags));
}
int unlink(const char *path) { REAL(unlink); SIMPLE(UNLINK, is_ours(path), real(path)); }
int unlinkat(int at, const char *path, int flags) { REAL(unlinkat); SIMPLE(UNLINK, is_ours(path), real(at, path, flags)); }
int mkdir(const char *path, mode_t mode) { REAL(mkdir); SIMPLE(MKDIR, is_ours(path), real(path, mode)); }
