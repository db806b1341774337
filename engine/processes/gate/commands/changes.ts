// Proposes changes of the page that may loosen a decision about a call, and makes each in a copy of the policy tables.
// A change adds a line for the path of the call, loosens the mode of a line, raises a quota, or adds a release.
import {
  addNarrowedLine,
  type Call,
  type Conversation,
  chooseReleaseGate,
  computeSufficientAmount,
  type Decision,
  type IndexedTables,
  isAtSamePlace,
  isByElse,
  isStricter,
  limitToAskedPath,
  type PermissionMode,
  releaseLine,
} from "../../../lib/policy/index.ts";
import type { Quota, Release, Row, Tool } from "../../../lib/wire/generated/policy.ts";
import { describeRule } from "../sentences.ts";

export interface Change {
  readonly tables: IndexedTables;
  /** Descriptions of the edits of the page, one for each line. */
  readonly edits: readonly string[];
  /** The tables with only the edits that make decisions stricter; absent if there are no such edits. */
  readonly narrowed?: IndexedTables;
  /** Further effects of the change that the tables do not show. */
  readonly beside: readonly string[];
}

/** A decided call. `spent` is the quota for which the broker refused the call; absent if the broker did not refuse it. */
export interface Asked {
  readonly conversation: Conversation;
  readonly call: Call;
  readonly decision: Decision;
  readonly spent?: Quota | undefined;
}

/** Returns changes that may loosen the decision; the caller decides again to find out whether a change does. */
export function proposeChanges(tables: IndexedTables, asked: Asked): readonly Change[] {
  const { conversation, call, decision, spent } = asked;
  const tool = tables.tools[tables.toolIndex.get(call.tool) ?? -1];
  const row = tables.rows[conversation.row];
  if (tool === undefined || row === undefined) return [];
  const { rule } = decision;
  const quota = spent ?? (decision.kind === "refused" ? row.quotas.find((one) => one.rule === rule) : undefined);
  if (quota !== undefined) return raiseQuota(tables, asked, tool, quota);
  if (rule !== undefined) {
    const wanted = decision.kind === "gated" || tool.readOnly ? "auto" : "consent";
    return [...narrowRule(tables, asked, rule, wanted), loosenRule(tables, rule, wanted)];
  }
  // No rule decided. Unless the flow check refused the call, there is no change to propose.
  if (decision.kind === "gated" || decision.mode === undefined) return [];
  return [...addLimitedRelease(tables, asked, tool, row), ...addRelease(tables, asked, tool, row)];
}

/**
 * Returns a change that adds a line which allows only calls with the path of this call, or with a path below it. Returns no change if the
 * tables do not contain enough to write the line.
 */
function narrowRule(
  tables: IndexedTables,
  { conversation, call, decision }: Asked,
  rule: number,
  wanted: "auto" | "consent",
): readonly Change[] {
  const { row } = conversation;
  const strictness = decision.kind === "gated" ? decision.gate : "forbidden";
  const by = isByElse(tables.rules[rule]?.words ?? "", strictness) ? "else" : "checks";
  const tool = tables.toolIndex.get(call.tool) ?? -1;
  const narrowed = addNarrowedLine(tables, { row, tool, arguments: call.arguments, rule, mode: wanted, by });
  if (narrowed === undefined) return [];
  const session = `to session ${tables.rows[row]?.session}, where it goes before`;
  const where = `${narrowed.stands === "session" ? session : "beside"} ${describeRule(tables, rule)}`;
  return [{ tables: narrowed.tables, edits: [`add \`${narrowed.line}\` ${where}`], beside: [] }];
}

/**
 * Returns the change after which this rule demands `wanted` wherever it demanded a stricter mode before. A release
 * keeps at least the gate `consent`.
 */
