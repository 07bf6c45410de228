/* Journals what a process does to files below POWER_DIR into POWER_JOURNAL: one record for each operation that worked, in
 * the order the operations ended (writes to one file are made under a lock, so that order is the files').
 * Loaded with LD_PRELOAD. Record: op u8, path length u16, offset i64, length u32, path, data (of a write: the bytes; of a
 * rename: the new path). journal.ts reads it. What is mapped into memory is not seen.
 *
 * POWER_FAIL "N E": from the N-th write, truncation, sync or creation on all of them fail with the error number E, as on a
 * full or failing disk; the N-th, where it is a write, writes half before. */
#define _GNU_SOURCE
#define _FILE_OFFSET_BITS 64
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

enum { CREATE = 1, WRITE, TRUNCATE, SYNC, RENAME, UNLINK, SYNC_DIRECTORY, MAKE_DIRECTORY, REMOVE_DIRECTORY, UNKNOWN };

#define FDS 65536
static char *paths[FDS]; /* of the open files below the directory, by descriptor */
static char dir[PATH_MAX];
static size_t dir_length;
static int journal = -1;
static long fail_at = 0, fail_with = 0, changes = 0;
static pthread_mutex_t lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;

#define REAL(type, name, ...) \
  static type (*real)(__VA_ARGS__); \
  if (!real) real = (type (*)(__VA_ARGS__))dlsym(RTLD_NEXT, name)

static ssize_t raw_write(int fd, const void *data, size_t length) {
  REAL(ssize_t, "write", int, const void *, size_t);
  return real(fd, data, length);
}

static void start(void) {
  if (journal != -1) return;
  const char *wanted = getenv("POWER_DIR"), *file = getenv("POWER_JOURNAL");
  journal = -2;
  if (!wanted || !file || !realpath(wanted, dir)) return;
  dir_length = strlen(dir);
  const char *fail = getenv("POWER_FAIL");
  if (fail) sscanf(fail, "%ld %ld", &fail_at, &fail_with);
  REAL(int, "open64", const char *, int, ...);
  journal = real(file, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
}

__attribute__((constructor)) static void begin(void) { start(); }

static void die(const char *what) {
  fprintf(stderr, "power journal: %s\n", what);
  abort();
}

static void all(const void *data, size_t length) {
  const char *at = data;
  while (length > 0) {
    ssize_t done = raw_write(journal, at, length);
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) die("the journal cannot be written");
    at += done, length -= done;
  }
}

/* in one write where it is small, so that a killed process leaves whole records but for the last */
static void record(int op, const char *path, int64_t offset, const void *data, size_t length) {
  int kept = errno;
  const char *below = path + dir_length + 1;
  if (strlen(path) == dir_length) below = "";
  uint16_t path_length = strlen(below);
  uint32_t data_length = length;
  char head[15 + PATH_MAX];
  head[0] = op;
  memcpy(head + 1, &path_length, 2);
  memcpy(head + 3, &offset, 8);
  memcpy(head + 11, &data_length, 4);
  memcpy(head + 15, below, path_length);
  all(head, 15 + path_length);
  if (length) all(data, length);
  errno = kept;
}

/* the absolute path, its directory's links followed; NULL where it is not below the directory */
static char *below(int at, const char *path, char *out) {
  char whole[PATH_MAX * 2], parent[PATH_MAX];
  if (journal < 0 || !path) return NULL;
  if (path[0] == '/') snprintf(whole, sizeof whole, "%s", path);
  else {
    char base[PATH_MAX], proc[64];
    if (at == AT_FDCWD) {
      if (!getcwd(base, sizeof base)) return NULL;
    } else {
      snprintf(proc, sizeof proc, "/proc/self/fd/%d", at);
      ssize_t n = readlink(proc, base, sizeof base - 1);
      if (n < 0) return NULL;
      base[n] = 0;
    }
    snprintf(whole, sizeof whole, "%s/%s", base, path);
  }
  size_t n = strlen(whole);
  while (n > 1 && whole[n - 1] == '/') whole[--n] = 0;
  char *slash = strrchr(whole, '/');
  if (!slash) return NULL;
  char name[PATH_MAX];
  snprintf(name, sizeof name, "%s", slash + 1);
  *slash = 0;
  if (!realpath(whole[0] ? whole : "/", parent)) return NULL;
  snprintf(out, PATH_MAX, "%.3000s/%.1000s", strcmp(parent, "/") ? parent : "", name);
  if (strncmp(out, dir, dir_length) || (out[dir_length] != '/' && out[dir_length] != 0)) return NULL;
  return out;
}

