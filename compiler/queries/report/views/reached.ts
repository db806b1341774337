// Builds the view of the data that conversations can send to services and models. The search of the prover finds this
// data, and the shortest example conversations.

import { listCompartments } from "../../../../engine/lib/policy/index.ts";
import { formatRowPath, serializeValue } from "../../../phases/policy/index.ts";
import { computeFlows, type Flows, type Inflow, type Sink } from "../../../phases/prove/index.ts";
import { renderWitness } from "../../../rules/index.ts";
import type { Subject } from "../subject.ts";
import { renderNames } from "./names.ts";

interface ReachedView {
  readonly sinks: readonly ReachedSinkView[];
  /** Number of sinks that are not listed. */
  readonly more: number;
  /** Services that receive nothing. */
  readonly untold: string;
  /** Reason why sinks may be missing; empty if no sink can be missing. */
  readonly unseen: string;
}

interface ReachedSinkView {
  /** Names of all sinks that receive the same data in the same places. */
  readonly names: string;
  readonly kind: string;
  /** The most secret level of the data that reaches the sinks; `trusted` is the least trusted level. */
  readonly secret: string;
  readonly trusted: string;
  readonly compartments: string;
  readonly places: string;
  /** Steps by which the first of the sinks gets the most secret data; empty if no data is secret. */
  readonly story: readonly string[];
}

const MOST_SINKS = 30;
const MOST_NAMED = 4;

export function buildReachedView({ tables, model }: Subject): ReachedView {
  const flows = computeFlows(tables, model);
  const isOutside = createOutsideCheck(flows);
  const groups = groupSinks(flows, isOutside);
  const told = new Set(flows.inflows.map(({ sink }) => makeSinkKey(sink)));
  const untold = model.services.filter(({ name }) => !told.has(makeSinkKey({ kind: "service", name })));
  return {
    sinks: groups.slice(0, MOST_SINKS).map((group) => buildSinkView(flows, group)),
    more: Math.max(0, groups.length - MOST_SINKS),
    untold: renderNames(
      untold.map(({ name }) => name),
      MOST_NAMED,
    ),
    unseen: flows.incompleteReason ?? "",
  };
}

interface SinkGroup {
  readonly sinks: readonly Sink[];
  /**
   * Whether all sinks of the group are outside of the machine or send data out of it. Otherwise all sinks of the group
   * are inside of the machine and send no data out of it.
   */
  readonly isOutside: boolean;
  readonly inflows: readonly Inflow[];
}

function createOutsideCheck({ tables: { backends, tools } }: Flows): (sink: Sink | undefined) => boolean {
  const remote = new Set(backends.filter(({ local }) => !local).map(({ name }) => name));
  const networked = new Set(tools.filter((tool) => tool.networked).map(({ provider }) => provider));
  return (sink) => sink !== undefined && (sink.kind === "backend" ? remote : networked).has(sink.name);
}

/**
 * Groups sinks that receive the same data in the same places, if all of them lead outside of the machine or none does.
 * Backends come first.
 */
function groupSinks({ inflows }: Flows, isOutside: ReturnType<typeof createOutsideCheck>): readonly SinkGroup[] {
  const bySink = Map.groupBy(inflows, ({ sink }) => makeSinkKey(sink));
  const alike = Map.groupBy(bySink.values(), (all) => {
    const [first] = all;
    return serializeValue([first?.sink.kind, isOutside(first?.sink), ...all.map(({ row, summary }) => [row, summary])]);
  });
  const groups = [...alike.values()].map((same): SinkGroup => {
    const sinks = same.flatMap(([first]) => first?.sink ?? []);
    return { sinks, isOutside: isOutside(sinks[0]), inflows: same[0] ?? [] };
  });
  const isBackend = ({ sinks: [first] }: SinkGroup) => first?.kind === "backend";
  return [...groups.filter(isBackend), ...groups.filter((group) => !isBackend(group))];
}

function makeSinkKey({ kind, name }: Sink): string {
  return `${kind} ${name}`;
}

function buildSinkView(flows: Flows, { sinks, isOutside, inflows }: SinkGroup): ReachedSinkView {
  const { lattice, rows } = flows.tables;
  const all = inflows.map(({ summary }) => summary);
  const level = Math.max(...all.map(({ confidentiality }) => confidentiality));
  const trust = Math.min(...all.map(({ integrity }) => integrity));
  const sets = listCompartments(
    lattice,
    all.reduce((held, { compartments }) => held | compartments, 0n),
  );
  const [first] = sinks;
  const places = inflows.flatMap(({ row }) => {
    const at = rows[row];
    return at === undefined ? [] : [formatRowPath(at)];
  });
  return {
    names: renderNames(
      sinks.map(({ name }) => name),
      MOST_NAMED,
    ),
    kind: `${first?.kind === "backend" ? "model" : "service"}${isOutside ? ", outside" : ""}`,
    secret: lattice.confidentiality[level] ?? "",
    trusted: lattice.integrity[trust] ?? "",
    compartments: sets.join(", "),
    places: renderNames(places, MOST_NAMED),
    story: level === 0 ? [] : renderStory(flows, inflows, level),
  };
}

function renderStory(flows: Flows, inflows: readonly Inflow[], level: number): readonly string[] {
  const source = flows.sources.find((one) => one.kind === "secrecy" && one.level === level);
  const inflow = inflows.find(({ summary }) => summary.confidentiality === level);
  if (source === undefined || inflow === undefined) return [];
  const shown = flows.findWitness(inflow.row, inflow.sink, source);
  return shown.ok ? renderWitness(flows.tables, shown.value) : [`it can only not be ruled out: ${shown.reason}`];
}
