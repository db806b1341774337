// Explains a refusal by flow to a person. A model gets only the policy's own sentence, which names no other call.
import {
  computeStanding,
  type Decision,
  formatLabel,
  formatSecrecy,
  type IndexedTables,
  type Label,
  mayFlow,
  openConversation,
} from "../../lib/policy/index.ts";
import { findHindrance } from "./hindrance.ts";
import type { Asked, Memory, Raise } from "./memory.ts";

/**
 * Returns whether the flow check refused a call. Such a refusal states the mode of the call, but no rule, and the call
 * reached no gate.
 */
export function isFlowRefusal(decision: Decision | undefined): boolean {
  return decision?.kind === "refused" && decision.mode !== undefined && decision.rule === undefined;
}

/**
 * Returns why the conversation's data may not flow to a tool, and the way out: `this conversation has results of
 * journal.tail (untrusted), and notes.write accepts at least reviewed; /new begins one without them`. Returns
 * `undefined` if the call was not refused because of such a flow.
 */
export function explainFlow(
  tables: IndexedTables,
  memory: Pick<Memory, "findRaises">,
  asked: Asked,
): string | undefined {
  const { conversation, call, decision } = asked;
  const tool = tables.tools[tables.toolIndex.get(call.tool) ?? -1];
  const row = tables.rows[conversation.row];
  if (!isFlowRefusal(decision) || tool === undefined || row === undefined) return undefined;
  const { sink } = computeStanding(tool, row);
  if (sink === undefined || mayFlow(conversation.label, sink)) return undefined;
  const raises = memory.findRaises(conversation.label).filter(findHindrance(tables, asked) ?? (() => false));
  const names = nameResults(tables, raises, sink);
  const has = names === "" ? `is at ${formatLabel(tables.lattice, conversation.label)}` : `has results of ${names}`;
  const accepts = `${tool.name} accepts ${describeLimits(tables, conversation.label, sink)}`;
  const fresh = openConversation(tables, row.session);
  // Suggest `/new` only in a session with a model: in other sessions, a person cannot begin a conversation.
  const mayBegin = row.backends.length > 0 && fresh !== undefined && mayFlow(fresh.label, sink);
  const wayOut = mayBegin ? `; /new begins ${names === "" ? "another" : "one without them"}` : "";
  return `this conversation ${has}, and ${accepts}${wayOut}`;
}

/** Names the tools whose results may not flow to the sink, each with the excess of its result: `journal.tail (untrusted)`. */
function nameResults(tables: IndexedTables, raises: readonly Raise[], sink: Label): string {
  const names = raises.map(({ name, after }) => {
    const high = tables.tools[tables.toolIndex.get(name) ?? -1]?.result.high;
    const label = high === undefined || mayFlow(high, sink) ? after : high;
    return `${name} (${describeExcess(tables, label, sink)})`;
  });
  return [...new Set(names)].join(", ");
}

/** Returns the parts of a label that prevent its flow to the sink: `secret and untrusted`. */
function describeExcess({ lattice }: IndexedTables, label: Label, sink: Label): string {
  return [
    ...(isTooSecret(label, sink) ? [formatSecrecy(lattice, label)] : []),
    ...(isTooWeak(label, sink) ? [lattice.integrity[label.integrity] ?? ""] : []),
  ].join(" and ");
}

/** Returns the limits of the sink that the label does not fit: `at most public and at least reviewed`. */
function describeLimits({ lattice }: IndexedTables, label: Label, sink: Label): string {
  return [
    ...(isTooSecret(label, sink) ? [`at most ${formatSecrecy(lattice, sink)}`] : []),
    ...(isTooWeak(label, sink) ? [`at least ${lattice.integrity[sink.integrity] ?? ""}`] : []),
  ].join(" and ");
}

function isTooSecret(label: Label, sink: Label): boolean {
  return !mayFlow({ ...label, integrity: sink.integrity }, sink);
}

function isTooWeak({ integrity }: Label, sink: Label): boolean {
  return integrity < sink.integrity;
}