/* counts one change; whether it fails */
static int failing(void) {
  if (fail_at == 0 || ++changes < fail_at) return 0;
  errno = fail_with;
  return 1;
}
static size_t half(size_t *length) { return changes == fail_at && *length > 1 ? *length /= 2 : 0; }

/* libuv closes files by the system call itself, unseen: the number may be an event's or a pipe's by now */
static const char *of(int fd) {
  struct stat now;
  if (fd < 0 || fd >= FDS || !paths[fd]) return NULL;
  return fstat(fd, &now) == 0 && (S_ISREG(now.st_mode) || S_ISDIR(now.st_mode)) ? paths[fd] : NULL;
}

static int opened(int fd, int at, const char *path, int flags, int existed) {
  char out[PATH_MAX];
  if (fd < 0) return fd;
  int kept = errno;
  if (fd < FDS) {
    free(paths[fd]);
    paths[fd] = NULL;
  }
  if (fd < FDS && below(at, path, out)) {
    paths[fd] = strdup(out);
    if (!existed && (flags & O_CREAT)) record(CREATE, out, 0, NULL, 0);
    else if ((flags & O_TRUNC) && (flags & O_ACCMODE) != O_RDONLY) record(TRUNCATE, out, 0, NULL, 0);
  } else if (fd >= FDS) die("too many open files");
  errno = kept;
  return fd;
}

static int open_any(int at, const char *path, int flags, mode_t mode) {
  REAL(int, "openat64", int, const char *, int, ...);
  start();
  if (journal < 0) return real(at, path, flags, mode);
  pthread_mutex_lock(&lock);
  struct stat found;
  int existed = (flags & O_CREAT) && fstatat(at, path, &found, 0) == 0;
  char out[PATH_MAX];
  int refused = (flags & O_CREAT) && !existed && below(at, path, out) && failing();
  int fd = refused ? -1 : opened(real(at, path, flags, mode), at, path, flags, existed);
  pthread_mutex_unlock(&lock);
  return fd;
}

#define MODE(flags, last) \
  mode_t mode = 0; \
  if ((flags) & (O_CREAT | __O_TMPFILE)) { va_list more; va_start(more, last); mode = va_arg(more, mode_t); va_end(more); }
int open64(const char *path, int flags, ...) { MODE(flags, flags) return open_any(AT_FDCWD, path, flags, mode); }
int openat64(int at, const char *path, int flags, ...) { MODE(flags, flags) return open_any(at, path, flags, mode); }
/* with 64-bit offsets the headers give `open` the name of open64: the plain names are defined by their labels */
int plain_open(const char *path, int flags, ...) __asm__("open");
int plain_open(const char *path, int flags, ...) { MODE(flags, flags) return open_any(AT_FDCWD, path, flags, mode); }
int plain_openat(int at, const char *path, int flags, ...) __asm__("openat");
int plain_openat(int at, const char *path, int flags, ...) { MODE(flags, flags) return open_any(at, path, flags, mode); }

int close(int fd) {
  REAL(int, "close", int);
  if (!of(fd)) return real(fd);
  pthread_mutex_lock(&lock);
  free(paths[fd]);
  paths[fd] = NULL;
  int done = real(fd);
  pthread_mutex_unlock(&lock);
  return done;
}

ssize_t write(int fd, const void *data, size_t length) {
  REAL(ssize_t, "write", int, const void *, size_t);
  if (!of(fd)) return real(fd, data, length);
  pthread_mutex_lock(&lock);
  ssize_t done = failing() && !half(&length) ? -1 : real(fd, data, length);
  /* behind an append the offset is the file's end */
  if (done > 0) record(WRITE, paths[fd], lseek(fd, 0, SEEK_CUR) - done, data, done);
  pthread_mutex_unlock(&lock);
  return done;
}

