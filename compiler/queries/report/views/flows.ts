// Builds the view of the flows that rules of the page allow between services, sessions and models. Results flow to the
// session, arguments flow to the service, and a model reads the whole conversation. The view does not show which of
// these flows can happen: the table of labels shows the impossible flows, and the proofs show the possible ones.

import {
  FIRST_DECISION,
  formatLabel,
  formatSecrecy,
  type IndexedTables,
  isStricter,
  type Label,
} from "../../../../engine/lib/policy/index.ts";
import type { Decision, Tool } from "../../../../engine/lib/wire/generated/policy.ts";
import { type Reach, serializeValue } from "../../../phases/policy/index.ts";
import { chooseStrictest as strictestOf } from "../../../phases/prove/index.ts";
import { createDrawings, type Drawings } from "../graph/drawings.ts";
import { joinAlike } from "../graph/merge-boxes.ts";
import { revealUnseen } from "../reveal-unseen.ts";
import type { Subject } from "../subject.ts";
import { computeReach } from "./cells.ts";
import { type FlowView, joinUnique } from "./flow.ts";
import { buildFlowGraph } from "./flow-graph.ts";
import { renderNames } from "./names.ts";

interface FlowsView {
  /** Drawings of the flows; null if the flows are too many to draw. */
  readonly drawing: Drawings | null;
  readonly flows: readonly FlowView[];
  readonly releases: readonly string[];
}

const OUTSIDE = "the network";
const AUTO = { gate: "auto", least: "auto" } as const;
const MOST_NAMED = 6;

export function buildFlowsView(subject: Subject): FlowsView {
  const flows = collectFlows(subject);
  const { tables } = subject;
  return {
    drawing: drawFlows(tables, flows) ?? drawCoarsely(subject) ?? null,
    flows: mergeAlike(flows),
    releases: tables.releases.map(({ rule }) => tables.rules[rule]?.words ?? ""),
  };
}

function collectFlows(subject: Subject): readonly FlowView[] {
  const { tables } = subject;
  const sessions = [...new Set(tables.rows.map(({ session }) => session))];
  return [
    ...collectIngressFlows(tables),
    ...sessions.flatMap((session) => [...collectToolFlows(subject, session), ...collectBackendFlows(tables, session)]),
    ...collectOutwardFlows(tables),
  ];
}

function drawFlows(tables: IndexedTables, flows: readonly FlowView[]): Drawings | undefined {
  return createDrawings(revealUnseen(joinAlike(buildFlowGraph(tables, flows))));
}

/** Draws services with the same label as one box, for pages with hundreds of services. */
function drawCoarsely(subject: Subject): Drawings | undefined {
  const { tables } = subject;
  const labels = new Map<string, Set<string>>();
  const makeKey = ({ sink, result, networked }: Tool): string => serializeValue([sink, result.high, networked]);
  for (const tool of tables.tools)
    labels.set(makeKey(tool), (labels.get(makeKey(tool)) ?? new Set()).add(tool.provider));
  const nameOf = (tool: Tool): string => {
    const [first = "", ...more] = labels.get(makeKey(tool)) ?? [];
    return more.length === 0 ? first : `${first} and ${more.length} more`;
  };
  const coarse = { ...tables, tools: tables.tools.map((tool) => ({ ...tool, provider: nameOf(tool) })) };
  return drawFlows(coarse, collectFlows({ ...subject, tables: coarse }));
}

/** Merges flows that differ only in the service. */
function mergeAlike(flows: readonly FlowView[]): readonly FlowView[] {
  const groups = new Map<string, { readonly flow: FlowView; readonly names: string[] }>();
  for (const flow of flows) {
    const at = flow.what === "results" ? "from" : "to";
    const key = serializeValue(flow.end === "service" ? { ...flow, [at]: "" } : flow);
    const group = groups.get(key) ?? { flow, names: [] };
    group.names.push(flow[at]);
    groups.set(key, group);
  }
  return [...groups.values()].map(({ flow, names }) => {
    return { ...flow, [flow.what === "results" ? "from" : "to"]: renderNames(names, MOST_NAMED) };
  });
}

function collectIngressFlows({ ingresses, rows, lattice }: IndexedTables): readonly FlowView[] {
  return ingresses.map(({ name, source, address, zone, missed, row, label }) => {
    const into = rows[row];
    const to = into === undefined ? "" : into.session;
    const times = source === "timer" ? ` ${address} in ${zone}, missed ${missed}` : "";
    const from = `${name} (${source}${times})`;
    return { from, to, what: "words", ...AUTO, label: formatLabel(lattice, label), tools: "", end: "ingress" };
  });
}

