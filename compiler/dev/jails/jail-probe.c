// Runs in the machine that jail.test.ts boots, as a process of each role: a program that means harm and needs no Node for
// it. It makes each system call by its number, says in which way it was answered, and ends with a call of another
// architecture, for which the kernel ends it. jail-attempts.ts has what each word stands for and what it must be.
//
// Static, so that nothing of the machine is needed to run it. In test images only.

#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <linux/fs.h>
#include <linux/keyctl.h>
#include <linux/userfaultfd.h>
#include <net/if.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LOADERS = 3, CHANNEL = 4, ARTEFACT = 5, PAGE = 4096, MOST_DESCRIPTORS = 1024, MOST_THREADS = 100 };

static char said[3500];
static size_t length;
static size_t line_begins;

/// Words of one line, and lines no longer than the machine shows.
static void say(const char *name, const char *answer) {
  if (length - line_begins > 300) {
    said[length++] = '\n';
    line_begins = length;
  }
  length += (size_t)snprintf(said + length, sizeof said - length, "%s%s=%s", length == line_begins ? "native: " : " ", name, answer);
}

static const char *word(long answer) { return answer >= 0 ? "allowed" : strerrorname_np(errno); }

static void attempt(const char *name, long answer) { say(name, word(answer)); }

#define TRY(name, number, ...) attempt(name, syscall(number __VA_OPT__(, ) __VA_ARGS__))

static long opened(const char *path, int flags) { return syscall(SYS_openat, AT_FDCWD, path, flags, 0600); }

static long mapped(void *at, int protection, int flags, int fd) {
  void *place = mmap(at, PAGE, protection, flags, fd, 0);
  return place == MAP_FAILED ? -1 : 0;
}

static void files(void) {
  attempt("read.program", opened("/usr/bin/node", O_RDONLY));
  attempt("read.own", opened("/capos/probe", O_RDONLY));
  attempt("list.root", opened("/", O_RDONLY | O_DIRECTORY));
  attempt("write.root", opened("/capos/loop.mjs", O_WRONLY));
  attempt("make.tmp", opened("/tmp/x", O_WRONLY | O_CREAT));
  attempt("write.null", opened("/dev/null", O_WRONLY));
  attempt("open.proc", opened("/proc/self/mem", O_RDONLY));
  attempt("open.sys", opened("/sys/kernel", O_RDONLY));
  attempt("open.init", opened("/disk", O_RDONLY));
  attempt("open.memory", opened("/dev/mem", O_RDONLY));
  attempt("open.terminal", opened("/dev/console", O_RDONLY));
  attempt("open.zero", opened("/dev/zero", O_RDONLY));
  attempt("climb", opened("/data/../../disk", O_RDONLY));
  TRY("truncate", SYS_truncate, "/capos/loop.mjs", 0);
  TRY("chdir", SYS_chdir, "/data");
  TRY("chroot", SYS_chroot, "/data");
  TRY("chmod", SYS_chmod, "/capos/loop.mjs", 0777);
  TRY("mknod", SYS_mknod, "/data/memory", S_IFCHR | 0600, 0x101);
  TRY("byHandle", SYS_open_by_handle_at, -1, NULL, 0);
  TRY("openat2", SYS_openat2, AT_FDCWD, "/", NULL, 0);
}

static void directory(void) {
  static const char code[] = "\xc3";
  syscall(SYS_close, LOADERS);
  int fd = (int)opened("/data/made", O_RDWR | O_CREAT);
  attempt("data.make", fd);
  attempt("data.fill", write(fd, code, sizeof code));
  attempt("data.code", mapped(NULL, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd));
  TRY("data.run", SYS_execve, "/data/made", NULL, NULL);
  TRY("data.link", SYS_link, "/data/made", "/data/linked");
  TRY("data.symlink", SYS_symlink, "/disk", "/data/way");
  TRY("data.give", SYS_chown, "/data/made", 0, 0);
  TRY("data.mode", SYS_fchmod, fd, 04755);
}

