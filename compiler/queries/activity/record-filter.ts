// Selects records of a log. Each criterion also excludes records without the property that it compares: a boot has no
// session, and a login has no tool.

import type { IndexedTables } from "../../../engine/lib/policy/index.ts";
import { accept, type Result, refuse } from "../../../engine/lib/result/result.ts";
import type { AuditEntry, AuditRecord, CallRecord } from "../../../engine/lib/wire/generated/audit.ts";
import type { Outcome } from "../../../engine/lib/wire/generated/capos.ts";
import { findNearest } from "../../../lang/diagnostics/index.ts";
import { findPrincipal } from "./step-approval.ts";
import { TaskTracker } from "./task-tracker.ts";
import { matchesPattern, ToolIndex, type ToolPattern } from "./tool-pattern.ts";

/** Conditions that records must meet to pass. An absent condition excludes no record. */
export interface Criteria {
  /** Earliest time by the machine's wall clock, in milliseconds since 1970. */
  readonly since?: bigint | undefined;
  /** The time before which records must have been written. */
  readonly until?: bigint | undefined;
  readonly session?: string | undefined;
  readonly principal?: string | undefined;
  readonly tool?: { readonly text: string; readonly pattern: ToolPattern } | undefined;
  readonly outcome?: Outcome | undefined;
  readonly task?: string | undefined;
}

type Named = "session" | "principal" | "task" | "tool";
const NAMED: readonly Named[] = ["session", "principal", "task", "tool"];

export class RecordFilter {
  readonly #criteria: Criteria;
  readonly #index: ToolIndex;
  readonly #tasks = new TaskTracker();
  /** Names that the log contains, for suggestions. */
  readonly #seen: Readonly<Record<Named, Set<string>>>;
  readonly #matched = new Set<Named>();
  #timeless = 0;

  constructor(criteria: Criteria, tables?: IndexedTables) {
    this.#criteria = criteria;
    this.#index = new ToolIndex(tables);
    this.#seen = { session: new Set(), principal: new Set(), task: new Set(), tool: new Set() };
  }

  /** Number of records that pass all other criteria, but have no time of day to compare with `since` and `until`. */
  get timeless(): number {
    return this.#timeless;
  }

  /** Returns whether the record meets all criteria. Must be called with each record of the log, in order. */
  has(record: AuditRecord): boolean {
    const task = this.#tasks.follow(record);
    const { session, principal, call } = describeEntry(record.entry);
    const about = { session, principal, task, tool: call?.descriptor.name ?? "" };
    const matched = NAMED.filter((name) => this.#matches(name, about[name], call));
    for (const name of NAMED)
      if (about[name] !== "" && this.#seen[name].size < MOST_SEEN) this.#seen[name].add(about[name]);
    for (const name of matched) this.#matched.add(name);
    return matched.length === NAMED.length && this.#hasOutcome(record.entry) && this.#isInTime(record);
  }

  /** Returns a sentence for each name in the criteria that no record of the log has. */
  listUnknown(): readonly string[] {
    return NAMED.flatMap((name) => {
      const wanted = this.#getWanted(name);
      if (wanted === undefined || this.#matched.has(name)) return [];
      const seen = [...this.#seen[name]].sort();
      const near = findNearest(wanted, seen);
      const words = near === undefined ? listShort(seen) : `did you mean ${near}?`;
      return [`no record has the ${name} '${wanted}'; ${words}`];
    });
  }

  #matches(name: Named, has: string, call: CallRecord | undefined): boolean {
    const { tool } = this.#criteria;
    const wanted = this.#getWanted(name);
    if (wanted === undefined) return true;
    if (name !== "tool") return has === wanted;
    return call !== undefined && tool !== undefined && matchesPattern(tool.pattern, this.#index.find(call.descriptor));
  }

  #getWanted(name: Named): string | undefined {
    return name === "tool" ? this.#criteria.tool?.text : this.#criteria[name];
  }

  #isInTime({ wallMs }: AuditRecord): boolean {
    const { since, until } = this.#criteria;
    if (since === undefined && until === undefined) return true;
    if (wallMs === 0n) this.#timeless += 1;
    return wallMs !== 0n && wallMs >= (since ?? 0n) && (until === undefined || wallMs < until);
  }

  #hasOutcome(entry: AuditEntry): boolean {
    const { outcome } = this.#criteria;
    return outcome === undefined || (entry.which === "outcome" && entry.outcome.outcome === outcome);
  }
}

/**
 * Maximum number of names of one kind that are stored for suggestions. The limit is needed because models invent names
 * of tools.
 */
const MOST_SEEN = 10_000;
const MOST_LISTED = 8;

function listShort(names: readonly string[]): string {
  if (names.length === 0) return "the log names none";
  const more = names.length > MOST_LISTED ? ` and ${names.length - MOST_LISTED} more` : "";
  return `the log has ${names.slice(0, MOST_LISTED).join(", ")}${more}`;
}

interface EntryFacts {
  readonly session: string;
  /** Person of the record; empty if the record names no person. */
  readonly principal: string;
  readonly call: CallRecord | undefined;
}

const NONE: EntryFacts = { session: "", principal: "", call: undefined };

function describeEntry(entry: AuditEntry): EntryFacts {
  switch (entry.which) {
    case "intent":
      return { session: entry.intent.session, principal: entry.intent.principal, call: entry.intent };
    case "outcome":
      return { session: entry.outcome.session, principal: entry.outcome.principal, call: entry.outcome };
    case "inference":
      return { ...NONE, session: entry.inference.session };
    case "session":
      return { ...NONE, session: entry.session.name, principal: findPrincipal(entry.session) };
    case "boot":
    case "seal":
    case "shipped":
    case "checkpoint":
    case "released":
      return NONE;
  }
}

/** Checks the names of criteria against a policy, before a log is read. */
export function checkCriteria({ session, principal, task, tool }: Criteria, tables: IndexedTables): Result<undefined> {
  const tasks = tables.rows.map((row) => row.task).filter((name) => name !== "");
  const known: readonly (readonly [Named, string | undefined, readonly string[]])[] = [
    ["session", session, tables.rows.map((row) => row.session)],
    ["principal", principal, tables.principals.map(({ name }) => name)],
    ["task", task, tasks],
  ];
  for (const [kind, wanted, names] of known) {
    if (wanted !== undefined && !names.includes(wanted)) return refuse(describeUnknown(kind, wanted, names));
  }
  if (tool === undefined) return accept(undefined);
  const index = new ToolIndex(tables);
  const { categories } = tables;
  const isKnown = tables.tools.some(({ name, interfaceId, category }) => {
    const descriptor = { name, interfaceId, category: categories[category]?.name ?? "" };
    return matchesPattern(tool.pattern, index.find({ ...BLANK, ...descriptor }));
  });
  return isKnown ? accept(undefined) : refuse(describeUnknown("tool", tool.text, index.listNames()));
}

const BLANK = { description: "", methodName: "", paramSchema: "", permission: "forbidden" } as const;

function describeUnknown(kind: Named, wanted: string, names: readonly string[]): string {
  const near = findNearest(wanted, names);
  const listed = [...new Set(names)].sort().slice(0, MOST_LISTED).join(", ");
  const hint = near === undefined ? `it has ${listed === "" ? "none" : listed}` : `did you mean ${near}?`;
  return `the policy has no ${kind} '${wanted}'; ${hint}`;
}
