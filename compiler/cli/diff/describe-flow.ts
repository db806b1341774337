// Describes flows that became possible or impossible, with the conversations that show each. The changes that cause a flow are
// named too; a reason on one of them is also the reason for the flow.

import type { IndexedTables } from "../../../engine/lib/policy/index.ts";
import { formatRowPath } from "../../phases/policy/index.ts";
import type { Witness, WitnessStep } from "../../phases/prove/index.ts";
import type { FlowChange, Place, WitnessedFlow } from "../../queries/diff/index.ts";
import { renderWitness } from "../../rules/index.ts";
import { convertWitnessToPlain } from "../proofs/report.ts";
import type { ChangeReport, FlowReport, LineReport } from "./diff-report.ts";
import type { NamedSide } from "./side.ts";
import { renderWhere } from "./text.ts";

/** Both sides of a difference, the other changes in the report, and the reviewer's reason. */
interface FlowContext {
  readonly before: NamedSide;
  readonly after: NamedSide;
  readonly changes: readonly ChangeReport[];
  readonly reviewed: string | undefined;
}

/** A changed flow, and the change that causes it; `cause` is `undefined` if no change of this report causes the flow. */
interface DescribedFlow {
  readonly report: ChangeReport;
  readonly cause: ChangeReport | undefined;
}

/** Describes a changed flow. `changes` contains all other changes in the report; `reviewed` is the reviewer's reason. */
export function describeFlow(change: FlowChange, { before, after, changes, reviewed }: FlowContext): DescribedFlow {
  const { direction, widens, what, places, owner, flows } = change;
  const causes = widens ? findCauses(flows, after.tables, changes) : [];
  const reasoned = causes.length > 0 && causes.every(({ because }) => because.length > 0);
  const given = reviewed === undefined ? [] : [reviewed];
  const unsaid =
    causes.length === 0
      ? "no line that its conversations pass is wider: `--because TEXT`"
      : "it follows of widenings that have no reason: give them theirs, or `--because TEXT`";
  // A changed decision explains a flow better than a changed property, such as a label.
  const cause = causes.find((one) => one.what === "") ?? causes[0];
  const report: ChangeReport = {
    direction,
    widens,
    at: places.map((place) => ({ place, tools: [] })),
    what,
    before: change.before ?? "nothing",
    after: change.after ?? "nothing",
    clauses: [],
    parts: [],
    details: [],
    notes: cause === undefined ? [] : [`follows from ${renderWhere(cause.at, cause.what).join("; ")}`],
    witnesses: [],
    ways: flows.map((way) => describeWitnessedFlow(way, way.possible === "now" ? after.tables : before.tables)),
    lines: collectDistinctLines(causes),
    ...(widens && !reasoned && reviewed === undefined ? { unsaid } : {}),
    because: widens ? [...new Set(reasoned ? causes.flatMap(({ because }) => because) : given)] : [],
    owner,
  };
  return { report, cause };
}

function collectDistinctLines(causes: readonly ChangeReport[]): readonly LineReport[] {
  const lines = causes.flatMap((cause) => cause.lines);
  return [...new Map(lines.map((line) => [`${line.place} ${line.words}`, line])).values()];
}

function describeWitnessedFlow({ possible, source, sink, witness }: WitnessedFlow, tables: IndexedTables): FlowReport {
  const shown = witness.ok
    ? { story: renderWitness(tables, witness.value), witness: convertWitnessToPlain(tables, witness.value) }
    : { story: [`it can only not be ruled out: ${witness.reason}`], witness: null };
  return { possible, source, sink, ...shown };
}

/**
 * Returns the widenings that made the flow possible. They concern a call in the flow, or a session, service or backend that the flow
 * passes.
 */
function findCauses(
  ways: readonly WitnessedFlow[],
  tables: IndexedTables,
  changes: readonly ChangeReport[],
): readonly ChangeReport[] {
  const witnesses = ways.flatMap(({ possible, witness }) => (possible === "now" && witness.ok ? [witness.value] : []));
  const passed: PassedElements = { rows: new Set(), tools: new Set(), places: new Set() };
  for (const witness of witnesses) collectAllPassed(passed, witness, tables);
  const { rows, tools, places } = passed;
  const isPassed = ({ place, tools: named }: ChangeReport["at"][number]) =>
    named.length === 0
      ? rows.has(place) || places.has(place)
      : rows.has(place) && named.some((tool) => tools.has(tool));
  return changes.filter(({ widens, what, at }) => widens && !isLimit(what) && at.some(isPassed));
}

/** Returns whether a change concerns a quota or a time. Such a change causes no flow, because proofs ignore quotas and times. */
function isLimit(what: string): boolean {
  return what.startsWith("quota of ") || what.startsWith("milliseconds per ");
}

interface PassedElements {
  /** Names of the rows in which conversations of the flow take place, as `formatRowPath` writes them. */
  readonly rows: Set<string>;
  readonly tools: Set<string>;
  /**
   * Tools, services, backends and ingresses that these conversations use, written as the facts of a difference name
   * them: `tool notes.read`, `service notes`, `backend canned`.
   */
  readonly places: Set<string>;
}

function collectAllPassed(passed: PassedElements, { conversations }: Witness, tables: IndexedTables): void {
  for (const { session, task, steps } of conversations) {
    const begun = tables.rows.find(
      (row) => row.session === session && row.task === task && row.phaseIndex === 0 && row.worker === "",
    );
    if (begun !== undefined) collectPassed(passed, begun, steps, tables);
  }
}

function collectPassed(
  passed: PassedElements,
  begun: Place,
  steps: readonly WitnessStep[],
  tables: IndexedTables,
): void {
  let row: Place = begun;
  passed.rows.add(formatRowPath(row));
  for (const step of steps) {
    switch (step.kind) {
      case "call":
        passed.tools.add(step.tool);
        passed.places.add(`tool ${step.tool}`);
        passed.places.add(`service ${tables.tools[tables.toolIndex.get(step.tool) ?? -1]?.provider}`);
        break;
      case "phase":
        row = { ...row, phase: step.phase };
        passed.rows.add(formatRowPath(row));
        break;
      case "ingress":
        passed.places.add(`ingress ${step.name}`);
        break;
      case "worker":
        collectPassed(passed, { ...row, worker: step.worker }, step.steps, tables);
        break;
      case "infer":
        passed.places.add(`backend ${step.backend}`);
        break;
    }
  }
}
