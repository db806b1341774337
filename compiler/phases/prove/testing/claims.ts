// Decides whether an assertion holds by examining every reachable state.
import type { Label, Row, Tool } from "../../../../engine/lib/wire/generated/policy.ts";
import type { BoundClaim, BoundLabel, BoundPattern, FlowTarget, Subject } from "../../bind/index.ts";
import { MODES } from "./arguments.ts";
import { runsOf, sends } from "./calls.ts";
import { fits, holdsAll } from "./labels.ts";
import { limitHolds } from "./limits.ts";
import { has, type Matcher, type Question, type Reached, reach, type State } from "./reach.ts";
import type { Running, System } from "./system.ts";

/** An assertion of the page, or an inherited assertion. */
export interface Asked {
  readonly claim:
    | BoundClaim
    | { readonly kind: "remote-clearance"; readonly backend: number }
    | { readonly kind: "anonymous-asks" }
    | { readonly kind: "guest-local" };
  readonly subject: Subject | undefined;
  readonly withoutReleases: boolean;
  /** Sessions for which the assertion is waived, with the sessions that extend them. */
  readonly waived: readonly string[];
}

type Found = "holds" | "violated";

/** Returns the reachable states. The states depend on the matchers of the claim, not on the claim itself. */
export function reachedFor(system: System, asked: Asked): Reached {
  return reach(system, questionOf(system, asked));
}

export function answer(system: System, asked: Asked, reached: Reached): Found {
  const { claim } = asked;
  const rows = subjectRows(system, asked);
  if (claim.kind === "limit") return limitHolds(system, reached, rows, claim.quota) ? "holds" : "violated";
  if (claim.kind === "guest-local") {
    return rows.some((row) => isGuest(row) && listsRemote(system, row)) ? "violated" : "holds";
  }
  for (const state of reached.states.values()) {
    const row = system.tables.rows[state.row];
    if (row !== undefined && rows.includes(row) && isViolatedIn(system, asked, state)) return "violated";
  }
  return "holds";
}

export function questionOf(system: System, { claim, withoutReleases }: Asked): Question {
  return { matchers: matchersOf(system, claim), withoutReleases };
}

function matchersOf({ tables }: System, claim: Asked["claim"]): Matcher[] {
  if (claim.kind === "never-flow") return [(label) => isAtLeast(label, claim.label)];
  if (claim.kind === "never-trifecta") return [(label) => label.confidentiality > 0, (label) => label.integrity === 0];
  if (claim.kind !== "remote-clearance") return [];
  const clearance = tables.backends[claim.backend]?.clearance;
  return [(label) => clearance !== undefined && !fits(label, clearance)];
}

function isAtLeast(label: Label, asked: BoundLabel): boolean {
  if (label.confidentiality < asked.confidentiality) return false;
  if (!holdsAll(label.compartments, asked.compartments)) return false;
  return asked.integrity === undefined || label.integrity <= asked.integrity;
}

/** Returns whether this state is in a row that the claim is about, and breaks the claim by itself. */
export function isViolatedIn(system: System, asked: Asked, state: State): boolean {
  const { claim } = asked;
  const seen = has(questionOf(system, asked), state);
  const row = system.tables.rows[state.row];
  if (row === undefined) return false;
  switch (claim.kind) {
    case "never-flow":
      return seen[0] === true && reachesTarget(system, state, claim.to, asked.withoutReleases);
    case "remote-clearance":
      return seen[0] === true && mayUse(system, state).includes(claim.backend);
    case "never-trifecta":
      return seen[0] === true && seen[1] === true && hasWayOut(system, row, state);
    case "never-call":
      return runs(system, state, callsOf(system, claim)).some(({ gate }) => !claim.ungated || gate === "auto");
    case "always":
      return runs(system, state, callsOf(system, claim)).some(({ gate }) => isLooser(gate, claim.mode));
    case "anonymous-asks":
      return row.kind === "anonymous" && runs(system, state, leadingTo(system, changesOrSends)).some(isUngated);
    case "guest-local":
    case "limit":
      throw new Error(`${claim.kind} is no question to a state`);
  }
}

type Chosen = (tool: Tool) => boolean;

/** Returns calls of these tools that may run in this state. */
export function runs(system: System, state: State, chosen: Chosen): Running[] {
  const tools = [...system.tables.tools.entries()].filter(([, tool]) => chosen(tool));
  return tools.flatMap(([index]) => [...runsOf(system, state.row, index, state.label)]);
}

function isUngated({ gate }: Running): boolean {
  return gate === "auto";
}

