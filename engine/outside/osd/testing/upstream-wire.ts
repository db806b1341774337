// Rules by which upstream's llm-osd 0.1.0 decodes messages (serde, unknown fields denied): the fields of a result, their types, and the
// codes. The rules were written from llm-osd's documentation and its types.

import { isList, isRecord, type Json, type JsonRecord } from "../../../lib/policy/index.ts";

type Kind = "text" | "flag" | "texts" | "integer?" | "text?" | "error?";

const ARGV = { ok: "flag", argv: "texts", error: "error?" } as const;
const OUTPUT = {
  exit_code: "integer?",
  stdout: "text",
  stdout_truncated: "flag",
  stderr: "text",
  stderr_truncated: "flag",
} as const;

const RESULTS: Readonly<Record<string, Readonly<Record<string, Kind>>>> = {
  exec: { ok: "flag", ...OUTPUT, error: "error?" },
  read_file: { ok: "flag", content_base64: "text?", truncated: "flag", error: "error?" },
  write_file: { ok: "flag", artifacts: "texts", error: "error?" },
  service_control: ARGV,
  install_packages: ARGV,
  remove_packages: ARGV,
  update_system: ARGV,
  observe: { ...ARGV, ...OUTPUT },
  cgroup_apply: ARGV,
  firmware_op: ARGV,
  pong: { ok: "flag" },
};

const REQUEST_CODES = ["parse_failed", "validation_failed", "invalid_mode", "request_too_large"];
const ACTION_CODES = [
  "policy_denied",
  "confirmation_required",
  "exec_failed",
  "exec_timed_out",
  "read_failed",
  "write_failed",
  "invalid_mode_string",
];

/** Returns why upstream's client would not decode an answer, or `undefined` if it would. */
export function undecodable(answer: Json): string | undefined {
  if (!isRecord(answer)) return "it is no object";
  const stranger = strange(answer, ["request_id", "executed", "results", "error"]);
  if (stranger !== undefined) return stranger;
  const { request_id: id, executed, results, error } = answer;
  if (typeof id !== "string" || typeof executed !== "boolean") return "request_id or executed is missing";
  if (!fitsError(error, REQUEST_CODES)) return "error is none";
  if (results === undefined || !isList(results)) return "results is no list";
  return results.map(misfitOf).find((misfit) => misfit !== undefined);
}

function misfitOf(result: Json): string | undefined {
  if (!isRecord(result) || typeof result["type"] !== "string") return "a result has no type";
  const fields = RESULTS[result["type"]];
  if (fields === undefined) return `unknown variant ${result["type"]}`;
  const stranger = strange(result, ["type", ...Object.keys(fields)]);
  if (stranger !== undefined) return stranger;
  const wrong = Object.entries(fields).find(([name, kind]) => !fits(result[name], kind));
  return wrong && `${result["type"]}.${wrong[0]} is no ${wrong[1]}`;
}

function strange(record: JsonRecord, known: readonly string[]): string | undefined {
  const name = Object.keys(record).find((each) => !known.includes(each));
  return name && `unknown field ${name}`;
}

function fits(value: Json | undefined, kind: Kind): boolean {
  const isAbsent = value === undefined || value === null;
  switch (kind) {
    case "text":
      return typeof value === "string";
    case "flag":
      return typeof value === "boolean";
    case "texts":
      return value !== undefined && isList(value) && value.every((each) => typeof each === "string");
    case "integer?":
      return isAbsent || (typeof value === "number" && (value | 0) === value);
    case "text?":
      return isAbsent || typeof value === "string";
    case "error?":
      return fitsError(value, ACTION_CODES);
  }
}

function fitsError(value: Json | undefined, codes: readonly string[]): boolean {
  if (value === undefined || value === null) return true;
  const { code, message } = isRecord(value) ? value : {};
  return (
    isRecord(value) &&
    strange(value, ["code", "message"]) === undefined &&
    isCode(code, codes) &&
    typeof message === "string"
  );
}

function isCode(code: Json | undefined, codes: readonly string[]): boolean {
  return typeof code === "string" && codes.includes(code);
}
