import {
  beginIn,
  checkFlow,
  chooseAdvertisedMode,
  computeStanding,
  FIRST_DECISION,
  formatLabel,
  formatSecrecy,
  type IndexedTables,
  indexTables,
  join,
  mayFlow,
} from "../../../../engine/lib/policy/index.ts";
import type { Decision, Label, PolicyTables, Row, Tool } from "../../../../engine/lib/wire/generated/policy.ts";
import { defineLaw, type ProvenPage } from "../../support/index.ts";
import { callOnce } from "./codes.ts";

/** Reports tools whose own result prevents a second call in the same conversation. Labels only rise, so the tool stays unavailable. */
export const rule = defineLaw({
  reports: [callOnce],
  check: ({ model, proven, trees }, report) => {
    if (proven === undefined) return;
    const own = new Set(trees.map(({ source }) => source));
    const services = new Map(model.services.map((service) => [service.name, service.node.name.span]));
    for (const { tool, row, why, fix } of findOneTimeTools(proven)) {
      const span = services.get(tool.provider);
      if (span === undefined || !own.has(span.source)) continue;
      const result = formatLabel(proven.tables.lattice, tool.result.low);
      report(callOnce.at(span, { tool: tool.name, place: describeRow(row), result, why, fix }));
    }
  },
});

interface OneTimeTool {
  readonly tool: Tool;
  /** The first row in which the tool can be called only once. */
  readonly row: Row;
  readonly why: string;
  readonly fix: string;
}

/**
 * Returns the tools that a conversation can call at its start, but not again after the result of the call. Each tool is
 * listed once.
 */
function findOneTimeTools({ tables }: ProvenPage): readonly OneTimeTool[] {
  let indexed: IndexedTables | undefined;
  return tables.tools.flatMap((tool, index): OneTimeTool[] => {
    for (const [at, row] of tables.rows.entries()) {
      const list = tables.decisions[(row.cells[index] ?? 0) - FIRST_DECISION];
      const after = join(row.starts, tool.result.low);
      if (list === undefined || !isSuspect({ tool, row, list, after })) continue;
      indexed ??= indexAll(tables);
      const found = indexed && explainRefusal(indexed, { tool: index, row: at, list, after });
      if (found !== undefined) return [{ tool, row, ...found }];
    }
    return [];
  });
}

/**
 * Returns whether the label after the first call may cause a refusal of the second call. The reason can be that the
 * arguments may not flow to the tool, or that a floor forbids the call. The check must be fast, because a page may have
 * a million combinations of rows and tools.
 */
function isSuspect(one: {
  readonly tool: Tool;
  readonly row: Row;
  readonly list: Decision;
  readonly after: Label;
}): boolean {
  const { tool, row, list, after } = one;
  const { sink, isUnseen } = computeStanding(tool, row);
  if (sink === undefined || isUnseen || !mayFlow(tool.result.low, row.clearance)) return false;
  return !mayFlow(after, sink) || list.floors.some(({ mode }) => mode === "forbidden");
}

/** A tool in a row, and the label of a conversation after the first call. */
interface Repetition {
  readonly tool: number;
  readonly row: number;
  readonly list: Decision;
  readonly after: Label;
}

/**
 * Returns the reason for which a conversation cannot call the tool a second time. Returns `undefined` if a second call
 * is possible, or if not even a first call is.
 */
function explainRefusal(
  tables: IndexedTables,
  { tool, row, list, after }: Repetition,
): Pick<OneTimeTool, "why" | "fix"> | undefined {
  const about = tables.rows[row];
  const called = tables.tools[tool];
  if (about === undefined || called === undefined) return undefined;
  const first = beginIn(about, row);
  const again = { ...first, label: after };
  const canFlow = (conversation: typeof first) => checkFlow(tables, about, conversation, tool).ok;
  const canRun = (conversation: typeof first) => chooseAdvertisedMode(list, conversation) !== "forbidden";
  if (!canFlow(first) || !canRun(first)) return undefined;
  if (!canFlow(again)) {
    const { lattice } = tables;
    const { sink } = called;
    if (mayFlow({ ...after, integrity: sink.integrity }, sink)) {
      const least = lattice.integrity[sink.integrity] ?? "";
      return { why: `and the tool accepts no arguments below ${least}`, fix: "release its arguments with `endorse`" };
    }
    const most = formatSecrecy(lattice, sink);
    return { why: `and the tool may receive ${most} at most`, fix: "release its arguments with `declassify`" };
  }
  if (canRun(again)) return undefined;
  return { why: "and a floor forbids it then", fix: "leave it out of the floor" };
}

/** Returns the indexed tables, or `undefined` if they are inconsistent, which is reported elsewhere. */
function indexAll(tables: PolicyTables): IndexedTables | undefined {
  const indexed = indexTables(tables);
  return indexed.ok ? indexed.value : undefined;
}

function describeRow({ session, task, phase, worker }: Row): string {
  return [session, task, phase, worker].filter((name) => name !== "").join(".");
}