static void artefact(void) {
  attempt("sealed.write", write(ARTEFACT, "x", 1));
  TRY("sealed.cut", SYS_ftruncate, ARTEFACT, 0);
  TRY("sealed.unseal", SYS_fcntl, ARTEFACT, F_ADD_SEALS, 0);
  attempt("sealed.share", mapped(NULL, PROT_READ | PROT_WRITE, MAP_SHARED, ARTEFACT));
  attempt("sealed.code", mapped(NULL, PROT_READ | PROT_EXEC, MAP_PRIVATE, ARTEFACT));
  syscall(SYS_close, LOADERS);
  TRY("sealed.move", SYS_fcntl, ARTEFACT, F_DUPFD_CLOEXEC, LOADERS);
  attempt("sealed.reopen", opened("/proc/self/fd/5", O_RDWR));
}

/// As the inference engine has them: open to be read, and mapped. At the loader's own number, from which code may be mapped.
static void weights(void) {
  static const char *const tries[] = {"write", "share", "unprotect", "code", "cut", "hole", "device"};
  syscall(SYS_close, LOADERS);
  int fd = (int)opened("/weights", O_RDONLY);
  attempt("weights.read", fd);
  attempt("weights.open", opened("/weights", O_RDWR));
  if (fd < 0) {
    for (size_t at = 0; at < sizeof tries / sizeof *tries; at += 1) {
      char name[32];
      snprintf(name, sizeof name, "weights.%s", tries[at]);
      say(name, "unseen");
    }
    return;
  }
  attempt("weights.write", write(fd, "x", 1));
  attempt("weights.share", mapped(NULL, PROT_READ | PROT_WRITE, MAP_SHARED, fd));
  void *seen = mmap(NULL, PAGE, PROT_READ, MAP_SHARED, fd, 0);
  TRY("weights.unprotect", SYS_mprotect, seen, PAGE, PROT_READ | PROT_WRITE);
  attempt("weights.code", mapped(NULL, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd));
  TRY("weights.cut", SYS_ftruncate, fd, 0);
  TRY("weights.hole", SYS_fallocate, fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0, PAGE);
  int writable = 0;
  TRY("weights.device", SYS_ioctl, fd, BLKROSET, &writable);
}

static void memory(void) {
  void *page = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  attempt("wx", mapped(NULL, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1));
  attempt("x", mapped(NULL, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1));
  attempt("thenX", mprotect(page, PAGE, PROT_READ | PROT_EXEC));
  TRY("pkeyX", SYS_pkey_mprotect, page, PAGE, PROT_EXEC, -1);
  attempt("sharedX", mapped(NULL, PROT_READ | PROT_EXEC, MAP_SHARED, ARTEFACT));
  attempt("low", mapped((void *)PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1));
  TRY("memfd", SYS_memfd_create, "x", 0);
  TRY("secret", SYS_memfd_secret, 0);
  TRY("personality", SYS_personality, 0x0400000);
  TRY("shm", SYS_shmget, 1, PAGE, 01777);
}

static void network(void) {
  TRY("inet", SYS_socket, AF_INET, SOCK_STREAM, 0);
  TRY("raw", SYS_socket, AF_INET, SOCK_RAW, 1);
  TRY("packet", SYS_socket, AF_PACKET, SOCK_RAW, 0);
  TRY("unix", SYS_socket, AF_UNIX, SOCK_STREAM, 0);
  TRY("netlink", SYS_socket, AF_NETLINK, SOCK_RAW, 0);
  TRY("vsock", SYS_socket, AF_VSOCK, SOCK_STREAM, 0);
  struct sockaddr_un abstract = {.sun_family = AF_UNIX, .sun_path = "\0anything"};
  TRY("abstract", SYS_connect, CHANNEL, &abstract, sizeof abstract);
  TRY("bind", SYS_bind, CHANNEL, &abstract, sizeof abstract);
  TRY("listen", SYS_listen, CHANNEL, 1);
  TRY("pair", SYS_socketpair, AF_UNIX, SOCK_STREAM, 0, NULL);
  struct iovec part = {"x", 1};
  struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
  TRY("sendmsg", SYS_sendmsg, CHANNEL, &message, 0);
  TRY("sendto", SYS_sendto, CHANNEL, "x", 1, 0, NULL, 0);
}

