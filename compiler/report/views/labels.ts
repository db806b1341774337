// Which flows labels stop: what a conversation may have seen, and who may then be told something.

import { join, type Label, labelText, mayFlow } from "../../../engine/policy/index.ts";
import type { Lattice } from "../../../engine/wire/generated/policy.ts";
import type { Subject } from "../subject.ts";
import { namesText } from "./names.ts";

export interface LabelsView {
  readonly sinks: readonly { readonly names: string; readonly label: string }[];
  readonly rows: readonly LabelRowView[];
  /** Labels and sinks that are left out. */
  readonly more: number;
}

export interface LabelRowView {
  readonly label: string;
  /** Who gives it. */
  readonly from: string;
  readonly cells: readonly { readonly may: boolean; readonly words: string }[];
}

const MOST_SINKS = 16;
const MOST_ROWS = 40;
const MOST_NAMED = 3;

export function labelsView({ tables }: Subject): LabelsView {
  const { lattice, tools, backends, rows, ingresses } = tables;
  const sources = gathered(lattice, [
    ...rows.map(({ session, starts }) => ({ name: `${session} begins`, label: starts })),
    ...ingresses.flatMap(({ name, row, label }) => {
      const into = rows[row];
      return into === undefined ? [] : [{ name: `ingress ${name}`, label: join(into.starts, label) }];
    }),
    ...tools.map(({ provider, result }) => ({ name: provider, label: result.high })),
  ]);
  const sending = tools.filter(({ readOnly, networked }) => !readOnly || networked);
  const sinks = gathered(lattice, [
    ...sending.map(({ provider, sink }) => ({ name: provider, label: sink })),
    // Whom a model hears is asked of nobody's integrity.
    ...backends.map(({ name, clearance }) => ({ name, label: clearance })),
  ]);
  const kept = sinks.slice(0, MOST_SINKS);
  const shown = sources.slice(0, MOST_ROWS);
  return {
    sinks: kept.map(({ names, label }) => ({ names, label: labelText(lattice, label) })),
    rows: shown.map(({ names, label }) => ({
      label: labelText(lattice, label),
      from: names,
      cells: kept.map((sink) => verdictOf(label, sink.label)),
    })),
    more: sinks.length - kept.length + sources.length - shown.length,
  };
}

function verdictOf(from: Label, to: Label): LabelRowView["cells"][number] {
  if (mayFlow(from, to)) return { may: true, words: "may" };
  const why = [
    ...(from.confidentiality > to.confidentiality ? ["too secret"] : []),
    ...((from.compartments & ~to.compartments) === 0n ? [] : ["other compartment"]),
    ...(from.integrity < to.integrity ? ["not trusted enough"] : []),
  ];
  return { may: false, words: why.join(", ") };
}

interface Named {
  readonly name: string;
  readonly label: Label;
}

/** Each label once, with the first names that have it. */
function gathered(
  lattice: Lattice,
  all: readonly Named[],
): readonly { readonly names: string; readonly label: Label }[] {
  const groups = new Map<string, { label: Label; names: Set<string> }>();
  for (const { name, label } of all) {
    const key = labelText(lattice, label);
    const group = groups.get(key) ?? { label, names: new Set<string>() };
    group.names.add(name);
    groups.set(key, group);
  }
  return [...groups.values()].map(({ label, names }) => ({ label, names: namesText([...names], MOST_NAMED) }));
}