function isLooser(gate: Running["gate"], mode: (typeof MODES)[number]): boolean {
  return MODES.indexOf(gate) < MODES.indexOf(mode);
}

/**
 * Returns the tools that the claim names. Unless the claim has `directly`, also returns the tools whose calls can lead
 * to a use of these tools.
 */
export function callsOf(system: System, claim: Extract<BoundClaim, { kind: "never-call" | "always" }>): Chosen {
  const named = toolsIn(claim.patterns);
  return claim.directly ? named : leadingTo(system, named);
}

/**
 * Returns these tools, and the tools of services that may use one of them through a grant. A read-only tool can only
 * lead to the use of read-only tools.
 */
export function leadingTo({ tables, stores }: System, chosen: Chosen): Chosen {
  const heldBy = (name: string): readonly string[] =>
    (stores.find((store) => store.name === name)?.uses ?? []).flatMap((used) => [used, ...heldBy(used)]);
  return (tool) => {
    if (chosen(tool)) return true;
    const held = heldBy(tool.provider);
    return tables.tools.some((one) => held.includes(one.provider) && chosen(one) && (!tool.readOnly || one.readOnly));
  };
}

export function changesOrSends(tool: Tool): boolean {
  return !tool.readOnly || tool.networked;
}

function toolsIn(patterns: readonly BoundPattern[]): Chosen {
  return ({ name }) => patterns.some((pattern) => pattern.tools.some((tool) => tool.name === name));
}

function reachesTarget(system: System, state: State, to: FlowTarget, withoutReleases: boolean): boolean {
  if (to.kind === "backend")
    return mayUse(system, state).some((at) => system.tables.backends[at]?.name === to.backend.name);
  const names = system.stores.filter(({ name, interfaceName }) =>
    to.kind === "service" ? name === to.service.name : interfaceName === to.interface.name,
  );
  const holding = sharing(system, new Set(names.map(({ name }) => name)));
  const sending: Chosen = (tool) => sends(tool) && holding.has(tool.provider);
  return runs(system, state, sending).some(({ release }) => release === undefined || !withoutReleases);
}

/**
 * Returns these services, and all services that share content with them through grants in either direction, directly or
 * indirectly.
 */
export function sharing({ stores }: Pick<System, "stores">, some: ReadonlySet<string>): ReadonlySet<string> {
  const more = stores.flatMap(({ name, uses }) =>
    uses.flatMap((used) => [[name, used] as const, [used, name] as const]),
  );
  const all = new Set([...some, ...more.flatMap(([one, other]) => (some.has(one) ? [other] : []))]);
  return all.size === some.size ? all : sharing({ stores }, all);
}

/** Returns the services that can reach the network, and the services that share content with them. */
export function outwardOf(system: System): ReadonlySet<string> {
  const { tools } = system.tables;
  return sharing(system, new Set(tools.filter(({ networked }) => networked).map(({ provider }) => provider)));
}

function hasWayOut(system: System, row: Row, state: State): boolean {
  const outward = outwardOf(system);
  if (runs(system, state, (tool) => sends(tool) && outward.has(tool.provider)).some(isUngated)) return true;
  return row.backends.some(
    ({ backend, mode }) =>
      mode === "auto" && system.tables.backends[backend]?.local === false && mayUse(system, state).includes(backend),
  );
}

/** Ruling 9: returns the cleared backends that may answer in this state, up to the first one with mode `auto`. */
export function mayUse({ tables }: System, state: State): number[] {
  const usable: number[] = [];
  for (const { backend, mode } of tables.rows[state.row]?.backends ?? []) {
    const clearance = tables.backends[backend]?.clearance;
    if (mode === "forbidden" || clearance === undefined || !fits(state.label, clearance)) continue;
    usable.push(backend);
    if (mode === "auto") break;
  }
  return usable;
}

function isGuest({ kind }: Row): boolean {
  return kind === "guest" || kind === "anonymous";
}

function listsRemote({ tables }: System, row: Row): boolean {
  if (row.requiresTask) return false;
  return row.backends.some(({ backend }) => tables.backends[backend]?.local === false);
}

/**
 * Returns the rows of the subject of a claim. For a session, these are its rows and the rows of the sessions that
 * extend it; for a task, the rows of the task in all of these sessions.
 */
export function subjectRows(system: System, { subject, waived }: Asked): Row[] {
  const isOf = (row: Row, session: string): boolean => system.extended.get(row.session)?.includes(session) === true;
  return system.tables.rows.filter((row) => {
    if (waived.some((session) => isOf(row, session))) return false;
    if (subject === undefined) return true;
    return isOf(row, subject.session.id) && (subject.kind === "session" || row.task === subject.task.name);
  });
}