static void processes(void) {
  char *none[] = {NULL};
  TRY("fork", SYS_fork);
  TRY("vfork", SYS_clone, CLONE_VFORK | SIGCHLD, 0, 0, 0, 0);
  TRY("clone", SYS_clone, SIGCHLD, 0, 0, 0, 0);
  TRY("clone3", SYS_clone3, NULL, 0);
  TRY("exec", SYS_execve, "/usr/bin/node", none, none);
  TRY("execAgain", SYS_execve, PAGE, none, none);
  TRY("execat", SYS_execveat, ARTEFACT, "", none, none, AT_EMPTY_PATH);
  TRY("userSpace", SYS_clone, CLONE_NEWUSER | SIGCHLD, 0, 0, 0, 0);
  TRY("unshare", SYS_unshare, CLONE_NEWUSER);
  TRY("setns", SYS_setns, ARTEFACT, 0);
  TRY("ptrace", SYS_ptrace, PTRACE_TRACEME, 0, 0, 0);
  TRY("peek", SYS_process_vm_readv, 1, NULL, 0, NULL, 0, 0);
  TRY("pidfd", SYS_pidfd_open, 1, 0);
  TRY("takeFd", SYS_pidfd_getfd, 0, 0, 0);
  TRY("kill", SYS_kill, 1, 0);
  TRY("killAll", SYS_kill, -1, SIGKILL);
  TRY("tgkill", SYS_tgkill, 2, 2, SIGKILL);
  TRY("queue", SYS_rt_sigqueueinfo, 1, SIGKILL, NULL);
  TRY("owner", SYS_fcntl, CHANNEL, F_SETOWN, 1);
  TRY("nice", SYS_setpriority, PRIO_PROCESS, 0, -20);
  TRY("realtime", SYS_sched_setscheduler, 0, SCHED_FIFO, NULL);
}

static void rights(void) {
  struct rlimit limit = {1 << 20, 1 << 20};
  TRY("setuid", SYS_setuid, 0);
  TRY("setresuid", SYS_setresuid, 0, 0, 0);
  TRY("setgroups", SYS_setgroups, 0, NULL);
  TRY("capset", SYS_capset, NULL, NULL);
  TRY("limit", SYS_prlimit64, 0, RLIMIT_NOFILE, &limit, NULL);
  TRY("dumpable", SYS_prctl, PR_SET_DUMPABLE, 1, 0, 0, 0);
  TRY("traced", SYS_prctl, PR_SET_PTRACER, -1, 0, 0, 0);
  TRY("securebits", SYS_prctl, PR_SET_SECUREBITS, 0, 0, 0, 0);
  TRY("filter", SYS_seccomp, 0, 0, NULL);
  TRY("keyring", SYS_keyctl, KEYCTL_GET_KEYRING_ID, KEY_SPEC_SESSION_KEYRING, 0);
  TRY("addKey", SYS_add_key, "user", "x", "x", 1, KEY_SPEC_PROCESS_KEYRING);
}