/**
 * Returns the flows between a session and the tools of each provider. All tasks and phases of the session are taken
 * together.
 */
function collectToolFlows(subject: Subject, session: string): readonly FlowView[] {
  const { lattice } = subject.tables;
  return [...collectCallable(subject, session)].flatMap(([provider, calls]): readonly FlowView[] => {
    const results = calls.map(({ tool }) => formatLabel(lattice, tool.result.high));
    const sending = calls.filter(({ tool }) => !tool.readOnly || tool.networked);
    const sinks = sending.map(({ tool }) => formatLabel(lattice, tool.sink));
    const of = { end: "service" } as const;
    return [
      { ...of, from: provider, to: session, what: "results", ...describeGates(calls), label: joinUnique(results) },
      ...(sending.length === 0
        ? []
        : [
            {
              ...of,
              from: session,
              to: provider,
              what: "arguments",
              ...describeGates(sending),
              label: joinUnique(sinks),
            },
          ]),
    ];
  });
}

interface Callable extends Reach {
  readonly tool: Tool;
}

/** Returns, by provider, the tools that may run in a session or in one of its tasks or phases. */
function collectCallable({ tables, dead }: Subject, session: string): ReadonlyMap<string, readonly Callable[]> {
  const unused = new Set(dead.map(({ row, tool }) => `${row} ${tool}`));
  const known = new Map<string, Callable[]>();
  for (const [index, tool] of tables.tools.entries()) {
    const ranges = tables.rows.flatMap((row, at) => {
      const list = tables.decisions[(row.cells[index] ?? 0) - FIRST_DECISION];
      return row.session === session && !unused.has(`${at} ${index}`) ? findRunnable(list) : [];
    });
    if (ranges.length === 0) continue;
    known.set(tool.provider, [...(known.get(tool.provider) ?? []), { tool, ...mergeReach(ranges) }]);
  }
  return known;
}

function findRunnable(list: Decision | undefined): readonly Reach[] {
  const range = list && computeReach(list);
  return range === undefined || range.loosest === "forbidden" ? [] : [range];
}

function describeGates(calls: readonly Callable[]): Pick<FlowView, "gate" | "least" | "tools"> {
  const { loosest, strictest } = mergeReach(calls);
  const tools = renderNames(
    calls.map(({ tool }) => tool.methodName),
    MOST_NAMED,
  );
  return { gate: loosest === strictest ? loosest : `${loosest} ▸ ${strictest}`, least: loosest, tools };
}

function mergeReach(ranges: readonly Reach[]): Reach {
  const loosest = ranges.map((range) => range.loosest).reduce((one, other) => (isStricter(one, other) ? other : one));
  return { loosest, strictest: strictestOf(ranges.map((range) => range.strictest)) };
}

function collectBackendFlows(tables: IndexedTables, session: string): readonly FlowView[] {
  const row = tables.rows.find((one) => one.session === session);
  return (row?.backends ?? []).flatMap(({ backend, mode }): readonly FlowView[] => {
    const known = tables.backends[backend];
    if (known === undefined || mode === "forbidden") return [];
    const label = renderClearance(tables, known.clearance);
    return [
      {
        from: session,
        to: known.name,
        what: "the conversation",
        gate: mode,
        least: mode,
        label,
        tools: "",
        end: "backend",
      },
    ];
  });
}

function renderClearance({ lattice }: IndexedTables, clearance: Label): string {
  return `at most ${formatSecrecy(lattice, clearance)}`;
}

function collectOutwardFlows(tables: IndexedTables): readonly FlowView[] {
  const of = { to: OUTSIDE, gate: "", least: "", tools: "", end: "outside" } as const;
  const sending = Map.groupBy(
    tables.tools.filter(({ networked }) => networked),
    ({ provider }) => provider,
  );
  return [
    ...[...sending].map(([from, tools]): FlowView => {
      return {
        ...of,
        from,
        what: "arguments",
        label: joinUnique(tools.map(({ sink }) => formatLabel(tables.lattice, sink))),
      };
    }),
    ...tables.backends
      .filter(({ local }) => !local)
      .map(({ name, clearance }): FlowView => {
        return { ...of, from: name, what: "the conversation", label: renderClearance(tables, clearance) };
      }),
  ];
}