function loosenRule(tables: IndexedTables, rule: number, wanted: "auto" | "consent"): Change {
  const loosenMode = <Mode extends PermissionMode>(mode: Mode) => (isStricter(mode, wanted) ? wanted : mode);
  const decisions = tables.decisions.map((list) => {
    const { clauses, floors } = list;
    const isOn = [...clauses, ...floors].some((one) => one.rule === rule);
    if (!isOn) return list;
    return {
      clauses: clauses.map((one) =>
        one.rule === rule ? { ...one, met: loosenMode(one.met), otherwise: loosenMode(one.otherwise) } : one,
      ),
      floors: floors.map((one) => (one.rule === rule ? { ...one, mode: loosenMode(one.mode) } : one)),
    };
  });
  const isRelease = tables.releases.some((one) => one.rule === rule);
  const releases = tables.releases.map((one) => (one.rule === rule ? { ...one, gate: "consent" as const } : one));
  const edits = [`${describeRule(tables, rule)} becomes ${isRelease ? "consent" : wanted}`];
  return { tables: { ...tables, decisions, releases }, edits, beside: [] };
}

/** Returns a change that raises the quota until it suffices for the call; none if the call does not use the quota. */
function raiseQuota(tables: IndexedTables, { call, decision }: Asked, tool: Tool, quota: Quota): readonly Change[] {
  const isAsked = decision.kind === "gated" ? decision.gate !== "auto" : decision.mode !== "auto";
  const args = decision.kind === "gated" ? decision.arguments : call.arguments;
  const amount = computeSufficientAmount(tables, quota, { tool, arguments: args, prompts: isAsked ? 1 : 0 });
  if (amount === undefined) return [];
  const rows = tables.rows.map((row) => ({
    ...row,
    quotas: row.quotas.map((one) => (one.rule === quota.rule ? { ...one, amount } : one)),
  }));
  return [
    { tables: { ...tables, rows }, edits: [`${describeRule(tables, quota.rule)} becomes ${amount}`], beside: [] },
  ];
}

/**
 * Returns changes that release the arguments of this tool from the label of the conversation. They forbid all calls of
 * the tool except those with the path of this call. Returns no change if the tables do not contain enough to write the
 * line for the path.
 */
function addLimitedRelease(tables: IndexedTables, asked: Asked, tool: Tool, row: Row): readonly Change[] {
  const { conversation, call } = asked;
  const at = { row: conversation.row, tool: tables.tools.indexOf(tool), arguments: call.arguments };
  const limited = limitToAskedPath(tables, at);
  if (limited === undefined) return [];
  const { line, replaced } = limited;
  const place = row.task === "" ? `session ${row.session}` : `task ${row.task}`;
  const limit =
    replaced === undefined ? `add \`${line}\` to ${place}` : `${describeRule(tables, replaced)} becomes \`${line}\``;
  return addRelease(limited.tables, asked, tool, row).map(({ edits, ...change }) => ({
    ...change,
    edits: [limit, ...edits],
    narrowed: limited.tables,
  }));
}

/**
 * Returns changes that release this tool's arguments from the label of the conversation, behind a person's approval. If
 * the conversation is in a task, the release is added to the task.
 */
function addRelease(tables: IndexedTables, { conversation }: Asked, tool: Tool, at: Row): readonly Change[] {
  const { label } = conversation;
  const { session, task } = at;
  const gate = chooseReleaseGate(at);
  const acts = ["declassify", "endorse"] as const satisfies readonly Release["act"][];
  return acts.map((act) => {
    const words = releaseLine(tables.lattice, act, { tool: tool.name, session, from: label, to: tool.sink, gate });
    const release: Release = {
      ...{ act, tools: [tables.tools.indexOf(tool)], from: { ...label, integrity: 0 }, to: tool.sink },
      ...{ gate, rule: tables.rules.length },
    };
    const rows = tables.rows.map((row) =>
      isAtSamePlace(row, at) ? { ...row, releases: [...row.releases, tables.releases.length] } : row,
    );
    return {
      tables: {
        ...tables,
        rows,
        rules: [...tables.rules, { id: `release/${words}`, words, place: "" }],
        releases: [...tables.releases, release],
      },
      edits: [task === "" ? `add \`${words}\`` : `add \`${words}\` to task ${task}`],
      beside: task === "" ? [`what extends ${session}, where something does`] : [],
    };
  });
}
