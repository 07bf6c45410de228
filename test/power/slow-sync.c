/* Loaded with LD_PRELOAD: a sync takes SLOW_SYNC_US microseconds longer, as on a disk that has to move something. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <unistd.h>

static int slow(int fd, const char *name) {
  int (*real)(int) = (int (*)(int))dlsym(RTLD_NEXT, name);
  const char *us = getenv("SLOW_SYNC_US");
  if (us) usleep(atoi(us));
  return real(fd);
}

int fsync(int fd) { return slow(fd, "fsync"); }
int fdatasync(int fd) { return slow(fd, "fdatasync"); }
