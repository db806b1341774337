// Runs in the machine that jail.test.ts boots, in place of each role: tries what no role may do, says one line for each
// fact, and ends. init shows the last words of a process that has died.

import { spawnSync } from "node:child_process";
import fs from "node:fs";
import net from "node:net";
import os from "node:os";

/** The error's code, or that it was allowed. */
function attempt(act) {
  try {
    return `allowed ${JSON.stringify(act())}`;
  } catch (error) {
    return error.info?.code ?? error.code;
  }
}

const dial = (where) =>
  new Promise((resolve) => {
    const socket = net.connect(where, () => resolve("allowed"));
    socket.on("error", (error) => resolve(error.code));
  });

// A connection ends when its provider does: the process that holds all the others is the last to end.
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
const places = Array.from({ length: 200 }, (_, fd) => attempt(() => isPlace(fd)));

/** What becomes of a server on this port; below 1024 it takes a capability. */
const listen = (port) =>
  new Promise((resolve) => {
    const server = net.createServer().on("error", (error) => resolve(error.code));
    server.listen(port, "0.0.0.0", () => server.close(() => resolve("allowed")));
  });

/** Opens files until no more may be open. */
function mostOpen() {
  for (let count = 0; count < 1000; count += 1) {
    const opened = attempt(() => fs.openSync("/dev/null"));
    if (!opened.startsWith("allowed")) return opened;
  }
  return "allowed";
}

const data = {
  seen: attempt(() => fs.readdirSync("/data")),
  write: attempt(() => fs.writeFileSync("/data/written", "#!/usr/bin/node\n", { mode: 0o755 })),
  run: spawnSync("/data/written").error?.code,
  give: attempt(() => fs.chownSync("/data/written", 0, 0)),
  link: attempt(() => fs.linkSync("/capos/loop.mjs", "/data/linked")),
};

const facts = {
  user: [process.getuid(), process.getgid(), ...process.getgroups(), process.pid, process.ppid],
  becomeRoot: [
    attempt(() => process.setuid(0)),
    attempt(() => process.setgroups([0])),
    attempt(() => os.setPriority(0, -5)),
  ],
  top: fs.readdirSync("/").sort(),
  devices: fs.readdirSync("/dev").sort(),
  ofInit: ["/proc", "/sys", "/disk", "/trust.bin"].map((path) => attempt(() => fs.statSync(path))),
  write: ["/tmp/x", "/capos/x", "/dev/x", "/usr/x", "/x"].map((path) => attempt(() => fs.writeFileSync(path, ""))),
  data: Object.values(data),
  interfaces: [Object.values(os.networkInterfaces()).flat().length],
  dial: [await dial({ host: "10.0.2.2", port: 80 }), await dial({ path: "\0anything" }), await listen(80)],
  // Below 30 are the process's own threads.
  others: [...new Set(Array.from({ length: 300 }, (_, index) => attempt(() => process.kill(30 + index, 0))))],
  shell: ["/bin/sh", "/usr/bin/sh"].map((path) => spawnSync(path).error.code),
  environment: Object.keys(process.env).sort(),
  places: [places.filter((place) => place === "allowed true").length],
  open: [mostOpen()],
};
for (const [name, fact] of Object.entries(facts)) fs.writeSync(1, `${name}: ${fact.join(" ")}\n`);
process.exit(7);
