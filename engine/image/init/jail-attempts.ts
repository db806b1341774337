// What is tried from inside the jail of every role, and how it must be answered. engine/THREATS.md shows it as a table
// (jail-table.ts), and jail.test.ts compares it with what a machine said. jail-probe.c and jail-probe.mjs do the trying: a
// name here is a word there.

import { existsSync, readFileSync } from "node:fs";
import { isStatic, ROLE_NAMES, ROLES, type Role } from "../../lib/roles/index.ts";

/** `native`: system calls by their numbers, from a static program. `node`: what Node offers, on the image's own. */
export type Prober = "native" | "node";

export interface Attempt {
  /** The words of the prober. Each of them is answered so. */
  readonly names: readonly string[];
  readonly tries: string;
  readonly by: Prober;
  readonly answers: Readonly<Partial<Record<Role, string>>> & { readonly others: string };
}

/** Roles that may have a directory of their own; the probers have one where they may. */
export const WRITERS: readonly Role[] = ROLE_NAMES.filter((role) => ROLES[role].handed.includes("directory"));

/** Roles that may see the weights of a model; the probers do where they may. */
export const SEERS: readonly Role[] = ROLE_NAMES.filter((role) => ROLES[role].handed.includes("weights"));

/** Writers that may list their directory; the others keep what they know by name. */
export const LISTERS: readonly Role[] = WRITERS.filter((role) => mayList(role));

/** A role without a jail may nothing: `compiler/dev/places` says that it is missing. */
function mayList(role: Role): boolean {
  const jail = new URL(`../jails/${role}.json`, import.meta.url);
  return existsSync(jail) && readFileSync(jail, "utf8").includes('"getdents64"');
}

const native = (tries: string, names: string, answers: string | Attempt["answers"]): Attempt => ({
  names: names.split(" "),
  tries,
  by: "native",
  answers: typeof answers === "string" ? { others: answers } : answers,
});

const node = (tries: string, names: string, answers: string | Attempt["answers"]): Attempt => ({
  ...native(tries, names, answers),
  by: "node",
});

/** Opens nothing at all. */
const console = "ENOSYS";
const answeredTo = (roles: readonly Role[], answer: string): Partial<Record<Role, string>> =>
  Object.fromEntries(roles.map((role) => [role, answer]));
const byWriters = (answer: string): Partial<Record<Role, string>> => answeredTo(WRITERS, answer);
/** Who does not see the weights tries nothing more with them. */
const bySeers = (answer: string): Attempt["answers"] => ({ others: "unseen", ...answeredTo(SEERS, answer) });

