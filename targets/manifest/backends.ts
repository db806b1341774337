// Computes from the tables which backends answer in which session.

import type { Row } from "../../engine/lib/wire/generated/policy.ts";
import type { BackendPlan, EmbedderPlan, Policy } from "../contract/policy.ts";

/** Returns all backends that may answer in a session, in the page's order; the gate chooses one for each answer. */
export function listBackends(policy: Policy, rows: readonly Row[]): readonly BackendPlan[] {
  return (rows[0]?.backends ?? []).flatMap(({ backend, mode }) => {
    const name = policy.tables.backends[backend]?.name;
    return mode === "forbidden" ? [] : policy.backends.filter((one) => one.name === name);
  });
}

/** Returns the backends that may answer in at least one session, in the policy's order. */
export function listUsedBackends(policy: Policy): readonly BackendPlan[] {
  const { rows } = policy.tables;
  const used = new Set(rows.flatMap((row) => listBackends(policy, [row])));
  return policy.backends.filter((backend) => used.has(backend));
}

/**
 * Returns the embedder for the messages of a session: that of the first backend that may answer without approval.
 * Returns `undefined` if there is none.
 */
export function findEmbedder({ tables, embedders }: Policy, session: string): EmbedderPlan | undefined {
  const row = tables.rows.find((one) => one.session === session);
  const first = row?.backends.find(({ mode }) => mode === "auto");
  const name = first && tables.backends[first.backend]?.embedder;
  return embedders.find(({ model }) => model.name === name);
}
