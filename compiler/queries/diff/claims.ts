// Decides whether an assertion of one page implies an assertion of another page. `capc diff` uses this if an assertion
// was removed or changed.

import { isStricter } from "../../../engine/lib/policy/index.ts";
import type { Mode } from "../../../lang/tree/index.ts";
import {
  type Assertion,
  type BoundClaim,
  type BoundPattern,
  isOfOne,
  listCoveringKeys,
  listKeys,
  type Model,
  type Subject,
} from "../../phases/bind/index.ts";
import { listExtended, serializeValue } from "../../phases/policy/index.ts";
import { ANY_INTEGRITY } from "../../phases/prove/index.ts";
import { computeSha256 } from "./digest.ts";

/**
 * Returns whether the assertion `by` on the page `of` can replace the assertion `held` on the page `on`. For this, `by`
 * must assert everything that `held` asserts on `on`, and everything that `held` would assert on `of`.
 */
export function isImpliedBy(held: Assertion, on: Model, by: Assertion, of: Model): boolean {
  // An assertion with an exception for released data asserts less.
  if (by.withoutReleases && !held.withoutReleases) return false;
  return isSubjectCovered(held.subject, on, by.subject, of) && isClaimCovered(held.claim, on, by.claim, of);
}

function isSubjectCovered(held: Subject | undefined, on: Model, by: Subject | undefined, of: Model): boolean {
  if (by === undefined) return true;
  const covered = collectSessions(by, of);
  const task = getTaskName(by);
  if (task !== undefined && getTaskName(held) !== task) return false;
  // "All sessions" includes future sessions, so only another assertion about all sessions implies it.
  if (held === undefined) return false;
  const known = new Set(of.sessions.map(({ id }) => id));
  return [...collectSessions(held, on)].every((id) => covered.has(id) || !known.has(id));
}

function getTaskName(subject: Subject | undefined): string | undefined {
  return subject?.kind === "task" ? subject.task.name : undefined;
}

/** Returns the session of a subject, and all sessions that extend this session. */
function collectSessions({ session }: Subject, { sessions }: Model): ReadonlySet<string> {
  return new Set(sessions.filter((one) => listExtended(one).some(({ id }) => id === session.id)).map(({ id }) => id));
}

function isClaimCovered(held: BoundClaim, on: Model, by: BoundClaim, of: Model): boolean {
  const [calls, others] = [findCallClaim(held), findCallClaim(by)];
  if (calls !== undefined && others !== undefined) {
    if (isStricter(calls.mode, others.mode)) return false;
    if (others.directly && !calls.directly) return false;
    const said = new Set(collectToolNames(others.patterns));
    return findCoveredTools(calls.patterns, of).every((name) => said.has(name)) && isFutureCovered(calls, others, of);
  }
  if (held.kind === "never-flow" && by.kind === "never-flow") return isFlowCovered(held, on, by, of);
  if (held.kind === "limit" && by.kind === "limit") {
    const [one, other] = [held.quota, by.quota];
    return (
      one.unit === other.unit && one.name === other.name && one.scope === other.scope && other.amount <= one.amount
    );
  }
  return held.kind === "never-trifecta" && by.kind === "never-trifecta";
}

interface Calls {
  readonly patterns: readonly BoundPattern[];
  /** Least strict mode that the calls may have. */
  readonly mode: Mode;
  /** Whether the assertion covers only direct calls, and not calls through plans and grants. */
  readonly directly: boolean;
}

function findCallClaim(claim: BoundClaim): Calls | undefined {
  switch (claim.kind) {
    case "never-call":
      return { patterns: claim.patterns, mode: claim.ungated ? "consent" : "forbidden", directly: claim.directly };
    case "always":
      return { patterns: claim.patterns, mode: claim.mode, directly: claim.directly };
    default:
      return undefined;
  }
}

function collectToolNames(patterns: readonly BoundPattern[]): readonly string[] {
  return [...new Set(patterns.flatMap(({ tools }) => tools.map(({ name }) => name)))].sort();
}

/**
 * Returns the tools of a page that the patterns cover. The patterns may come from another page: a tool that they cover
 * there counts too, if the given page has a tool with the same name.
 */