export const ATTEMPTS: readonly Attempt[] = [
  native("makes a process", "fork vfork clone clone3", "ENOSYS"),
  native("runs a program", "exec execat data.run", "ENOSYS"),
  native("runs one as init's child did", "execAgain", "EFAULT"),
  native("lays a name where init's child did", "low", "EPERM"),
  native("makes namespaces, or enters some", "userSpace unshare setns", "ENOSYS"),
  native("traces a process, or reads its memory", "ptrace peek pidfd takeFd", "ENOSYS"),
  native("signals a process", "kill killAll tgkill queue owner", "ENOSYS"),
  native("goes before others", "nice realtime", "ENOSYS"),
  native("more threads than it may have", "threads", {
    others: "24",
    // It may have 1024, one for each tensor that is checked: the prober asks for no more than a hundred.
    "model-local": "100",
    console: "1",
    "own-native": "16",
  }),
  native("memory that is written and run", "wx x thenX pkeyX sharedX", "ENOSYS"),
  native("runs what is in its own directory, mapped", "data.code", {
    others: "ENOSYS",
    ...byWriters("EPERM"),
    "own-native": "ENOSYS",
  }),
  native("files of memory, secret or shared memory", "memfd secret personality shm", "ENOSYS"),
  native("sockets: internet, raw, packets", "inet raw packet", "ENOSYS"),
  native("sockets: local, netlink, to the host", "unix netlink vsock", "ENOSYS"),
  native("connects its channel by an abstract name", "abstract", { others: "ENOSYS", egress: "ECONNREFUSED" }),
  native("binds, listens, makes pairs", "bind listen pair", "ENOSYS"),
  native("passes a descriptor or a message on", "sendmsg sendto", "ENOSYS"),
  native("descriptors that it finds open", "inherited", "0,1,2,4,5"),
  native("writes a sealed artefact", "sealed.write", "EBADF"),
  native("maps it to be written", "sealed.share", "EACCES"),
  native("runs it, or moves it where the loader's files lie", "sealed.code sealed.move", "ENOSYS"),
  native("cuts it", "sealed.cut", { others: "ENOSYS", ...byWriters("EINVAL") }),
  native("unseals it", "sealed.unseal", "ENOSYS"),
  native("opens it again to write", "sealed.reopen", { others: "ENOSYS", ...byWriters("ENOENT") }),
  native("reads the weights of a model", "weights.read", {
    others: "EACCES",
    console,
    ...answeredTo(SEERS, "allowed"),
  }),
  native("opens them to write", "weights.open", { others: "ENOSYS", ...byWriters("EROFS") }),
  native("writes to them where they are open", "weights.write", bySeers("EBADF")),
  native("maps them to be written, or makes their map so", "weights.share weights.unprotect", bySeers("EACCES")),
  native("runs them, mapped", "weights.code", bySeers("EPERM")),
  native(
    "cuts them, makes holes, has the device take writes",
    "weights.cut weights.hole weights.device",
    bySeers("ENOSYS"),
  ),
  native("reads its own program", "read.own", { others: "allowed", console }),
  native("opens another program of the image", "read.program", { others: "EACCES", console }),
  native("lists the root", "list.root", { others: "EACCES", console }),
  native("writes a program of the image", "write.root", { others: "ENOSYS", ...byWriters("EROFS") }),
  native("makes a file elsewhere", "make.tmp", { others: "ENOSYS", ...byWriters("EROFS") }),
  native("writes to a device of the jail", "write.null", { others: "ENOSYS", ...byWriters("EACCES") }),
  native("opens /proc, /sys, init's files, the disk", "open.proc open.sys open.init climb", {
    others: "ENOENT",
    console,
  }),
  native("opens a device that the jail has", "open.zero", { others: "EACCES", console }),
  native("opens memory, the terminal, as devices", "open.memory open.terminal", { others: "ENOENT", console }),
  native("cuts a file by its name", "truncate", "ENOSYS"),
  native("another root or place", "chdir chroot chmod mknod byHandle openat2", "ENOSYS"),
  native("makes a file in /data", "data.make", { others: "ENOSYS", ...byWriters("allowed") }),
  native("writes into it", "data.fill", { others: "EBADF", ...byWriters("allowed") }),
  native("links, gives away, makes it a program", "data.link data.symlink data.give data.mode", "ENOSYS"),
  native("other users, groups, capabilities", "setuid setresuid setgroups capset", "ENOSYS"),
  native("limits, dumps, tracers, filters", "limit dumpable traced securebits filter", "ENOSYS"),
  native("keyrings", "keyring addKey", "ENOSYS"),
  native("io_uring, bpf, userfaultfd, perf", "ioUring bpf userfault perf", "ENOSYS"),
  native("mounts", "mount umount pivot fsopen swap", "ENOSYS"),
  native("modules, kexec, reboot", "module moduleFile kexec reboot", "ENOSYS"),
  native("ports, segments, the kernel's log", "ports segments log", "ENOSYS"),
  native("the clock, the host's name, watches, notifications", "clock hostname watch notify", "ENOSYS"),
  native("calls by their x32 numbers", "x32", "ENOSYS"),
  native("types for a person", "type", "ENOSYS"),
  node("eval, new Function", "eval", "EvalError"),
  node("WebAssembly", "wasm", "undefined"),
  node("loads native code", "addon", "ERR_DLOPEN_DISABLED"),
  node("starts Node, a shell, what it wrote", "node shell run", "ENOSYS"),
  node("dials another machine, having no card", "tcp", { others: "ENOSYS", egress: "ENETUNREACH" }),
  node("dials by a name, listens", "abstract listen", "ENOSYS"),
  node("hears datagrams at a port of the system", "udp", { others: "ENOSYS", egress: "EACCES" }),
  node("counts network interfaces", "interfaces", "ERR_SYSTEM_ERROR"),
  node("becomes another user, goes before others", "setuid setgroups nice", "ENOSYS"),
  node("signals others, or asks whether they are there", "kill others", "ENOSYS"),
  node("looks for /proc, /sys, init's files", "init", "ENOENT"),
  node("lists the root, the devices", "list devices", "EACCES"),
  node("opens another program of the image", "program", "EACCES"),
  node("writes in five places", "write", { others: "ENOSYS", ...byWriters("EROFS") }),
  node("opens the weights to write", "weights", { others: "ENOSYS", ...byWriters("EROFS") }),
  node("cuts a file", "truncate", { others: "ENOSYS", ...byWriters("EROFS") }),
  node("links, watches, gives away", "link symlink watch give", "ENOSYS"),
  node("writes in /data", "data", { others: "ENOSYS", ...byWriters("allowed") }),
  node("opens more than it may", "open", "EMFILE"),
  node("artefacts that it finds open", "artefacts", "1"),
  node("words of its environment", "environment", "ofInit"),
];

/** Where the probers of a kind run. */
export const rolesOf = (by: Prober): readonly Role[] =>
  by === "native" ? ROLE_NAMES : ROLE_NAMES.filter((role) => !isStatic(role));

/** How a role's attempt must be answered. */
export function answerFor({ answers }: Attempt, role: Role): string {
  return answers[role] ?? answers.others;
}
