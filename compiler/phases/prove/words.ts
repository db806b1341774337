import { type IndexedTables, listCompartments } from "../../../engine/lib/policy/index.ts";
import type { Row } from "../../../engine/lib/wire/generated/policy.ts";
import { formatRowPath } from "../policy/index.ts";
import type { Witness, WitnessStep } from "./proof.ts";
import { type Explored, type GivenUp, MOST_LABELS } from "./search.ts";
import type { Terrain } from "./terrain.ts";

const REACHES =
  "Holds for conversations of any length and order, across sessions, assuming providers label within declared ranges and every path uses decide/admit. The audit and the store of conversations take everything, and no tool reads them.";
const LEAVES_OUT = "Excludes timing, quotas, refusals, people copying text.";

/** What all proofs about conversations stand on, for who says it once for all of them. */
export const PREMISES = `${REACHES} ${LEAVES_OUT}`;

/** How far a proof reaches, and what it leaves out. */
export function renderProofSentence(
  releases: readonly string[],
  uncounted: readonly string[],
  states: number,
  merged: number,
): string {
  const left = uncounted.length === 0 ? "" : ` ${renderUncountedUses(uncounted)}.`;
  return `${REACHES} Releases used: ${renderReleasesUsed(releases)}.${left} ${LEAVES_OUT} ${states} states, ${merged} merged labels.`;
}

/** Uses that are told; of more their number. */
const MOST_USES = 5;

/** What a claim about calls does not count, in one line. */
export function renderUncountedUses(uncounted: readonly string[]): string {
  const more = uncounted.length > MOST_USES ? `, and ${uncounted.length - MOST_USES} more` : "";
  return `Does not count what services do by their grants: ${uncounted.slice(0, MOST_USES).join(", ")}${more}`;
}

/** Words of releases in one line. */
export function renderReleasesUsed(releases: readonly string[]): string {
  return releases.length === 0 ? "none" : releases.join("; ");
}

/** What a witness ends in, in words for a sentence. */
export interface Broken {
  /** "`notes.write` at `consent`", "the backend `frontier`" */
  readonly does: string;
  /** "`notes.write` runs at `consent` in `operator.triage`" */
  readonly runs: string;
  /** "in one conversation of `operator`", "in 2 conversations, through `notes`" */
  readonly way: string;
  /** The service of the last call; empty where it is none. */
  readonly provider: string;
}

/** Where a witness ends, and which services its conversations go through. */
export function describeViolation({ tools, toolIndex }: IndexedTables, { conversations }: Witness): Broken {
  const last = conversations[conversations.length - 1];
  const place = last === undefined ? "" : placeName(last.session, last.task);
  const through = conversations.slice(0, -1).flatMap(({ steps }) => {
    const step = findInnermostStep(steps);
    return step?.kind === "call" ? (tools[toolIndex.get(step.tool) ?? -1]?.provider ?? []) : [];
  });
  const names = [...new Set(through)].map(quoteName).join(", ");
  const way =
    names === "" ? `in one conversation of ${place}` : `in ${conversations.length} conversations, through ${names}`;
  const step = findInnermostStep(last?.steps ?? []);
  const provider = (step?.kind === "call" && tools[toolIndex.get(step.tool) ?? -1]?.provider) || "";
  return { does: describeAction(step), runs: `${describeRun(step)} in ${place}`, way, provider };
}

function findInnermostStep(steps: readonly WitnessStep[]): WitnessStep | undefined {
  const last = steps[steps.length - 1];
  return last?.kind === "worker" ? (findInnermostStep(last.steps) ?? last) : last;
}

/** Only these two are what an assertion forbids. */
function describeAction(step: WitnessStep | undefined): string {
  if (step?.kind === "call") return `${quoteName(step.tool)} at ${quoteName(step.gate)}`;
  return step?.kind === "infer" ? `the backend ${quoteName(step.backend)}` : "";
}

function describeRun(step: WitnessStep | undefined): string {
  return step?.kind === "call" ? `${quoteName(step.tool)} runs at ${quoteName(step.gate)}` : describeAction(step);
}

/** A name as messages write it. */
export function quoteName(name: string): string {
  return `\`${name}\``;
}

/** The names of a row with dots between them. */
export function formatRowName(row: Row): string {
  return quoteName(formatRowPath(row));
}

function placeName(session: string, task: string): string {
  return quoteName(task === "" ? session : `${session}.${task}`);
}

/** Of one search every claim is given up for the same reason: it is worked out once. */
const reasons = new WeakMap<Explored, string>();

/** Which compartments were too many, and where. */
export function explainGivenUp(terrain: Terrain, explored: Explored, why: GivenUp): string {
  const known = reasons.get(explored) ?? explainLimit(terrain, explored, why);
  reasons.set(explored, known);
  return known;
}

function explainLimit({ tables, labels }: Terrain, { frontier }: Explored, why: GivenUp): string {
  const within = why.kind === "labels" ? why.row : undefined;
  let held = 0n;
  for (const [item, place] of frontier.place.entries())
    if (place === (within ?? place)) held |= labels.expandLabel(frontier.label[item] ?? 0).compartments;
  const may = `conversations may hold any of {${listCompartments(tables.lattice, held).join(", ")}}`;
  const row = tables.rows[within ?? -1];
  if (row === undefined) return `there is more to look at than can be looked at: ${may}`;
  return `${formatRowName(row)} has more than ${MOST_LABELS} labels: its ${may}`;
}
