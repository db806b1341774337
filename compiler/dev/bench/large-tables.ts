// Creates tables of any size, without a page, in the form in which artefacts contain them.

import { PolicyTables, type Row } from "../../../engine/lib/wire/generated/policy.ts";
import { decodeMessage } from "../../../engine/lib/wire/index.ts";
import { bug } from "../../../lang/diagnostics/index.ts";

/** Message with an empty root; decoding it gives the defaults. */
const NONE = new Uint8Array([0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);

/** Returns tables with only `count` rules of three texts each. */
export function createTablesOfRules(count: number): PolicyTables {
  const decoded = decodeMessage(PolicyTables, NONE);
  if (!decoded.ok) return bug(decoded.reason);
  const rules = Array.from({ length: count }, (_, at) => ({
    id: `operator/${at}`,
    words: `consent tool_${at % 97}.write`,
    place: `system.cap:${at}:7`,
  }));
  return { ...decoded.value, rules };
}

/** Returns a session with only these cells. */
export function createRow(session: string, cells: readonly number[]): Row {
  const label = { confidentiality: 0, integrity: 0, compartments: 0n };
  const timeouts = { callMs: 0, turnMs: 0, loginMs: 0, idleMs: 0 };
  const names = { session, task: "", phase: "", worker: "", kind: "operator" };
  const empty = { principals: [], backends: [], quotas: [], releases: [] };
  const entered = {
    phaseIndex: 0,
    entry: "auto",
    entryRule: 0,
    remember: "none",
    login: "none",
    loginRule: 0,
    requiresTask: false,
    taskRule: 0,
    parameters: [],
  } as const;
  return { ...names, ...empty, ...entered, cells, clearance: label, starts: label, timeouts };
}
