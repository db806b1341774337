// Collects a summary from records, in one pass. The memory depends on the number of different names, which is limited,
// and on the number of calls. Of each call only its time and group are stored.

import type { IndexedTables } from "../../../engine/lib/policy/index.ts";
import type { AuditRecord, CallRecord, InferenceRecord } from "../../../engine/lib/wire/generated/audit.ts";
import { classifyRecord, classifySent, parseEvent, readWallMs, type SendStatus } from "../replay/index.ts";
import {
  type Activity,
  type Approval,
  type Approver,
  type BootActivity,
  type Departure,
  GROUP_OF,
  GROUPS,
  MOST_APPROVALS,
  type ModelActivity,
  type OutcomeGroup,
  type Refusal,
  type ReleaseActivity,
  type SessionActivity,
  type Timeline,
  type ToolActivity,
} from "./activity.ts";
import { findPrincipal, parseStepApproval } from "./step-approval.ts";
import { TaskTracker } from "./task-tracker.ts";
import { ToolIndex } from "./tool-pattern.ts";

/** Facts about a policy that are not in the records of a log. */
export interface ActivityPolicy {
  readonly tables: IndexedTables;
  /** Origins that a service or a remote backend may reach, by its name; empty if they are unknown. */
  readonly origins: ReadonlyMap<string, readonly string[]>;
}

/**
 * Maximum number of different names in one list. A model may invent names of tools, so further names are counted
 * together as `OTHER`.
 */
export const MOST_NAMES = 2000;
export const OTHER = "(others)";
const MOST_STEPS = 48;
const MOST_REASON = 160;
const HOUR_MS = 3_600_000;
/** Possible lengths of a step of the timeline. The shortest length that gives at most `MOST_STEPS` steps is used. */
const STEP_MS = [
  60_000,
  300_000,
  900_000,
  HOUR_MS,
  3 * HOUR_MS,
  6 * HOUR_MS,
  12 * HOUR_MS,
  24 * HOUR_MS,
  168 * HOUR_MS,
];

type Mutable<T> = { -readonly [K in keyof T]: T[K] };
type Counts = Record<OutcomeGroup, number>;

interface Session extends Pick<SessionActivity, "session"> {
  readonly principals: Set<string>;
  readonly conversations: Set<string>;
  readonly tasks: Set<string>;
  readonly called: Set<string>;
  readonly calls: Counts;
}

interface Ended {
  readonly record: AuditRecord;
  readonly call: CallRecord;
  /** Whether the log has no outcome of the call. */
  readonly isOpen: boolean;
}

export class ActivityBuilder {
  readonly #policy: ActivityPolicy | undefined;
  readonly #index: ToolIndex;
  readonly #tasks = new TaskTracker();
  readonly #open = new Map<bigint, { readonly record: AuditRecord; readonly call: CallRecord }>();
  readonly #boots: BootActivity[] = [];
  readonly #sessions = new Map<string, Session>();
  readonly #tools = new Map<string, Mutable<ToolActivity> & { readonly calls: Counts }>();
  readonly #refusals = new Map<string, Mutable<Refusal> & { readonly names: Set<string> }>();
  #approvals: Approval[] = [];
  readonly #approvers = new Map<string, Mutable<Approver> & { readonly times: number[] }>();
  readonly #quotas = new Map<string, { readonly session: string; readonly quota: string; refused: number }>();
  readonly #left = new Map<string, Mutable<Departure> & { readonly found: Set<string> }>();
  readonly #releases = new Map<string, Mutable<ReleaseActivity> & { readonly by: Set<string> }>();
  readonly #models = new Map<string, Mutable<ModelActivity>>();
  readonly #events = new Map<string, { readonly session: string; readonly event: string; count: number }>();
  readonly #policies = new Map<string, number>();
  readonly #times: { readonly ms: number; readonly group: OutcomeGroup }[] = [];
  readonly #calls = makeCounts();
  #withheld = 0;
  #records = 0;
  #first: number | null = null;
  #last: number | null = null;