static void kernel(void) {
  TRY("ioUring", SYS_io_uring_setup, 1, NULL);
  TRY("bpf", SYS_bpf, 0, NULL, 0);
  TRY("userfault", SYS_userfaultfd, UFFD_USER_MODE_ONLY);
  TRY("perf", SYS_perf_event_open, NULL, 0, -1, -1, 0);
  TRY("mount", SYS_mount, "none", "/tmp", "tmpfs", 0, NULL);
  TRY("umount", SYS_umount2, "/data", 2);
  TRY("pivot", SYS_pivot_root, "/", "/");
  TRY("fsopen", SYS_fsopen, "tmpfs", 0);
  TRY("module", SYS_init_module, NULL, 0, "");
  TRY("moduleFile", SYS_finit_module, ARTEFACT, "", 0);
  TRY("kexec", SYS_kexec_load, 0, 0, NULL, 0);
  TRY("reboot", SYS_reboot, 0, 0, 0, NULL);
  TRY("log", SYS_syslog, 3, NULL, 0);
  TRY("ports", SYS_iopl, 3);
  TRY("segments", SYS_modify_ldt, 0, NULL, 0);
  TRY("clock", SYS_clock_settime, 0, NULL);
  TRY("hostname", SYS_sethostname, "x", 1);
  TRY("swap", SYS_swapon, "/data/made", 0);
  TRY("notify", SYS_pipe2, said, O_EXCL);
  TRY("watch", SYS_inotify_init1, 0);
  TRY("x32", 0x40000000 | SYS_getpid);
  TRY("type", SYS_ioctl, 0, TIOCSTI, "x");
}

static void *wait_for_ever(void *nothing) {
  for (;;) syscall(SYS_futex, &said, 0 /* FUTEX_WAIT */, 0, NULL);
  return nothing;
}

/// How many threads there can be at once, this one among them.
static void threads(void) {
  char number[16];
  pthread_attr_t small;
  pthread_t thread;
  int count = 1;
  pthread_attr_init(&small);
  pthread_attr_setstacksize(&small, 64 * 1024);
  while (count < MOST_THREADS && pthread_create(&thread, &small, wait_for_ever, NULL) == 0) count += 1;
  snprintf(number, sizeof number, "%d", count);
  say("threads", number);
}

/// The numbers that are open here, whoever opened them.
static void inherited(void) {
  char open[64] = "";
  size_t filled = 0;
  for (int fd = 0; fd < MOST_DESCRIPTORS && filled < sizeof open - 8; fd += 1)
    if (syscall(SYS_fcntl, fd, F_GETFL) != -1) filled += (size_t)snprintf(open + filled, sizeof open - filled, "%s%d", filled ? "," : "", fd);
  say("inherited", open);
}

/// The same number means another call there: what a filter by numbers must not be asked about.
static void foreign(void) {
  long answer;
  __asm__ volatile("int $0x80" : "=a"(answer) : "a"(20) : "memory");
  say("foreign", answer > 0 ? "allowed" : "refused");
}

/// Until the kernel ends it.
static void eat(void) {
  for (;;) {
    char *piece = mmap(NULL, 256 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
    if (piece == MAP_FAILED) break;
  }
  write(1, "native: eaten=refused\n", 22);
}

/// Says that it serves, hears whatever init asks, and answers nothing.
static void hang(void) {
  static const char ready[] = "{\"capos\":\"ready\"}\n";
  char heard[256];
  write(CHANNEL, ready, sizeof ready - 1);
  while (read(CHANNEL, heard, sizeof heard) > 0) continue;
}

int main(int count, char **words) {
  if (count > 1 && strcmp(words[1], "hang") == 0) {
    hang();
    return 0;
  }
  if (count > 1 && strcmp(words[1], "eat") == 0) {
    eat();
    return 0;
  }
  // Run anywhere else it would end every process that it may.
  if (count < 2 || strcmp(words[1], "try-in-a-jail") != 0) {
    fputs("this is for the machine of jail.test.ts alone\n", stderr);
    return 2;
  }
  inherited();
  files();
  directory();
  artefact();
  weights();
  memory();
  network();
  processes();
  rights();
  kernel();
  threads();
  said[length++] = '\n';
  write(1, said, length);
  foreign();
  write(1, said, length);
  return 0;
}