function findCoveredTools(patterns: readonly BoundPattern[], { tools }: Model): readonly string[] {
  const keys = new Set(patterns.map(({ key }) => key));
  const named = new Set(collectToolNames(patterns));
  return tools
    .filter((tool) => named.has(tool.name) || listKeys(tool).some((key) => keys.has(key)))
    .map(({ name }) => name);
}

/**
 * Returns whether `by` covers all future tools that `held` covers. The next change may add such tools, and nobody
 * reviews the assertion again then.
 */
function isFutureCovered(held: Calls, by: Calls, { tools }: Model): boolean {
  const said = new Set(by.patterns.map(({ key }) => key));
  const there = new Set(tools.flatMap(listKeys));
  // A pattern of `held` that names only a removed tool or service covers no future tool, so `by` need not cover it.
  const left = held.patterns.filter(({ key }) => there.has(key) || !isOfOne(key));
  return left.every((pattern) => listCoveringKeys(pattern).some((key) => said.has(key)));
}

type Flow = Extract<BoundClaim, { kind: "never-flow" }>;

function isFlowCovered(held: Flow, on: Model, by: Flow, of: Model): boolean {
  // An interface includes services that a later change may add.
  if (held.to.kind === "interface" && by.to.kind !== "interface") return false;
  const covered = new Set(collectFlowTargets(by, of));
  const there = new Set([
    ...of.services.map(({ name }) => `service ${name}`),
    ...of.backends.map(({ name }) => `backend ${name}`),
  ]);
  const face = held.to.kind === "interface" ? held.to.interface.name : undefined;
  const would = of.services.filter(({ interface: one }) => one.name === face).map(({ name }) => `service ${name}`);
  if (![...collectFlowTargets(held, on), ...would].every((name) => covered.has(name) || !there.has(name))) return false;
  const [one, other] = [held.label, by.label];
  // If the lattices differ, their levels have no common order. Then `by` covers `held` only if both labels have equal
  // names.
  if (serializeValue(on.lattice) !== serializeValue(of.lattice))
    return renderLabelNames(one, on) === renderLabelNames(other, of);
  return (
    other.confidentiality <= one.confidentiality &&
    (other.compartments & ~one.compartments) === 0n &&
    (other.integrity ?? ANY_INTEGRITY) >= (one.integrity ?? ANY_INTEGRITY)
  );
}

function renderLabelNames({ confidentiality, integrity, compartments }: Flow["label"], { lattice }: Model): string {
  return serializeValue([
    lattice.confidentiality[confidentiality],
    integrity === undefined ? undefined : lattice.integrity[integrity],
    lattice.compartments.filter((_, index) => (compartments & (1n << BigInt(index))) !== 0n),
  ]);
}

function collectFlowTargets({ to }: Flow, { services }: Model): readonly string[] {
  switch (to.kind) {
    case "backend":
      return [`backend ${to.backend.name}`];
    case "service":
      return [`service ${to.service.name}`];
    case "interface":
      return services.filter(({ interface: face }) => face === to.interface).map(({ name }) => `service ${name}`);
  }
}

/** Maximum number of names to list. A longer list ends with the number and a digest of the names that are left out. */
const MOST_NAMED = 12;

/**
 * Describes the subject and the content of an assertion on its page. The description differs if the same line covers
 * other tools or sessions on another page.
 */
export function describeAssertion({ claim, subject }: Assertion, model: Model): string {
  const calls = findCallClaim(claim);
  const what =
    calls !== undefined
      ? collectToolNames(calls.patterns)
      : claim.kind === "never-flow"
        ? collectFlowTargets(claim, model)
        : [];
  const whom = subject === undefined ? ["all sessions"] : [...collectSessions(subject, model)];
  return [...(what.length === 0 ? [] : [formatNames(what)]), formatNames(whom)].join(" in ");
}

function formatNames(names: readonly string[]): string {
  const shown = names.slice(0, MOST_NAMED).join(", ");
  return names.length <= MOST_NAMED
    ? shown
    : `${shown} and ${names.length - MOST_NAMED} more (${computeSha256(names.join()).slice(0, 8)})`;
}
