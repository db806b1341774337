import type {
  FloorCondition,
  FloorLine,
  Narrowing,
  QuotaEntry,
  QuotaNode,
  TimeLimit,
  WhenNode,
} from "../../../../lang/tree/index.ts";
import { either, record } from "../record.ts";
import { listOf, oneOf, optional, type Shape } from "../shape.ts";
import { check, line, pattern } from "./lines.ts";
import { mode, name, numeral, quantity } from "./names.ts";

const met: Shape<FloorCondition> = either<FloorCondition, "kind">("kind", {
  confidentiality: record({ kind: oneOf("confidentiality"), level: name }),
  integrity: record({ kind: oneOf("integrity"), level: name }),
  compartment: record({ kind: oneOf("compartment"), compartment: name }),
  unattended: record({ kind: oneOf("unattended") }),
});

const floor: Shape<FloorLine> = record({
  mode,
  patterns: listOf(pattern),
  where: optional(record({ checks: listOf(check) })),
});

const when: Shape<WhenNode> = record({ kind: oneOf("when"), met: listOf(met), floors: listOf(floor) });

export const quotaEntry: Shape<QuotaEntry> = record({
  amount: numeral,
  unit: name,
  noun: optional(name),
  scope: name,
});

export const quota: Shape<QuotaNode> = record({ kind: oneOf("quota"), entries: listOf(quotaEntry) });

const timeLimit: Shape<TimeLimit> = record({ limit: quantity, scope: name });

type Kind = Narrowing["kind"];

export const NARROWING: { readonly [Word in Kind]: Shape<Extract<Narrowing, { kind: Word }>> } = {
  permit: record({ kind: oneOf("permit"), lines: listOf(line) }),
  only: record({ kind: oneOf("only"), patterns: listOf(pattern) }),
  suppress: record({ kind: oneOf("suppress"), patterns: listOf(pattern) }),
  remember: record({ kind: oneOf("remember"), scope: name }),
  when,
  quota,
  timeout: record({ kind: oneOf("timeout"), limits: listOf(timeLimit) }),
};

export const narrowing: Shape<Narrowing> = either<Narrowing, "kind">("kind", NARROWING);
