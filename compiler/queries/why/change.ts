import { posix } from "node:path";
import {
  diffTables,
  formatRowPath,
  type IndexedTables,
  listOwnOpenings,
  type RowChange,
} from "../../../engine/lib/policy/index.ts";
import { type Diagnostic, isError } from "../../../lang/diagnostics/index.ts";
import { type CompileOptions, compile } from "../../compile.ts";
import type { Model } from "../../phases/bind/index.ts";
import { indexPolicyTables, isLooser, type Policy } from "../../phases/policy/index.ts";
import { computeFlows } from "../../phases/prove/index.ts";
import type { Host } from "../../phases/source/index.ts";
import { diffFlows, type FlowChange } from "../diff/index.ts";
import { type Candidate, collectCandidates, listTargetModes } from "./candidates.ts";
import { applyEdits, type Edit, locateBeforeEdits } from "./edits.ts";
import { type Explanation, explainIn } from "./explain.ts";

// Finds the least change by trial: each candidate is compiled as a separate page with every law, and the same call is
// decided again. The tables of the changed page show which further calls the change allows.

interface Change {
  readonly edits: readonly Edit[];
  /** Answer to the same call after the change. */
  readonly answer: string;
  /**
   * Other decisions that the change loosens, then flows that it makes possible or impossible. Decisions about the same tool with other
   * arguments come first.
   */
  readonly opens: readonly RowChange[];
  /** Decisions that the change makes stricter, so that the rest of the change opens less. */
  readonly narrows: readonly RowChange[];
  /** Reason why flows were not compared; `undefined` if they were compared. */
  readonly flowsSkipped: string | undefined;
}

/** A change that compiles, and the page with this change. The effect of the change on flows is not computed yet. */
interface TriedChange extends Omit<Change, "flowsSkipped"> {
  readonly after: IndexedTables;
  readonly model: Model;
}

/** A compiled page, and access to its files. */
interface SourcePage {
  readonly host: Host;
  readonly path: string;
  readonly options: CompileOptions;
  readonly policy: Policy;
  readonly model: Model;
}

/** A proposed change with which the page has an error, and the first such error. */
interface RefusedChange {
  readonly edits: readonly Edit[];
  readonly error: Diagnostic;
}

/**
 * The best change that compiles, or otherwise the first change that breaks a law. Both are absent if no change is
 * known.
 */
export interface ProposedChange {
  readonly change: Change | undefined;
  readonly refused: RefusedChange | undefined;
}

/**
 * Returns the best change that compiles: it gives the call the loosest possible mode, and of these changes it allows
 * the fewest other calls.
 */
export async function findLeastChange(read: SourcePage, explanation: Explanation): Promise<ProposedChange> {
  if (explanation.answer === "auto") return { change: undefined, refused: undefined };
  const tables = indexPolicyTables(read.policy);
  const refused: RefusedChange[] = [];
  for (const mode of listTargetModes(tables, explanation)) {
    const changes: TriedChange[] = [];
    for (const candidate of collectCandidates(tables, read.model, explanation, mode)) {
      const tried = await tryCandidate(read, tables, candidate, explanation);
      if (tried !== undefined && "error" in tried) refused.push(tried);
      else if (tried !== undefined) changes.push(tried);
    }
    // If several changes allow equally many other calls, the first change is chosen. New lines for only this tool are
    // before changes of existing lines.
    const [least] = changes.sort((a, b) => a.opens.length - b.opens.length);
    if (least !== undefined) return { change: addFlows(read, tables, least), refused: undefined };
  }
  return { change: undefined, refused: refused.find(({ error }) => !TEXTUAL.has(error.code)) ?? refused[0] };
}

/** Codes of errors that depend on where a line is written. They do not show whether the call may be allowed. */
const TEXTUAL: ReadonlySet<string> = new Set([
  "rule-conflict",
  "rule-shadowed",
  "widen-without-parent",
  "widen-changes-nothing",
  "widens-parent",
]);

async function tryCandidate(
  read: SourcePage,
  tables: IndexedTables,
  { edits, narrowing = [] }: Candidate,
  { question, strictness }: Explanation,
): Promise<TriedChange | RefusedChange | undefined> {
  const made = await compileEdited(read, edits);
  const error = made.diagnostics.find(isError);
  if (error !== undefined) return { edits, error: { ...error, span: locateBeforeEdits(error.span, edits) } };
  const { policy, origins, model } = made;
  if (policy === undefined || origins === undefined || model === undefined) return undefined;
  const after = indexPolicyTables(policy);
  const again = explainIn(after, origins, question);
  if (!again.ok || !isLooser(again.value.strictness, strictness)) return undefined;
  const place = [question.session, question.task, question.phase].filter((part) => part !== undefined).join(".");
  const narrowed = narrowing.length === 0 ? read : await compileEdited(read, narrowing);
  if (narrowed.policy === undefined) return undefined;
  // `before` has the tables of the page after its narrowing edits alone. `narrows` lists the differences between the
  // page and `before`, and `opens` those between `before` and the changed page.
  const before = indexPolicyTables(narrowed.policy);
  const moved = diffTables(before, after);
  const others = moved.filter((one) => one.place !== place || one.what !== question.tool);
  const [old, now] = [before, after].map((one) => {
    const row = one.rows.find((row) => row.worker === "" && formatRowPath(row) === place);
    return row && { tables: one, row };
  });
  const own = old && now ? listOwnOpenings(old, now, question.tool) : [];
  return {
    edits,
    answer: again.value.answer,
    opens: [...own, ...others],
    narrows: diffTables(tables, before),
    after,
    model,
  };
}

/** Compiles the page with edits, and checks every law. */
async function compileEdited(read: SourcePage, edits: readonly Edit[]): ReturnType<typeof compile> {
  const options = { ...read.options, purpose: "check", advice: "left" } as const;
  return compile(await overlayEdits(read, edits), read.path, options);
}

/** Returns the change with the flows that it makes possible or impossible. */
function addFlows(
  { model: was }: SourcePage,
  before: IndexedTables,
  { edits, answer, opens, narrows, after, model }: TriedChange,
): Change {
  const [old, now] = [computeFlows(before, was), computeFlows(after, model)];
  const flowsSkipped = old.incompleteReason ?? now.incompleteReason;
  const flows = flowsSkipped === undefined ? diffFlows(old, now).flatMap(splitFlowChange) : [];
  return { edits, answer, opens: [...opens, ...flows], narrows, flowsSkipped };
}

/** Returns a change for each place of a changed flow. */
function splitFlowChange({ places, what, before, after }: FlowChange): readonly RowChange[] {
  return places.map((flow) => {
    const [place = "", sink = ""] = flow.split(" → ");
    return { place, what: `flow to ${sink}, ${what}`, before: before ?? "none", after: after ?? "none" };
  });
}

/** Returns the same files, with the edits applied. */
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