  constructor(policy?: ActivityPolicy) {
    this.#policy = policy;
    this.#index = new ToolIndex(policy?.tables);
  }

  /**
   * Adds a record to the summary. Must be called with each record of the log, in order. `isShown` returns whether a
   * record belongs to the span of the summary.
   */
  take(record: AuditRecord, isShown: (record: AuditRecord) => boolean = () => true): void {
    const task = this.#tasks.follow(record);
    const { entry } = record;
    if (entry.which === "outcome") this.#open.delete(entry.outcome.intent);
    if (!isShown(record)) return;
    this.#records += 1;
    this.#noteTime(record);
    const digest = Buffer.from(record.policyDigest).toString("hex");
    this.#policies.set(digest, (this.#policies.get(digest) ?? 0) + 1);
    switch (entry.which) {
      case "boot": {
        const { systemId: system, version, orphans } = entry.boot;
        const { sequence } = record;
        this.#boots.push({ sequence, wallMs: getWallMs(record), system, version, orphans: orphans.length });
        return;
      }
      case "intent":
        this.#open.set(record.sequence, { record, call: entry.intent });
        this.#noteTask(entry.intent.session, task);
        return;
      case "outcome":
        this.#noteTask(entry.outcome.session, task);
        this.#end({ record, call: entry.outcome, isOpen: false });
        return;
      case "inference":
        this.#noteTask(entry.inference.session, task);
        this.#answer(entry.inference);
        return;
      case "session":
        this.#hear(record, entry.session);
        return;
      case "seal":
      case "shipped":
        return;
    }
  }

