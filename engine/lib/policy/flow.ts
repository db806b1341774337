// Checks the flow of a call from the conversation's label to the sink of the arguments. This is the fourth of the checks that
// make a decision.

import { accept, type Result, refuse } from "../result/result.ts";
import type { Release, Row, Tool } from "../wire/generated/policy.ts";
import type { Conversation } from "./conversation.ts";
import { type Label, mayFlow } from "./label.ts";
import { isStricter } from "./mode.ts";
import type { IndexedTables } from "./tables.ts";

export interface Releasing {
  /** Index into the tables' releases. */
  readonly index: number;
  readonly release: Release;
}

/** Data that decides, besides the conversation's label, whether a tool's arguments may flow in a row. */
export interface FlowStatus {
  /** Label of the sink that the arguments reach; `undefined` if they do not leave the conversation (ruling 11). */
  readonly sink: Label | undefined;
  /** Whether the tool has an effect and its result could exceed the clearance of the row (ruling 12). */
  readonly isUnseen: boolean;
}

/** The flow status of a tool in a row, with the row. */
interface Placed extends FlowStatus {
  readonly row: Row;
}

export function computeStanding(tool: Tool, row: Row): FlowStatus {
  return {
    sink: tool.readOnly && !tool.networked ? undefined : tool.sink,
    isUnseen: !tool.readOnly && !mayFlow(tool.result.high, row.clearance),
  };
}

/** Returns the release that the flow needs, `undefined` if it needs none, or why the call is refused. */
export function checkFlow(
  tables: IndexedTables,
  row: Row,
  conversation: Conversation,
  index: number,
): Result<Releasing | undefined> {
  const tool = tables.tools[index];
  return tool === undefined
    ? refuse("no such tool")
    : checkFlowFrom(tables, conversation, index, { row, ...computeStanding(tool, row) });
}

/** Checks a flow like `checkFlow`, with a status that was already computed. */
export function checkFlowFrom(
  tables: IndexedTables,
  conversation: Conversation,
  index: number,
  { row, sink, isUnseen }: Placed,
): Result<Releasing | undefined> {
  const flows = sink === undefined || mayFlow(conversation.label, sink);
  const releasing = flows ? undefined : releaseFor(tables, row, conversation, index);
  if (!flows && releasing === undefined) return refuse("this conversation has seen what may not flow to this tool");
  if (isUnseen) return refuse("its result may be above what this session is cleared for");
  return releasing === undefined ? FREELY : accept(releasing);
}

/** Shared result for calls that need no release, which is the most frequent case. */
const FREELY = accept(undefined);

/**
 * Returns the release that lets this conversation's data flow to the tool's sink (ruling 14), or `undefined` if none does. If there are
 * several such releases, the function returns the first of those with the loosest gate.
 */
function releaseFor(tables: IndexedTables, row: Row, conversation: Conversation, tool: number): Releasing | undefined {
  const sink = tables.tools[tool]?.sink;
  if (sink === undefined) return undefined;
  const fitting = row.releases.flatMap((index): Releasing[] => {
    const release = tables.releases[index];
    if (release === undefined || !release.tools.includes(tool)) return [];
    const fits = mayFlow(conversation.label, release.from) && mayFlow(applyRelease(release, conversation.label), sink);
    return fits ? [{ index, release }] : [];
  });
  return fitting.reduce<Releasing | undefined>(
    (best, next) => (best === undefined || isStricter(best.release.gate, next.release.gate) ? next : best),
    undefined,
  );
}

/**
 * Returns the label of the arguments under a release: a declassification makes them less secret, an endorsement more trusted. A
 * release is a declassification or an endorsement, never both.
 */
export function applyRelease({ act, to }: Release, label: Label): Label {
  switch (act) {
    case "declassify":
      return { ...label, confidentiality: to.confidentiality, compartments: to.compartments };
    case "endorse":
      return { ...label, integrity: to.integrity };
  }
}
