// Measures steps of workflows in DBOS with PostgreSQL: eight workflows at once. Arguments: the library's folder and an empty folder that
// any user may enter. Prints the CPU microseconds that this process and the database server use together for one step.

import { execFileSync, spawn } from "node:child_process";
import { chownSync, existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { bug } from "../../../../lang/diagnostics/index.ts";
import { measureSteps, STEPS } from "./steps.ts";

interface Dbos {
  readonly setConfig: (config: object) => void;
  readonly launch: () => Promise<void>;
  readonly registerWorkflow: (run: () => Promise<string>, config: { name: string }) => () => Promise<string>;
  readonly runStep: (work: () => Promise<string>, config: { name: string }) => Promise<string>;
}

/** Microseconds of a tick of the kernel's process times. */
const TICK = 10_000;
const VERSIONS = "/usr/lib/postgresql";

const [library = "", folder = ""] = process.argv.slice(2);
const [version = bug("PostgreSQL is not installed")] = existsSync(VERSIONS) ? readdirSync(VERSIONS) : [];
const programs = join(VERSIONS, version, "bin");
const data = join(folder, "data");
// PostgreSQL refuses to run as root.
const isRoot = process.getuid?.() === 0;
const number = (option: string) => Number(execFileSync("id", [option, "postgres"], { encoding: "utf8" }));
const user = isRoot ? { uid: number("-u"), gid: number("-g") } : {};
mkdirSync(data, { mode: 0o700 });
if (user.uid !== undefined) for (const path of [folder, data]) chownSync(path, user.uid, user.gid);
execFileSync(join(programs, "initdb"), ["-D", data, "-U", "bench", "-A", "trust", "--no-sync"], {
  ...user,
  cwd: folder,
  stdio: "ignore",
});
const server = spawn(join(programs, "postgres"), ["-D", data, "-k", folder, "-c", "listen_addresses="], {
  ...user,
  cwd: folder,
  stdio: ["ignore", "ignore", "pipe"],
});
process.on("exit", () => server.kill("SIGINT"));
await new Promise<void>((resolve, reject) => {
  server.stderr.on("data", (said: Buffer) => said.includes("ready to accept connections") && resolve());
  server.on("exit", () => reject(new Error("PostgreSQL ended")));
});
execFileSync(join(programs, "createdb"), ["-h", folder, "-U", "bench", "bench"], { cwd: folder });

/** Returns the CPU microseconds of the server and of all its processes, including processes that have ended. */
function readServerTime(): number {
  let ticks = 0;
  for (const id of readdirSync("/proc")) {
    if (!/^\d+$/.test(id)) continue;
    try {
      const fields = readFileSync(`/proc/${id}/stat`, "utf8")
        .replace(/^.*\) /s, "")
        .split(" ")
        .map(Number);
      const [parent = 0, own = 0, system = 0] = [fields[1], fields[11], fields[12]];
      if (Number(id) === server.pid) ticks += own + system + (fields[13] ?? 0) + (fields[14] ?? 0);
      else if (parent === server.pid) ticks += own + system;
    } catch {
      // A process that ended after the folder was listed has no file `stat`.
    }
  }
  return ticks * TICK;
}

const { DBOS }: { DBOS: Dbos } = createRequire(import.meta.url)(library);
const workflow = DBOS.registerWorkflow(
  async () => {
    let last = "";
    for (let step = 0; step < STEPS; step += 1)
      last = await DBOS.runStep(async () => "x".repeat(200), { name: `step-${step}` });
    return last;
  },
  { name: "steps" },
);
DBOS.setConfig({
  name: "bench",
  systemDatabaseUrl: `postgresql://bench@localhost/bench?host=${encodeURIComponent(folder)}`,
  logLevel: "error",
  runAdminServer: false,
});
await DBOS.launch();
process.stdout.write(String(await measureSteps(workflow, readServerTime)));
process.exit(0);
