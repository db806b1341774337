// Runs in the machine that jail.test.ts boots, in place of each role that is a Node program. It tries each forbidden
// action, prints the result of each attempt, and ends. When a process has ended, init shows its last output. The file
// jail-attempts.ts lists the printed words with their meanings and expected results.

import { spawnSync } from "node:child_process";
import dgram from "node:dgram";
import fs from "node:fs";
import net from "node:net";
import os from "node:os";

/** Performs an action, and returns the code of its error, or `allowed` and its result. */
function answer(act) {
  try {
    return `allowed ${JSON.stringify(act())}`;
  } catch (error) {
    return error.info?.code ?? error.code ?? error.name;
  }
}

const attempt = (act) => answer(act).split(" ")[0];

/**
 * Performs an action for each item, and returns the distinct results, joined by commas. If all results are equal,
 * returns this one result.
 */
const attempts = (each, act) => [...new Set(each.map((one) => attempt(() => act(one))))].join(",");

/** Returns `allowed` when the socket reports the event, or the code of its error. */
const begun = (socket, event) =>
  new Promise((resolve) => socket.on("error", (error) => resolve(error.code)).on(event, () => resolve("allowed")));

async function begins(make, event) {
  try {
    return await begun(make(), event);
  } catch (error) {
    return error.code;
  }
}

// A connection ends when its provider ends, so the process with connections to all other processes must end last.
const held = (process.env.CAPOS_GRANTS ?? "").split(",").filter((grant) => grant !== "");
await Promise.all(
  held.map((grant) => {
    const socket = new net.Socket({ fd: Number(/=(\d+):/.exec(grant)[1]) });
    return new Promise((resolve) => socket.on("close", resolve).on("error", resolve).resume());
  }),
);

const isPlace = (fd) => {
  const found = fs.fstatSync(fd);
  return found.isDirectory() || found.isBlockDevice() || found.isFile();
};
const places = Array.from({ length: 200 }, (_, fd) => answer(() => isPlace(fd)));

/** Opens up to 1000 files. Returns the code of the first error, or `allowed` if there is none. */
function mostOpen() {
  for (let count = 0; count < 1000; count += 1) {
    const opened = attempt(() => fs.openSync("/dev/null"));
    if (opened !== "allowed") return opened;
  }
  return "allowed";
}

const run = (path) => spawnSync(path).error?.code ?? "allowed";

const found = {
  eval: attempt(() => new Function("return 1")()),
  wasm: typeof WebAssembly,
  addon: attempt(() => process.dlopen({ exports: {} }, "/lib/x86_64-linux-gnu/libm.so.6")),
  node: run("/usr/bin/node"),
  shell: run("/bin/sh"),
  tcp: await begins(() => net.connect({ host: "10.0.2.2", port: 80 }), "connect"),
  abstract: await begins(() => net.connect({ path: "\0anything" }), "connect"),
  listen: await begins(() => net.createServer().listen(80, "0.0.0.0"), "listening"),
  udp: await begins(() => dgram.createSocket("udp4").bind(53), "listening"),
  interfaces: attempt(() => os.networkInterfaces()),
  setuid: attempt(() => process.setuid(0)),
  setgroups: attempt(() => process.setgroups([0])),
  nice: attempt(() => os.setPriority(0, -5)),
  kill: attempt(() => process.kill(1, "SIGCONT")),
  others: attempts(
    Array.from({ length: 300 }, (_, index) => 2 + index),
    (pid) => process.kill(pid, 0),
  ),
  init: attempts(["/proc", "/sys", "/disk", "/trust.bin"], (path) => fs.statSync(path)),
  list: attempt(() => fs.readdirSync("/")),
  devices: attempt(() => fs.readdirSync("/dev")),
  program: attempt(() => fs.openSync("/usr/bin/capos-console")),
  write: attempts(["/tmp/x", "/capos/x", "/dev/x", "/usr/x", "/x"], (path) => fs.writeFileSync(path, "")),
  weights: attempt(() => fs.openSync("/weights", "r+")),
  truncate: attempt(() => fs.truncateSync("/capos/loop.mjs")),
  link: attempt(() => fs.linkSync("/capos/loop.mjs", "/data/linked")),
  symlink: attempt(() => fs.symlinkSync("/disk", "/data/way")),
  watch: attempt(() => fs.watch("/data").close()),
  data: attempt(() => fs.writeFileSync("/data/written", "#!/usr/bin/node\n", { mode: 0o755 })),
  seen: answer(() => fs.readdirSync("/data")).replaceAll(" ", ":"),
  run: run("/data/written"),
  give: attempt(() => fs.chownSync("/data/written", 0, 0)),
  artefacts: places.filter((place) => place === "allowed true").length,
  environment: Object.keys(process.env).every((name) => /^CAPOS_\w+$/.test(name)) ? "ofInit" : "more",
  user: [process.getuid(), process.getgid(), process.pid, process.ppid].join(","),
  open: mostOpen(),
};
const words = Object.entries(found).map(([name, how]) => `${name}=${how}`);
for (let from = 0; from < words.length; from += 12)
  fs.writeSync(1, `node: ${words.slice(from, from + 12).join(" ")}\n`);
process.exit(7);
