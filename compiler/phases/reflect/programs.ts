// A program of an operator's service is one module or one static program. These functions check only that the image can
// load the program; modules are checked with the bundler of the engine. The functions do not check what the program
// does.

import { isBuiltin } from "node:module";
import type { BuildFailure, Metafile, PartialMessage } from "esbuild";
import { type Diagnostic, escapeInvisible, type Related } from "../../../lang/diagnostics/index.ts";
import type { Words } from "../../../lang/tree/index.ts";
import { type Asset, decodeUtf8, isModule, isServer, Memo } from "../source/index.ts";
import { programUnfit } from "./codes.ts";
import { locateSpan } from "./imported.ts";
import { findStaticFault } from "./static-program.ts";

/** A program of the page, with the text that names it. */
interface NamedProgram {
  readonly path: Words;
  readonly asset: Asset;
  /** Whether the interface of the service is the tool list of an MCP server. */
  readonly isListed: boolean;
}

/** Returns the faults that prevent the programs from loading. */
export async function checkPrograms(
  programs: readonly NamedProgram[],
  kept: Memo<readonly PartialMessage[]> = new Memo(),
): Promise<readonly Diagnostic[]> {
  return (await Promise.all(programs.map((program) => checkProgram(program, kept)))).flat();
}

async function checkProgram(
  { path, asset, isListed }: NamedProgram,
  kept: Memo<readonly PartialMessage[]>,
): Promise<readonly Diagnostic[]> {
  if (!isModule(path.value)) {
    const reason = findStaticFault(asset.bytes);
    return reason === undefined ? [] : [programUnfit.at(path.span, { path: asset.path, reason })];
  }
  const text = decodeUtf8(asset.bytes);
  const serves = isServer(path.value);
  const name = `${asset.path} ${serves}`;
  const read =
    text === undefined
      ? [NOT_TEXT]
      : await kept.remember(name, asset.bytes, () => findFaults(text, serves ? "server" : "module"));
  const faults = serves && !isListed ? [...read, NO_LIST] : read;
  return faults.map((fault) => {
    const facts = { path: asset.path, reason: escapeInvisible(fault.text ?? "it cannot be read") };
    return programUnfit.at(path.span, facts, { related: locateFault(asset.path, text ?? "", fault) });
  });
}

const NOT_TEXT = { text: "it is not UTF-8 text" };
const NO_LIST = { text: "it is an MCP server, and its interface is no list of one" };

const FEW = 5;

async function findFaults(text: string, kind: "server" | "module"): Promise<PartialMessage[]> {
  // Load esbuild only if there is a program: most pages have none.
  const { build } = await import("esbuild");
  try {
    const built = await build({
      stdin: { contents: text, loader: "js" },
      bundle: true,
      write: false,
      metafile: true,
      format: "esm",
      platform: "node",
      target: "node24",
      logLevel: "silent",
    });
    const foreign = findForeignImport(built.metafile);
    if (foreign !== undefined) return [{ text: `it imports ${JSON.stringify(foreign)}` }];
    return kind === "server" || hasDefaultExport(built.metafile)
      ? []
      : [{ text: "it has no default export with functions" }];
  } catch (error) {
    return readMessages(error).slice(0, FEW);
  }
}

function hasDefaultExport({ outputs }: Metafile): boolean {
  return Object.values(outputs).some(({ exports }) => exports.includes("default"));
}

/**
 * Returns the first import that is neither a built-in module of Node nor part of the bundle, such as a URL. Returns
 * `undefined` if there is none.
 */
function findForeignImport({ inputs }: Metafile): string | undefined {
  const imported = Object.values(inputs).flatMap(({ imports }) => imports);
  return imported.find(({ path, external }) => external === true && !isBuiltin(path))?.path;
}

function readMessages(error: unknown): readonly PartialMessage[] {
  return isBuildFailure(error) ? error.errors : [{ text: String(error) }];
}

function isBuildFailure(error: unknown): error is BuildFailure {
  return error instanceof Error && "errors" in error && Array.isArray(error.errors);
}

function locateFault(path: string, text: string, { location }: PartialMessage): readonly Related[] {
  if (location === undefined || location === null) return [];
  const { line = 1, column = 0, length = 0 } = location;
  return [{ span: locateSpan(path, text, { line, column, length }), message: "the program says this" }];
}
