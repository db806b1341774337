/* The first program of a guest whose root is the root of the host that runs it, read-only over 9p. It loads the modules of /list in order,
   mounts the shared root and the kernel's own file systems, runs /bin/sh /run/script there, prints its status, and powers off. */

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/reboot.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static void end(const char *what) {
  printf("guest: %s: %s\n", what, strerror(errno));
  fflush(stdout);
  reboot(RB_POWER_OFF);
}

static void need(int result, const char *what) {
  if (result != 0) end(what);
}

static void load(const char *name) {
  char path[128];
  snprintf(path, sizeof path, "/modules/%s", name);
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) end(name);
  if (syscall(SYS_finit_module, file, "", 0) != 0 && errno != EEXIST && errno != ENODEV) end(name);
  close(file);
}

static void load_all(void) {
  char name[64];
  FILE *list = fopen("/list", "re");
  if (list == NULL) end("/list");
  while (fscanf(list, "%63s", name) == 1) load(name);
  fclose(list);
}

static void copy(const char *from, const char *to) {
  char bytes[4096];
  ssize_t size;
  int in = open(from, O_RDONLY | O_CLOEXEC), out = open(to, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
  if (in < 0 || out < 0) end(to);
  while ((size = read(in, bytes, sizeof bytes)) > 0)
    if (write(out, bytes, (size_t)size) != size) end(to);
  close(in);
  close(out);
}

int main(void) {
  static char *const environment[] = {"PATH=/usr/sbin:/usr/bin:/sbin:/bin", "HOME=/tmp", "TERM=vt100", NULL};
  static char *const words[] = {"sh", "/run/script", NULL};
  setvbuf(stdout, NULL, _IONBF, 0);
  load_all();
  mkdir("/new", 0755);
  need(mount("root", "/new", "9p", MS_RDONLY, "trans=virtio,version=9p2000.L,cache=loose,msize=512000"), "the shared root");
  need(mount("tmp", "/new/tmp", "tmpfs", 0, "mode=1777"), "/tmp");
  need(mount("run", "/new/run", "tmpfs", 0, "mode=0755"), "/run");
  need(mount("proc", "/new/proc", "proc", 0, ""), "/proc");
  need(mount("sys", "/new/sys", "sysfs", 0, ""), "/sys");
  need(mount("dev", "/new/dev", "devtmpfs", 0, ""), "/dev");
  if (mkdir("/new/dev/pts", 0755) != 0 && errno != EEXIST) end("/dev/pts");
  need(mount("pts", "/new/dev/pts", "devpts", 0, "mode=0620,ptmxmode=0666"), "/dev/pts");
  need(mount("cgroup", "/new/sys/fs/cgroup", "cgroup2", 0, ""), "/sys/fs/cgroup");
  copy("/script", "/new/run/script");
  need(chdir("/new"), "/new");
  need(mount(".", "/", NULL, MS_MOVE, NULL), "the root");
  need(chroot("."), "the root");
  need(chdir("/"), "the root");
  pid_t child = fork();
  if (child == 0) {
    execve("/bin/sh", words, environment);
    end("/bin/sh");
  }
  int status = 0;
  while (waitpid(child, &status, 0) != child)
    if (errno != EINTR) end("the script");
  printf("guest: status %d\n", WIFEXITED(status) ? WEXITSTATUS(status) : -1);
  reboot(RB_POWER_OFF);
}
