// Finds reasons that are on a page but in no table: the reasons of `widen` for the quotas, clearances and backends that
// it adds.

import { listBases } from "../../phases/policy/index.ts";
import { type FactChange, normalizeReason, type Owner } from "../../queries/diff/index.ts";
import type { NamedSide } from "./side.ts";

/**
 * Returns whether each session that a change concerns can state it with a `widen`. A `widen` can add only quotas, a
 * clearance or a backend, and only to a session that extends another session.
 */
export function isBroughtByWiden({ what, owners }: FactChange, { page }: NamedSide): boolean {
  if (what !== "clearance" && !/^(?:quota of |backend [\w-]+$)/.test(what)) return false;
  const isExtending = ({ kind, name }: Owner) =>
    kind === "session" && page?.model.sessions.find(({ id }) => id === name)?.relation === "extends";
  return owners.length > 0 && owners.every(isExtending);
}

/**
 * Returns the reason of the `widen` that adds a fact to the newer page, or `undefined` if none does. A reason that the session had before
 * does not count, because it does not explain a later change.
 */
export function findReasonOfFact(
  { what, rule, owner }: FactChange,
  before: NamedSide,
  { page, tables }: NamedSide,
): string | undefined {
  if (page === undefined || owner?.kind !== "session") return undefined;
  const older = listWideningReasons(before, owner.name);
  const session = page.model.sessions.find(({ id }) => id === owner.name);
  if (session === undefined) return undefined;
  const id = rule === undefined ? undefined : tables.rules[rule]?.id;
  for (const at of listBases(session)) {
    for (const { quotas, clearance, models, node } of at.widenings) {
      const brings =
        quotas.some(({ words }) => `${at.id}/quota ${words}` === id) ||
        (clearance !== undefined && what === "clearance") ||
        models?.some(({ backend }) => what === `backend ${backend.name}`) === true;
      const reason = normalizeReason(node.because.value);
      if (brings && !older.has(reason)) return reason;
    }
  }
  return undefined;
}

function listWideningReasons({ page }: NamedSide, name: string): ReadonlySet<string | undefined> {
  const session = page?.model.sessions.find(({ id }) => id === name);
  const widenings = session === undefined ? [] : listBases(session).flatMap((at) => at.widenings);
  return new Set(widenings.map(({ node }) => normalizeReason(node.because.value)));
}
