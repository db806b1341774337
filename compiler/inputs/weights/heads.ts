// Reads the headers of weights for a build, and compares them with the page.

import { type GgufHeader, MOST_HEAD_BYTES, ONE_PART, readGguf } from "../../../engine/lib/weights/gguf.ts";
import { type Diagnostic, escapeInvisible } from "../../../lang/diagnostics/index.ts";
import type { Words } from "../../../lang/tree/index.ts";
import type { Backend, Model, Weights } from "../../phases/bind/index.ts";
import type { WeightsHead } from "../../phases/policy/index.ts";
import { unreadable } from "../../phases/source/codes.ts";
import type { Host } from "../../phases/source/index.ts";
import { weightsUnfit } from "./codes.ts";

export interface Heads {
  readonly heads: ReadonlyMap<Weights, WeightsHead>;
  readonly diagnostics: readonly Diagnostic[];
}

export const NO_HEADS: Heads = { heads: new Map(), diagnostics: [] };

/** Reads the header of each model that a `cpu` backend runs, and of each embedder. */
export async function readHeads(host: Host, { backends }: Model): Promise<Heads> {
  const heads = new Map<Weights, WeightsHead>();
  const diagnostics: Diagnostic[] = [];
  const answering = new Set(backends.flatMap(selectLocalModel));
  for (const weights of new Set([...answering, ...backends.flatMap(({ embedder }) => embedder ?? [])])) {
    const { path } = weights;
    if (path === undefined) continue;
    const found = await readHead(host, weights, path);
    const misfit =
      "header" in found ? findMisfit(weights, found.header, answering.has(weights) ? "answering" : "other") : undefined;
    if (!("header" in found)) diagnostics.push(found);
    else if (misfit === undefined) heads.set(weights, found);
    else diagnostics.push(weightsUnfit.at(path.span, { path: path.value, ...misfit }));
  }
  return { heads, diagnostics };
}

function selectLocalModel({ kind, model }: Backend): readonly Weights[] {
  return kind === "cpu" && model !== undefined ? [model] : [];
}

async function readHead(host: Host, { file }: Weights, path: Words): Promise<WeightsHead | Diagnostic> {
  if (file === undefined) return unreadable.at(path.span, { path: path.value, reason: "there is no such file" });
  const read = await host.readHead(file.real, MOST_HEAD_BYTES);
  if (!read.ok) return unreadable.at(path.span, { path: path.value, reason: read.reason });
  const header = readGguf(read.head, read.bytes);
  if (header.ok) return { file: file.real, bytes: read.bytes, header: header.value };
  const instead = header.reason.startsWith(ONE_PART)
    ? "join the parts with `llama-gguf-split --merge`, and name the file that it writes"
    : "use weights in GGUF 3, as llama.cpp's own programs write them";
  return weightsUnfit.at(path.span, { path: file.path, reason: escapeInvisible(header.reason), instead });
}

/**
 * Returns whether the page's quantisation `said` matches the file. `said` may be the name that the file states, a
 * prefix of that name, or the type of most numbers. If the file states only the type of most numbers, such as Q4_K,
 * `said` may also be a longer name, such as Q4_K_M.
 */
function isWrittenAs({ quantisation: called, mostNumbers }: GgufHeader, said: string): boolean {
  if (said === mostNumbers || `${called}_`.startsWith(`${said}_`)) return true;
  return called === mostNumbers && `${said}_`.startsWith(`${mostNumbers}_`);
}

interface Misfit {
  readonly reason: string;
  readonly instead: string;
}

function findMisfit(weights: Weights, header: GgufHeader, use: "answering" | "other"): Misfit | undefined {
  const { arch, quantisation, contextTokens } = weights;
  if (arch !== undefined && arch !== header.arch)
    return { reason: `its architecture is ${header.arch}`, instead: `write \`arch ${header.arch}\`` };
  if (quantisation !== undefined && !isWrittenAs(header, quantisation)) {
    const { quantisation: called, mostNumbers } = header;
    const most = `most of its numbers are written as ${mostNumbers}`;
    const reason = called === mostNumbers ? most : `its quantisation is ${called}`;
    return { reason, instead: `write \`quantisation ${called}\`` };
  }
  if (contextTokens > header.contextTokens) {
    const reason = `it was trained for ${header.contextTokens} tokens`;
    return { reason, instead: `write \`context ${header.contextTokens} tokens\`, or less` };
  }
  if (header.knowsChatMl || use === "other") return undefined;
  const reason = "its vocabulary lacks `<|im_start|>` and `<|im_end|>`";
  return { reason, instead: "use a model that was trained on ChatML, the only conversation format of the image" };
}
