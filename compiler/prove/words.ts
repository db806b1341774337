import { compartmentsIn, type IndexedTables, labelText } from "../../engine/policy/index.ts";
import type { Row } from "../../engine/wire/generated/policy.ts";
import type { Witness, WitnessStep } from "./proof.ts";
import { type Explored, type GivenUp, MOST_LABELS } from "./search.ts";
import type { Terrain } from "./terrain.ts";

/** How far a proof reaches, and what it leaves out. */
export function proofSentence(releases: readonly string[], states: number, merged: number): string {
  return [
    "Holds for conversations of any length and order, across sessions, assuming providers label within declared ranges and",
    "every path uses decide/admit. The audit and the store of conversations take everything, and no tool reads them.",
    `Releases used: ${releases.length === 0 ? "none" : releases.join("; ")}.`,
    "Excludes timing, quotas, refusals, people copying text.",
    `${states} states, ${merged} merged labels.`,
  ].join(" ");
}

/** The last thing that happens, and to whom. */
export function refutationSentence({ lattice }: IndexedTables, { conversations }: Witness): string {
  const last = conversations[conversations.length - 1];
  const steps = last?.steps ?? [];
  const place = last === undefined ? "" : placeName(last.session, last.task);
  const before = conversations.length > 1 ? ` in the last of ${conversations.length} conversations` : "";
  const step = innermost(steps);
  return `${place}${before} ${step === undefined ? "begins" : doing(lattice, step)}.`;
}

function innermost(steps: readonly WitnessStep[]): WitnessStep | undefined {
  const last = steps[steps.length - 1];
  return last?.kind === "worker" ? (innermost(last.steps) ?? last) : last;
}

function doing(lattice: IndexedTables["lattice"], step: WitnessStep): string {
  const label = labelText(lattice, step.label);
  switch (step.kind) {
    case "call":
      return `calls ${step.tool} (${step.gate}) at ${label}`;
    case "infer":
      return `is answered by ${step.backend} (${step.gate}) at ${label}`;
    case "phase":
      return `enters ${step.phase} at ${label}`;
    case "ingress":
      return `hears ${step.name} and is at ${label}`;
    case "worker":
      return `starts ${step.worker} at ${label}`;
  }
}

export function rowName({ session, task, phase, worker }: Row): string {
  return [session, task, phase, worker].filter((part) => part !== "").join(".");
}

function placeName(session: string, task: string): string {
  return task === "" ? session : `${session}.${task}`;
}

export function whyGivenUp({ tables, labels }: Terrain, { frontier }: Explored, why: GivenUp): string {
  switch (why.kind) {
    case "steps":
      return "there are more steps to look at than can be looked at";
    case "labels": {
      const row = tables.rows[why.row];
      const sets = frontier.place.map((place, item) =>
        place === why.row ? labels.full(frontier.label[item] ?? 0) : undefined,
      );
      const union = sets.reduce((all, label) => all | (label?.compartments ?? 0n), 0n);
      const names = compartmentsIn(tables.lattice, union).join(", ");
      return `${row === undefined ? "a row" : rowName(row)} has more than ${MOST_LABELS} labels: its conversations may hold any of {${names}}`;
    }
  }
}
