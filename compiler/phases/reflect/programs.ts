// The programs of operators' own services are one module each, or one static program. That they can be loaded in the image is
// looked at here, modules by the same tool that bundles the engine; that they do what their interface says is theirs, and is
// checked call by call.

import { isBuiltin } from "node:module";
import type { BuildFailure, Metafile, PartialMessage } from "esbuild";
import { type Diagnostic, type Related, visible } from "../../../lang/diagnostics/index.ts";
import type { Words } from "../../../lang/tree/index.ts";
import { type Asset, isModule, isServer, Memo, utf8Text } from "../source/index.ts";
import { programUnfit } from "./codes.ts";
import { spanAt } from "./imported.ts";
import { faultOfStatic } from "./static-program.ts";

/** A program as the page names it. */
interface NamedProgram {
  readonly path: Words;
  readonly asset: Asset;
  /** Its interface is the list of an MCP server. */
  readonly isListed: boolean;
}

/** What keeps the programs from being loaded. */
export async function unfitPrograms(
  programs: readonly NamedProgram[],
  kept: Memo<readonly PartialMessage[]> = new Memo(),
): Promise<readonly Diagnostic[]> {
  return (await Promise.all(programs.map((program) => unfitProgram(program, kept)))).flat();
}

async function unfitProgram(
  { path, asset, isListed }: NamedProgram,
  kept: Memo<readonly PartialMessage[]>,
): Promise<readonly Diagnostic[]> {
  if (!isModule(path.value)) {
    const reason = faultOfStatic(asset.bytes);
    return reason === undefined ? [] : [programUnfit.at(path.span, { path: asset.path, reason })];
  }
  const text = utf8Text(asset.bytes);
  const serves = isServer(path.value);
  const name = `${asset.path} ${serves}`;
  const read = text === undefined ? [NOT_TEXT] : await kept.once(name, asset.bytes, () => faultsOf(text, serves));
  const faults = serves && !isListed ? [...read, NO_LIST] : read;
  return faults.map((fault) => {
    const facts = { path: asset.path, reason: visible(fault.text ?? "it cannot be read") };
    return programUnfit.at(path.span, facts, { related: relatedOf(asset.path, text ?? "", fault) });
  });
}

const NOT_TEXT = { text: "it is not UTF-8 text" };
const NO_LIST = { text: "it is an MCP server, and its interface is no list of one" };

const FEW = 5;

async function faultsOf(text: string, serves: boolean): Promise<PartialMessage[]> {
  // Loaded only where there is a program: most pages have none.
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
    const foreign = foreignIn(built.metafile);
    if (foreign !== undefined) return [{ text: `it imports ${JSON.stringify(foreign)}` }];
    return serves || exportsDefault(built.metafile) ? [] : [{ text: "it has no default export with functions" }];
  } catch (error) {
    return messagesOf(error).slice(0, FEW);
  }
}

function exportsDefault({ outputs }: Metafile): boolean {
  return Object.values(outputs).some(({ exports }) => exports.includes("default"));
}

/** The first import that Node does not bring itself: the bundler leaves addresses to whoever runs the program. */
function foreignIn({ inputs }: Metafile): string | undefined {
  const imported = Object.values(inputs).flatMap(({ imports }) => imports);
  return imported.find(({ path, external }) => external === true && !isBuiltin(path))?.path;
}

function messagesOf(error: unknown): readonly PartialMessage[] {
  return isBuildFailure(error) ? error.errors : [{ text: String(error) }];
}

function isBuildFailure(error: unknown): error is BuildFailure {
  return error instanceof Error && "errors" in error && Array.isArray(error.errors);
}

function relatedOf(path: string, text: string, { location }: PartialMessage): readonly Related[] {
  if (location === undefined || location === null) return [];
  const { line = 1, column = 0, length = 0 } = location;
  return [{ span: spanAt(path, text, { line, column, length }), message: "the program says this" }];
}
