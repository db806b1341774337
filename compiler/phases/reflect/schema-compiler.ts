// Runs Cap'n Proto's own compiler, as WebAssembly, on the texts of schemas. This module refuses a compiler whose digest
// is not the pinned one. It writes the texts to a temporary folder. The compiler can read only this folder, so `import
// "/etc/passwd"` finds no file. `request.ts` reads the result.

import { createHash } from "node:crypto";
import { closeSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, posix } from "node:path";
import { Worker } from "node:worker_threads";
import { accept, type Result, refuse } from "../../../engine/lib/result/result.ts";
import type { SchemaRun } from "./schema-worker.ts";

/**
 * An error that the Cap'n Proto compiler reports. Lines and columns start at 1; `endColumn` is the column after the
 * last character.
 */
export interface SchemaComplaint {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly endColumn: number;
  readonly reason: string;
}

/** The bytes of a CodeGeneratorRequest, or the compiler's errors. */
export type SchemaOutcome =
  | { readonly ok: true; readonly request: Uint8Array }
  | { readonly ok: false; readonly complaints: readonly SchemaComplaint[] };

/** Limits for the compiler's input: schemas are small, and anything larger is a mistake or an attack. */
const MAX_SOURCE_BYTES = 4 * 1024 * 1024;
const MAX_MILLISECONDS = 30_000;

/**
 * Compiles `files`, which are keys of `sources`; they can import the other sources. Keys are relative paths with `/`.
 * An absolute import is searched in the folder of all sources, then in the folders `importPaths`. The function throws
 * only if the compiler does not have the pinned digest.
 */
export async function compileSchemas(
  sources: ReadonlyMap<string, string>,
  files: readonly string[],
  importPaths: readonly string[] = [],
): Promise<SchemaOutcome> {
  const refused = rejectUnfitSources(sources, files);
  if (refused !== undefined) return refused;
  const folder = mkdtempSync(join(tmpdir(), "capc-schema-"));
  try {
    return await compileIn(folder, sources, files, importPaths);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function rejectUnfitSources(sources: ReadonlyMap<string, string>, files: readonly string[]): SchemaOutcome | undefined {
  let bytes = 0;
  for (const [path, text] of sources) {
    if (posix.isAbsolute(path) || posix.normalize(path) !== path || path.startsWith("..")) {
      return makeComplaint(path, "the path of a schema must be relative, inside its folder and in its shortest form");
    }
    bytes += Buffer.byteLength(text);
  }
  if (bytes > MAX_SOURCE_BYTES) {
    return makeComplaint(
      files[0] ?? "",
      `the schemas have ${bytes} bytes together; at most ${MAX_SOURCE_BYTES} are taken`,
    );
  }
  const missing = files.find((file) => !sources.has(file));
  return missing === undefined ? undefined : makeComplaint(missing, "there is no such schema");
}

function makeComplaint(file: string, reason: string): SchemaOutcome {
  return { ok: false, complaints: [{ file, line: 1, column: 1, endColumn: 1, reason }] };
}

async function compileIn(
  folder: string,
  sources: ReadonlyMap<string, string>,
  files: readonly string[],
  importPaths: readonly string[],
): Promise<SchemaOutcome> {
  const root = join(folder, "root");
  for (const [path, text] of sources) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  const stdout = openSync(join(folder, "request"), "w");
  const stderr = openSync(join(folder, "complaints"), "w");
  try {
    const ended = await runCompiler({ module: await loadCompilerModule(), root, files, importPaths, stdout, stderr });
    if (ended.ok) return { ok: true, request: new Uint8Array(readFileSync(join(folder, "request"))) };
    const complaints = parseComplaints(readFileSync(join(folder, "complaints"), "utf8"));
    return complaints.length > 0 ? { ok: false, complaints } : makeComplaint(files[0] ?? "", ended.reason);
  } finally {
    closeSync(stdout);
    closeSync(stderr);
  }
}

/** Runs the compiler to its end. If its exit status is not 0, fails with a description of how the run ended. */
function runCompiler(run: SchemaRun): Promise<Result<0>> {
  const worker = new Worker(new URL("./schema-worker.ts", import.meta.url), {
    workerData: run,
    execArgv: ["--disable-warning=ExperimentalWarning"],
  });
  return new Promise((resolve) => {
    const late = setTimeout(() => {
      resolve(refuse(`the Cap'n Proto compiler did not end within ${MAX_MILLISECONDS / 1000} s`));
      void worker.terminate();
    }, MAX_MILLISECONDS);
    const settle = (ended: Result<0>) => {
      clearTimeout(late);
      resolve(ended);
    };
    worker.once("message", (status: number) =>
      settle(status === 0 ? accept(status) : refuse("the Cap'n Proto compiler said no more")),
    );
    worker.once("error", (error) => settle(refuse(`the Cap'n Proto compiler broke off: ${String(error)}`)));
    worker.once("exit", () => settle(refuse("the Cap'n Proto compiler ended without a word")));
  });
}

/**
 * Parses lines of the form `file:line:column-column: error: words`. The columns or the whole position may be missing.
 */
function parseComplaints(text: string): SchemaComplaint[] {
  const complaints: SchemaComplaint[] = [];
  for (const line of text.split("\n")) {
    const found = /^(.*?):(\d+):(\d+)(?:-(\d+))?: error: (.*)$/.exec(line);
    if (found === null) continue;
    const [, file = "", row = "1", column = "1", end = column, reason = ""] = found;
    complaints.push({ file, line: Number(row), column: Number(column), endColumn: Number(end), reason });
  }
  return complaints;
}

let pinnedModule: Promise<WebAssembly.Module> | undefined;

function loadCompilerModule(): Promise<WebAssembly.Module> {
  pinnedModule ??= WebAssembly.compile(readPinnedBytes(new URL("../../reflect/", import.meta.url), "capnp.wasm"));
  return pinnedModule;
}

/**
 * Returns the bytes of a file if they have the digest in `NAME.sha256`; otherwise throws. `folder` ends with a slash.
 */
export function readPinnedBytes(folder: URL, name: string): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(readFileSync(new URL(name, folder)));
  const [expected] = readFileSync(new URL(`${name}.sha256`, folder), "utf8").split(" ");
  const found = createHash("sha256").update(bytes).digest("hex");
  if (found !== expected) throw new Error(`${name} has SHA-256 ${found}, but ${expected} is pinned: it was changed`);
  return bytes;
}
