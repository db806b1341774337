// Defines the attempts from inside the jail of every role, and the required results. engine/THREATS.md shows them as a table
// (jail-table.ts), and jail.test.ts compares it with the results on a machine. jail-probe.c and jail-probe.mjs make the attempts, under
// the names used here.

import { existsSync, readFileSync } from "node:fs";
import { isStatic, ROLE_NAMES, ROLES, type Role } from "../../lib/roles/index.ts";

/**
 * Kind of prober: a test program that makes the attempts inside a jail. `native` is a static program that makes system
 * calls by their numbers. `node` uses the functions of the image's own Node.js.
 */
export type Prober = "native" | "node";

export interface Attempt {
  /** Names of the attempts in the program that makes them. All these attempts must have the same result. */
  readonly names: readonly string[];
  readonly tries: string;
  readonly by: Prober;
  readonly answers: Readonly<Partial<Record<Role, string>>> & { readonly others: string };
}

/** Roles that may have their own directory; in tests, the program that tries out such a role's jail has one. */
export const WRITERS: readonly Role[] = ROLE_NAMES.filter((role) => ROLES[role].handed.includes("directory"));

/** Roles that may read the weights of a model; in tests, the program that tries out such a role's jail has weights. */
export const SEERS: readonly Role[] = ROLE_NAMES.filter((role) => ROLES[role].handed.includes("weights"));

/** Roles with a directory that may list it; the other roles with a directory can only open names that they know. */
export const LISTERS: readonly Role[] = WRITERS.filter((role) => mayList(role));

/**
 * Returns whether a role's jail allows listing directories; `false` without a jail file, which `compiler/dev/places`
 * reports.
 */
function mayList(role: Role): boolean {
  const jail = new URL(`../jails/${role}.json`, import.meta.url);
  return existsSync(jail) && readFileSync(jail, "utf8").includes('"getdents64"');
}

const makeNativeAttempt = (tries: string, names: string, answers: string | Attempt["answers"]): Attempt => ({
  names: names.split(" "),
  tries,
  by: "native",
  answers: typeof answers === "string" ? { others: answers } : answers,
});

const makeNodeAttempt = (tries: string, names: string, answers: string | Attempt["answers"]): Attempt => ({
  ...makeNativeAttempt(tries, names, answers),
  by: "node",
});

/** Result of the console's attempts to open a file: its jail has no system call for this. */
const console = "ENOSYS";
const answeredTo = (roles: readonly Role[], answer: string): Partial<Record<Role, string>> =>
  Object.fromEntries(roles.map((role) => [role, answer]));
const byWriters = (answer: string): Partial<Record<Role, string>> => answeredTo(WRITERS, answer);
/**
 * Returns `answer` for roles that may read the weights. Other roles have no weights: their probers skip these attempts
 * and report `unseen`.
 */
const expectFromSeers = (answer: string): Attempt["answers"] => ({ others: "unseen", ...answeredTo(SEERS, answer) });

