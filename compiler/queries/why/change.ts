import { posix } from "node:path";
import { diffTables, type IndexedTables, type RowChange } from "../../../engine/lib/policy/index.ts";
import { isError } from "../../../lang/diagnostics/index.ts";
import { type CompileOptions, compile } from "../../compile.ts";
import type { Model } from "../../phases/bind/index.ts";
import { indexPolicyTables, isLooser, type Policy } from "../../phases/policy/index.ts";
import type { Host } from "../../phases/source/index.ts";
import { type Candidate, collectCandidates } from "./candidates.ts";
import { applyEdits, type Edit } from "./edits.ts";
import { type Explanation, explainIn } from "./explain.ts";

// The least change is found by making changes: each candidate is compiled as a page of its own, with every law, and asked
// the same question. Its tables show the calls that it allows.

export interface Change {
  readonly edits: readonly Edit[];
  /** Answer to the same call after the change. */
  readonly answer: string;
  /** Other changes in meaning that it causes. */
  readonly opens: readonly RowChange[];
}

/** A page as it was compiled, and the world that it was read from. */
interface SourcePage {
  readonly host: Host;
  readonly path: string;
  readonly options: CompileOptions;
  readonly policy: Policy;
  readonly model: Model;
}

/** Returns the lawful change that opens the least besides what was asked, or `undefined` if none is known. */
export async function findLeastChange(read: SourcePage, explanation: Explanation): Promise<Change | undefined> {
  if (explanation.answer === "auto") return undefined;
  const tables = indexPolicyTables(read.policy);
  const changes: Change[] = [];
  for (const candidate of collectCandidates(tables, read.model, explanation)) {
    const change = await tryCandidate(read, tables, candidate, explanation);
    if (change !== undefined) changes.push(change);
  }
  // If several changes open as much, the first counts: lines for the tool alone precede rewritten lines.
  return changes.sort((a, b) => a.opens.length - b.opens.length)[0];
}

async function tryCandidate(
  read: SourcePage,
  tables: IndexedTables,
  { edits }: Candidate,
  { question, strictness }: Explanation,
): Promise<Change | undefined> {
  const made = await compile(await overlayEdits(read, edits), read.path, {
    ...read.options,
    purpose: "check",
    advice: "left",
  });
  if (made.diagnostics.some(isError) || made.policy === undefined || made.origins === undefined) return undefined;
  const after = indexPolicyTables(made.policy);
  const again = explainIn(after, made.origins, question);
  if (!again.ok || !isLooser(again.value.strictness, strictness)) return undefined;
  const place = [question.session, question.task, question.phase].filter((part) => part !== undefined).join(".");
  const moved = diffTables(tables, after);
  const opens = moved.filter((one) => one.place !== place || one.what !== question.tool);
  return { edits, answer: again.value.answer, opens };
}

/** Returns the same world, with the edits applied to the files that they change. */
export async function overlayEdits(
  { host, path }: Pick<SourcePage, "host" | "path">,
  edits: readonly Edit[],
): Promise<Host> {
  const folder = posix.dirname((await host.realPath(path)) ?? path);
  const sources = new Map(edits.map(({ span }) => [posix.join(folder, span.source.path), span.source.text]));
  const changed = new Map(
    [...sources].map(([real, text]) => {
      const own = edits.filter(({ span }) => posix.join(folder, span.source.path) === real);
      return [real, Buffer.from(applyEdits(text, own))] as const;
    }),
  );
  return {
    ...host,
    realPath: (asked) => host.realPath(asked),
    readStandard: (module) => host.readStandard(module),
    readFile: (real, limit) => {
      const bytes = changed.get(real);
      return bytes === undefined ? host.readFile(real, limit) : Promise.resolve({ ok: true, value: bytes });
    },
  };
}
