// Defines the attempts from inside the jail of every role, and the required results. engine/THREATS.md shows them as a table
// (jail-table.ts), and jail.test.ts compares it with the results on a machine. jail-probe.c and jail-probe.mjs make the attempts, under
// the names used here.

import { existsSync, readFileSync } from "node:fs";
import { isStatic, ROLE_NAMES, ROLES, type Role } from "../../lib/roles/index.ts";

/** `native` makes system calls by their numbers, from a static program. `node` uses the functions of the image's own Node.js. */
export type Prober = "native" | "node";

export interface Attempt {
  /** Names of the attempts in the prober. All of them must have the same result. */
  readonly names: readonly string[];
  readonly tries: string;
  readonly by: Prober;
  readonly answers: Readonly<Partial<Record<Role, string>>> & { readonly others: string };
}

/** Roles that may have their own directory; the probers of these roles have one. */
export const WRITERS: readonly Role[] = ROLE_NAMES.filter((role) => ROLES[role].handed.includes("directory"));

/** Roles that may see the weights of a model; the probers of these roles do. */
export const SEERS: readonly Role[] = ROLE_NAMES.filter((role) => ROLES[role].handed.includes("weights"));

/** Writers that may list their directory; the others only access names that they know. */
export const LISTERS: readonly Role[] = WRITERS.filter((role) => mayList(role));

/** A role without a jail has no permission: `compiler/dev/places` reports the missing jail. */
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

/** The console opens no file. */
const console = "ENOSYS";
const answeredTo = (roles: readonly Role[], answer: string): Partial<Record<Role, string>> =>
  Object.fromEntries(roles.map((role) => [role, answer]));
const byWriters = (answer: string): Partial<Record<Role, string>> => answeredTo(WRITERS, answer);
/** Returns `answer` for roles that see the weights; the others get `unseen`, and make no further attempt with them. */
const expectFromSeers = (answer: string): Attempt["answers"] => ({ others: "unseen", ...answeredTo(SEERS, answer) });