export const ATTEMPTS: readonly Attempt[] = [
  makeNativeAttempt("starts a process", "fork vfork clone clone3", "ENOSYS"),
  makeNativeAttempt("runs a program", "exec execat data.run", "ENOSYS"),
  makeNativeAttempt("runs a program whose path is at the address that init's child used", "execAgain", "EFAULT"),
  makeNativeAttempt("maps memory at the address where init's child put the path of the program", "low", "EPERM"),
  makeNativeAttempt("creates or enters namespaces", "userSpace unshare setns", "ENOSYS"),
  makeNativeAttempt("traces a process, or reads its memory", "ptrace peek pidfd takeFd", "ENOSYS"),
  makeNativeAttempt("signals a process", "kill killAll tgkill queue owner", "ENOSYS"),
  makeNativeAttempt("raises its own priority", "nice realtime", "ENOSYS"),
  makeNativeAttempt("starts threads; the result is the number of threads, including the first", "threads", {
    others: "24",
    // A process of this role may have 1024 threads, one for each tensor that it checks. The result is 100, because the
    // prober starts at most a hundred.
    "model-local": "100",
    console: "1",
    "own-native": "16",
  }),
  makeNativeAttempt("makes written memory executable", "wx x thenX pkeyX sharedX", "ENOSYS"),
  makeNativeAttempt("maps a file of its own directory as code", "data.code", {
    others: "ENOSYS",
    ...byWriters("EPERM"),
    "own-native": "ENOSYS",
  }),
  makeNativeAttempt("creates memory files, secret memory or shared memory", "memfd secret personality shm", "ENOSYS"),
  makeNativeAttempt("creates internet, raw or packet sockets", "inet raw packet", "ENOSYS"),
  makeNativeAttempt("creates local, netlink or host (vsock) sockets", "unix netlink vsock", "ENOSYS"),
  makeNativeAttempt("connects an inherited socket to an abstract socket name", "abstract", {
    others: "ENOSYS",
    egress: "ECONNREFUSED",
  }),
  makeNativeAttempt("binds a socket, listens, or creates a socket pair", "bind listen pair", "ENOSYS"),
  makeNativeAttempt("sends a descriptor or a message", "sendmsg sendto", "ENOSYS"),
  makeNativeAttempt("lists the descriptors that are open at its start", "inherited", "0,1,2,4,5"),
  makeNativeAttempt("writes a sealed artefact", "sealed.write", "EBADF"),
  makeNativeAttempt("maps a sealed artefact for writing", "sealed.share", "EACCES"),
  makeNativeAttempt(
    "maps a sealed artefact as code, or duplicates its descriptor for the loader",
    "sealed.code sealed.move",
    "ENOSYS",
  ),
  makeNativeAttempt("truncates a sealed artefact", "sealed.cut", { others: "ENOSYS", ...byWriters("EINVAL") }),
  makeNativeAttempt("removes the seal of an artefact", "sealed.unseal", "ENOSYS"),
  makeNativeAttempt("reopens a sealed artefact for writing", "sealed.reopen", {
    others: "ENOSYS",
    ...byWriters("ENOENT"),
  }),
  makeNativeAttempt("reads the weights of a model", "weights.read", {
    others: "EACCES",
    console,
    ...answeredTo(SEERS, "allowed"),
  }),
  makeNativeAttempt("opens the weights for writing", "weights.open", { others: "ENOSYS", ...byWriters("EROFS") }),
  makeNativeAttempt("writes to the open weights", "weights.write", expectFromSeers("EBADF")),
  makeNativeAttempt(
    "maps the weights for writing, or makes their mapping writable",
    "weights.share weights.unprotect",
    expectFromSeers("EACCES"),
  ),
  makeNativeAttempt("maps the weights as code", "weights.code", expectFromSeers("EPERM")),
  makeNativeAttempt(
    "truncates the weights, makes holes, or makes their device writable",
    "weights.cut weights.hole weights.device",
    expectFromSeers("ENOSYS"),
  ),
  makeNativeAttempt("reads its own program", "read.own", { others: "allowed", console }),
  makeNativeAttempt("opens another program of the image", "read.program", { others: "EACCES", console }),
  makeNativeAttempt("lists the root", "list.root", { others: "EACCES", console }),
  makeNativeAttempt("writes a program of the image", "write.root", { others: "ENOSYS", ...byWriters("EROFS") }),
  makeNativeAttempt("creates a file outside of its directory", "make.tmp", { others: "ENOSYS", ...byWriters("EROFS") }),
  makeNativeAttempt("writes to a device of the jail", "write.null", { others: "ENOSYS", ...byWriters("EACCES") }),
  makeNativeAttempt("opens /proc, /sys, init's files or the disk", "open.proc open.sys open.init climb", {
    others: "ENOENT",
    console,
  }),
  makeNativeAttempt("opens a device that exists in the jail", "open.zero", { others: "EACCES", console }),
  makeNativeAttempt("opens the device of memory or of a terminal", "open.memory open.terminal", {
    others: "ENOENT",
    console,
  }),
  makeNativeAttempt("truncates a file by its path", "truncate", "ENOSYS"),
  makeNativeAttempt(
    "changes its root or directory, changes file modes, or makes devices",
    "chdir chroot chmod mknod byHandle openat2",
    "ENOSYS",
  ),
  makeNativeAttempt("creates a file in /data", "data.make", { others: "ENOSYS", ...byWriters("allowed") }),
  makeNativeAttempt("writes to the file in /data", "data.fill", { others: "EBADF", ...byWriters("allowed") }),
  makeNativeAttempt(
    "links the file in /data, changes its owner, or makes it executable",
    "data.link data.symlink data.give data.mode",
    "ENOSYS",
  ),
  makeNativeAttempt("changes its user, groups or capabilities", "setuid setresuid setgroups capset", "ENOSYS"),
  makeNativeAttempt(
    "changes its limits, memory dumps, tracers or filters",
    "limit dumpable traced securebits filter",
    "ENOSYS",
  ),
  makeNativeAttempt("adds or reads keys in the kernel's keyrings", "keyring addKey", "ENOSYS"),
  makeNativeAttempt("uses io_uring, bpf, userfaultfd or perf", "ioUring bpf userfault perf", "ENOSYS"),
  makeNativeAttempt(
    "mounts, unmounts or exchanges file systems, or turns swap on",
    "mount umount pivot fsopen swap",
    "ENOSYS",
  ),
  makeNativeAttempt(
    "loads a kernel module, loads another kernel, or reboots",
    "module moduleFile kexec reboot",
    "ENOSYS",
  ),
  makeNativeAttempt("uses I/O ports, changes segments, or reads the kernel's log", "ports segments log", "ENOSYS"),
  makeNativeAttempt("sets the clock or the host name, or watches files", "clock hostname watch notify", "ENOSYS"),
  makeNativeAttempt("makes system calls by their x32 numbers", "x32", "ENOSYS"),
  makeNativeAttempt("inserts input into the terminal, as if a person typed it", "type", "ENOSYS"),
  makeNodeAttempt("runs code from a text by eval or new Function", "eval", "EvalError"),
  makeNodeAttempt("looks for WebAssembly", "wasm", "undefined"),
  makeNodeAttempt("loads native code", "addon", "ERR_DLOPEN_DISABLED"),
  makeNodeAttempt("starts Node, a shell, or a file that it wrote", "node shell run", "ENOSYS"),
  makeNodeAttempt("connects to another machine, in a namespace without a network card", "tcp", {
    others: "ENOSYS",
    egress: "ENETUNREACH",
  }),
  makeNodeAttempt("connects to a socket name, or listens", "abstract listen", "ENOSYS"),
  makeNodeAttempt("receives datagrams at a port below 1024", "udp", { others: "ENOSYS", egress: "EACCES" }),
  makeNodeAttempt("lists the network interfaces", "interfaces", "ERR_SYSTEM_ERROR"),
  makeNodeAttempt("changes its user or priority", "setuid setgroups nice", "ENOSYS"),
  makeNodeAttempt("signals a process, or checks whether other processes exist", "kill others", "ENOSYS"),
  makeNodeAttempt("looks for /proc, /sys and init's files", "init", "ENOENT"),
  makeNodeAttempt("lists the root or the devices", "list devices", "EACCES"),
  makeNodeAttempt("opens another program of the image", "program", "EACCES"),
  makeNodeAttempt("writes to five paths outside of its directory", "write", {
    others: "ENOSYS",
    ...byWriters("EROFS"),
  }),
  makeNodeAttempt("opens the weights for writing", "weights", { others: "ENOSYS", ...byWriters("EROFS") }),
  makeNodeAttempt("truncates a file", "truncate", { others: "ENOSYS", ...byWriters("EROFS") }),
  makeNodeAttempt("links or watches a file, or changes its owner", "link symlink watch give", "ENOSYS"),
  makeNodeAttempt("writes in /data", "data", { others: "ENOSYS", ...byWriters("allowed") }),
  makeNodeAttempt("opens more files than its limit", "open", "EMFILE"),
  makeNodeAttempt("counts the artefacts that are open at its start", "artefacts", "1"),
  makeNodeAttempt("lists its environment variables; `ofInit`: all are from init", "environment", "ofInit"),
];

/** Returns the roles in whose jails the probers of a kind run. */
export const findProberRoles = (by: Prober): readonly Role[] =>
  by === "native" ? ROLE_NAMES : ROLE_NAMES.filter((role) => !isStatic(role));

/** Returns the required result of a role's attempt. */
export function answerFor({ answers }: Attempt, role: Role): string {
  return answers[role] ?? answers.others;
}