  /** Returns the summary of the records so far. Call it once, after the last record. */
  build(): Activity {
    for (const { record, call } of this.#open.values()) this.#end({ record, call, isOpen: true });
    this.#open.clear();
    return {
      records: this.#records,
      first: this.#first,
      last: this.#last,
      boots: this.#boots,
      sessions: sortBy([...this.#sessions.values()], ({ session }) => session).map((one) => ({
        session: one.session,
        principals: [...one.principals].sort(),
        conversations: one.conversations.size,
        tasks: [...one.tasks].sort(),
        calls: one.calls,
        called: [...one.called].sort(),
      })),
      tools: sortBy([...this.#tools.values()], ({ tool }) => tool),
      calls: this.#calls,
      withheld: this.#withheld,
      timeline: buildTimeline(this.#times),
      refusals: sortBy([...this.#refusals.values()], ({ count, reason }) => [-count, reason]).map(
        ({ names, ...refusal }) => ({ ...refusal, tools: [...names].sort() }),
      ),
      approvers: sortBy([...this.#approvers.values()], ({ principal, surface }) => [principal, surface]).map(
        ({ times, ...approver }) => ({ ...approver, ...measureTimes(times) }),
      ),
      approvals: selectNewest(this.#approvals),
      quotas: sortBy([...this.#quotas.values()], ({ session, quota }) => [session, quota]),
      left: sortBy([...this.#left.values()], ({ tool }) => tool).map(({ found, ...departure }) => ({
        ...departure,
        origins: [...found].sort(),
      })),
      releases: sortBy([...this.#releases.values()], ({ rule, tool, from, to }) => [rule, tool, from, to]).map(
        ({ by, ...release }) => ({ ...release, principals: [...by].sort() }),
      ),
      models: sortBy([...this.#models.values()], ({ backend, model }) => [backend, model]),
      events: sortBy([...this.#events.values()], ({ session, event }) => [session, event]),
      policies: [...this.#policies].map(([digest, records]) => ({ digest, records })),
    };
  }

  #noteTime(record: AuditRecord): void {
    const ms = getWallMs(record);
    if (ms === null) return;
    this.#first = Math.min(this.#first ?? ms, ms);
    this.#last = Math.max(this.#last ?? ms, ms);
  }

  #noteTask(session: string, task: string): void {
    if (task !== "") this.#getSession(session).tasks.add(task);
  }

  #getSession(session: string): Session {
    const name = limitName(this.#sessions, session);
    const known = this.#sessions.get(name);
    if (known !== undefined) return known;
    const sets = { principals: new Set<string>(), conversations: new Set<string>(), tasks: new Set<string>() };
    const made = { session: name, ...sets, called: new Set<string>(), calls: makeCounts() };
    this.#sessions.set(name, made);
    return made;
  }

  #end({ record, call, isOpen }: Ended): void {
    const group = isOpen ? "unknown" : GROUP_OF[call.outcome];
    const session = this.#getSession(call.session);
    session.conversations.add(call.conversation);
    if (call.principal !== "") session.principals.add(call.principal);
    session.calls[group] += 1;
    this.#calls[group] += 1;
    if (call.isWithheld || call.isResultWithheld || call.errorHash.length > 0) this.#withheld += 1;
    const ms = getWallMs(record);
    if (ms !== null) this.#times.push({ ms, group });
    const { name } = call.descriptor;
    // A tool without a category does not exist: a model invented its name. All such tools are counted together.
    const tool = call.descriptor.category === "" ? "(unknown tools)" : limitName(this.#tools, name);
    session.called.add(tool);
    const known = this.#tools.get(tool);
    const counted = known ?? { tool, category: call.descriptor.category, calls: makeCounts(), outcomes: {} };
    counted.calls[group] += 1;
    if (!isOpen) counted.outcomes = { ...counted.outcomes, [call.outcome]: (counted.outcomes[call.outcome] ?? 0) + 1 };
    this.#tools.set(tool, counted);
    if (!isOpen && call.outcome !== "ok") this.#refuse(record, call, tool);
    this.#judgeApproval(record, call, isOpen ? "intent" : "outcome");
    this.#depart(call, tool, isOpen ? "unsure" : classifyEffect(call));
    if (call.release.rule !== "") this.#release(record, call, isOpen ? "unknown" : classifySent(call));
  }

  #refuse({ sequence }: AuditRecord, call: CallRecord, tool: string): void {
    const { outcome, error, errorHash, session } = call;
    const isOfService = outcome === "executionError" && classifySent(call) !== "no";
    const said = errorHash.length === 0 ? shorten(error || outcome) : "the reason is withheld";
    const reason = isOfService ? "the service reported an error" : said;
    const key = limitName(this.#refusals, `${outcome} ${reason}`);
    const shown = key === OTHER ? OTHER : reason;
    const known = this.#refusals.get(key);
    const refusal = known ?? { outcome, reason: shown, count: 0, tools: [], sequence, names: new Set<string>() };
    refusal.count += 1;
    refusal.sequence = sequence;
    refusal.names.add(tool);
    this.#refusals.set(key, refusal);
    // Only refusals count as the refusal of a quota, because the error of a service may have the same text as a refusal
    // of the broker.
    if (outcome !== "refusedByPolicy" || !error.startsWith(SPENT)) return;
    const quota = shorten(error.slice(SPENT.length)).replace(/: \d+ of \d+ spent.*$/, "");
    const name = limitName(this.#quotas, `${session} ${quota}`);
    const spent = this.#quotas.get(name) ?? { session, quota: name === OTHER ? OTHER : quota, refused: 0 };
    spent.refused += 1;
    this.#quotas.set(name, spent);
  }

  #judgeApproval(record: AuditRecord, call: CallRecord, kind: "intent" | "outcome"): void {
    const was = classifyRecord(call, kind);
    if (was.kind !== "decided" || !was.asked) return;
    const { decision, principal, surface, askedMs, session, descriptor } = call;
    this.#approve(record, {
      session,
      what: descriptor.name,
      gate: was.answer === "stepUp" ? "stepUp" : "consent",
      isApproved: decision === "consented" || decision === "stepUpSucceeded",
      principal,
      surface,
      askedMs: surface === "" ? null : askedMs,
    });
  }

  #approve(record: AuditRecord, facts: Omit<Approval, "sequence" | "wallMs">): void {
    this.#approvals.push({ sequence: record.sequence, wallMs: getWallMs(record), ...facts });
    if (this.#approvals.length > 2 * MOST_APPROVALS) this.#approvals = selectNewest(this.#approvals);
    const { principal, surface, isApproved, askedMs } = facts;
    const key = limitName(this.#approvers, `${principal} ${surface}`);
    const none = { fastestMs: null, medianMs: null, slowestMs: null, times: [] };
    const approver = this.#approvers.get(key) ?? { principal, surface, approved: 0, denied: 0, ...none };
    if (isApproved) approver.approved += 1;
    else approver.denied += 1;
    if (askedMs !== null) approver.times.push(askedMs);
    this.#approvers.set(key, approver);
  }

  #depart({ descriptor, arguments: text, isWithheld }: CallRecord, tool: string, effect: Effect): void {
    const { categories, service } = this.#index.find(descriptor);
    const known = this.#policy?.tables.tools.find(({ name }) => name === descriptor.name);
    if (known?.networked !== true && !categories.includes("outboundNet")) return;
    const departure = this.#left.get(tool) ?? {
      tool,
      origins: [],
      calls: 0,
      unsure: 0,
      attempts: 0,
      argumentBytes: 0,
      withheld: 0,
      found: new Set(this.#policy?.origins.get(known?.provider ?? service)),
    };
    this.#left.set(tool, departure);
    departure.attempts += 1;
    if (effect === "none") return;
    for (const origin of findOrigins(text)) if (departure.found.size < MOST_NAMES) departure.found.add(origin);
    if (effect === "unsure") {
      departure.unsure += 1;
      return;
    }
    departure.calls += 1;
    departure.argumentBytes += Buffer.byteLength(text);
    if (isWithheld) departure.withheld += 1;
  }

  #release({ sequence }: AuditRecord, { release, descriptor, principal }: CallRecord, sent: SendStatus): void {
    const { rule, act, from, to } = release;
    const key = limitName(this.#releases, JSON.stringify([rule, from, to, descriptor.name]));
    const named =
      key === OTHER ? { rule: OTHER, act, tool: OTHER, from, to } : { rule, act, tool: descriptor.name, from, to };
    const none = { calls: 0, attempts: 0, principals: [], sequence, by: new Set<string>() };
    const counted = this.#releases.get(key) ?? { ...named, ...none };
    counted.attempts += 1;
    counted.sequence = sequence;
    if (sent !== "no") {
      counted.calls += 1;
      if (principal !== "") counted.by.add(principal);
    }
    this.#releases.set(key, counted);
  }

  #answer({ backend, model, usage, messages, masked, session, conversation }: InferenceRecord): void {
    this.#getSession(session).conversations.add(conversation);
    const key = limitName(this.#models, `${backend} ${model}`);
    const none = { answers: 0, promptTokens: 0, outputTokens: 0, bytes: 0, masked: 0 };
    const origins = this.#policy?.origins.get(backend) ?? [];
    const counted = this.#models.get(key) ?? { backend, model, origins, ...none };
    counted.answers += 1;
    counted.promptTokens += usage.promptTokens;
    counted.outputTokens += usage.outputTokens;
    counted.bytes += messages.reduce((sum, { bytes }) => sum + bytes, 0);
    counted.masked += masked.reduce((sum, { places }) => sum + places, 0);
    this.#models.set(key, counted);
  }

  #hear(record: AuditRecord, said: { readonly name: string; readonly event: string; readonly detail: string }): void {
    const { name: session, event, detail } = said;
    const key = limitName(this.#events, `${session} ${event}`);
    const counted = this.#events.get(key) ?? { session, event: key === OTHER ? OTHER : event, count: 0 };
    counted.count += 1;
    this.#events.set(key, counted);
    const principal = findPrincipal(said);
    if (principal !== "") this.#getSession(session).principals.add(principal);
    const heard = parseEvent(event, detail);
    if (heard?.kind === "conversation") this.#getSession(session).conversations.add(heard.name);
    if (heard?.kind === "step" && heard.was?.isMade === true) this.#noteTask(session, heard.step.task);
    const answer = parseStepApproval(said);
    if (answer !== undefined) this.#approve(record, { session, ...answer });
  }
}

/** Whether a call had its effect: `unsure` if the call was sent, but the log does not state whether it ran. */
type Effect = "ran" | "unsure" | "none";

function classifyEffect(call: CallRecord): Effect {
  if (classifySent(call) === "no") return "none";
  // A call that ran and whose result was withheld is recorded as refused.
  return call.outcome === "ok" || call.outcome === "refusedByPolicy" ? "ran" : "unsure";
}

const SPENT = "used up: ";

function makeCounts(): Counts {
  return { ok: 0, denied: 0, refused: 0, failed: 0, unknown: 0 };
}

/** Returns the name, or `OTHER` if the list is full and does not contain the name. */
function limitName(known: ReadonlyMap<string, unknown>, name: string): string {
  return known.has(name) || known.size < MOST_NAMES ? name : OTHER;
}

function getWallMs({ wallMs }: AuditRecord): number | null {
  return readWallMs(wallMs) ?? null;
}

function shorten(text: string): string {
  const [line = ""] = text.split("\n", 1);
  return line.length > MOST_REASON ? `${line.slice(0, MOST_REASON)}…` : line;
}

function sortBy<T>(values: readonly T[], keyOf: (value: T) => string | readonly (string | number)[]): readonly T[] {
  const compare = (one: string | number, other: string | number) => (one < other ? -1 : one > other ? 1 : 0);
  return [...values].sort((one, other) => {
    const [left, right] = [[keyOf(one)].flat(), [keyOf(other)].flat()];
    return left.map((key, at) => compare(key, right[at] ?? "")).find((order) => order !== 0) ?? 0;
  });
}

/**
 * Returns the newest approvals, newest first. They must be sorted, because the approval of a call without an outcome is
 * collected after newer approvals.
 */
function selectNewest(approvals: readonly Approval[]): Approval[] {
  return sortBy(approvals, ({ sequence }) => [-Number(sequence)]).slice(0, MOST_APPROVALS);
}

function measureTimes(times: readonly number[]): Pick<Approver, "fastestMs" | "medianMs" | "slowestMs"> {
  const sorted = [...times].sort((one, other) => one - other);
  return {
    fastestMs: sorted[0] ?? null,
    medianMs: sorted[Math.floor((sorted.length - 1) / 2)] ?? null,
    slowestMs: sorted.at(-1) ?? null,
  };
}

const ADDRESS = /https?:\/\/[^\s"'<>\\]{1,2048}/g;

/** Returns the origins of the addresses in a text of arguments. */
function findOrigins(text: string): readonly string[] {
  return [...text.matchAll(ADDRESS)].flatMap(([address]) => {
    const url = URL.canParse(address) ? new URL(address) : undefined;
    return url === undefined ? [] : [url.origin];
  });
}

/** Returns the calls in steps of equal length, from the step of the first call to the step of the last call. */
function buildTimeline(times: readonly { readonly ms: number; readonly group: OutcomeGroup }[]): Timeline {
  if (times.length === 0) return { from: 0, stepMs: 0, steps: [] };
  const first = times.reduce((least, { ms }) => Math.min(least, ms), Number.POSITIVE_INFINITY);
  const last = times.reduce((most, { ms }) => Math.max(most, ms), 0);
  const countSteps = (step: number) => Math.floor(last / step) - Math.floor(first / step) + 1;
  const week = 168 * HOUR_MS;
  const stepMs =
    STEP_MS.find((step) => countSteps(step) <= MOST_STEPS) ?? week * Math.ceil(countSteps(week) / (MOST_STEPS - 1));
  const from = Math.floor(first / stepMs) * stepMs;
  const steps = Array.from({ length: Math.floor((last - from) / stepMs) + 1 }, makeCounts);
  for (const { ms, group } of times) {
    const step = steps[Math.floor((ms - from) / stepMs)];
    if (step !== undefined) step[group] += 1;
  }
  return { from, stepMs, steps };
}

/** Returns the number of all calls. */
export function countCalls(counts: Readonly<Record<OutcomeGroup, number>>): number {
  return GROUPS.reduce((sum, group) => sum + counts[group], 0);
}