static ssize_t write_at(int fd, const void *data, size_t length, off_t offset) {
  REAL(ssize_t, "pwrite64", int, const void *, size_t, off_t);
  if (!of(fd)) return real(fd, data, length, offset);
  pthread_mutex_lock(&lock);
  ssize_t done = failing() && !half(&length) ? -1 : real(fd, data, length, offset);
  if (done > 0) record(WRITE, paths[fd], offset, data, done);
  pthread_mutex_unlock(&lock);
  return done;
}
ssize_t pwrite64(int fd, const void *data, size_t length, off_t offset) { return write_at(fd, data, length, offset); }
ssize_t plain_pwrite(int fd, const void *data, size_t length, off_t offset) __asm__("pwrite");
ssize_t plain_pwrite(int fd, const void *data, size_t length, off_t offset) { return write_at(fd, data, length, offset); }

/* several buffers: written one by one, as `write` may do less than was asked for */
static ssize_t write_parts(int fd, const struct iovec *parts, int count, off_t offset) {
  ssize_t sum = 0;
  for (int i = 0; i < count; i++) {
    ssize_t done = offset < 0 ? write(fd, parts[i].iov_base, parts[i].iov_len)
                              : write_at(fd, parts[i].iov_base, parts[i].iov_len, offset + sum);
    if (done < 0) return sum > 0 ? sum : done;
    sum += done;
    if ((size_t)done < parts[i].iov_len) break;
  }
  return sum;
}
ssize_t writev(int fd, const struct iovec *parts, int count) {
  REAL(ssize_t, "writev", int, const struct iovec *, int);
  return of(fd) ? write_parts(fd, parts, count, -1) : real(fd, parts, count);
}
ssize_t pwritev64(int fd, const struct iovec *parts, int count, off_t offset) {
  REAL(ssize_t, "pwritev64", int, const struct iovec *, int, off_t);
  return of(fd) ? write_parts(fd, parts, count, offset) : real(fd, parts, count, offset);
}
ssize_t plain_pwritev(int fd, const struct iovec *parts, int count, off_t offset) __asm__("pwritev");
ssize_t plain_pwritev(int fd, const struct iovec *parts, int count, off_t offset) { return pwritev64(fd, parts, count, offset); }

static int cut(int fd, off_t length) {
  REAL(int, "ftruncate64", int, off_t);
  if (!of(fd)) return real(fd, length);
  pthread_mutex_lock(&lock);
  int done = failing() ? -1 : real(fd, length);
  if (done == 0) record(TRUNCATE, paths[fd], length, NULL, 0);
  pthread_mutex_unlock(&lock);
  return done;
}
int ftruncate64(int fd, off_t length) { return cut(fd, length); }
int plain_ftruncate(int fd, off_t length) __asm__("ftruncate");
int plain_ftruncate(int fd, off_t length) { return cut(fd, length); }

static int synced(int fd, int (*real)(int)) {
  if (!of(fd)) return real(fd);
  pthread_mutex_lock(&lock);
  int done = failing() ? -1 : real(fd);
  struct stat found;
  if (done == 0) record(fstat(fd, &found) == 0 && S_ISDIR(found.st_mode) ? SYNC_DIRECTORY : SYNC, paths[fd], 0, NULL, 0);
  pthread_mutex_unlock(&lock);
  return done;
}
int fsync(int fd) { REAL(int, "fsync", int); return synced(fd, real); }
int fdatasync(int fd) { REAL(int, "fdatasync", int); return synced(fd, real); }

/* writes to a file without a name any more are of no interest */
static void nameless(const char *path) {
  for (int fd = 0; fd < FDS; fd++)
    if (paths[fd] && strcmp(paths[fd], path) == 0) { free(paths[fd]); paths[fd] = NULL; }
}

