// Parses a plan of a client of upstream's llm-osd, which may contain types of actions that this daemon does not execute. This parser lets
// the daemon record and refuse each such action individually; `readPlan` would refuse the whole request.

import {
  isList,
  isRecord,
  type Json,
  type JsonRecord,
  recordFrom,
  renderCanonicalJson,
} from "../../lib/policy/index.ts";
import type { FailureAnswer } from "./answer.ts";
import { Faults, Fields } from "./fields.ts";
import { MOST_ARGV_BYTES, MOST_REQUEST_BYTES, MOST_WORDS } from "./limits.ts";
import { FOREIGN, type ForeignAction, type WidePlan } from "./plan.ts";
import { readPlan } from "./read-plan.ts";

export type WidePlanRead = { readonly ok: true; readonly plan: WidePlan } | FailureAnswer;

/** Fields of each type of action, besides the texts for people. */
const FIELDS: Readonly<Record<ForeignAction["type"], readonly string[]>> = {
  service_control: ["action", "unit"],
  install_packages: ["manager", "packages"],
  remove_packages: ["manager", "packages"],
  update_system: ["manager"],
  observe: ["tool", "args"],
  cgroup_apply: ["pid", "unit", "cpu_weight", "mem_max_bytes"],
  firmware_op: ["op", "uefi_var_name"],
};

/** Placeholder of a foreign action while the other actions are parsed. */
const PLACE: Json = { type: "ping" };

/** Returns the plan, or the failure of the request. Never throws. */
export function readWidePlan(bytes: Uint8Array): WidePlanRead {
  const read = recordFrom(bytes, MOST_REQUEST_BYTES);
  const { actions } = read.ok ? read.value : {};
  if (!read.ok || actions === undefined || !isList(actions)) return readPlan(bytes);
  const faults = new Faults();
  const foreign = actions.map((action, index) => readForeign(action, `actions[${index}]`, faults));
  if (foreign.every((action) => action === undefined)) return readPlan(bytes);
  const others = actions.map((action, index) => (foreign[index] === undefined ? action : PLACE));
  const rest = readPlan(Buffer.from(JSON.stringify({ ...read.value, actions: others })));
  if (!rest.ok) return rest;
  const { plan } = rest;
  const { all } = faults;
  if (all !== undefined) return { ok: false, ...selectIds(plan), error: all };
  return { ok: true, plan: { ...plan, actions: plan.actions.map((action, index) => foreign[index] ?? action) } };
}

function selectIds({ request_id, session_id }: WidePlan): Pick<FailureAnswer, "request_id" | "session_id"> {
  return { request_id, ...(session_id !== undefined && { session_id }) };
}

/**
 * Returns the foreign action, or `undefined` if the value is not one. Only the names of the fields are checked,
 * because their values are only recorded.
 */
function readForeign(value: Json, at: string, faults: Faults): ForeignAction | undefined {
  const type = isRecord(value) ? FOREIGN.find((each) => each === value["type"]) : undefined;
  if (type === undefined) return undefined;
  const fields = new Fields(value, at, ["type", "reason", "danger", "recovery", ...FIELDS[type]], faults);
  const asked = renderAsked(fields.record, FIELDS[type]);
  if (Buffer.byteLength(asked) > MOST_ARGV_BYTES) faults.note(at, `has at most ${MOST_ARGV_BYTES} bytes in all`);
  const danger = fields.readOptional("danger", (text) => text.checkLength(0, MOST_WORDS));
  const recovery = fields.readOptional("recovery", (text) => text.checkLength(0, MOST_WORDS));
  return {
    type,
    asked,
    reason: fields.getText("reason").checkLength(1, MOST_WORDS),
    ...(danger !== undefined && { danger }),
    ...(recovery !== undefined && { recovery }),
  };
}

function renderAsked(record: JsonRecord, names: readonly string[]): string {
  return renderCanonicalJson(Object.fromEntries(names.map((name) => [name, record[name] ?? null])));
}