export const ATTEMPTS: readonly Attempt[] = [
  makeNativeAttempt("makes a process", "fork vfork clone clone3", "ENOSYS"),
  makeNativeAttempt("runs a program", "exec execat data.run", "ENOSYS"),
  makeNativeAttempt("runs one as init's child did", "execAgain", "EFAULT"),
  makeNativeAttempt("lays a name where init's child did", "low", "EPERM"),
  makeNativeAttempt("makes namespaces, or enters some", "userSpace unshare setns", "ENOSYS"),
  makeNativeAttempt("traces a process, or reads its memory", "ptrace peek pidfd takeFd", "ENOSYS"),
  makeNativeAttempt("signals a process", "kill killAll tgkill queue owner", "ENOSYS"),
  makeNativeAttempt("goes before others", "nice realtime", "ENOSYS"),
  makeNativeAttempt("more threads than it may have", "threads", {
    others: "24",
    // This role may have 1024 threads, one for each tensor that is checked; the prober tries at most a hundred.
    "model-local": "100",
    console: "1",
    "own-native": "16",
  }),
  makeNativeAttempt("memory that is written and run", "wx x thenX pkeyX sharedX", "ENOSYS"),
  makeNativeAttempt("runs what is in its own directory, mapped", "data.code", {
    others: "ENOSYS",
    ...byWriters("EPERM"),
    "own-native": "ENOSYS",
  }),
  makeNativeAttempt("files of memory, secret or shared memory", "memfd secret personality shm", "ENOSYS"),
  makeNativeAttempt("sockets: internet, raw, packets", "inet raw packet", "ENOSYS"),
  makeNativeAttempt("sockets: local, netlink, to the host", "unix netlink vsock", "ENOSYS"),
  makeNativeAttempt("connects its channel by an abstract name", "abstract", {
    others: "ENOSYS",
    egress: "ECONNREFUSED",
  }),
  makeNativeAttempt("binds, listens, makes pairs", "bind listen pair", "ENOSYS"),
  makeNativeAttempt("passes a descriptor or a message on", "sendmsg sendto", "ENOSYS"),
  makeNativeAttempt("descriptors that it finds open", "inherited", "0,1,2,4,5"),
  makeNativeAttempt("writes a sealed artefact", "sealed.write", "EBADF"),
  makeNativeAttempt("maps it to be written", "sealed.share", "EACCES"),
  makeNativeAttempt("runs it, or moves it where the loader's files lie", "sealed.code sealed.move", "ENOSYS"),
  makeNativeAttempt("cuts it", "sealed.cut", { others: "ENOSYS", ...byWriters("EINVAL") }),
  makeNativeAttempt("unseals it", "sealed.unseal", "ENOSYS"),
  makeNativeAttempt("opens it again to write", "sealed.reopen", { others: "ENOSYS", ...byWriters("ENOENT") }),
  makeNativeAttempt("reads the weights of a model", "weights.read", {
    others: "EACCES",
    console,
    ...answeredTo(SEERS, "allowed"),
  }),
  makeNativeAttempt("opens them to write", "weights.open", { others: "ENOSYS", ...byWriters("EROFS") }),
  makeNativeAttempt("writes to them where they are open", "weights.write", expectFromSeers("EBADF")),
  makeNativeAttempt(
    "maps them to be written, or makes their map so",
    "weights.share weights.unprotect",
    expectFromSeers("EACCES"),
  ),
  makeNativeAttempt("runs them, mapped", "weights.code", expectFromSeers("EPERM")),
  makeNativeAttempt(
    "cuts them, makes holes, has the device take writes",
    "weights.cut weights.hole weights.device",
    expectFromSeers("ENOSYS"),
  ),
  makeNativeAttempt("reads its own program", "read.own", { others: "allowed", console }),
  makeNativeAttempt("opens another program of the image", "read.program", { others: "EACCES", console }),
  makeNativeAttempt("lists the root", "list.root", { others: "EACCES", console }),
  makeNativeAttempt("writes a program of the image", "write.root", { others: "ENOSYS", ...byWriters("EROFS") }),
  makeNativeAttempt("makes a file elsewhere", "make.tmp", { others: "ENOSYS", ...byWriters("EROFS") }),
  makeNativeAttempt("writes to a device of the jail", "write.null", { others: "ENOSYS", ...byWriters("EACCES") }),
  makeNativeAttempt("opens /proc, /sys, init's files, the disk", "open.proc open.sys open.init climb", {
    others: "ENOENT",
    console,
  }),
  makeNativeAttempt("opens a device that the jail has", "open.zero", { others: "EACCES", console }),
  makeNativeAttempt("opens memory, the terminal, as devices", "open.memory open.terminal", {
    others: "ENOENT",
    console,
  }),
  makeNativeAttempt("cuts a file by its name", "truncate", "ENOSYS"),
  makeNativeAttempt("another root or place", "chdir chroot chmod mknod byHandle openat2", "ENOSYS"),
  makeNativeAttempt("makes a file in /data", "data.make", { others: "ENOSYS", ...byWriters("allowed") }),
  makeNativeAttempt("writes into it", "data.fill", { others: "EBADF", ...byWriters("allowed") }),
  makeNativeAttempt("links, gives away, makes it a program", "data.link data.symlink data.give data.mode", "ENOSYS"),
  makeNativeAttempt("other users, groups, capabilities", "setuid setresuid setgroups capset", "ENOSYS"),
  makeNativeAttempt("limits, dumps, tracers, filters", "limit dumpable traced securebits filter", "ENOSYS"),
  makeNativeAttempt("keyrings", "keyring addKey", "ENOSYS"),
  makeNativeAttempt("io_uring, bpf, userfaultfd, perf", "ioUring bpf userfault perf", "ENOSYS"),
  makeNativeAttempt("mounts", "mount umount pivot fsopen swap", "ENOSYS"),
  makeNativeAttempt("modules, kexec, reboot", "module moduleFile kexec reboot", "ENOSYS"),
  makeNativeAttempt("ports, segments, the kernel's log", "ports segments log", "ENOSYS"),
  makeNativeAttempt("the clock, the host's name, watches, notifications", "clock hostname watch notify", "ENOSYS"),
  makeNativeAttempt("calls by their x32 numbers", "x32", "ENOSYS"),
  makeNativeAttempt("types for a person", "type", "ENOSYS"),
  makeNodeAttempt("eval, new Function", "eval", "EvalError"),
  makeNodeAttempt("WebAssembly", "wasm", "undefined"),
  makeNodeAttempt("loads native code", "addon", "ERR_DLOPEN_DISABLED"),
  makeNodeAttempt("starts Node, a shell, what it wrote", "node shell run", "ENOSYS"),
  makeNodeAttempt("dials another machine, having no card", "tcp", { others: "ENOSYS", egress: "ENETUNREACH" }),
  makeNodeAttempt("dials by a name, listens", "abstract listen", "ENOSYS"),
  makeNodeAttempt("hears datagrams at a port of the system", "udp", { others: "ENOSYS", egress: "EACCES" }),
  makeNodeAttempt("counts network interfaces", "interfaces", "ERR_SYSTEM_ERROR"),
  makeNodeAttempt("becomes another user, goes before others", "setuid setgroups nice", "ENOSYS"),
  makeNodeAttempt("signals others, or asks whether they are there", "kill others", "ENOSYS"),
  makeNodeAttempt("looks for /proc, /sys, init's files", "init", "ENOENT"),
  makeNodeAttempt("lists the root, the devices", "list devices", "EACCES"),
  makeNodeAttempt("opens another program of the image", "program", "EACCES"),
  makeNodeAttempt("writes in five places", "write", { others: "ENOSYS", ...byWriters("EROFS") }),
  makeNodeAttempt("opens the weights to write", "weights", { others: "ENOSYS", ...byWriters("EROFS") }),
  makeNodeAttempt("cuts a file", "truncate", { others: "ENOSYS", ...byWriters("EROFS") }),
  makeNodeAttempt("links, watches, gives away", "link symlink watch give", "ENOSYS"),
  makeNodeAttempt("writes in /data", "data", { others: "ENOSYS", ...byWriters("allowed") }),
  makeNodeAttempt("opens more than it may", "open", "EMFILE"),
  makeNodeAttempt("artefacts that it finds open", "artefacts", "1"),
  makeNodeAttempt("words of its environment", "environment", "ofInit"),
];

/** Returns the roles in whose jails the probers of a kind run. */
export const findProberRoles = (by: Prober): readonly Role[] =>
  by === "native" ? ROLE_NAMES : ROLE_NAMES.filter((role) => !isStatic(role));

/** Returns the required result of a role's attempt. */
export function answerFor({ answers }: Attempt, role: Role): string {
  return answers[role] ?? answers.others;
}
