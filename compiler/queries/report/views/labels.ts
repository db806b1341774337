// Builds the table that shows which flows labels prevent: one row for each label of data that a conversation has read,
// and one column for each sink. A cell states whether this data may flow to this sink.

import { formatLabel, join, type Label, mayFlow } from "../../../../engine/lib/policy/index.ts";
import type { Lattice } from "../../../../engine/lib/wire/generated/policy.ts";
import type { Subject } from "../subject.ts";
import { renderNames } from "./names.ts";

interface LabelsView {
  readonly sinks: readonly GroupView[];
  readonly rows: readonly LabelRowView[];
  /** Labels that do not fit into the table. */
  readonly leftOut: { readonly sinks: readonly GroupView[]; readonly sources: readonly GroupView[] } | null;
}

/** Names that share a label. */
interface GroupView {
  readonly names: string;
  readonly label: string;
}

interface LabelRowView {
  readonly label: string;
  /** Sources whose data has the label. */
  readonly from: string;
  readonly cells: readonly { readonly may: boolean; readonly words: string }[];
}

/** Maximum number of rows and columns of the table. */
const MOST = 64;
const MOST_NAMED = 3;

export function buildLabelsView({ tables }: Subject): LabelsView {
  const { lattice, tools, backends, rows, ingresses } = tables;
  const sources = groupByLabel(lattice, [
    ...rows.map(({ session, starts }) => ({ name: `${session} begins`, label: starts })),
    ...ingresses.flatMap(({ name, row, label }) => {
      const into = rows[row];
      return into === undefined ? [] : [{ name: `ingress ${name}`, label: join(into.starts, label) }];
    }),
    ...tools.map(({ provider, result }) => ({ name: provider, label: result.high })),
  ]);
  const sending = tools.filter(({ readOnly, networked }) => !readOnly || networked);
  const sinks = groupByLabel(lattice, [
    ...sending.map(({ provider, sink }) => ({ name: provider, label: sink })),
    // Only confidentiality limits the conversations that a model may read, not integrity.
    ...backends.map(({ name, clearance }) => ({ name, label: clearance })),
  ]);
  const groupView = ({ names, label }: Gathered): GroupView => ({ names, label: formatLabel(lattice, label) });
  const [kept, shown] = [sinks.slice(0, MOST), sources.slice(0, MOST)];
  const isWhole = Math.max(sinks.length, sources.length) <= MOST;
  return {
    sinks: kept.map(groupView),
    rows: shown.map(({ names, label }) => ({
      label: formatLabel(lattice, label),
      from: names,
      cells: kept.map((sink) => judgeFlow(label, sink.label)),
    })),
    leftOut: isWhole ? null : { sinks: sinks.slice(MOST).map(groupView), sources: sources.slice(MOST).map(groupView) },
  };
}

function judgeFlow(from: Label, to: Label): LabelRowView["cells"][number] {
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

interface Gathered {
  readonly names: string;
  readonly label: Label;
}

/** Groups names by label. Each group shows only the first few names. */
function groupByLabel(lattice: Lattice, all: readonly Named[]): readonly Gathered[] {
  const groups = new Map<string, { label: Label; names: Set<string> }>();
  for (const { name, label } of all) {
    const key = formatLabel(lattice, label);
    const group = groups.get(key) ?? { label, names: new Set<string>() };
    group.names.add(name);
    groups.set(key, group);
  }
  return [...groups.values()].map(({ label, names }) => ({ label, names: renderNames([...names], MOST_NAMED) }));
}