static void moved(const char *from, const char *to) {
  char a[PATH_MAX], b[PATH_MAX];
  char *old = below(AT_FDCWD, from, a), *new = below(AT_FDCWD, to, b);
  if (!old && !new) return;
  if (!old || !new) { record(UNKNOWN, old ? old : new, 0, NULL, 0); return; }
  record(RENAME, old, 0, new + dir_length + 1, strlen(new + dir_length + 1));
  nameless(new);
  /* of a directory: also what is open below it */
  size_t length = strlen(old);
  for (int fd = 0; fd < FDS; fd++) {
    if (!paths[fd] || strncmp(paths[fd], old, length) != 0) continue;
    const char *rest = paths[fd] + length;
    if (*rest != 0 && *rest != '/') continue;
    char path[PATH_MAX * 2];
    snprintf(path, sizeof path, "%s%s", new, rest);
    free(paths[fd]);
    paths[fd] = strdup(path);
  }
}
int rename(const char *from, const char *to) {
  REAL(int, "rename", const char *, const char *);
  pthread_mutex_lock(&lock);
  int done = real(from, to);
  if (done == 0) moved(from, to);
  pthread_mutex_unlock(&lock);
  return done;
}

static int removed(int at, const char *path, int op, int done) {
  char out[PATH_MAX];
  if (done == 0 && below(at, path, out)) {
    record(op, out, 0, NULL, 0);
    if (op == UNLINK) nameless(out);
  }
  return done;
}
#define LOCKED(expression) \
  pthread_mutex_lock(&lock); int done = expression; pthread_mutex_unlock(&lock); return done
int unlink(const char *path) { REAL(int, "unlink", const char *); LOCKED(removed(AT_FDCWD, path, UNLINK, real(path))); }
int unlinkat(int at, const char *path, int flags) {
  REAL(int, "unlinkat", int, const char *, int);
  LOCKED(removed(at, path, flags & AT_REMOVEDIR ? REMOVE_DIRECTORY : UNLINK, real(at, path, flags)));
}
int mkdir(const char *path, mode_t mode) { REAL(int, "mkdir", const char *, mode_t); LOCKED(removed(AT_FDCWD, path, MAKE_DIRECTORY, real(path, mode))); }
int rmdir(const char *path) { REAL(int, "rmdir", const char *); LOCKED(removed(AT_FDCWD, path, REMOVE_DIRECTORY, real(path))); }

/* what changes a file in another way is recorded as unknown, so that nobody trusts the journal */
int link(const char *from, const char *to) { REAL(int, "link", const char *, const char *); LOCKED(removed(AT_FDCWD, to, UNKNOWN, real(from, to))); }
static int allocated(int fd, int mode, off_t offset, off_t length) {
  REAL(int, "fallocate64", int, int, off_t, off_t);
  int done = real(fd, mode, offset, length);
  struct stat found;
  if (done == 0 && of(fd)) {
    pthread_mutex_lock(&lock);
    if (mode != 0) record(UNKNOWN, paths[fd], 0, NULL, 0);
    else if (fstat(fd, &found) == 0) record(TRUNCATE, paths[fd], found.st_size, NULL, 0);
    pthread_mutex_unlock(&lock);
  }
  return done;
}
int fallocate64(int fd, int mode, off_t offset, off_t length) { return allocated(fd, mode, offset, length); }
int plain_fallocate(int fd, int mode, off_t offset, off_t length) __asm__("fallocate");
int plain_fallocate(int fd, int mode, off_t offset, off_t length) { return allocated(fd, mode, offset, length); }
int posix_fallocate64(int fd, off_t offset, off_t length) { return allocated(fd, 0, offset, length) == 0 ? 0 : errno; }
ssize_t sendfile64(int out, int in, off_t *offset, size_t length) {
  REAL(ssize_t, "sendfile64", int, int, off_t *, size_t);
  if (of(out)) { errno = EINVAL; return -1; }
  return real(out, in, offset, length);
}
ssize_t copy_file_range(int in, off_t *from, int out, off_t *to, size_t length, unsigned flags) {
  REAL(ssize_t, "copy_file_range", int, off_t *, int, off_t *, size_t, unsigned);
  if (of(out)) { errno = ENOSYS; return -1; }
  return real(in, from, out, to, length, flags);
}
/* libuv makes this call by its number */
long syscall(long number, ...) {
  REAL(long, "syscall", long, ...);
  va_list more;
  va_start(more, number);
  long a = va_arg(more, long), b = va_arg(more, long), c = va_arg(more, long);
  long d = va_arg(more, long), e = va_arg(more, long), f = va_arg(more, long);
  va_end(more);
  if (number == SYS_copy_file_range && of((int)c)) { errno = ENOSYS; return -1; }
  return real(number, a, b, c, d, e, f);
}
