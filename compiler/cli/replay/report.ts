// Defines the report of a replay that text, JSON and Markdown share. The content of records came from models and tools,
// so every output must escape it.

import { placeOf } from "../../../lang/text/index.ts";
import type { Finding, ReplayResult } from "../../queries/replay/index.ts";
import type { LogRead } from "../audit/records.ts";
import type { NamedSide } from "../diff/side.ts";

export interface NamedLog extends LogRead {
  /** Name that a person uses for the log. */
  readonly name: string;
}

export interface ReplayReport {
  readonly policy: { readonly name: string; readonly system: string; readonly version: string };
  readonly logs: readonly NamedLog[];
  readonly replayed: ReplayResult;
  readonly otherwise: readonly ToldFinding[];
  readonly undecided: readonly ToldFinding[];
}

/** A finding of the replay, with the rule that decides the call now. */
export interface ToldFinding {
  readonly finding: Finding;
  readonly before: string;
  readonly after: string;
  /** Reason that the gate gives for its decision, or the reason why the call cannot be decided. */
  readonly reason: string;
  readonly rule: ToldRule | undefined;
}

interface ToldRule {
  readonly id: string;
  readonly words: string;
  readonly place: string;
}

export function reportOf(side: NamedSide, logs: readonly NamedLog[], replayed: ReplayResult): ReplayReport {
  const { systemId: system, version } = side.tables;
  const describeOne = (finding: Finding) => describeFinding(finding, side);
  return {
    policy: { name: side.name, system, version },
    logs,
    replayed,
    otherwise: replayed.otherwise.map(describeOne),
    undecided: replayed.undecided.map(describeOne),
  };
}

function describeFinding(finding: Finding, side: NamedSide): ToldFinding {
  const { now } = finding;
  const rule = now?.kind === "settled" && now.rule !== undefined ? findRule(now.rule, side) : undefined;
  return {
    finding,
    before: describeBefore(finding),
    after: describeAfter(finding),
    reason: now === undefined ? "" : now.kind === "settled" ? now.reason : now.because,
    rule,
  };
}

/**
 * Returns the rule with its place on the page, or with the place that the tables state if there is no page. Returns
 * `undefined` for an unknown index.
 */
function findRule(index: number, { tables, page }: NamedSide): ToldRule | undefined {
  const rule = tables.rules[index];
  const origin = page?.origins.rules[index];
  if (rule === undefined) return undefined;
  const { id, words, place } = rule;
  return { id, words, place: page === undefined || origin === undefined ? place : placeOf(page.view.span(origin)) };
}

/** Describes how the log records the call: "consent, denied" or "refusedByPolicy: used up: …". */
function describeBefore({ was, recorded: { decision, error } }: Finding): string {
  if (was.kind === "beyond") return was.reason;
  const withheld = was.withheld === true ? ", its result withheld" : "";
  switch (was.answer) {
    case "auto":
      return `auto${withheld}`;
    case "consent":
    case "stepUp":
      return `${was.answer}${decision === "denied" || decision === "stepUpFailed" ? ", denied" : withheld}`;
    case "parked":
    case "refusedByPolicy":
    case "invalidArguments":
    case "unknownTool":
    case "notThere":
      return error === "" ? was.answer : `${was.answer}: ${error}`;
  }
}

function describeAfter({ now }: Finding): string {
  if (now === undefined) return "";
  if (now.kind === "open") return now.answers.join(" or ");
  return `${now.answer}${now.withheld === true ? ", its result withheld" : ""}`;
}

/** Findings with the same text about one tool in one place. */
export interface FindingGroup {
  readonly told: ToldFinding;
  readonly findings: readonly Finding[];
}

/** Returns the groups in the order in which the first finding of each was found. */
export function groupFindings(findings: readonly ToldFinding[]): readonly FindingGroup[] {
  const groups = new Map<string, { readonly told: ToldFinding; readonly findings: Finding[] }>();
  for (const told of findings) {
    const { finding, before, after, reason, rule } = told;
    const { place, tool, recorded, direction } = finding;
    const key = JSON.stringify([place, tool, before, recorded.rule, after, reason, rule?.id, direction]);
    const group = groups.get(key) ?? { told, findings: [] };
    group.findings.push(finding);
    groups.set(key, group);
  }
  return [...groups.values()];
}
