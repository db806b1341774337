// What a conversation has seen, and where the arguments of a call go: the fourth check of a decision.

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

/** What the flow of a tool's calls comes to in a row, whatever the conversation has seen. */
export interface FlowStatus {
  /** Where the arguments go; nothing where they tell nobody anything (ruling 11). */
  readonly sink: Label | undefined;
  /** Ruling 12: it has an effect, and its result could be above what the row is cleared for. */
  readonly isUnseen: boolean;
}

/** A standing with the row that it is of. */
interface Placed extends FlowStatus {
  readonly row: Row;
}

export function computeStanding(tool: Tool, row: Row): FlowStatus {
  return {
    sink: tool.readOnly && !tool.networked ? undefined : tool.sink,
    isUnseen: !tool.readOnly && !mayFlow(tool.result.high, row.clearance),
  };
}

/** The release that the flow needs, if it needs one; or why the call may not be made. */
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

/** The same, where its standing is known. */
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

/** Most calls need no release. */
const FREELY = accept(undefined);

/**
 * Ruling 14: the release that lets this conversation's words go to this tool's sink; of several the one with the looser
 * gate, then the first. Nothing where none does.
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

/** What the arguments count as: declassified, less secret; endorsed, more trusted. Never both, and nothing else. */
export function applyRelease({ act, to }: Release, label: Label): Label {
  switch (act) {
    case "declassify":
      return { ...label, confidentiality: to.confidentiality, compartments: to.compartments };
    case "endorse":
      return { ...label, integrity: to.integrity };
  }
}
