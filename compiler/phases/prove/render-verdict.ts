import { type IndexedTables, listCompartments } from "../../../engine/lib/policy/index.ts";
import type { Row } from "../../../engine/lib/wire/generated/policy.ts";
import { formatRowPath } from "../policy/index.ts";
import type { Witness, WitnessStep } from "./proof.ts";
import { type ExceededLimit, MOST_LABELS, type ReachableSet } from "./search.ts";
import type { StateSpace } from "./state-space.ts";

const PROOF_SCOPE =
  "A proof holds for conversations of any length and order, across sessions. It assumes that providers label their results within the declared ranges, that read-only tools change nothing, and that every call is decided by the decision functions. The audit and the store of conversations accept all data, and no tool reads them.";
const PROOF_EXCLUSIONS = "It does not cover timing, quotas, refusals, and people who copy text.";

/** The premises of all proofs about conversations, for output that states them only once. */
export const PREMISES = `${PROOF_SCOPE} ${PROOF_EXCLUSIONS}`;

/** Facts of a proof that its sentence states. */
interface Proved {
  readonly releases: readonly string[];
  readonly uncounted: readonly string[];
  /** Names of tools in `outboundNet` whose services have no network. */
  readonly offline: readonly string[];
  readonly isVacuous: boolean;
  readonly isUnlabelled: boolean;
  readonly ignoresReleases: boolean;
  /** Names of the page's redactions. */
  readonly redactions: readonly string[];
  readonly states: number;
  readonly merged: number;
}

/** Renders the scope and the exclusions of a proof. */
export function renderProofSentence({ redactions, states, merged, ...facts }: Proved): string {
  const left = listExceptions(facts)
    .map((line) => ` ${line}.`)
    .join("");
  const masked =
    redactions.length === 0
      ? ""
      : ` Text that ${redactions.map(quoteName).join(", ")} masks counts as data that the backend has received.`;
  return `${PROOF_SCOPE} ${capitalize(renderReleasesUsed(facts))}.${left}${masked} ${PROOF_EXCLUSIONS} ${states} states, ${merged} merged labels.`;
}

/** Maximum number of exceptions that are listed. If there are more, only their number is given. */
const MOST_USES = 5;

/**
 * Returns the exceptions of a proved claim, one line each. An exception is an indirect effect that the claim does not
 * count, or the fact that the page has nothing that the claim is about.
 */
export function listExceptions({
  uncounted,
  offline,
  isVacuous,
  isUnlabelled,
}: Pick<Proved, "uncounted" | "offline" | "isVacuous" | "isUnlabelled">): readonly string[] {
  const lines = [];
  if (isVacuous) lines.push("The page has no such tool or backend");
  if (isUnlabelled)
    lines.push("Holds trivially: no tool, session or ingress has data with a label to which the assertion applies");
  if (uncounted.length > 0) lines.push(`Only direct calls count; not counted: ${truncateList(uncounted)}`);
  if (offline.length > 0) {
    const tools = truncateList(offline.map(quoteName));
    lines.push(`Not a way out, for their services have no network: ${tools}`);
  }
  return lines;
}

function truncateList(items: readonly string[]): string {
  const more = items.length > MOST_USES ? `, and ${items.length - MOST_USES} more` : "";
  return `${items.slice(0, MOST_USES).join(", ")}${more}`;
}

/** Renders the releases that conversations can use, and whether the proof counts flows through them. */
export function renderReleasesUsed({
  releases,
  ignoresReleases,
}: Pick<Proved, "releases" | "ignoresReleases">): string {
  const listed = releases.length === 0 ? "none" : releases.join("; ");
  return ignoresReleases && releases.length > 0 ? `releases not counted: ${listed}` : `releases used: ${listed}`;
}

function capitalize(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
}

