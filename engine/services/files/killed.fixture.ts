// Writes and deletes a file as the service does, and is killed with SIGKILL before the step of the disk that it is told:
// `node killed.fixture.ts ROOT STEP METHOD PATH CONTENT`. Steps are counted from 0; with none left it ends by itself.

import fs, { type FileHandle } from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";

const [root = "", step = "", method = "", path = "", content = ""] = process.argv.slice(2);

let left = Number(step);
/** A call that changes the disk, or has it written: what comes before it has happened, it has not. */
function counted<A extends unknown[], R>(call: (...args: A) => R): (this: unknown, ...args: A) => R {
  return function (this: unknown, ...args: A): R {
    if (left === 0) process.kill(process.pid, "SIGKILL");
    left -= 1;
    return call.apply(this, args);
  };
}

const probe: FileHandle = await fs.open(root);
const handle: { sync: FileHandle["sync"]; writeFile: FileHandle["writeFile"] } = Object.getPrototypeOf(probe);
await probe.close();
Object.assign(handle, { sync: counted(handle.sync), writeFile: counted(handle.writeFile) });
Object.assign(fs, { open: counted(fs.open), rename: counted(fs.rename), unlink: counted(fs.unlink) });
syncBuiltinESMExports();

const { Directory } = await import("./directory.ts");
const { answerCall } = await import("./calls.ts");
const { Files } = await import("../../wire/generated/tools.ts");

const { ordinal } = method === "delete" ? Files.methods.delete : Files.methods.write;
const args = method === "delete" ? { path } : { path, content };
const answer = await answerCall(
  { directory: new Directory(root, 0) },
  ordinal,
  JSON.stringify(args),
  new AbortController().signal,
);
process.stdout.write(JSON.stringify(answer));
