// Runs the Cap'n Proto compiler once, in a separate thread: a thread can be ended if it takes too long. A thread can
// also run without Node's warning that WASI is experimental.
import { WASI } from "node:wasi";
import { parentPort, workerData } from "node:worker_threads";

/** Parameters of one run of the compiler, which the worker thread receives. */
export interface SchemaRun {
  readonly module: WebAssembly.Module;
  /** The only folder that the compiler can see. */
  readonly root: string;
  /** Folders in which absolute imports are searched if `root` does not contain them. */
  readonly importPaths: readonly string[];
  /** Files to compile, relative to `root`. */
  readonly files: readonly string[];
  /** Open descriptors: the thread writes the CodeGeneratorRequest to `stdout`, and errors to `stderr`. */
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
