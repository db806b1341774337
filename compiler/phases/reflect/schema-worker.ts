// Runs the Cap'n Proto compiler once in a worker thread, which can be stopped if it takes too long. A worker thread can also suppress
// Node's warning that WASI is experimental.
import { WASI } from "node:wasi";
import { parentPort, workerData } from "node:worker_threads";

/** Input of the worker thread. */
export interface SchemaRun {
  readonly module: WebAssembly.Module;
  /** The only folder that the compiler can access. */
  readonly root: string;
  /** Folders below `root` in which absolute imports are searched if `root` lacks them. */
  readonly importPaths: readonly string[];
  /** Files to compile, relative to `root`. */
  readonly files: readonly string[];
  /** File descriptors for the CodeGeneratorRequest and for the error messages. */
  readonly stdout: number;
  readonly stderr: number;
}

const run = workerData as SchemaRun;
const wasi = new WASI({
  version: "preview1",
  args: [
    "capnp",
    "compile",
    "-o-",
    "--no-standard-import",
    "--src-prefix=/",
    "-I/",
    ...run.importPaths.map((folder) => `-I/${folder}`),
    ...run.files.map((file) => `/${file}`),
  ],
  preopens: { "/": run.root },
  stdout: run.stdout,
  stderr: run.stderr,
  returnOnExit: true,
});
const imports = wasi.getImportObject() as WebAssembly.Imports;
parentPort?.postMessage(wasi.start(await WebAssembly.instantiate(run.module, imports)));