/** The parts of the sentence that describes the end of a witness. */
export interface Violation {
  /** The last step, such as "`notes.write` at `consent`" or "the backend `frontier`". */
  readonly action: string;
  /**
   * Text such as "`notes.write` runs at `consent` in `operator.triage`", with the tool that its service may then use
   * through a grant.
   */
  readonly run: string;
  /**
   * The conversations and services of the witness, such as "in one conversation of `operator`" or "in 2 conversations,
   * through `notes`".
   */
  readonly route: string;
  /** Service of the last call; empty if the last step is not a call. */
  readonly provider: string;
}

/** Describes the last step of a witness and the services through which data passed. */
export function describeViolation({ tools, toolIndex }: IndexedTables, { conversations }: Witness): Violation {
  const last = conversations[conversations.length - 1];
  const place = last === undefined ? "" : placeName(last.session, last.task);
  const through = conversations.slice(0, -1).flatMap(({ steps }) => {
    const step = findInnermostStep(steps);
    return step?.kind === "call" ? (tools[toolIndex.get(step.tool) ?? -1]?.provider ?? []) : [];
  });
  const names = [...new Set(through)].map(quoteName).join(", ");
  const route =
    names === "" ? `in one conversation of ${place}` : `in ${conversations.length} conversations, through ${names}`;
  const step = findInnermostStep(last?.steps ?? []);
  const provider = (step?.kind === "call" && tools[toolIndex.get(step.tool) ?? -1]?.provider) || "";
  const run = `${describeRun(step)} in ${place}${describeUse(step)}`;
  return { action: describeAction(step), run, route, provider };
}

function findInnermostStep(steps: readonly WitnessStep[]): WitnessStep | undefined {
  const last = steps[steps.length - 1];
  return last?.kind === "worker" ? (findInnermostStep(last.steps) ?? last) : last;
}

/** Describes the last step of a witness: a call, or the use of a backend, because assertions forbid nothing else. */
function describeAction(step: WitnessStep | undefined): string {
  if (step?.kind === "call") return `${quoteName(step.tool)} at ${quoteName(step.gate)}`;
  return step?.kind === "infer" ? `the backend ${quoteName(step.backend)}` : "";
}

function describeRun(step: WitnessStep | undefined): string {
  return step?.kind === "call" ? `${quoteName(step.tool)} runs at ${quoteName(step.gate)}` : describeAction(step);
}

function describeUse(step: WitnessStep | undefined): string {
  if (step?.kind !== "call" || step.use === undefined) return "";
  return ` and may use ${quoteName(step.use.tool)} by a grant of ${quoteName(step.use.by)}`;
}

/** Returns a name with the quotes that messages put around it. */
export function quoteName(name: string): string {
  return `\`${name}\``;
}

/** Returns the names of a row, joined by dots. */
export function formatRowName(row: Row): string {
  return quoteName(formatRowPath(row));
}

function placeName(session: string, task: string): string {
  return quoteName(task === "" ? session : `${session}.${task}`);
}

/** Cache of explanations by reachable set, because all claims of one search share the set. */
const reasons = new WeakMap<ReachableSet, string>();

/**
 * Returns a text about the limit that a search exceeded; for the limit of labels, the text names the row and its
 * compartments too.
 */
export function explainExceededLimit(space: StateSpace, reachable: ReachableSet, why: ExceededLimit): string {
  const known = reasons.get(reachable) ?? explainLimit(space, reachable, why);
  reasons.set(reachable, known);
  return known;
}

function explainLimit({ tables, labels }: StateSpace, { frontier }: ReachableSet, why: ExceededLimit): string {
  const within = why.kind === "labels" ? why.row : undefined;
  let compartments = 0n;
  for (const [state, place] of frontier.place.entries())
    if (place === (within ?? place)) compartments |= labels.expandLabel(frontier.label[state] ?? 0).compartments;
  const may = `conversations may hold any of {${listCompartments(tables.lattice, compartments).join(", ")}}`;
  const row = tables.rows[within ?? -1];
  if (row === undefined) return `there is more to look at than can be looked at: ${may}`;
  return `${formatRowName(row)} has more than ${MOST_LABELS} labels: its ${may}`;
}
